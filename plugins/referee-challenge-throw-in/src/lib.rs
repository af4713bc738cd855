//! The throw-in: a robot throws a ball as far as it can, and the ball has to fly. (CH27)
//!
//! One attempt in each world. The ball lies before the robot, which looks along +x. Measured are `score`, how far from its place the ball comes to
//! rest, `height`, how high its lowest point has been, and `penalty`, 1 if it did not rise high enough, was not thrown in time, or the robot has left the
//! circle around the ball's place: such an attempt counts 0.
//!
//! # Invariants
//! - Where the ball lies depends on the world's seed alone: it is drawn in the first step.
//! - It judges what is really so.
//!
//! # Source
//! The challenge of the RoboCup 3D simulation league; circle, times and places are those of magmaChallenge's `ThrowInBenchmark` (2017), height and score those of
//! this project's list of challenges.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::ThrowInRules;
use serde_json::json;
use touchline_kit::challenge::{
    self, Clock, OVER, Outcome, PLACED, STARTED, distance_m, place_of, speed_m_s,
};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::Object;

pub struct ThrowIn {
    rules: ThrowInRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the ball was placed, metres.
    ball: [f64; 2],
    /// How high its lowest point has been, metres.
    height_m: f64,
    /// 1 once the ball has left the circle.
    has_left: f64,
    clock: Clock,
}

impl Referee for ThrowIn {
    const NAME: &'static str = "challenge-throw-in";
    const SUMMARY: &'static str = "The throw-in: how far is a ball thrown that has to fly.";
    type Params = ThrowInRules;
    type State = Attempt;

    fn new(rules: ThrowInRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        challenge::require_ball_and_robots(setup, &[1])?;
        Ok(Self { rules })
    }

    fn description(&self) -> GameDescription {
        GameDescription::of_phases(&challenge::PHASES)
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
        if state.clock.phase == 0 {
            self.place(state, robot, ball, input, orders);
        } else {
            self.watch(state, robot, ball, input.dt_secs, orders);
        }
        state.clock.publish(&[], input, orders);
        Ok(())
    }
}

impl ThrowIn {
    fn place(
        &self,
        state: &mut Attempt,
        robot: &Object,
        ball: &Object,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) {
        let ThrowInRules { start_x_m, start_y_m, ahead_m, scatter_m, circle_m, .. } = self.rules;
        let mut noise = input.noise.stream();
        let mut scatter = || noise.uniform(-scatter_m, scatter_m);
        state.ball = [start_x_m + ahead_m + scatter(), start_y_m + scatter()];
        orders.place_robot(robot.number, Pose2::new(start_x_m, start_y_m, 0.0));
        orders.place_ball(ball.number, state.ball, [0.0; 2]);
        orders
            .annotate("circle", &json!({ "circle": state.ball, "radius_m": circle_m, "colour": "#ffff00" }));
        state.clock.enter(PLACED);
    }

    fn watch(&self, state: &mut Attempt, robot: &Object, ball: &Object, dt_secs: f64, orders: &mut Orders) {
        let ThrowInRules { near_m, start_secs, circle_m, throw_secs, rest_m_s, rise_m, .. } = self.rules;
        let far_m = distance_m(place_of(ball), state.ball);
        state.height_m = state.height_m.max(ball.vertical.z_m);
        if far_m > circle_m {
            state.has_left = 1.0;
        }
        let is_near = distance_m(place_of(robot), place_of(ball)) < near_m;
        if state.clock.phase == PLACED && (is_near || state.clock.is_over(start_secs, dt_secs)) {
            state.clock.enter(STARTED);
        }
        let is_late = state.clock.phase == STARTED && state.clock.is_over(throw_secs, dt_secs);
        let rests = ball.vertical.is_on_floor() && speed_m_s(ball) <= rest_m_s;
        let (word, text) = if distance_m(place_of(robot), state.ball) > circle_m {
            ("left", "the robot has left the circle around the ball's place")
        } else if state.has_left > 0.0 && rests {
            match state.height_m >= rise_m {
                true => ("rest", "the ball rests"),
                false => ("flat", "the ball has not risen high enough"),
            }
        } else if state.has_left == 0.0 && is_late {
            ("not-thrown", "the ball has not left the circle in time")
        } else {
            return;
        };
        let is_thrown = word == "rest";
        orders.measure("height", state.height_m, "m");
        orders.annotate("way", &json!({ "line": [state.ball, place_of(ball)], "colour": "#00ff00" }));
        let score = if is_thrown { far_m } else { 0.0 };
        let penalties = u32::from(!is_thrown);
        Outcome { word, text, score, unit: "m", penalties }.finish(&mut state.clock, orders);
    }
}

touchline_plugin_api::export_referee!(ThrowIn);

#[cfg(test)]
mod tests;
