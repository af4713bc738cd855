//! What a player's body can do: dash, turn, kick, tackle, catch, and what it costs. Pure functions of plain numbers.
//!
//! Velocities and accelerations are in metres a cycle, as the parameters are; angles in radians counter-clockwise.
//! The server counts angles clockwise: where a range of a parameter is not symmetric, it is mirrored here.
//!
//! # Reference
//! The RoboCup Soccer Server, release 19.0.0; its quirks are kept where a client can see them.

mod catch;
mod stamina;
mod tackle;

pub use catch::{CatchArea, caught_place, punched};
pub use stamina::Stamina;
pub use tackle::{Tackle, TackleWith, tackle_accel, tackle_failure};

use crate::face::{Leg, Side};
use crate::params::ServerParams;
use crate::player_type::PlayerType;
use std::f64::consts::PI;
use touchline_plugin_api::geometry::{sin_cos, wrap_angle};
use touchline_plugin_api::noise::Noise;

/// A vector of a length in a direction.
pub fn polar(length: f64, direction_rad: f64) -> [f64; 2] {
    let (sin, cos) = sin_cos(direction_rad);
    [length * cos, length * sin]
}

/// A vector turned by an angle.
pub fn rotated([x, y]: [f64; 2], by_rad: f64) -> [f64; 2] {
    let (sin, cos) = sin_cos(by_rad);
    [cos * x - sin * y, sin * x + cos * y]
}

fn length([x, y]: [f64; 2]) -> f64 {
    libm::hypot(x, y)
}

/// A part of the most that a file allows; nothing of nothing, where that server would reckon with what is no number.
fn share(part: f64, most: f64) -> f64 {
    if most > 1e-10 { part / most } else { 0.0 }
}

/// Holds an angle, radians counter-clockwise, to a range that the server counts clockwise in degrees.
fn held_angle(angle_rad: f64, min_deg: f64, max_deg: f64) -> f64 {
    // Not `clamp`: a range that is empty is no reason to panic.
    angle_rad.max(-max_deg.to_radians()).min(-min_deg.to_radians())
}

/// A vector of random direction, whose length is uniform up to `most`.
pub fn noise_vector(most: f64, noise: &mut Noise) -> [f64; 2] {
    polar(noise.uniform(0.0, most), noise.uniform(-PI, PI))
}

/// How noisy a team's players move: player_rand, times its factor where teams have one.
pub fn player_rand(server: &ServerParams, side: Side) -> f64 {
    let factor = match side {
        _ if !server.team_actuator_noise => 1.0,
        Side::Left => server.prand_factor_l,
        Side::Right => server.prand_factor_r,
    };
    server.player_rand * factor
}

/// How noisy a type kicks in a team.
pub fn kick_rand(server: &ServerParams, player_type: &PlayerType, side: Side) -> f64 {
    let factor = match side {
        _ if !server.team_actuator_noise => 1.0,
        Side::Left => server.kick_rand_factor_l,
        Side::Right => server.kick_rand_factor_r,
    };
    player_type.kick_rand * factor
}

/// By how much a team is slowed down in the upper half of the pitch: slowness_on_top_for_..._team there, else 1.
pub fn slowness(server: &ServerParams, side: Side, y_m: f64) -> f64 {
    match side {
        _ if y_m <= 0.0 => 1.0,
        Side::Left => server.slowness_on_top_for_left_team,
        Side::Right => server.slowness_on_top_for_right_team,
    }
}

/// Which part of a dash's power goes into a direction relative to the body.
///
/// ```
/// use touchline_soccer_law::{body::dash_rate, params::ServerParams};
/// let server = ServerParams::today();
/// assert_eq!(dash_rate(&server, 0.0), 1.0);
/// assert!((dash_rate(&server, std::f64::consts::FRAC_PI_2) - server.side_dash_rate).abs() < 1e-12);
/// ```
pub fn dash_rate(server: &ServerParams, direction_rad: f64) -> f64 {
    let (angle_deg, side, back) =
        (direction_rad.abs().to_degrees(), server.side_dash_rate, server.back_dash_rate);
    let rate = if angle_deg > 90.0 {
        back - (back - side) * (1.0 - (angle_deg - 90.0) / 90.0)
    } else {
        side + (1.0 - side) * (1.0 - angle_deg / 90.0)
    };
    rate.clamp(0.0, 1.0)
}

