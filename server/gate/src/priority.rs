//! How the system treats the loop's thread among all that wants to run.

use std::fmt;

/// What was asked for and got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// The priority that the system gives every program.
    #[default]
    Normal,
    /// Before others (nice).
    Raised,
    /// Before all that is not of the real-time class (SCHED_RR).
    RealTime,
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Raised => "raised",
            Self::RealTime => "realtime",
        })
    }
}
