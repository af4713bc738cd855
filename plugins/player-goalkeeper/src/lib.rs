//! A goalkeeper with policies. [Y1, Y3]
//!
//! It is put in front of its goal, and keeps to the line through that place by its odometry. [`policy`] says where on
//! the line it wants to be, [`line`] how it gets there; [`eyes`] reads the sensors.
//!
//! # Invariants
//! - It reads the world through the sensor container only, so it could drive a real robot.
//! - It stands while its team must not move.

#![forbid(unsafe_code)]

mod eyes;
mod line;
mod params;
mod policy;
mod thoughts;

use bytemuck::{Pod, Zeroable};
use eyes::Eyes;
use line::Drive;
pub use params::{GoalkeeperParams, Policy};
use policy::{BallIdea, Line, Plan};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::{Pose2, Twist2, atan2, wrap_angle};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};

/// A ball that was not seen for so long is forgotten, seconds.
const MEMORY_SECS: f64 = 1.5;

pub struct Goalkeeper {
    params: GoalkeeperParams,
    eyes: Eyes,
    drive: Drive,
    line: Line,
    /// The kicker's number and that of its state.
    kicker: Option<(usize, usize)>,
    team: Option<u32>,
}

/// What it remembers from one call to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Memory {
    /// Its starting place in the odometry frame.
    start: Pose2,
    /// Its idea of the ball's place, start frame, metres.
    ball: [f64; 2],
    /// Its idea of the ball's velocity, start frame, m/s.
    ball_velocity: [f64; 2],
    /// What it has made up its mind to do.
    plan: Plan,
    /// How long ago the ball was seen, seconds.
    ball_age_secs: f64,
    /// The direction to the opponent's goal when it was first seen from the start, start frame, radians.
    goal_rad: f64,
    /// By how much the odometry's heading has drifted, radians.
    drift_rad: f64,
    /// The referee's episode to which all this belongs.
    episode: u32,
    /// 1 after the first call.
    awake: u32,
    /// 1 if it has an idea of the ball's place.
    ball_known: u32,
    /// 1 if `goal_rad` is known.
    goal_known: u32,
}

impl Player for Goalkeeper {
    const NAME: &'static str = "goalkeeper";
    const SUMMARY: &'static str =
        "Keeps a goal: still, at random, in a pattern, blocking, intercepting, or mixed; at five levels.";
    type Params = GoalkeeperParams;
    type State = Memory;

