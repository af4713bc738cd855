//! Kick accuracy: a robot stands behind a ball and kicks it so that it comes to rest at a target. (CH22)
//!
//! One attempt in each world. The ball lies at a distance from the target that grows with the attempt's number, in a cone that opens from the
//! target along -x; the robot stands behind it and looks at it. Measured are `score`, the distance of the ball to the target at the end and
//! what leaving the circle costs, and `penalty`, 1 if the robot left it.
//!
//! # Invariants
//! - Where things are placed depends on the world's seed and the attempt's number alone: it is drawn in the first step.
//! - It judges what is really so.
//!
//! # Source
//! K. Dorer et al., *The magmaOffenburg 2016 RoboCup 3D Simulation Team*, section 5.2.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::KickRules;
use serde_json::json;
use touchline_kit::challenge::{
    self, Clock, OVER, Outcome, PLACED, STARTED, distance_m, place_of, speed_m_s,
};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::{Pose2, sin_cos, wrap_angle};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::Object;

pub struct Kick {
    rules: KickRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the ball was placed, metres.
    ball: [f64; 2],
    /// 1 once the ball has left the circle.
    has_left: f64,
    clock: Clock,
}

impl Referee for Kick {
    const NAME: &'static str = "challenge-kick";
    const SUMMARY: &'static str = "Kick accuracy: how near to a target does a kicked ball come to rest.";
    type Params = KickRules;
    type State = Attempt;

    fn new(rules: KickRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
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
            self.place(state, robot.number, ball.number, input, orders);
        } else {
            self.watch(state, robot, ball, input.dt_secs, orders);
        }
        state.clock.publish(&[], input, orders);
        Ok(())
    }
}

impl Kick {
    fn target(&self) -> [f64; 2] {
        [self.rules.target_x_m, self.rules.target_y_m]
    }

    fn place(
        &self,
        state: &mut Attempt,
        robot: u32,
        ball: u32,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) {
        let KickRules { nearest_m, farthest_m, cone_rad, behind_m, circle_m, .. } = self.rules;
        let mut noise = input.noise.stream();
        let bearing_rad = std::f64::consts::PI + noise.uniform(-cone_rad / 2.0, cone_rad / 2.0);
        let (sin, cos) = sin_cos(bearing_rad);
        let far_m = nearest_m + (farthest_m - nearest_m) * self.rules.part();
        let [x, y] = self.target();
        state.ball = [x + far_m * cos, y + far_m * sin];
        let behind = [x + (far_m + behind_m) * cos, y + (far_m + behind_m) * sin];
        let facing_rad = wrap_angle(bearing_rad + std::f64::consts::PI);
        orders.place_ball(ball, state.ball, [0.0; 2]);
        orders.place_robot(robot, Pose2::new(behind[0], behind[1], facing_rad));
        orders.annotate(
            "target",
            &json!([{ "circle": [x, y], "radius_m": 0.3, "colour": "#ff0000" }, { "point": [x, y] }]),
        );
        orders
            .annotate("circle", &json!({ "circle": state.ball, "radius_m": circle_m, "colour": "#ffff00" }));
        state.clock.enter(PLACED);
    }

    fn watch(&self, state: &mut Attempt, robot: &Object, ball: &Object, dt_secs: f64, orders: &mut Orders) {
        let KickRules { near_m, start_secs, circle_m, kick_secs, rest_m_s, leave_cost_m, .. } = self.rules;
        let (robot, speed_m_s, ball) = (place_of(robot), speed_m_s(ball), place_of(ball));
        let is_near = distance_m(robot, ball) < near_m;
        let is_late = state.clock.phase == STARTED && state.clock.is_over(kick_secs, dt_secs);
        if state.clock.phase == PLACED && (is_near || state.clock.is_over(start_secs, dt_secs)) {
            state.clock.enter(STARTED);
        }
        if distance_m(ball, state.ball) > circle_m {
            state.has_left = 1.0;
        }
        let has_gone = distance_m(robot, state.ball) > circle_m;
        let (word, text) = if has_gone {
            ("left", "the robot has left the circle around the ball's place")
        } else if state.has_left > 0.0 && speed_m_s <= rest_m_s {
            ("rest", "the ball rests")
        } else if state.has_left == 0.0 && is_late {
            ("not-kicked", "the ball has not left the circle in time")
        } else {
            return;
        };
        let far_m = distance_m(ball, self.target());
        let score = far_m + if has_gone { leave_cost_m } else { 0.0 };
        orders.measure("distance", far_m, "m");
        orders.annotate("way", &json!({ "line": [state.ball, ball], "colour": "#00ff00" }));
        Outcome { word, text, score, unit: "m", penalties: u32::from(has_gone) }
            .finish(&mut state.clock, orders);
    }
}

touchline_plugin_api::export_referee!(Kick);

#[cfg(test)]
mod tests;
