//! Which discs come near each other: few are asked one by one, many by a grid of square cells.

use super::super::shape::{Vec2, dot, sub};

/// Up to so many, to ask each about each is quicker.
const FEW: usize = 32;

/// Whose neighbours everybody is, made anew from where the discs are.
#[derive(Default)]
pub struct Neighbours {
    /// The greater place first, in the order of the places.
    pairs: Vec<[u32; 2]>,
    /// Where each disc's list ends; none if nobody has a neighbour.
    ends: Vec<u32>,
    others: Vec<u32>,
    grid: Grid,
}

/// Discs by the cells in which their middles are.
#[derive(Default)]
struct Grid {
    low: Vec2,
    side_m: f64,
    columns: usize,
    rows: usize,
    /// Where the list of each cell ends, row by row.
    ends: Vec<u32>,
    discs: Vec<u32>,
}

impl Neighbours {
    /// Finds out who is near: discs of these middles and reaches that touch or overlap.
    pub fn find(&mut self, discs: &[(Vec2, f64)]) {
        self.pairs.clear();
        let is_near = |one: usize, other: usize| {
            let ((place, reach_m), (second, second_reach_m)) = (discs[one], discs[other]);
            let apart = sub(place, second);
            dot(apart, apart) <= (reach_m + second_reach_m) * (reach_m + second_reach_m)
        };
        if discs.len() <= FEW || !self.grid.lay(discs) {
            for one in 0..discs.len() {
                let near = (0..one).filter(|&other| is_near(one, other));
                self.pairs.extend(near.map(|other| [one as u32, other as u32]));
            }
        } else {
            for (one, &(place, _)) in discs.iter().enumerate() {
                let begin = self.pairs.len();
                for row in self.grid.rows_around(place) {
                    let near =
                        row.iter().filter(|&&other| (other as usize) < one && is_near(one, other as usize));
                    self.pairs.extend(near.map(|&other| [one as u32, other]));
                }
                self.pairs[begin..].sort_unstable();
            }
        }
        self.list(discs.len());
    }

    /// All pairs, the greater place first.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        self.pairs.iter().map(|pair| pair.map(|place| place as usize))
    }

    /// Those of one disc, in their order.
    pub fn of(&self, disc: usize) -> &[u32] {
        let Some(&end) = self.ends.get(disc) else { return &[] };
        let begin = if disc == 0 { 0 } else { self.ends[disc - 1] };
        &self.others[begin as usize..end as usize]
    }

    /// Makes each disc's list. The pairs' order is that of the lists.
    fn list(&mut self, count: usize) {
        self.ends.clear();
        if self.pairs.is_empty() {
            return;
        }
        self.ends.resize(count, 0);
        self.pairs.iter().flatten().for_each(|&disc| self.ends[disc as usize] += 1);
        begin_lists(&mut self.ends);
        self.others.resize(2 * self.pairs.len(), 0);
        for &[one, other] in &self.pairs {
            for (disc, neighbour) in [(one, other), (other, one)] {
                put(&mut self.others, &mut self.ends[disc as usize], neighbour);
            }
        }
    }
}

impl Grid {
    /// Puts the discs into cells so wide that who is near is in the next one at most; false if they are nowhere.
    fn lay(&mut self, discs: &[(Vec2, f64)]) -> bool {
        let (mut low, mut high, mut most_m) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2], 0.0_f64);
        for &(place, reach_m) in discs {
            for axis in 0..2 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
            most_m = most_m.max(reach_m);
        }
        // A little more, for rounding; and no more cells than about one for each disc.
        let spread_m = (high[0] - low[0]).max(high[1] - low[1]);
        self.side_m = (2.001 * most_m).max(spread_m / (discs.len() as f64).sqrt());
        if !(self.side_m > 0.0 && self.side_m.is_finite()) {
            return false;
        }
        let count = |axis: usize| ((high[axis] - low[axis]) / self.side_m) as usize + 1;
        (self.low, self.columns, self.rows) = (low, count(0), count(1));
        self.ends.clear();
        self.ends.resize(self.columns * self.rows, 0);
        for &(place, _) in discs {
            let cell = self.cell_of(place);
            self.ends[cell] += 1;
        }
        begin_lists(&mut self.ends);
        self.discs.resize(discs.len(), 0);
        for (number, &(place, _)) in (0..).zip(discs) {
            let cell = self.cell_of(place);
            put(&mut self.discs, &mut self.ends[cell], number);
        }
        true
    }

    fn column_and_row(&self, place: Vec2) -> [usize; 2] {
        [0, 1].map(|axis| ((place[axis] - self.low[axis]) / self.side_m) as usize)
    }

    fn cell_of(&self, place: Vec2) -> usize {
        let [column, row] = self.column_and_row(place);
        row * self.columns + column
    }

    /// Who is in the cell of a place, or in one beside it, a row at a time.
    fn rows_around(&self, place: Vec2) -> impl Iterator<Item = &[u32]> {
        let [column, row] = self.column_and_row(place);
        let (first, last) = (column.saturating_sub(1), (column + 1).min(self.columns - 1));
        (row.saturating_sub(1)..=(row + 1).min(self.rows - 1)).map(move |row| {
            let cell = row * self.columns + first;
            let begin = if cell == 0 { 0 } else { self.ends[cell - 1] };
            &self.discs[begin as usize..self.ends[row * self.columns + last] as usize]
        })
    }
}

