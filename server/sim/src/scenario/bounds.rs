//! How far, high and fast anything may be put: world files and their schemas, episodes, commands and orders read it here.

/// Places are at most this far from the origin along x and y, metres.
pub const MAX_COORDINATE_M: f64 = 1000.0;
/// A ball's lowest point is at most this high, metres.
pub const MAX_HEIGHT_M: f64 = 100.0;
/// Along each axis a ball or robot starts, is placed and is driven at most this fast, m/s: what is above is no motion but a mistake of its
/// author.
pub const MAX_SPEED_M_S: f64 = 50.0;
/// A robot turns at most this fast, rad/s.
pub const MAX_TURN_RAD_S: f64 = 100.0;
