//! Which steps are shown: how many Frames a second there are at most, and with them readings that are pushed. Arithmetic on instants that are handed
//! in, so that tests need no clock. (C4)

use std::time::Duration;
use touchline_gate::Speed;

/// At full speed a Frame for every step would cost more than the step.
const PERIOD_AT_FULL_SPEED: Duration = Duration::from_millis(4);
/// And nobody looks at more than a thousand in a second.
const PERIOD_ABOVE_REAL_TIME: Duration = Duration::from_millis(1);

/// Whether a step that was made at `now` is shown, if the last Frame is from `last`; steps that are `ordered` may be followed one by one.
pub(super) fn shows(last: Duration, now: Duration, speed: Speed, ordered: bool, is_followed: bool) -> bool {
    now.saturating_sub(last) >= period(speed, ordered, is_followed)
}

/// The least time between two Frames on the clock on the wall.
fn period(speed: Speed, ordered: bool, is_followed: bool) -> Duration {
    match speed {
        // Whoever orders steps says how many he can take.
        _ if ordered && is_followed => Duration::ZERO,
        _ if ordered => PERIOD_AT_FULL_SPEED,
        Speed::Max => PERIOD_AT_FULL_SPEED,
        Speed::Factor(factor) if factor.abs() > 1.0 => PERIOD_ABOVE_REAL_TIME,
        Speed::Factor(_) | Speed::Lockstep => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the steps of a second are shown, if there is one each 50 us.
    fn shown_in_a_second(speed: Speed, ordered: bool, is_followed: bool) -> usize {
        let mut last = Duration::ZERO;
        let steps = (1..=20_000).map(|step| Duration::from_micros(50 * step));
        let shown = steps.filter(|&now| {
            let shows = shows(last, now, speed, ordered, is_followed);
            last = if shows { now } else { last };
            shows
        });
        shown.count()
    }

    /// C4: however fast the world is and however short the period of a `PUSH`, at most 250 a second come at full speed, at most 1000 at a
    /// multiple of real time; in real time and below, and of steps that are ordered, each is shown to who follows it.
    #[test]
    fn as_many_steps_are_shown_as_the_protocol_says() {
        assert_eq!(shown_in_a_second(Speed::Max, false, true), 250);
        assert_eq!(shown_in_a_second(Speed::Max, false, false), 250);
        assert_eq!(shown_in_a_second(Speed::Factor(20.0), false, true), 1000);
        assert_eq!(shown_in_a_second(Speed::Factor(-2.0), false, true), 1000);
        assert_eq!(shown_in_a_second(Speed::Factor(1.0), false, true), 20_000);
        assert_eq!(shown_in_a_second(Speed::Factor(0.1), false, true), 20_000);
        for speed in [Speed::Lockstep, Speed::Max, Speed::Factor(1.0)] {
            assert_eq!(shown_in_a_second(speed, true, true), 20_000);
            assert_eq!(shown_in_a_second(speed, true, false), 250);
        }
    }

    /// C4: a step that comes later than the period is shown, and the next period begins with it.
    #[test]
    fn a_late_step_begins_the_period_anew() {
        let ms = Duration::from_millis;
        assert!(!shows(ms(10), ms(13), Speed::Max, false, true));
        assert!(shows(ms(10), ms(19), Speed::Max, false, true));
        assert!(!shows(ms(19), ms(22), Speed::Max, false, true));
    }
}
