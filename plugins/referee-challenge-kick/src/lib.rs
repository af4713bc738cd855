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
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::{Pose2, sin_cos, wrap_angle};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};

/// The phases, in the order in which an attempt goes through them.
const PHASES: [&str; 4] = ["launching", "placed", "started", "over"];
const PLACED: u32 = 1;
const STARTED: u32 = 2;
const OVER: u32 = 3;

pub struct Kick {
    rules: KickRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the ball was placed, metres.
    ball: [f64; 2],
    /// How long ago everything was placed, seconds.
    placed_secs: f64,
    /// How long ago the clock was started, seconds.
    started_secs: f64,
    /// Index into [`PHASES`].
    phase: u32,
    /// 1 once the ball has left the circle.
    has_left: u32,
}

impl Referee for Kick {
    const NAME: &'static str = "challenge-kick";
    const SUMMARY: &'static str = "Kick accuracy: how near to a target does a kicked ball come to rest.";
    type Params = KickRules;
    type State = Attempt;

    fn new(rules: KickRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        if setup.world.balls == 0 || !setup.world.robot_teams.contains(&Some(0)) {
            return Err(SetupError::new("this world needs a ball and a robot of the first team"));
        }
        Ok(Self { rules })
    }

    fn description(&self) -> GameDescription {
        GameDescription::of_phases(&PHASES)
    }

    fn initial_state(&self) -> Attempt {
        Attempt::default()
    }

    fn judge(&self, state: &mut Attempt, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if state.phase == OVER {
            return Ok(());
        }
        let robot = input.view.robots().find(|robot| robot.team == 0);
        // Without one of them there is nothing to judge: the attempt ends by its time.
        let (Some(robot), Some(ball)) = (robot, input.view.balls().next()) else { return Ok(()) };
        if state.phase == 0 {
            self.place(state, robot.number, ball.number, input, orders);
        } else {
            let at = |object: &touchline_plugin_api::view::Object| [object.pose.x_m, object.pose.y_m];
            let speed_m_s = distance_m([ball.twist.x_m_s, ball.twist.y_m_s], [0.0; 2]);
            self.watch(state, (at(robot), at(ball), speed_m_s), input.dt_secs, orders);
        }
        let mut game = input.game.to_state();
        (game.phase, game.clock_secs) = (state.phase, state.started_secs);
        orders.set_game(&game);
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
        state.phase = PLACED;
    }

    fn watch(
        &self,
        state: &mut Attempt,
        (robot, ball, speed_m_s): ([f64; 2], [f64; 2], f64),
        dt_secs: f64,
        orders: &mut Orders,
    ) {
        let KickRules { near_m, start_secs, circle_m, kick_secs, rest_m_s, leave_cost_m, .. } = self.rules;
        state.placed_secs += dt_secs;
        // Half a step of slack: times are sums of steps.
        let is_over = |secs: f64, limit_secs: f64| secs + 0.5 * dt_secs >= limit_secs;
        if state.phase == STARTED {
            state.started_secs += dt_secs;
        } else if distance_m(robot, ball) < near_m || is_over(state.placed_secs, start_secs) {
            state.phase = STARTED;
        }
        state.has_left |= u32::from(distance_m(ball, state.ball) > circle_m);
        let has_gone = distance_m(robot, state.ball) > circle_m;
        let outcome = if has_gone {
            "left"
        } else if state.has_left == 1 && speed_m_s <= rest_m_s {
            "rest"
        } else if state.has_left == 0 && state.phase == STARTED && is_over(state.started_secs, kick_secs) {
            "not-kicked"
        } else {
            return;
        };
        let far_m = distance_m(ball, self.target());
        let cost_m = if has_gone { leave_cost_m } else { 0.0 };
        orders.measure("distance", far_m, "m");
        orders.measure("penalty", f64::from(u8::from(has_gone)), "");
        orders.measure("score", far_m + cost_m, "m");
        orders.annotate("way", &json!({ "line": [state.ball, ball], "colour": "#00ff00" }));
        orders.announce(match outcome {
            "left" => "the robot has left the circle around the ball's place",
            "not-kicked" => "the ball has not left the circle in time",
            _ => "the ball rests",
        });
        orders.end_episode(outcome);
        state.phase = OVER;
    }
}

fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}

touchline_plugin_api::export_referee!(Kick);

#[cfg(test)]
mod tests;
