//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the odometry. All noise is that of the counted wheels; 0 leaves that part out.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OdometryParams {
    /// Standard deviation of the distance after 1 m of way; it grows with the square root of the way, m/sqrt(m).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_distance_m_per_sqrt_m: f64,
    /// Standard deviation of the heading after 1 rad of turning, rad/sqrt(rad).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_heading_rad_per_sqrt_rad: f64,
    /// Standard deviation of the heading after 1 m of way, rad/sqrt(m).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_heading_rad_per_sqrt_m: f64,
    /// What is counted too much of every way, as a part of it: 0.01 counts 1.01 m for 1 m.
    #[schemars(range(min = -0.5, max = 0.5))]
    pub distance_scale_error: f64,
    /// What is counted too much of every turn, as a part of it.
    #[schemars(range(min = -0.5, max = 0.5))]
    pub turn_scale_error: f64,
    /// How much the heading turns off on a straight way, counter-clockwise positive, rad/m: wheels of unequal size.
    #[schemars(range(min = -1.0, max = 1.0))]
    pub heading_bias_rad_per_m: f64,
    /// Standard deviation of each reading of the translational velocity, m/s.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub sigma_velocity_m_s: f64,
    /// Standard deviation of each reading of the rotational velocity, rad/s.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub sigma_turn_rad_s: f64,
}

impl Default for OdometryParams {
    fn default() -> Self {
        Self {
            sigma_distance_m_per_sqrt_m: 0.02,
            sigma_heading_rad_per_sqrt_rad: 0.02,
            sigma_heading_rad_per_sqrt_m: 0.01,
            distance_scale_error: 0.0,
            turn_scale_error: 0.0,
            heading_bias_rad_per_m: 0.0,
            sigma_velocity_m_s: 0.0,
            sigma_turn_rad_s: 0.0,
        }
    }
}

impl OdometryParams {
    /// No noise at all.
    #[cfg(test)]
    pub fn exact() -> Self {
        Self {
            sigma_distance_m_per_sqrt_m: 0.0,
            sigma_heading_rad_per_sqrt_rad: 0.0,
            sigma_heading_rad_per_sqrt_m: 0.0,
            ..Self::default()
        }
    }

    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, sigma) in [
            ("sigma_distance_m_per_sqrt_m", self.sigma_distance_m_per_sqrt_m),
            ("sigma_heading_rad_per_sqrt_rad", self.sigma_heading_rad_per_sqrt_rad),
            ("sigma_heading_rad_per_sqrt_m", self.sigma_heading_rad_per_sqrt_m),
            ("sigma_velocity_m_s", self.sigma_velocity_m_s),
            ("sigma_turn_rad_s", self.sigma_turn_rad_s),
        ] {
            let valid = sigma.is_finite() && sigma >= 0.0;
            problems.require(valid, name, format!("{sigma}; it must be at least 0"));
        }
        for (name, error) in
            [("distance_scale_error", self.distance_scale_error), ("turn_scale_error", self.turn_scale_error)]
        {
            let valid = (-0.5..=0.5).contains(&error);
            problems.require(valid, name, format!("{error}; it must be from -0.5 to 0.5"));
        }
        let bias = self.heading_bias_rad_per_m;
        let valid = (-1.0..=1.0).contains(&bias);
        problems.require(valid, "heading_bias_rad_per_m", format!("{bias}; it must be from -1 to 1"));
        problems.into_result()
    }
}
