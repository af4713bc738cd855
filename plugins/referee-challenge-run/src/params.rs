//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the run challenge.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RunRules {
    /// Where the robot is placed: its x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub start_x_m: f64,
    /// Its y, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub start_y_m: f64,
    /// How far ahead of it the start line is, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub line_m: f64,
    /// The clock starts so long after it was placed, if it has not crossed the line before, seconds.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub start_secs: f64,
    /// How long it runs, seconds.
    #[schemars(range(min = 0.1, max = 3600.0))]
    pub run_secs: f64,
    /// Where the run ends, if it comes so far: x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub end_x_m: f64,
    /// How much of its way a fall takes, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fall_cost_m: f64,
}

impl Default for RunRules {
    fn default() -> Self {
        Self {
            start_x_m: -13.5,
            start_y_m: 0.0,
            line_m: 0.5,
            start_secs: 4.0,
            run_secs: 10.0,
            end_x_m: 13.5,
            fall_cost_m: 2.0,
        }
    }
}

impl RunRules {
    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// When the end is not beyond the start line.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let line_x_m = self.start_x_m + self.line_m;
        let message = format!("{} m; it must lie beyond the start line, {line_x_m} m", self.end_x_m);
        problems.require(self.end_x_m > line_x_m, "end_x_m", message);
        problems.into_result()
    }
}
