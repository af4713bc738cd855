//! The rolling ball: a ball passes a robot, which kicks it as far forward as it can. (CH26)
//!
//! One attempt in each world. The robot looks along +x. The ball lies still for a while, so that it can be found, and is then pushed towards a
//! place near the robot's feet. Measured are `score`, how far forward of the robot's start it comes to rest less how far to the side and what a
//! fall costs, `forward`, `sideways`, and `penalty`, 1 for a fall.
//!
//! # Invariants
//! - Where the ball comes from depends on the world's seed alone: it is drawn in the first step.
//! - It judges what is really so.
//!
//! # Source
//! The challenge of the RoboCup 3D simulation league, as magmaChallenge's `RollingBallBenchmark` has it (2016 to 2017): the numbers are those of its
//! classes.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::RollingBallRules;
use serde_json::json;
use touchline_kit::challenge::{self, Clock, OVER, Outcome, PLACED, STARTED, place_of, speed_m_s};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::Object;

/// A ball that has rested for so long has come to rest, seconds: one that is turned round stands for a step.
const REST_SECS: f64 = 0.1;

pub struct RollingBall {
    rules: RollingBallRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the ball is pushed, metres.
    from: [f64; 2],
    /// How fast, m/s.
    velocity: [f64; 2],
    /// How long the ball has rested, seconds.
    rest_secs: f64,
    clock: Clock,
}

impl Referee for RollingBall {
    const NAME: &'static str = "challenge-rolling-ball";
    const SUMMARY: &'static str = "The rolling ball: how far forward is a ball kicked that passes.";
    type Params = RollingBallRules;
    type State = Attempt;

    fn new(rules: RollingBallRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        challenge::require_ball_and_robots(setup, &[1])?;
        Ok(Self { rules })
    }

    fn description(&self) -> GameDescription {
        GameDescription {
            motion_data: vec!["fallen".into()],
            ..GameDescription::of_phases(&challenge::PHASES)
        }
    }

    fn initial_state(&self) -> Attempt {
        Attempt::default()
    }

    fn judge(&self, state: &mut Attempt, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if state.clock.phase == OVER {
            return Ok(());
        }
        let Some((robot, ball)) = challenge::robot_and_ball(&input.view) else { return Ok(()) };
        state.clock.tick(input.dt_secs);
        match state.clock.phase {
            0 => self.place(state, robot, ball, input, orders),
            PLACED if state.clock.is_over(self.rules.ready_secs, input.dt_secs) => {
                orders.place_ball(ball.number, state.from, state.velocity);
                state.clock.enter(STARTED);
            }
            STARTED => {
                let data = input.motion_data.iter().find(|data| data.robot == robot.number);
                // NaN, where a motion model cannot fall, is not above anything.
                let has_fallen = data.is_some_and(|data| data.values[0] > 0.5);
                self.watch(state, robot, ball, has_fallen, input.dt_secs, orders);
            }
            _ => {}
        }
        state.clock.publish(&[], input, orders);
        Ok(())
    }
}

impl RollingBall {
    fn place(
        &self,
        state: &mut Attempt,
        robot: &Object,
        ball: &Object,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) {
        let RollingBallRules { start_x_m, start_y_m, ahead_m, scatter_m, .. } = self.rules;
        let RollingBallRules { nearest_m, farthest_m, cone_rad, speed_per_s, .. } = self.rules;
        let mut noise = input.noise.stream();
        let far_m = noise.uniform(nearest_m, farthest_m);
        let (sin, cos) = sin_cos(noise.uniform(-cone_rad / 2.0, cone_rad / 2.0));
        let mut scatter = || noise.uniform(-scatter_m, scatter_m);
        let towards = [start_x_m + ahead_m + scatter(), start_y_m + scatter()];
        state.from = [towards[0] + far_m * cos, towards[1] + far_m * sin];
        state.velocity = [-cos * far_m * speed_per_s, -sin * far_m * speed_per_s];
        orders.place_robot(robot.number, Pose2::new(start_x_m, start_y_m, 0.0));
        orders.place_ball(ball.number, state.from, [0.0; 2]);
        orders.annotate("way", &json!({ "line": [state.from, towards], "colour": "#ff0000" }));
        let edge_x_m = start_x_m + self.rules.leave_m;
        let edge = [[edge_x_m, start_y_m - 2.0], [edge_x_m, start_y_m + 2.0]];
        orders.annotate("edge", &json!({ "line": edge, "colour": "#ffff00" }));
        state.clock.enter(PLACED);
    }

    fn watch(
        &self,
        state: &mut Attempt,
        robot: &Object,
        ball: &Object,
        has_fallen: bool,
        dt_secs: f64,
        orders: &mut Orders,
    ) {
        let RollingBallRules { start_x_m, start_y_m, leave_m, rest_m_s, roll_secs, fall_cost_m, .. } =
            self.rules;
        let rests = speed_m_s(ball) <= rest_m_s && ball.vertical.is_on_floor();
        state.rest_secs = if rests { state.rest_secs + dt_secs } else { 0.0 };
        let (word, text) = if robot.pose.x_m > start_x_m + leave_m {
            ("left", "the robot has gone too far forward")
        } else if has_fallen {
            ("fallen", "the robot has fallen")
        } else if state.rest_secs > REST_SECS {
            ("rest", "the ball rests")
        } else if state.clock.is_over(roll_secs, dt_secs) {
            ("time", "time is up")
        } else {
            return;
        };
        let [x_m, y_m] = place_of(ball);
        let (forward_m, sideways_m) = ((x_m - start_x_m).max(0.0), (y_m - start_y_m).abs());
        let cost_m = if has_fallen { fall_cost_m } else { 0.0 };
        orders.measure("forward", forward_m, "m");
        orders.measure("sideways", sideways_m, "m");
        let penalties = u32::from(has_fallen);
        let score = forward_m - sideways_m - cost_m;
        Outcome { word, text, score, unit: "m", penalties }.finish(&mut state.clock, orders);
    }
}

touchline_plugin_api::export_referee!(RollingBall);

#[cfg(test)]
mod tests;
