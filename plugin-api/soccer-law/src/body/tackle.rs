//! Tackles: how likely they are to fail, and what they do to the ball.

use super::{Kicker, held_angle, noise_vector, polar, rotated, share};
use crate::params::ServerParams;
use std::f64::consts::PI;
use touchline_plugin_api::noise::Noise;

/// What a client said of its tackle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TackleWith {
    /// A direction relative to the body (protocol 12 and later).
    Direction(f64),
    /// A power along the body, percent (before).
    Power(f64),
}

/// A tackle that may come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tackle {
    /// What was said.
    pub with: TackleWith,
    /// Probability with which it fails: [`tackle_failure`].
    pub failure: f64,
}

/// Probability with which a tackle fails for a ball at this place in the body's frame, metres; 1 and more: for sure. `None`: the ball is behind, and nobody
/// tackles backwards.
pub fn tackle_failure(server: &ServerParams, ball_in_body: [f64; 2], is_foul: bool) -> Option<f64> {
    let [ahead, aside] = ball_in_body;
    let reach = if ahead > 0.0 { server.tackle_dist } else { server.tackle_back_dist };
    if reach.abs() <= 1e-5 {
        return None;
    }
    let exponent = if is_foul { server.foul_exponent } else { server.tackle_exponent };
    let part = |distance: f64, reach: f64| libm::pow(distance.abs() / reach, exponent);
    Some(part(ahead, reach) + part(aside, server.tackle_width))
}

/// Acceleration that a tackle that came off gives to the ball, metres a cycle, noise included.
pub fn tackle_accel(
    server: &ServerParams,
    tackler: &Kicker<'_>,
    tackle: &Tackle,
    noise: &mut Noise,
) -> [f64; 2] {
    let [ahead, aside] = rotated(tackler.ball, -tackler.heading_rad);
    let aim = 1.0 - 0.5 * libm::atan2(aside, ahead).abs() / PI;
    let (power, direction_rad, power_rate) = match tackle.with {
        TackleWith::Direction(direction_rad) => {
            let angle_rad = held_angle(direction_rad, server.minmoment, server.maxmoment);
            let (most, back) = (server.max_tackle_power, server.max_back_tackle_power);
            (back + (most - back) * (1.0 - angle_rad.abs() / PI), angle_rad, 1.0)
        }
        TackleWith::Power(power) => {
            let power = power.max(-server.max_back_tackle_power).min(server.max_tackle_power);
            let rate = if power >= 0.0 {
                share(power, server.max_tackle_power)
            } else if server.max_back_tackle_power > 1e-10 {
                -power / server.max_back_tackle_power
            } else {
                1.0
            };
            (power, 0.0, rate)
        }
    };
    let effective = power * server.tackle_power_rate * aim;
    let place_rate = 0.5 + 0.5 * (1.0 - tackle.failure);
    let most = tackler.kick_rand
        * server.tackle_rand_factor
        * power_rate
        * (place_rate + tackler.speed_rate(server));
    let [x, y] = polar(effective, tackler.heading_rad + direction_rad);
    let [noise_x, noise_y] = noise_vector(most, noise);
    [x + noise_x, y + noise_y]
}
