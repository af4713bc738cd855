//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{PI, TAU};
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a laser range finder; the defaults are those of a SICK LMS200.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LaserParams {
    /// How many beams, spread evenly over the field of view.
    #[schemars(range(min = 1, max = 4096))]
    pub beams: u32,
    /// The angle from the first beam to the last, centred on the sensor's x axis, radians.
    #[schemars(range(min = 0.001, max = 6.284))]
    pub field_of_view_rad: f64,
    /// What is closer than this is read as -inf, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub range_min_m: f64,
    /// What is farther than this is read as +inf, metres.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub range_max_m: f64,
    /// Standard deviation of each range, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub sigma_m: f64,
    /// The probability with which a beam comes back with +inf whatever it met.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub dropout_probability: f64,
    /// The feature's name. If it is not given, it tells the field of view in whole degrees, such as 180DegreeScan.
    pub feature: Option<String>,
}

impl Default for LaserParams {
    fn default() -> Self {
        Self {
            beams: 361,
            field_of_view_rad: PI,
            range_min_m: 0.0,
            range_max_m: 8.19,
            sigma_m: 0.005,
            dropout_probability: 0.0,
            feature: None,
        }
    }
}

impl LaserParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { beams, field_of_view_rad: view, range_min_m: near, range_max_m: far, .. } = *self;
        problems.require((1..=4096).contains(&beams), "beams", format!("{beams}; it must be from 1 to 4096"));
        // A full turn written with few digits is still a full turn.
        problems.require(
            view > 0.0 && view <= TAU + 1e-3,
            "field_of_view_rad",
            format!("{view} rad; it must be above 0 and at most 6.2832 (a full turn)"),
        );
        problems.require(
            near >= 0.0 && near < far && far.is_finite(),
            "range_min_m",
            format!("{near} m, with range_max_m = {far}; it must be at least 0 and below range_max_m"),
        );
        problems.require(
            self.sigma_m >= 0.0 && self.sigma_m.is_finite(),
            "sigma_m",
            format!("{} m; it must be at least 0", self.sigma_m),
        );
        problems.require(
            (0.0..=1.0).contains(&self.dropout_probability),
            "dropout_probability",
            format!("{}; it must be from 0 to 1", self.dropout_probability),
        );
        problems.require(
            self.feature.as_deref() != Some(""),
            "feature",
            "empty; leave it out for the default",
        );
        problems.into_result()
    }

    /// The name of the scan.
    pub fn feature_name(&self) -> String {
        self.feature.clone().unwrap_or_else(|| {
            let degrees = self.field_of_view_rad.to_degrees().round();
            format!("{degrees}DegreeScan")
        })
    }
}
