//! What a player sees: distances quantised by their logarithm, or with a Gaussian noise; what is farther away is told less of.
//!
//! Everything is in the server's own frame: metres, x to the right goal, y **down**, angles in radians clockwise, velocities in metres a cycle. So
//! the signs of zeros come out as there.
//!
//! # Randomness
//! Each thing has a stream of its own, made from the viewer's key and the thing's number: what is seen of one does not depend on the others.
//!
//! # Source
//! The observation models of the server, version 19; the Gaussian one is T. Nakashima's and others' proposal of 2023.

use crate::params::ServerParams;
use crate::pitch::{LENGTH_M, WIDTH_M};
use crate::player_type::PlayerType;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use touchline_plugin_api::noise::{Noise, NoiseKey};

/// What is added before a logarithm is taken.
const EPSILON: f64 = 1e-10;
/// Distances are told in this step, metres.
const DISTANCE_STEP_M: f64 = 0.1;
/// The direction of an arm is seen no better than this, radians.
const ARM_NOISE_RAD: f64 = 1.25 / 180.0 * PI;
/// Before version 18: where numbers, teams and changes begin to be missed, and where always, metres.
const OLD_NUMBER_M: [f64; 2] = [20.0, 40.0];
const OLD_TEAM_M: [f64; 2] = [40.0, 60.0];

/// Who looks.
#[derive(Clone, Copy, Debug)]
pub struct Viewer<'a> {
    /// Place and velocity.
    pub pos: [f64; 2],
    /// Metres a cycle.
    pub vel: [f64; 2],
    /// Where it looks to: body and neck.
    pub face_rad: f64,
    /// Opening of the cone.
    pub view_angle_rad: f64,
    /// Whether it sees distances.
    pub is_high: bool,
    /// Whether distances have a Gaussian noise.
    pub is_gaussian: bool,
    /// Place on which the eyes are focused; before version 18 the player's own.
    pub focus: [f64; 2],
    /// Whether its type's lengths count (from version 18 on).
    pub has_lengths: bool,
    /// Its type.
    pub kind: &'a PlayerType,
    /// Its stream in this step.
    pub noise: NoiseKey,
}

/// A body that is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Metres.
    pub pos: [f64; 2],
    /// Metres a cycle.
    pub vel: [f64; 2],
    /// Heading of the body.
    pub body_rad: f64,
    /// Where it looks to: body and neck.
    pub face_rad: f64,
    /// Where its arm points to, if it does.
    pub arm_rad: Option<f64>,
}

/// What is seen of one thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// How much is known of it.
    pub known: Known,
    /// Metres; not at low quality.
    pub dist: Option<f64>,
    /// Direction from the neck line.
    pub dir_rad: f64,
    /// Change of distance, metres a cycle, and of direction, degrees a cycle.
    pub change: Option<[f64; 2]>,
    /// Of a player that is known wholly: direction of body and head from the neck line.
    pub body_head_rad: Option<[f64; 2]>,
    /// Where the arm of a player points to, from the neck line.
    pub arm_rad: Option<f64>,
}

/// How much is known of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is near, but not in view: only its kind.
    Close,
    /// A player, of whatever team.
    Somebody,
    /// A player of a team, of whatever number.
    Team,
    /// All.
    Whole,
}

