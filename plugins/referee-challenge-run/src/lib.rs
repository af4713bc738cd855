//! The run challenge: how fast does a robot come forward, and how much of the time is it in the air. (CH20, CH21)
//!
//! The robot is placed behind a line and looks along +x. The clock starts when it crosses the line, or some time after it was placed, and from then
//! on its way in x is measured. `score` is its mean speed and the share of steps in which both feet are off the ground, as far as its motion model
//! publishes `foot-left` and `foot-right`: 0 for wheels. A fall (`fallen`) ends the run, takes some of its way and counts the whole time.
//!
//! # Source
//! K. Dorer et al., *The magmaOffenburg 2016 RoboCup 3D Simulation Team*, section 5.1.

#![forbid(unsafe_code)]

mod params;

use bytemuck::{Pod, Zeroable};
pub use params::RunRules;
use serde_json::json;
use touchline_kit::challenge::{self, Clock, OVER, Outcome, PLACED, STARTED};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::DataRecord;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};

/// What is read of the robot's motion model, in the order of [`Feet::of`].
const MOTION_DATA: [&str; 3] = ["foot-left", "foot-right", "fallen"];

pub struct Run {
    rules: RunRules,
}

/// What is remembered of the attempt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Attempt {
    /// Where the robot was when the clock was started: its x, metres.
    from_x_m: f64,
    /// In how many steps since then both feet were off the ground.
    air_steps: f64,
    /// How many steps there were since then.
    steps: f64,
    clock: Clock,
}

/// What a robot's feet do.
struct Feet {
    are_off: bool,
    have_fallen: bool,
}

impl Feet {
    /// Of a motion model without feet: wheels, which are always on the ground.
    fn of(data: Option<&DataRecord>) -> Self {
        let [left, right, fallen] = data.map_or([f64::NAN; 3], |data| [0, 1, 2].map(|n| data.values[n]));
        // NaN, where a model has none of the name, is neither.
        Self { are_off: left < 0.5 && right < 0.5, have_fallen: fallen > 0.5 }
    }
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
        let motion_data = MOTION_DATA.map(String::from).into();
        GameDescription { motion_data, ..GameDescription::of_phases(&challenge::PHASES) }
    }

    fn initial_state(&self) -> Attempt {
        Attempt::default()
    }

    fn judge(&self, state: &mut Attempt, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let RunRules { start_x_m, start_y_m, line_m, start_secs, end_x_m, .. } = self.rules;
        if state.clock.phase == OVER {
            return Ok(());
        }
        // Without it there is nothing to judge: the attempt ends by its time.
        let Some(robot) = challenge::own_robots(&input.view).next() else { return Ok(()) };
        let x_m = robot.pose.x_m;
        state.clock.tick(input.dt_secs);
        match state.clock.phase {
            0 => {
                orders.place_robot(robot.number, Pose2::new(start_x_m, start_y_m, 0.0));
                let line = |x_m: f64| json!({ "line": [[x_m, -2.0], [x_m, 2.0]], "colour": "#ffff00" });
                orders.annotate("lines", &json!([line(start_x_m + line_m), line(end_x_m)]));
                state.clock.enter(PLACED);
            }
            PLACED if x_m >= start_x_m + line_m || state.clock.is_over(start_secs, input.dt_secs) => {
                state.from_x_m = x_m;
                state.clock.enter(STARTED);
            }
            STARTED => {
                let feet = Feet::of(input.motion_data.iter().find(|data| data.robot == robot.number));
                state.steps += 1.0;
                state.air_steps += f64::from(u8::from(feet.are_off));
                self.watch(state, x_m, feet.have_fallen, input.dt_secs, orders);
            }
            _ => {}
        }
        state.clock.publish(&[], input, orders);
        Ok(())
    }
}

impl Run {
    fn watch(&self, state: &mut Attempt, x_m: f64, has_fallen: bool, dt_secs: f64, orders: &mut Orders) {
        let RunRules { run_secs, end_x_m, fall_cost_m, .. } = self.rules;
        let (word, text) = if has_fallen {
            ("fallen", "the robot has fallen")
        } else if x_m >= end_x_m {
            ("line", "the far line is reached")
        } else if state.clock.is_over(run_secs, dt_secs) {
            ("done", "time is up")
        } else {
            return;
        };
        let cost_m = if has_fallen { fall_cost_m } else { 0.0 };
        let way_m = (x_m - state.from_x_m - cost_m).max(0.0);
        // Who falls early has not been faster for it.
        let secs = if has_fallen { run_secs } else { state.clock.secs };
        let air_share = state.air_steps / state.steps;
        orders.measure("distance", way_m, "m");
        orders.measure("time", secs, "s");
        orders.measure("air-share", air_share, "");
        let penalties = u32::from(has_fallen);
        Outcome { word, text, score: way_m / secs + air_share, unit: "", penalties }
            .finish(&mut state.clock, orders);
    }
}

touchline_plugin_api::export_referee!(Run);

#[cfg(test)]
mod tests;
