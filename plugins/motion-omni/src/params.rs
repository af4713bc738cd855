//! What stands in the robot file's table.

use crate::wheels::Wheels;
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_3, PI};
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a holonomic drive; the defaults are those of a small middle-size robot.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OmniParams {
    /// The directions from the robot's centre to its three or four wheels, radians, counter-clockwise from forward.
    #[schemars(length(min = 3, max = 4))]
    pub wheel_angles_rad: Vec<f64>,
    /// The radius of a wheel, metres.
    #[schemars(range(min = 0.005, max = 2.0))]
    pub wheel_radius_m: f64,
    /// The distance from the robot's centre to a wheel's contact with the floor, metres.
    #[schemars(range(min = 0.01, max = 5.0))]
    pub centre_distance_m: f64,
    /// Highest speed in any direction, m/s.
    #[schemars(range(min = 0.001, max = 20.0))]
    pub max_speed_m_s: f64,
    /// Highest turning speed, either way, rad/s.
    #[schemars(range(min = 0.001, max = 50.0))]
    pub max_turn_rad_s: f64,
    /// Highest rim speed of one wheel, m/s; the parts of a movement share it.
    #[schemars(range(min = 0.001, max = 50.0))]
    pub max_wheel_speed_m_s: f64,
    /// Highest change of a wheel's rim speed, m/s^2.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub wheel_acceleration_m_s2: f64,
    /// Standard deviation of each part of each cycle's velocity, as a part of it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub velocity_noise: f64,
}

impl Default for OmniParams {
    fn default() -> Self {
        Self {
            wheel_angles_rad: vec![FRAC_PI_3, PI, -FRAC_PI_3],
            wheel_radius_m: 0.05,
            centre_distance_m: 0.2,
            max_speed_m_s: 1.6,
            max_turn_rad_s: 2.0,
            max_wheel_speed_m_s: 2.0,
            wheel_acceleration_m_s2: 1.0,
            velocity_noise: 0.0,
        }
    }
}

impl OmniParams {
    /// The wheels that they mean.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn wheels(&self) -> Result<Wheels, SetupError> {
        let mut problems = SetupError::default();
        for (name, value, unit) in [
            ("wheel_radius_m", self.wheel_radius_m, "m"),
            ("centre_distance_m", self.centre_distance_m, "m"),
            ("max_speed_m_s", self.max_speed_m_s, "m/s"),
            ("max_turn_rad_s", self.max_turn_rad_s, "rad/s"),
            ("max_wheel_speed_m_s", self.max_wheel_speed_m_s, "m/s"),
            ("wheel_acceleration_m_s2", self.wheel_acceleration_m_s2, "m/s^2"),
        ] {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be above 0"));
        }
        let valid = (0.0..=1.0).contains(&self.velocity_noise);
        problems.require(valid, "velocity_noise", format!("{}; it must be from 0 to 1", self.velocity_noise));
        let angles = &self.wheel_angles_rad;
        let count = angles.len();
        problems.require(
            (3..=4).contains(&count),
            "wheel_angles_rad",
            format!("{count} wheels; it must be 3 or 4"),
        );
        let finite = angles.iter().all(|angle| angle.is_finite());
        problems.require(finite, "wheel_angles_rad", "not finite; they must be angles in rad");
        let wheels = Wheels::new(
            angles,
            self.centre_distance_m,
            self.max_wheel_speed_m_s,
            self.wheel_acceleration_m_s2,
        );
        // Three wheels at 120 degrees have 6.75.
        let drives_every_way = !finite || count < 3 || wheels.determinant() > 0.01;
        let message = "these wheels cannot drive in every direction; spread them around the robot";
        problems.require(drives_every_way, "wheel_angles_rad", message);
        problems.into_result().map(|()| wheels)
    }
}
