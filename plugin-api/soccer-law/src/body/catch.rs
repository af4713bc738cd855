//! Catches: where a goalkeeper reaches, how likely, and what becomes of the ball.

use super::{held_angle, length, polar, rotated};
use crate::params::ServerParams;
use crate::player_type::PlayerType;

/// The area in which a goalkeeper catches: a rectangle from its centre along the direction of the catch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CatchArea {
    /// Direction of the catch, world frame, radians.
    pub direction_rad: f64,
    /// Length up to which it catches as well as it can, metres.
    sure_m: f64,
    /// Length at which it catches nothing any more, metres.
    most_m: f64,
    width_m: f64,
    probability: f64,
}

impl CatchArea {
    /// Of a keeper that catches in a direction relative to its body; its type's stretch makes the area longer, and less sure.
    pub fn new(
        server: &ServerParams,
        player_type: &PlayerType,
        heading_rad: f64,
        direction_rad: f64,
    ) -> Self {
        // The server holds it twice: to the range of catches, then to that of moments.
        let direction_rad = held_angle(direction_rad, server.min_catch_angle, server.max_catch_angle);
        let direction_rad = held_angle(direction_rad, server.minmoment, server.maxmoment);
        let stretch_m = server.catchable_area_l * (player_type.catchable_area_l_stretch - 1.0);
        Self {
            direction_rad: heading_rad + direction_rad,
            sure_m: server.catchable_area_l - stretch_m,
            most_m: server.catchable_area_l + stretch_m,
            width_m: server.catchable_area_w,
            probability: server.catch_probability,
        }
    }

    /// Probability that a ball at this place relative to the keeper, world frame, metres, is caught; `None` out of reach.
    pub fn probability(&self, ball: [f64; 2]) -> Option<f64> {
        let [ahead_m, aside_m] = rotated(ball, -self.direction_rad);
        let is_within =
            |length_m: f64| (0.0..=length_m).contains(&ahead_m) && aside_m.abs() <= self.width_m / 2.0;
        if !is_within(self.most_m) {
            return None;
        }
        if is_within(self.sure_m) {
            return Some(self.probability);
        }
        let beyond = (ahead_m - self.sure_m) / (self.most_m - self.sure_m);
        Some((self.probability - self.probability * beyond).clamp(0.0, 1.0))
    }
}

/// Where a keeper is that has caught a ball at this place relative to it, and its heading: it goes to touch the ball, and faces it.
///
/// One that stood nearer than touching goes back, and faces away, as in the server.
pub fn caught_place(
    server: &ServerParams,
    player_type: &PlayerType,
    keeper: [f64; 2],
    ball: [f64; 2],
) -> ([f64; 2], f64) {
    let distance_m = length(ball);
    let way_m = distance_m - (server.ball_size + player_type.player_size);
    let scale = way_m / distance_m.max(1e-10);
    let way = ball.map(|part| part * scale);
    ([keeper[0] + way[0], keeper[1] + way[1]], libm::atan2(way[1], way[0]))
}

/// Acceleration of a ball that was reached and not held: its velocity is mirrored along the direction of the catch.
pub fn punched(area: &CatchArea, ball_velocity: [f64; 2]) -> [f64; 2] {
    let ahead = polar(1.0, area.direction_rad);
    let along = ahead[0] * ball_velocity[0] + ahead[1] * ball_velocity[1];
    ahead.map(|part| -2.0 * along * part)
}
