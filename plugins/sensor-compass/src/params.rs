//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a compass. Each of its three errors is left out by 0.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CompassParams {
    /// Standard deviation of each reading, radians.
    #[schemars(range(min = 0.0, max = 3.141593))]
    pub sigma_rad: f64,
    /// Standard deviation of the bias: drawn once for each run and sensor, the same in all its readings, radians.
    #[schemars(range(min = 0.0, max = 3.141593))]
    pub sigma_bias_rad: f64,
    /// Standard deviation of a disturbance that changes slowly, radians.
    #[schemars(range(min = 0.0, max = 3.141593))]
    pub sigma_disturbance_rad: f64,
    /// After this time the disturbance has become another, independent one, seconds.
    #[schemars(range(min = 0.01, max = 1000000.0))]
    pub disturbance_period_s: f64,
}

impl Default for CompassParams {
    fn default() -> Self {
        Self { sigma_rad: 0.02, sigma_bias_rad: 0.05, sigma_disturbance_rad: 0.0, disturbance_period_s: 10.0 }
    }
}

impl CompassParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, sigma) in [
            ("sigma_rad", self.sigma_rad),
            ("sigma_bias_rad", self.sigma_bias_rad),
            ("sigma_disturbance_rad", self.sigma_disturbance_rad),
        ] {
            // Half a turn written with few digits is still half a turn.
            let valid = (0.0..=PI + 1e-3).contains(&sigma);
            problems.require(valid, name, format!("{sigma} rad; it must be from 0 to 3.1416 (half a turn)"));
        }
        let period = self.disturbance_period_s;
        problems.require(
            (0.01..=1e6).contains(&period),
            "disturbance_period_s",
            format!("{period} s; it must be from 0.01 to 1000000"),
        );
        problems.into_result()
    }
}
