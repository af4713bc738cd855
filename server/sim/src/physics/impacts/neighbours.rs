//! Which discs come near each other: few are asked one by one, many by a grid of square cells.

use super::super::shape::{Vec2, dot, sub};
use touchline_plugin_api::grid::Cells;

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
    cells: Cells,
}

impl Neighbours {
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.ends.clear();
    }

    /// Finds out who is near: discs of these middles and reaches that touch or overlap.
    pub fn find(&mut self, discs: &[(Vec2, f64)]) {
        self.pairs.clear();
        let is_near = |one: usize, other: usize| {
            let ((place, reach_m), (second, second_reach_m)) = (discs[one], discs[other]);
            let apart = sub(place, second);
            dot(apart, apart) <= (reach_m + second_reach_m) * (reach_m + second_reach_m)
        };
        if discs.len() <= FEW || !self.cells.lay(discs.iter().copied(), 0) {
            for one in 0..discs.len() {
                let near = (0..one).filter(|&other| is_near(one, other));
                self.pairs.extend(near.map(|other| [one as u32, other as u32]));
            }
        } else {
            for (one, &(place, reach_m)) in discs.iter().enumerate() {
                let begin = self.pairs.len();
                for row in self.cells.grid().near(place, reach_m).into_iter().flat_map(|(_, rows)| rows) {
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
