//! The goalie challenge: one shot at a goal in each world, and a keeper that stops it or does not. (CH25)
//!
//! The goal lies at +x. The ball lies still for a moment and is then shot at a point between the posts; who keeps, is the first robot of the
//! first team. Measured are `score`, 1 for a save, and `penalty`, 1 if the keeper has left its area, which counts as a goal.
//!
//! # Invariants
//! - The shot depends on the world's seed alone: it is drawn in the first step.
//! - Every shot goes between the posts: without a keeper each is a goal, if it is fast enough for the field's ball.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::GoalieRules;
use serde_json::json;
use touchline_kit::challenge::{self, Clock, OVER, Outcome, PLACED, STARTED, distance_m};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::Object;

pub struct Goalie {
    rules: GoalieRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Shot {
    /// Where it is shot from, metres.
    from: [f64; 2],
    /// How fast, m/s.
    velocity: [f64; 2],
    clock: Clock,
}

impl Referee for Goalie {
    const NAME: &'static str = "challenge-goalie";
    const SUMMARY: &'static str = "The goalie challenge: shots at a goal, and a keeper.";
    type Params = GoalieRules;
    type State = Shot;

    fn new(rules: GoalieRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        challenge::require_ball_and_robots(setup, &[1])?;
        Ok(Self { rules })
    }

    fn description(&self) -> GameDescription {
        GameDescription::of_phases(&challenge::PHASES)
    }

    fn initial_state(&self) -> Shot {
        Shot::default()
    }

    fn judge(&self, state: &mut Shot, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if state.clock.phase == OVER {
            return Ok(());
        }
        let Some((keeper, ball)) = challenge::robot_and_ball(&input.view) else { return Ok(()) };
        state.clock.tick(input.dt_secs);
        let is_over = |limit_secs: f64| state.clock.is_over(limit_secs, input.dt_secs);
        match state.clock.phase {
            0 => self.place(state, keeper, ball, input, orders),
            PLACED if is_over(self.rules.ready_secs) => {
                orders.place_ball(ball.number, state.from, state.velocity);
                state.clock.enter(STARTED);
            }
            STARTED => self.watch(state, keeper, ball, is_over(self.rules.shot_secs), orders),
            _ => {}
        }
        state.clock.publish(&[], input, orders);
        Ok(())
    }
}

impl Goalie {
    fn place(
        &self,
        state: &mut Shot,
        keeper: &Object,
        ball: &Object,
        input: &RefereeInput<'_>,
        orders: &mut Orders,
    ) {
        let GoalieRules { goal_x_m, goal_width_m, nearest_m, farthest_m, spread_rad, .. } = self.rules;
        let mut noise = input.noise.stream();
        let (far_m, bearing_rad) =
            (noise.uniform(nearest_m, farthest_m), noise.uniform(-spread_rad / 2.0, spread_rad / 2.0));
        let speed_m_s = noise.uniform(self.rules.slowest_m_s, self.rules.fastest_m_s);
        // The whole ball goes between the posts.
        let half_m = (goal_width_m / 2.0 - 2.0 * ball.radius_m).max(0.0);
        let aim = [goal_x_m, noise.uniform(-half_m, half_m)];
        let (sin, cos) = sin_cos(bearing_rad);
        state.from = [goal_x_m - far_m * cos, far_m * sin];
        let (dx, dy) = (aim[0] - state.from[0], aim[1] - state.from[1]);
        let long_m = distance_m(aim, state.from);
        state.velocity = [speed_m_s * dx / long_m, speed_m_s * dy / long_m];
        orders.place_ball(ball.number, state.from, [0.0; 2]);
        let keeper_x_m = goal_x_m - self.rules.keeper_m;
        orders.place_robot(keeper.number, Pose2::new(keeper_x_m, 0.0, std::f64::consts::PI));
        orders.annotate("shot", &json!({ "line": [state.from, aim], "colour": "#ff0000" }));
        state.clock.enter(PLACED);
    }

    fn watch(&self, state: &mut Shot, keeper: &Object, ball: &Object, is_late: bool, orders: &mut Orders) {
        let GoalieRules { goal_x_m, goal_width_m, area_depth_m, area_width_m, rest_m_s, .. } = self.rules;
        let is_between = ball.pose.y_m.abs() < goal_width_m / 2.0;
        let is_behind = ball.pose.x_m > goal_x_m + ball.radius_m;
        let has_left =
            keeper.pose.x_m < goal_x_m - area_depth_m || keeper.pose.y_m.abs() > area_width_m / 2.0;
        let is_slow = ball.twist.x_m_s.abs().max(ball.twist.y_m_s.abs()) <= rest_m_s;
        let comes = ball.twist.x_m_s > 0.0 && !is_slow;
        let (word, text) = if is_behind && is_between {
            ("goal", "the ball is in the goal")
        } else if has_left {
            ("left", "the keeper has left its area: that counts as a goal")
        } else if is_behind {
            ("wide", "the ball has gone past the goal")
        } else if !comes {
            ("saved", "the ball comes no nearer")
        } else if is_late {
            ("time", "no goal in the time of a shot")
        } else {
            return;
        };
        let is_saved = !matches!(word, "goal" | "left");
        let (score, penalties) = (f64::from(u8::from(is_saved)), u32::from(has_left));
        Outcome { word, text, score, unit: "", penalties }.finish(&mut state.clock, orders);
    }
}

touchline_plugin_api::export_referee!(Goalie);

#[cfg(test)]
mod tests;
