//! Requests to the loop itself: how fast simulated time goes. (W6)

use crate::RequestError;
use crate::role::Verb;
use std::fmt;

/// How fast simulated time goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Simulated seconds in one second; a recording runs backwards below zero.
    Factor(f64),
    /// As fast as the machine allows.
    Max,
    /// A step only when told.
    Lockstep,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Factor(factor) => write!(f, "{factor}"),
            Self::Max => f.write_str("max"),
            Self::Lockstep => f.write_str("lockstep"),
        }
    }
}

/// A request to the loop itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Stops simulated time.
    Pause,
    /// Lets simulated time go on.
    Resume,
    /// Makes this many steps at once, and then stands still.
    Step(u32),
    /// Sets the ratio of simulated to real time.
    Speed(Speed),
}

impl Control {
    /// The speed factors that can be asked for.
    pub const SPEED_FACTORS: std::ops::RangeInclusive<f64> = 0.001..=1000.0;
    /// The most steps that can be asked for at once: what a client cannot wait for, nobody needs.
    pub const MAX_STEPS: u32 = 1_000_000;

    pub(crate) fn verb(self) -> Verb {
        match self {
            Self::Pause | Self::Resume => Verb::Pause,
            Self::Step(_) => Verb::Step,
            Self::Speed(_) => Verb::Speed,
        }
    }

    pub(crate) fn check(self, is_replay: bool) -> Result<(), RequestError> {
        match self {
            Self::Speed(Speed::Factor(factor)) if factor < 0.0 && !is_replay => {
                Err(RequestError::OutOfRange(
                    "only a recording runs backwards; to go back in a live world, SEEK".into(),
                ))
            }
            Self::Speed(Speed::Factor(factor)) if !Self::SPEED_FACTORS.contains(&factor.abs()) => {
                Err(RequestError::OutOfRange("a speed factor is from 0.001 to 1000".into()))
            }
            Self::Step(steps) if steps > Self::MAX_STEPS => {
                Err(RequestError::OutOfRange(format!("at most {} steps at a time", Self::MAX_STEPS)))
            }
            Self::Pause | Self::Resume | Self::Step(_) | Self::Speed(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what is over can be gone through backwards.
    #[test]
    fn only_a_recording_runs_backwards() {
        let backwards = Control::Speed(Speed::Factor(-2.0));
        assert!(backwards.check(false).is_err());
        assert!(backwards.check(true).is_ok());
        assert!(Control::Speed(Speed::Factor(-1e9)).check(true).is_err());
    }

    /// W6: what an operator may ask for is bounded, whichever way he asks.
    #[test]
    fn speeds_and_steps_out_of_range_are_refused() {
        for factor in [0.0, -1.0, 1e-300, 1e308, f64::NAN, f64::INFINITY] {
            assert!(Control::Speed(Speed::Factor(factor)).check(false).is_err(), "{factor}");
        }
        assert!(Control::Speed(Speed::Factor(0.5)).check(false).is_ok());
        assert!(Control::Step(u32::MAX).check(false).is_err());
        assert!(Control::Step(1000).check(false).is_ok());
    }
}
