//! Whose turn it is: the world waits for a party until that has ordered steps, and the party for the world until they are made.

use std::sync::atomic::{AtomicU64, Ordering};

/// For each party a number that changes with its turns; it is odd while the party waits for the world.
#[derive(Debug)]
pub struct Turns(Vec<AtomicU64>);

impl Turns {
    pub(crate) fn new(parties: usize) -> Self {
        Self((0..parties.max(1)).map(|_| AtomicU64::new(0)).collect())
    }

    /// How many parties there are, at least one.
    pub fn parties(&self) -> usize {
        self.0.len()
    }

    /// How often a party's turn has changed, and whether it has ordered steps that are not made.
    pub fn of(&self, party: usize) -> (u64, bool) {
        let turn = self.0.get(party).map_or(0, |turn| turn.load(Ordering::Relaxed));
        (turn, turn % 2 == 1)
    }

    /// A party has ordered steps.
    pub fn ordered(&self, party: usize) {
        self.turn_to(party, 1);
    }

    /// A party's steps are made.
    pub fn done(&self, party: usize) {
        self.turn_to(party, 0);
    }

    /// The next number that is odd, or even.
    fn turn_to(&self, party: usize, parity: u64) {
        if let Some(turn) = self.0.get(party) {
            let now = turn.load(Ordering::Relaxed);
            turn.store(now + 1 + u64::from(now % 2 == parity), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B1: each order and each end of one is a change; two orders one after the other are still one wait.
    #[test]
    fn a_turn_is_the_worlds_or_the_partys() {
        let turns = Turns::new(2);
        assert_eq!(turns.of(1), (0, false));
        turns.ordered(1);
        turns.ordered(1);
        assert_eq!(turns.of(1), (3, true));
        turns.done(1);
        turns.done(1);
        assert_eq!((turns.of(1), turns.of(0)), ((6, false), (0, false)));
    }
}
