//! How many commands a second are taken from one connection: more wait where they are, unread.

/// As many a second on average; a program that waits for each answer comes to 31,000 on a fast machine.
const PER_SECOND: u64 = 50_000;
/// So many at once.
const BURST: u64 = 100_000;
const PAUSE_US: u64 = 1_000_000 / PER_SECOND;

/// When all lines so far would have come at that pace: times of the server's clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    until_us: u64,
}

impl Pace {
    /// A line was taken.
    pub fn take(&mut self, now_us: u64) {
        self.until_us = self.until_us.max(now_us) + PAUSE_US;
    }

    /// When the next line may be taken, if not now.
    pub fn next_us(&self, now_us: u64) -> Option<u64> {
        let next_us = self.until_us.saturating_sub((BURST - 1) * PAUSE_US);
        (next_us > now_us).then_some(next_us)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_comes_to_its_pace() {
        let mut pace = Pace::default();
        let mut taken = |from_us: u64, to_us: u64| {
            let mut count = 0;
            for now_us in (from_us..to_us).step_by(1000) {
                while pace.next_us(now_us).is_none() {
                    pace.take(now_us);
                    count += 1;
                }
            }
            count
        };
        assert_eq!(taken(1_000_000, 1_001_000), BURST);
        assert_eq!(taken(1_001_000, 3_001_000), 2 * PER_SECOND);
        assert_eq!(taken(60_000_000, 60_001_000), BURST, "a pause gives the burst back, and no more");
        let mut steady = Pace::default();
        for now_us in (0..10_000_000).step_by(PAUSE_US as usize) {
            assert_eq!(steady.next_us(now_us), None);
            steady.take(now_us);
        }
    }
}
