//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a bumper.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BumperParams {
    /// How many switches there are, side by side.
    #[schemars(range(min = 1, max = 64))]
    pub parts: u32,
    /// The radius of the bumper around the sensor's place, metres: just outside the body.
    #[schemars(range(min = 0.01, max = 5.0))]
    pub radius_m: f64,
    /// How far the bumper reaches round the body, its middle ahead, radians.
    #[schemars(range(min = 0.01, max = 6.284))]
    pub arc_rad: f64,
    /// How near to the bumper a thing has to be to press it, metres: its play.
    #[schemars(range(min = 0.0001, max = 0.1))]
    pub travel_m: f64,
    /// The probability with which a press is missed in a reading.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub false_negative_probability: f64,
}

impl Default for BumperParams {
    fn default() -> Self {
        Self {
            parts: 1,
            radius_m: 0.2,
            arc_rad: std::f64::consts::PI,
            travel_m: 0.005,
            false_negative_probability: 0.0,
        }
    }
}

impl BumperParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let mut within = |name: &str, value: f64, low: f64, high: f64| {
            let message = format!("{value}; it must be from {low} to {high}");
            problems.require((low..=high).contains(&value), name, message);
        };
        within("parts", f64::from(self.parts), 1.0, 64.0);
        within("radius_m", self.radius_m, 0.01, 5.0);
        // A full turn written with few digits is still a full turn.
        within("arc_rad", self.arc_rad, 0.01, TAU + 1e-3);
        within("travel_m", self.travel_m, 0.0001, 0.1);
        within("false_negative_probability", self.false_negative_probability, 0.0, 1.0);
        problems.into_result()
    }
}
