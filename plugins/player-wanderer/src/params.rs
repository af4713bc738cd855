//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a wanderer.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WandererParams {
    /// How much of the robot's highest speeds it uses.
    #[schemars(range(min = 0.05, max = 1.0))]
    pub speed_fraction: f64,
    /// It turns away from what is nearer than this before its front, metres.
    #[schemars(range(min = 0.05, max = 5.0))]
    pub clearance_m: f64,
    /// Whether it finds out where it is, and shows what it believes.
    pub localise: bool,
    /// How many samples its belief has.
    #[schemars(range(min = 10, max = 20000))]
    pub samples: u32,
    /// How many of them are shown.
    #[schemars(range(min = 0, max = 1000))]
    pub shown_samples: u32,
    /// What its camera's bearings are wrong by, radians.
    #[schemars(range(min = 0.001, max = 1.0))]
    pub sigma_bearing_rad: f64,
    /// What its camera's distances are wrong by, as a part of them.
    #[schemars(range(min = 0.001, max = 1.0))]
    pub sigma_distance_relative: f64,
    /// How many of the laser's beams are compared with the map; 0 compares none.
    #[schemars(range(min = 0, max = 361))]
    pub beams: u32,
}

impl Default for WandererParams {
    fn default() -> Self {
        Self {
            speed_fraction: 0.5,
            clearance_m: 0.5,
            localise: false,
            samples: 1000,
            shown_samples: 150,
            sigma_bearing_rad: 0.03,
            sigma_distance_relative: 0.08,
            beams: 12,
        }
    }
}

impl WandererParams {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let mut within = |name: &str, value: f64, low: f64, high: f64| {
            let message = format!("{value}; it must be from {low} to {high}");
            problems.require((low..=high).contains(&value), name, message);
        };
        within("speed_fraction", self.speed_fraction, 0.05, 1.0);
        within("clearance_m", self.clearance_m, 0.05, 5.0);
        within("samples", f64::from(self.samples), 10.0, 20_000.0);
        within("shown_samples", f64::from(self.shown_samples), 0.0, 1000.0);
        within("sigma_bearing_rad", self.sigma_bearing_rad, 0.001, 1.0);
        within("sigma_distance_relative", self.sigma_distance_relative, 0.001, 1.0);
        within("beams", f64::from(self.beams), 0.0, 361.0);
        problems.into_result()
    }
}
