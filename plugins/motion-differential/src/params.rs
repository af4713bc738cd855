//! What stands in the robot file's table.

use crate::model::Limits;
use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a differential drive; the defaults are those of a Pioneer 2 as Stage models it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DifferentialParams {
    /// Highest forward speed, either way, m/s.
    #[schemars(range(min = 0.001, max = 20.0))]
    pub max_speed_m_s: f64,
    /// Highest turning speed, either way, rad/s.
    #[schemars(range(min = 0.001, max = 50.0))]
    pub max_turn_rad_s: f64,
    /// Highest rim speed of one wheel, m/s; forward and turn share it. As `max_speed_m_s` if not given.
    #[schemars(range(min = 0.001, max = 50.0))]
    pub max_wheel_speed_m_s: Option<f64>,
    /// How fast forward speed is gained, m/s^2.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub acceleration_m_s2: f64,
    /// How fast forward speed is lost, m/s^2. As `acceleration_m_s2` if not given.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub braking_m_s2: Option<f64>,
    /// How fast turning speed is gained and lost, rad/s^2. As two wheels with `acceleration_m_s2` turn on the spot if
    /// not given.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub turn_acceleration_rad_s2: Option<f64>,
    /// The distance between the two wheels, metres.
    #[schemars(range(min = 0.01, max = 5.0))]
    pub wheel_base_m: f64,
    /// The radius of a wheel, metres.
    #[schemars(range(min = 0.005, max = 2.0))]
    pub wheel_radius_m: f64,
    /// Standard deviation of the forward speed of each cycle, as a part of it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub speed_noise: f64,
    /// Standard deviation of the turning speed of each cycle, as a part of it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub turn_noise: f64,
}

impl Default for DifferentialParams {
    fn default() -> Self {
        Self {
            max_speed_m_s: 0.5,
            max_turn_rad_s: std::f64::consts::FRAC_PI_2,
            max_wheel_speed_m_s: None,
            acceleration_m_s2: 0.5,
            braking_m_s2: None,
            turn_acceleration_rad_s2: None,
            wheel_base_m: 0.33,
            wheel_radius_m: 0.0825,
            speed_noise: 0.0,
            turn_noise: 0.0,
        }
    }
}

impl DifferentialParams {
    /// The limits that they mean.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn limits(&self) -> Result<Limits, SetupError> {
        let limits = Limits {
            forward_m_s: self.max_speed_m_s,
            turn_rad_s: self.max_turn_rad_s,
            wheel_m_s: self.max_wheel_speed_m_s.unwrap_or(self.max_speed_m_s),
            wheel_base_m: self.wheel_base_m,
            acceleration_m_s2: self.acceleration_m_s2,
            braking_m_s2: self.braking_m_s2.unwrap_or(self.acceleration_m_s2),
            turn_acceleration_rad_s2: self
                .turn_acceleration_rad_s2
                .unwrap_or(2.0 * self.acceleration_m_s2 / self.wheel_base_m),
        };
        let mut problems = SetupError::default();
        for (name, value, unit) in [
            ("max_speed_m_s", limits.forward_m_s, "m/s"),
            ("max_turn_rad_s", limits.turn_rad_s, "rad/s"),
            ("max_wheel_speed_m_s", limits.wheel_m_s, "m/s"),
            ("acceleration_m_s2", limits.acceleration_m_s2, "m/s^2"),
            ("braking_m_s2", limits.braking_m_s2, "m/s^2"),
            ("turn_acceleration_rad_s2", limits.turn_acceleration_rad_s2, "rad/s^2"),
            ("wheel_base_m", self.wheel_base_m, "m"),
            ("wheel_radius_m", self.wheel_radius_m, "m"),
        ] {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be above 0"));
        }
        for (name, value) in [("speed_noise", self.speed_noise), ("turn_noise", self.turn_noise)] {
            let valid = (0.0..=1.0).contains(&value);
            problems.require(valid, name, format!("{value}; it must be from 0 to 1"));
        }
        problems.into_result().map(|()| limits)
    }
}