impl Viewer<'_> {
    /// A landmark. `number` is the thing's own, for its chance.
    pub fn landmark(&self, pos: [f64; 2], number: u64, server: &ServerParams) -> Option<Sighting> {
        let lengths = [self.kind.sight.flag_chg_far_length, self.kind.sight.flag_chg_too_far_length];
        let most = self.kind.sight.flag_max_observation_length;
        let rates = [self.kind.noise.land_dist_noise_rate, self.kind.noise.land_focus_dist_noise_rate];
        let still = Target { pos, vel: [0.0; 2], body_rad: 0.0, face_rad: 0.0, arm_rad: None };
        self.thing(&still, number, (server.quantize_step_l, rates), (lengths, most), server)
    }

    /// The ball.
    pub fn ball(&self, ball: &Target, number: u64, server: &ServerParams) -> Option<Sighting> {
        let lengths = [self.kind.sight.ball_vel_far_length, self.kind.sight.ball_vel_too_far_length];
        let most = self.kind.sight.ball_max_observation_length;
        let rates = [self.kind.noise.dist_noise_rate, self.kind.noise.focus_dist_noise_rate];
        self.thing(ball, number, (server.quantize_step, rates), (lengths, most), server)
    }

    fn thing(
        &self,
        target: &Target,
        number: u64,
        (step, rates): (f64, [f64; 2]),
        (lengths, most): ([f64; 2], f64),
        server: &ServerParams,
    ) -> Option<Sighting> {
        let (actual, dir_rad) = self.towards(target.pos);
        let is_in_view = self.is_in_view(dir_rad) && actual < most;
        // Most things are behind the player: their distance costs nothing.
        if !is_in_view && !is_close(actual, server) {
            return None;
        }
        let mut noise = self.noise.split(number).stream();
        let noisy = self.distance(target.pos, actual, step, rates, &mut noise);
        let mut seen = Sighting {
            known: Known::Close,
            dist: self.is_high.then_some(noisy),
            dir_rad,
            change: None,
            body_head_rad: None,
            arm_rad: None,
        };
        if is_in_view {
            let lengths = if self.has_lengths { lengths } else { OLD_NUMBER_M };
            let is_missed = !self.is_high || missed(noisy, lengths, &mut noise);
            seen.known = Known::Whole;
            seen.change = (!is_missed).then(|| self.change(target, actual, noisy));
        }
        Some(seen)
    }

    /// Another player.
    pub fn player(&self, target: &Target, number: u64, server: &ServerParams) -> Option<Sighting> {
        let (actual, dir_rad) = self.towards(target.pos);
        let sight = &self.kind.sight;
        let is_in_view = self.is_in_view(dir_rad) && actual < sight.player_max_observation_length;
        if !is_in_view && !is_close(actual, server) {
            return None;
        }
        let mut noise = self.noise.split(number).stream();
        let rates = [self.kind.noise.dist_noise_rate, self.kind.noise.focus_dist_noise_rate];
        let noisy = self.distance(target.pos, actual, server.quantize_step, rates, &mut noise);
        let mut seen = Sighting {
            known: Known::Close,
            dist: self.is_high.then_some(noisy),
            dir_rad,
            change: None,
            body_head_rad: None,
            arm_rad: None,
        };
        if !is_in_view {
            return Some(seen);
        }
        let (team, number) = if self.has_lengths {
            (
                [sight.team_far_length, sight.team_too_far_length],
                [sight.unum_far_length, sight.unum_too_far_length],
            )
        } else {
            (OLD_TEAM_M, OLD_NUMBER_M)
        };
        if missed(noisy, team, &mut noise) {
            seen.known = Known::Somebody;
            return Some(seen);
        }
        let is_whole = !missed(noisy, number, &mut noise);
        seen.known = if is_whole { Known::Whole } else { Known::Team };
        if !self.is_high {
            return Some(seen);
        }
        if is_whole {
            seen.change = Some(self.change(target, actual, noisy));
            seen.body_head_rad =
                Some([target.body_rad, target.face_rad].map(|angle| normal(angle - self.face_rad)));
        }
        seen.arm_rad = target.arm_rad.map(|arm_rad| {
            let part = actual / sight.team_too_far_length;
            let sigma = part * part * part * part * (PI - ARM_NOISE_RAD) + ARM_NOISE_RAD;
            normal(arm_rad - self.face_rad + noise.gaussian(sigma))
        });
        Some(seen)
    }

    /// The lines that the neck line meets: one from inside the pitch, at most two from outside. Each by its letter, with its distance along the
    /// neck line and the angle between both.
    pub fn lines(&self, server: &ServerParams) -> Vec<(char, Sighting)> {
        let [x, y] = self.pos;
        let (half_x, half_y) = (LENGTH_M * 0.5, WIDTH_M * 0.5);
        let most = if x.abs() < half_x && y.abs() < half_y { 1 } else { 2 };
        // Letter, outward normal, offset to the line along it, and where the view may meet it.
        let turned = |is_behind: bool, normal_rad: f64| if is_behind { normal_rad + PI } else { normal_rad };
        [
            ('l', turned(x < -half_x, PI), -half_x - x, true),
            ('r', turned(x > half_x, 0.0), half_x - x, true),
            ('t', turned(y < -half_y, -FRAC_PI_2), -half_y - y, false),
            ('b', turned(y > half_y, FRAC_PI_2), half_y - y, false),
        ]
        .into_iter()
        .filter_map(|(letter, normal_rad, offset, is_upright)| {
            let angle = normal(normal_rad - self.face_rad);
            if angle.abs() >= FRAC_PI_2 {
                return None;
            }
            let along = offset * libm::tan(angle);
            let (met, end) = if is_upright { (y - along, half_y) } else { (x + along, half_x) };
            if met.abs() > end {
                return None;
            }
            let dist = logarithmic((offset / libm::cos(angle)).abs(), server.quantize_step_l);
            let dir_rad = if angle > 0.0 { angle - FRAC_PI_2 } else { angle + FRAC_PI_2 };
            let dist = self.is_high.then(|| quantise(dist, DISTANCE_STEP_M));
            let known = Known::Whole;
            Some((
                letter,
                Sighting { known, dist, dir_rad, change: None, body_head_rad: None, arm_rad: None },
            ))
        })
        .take(most)
        .collect()
    }

    /// Distance, and direction from the neck line.
    fn towards(&self, pos: [f64; 2]) -> (f64, f64) {
        let [x, y] = [pos[0] - self.pos[0], pos[1] - self.pos[1]];
        (libm::hypot(x, y), normal(libm::atan2(y, x) - self.face_rad))
    }

    fn is_in_view(&self, dir_rad: f64) -> bool {
        dir_rad.abs() < self.view_angle_rad * 0.5
    }

    /// A distance as it is seen: the errors at the focus and at the viewer count half each.
    fn distance(&self, pos: [f64; 2], actual: f64, step: f64, rates: [f64; 2], noise: &mut Noise) -> f64 {
        let focus = libm::hypot(pos[0] - self.focus[0], pos[1] - self.focus[1]);
        if self.is_gaussian {
            return (actual + noise.gaussian(actual * rates[0] + focus * rates[1])).max(0.0);
        }
        let told = logarithmic(actual, step);
        // Most players focus on nothing, and both are one.
        let told_of_focus = if focus == actual { told } else { logarithmic(focus, step) };
        let error = (focus - told_of_focus) + (actual - told);
        quantise((actual - error / 2.0).max(0.0), DISTANCE_STEP_M)
    }

    /// Changes of distance and direction that its velocity comes to.
    fn change(&self, target: &Target, actual: f64, noisy: f64) -> [f64; 2] {
        if actual == 0.0 {
            return [0.0; 2];
        }
        let [vx, vy] = [target.vel[0] - self.vel[0], target.vel[1] - self.vel[1]];
        let [ex, ey] = [(target.pos[0] - self.pos[0]) / actual, (target.pos[1] - self.pos[1]) / actual];
        let along = vx * ex + vy * ey;
        let dist = if self.is_gaussian {
            quantise(along * (noisy / actual), 0.01)
        } else {
            noisy * quantise(along / actual, 0.02)
        };
        let across_deg = ((vy * ex - vx * ey) / actual).to_degrees();
        [dist, if across_deg == 0.0 { 0.0 } else { quantise(across_deg, 0.1) }]
    }
}

/// Whether a thing is told of even if it is not in view.
fn is_close(actual: f64, server: &ServerParams) -> bool {
    actual <= server.visible_distance
}

/// Whether something is missed at this distance: never up to the first length, always from the second on, in proportion between.
fn missed(dist: f64, [far, too_far]: [f64; 2], noise: &mut Noise) -> bool {
    let part = (dist - far) / (too_far - far);
    // Not a number where both lengths are one, as for teams today: 0 of 0 at that very distance is no miss.
    part >= 1.0 || part > 0.0 && noise.chance(part)
}

/// A length whose logarithm is a multiple of a step.
fn logarithmic(length: f64, step: f64) -> f64 {
    libm::exp(quantise(libm::log(length + EPSILON), step))
}

fn quantise(value: f64, step: f64) -> f64 {
    if step < EPSILON { value } else { libm::rint(value / step) * step }
}

/// Between -pi and pi.
fn normal(angle_rad: f64) -> f64 {
    angle_rad - libm::rint(angle_rad / TAU) * TAU
}