/// Who dashes.
#[derive(Clone, Copy, Debug)]
pub struct Dasher<'a> {
    /// Its type.
    pub player_type: &'a PlayerType,
    /// Its strength before the dash.
    pub stamina: &'a Stamina,
    /// Its velocity, metres a cycle.
    pub velocity: [f64; 2],
    /// Heading of its body.
    pub heading_rad: f64,
    /// [`slowness`] where it is.
    pub slowness: f64,
    /// [`player_rand`] of its team.
    pub player_rand: f64,
}

/// What a dash comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dash {
    /// Acceleration, metres a cycle, world frame, not yet held to player_accel_max.
    pub accel: [f64; 2],
    /// Turn of the body.
    pub turn_rad: f64,
    /// Stamina that it costs.
    pub cost: f64,
}

/// A dash with two legs; a plain one has both alike.
///
/// A leg's power costs half of it, or all of it backwards; stamina that is not there is missing from the power. Legs of different effect turn
/// the body. As in the server, a plain dash by one who is exhausted does that too: the right leg gets more of the last stamina than the left one.
pub fn dash(server: &ServerParams, dasher: &Dasher<'_>, legs: [Leg; 2], noise: &mut Noise) -> Dash {
    let power = |power: f64| power.max(server.min_dash_power).min(server.max_dash_power);
    let legs = legs
        .map(|leg| Leg { power: power(leg.power), direction_rad: dash_direction(server, leg.direction_rad) });
    let [mut left_cost, mut right_cost] =
        legs.map(|leg| if leg.power < 0.0 { -leg.power } else { leg.power * 0.5 });
    let wanted = left_cost + right_cost;
    if wanted < 1e-5 {
        return Dash::default();
    }
    let cost = wanted.min(dasher.stamina.stamina + dasher.player_type.extra_stamina);
    left_cost = cost * left_cost / (left_cost + right_cost);
    right_cost = cost * right_cost / (left_cost + right_cost);

    let velocity_of = |leg: Leg, cost: f64| {
        let power = power(if leg.power < 0.0 { -cost } else { cost * 2.0 });
        let rate = dasher.stamina.effort * power * dasher.player_type.dash_power_rate;
        let accel = (rate * dash_rate(server, leg.direction_rad)).abs() / dasher.slowness;
        let [x, y] = polar(accel.copysign(power), wrap_angle(dasher.heading_rad + leg.direction_rad));
        [dasher.velocity[0] + x, dasher.velocity[1] + y]
    };
    let (left, right) = (velocity_of(legs[0], left_cost), velocity_of(legs[1], right_cost));
    let ahead = polar(1.0, dasher.heading_rad);
    let along = |velocity: [f64; 2]| ahead[0] * velocity[0] + ahead[1] * velocity[1];
    let turn_rad = (along(right) - along(left)) / (2.0 * dasher.player_type.player_size);
    let factor = 1.0 + noise.uniform(-dasher.player_rand, dasher.player_rand);
    Dash {
        accel: [0, 1].map(|axis| (left[axis] + right[axis]) / 2.0 - dasher.velocity[axis]),
        turn_rad: turn_rad * factor,
        cost,
    }
}

/// The direction of a leg's dash as the server takes it: within its range, in whole steps of dash_angle_step.
fn dash_direction(server: &ServerParams, direction_rad: f64) -> f64 {
    let held_rad = held_angle(direction_rad, server.min_dash_angle, server.max_dash_angle);
    let step_deg = server.dash_angle_step;
    if step_deg < 1e-10 {
        return held_rad;
    }
    // Steps are counted in the degrees that were said: in radians the middle between two of them is lost.
    const EXACT_DEG: f64 = 1e9;
    let said_deg = libm::rint(held_rad.to_degrees() * EXACT_DEG) / EXACT_DEG;
    (step_deg * libm::rint(said_deg / step_deg)).to_radians()
}

