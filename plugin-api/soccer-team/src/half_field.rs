//! Half field offense: its high-level actions, and what its agents observe.
//!
//! # Reference
//! M. Hausknecht, P. Mupparaju, S. Subramanian, S. Kalyanakrishnan, P. Stone: Half Field Offense: An Environment for Multiagent Learning and Ad Hoc Teamwork, AAMAS Adaptive
//! Learning Agents workshop 2016, and the environment's manual: names, order and ranges of the features, names of the actions. How an action is carried out is our team's.

mod act;
mod high_level;
mod low_level;
mod observed;
mod open_angle;

pub use act::act;
pub use high_level::{HIGH_LEVEL, HighLevelFeatures, high_level};
pub use low_level::{LOW_LEVEL, OF_PLAYER, low_level};
pub use observed::{Observed, Other, Own};

/// Value of a feature that is not there, of the high-level ones.
pub const INVALID: f64 = -2.0;
