//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of passing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PassingRules {
    /// Where the first robot is placed: its x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub first_x_m: f64,
    /// How far along x one robot is from the next, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub apart_x_m: f64,
    /// How far from y = 0 robots are placed at most, metres; their y is drawn.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub side_m: f64,
    /// How far ahead of the first robot's centre the ball lies, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub ahead_m: f64,
    /// A robot that touches the ball is no farther from it, metres.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub touch_m: f64,
    /// A touch does not count if another robot is nearer than this, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub clear_m: f64,
    /// A pass is farther than this, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub pass_m: f64,
    /// The goal line's x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub goal_x_m: f64,
    /// From post to post, metres.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub goal_width_m: f64,
    /// Half of the field's length, metres: a ball beyond it is out.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub end_x_m: f64,
    /// Half of the field's width, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub end_y_m: f64,
    /// How long they play, seconds.
    #[schemars(range(min = 0.1, max = 3600.0))]
    pub play_secs: f64,
    /// What an attempt counts without passes and without a goal, seconds; each of them takes one from it.
    #[schemars(range(min = 0.1, max = 7200.0))]
    pub worst_secs: f64,
}

impl Default for PassingRules {
    fn default() -> Self {
        Self {
            first_x_m: -8.0,
            apart_x_m: 5.0,
            side_m: 3.0,
            ahead_m: 0.4,
            touch_m: 0.5,
            clear_m: 1.0,
            pass_m: 2.5,
            goal_x_m: 15.0,
            goal_width_m: 2.1,
            end_x_m: 15.0,
            end_y_m: 10.0,
            play_secs: 80.0,
            worst_secs: 85.0,
        }
    }
}

impl PassingRules {
    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// Names every parameter that does not go with the others.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { pass_m, apart_x_m, play_secs, worst_secs, .. } = *self;
        let message = format!(
            "{apart_x_m} m; a pass from one robot to the next must be farther than pass_m = {pass_m}"
        );
        problems.require(apart_x_m > pass_m, "apart_x_m", message);
        let message = format!("{worst_secs} s; less 5 it must not be below play_secs = {play_secs}");
        problems.require(worst_secs - 5.0 >= play_secs, "worst_secs", message);
        problems.into_result()
    }
}
