//! What the features are made of: an agent, the ball and the others, in the Soccer Server's own frame and units.
//!
//! The benchmark's numbers are that server's: y grows to the right of who looks towards x > 0, angles are clockwise, velocities are metres a cycle.

use crate::vector::{Vector, distance, sub};
use std::f64::consts::PI;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M};

/// The agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Own {
    /// Place, metres.
    pub place: Vector,
    /// Metres a cycle.
    pub velocity: Vector,
    /// Heading of its body, radians.
    pub heading_rad: f64,
    /// 0 to 8000 by default.
    pub stamina: f64,
    /// Whether it lies after a tackle or a foul.
    pub is_frozen: bool,
    /// Whether it has just run into ball, player, post.
    pub collides: [bool; 3],
    /// Whether it can kick the ball.
    pub can_kick: bool,
    /// Whether its last command can have come to something.
    pub had_success: bool,
    /// Whether its team attacks the goal at x > 0.
    pub is_offense: bool,
}

/// Another player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Other {
    /// Uniform number; infinite for a player without one.
    pub unum: f64,
    /// Place, metres.
    pub place: Vector,
    /// Metres a cycle.
    pub velocity: Vector,
    /// Heading of its body, radians.
    pub heading_rad: f64,
}

/// All of it. Mates and opponents are sorted by their distance from the agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The agent.
    pub own: Own,
    /// The ball's place and velocity.
    pub ball: (Vector, Vector),
    /// Of the agent's team, without itself.
    pub mates: Vec<Other>,
    /// Of the other team.
    pub opponents: Vec<Other>,
}

impl Observed {
    /// Sorts the others by their distance from the agent.
    pub fn new(own: Own, ball: (Vector, Vector), mates: Vec<Other>, opponents: Vec<Other>) -> Self {
        let sorted = |mut others: Vec<Other>| {
            let away = |other: &Other| distance(other.place, own.place);
            others.sort_by(|a, b| away(a).total_cmp(&away(b)));
            others
        };
        Self { own, ball, mates: sorted(mates), opponents: sorted(opponents) }
    }
}

/// The largest distance in the half field, metres.
pub(crate) fn longest_m() -> f64 {
    libm::hypot(HALF_LENGTH_M, 2.0 * HALF_WIDTH_M)
}

/// From -1 at the range's low end to 1 at its high end, held there.
pub(crate) fn norm(value: f64, low: f64, high: f64) -> f64 {
    2.0 * (value.clamp(low, high) - low) / (high - low) - 1.0
}

/// 1 nearby, -1 as far as it can be.
pub(crate) fn proximity(distance_m: f64, most_m: f64) -> f64 {
    1.0 - 2.0 * (distance_m / most_m).clamp(0.0, 1.0)
}

/// -1 or 1.
pub(crate) fn flag(is_so: bool) -> f64 {
    if is_so { 1.0 } else { -1.0 }
}

/// Sine and cosine.
pub(crate) fn angle(angle_rad: f64) -> [f64; 2] {
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(angle_rad);
    [sin, cos]
}

/// An angle from -pi to pi as a number from -1 to 1.
pub(crate) fn norm_angle(angle_rad: f64) -> f64 {
    norm(wrap_angle(angle_rad), -PI, PI)
}

/// Direction and proximity of a place, seen from the agent.
pub(crate) fn landmark(own: &Own, place: Vector) -> [f64; 3] {
    let way = sub(place, own.place);
    let [sin, cos] = angle(libm::atan2(way[1], way[0]) - own.heading_rad);
    [sin, cos, proximity(libm::hypot(way[0], way[1]), longest_m())]
}