/// From how many each list has to where it begins.
fn begin_lists(counts: &mut [u32]) {
    let mut begin = 0;
    for count in counts {
        (*count, begin) = (begin, begin + *count);
    }
}

/// Puts the next one into a list; when all are there, it stands at the end.
fn put(lists: &mut [u32], next: &mut u32, what: u32) {
    lists[*next as usize] = what;
    *next += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn discs() -> impl Strategy<Value = Vec<(Vec2, f64)>> {
        let disc = (-6.0..6.0, -3.0..3.0, 0.0..0.4).prop_map(|(x, y, reach_m)| ([x, y], reach_m));
        let swarm = proptest::collection::vec(disc, 0..120);
        (swarm, 0.0..1.0, prop_oneof![Just(0.0), 0.0..20.0]).prop_map(|(mut swarm, scale, fastest_m)| {
            // Some are all at one place, and one may reach far.
            swarm.iter_mut().for_each(|(place, _)| *place = place.map(|along| along * scale));
            swarm.first_mut().into_iter().for_each(|(_, reach_m)| *reach_m += fastest_m);
            swarm
        })
    }

    proptest! {
        /// Who is near is found, once, by both, in order; and nobody else.
        #[test]
        fn everybody_has_his_neighbours(discs in discs()) {
            let mut neighbours = Neighbours::default();
            neighbours.find(&[([0.0; 2], 1.0), ([1.0; 2], 1.0)]);
            neighbours.find(&discs);
            let is_near = |one: usize, other: usize| {
                let apart = sub(discs[one].0, discs[other].0);
                one != other && dot(apart, apart) <= (discs[one].1 + discs[other].1) * (discs[one].1 + discs[other].1)
            };
            for one in 0..discs.len() {
                let near: Vec<u32> = (0..discs.len()).filter(|&other| is_near(one, other)).map(|other| other as u32).collect();
                prop_assert_eq!(neighbours.of(one), near);
            }
            let pairs: Vec<[usize; 2]> = neighbours.pairs().collect();
            let wanted = |one: usize| (0..one).filter(move |&other| is_near(one, other)).map(move |other| [one, other]);
            prop_assert_eq!(pairs, (0..discs.len()).flat_map(wanted).collect::<Vec<_>>());
        }
    }

    /// Ten thousand in rows: nobody is asked about more than those around.
    #[test]
    fn many_are_asked_about_few() {
        let discs: Vec<(Vec2, f64)> =
            (0..10_000).map(|at| ([f64::from(at % 100) * 2.0, f64::from(at / 100) * 2.0], 1.01)).collect();
        let mut neighbours = Neighbours::default();
        neighbours.find(&discs);
        let asked =
            |&(place, _): &(Vec2, f64)| neighbours.grid.rows_around(place).map(<[u32]>::len).sum::<usize>();
        assert!(discs.iter().map(asked).max().unwrap() <= 16);
        assert_eq!(neighbours.of(5_050), [4_950, 5_049, 5_051, 5_150]);
    }

    /// A place that is no number is nobody's.
    #[test]
    fn nowhere_is_near_nobody() {
        let mut discs = vec![([0.0; 2], 1.0); 40];
        discs[7].0 = [f64::NAN; 2];
        discs[8].0 = [f64::INFINITY; 2];
        let mut neighbours = Neighbours::default();
        neighbours.find(&discs);
        assert_eq!((neighbours.of(7), neighbours.of(8)), (&[][..], &[][..]));
        assert_eq!(neighbours.of(0).len(), 37);
    }
}
