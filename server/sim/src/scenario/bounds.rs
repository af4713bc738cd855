//! How far, high, fast, thin and light anything may be: world files and their schemas, episodes, commands and orders read it here.

/// Places are at most this far from the origin along x and y, metres.
pub const MAX_COORDINATE_M: f64 = 1000.0;
/// A ball's lowest point is at most this high, metres.
pub const MAX_HEIGHT_M: f64 = 100.0;
pub use touchline_plugin_api::motion::{MAX_SPEED_M_S, MAX_TURN_RAD_S};

/// No shape is thinner, metres: the library counts in single precision, in which what is far thinner is nothing.
pub const MIN_THICKNESS_M: f64 = 0.0001;
/// No robot is lighter, kilograms.
pub const MIN_MASS_KG: f64 = 0.001;
/// A step takes at least and at most so long, seconds.
pub const STEP_SECS: std::ops::RangeInclusive<f64> = 0.0005..=0.1;