    fn new(params: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError> {
        params.check()?;
        let robot = &setup.robot;
        let opponent = robot.team.and_then(|own| (0..setup.teams.len()).find(|&team| team != own as usize));
        Ok(Self {
            eyes: Eyes::new(&robot.sensors, opponent)?,
            drive: Drive::new(&robot.motion, params.speed_fraction())?,
            line: Line {
                distance_m: params.line_distance_m,
                limit_m: (params.goal_width_m / 2.0 - robot.radius_m / 2.0).max(0.0),
                half_goal_m: params.goal_width_m / 2.0,
                plan_secs: params.plan_secs,
                attention: params.attention(),
            },
            kicker: robot.manipulator("kicker", "kick").filter(|_| params.clears),
            team: robot.team,
            params,
        })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        match self.params.policy {
            Policy::Still => Vec::new(),
            _ => self.eyes.handles(),
        }
    }

    fn initial_state(&self) -> Self::State {
        Memory::default()
    }

    fn sense_and_act(
        &self,
        memory: &mut Memory,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let twist = match self.params.policy {
            Policy::Still => Twist2::ZERO,
            policy => self.keep(policy, memory, input, orders),
        };
        orders.drive_twist(twist);
        Ok(())
    }
}

impl Goalkeeper {
    fn keep(
        &self,
        policy: Policy,
        memory: &mut Memory,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Twist2 {
        let Some(odometry) = self.eyes.odometry(&input.readings) else { return Twist2::ZERO };
        if memory.awake == 0 || memory.episode != input.game.episode {
            // It has just been put in its place; odometry does not notice being carried.
            *memory = Memory { start: odometry, episode: input.game.episode, awake: 1, ..Memory::default() };
        }
        let pose = self.locate(memory, odometry, input);
        self.watch_ball(memory, pose, input);
        if self.team.is_some_and(|team| !input.game.may_move(team)) {
            return Twist2::ZERO;
        }
        if let Some((kicker, state)) = self.kicker
            && input.manipulators.get(kicker).is_some_and(|k| k.has_ball == 1 && k.ready_in_secs <= 0.0)
        {
            orders.manipulate(kicker, state, 1.0);
        }
        let idea = BallIdea::on_line(&self.drive, memory.ball, memory.ball_velocity);
        let ball = (memory.ball_known == 1).then_some(idea);
        let mut noise = input.noise.stream();
        let along_m = memory.plan.target_m(policy, &self.line, ball, input.elapsed_secs, &mut noise);
        if self.params.thoughts && thoughts::is_due(input) {
            let ball = (memory.ball_known == 1).then_some(memory.ball);
            thoughts::publish(pose, self.drive.place(along_m), ball, orders);
        }
        self.drive.to(along_m, pose)
    }

    /// The robot in the start frame: by odometry, its heading corrected by the far goal.
    fn locate(&self, memory: &mut Memory, odometry: Pose2, input: &PlayerInput<'_>) -> Pose2 {
        let moved = memory.start.relative(odometry);
        let pose = Pose2 { theta_rad: wrap_angle(moved.theta_rad - memory.drift_rad), ..moved };
        if let Some(seen) = self.eyes.opponent_goal(&input.readings) {
            let [x, y] = pose.point_to_outer(seen);
            let seen_rad = atan2(y, x);
            if memory.goal_known == 0 {
                memory.goal_known = 1;
                memory.goal_rad = seen_rad;
            }
            // Slowly, since each sighting is noisy: a wrong heading turns the far goal around the start.
            memory.drift_rad += 0.02 * wrap_angle(seen_rad - memory.goal_rad);
        }
        pose
    }

    /// Lets its idea of the ball follow what it sees.
    fn watch_ball(&self, memory: &mut Memory, pose: Pose2, input: &PlayerInput<'_>) {
        memory.ball_age_secs += input.elapsed_secs;
        if let Some(seen) = self.eyes.ball(&input.readings) {
            let seen = pose.point_to_outer(seen);
            self.correct_ball(memory, seen);
            memory.ball_known = 1;
            memory.ball_age_secs = 0.0;
        } else if memory.ball_age_secs > MEMORY_SECS {
            memory.ball_known = 0;
        }
    }
}

impl Goalkeeper {
    /// An alpha-beta filter; who does not intercept has no idea of velocity, and so lags behind by his reaction.
    fn correct_ball(&self, memory: &mut Memory, seen: [f64; 2]) {
        let secs = memory.ball_age_secs;
        if memory.ball_known == 0 || secs <= 0.0 {
            (memory.ball, memory.ball_velocity) = (seen, [0.0; 2]);
            return;
        }
        let alpha = 1.0 - libm::exp(-secs / self.params.reaction_secs().max(1e-6));
        let predicts = matches!(self.params.policy, Policy::Intercept | Policy::Mixed);
        let beta = if predicts { alpha * alpha / (2.0 - alpha) } else { 0.0 };
        let axes = memory.ball.iter_mut().zip(&mut memory.ball_velocity).zip(seen);
        for ((place, velocity), seen) in axes {
            let predicted = *place + *velocity * secs;
            let error = seen - predicted;
            *place = predicted + alpha * error;
            *velocity += beta / secs * error;
        }
    }
}

touchline_plugin_api::export_player!(Goalkeeper);

#[cfg(test)]
mod tests;
