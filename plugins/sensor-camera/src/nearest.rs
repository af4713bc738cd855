//! The nearest few of many, without an allocation.

/// An object in view, with its distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The square of its distance from the sensor, square metres.
    pub squared: f64,
    /// Its number in the view's list.
    pub index: u32,
}

/// A list that keeps the nearest, nearest first.
pub struct Nearest<const N: usize> {
    rows: [Candidate; N],
    len: usize,
    max: usize,
}

impl<const N: usize> Nearest<N> {
    /// With room for this many, at most `N`.
    #[inline]
    pub fn new(max: usize) -> Self {
        Self { rows: [Candidate::default(); N], len: 0, max: max.min(N) }
    }

    /// Puts a candidate in its place; the farthest falls out if there is no room. Of two equally far ones, the first
    /// to come stays in front.
    #[inline]
    pub fn offer(&mut self, candidate: Candidate) {
        if self.len == self.max {
            match self.rows[..self.len].last() {
                Some(last) if candidate.squared < last.squared => self.len -= 1,
                _ => return,
            }
        }
        let mut place = self.len;
        while place > 0 && candidate.squared < self.rows[place - 1].squared {
            self.rows[place] = self.rows[place - 1];
            place -= 1;
        }
        self.rows[place] = candidate;
        self.len += 1;
    }

    /// What is in the list.
    pub fn rows(&self) -> &[Candidate] {
        &self.rows[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_beginning_of_the_sorted_list() {
        let distances = [5.0, 1.0, 4.0, 1.0, 3.0, 9.0, 2.0];
        for max in 0..9 {
            let mut nearest = Nearest::<8>::new(max);
            for (i, squared) in distances.into_iter().enumerate() {
                nearest.offer(Candidate { squared, index: i as u32 });
            }
            let mut sorted: Vec<_> = (0..distances.len()).collect();
            sorted.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
            sorted.truncate(max);
            let found: Vec<_> = nearest.rows().iter().map(|row| row.index as usize).collect();
            assert_eq!(found, sorted);
        }
    }
}
