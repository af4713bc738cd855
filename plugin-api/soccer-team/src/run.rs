//! Running: turns and dashes towards a place, and what stamina allows.

use crate::scene::Scene;
use crate::series::{final_speed, until_rest};
use crate::vector::{add, direction, length, scale, sub};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::face::{BodyCommand, Leg};

/// Nearer than this it dashes aside or backwards and does not turn, metres.
const NEAR_M: f64 = 2.0;
/// Stamina is kept this much above where recovery would suffer for good, a part of stamina_max.
const RESERVE: f64 = 0.03;

/// How much it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Haste {
    /// For the ball: all that recovery allows.
    Full,
    /// To where it is wanted soon.
    Brisk,
    /// To its place in the formation: no more than comes back.
    Easy,
}

/// The power of a dash, percent.
pub fn power(scene: &Scene<'_>, haste: Haste) -> f64 {
    let server = scene.server;
    let spare = scene.stamina - (server.recover_dec_thr + RESERVE) * server.stamina_max;
    let comes_back = scene.kind.stamina_inc_max;
    let part = scene.stamina / server.stamina_max;
    let wanted = match haste {
        Haste::Full => server.maxpower,
        Haste::Brisk if part > 0.55 => server.maxpower,
        Haste::Brisk => comes_back * 1.4,
        Haste::Easy if part > 0.8 => server.maxpower * 0.7,
        Haste::Easy => comes_back * 0.8,
    };
    wanted.min((spare + comes_back).max(0.0)).min(server.maxpower)
}

/// Towards a place; there, it faces the ball. `within_m` is near enough.
pub fn run_to(scene: &Scene<'_>, place: [f64; 2], within_m: f64, haste: Haste) -> BodyCommand {
    // Where it comes to rest by itself.
    let drift = add(scene.me.place, scale(scene.me.velocity, until_rest(scene.kind.player_decay)));
    let way = sub(place, drift);
    let distance_m = length(way);
    if distance_m <= within_m {
        return face(scene, scene.ball.place);
    }
    let error_rad = wrap_angle(direction(way) - scene.me.heading_rad);
    let allowed_rad = libm::atan2(within_m.max(0.3), distance_m).max(0.2);
    let direction_rad = if distance_m < NEAR_M { error_rad } else { 0.0 };
    if error_rad.abs() > allowed_rad && distance_m >= NEAR_M {
        return turn_by(scene, error_rad);
    }
    // No more than the way: a dash of power p comes to p * rate / (1 - decay) in the end.
    let rate = final_speed(scene.kind.dash_power_rate * scene.kind.effort_max, scene.kind.player_decay);
    let power = power(scene, haste).min(distance_m / rate);
    let leg = Leg { power, direction_rad };
    BodyCommand::Dash { left: leg, right: leg }
}

/// Turns the body by an angle: the moment that its speed leaves so much of.
pub fn turn_by(scene: &Scene<'_>, angle_rad: f64) -> BodyCommand {
    let moment_rad = angle_rad * (1.0 + scene.kind.inertia_moment * length(scene.me.velocity));
    BodyCommand::Turn { moment_rad }
}

/// Turns to a place, if that is worth a command.
pub fn face(scene: &Scene<'_>, place: [f64; 2]) -> BodyCommand {
    let error_rad = wrap_angle(direction(sub(place, scene.me.place)) - scene.me.heading_rad);
    if error_rad.abs() < 0.15 { BodyCommand::None } else { turn_by(scene, error_rad) }
}
