//! Clock synchronisation by exchanged time stamps. (C3)
//!
//! In each round the client sends its time `t0`, the server says when that came (`t1`) and when its answer left
//! (`t2`), and the client notes when it came (`t3`). Half the difference of the two ways is the error, so the round
//! with the smallest delay is the best and the only one used.
//!
//! # Units
//! Microseconds of each side's own monotonic clock.
//!
//! # Reference
//! D. L. Mills, RFC 5905 (NTPv4), section 8, equations for offset and delay; the sign is the other way round here,
//! since the server adds the offset to its own stamps.

/// Clock offset and delay, as one round measured them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockEstimate {
    /// The client's clock minus the server's.
    pub offset_us: i64,
    /// The time on the wire, both ways together; the offset's error is at most half of it.
    pub delay_us: i64,
}

/// Collects rounds and keeps the best.
#[derive(Clone, Debug, Default)]
pub struct ClockSync {
    best: Option<ClockEstimate>,
    rounds: u32,
}

impl ClockSync {
    /// How many rounds a client makes unless told otherwise.
    pub const DEFAULT_ROUNDS: u32 = 8;

    /// Adds a round; one whose stamps run backwards is not used.
    pub fn add(&mut self, t0_us: i64, t1_us: i64, t2_us: i64, t3_us: i64) {
        self.rounds += 1;
        let wide = |a: i64, b: i64| i128::from(a) - i128::from(b);
        let delay = wide(t3_us, t0_us) - wide(t2_us, t1_us);
        let offset = (wide(t0_us, t1_us) + wide(t3_us, t2_us)).div_euclid(2);
        let (Ok(delay_us), Ok(offset_us)) = (i64::try_from(delay), i64::try_from(offset)) else { return };
        let backwards = t3_us < t0_us || t2_us < t1_us || delay_us < 0;
        if !backwards && self.best.is_none_or(|best| delay_us < best.delay_us) {
            self.best = Some(ClockEstimate { offset_us, delay_us });
        }
    }

    /// How many rounds were added.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The round with the smallest delay.
    pub fn best(&self) -> Option<ClockEstimate> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One round at client time `t0`, with these delays there and back, and `work` in the server.
    fn round(sync: &mut ClockSync, t0: i64, offset: i64, there: i64, work: i64, back: i64) {
        let t1 = t0 - offset + there;
        let t2 = t1 + work;
        sync.add(t0, t1, t2, t2 + back + offset);
    }

    #[test]
    fn equal_ways_give_the_offset_exactly() {
        let mut sync = ClockSync::default();
        round(&mut sync, 1_000_000, 123_456, 40, 7, 40);
        assert_eq!(sync.best(), Some(ClockEstimate { offset_us: 123_456, delay_us: 80 }));
    }

    #[test]
    fn stamps_that_run_backwards_are_not_used() {
        let mut sync = ClockSync::default();
        sync.add(100, 50, 40, 200);
        sync.add(100, 50, 60, 90);
        sync.add(i64::MIN, i64::MAX, i64::MAX, i64::MAX);
        assert_eq!((sync.best(), sync.rounds()), (None, 3));
    }

    proptest! {
        /// C3: jitter of any kind is filtered; what is left is at most half the smallest delay.
        #[test]
        fn the_error_is_at_most_half_the_smallest_delay(
            offset in -10_000_000_000i64..10_000_000_000,
            rounds in prop::collection::vec((0i64..50_000, 0i64..1000, 0i64..50_000), 1..12),
        ) {
            let mut sync = ClockSync::default();
            for (i, &(there, work, back)) in rounds.iter().enumerate() {
                round(&mut sync, 1_000_000 * i as i64, offset, there, work, back);
            }
            let best = sync.best().unwrap();
            let smallest = rounds.iter().map(|r| r.0 + r.2).min().unwrap();
            prop_assert_eq!(best.delay_us, smallest);
            prop_assert!((best.offset_us - offset).abs() <= smallest / 2 + 1);
        }

        #[test]
        fn no_stamps_panic(t in any::<[i64; 4]>()) {
            ClockSync::default().add(t[0], t[1], t[2], t[3]);
        }
    }
}
