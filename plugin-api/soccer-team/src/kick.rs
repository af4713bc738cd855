//! Kicks: what one can do to the ball, and what two can.

use crate::scene::Scene;
use crate::vector::{Vector, add, direction, dot, length, scale, sub, unit};
use std::f64::consts::PI;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::body::{self, polar};
use touchline_soccer_law::face::BodyCommand;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

/// A kick that gives the ball a velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kick {
    /// Power, percent.
    pub power: f64,
    /// Direction relative to the body, radians.
    pub direction_rad: f64,
}

impl Kick {
    /// The command.
    pub fn command(self) -> BodyCommand {
        BodyCommand::Kick { power: self.power, direction_rad: self.direction_rad }
    }
}

/// How far from a player's centre the ball's can be kicked, metres.
pub fn kickable_distance(server: &ServerParams, kind: &PlayerType) -> f64 {
    body::kickable_distance(server, kind)
}

/// Whether the ball can be kicked.
pub fn is_kickable(scene: &Scene<'_>) -> bool {
    length(sub(scene.ball.place, scene.me.place)) <= kickable_distance(scene.server, scene.kind)
}

/// Acceleration of the ball for each unit of power, where it is: less behind the body, and less far from it.
fn power_rate(scene: &Scene<'_>) -> f64 {
    let offset = sub(scene.ball.place, scene.me.place);
    let off = wrap_angle(direction(offset) - scene.me.heading_rad).abs() / PI;
    let gap = (length(offset) - scene.kind.player_size - scene.server.ball_size) / scene.kind.kickable_margin;
    scene.kind.kick_power_rate * (1.0 - 0.25 * off - 0.25 * gap)
}

/// The largest acceleration that one kick gives, metres a cycle.
fn most_accel(scene: &Scene<'_>) -> f64 {
    (scene.server.maxpower * power_rate(scene)).min(scene.server.ball_accel_max)
}

/// The highest speed along a direction that one kick can give, whatever the ball does now, metres a cycle: the larger s with |s u - v| = the largest acceleration. `None`: the
/// ball cannot be brought into that direction at once.
pub fn top_speed(scene: &Scene<'_>, towards: [f64; 2]) -> Option<f64> {
    let (ahead, most) = (unit(towards), most_accel(scene));
    let along = dot(ahead, scene.ball.velocity);
    let aside = dot(scene.ball.velocity, scene.ball.velocity) - along * along;
    let square = most * most - aside;
    (square >= 0.0).then(|| (along + libm::sqrt(square)).min(scene.server.ball_speed_max))
}

/// The kick that gives the ball this velocity, metres a cycle; `None` if one is not enough.
pub fn kick_for(scene: &Scene<'_>, velocity: [f64; 2]) -> Option<Kick> {
    let accel = sub(velocity, scene.ball.velocity);
    let size = length(accel);
    // A hair of room for rounding.
    (size <= most_accel(scene) + 1e-9).then(|| Kick {
        power: (size / power_rate(scene)).min(scene.server.maxpower),
        direction_rad: wrap_angle(direction(accel) - scene.me.heading_rad),
    })
}

/// The first of two kicks: it brings the ball before the body, where the second one has its full effect. `None` if the ball does not get there in one cycle.
pub fn prepare_kick(scene: &Scene<'_>) -> Option<Kick> {
    let ahead_m = scene.kind.player_size + scene.server.ball_size + 0.35 * scene.kind.kickable_margin;
    let next = add(scene.me.place, scene.me.velocity);
    let wanted = add(next, polar(ahead_m, scene.me.heading_rad));
    kick_for(scene, sub(wanted, scene.ball.place))
}

/// Speed of the second of two kicks at most, metres a cycle.
pub fn prepared_speed(scene: &Scene<'_>) -> f64 {
    let rate = scene.kind.kick_power_rate * (1.0 - 0.25 * 0.35);
    (scene.server.maxpower * rate).min(scene.server.ball_accel_max).min(scene.server.ball_speed_max)
}

/// Keeps the ball beside the moving body for a cycle.
pub fn hold(scene: &Scene<'_>) -> Option<Kick> {
    let offset = sub(scene.ball.place, scene.me.place);
    let near_m = scene.kind.player_size + scene.server.ball_size + 0.5 * scene.kind.kickable_margin;
    let next: Vector = add(add(scene.me.place, scene.me.velocity), scale(unit(offset), near_m));
    kick_for(scene, sub(next, scene.ball.place))
}
