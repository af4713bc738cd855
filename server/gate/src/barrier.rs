//! Whose turn it is: the world waits for a participant until that has ordered steps, and the participant for the world until they are made.

use std::sync::atomic::{AtomicU64, Ordering};

/// For each participant a number that changes with its barrier; it is odd while the participant waits for the world.
#[derive(Debug)]
pub struct LockstepBarrier(Vec<AtomicU64>);

impl LockstepBarrier {
    pub(crate) fn new(participants: usize) -> Self {
        Self((0..participants.max(1)).map(|_| AtomicU64::new(0)).collect())
    }

    /// How many participants there are, at least one.
    pub fn participants(&self) -> usize {
        self.0.len()
    }

    /// How often a participant's turn has changed, and whether it has ordered steps that are not made.
    pub fn turn_of(&self, participant: usize) -> (u64, bool) {
        let turn = self.0.get(participant).map_or(0, |turn| turn.load(Ordering::Relaxed));
        (turn, turn % 2 == 1)
    }

    /// A participant has ordered steps.
    pub fn ordered(&self, participant: usize) {
        self.turn_to(participant, 1);
    }

    /// A participant's steps are made.
    pub fn done(&self, participant: usize) {
        self.turn_to(participant, 0);
    }

    /// The next number that is odd, or even.
    fn turn_to(&self, participant: usize, parity: u64) {
        if let Some(turn) = self.0.get(participant) {
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
        let barrier = LockstepBarrier::new(2);
        assert_eq!(barrier.turn_of(1), (0, false));
        barrier.ordered(1);
        barrier.ordered(1);
        assert_eq!(barrier.turn_of(1), (3, true));
        barrier.done(1);
        barrier.done(1);
        assert_eq!((barrier.turn_of(1), barrier.turn_of(0)), ((6, false), (0, false)));
    }
}