/// Turn of a body by a moment: the faster it goes, the less it turns.
pub fn turn(
    server: &ServerParams,
    player_type: &PlayerType,
    speed: f64,
    moment_rad: f64,
    player_rand: f64,
    noise: &mut Noise,
) -> f64 {
    let moment_rad = held_angle(moment_rad, server.minmoment, server.maxmoment);
    let factor = 1.0 + noise.uniform(-player_rand, player_rand);
    factor * moment_rad / (1.0 + player_type.inertia_moment * speed)
}

/// Angle of the neck after a turn of it: exact, held to its range.
pub fn turn_neck(server: &ServerParams, neck_rad: f64, moment_rad: f64) -> f64 {
    let moment_rad = held_angle(moment_rad, server.minneckmoment, server.maxneckmoment);
    held_angle(neck_rad + moment_rad, server.minneckang, server.maxneckang)
}

/// How far from a player's centre the ball's can be kicked, metres.
pub fn kickable_distance(server: &ServerParams, player_type: &PlayerType) -> f64 {
    player_type.player_size + server.ball_size + player_type.kickable_margin
}

/// Who kicks, and what.
#[derive(Clone, Copy, Debug)]
pub struct Kicker<'a> {
    /// Its type.
    pub player_type: &'a PlayerType,
    /// Heading of its body.
    pub heading_rad: f64,
    /// The ball's place relative to it, world frame, metres.
    pub ball: [f64; 2],
    /// The ball's velocity, metres a cycle.
    pub ball_velocity: [f64; 2],
    /// [`kick_rand`] of its type and team.
    pub kick_rand: f64,
}

impl Kicker<'_> {
    /// Direction of the ball relative to the body.
    fn ball_direction_rad(&self) -> f64 {
        wrap_angle(libm::atan2(self.ball[1], self.ball[0]) - self.heading_rad)
    }

    /// From 0.5 for a ball at rest to 1 for one as fast as it gets.
    fn speed_rate(&self, server: &ServerParams) -> f64 {
        0.5 + 0.5 * share(length(self.ball_velocity), server.ball_speed_max * server.ball_decay)
    }
}

/// Acceleration that a kick gives to a kickable ball, metres a cycle, noise included, not yet held to ball_accel_max.
pub fn kick(
    server: &ServerParams,
    kicker: &Kicker<'_>,
    power: f64,
    direction_rad: f64,
    noise: &mut Noise,
) -> [f64; 2] {
    let power = power.max(server.minpower).min(server.maxpower);
    let direction_rad = held_angle(direction_rad, server.minmoment, server.maxmoment);
    let player_type = kicker.player_type;
    let off = kicker.ball_direction_rad().abs() / PI;
    let gap =
        (length(kicker.ball) - player_type.player_size - server.ball_size) / player_type.kickable_margin;
    let effective = power * player_type.kick_power_rate * (1.0 - 0.25 * off - 0.25 * gap);
    let place_rate = 0.5 + 0.25 * (off + gap);
    let most = kicker.kick_rand * share(power, server.maxpower) * (place_rate + kicker.speed_rate(server));
    let [x, y] = polar(effective, kicker.heading_rad + direction_rad);
    let [noise_x, noise_y] = noise_vector(most, noise);
    [x + noise_x, y + noise_y]
}

/// The velocity of a body over the next cycle: accelerated within what is allowed, with noise in proportion to its speed. Metres a cycle.
pub fn moved(
    velocity: [f64; 2],
    accel: [f64; 2],
    max_accel: f64,
    max_speed: f64,
    rand: f64,
    noise: &mut Noise,
) -> [f64; 2] {
    let held = |vector: [f64; 2], most: f64| {
        let size = length(vector);
        if size > most { vector.map(|part| part * (most / size)) } else { vector }
    };
    let mut velocity = velocity;
    if accel != [0.0; 2] {
        let accel = held(accel, max_accel);
        velocity = held([velocity[0] + accel[0], velocity[1] + accel[1]], max_speed);
    }
    if velocity == [0.0; 2] {
        return velocity;
    }
    let [x, y] = noise_vector(rand * length(velocity), noise);
    [velocity[0] + x, velocity[1] + y]
}

#[cfg(test)]
mod tests;
