//! The run challenge: how fast does a robot come forward. (CH20, CH21)
//!
//! The robot is placed behind a line and looks along +x. The clock starts when it crosses the line, or some time after it was placed, and from then
//! on its way in x is measured. `score` is its mean speed.
//!
//! # Not here
//! What feet do: no motion model that is shipped has any. The league's second part, the share of time with both feet off the ground, is 0 for
//! wheels, and so it is here.
//!
//! # Source
//! K. Dorer et al., *The magmaOffenburg 2016 RoboCup 3D Simulation Team*, section 5.1.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::RunRules;
use serde_json::json;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};

/// The phases, in the order in which an attempt goes through them.
const PHASES: [&str; 4] = ["launching", "placed", "started", "over"];
const PLACED: u32 = 1;
const STARTED: u32 = 2;
const OVER: u32 = 3;

pub struct Run {
    rules: RunRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the robot was when the clock was started: its x, metres.
    from_x_m: f64,
    /// How long this phase has taken, seconds.
    secs: f64,
    /// Index into [`PHASES`].
    phase: u32,
    /// Nothing; keeps the record's length a multiple of eight.
    reserved: u32,
}

impl Referee for Run {
    const NAME: &'static str = "challenge-run";
    const SUMMARY: &'static str = "The run challenge: how fast does a robot come forward.";
    type Params = RunRules;
    type State = Attempt;

    fn new(rules: RunRules, setup: &RefereeSetup) -> Result<Self, SetupError> {
        rules.check()?;
        if !setup.world.robot_teams.contains(&Some(0)) {
            return Err(SetupError::new("this world needs a robot of the first team"));
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
        let RunRules { start_x_m, start_y_m, line_m, start_secs, run_secs, end_x_m, .. } = self.rules;
        let robot = input.view.robots().find(|robot| robot.team == 0);
        // Without it there is nothing to judge: the attempt ends by its time.
        let Some(robot) = robot else { return Ok(()) };
        let x_m = robot.pose.x_m;
        // Half a step of slack: times are sums of steps.
        state.secs += input.dt_secs;
        let is_over = |limit_secs: f64| state.secs + 0.5 * input.dt_secs >= limit_secs;
        match state.phase {
            0 => {
                orders.place_robot(robot.number, Pose2::new(start_x_m, start_y_m, 0.0));
                let line = |x_m: f64| json!({ "line": [[x_m, -2.0], [x_m, 2.0]], "colour": "#ffff00" });
                orders.annotate("lines", &json!([line(start_x_m + line_m), line(end_x_m)]));
                (state.phase, state.secs) = (PLACED, 0.0);
            }
            PLACED if x_m >= start_x_m + line_m || is_over(start_secs) => {
                (state.phase, state.secs, state.from_x_m) = (STARTED, 0.0, x_m);
            }
            STARTED if is_over(run_secs) || x_m >= end_x_m => {
                let (way_m, secs) = ((x_m - state.from_x_m).max(0.0), state.secs);
                orders.measure("distance", way_m, "m");
                orders.measure("time", secs, "s");
                orders.measure("score", way_m / secs, "m/s");
                orders.announce(if x_m >= end_x_m { "the far line is reached" } else { "time is up" });
                orders.end_episode(if x_m >= end_x_m { "line" } else { "done" });
                state.phase = OVER;
            }
            _ => {}
        }
        let mut game = input.game.to_state();
        (game.phase, game.clock_secs) = (state.phase, state.secs);
        orders.set_game(&game);
        Ok(())
    }
}

touchline_plugin_api::export_referee!(Run);

#[cfg(test)]
mod tests;
