//! Where on its line the goalkeeper wants to be, by each policy. (Y3)

use crate::line::{Drive, between, crossing};
use crate::params::Policy;
use bytemuck::{Pod, Zeroable};
use touchline_plugin_api::noise::Noise;

/// A policy that decides anew, or moves in time, needs these.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Plan {
    /// How long this plan has been followed, seconds.
    age_secs: f64,
    /// Where it goes, metres along its line.
    along_m: f64,
    /// The policy that is mixed in now, by its number in [`MIXED`].
    mixed: u32,
    /// 1 if there is a plan.
    made: u32,
}

/// What the policies know of the ball, in the line's coordinates `(out, along)`.
#[derive(Clone, Copy, Debug)]
pub struct BallIdea {
    /// Position, metres.
    pub place: [f64; 2],
    /// Velocity, metres a second.
    pub velocity: [f64; 2],
}

/// The line and how it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// From the goal line to the keeper's own, metres.
    pub distance_m: f64,
    /// The farthest that it goes, metres.
    pub limit_m: f64,
    /// Half of the goal's width, metres.
    pub half_goal_m: f64,
    /// How long a random plan is followed, and half of the time of a pattern, seconds.
    pub plan_secs: f64,
    /// How much roaming leans towards the place where block would stand, from 0 to 1.
    pub attention: f64,
}

/// What [`Policy::Mixed`] chooses from.
const MIXED: [Policy; 4] = [Policy::Random, Policy::Pattern, Policy::Block, Policy::Intercept];
/// How many plans long it stays with its choice.
const MIXED_PLANS: f64 = 4.0;

impl Plan {
    /// Where to go now, metres along the line.
    pub fn target_m(
        &mut self,
        policy: Policy,
        line: &Line,
        ball: Option<BallIdea>,
        elapsed_secs: f64,
        noise: &mut Noise,
    ) -> f64 {
        self.age_secs += elapsed_secs;
        match policy {
            Policy::Still => 0.0,
            Policy::Random => {
                if self.made == 0 || self.age_secs >= line.plan_secs {
                    *self = Self {
                        along_m: noise.uniform(-line.limit_m, line.limit_m),
                        age_secs: 0.0,
                        made: 1,
                        ..*self
                    };
                }
                lean(self.along_m, line, ball)
            }
            Policy::Pattern => {
                // A triangle: from the middle to one end, to the other, and back.
                let turns = self.age_secs / (2.0 * line.plan_secs) + 0.25;
                let part = turns - turns.floor();
                lean(line.limit_m * (1.0 - 4.0 * (part - 0.5).abs()), line, ball)
            }
            Policy::Block => block(line, ball),
            Policy::Intercept => {
                let meets = ball.and_then(|ball| {
                    let at_goal_m = crossing(ball.place, ball.velocity, -line.distance_m)?;
                    // A ball that goes past the goal is no shot; it is kept in view instead.
                    let is_shot = at_goal_m.abs() < line.half_goal_m + 0.5;
                    is_shot.then(|| crossing(ball.place, ball.velocity, 0.0).unwrap_or(at_goal_m))
                });
                meets.map_or_else(|| block(line, ball), |along_m| along_m.clamp(-line.limit_m, line.limit_m))
            }
            Policy::Mixed => {
                if self.made == 0 || self.age_secs >= MIXED_PLANS * line.plan_secs {
                    let mixed = noise.uniform(0.0, MIXED.len() as f64) as u32;
                    *self = Self { mixed, made: 1, ..Self::default() };
                }
                // A random plan that is mixed in lasts as long as the choice.
                let chosen = MIXED[self.mixed as usize % MIXED.len()];
                if chosen == Policy::Random && self.along_m == 0.0 {
                    self.along_m = noise.uniform(-line.limit_m, line.limit_m);
                }
                match chosen {
                    Policy::Random => lean(self.along_m, line, ball),
                    chosen => self.target_m(chosen, line, ball, 0.0, noise),
                }
            }
        }
    }
}

/// From where a roaming keeper would be, towards the place where it would block.
fn lean(along_m: f64, line: &Line, ball: Option<BallIdea>) -> f64 {
    ball.map_or(along_m, |_| along_m + line.attention * (block(line, ball) - along_m))
}

/// Between the ball and the middle of the goal; without an idea of the ball in the middle.
fn block(line: &Line, ball: Option<BallIdea>) -> f64 {
    ball.map_or(0.0, |ball| between(ball.place, line.distance_m, line.limit_m))
}

impl BallIdea {
    /// From the start frame into the line's coordinates; the field is where `out` is positive.
    pub fn on_line(drive: &Drive, place: [f64; 2], velocity: [f64; 2]) -> Self {
        let (place, velocity) = (drive.on_line(place), drive.on_line(velocity));
        // A robot that stands across has the field at one of its sides.
        let side = if place[0] < 0.0 { -1.0 } else { 1.0 };
        Self { place: [side * place[0], place[1]], velocity: [side * velocity[0], velocity[1]] }
    }
}
