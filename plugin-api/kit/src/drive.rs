//! Speeds that cannot jump: what the motion models have in common. [M1, M2]
//!
//! A model keeps the speed that it believes in. [`approach`] takes it towards a wish with limited acceleration, and
//! [`after_blocking`] brings it back to what the physics allowed, so that a blocked robot does not store up speed.

/// A speed after one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Approach {
    /// The speed at the end of the cycle.
    pub end: f64,
    /// The mean speed over the cycle: times `dt` it is the exact distance.
    pub mean: f64,
}

/// Takes a speed towards `target`, gaining at most `acceleration` and losing at most `braking` per second.
///
/// Through zero it brakes first and accelerates then. Two half cycles end as one whole cycle does. Units are the
/// caller's: m/s with m/s^2, or rad/s with rad/s^2. Both limits and `dt_secs` are above zero.
#[inline]
pub fn approach(speed: f64, target: f64, acceleration: f64, braking: f64, dt_secs: f64) -> Approach {
    if speed == target {
        return Approach { end: target, mean: target };
    }
    // The part that brings the speed nearer to zero, then the part that takes it away from zero.
    let turning_point =
        if speed * target <= 0.0 { 0.0 } else { speed.signum() * speed.abs().min(target.abs()) };
    let (mut end, mut distance, mut left_secs) = (speed, 0.0, dt_secs);
    for (goal, rate) in [(turning_point, braking), (target, acceleration)] {
        let change = goal - end;
        if change == 0.0 {
            continue;
        }
        let reach = rate * left_secs;
        if change.abs() > reach {
            let next = end + reach.copysign(change);
            distance += 0.5 * (end + next) * left_secs;
            return Approach { end: next, mean: distance / dt_secs };
        }
        let used_secs = change.abs() / rate;
        distance += 0.5 * (end + goal) * used_secs;
        end = goal;
        left_secs -= used_secs;
    }
    Approach { end, mean: (distance + end * left_secs) / dt_secs }
}

/// Corrects the speed that a model believes in by the one that the robot has: it loses what the physics took.
///
/// The result lies between zero and `speed`: a push from behind does not make a model faster, and one from the
/// front stops it. `speed` is what the model wanted to have at the end of the last step, and `now` what
/// [`MotionInput::twist`](touchline_plugin_api::motion::MotionInput::twist) says of it; for who is not hindered they are the same number.
#[inline]
pub fn after_blocking(speed: f64, now: f64) -> f64 {
    now.clamp(speed.min(0.0), speed.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// M1: from rest, half the acceleration times the square of the time.
    #[test]
    fn the_distance_from_rest_is_the_closed_form() {
        let step = approach(0.0, 2.0, 0.5, 0.5, 1.0);
        assert_eq!(step, Approach { end: 0.5, mean: 0.25 });
        // 0.4 s of acceleration to 0.2 m/s, then 0.6 s at that speed.
        let step = approach(0.0, 0.2, 0.5, 0.5, 1.0);
        assert!((step.mean - (0.5 * 0.2 * 0.4 + 0.2 * 0.6)).abs() < 1e-12);
    }

    #[test]
    fn through_zero_it_brakes_and_then_accelerates() {
        // 1 m/s is lost in 0.5 s, and 0.5 m/s gained backwards in the other half.
        let step = approach(1.0, -3.0, 1.0, 2.0, 1.0);
        assert!((step.end + 0.5).abs() < 1e-12);
        assert!((step.mean - (0.25 - 0.125)).abs() < 1e-12);
    }

    #[test]
    fn a_blocked_model_has_no_speed_and_a_pushed_one_no_more_than_it_had() {
        assert_eq!(after_blocking(1.0, 1.0), 1.0);
        assert_eq!(after_blocking(1.0, 0.5), 0.5);
        assert_eq!(after_blocking(1.0, -3.0), 0.0);
        assert_eq!(after_blocking(1.0, 3.0), 1.0);
        assert_eq!(after_blocking(-1.0, -0.1), -0.1);
        assert_eq!(after_blocking(-1.0, 0.5), 0.0);
    }

    proptest! {
        /// M1: the length of the cycle changes neither the speed nor the distance.
        #[test]
        fn two_half_cycles_are_one(
            speed in -2.0..2.0f64, target in -2.0..2.0f64, gain in 0.1..5.0f64, loss in 0.1..5.0f64, dt in 0.01..1.0f64
        ) {
            let whole = approach(speed, target, gain, loss, dt);
            let first = approach(speed, target, gain, loss, dt / 2.0);
            let second = approach(first.end, target, gain, loss, dt / 2.0);
            prop_assert!((whole.end - second.end).abs() < 1e-9);
            prop_assert!((whole.mean - (first.mean + second.mean) / 2.0).abs() < 1e-9);
        }

        /// M1: it never goes past its target, and never changes faster than the greater limit.
        #[test]
        fn it_stays_between_speed_and_target(
            speed in -2.0..2.0f64, target in -2.0..2.0f64, gain in 0.1..5.0f64, loss in 0.1..5.0f64, dt in 0.01..1.0f64
        ) {
            let end = approach(speed, target, gain, loss, dt).end;
            prop_assert!(end >= speed.min(target) - 1e-12 && end <= speed.max(target) + 1e-12);
            prop_assert!((end - speed).abs() <= gain.max(loss) * dt + 1e-12);
        }
    }
}
