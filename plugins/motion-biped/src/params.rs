//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a robot on two legs; the defaults are those of a small humanoid.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BipedParams {
    /// Highest speed forward and backward, m/s.
    #[schemars(range(min = 0.001, max = 20.0))]
    pub max_forward_m_s: f64,
    /// Highest speed to a side, m/s.
    #[schemars(range(min = 0.001, max = 20.0))]
    pub max_left_m_s: f64,
    /// Highest turning speed, either way, rad/s.
    #[schemars(range(min = 0.001, max = 50.0))]
    pub max_turn_rad_s: f64,
    /// How fast it gains and loses speed with a foot on the ground, m/s^2.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub acceleration_m_s2: f64,
    /// How fast it gains and loses turning speed with a foot on the ground, rad/s^2.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub turn_acceleration_rad_s2: f64,
    /// How many steps it makes, 1/s; left and right are two.
    #[schemars(range(min = 0.1, max = 50.0))]
    pub steps_per_s: f64,
    /// From the hip to the ground, metres.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub leg_length_m: f64,
    /// How much of the time it is in the air, for each 1 that its Froude number is above 1/2; as much below it is on both feet.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub air_share_per_froude: f64,
    /// The largest share of the time in the air.
    #[schemars(range(min = 0.0, max = 0.9))]
    pub max_air_share: f64,
    /// How often it falls by itself at its highest speed, 1/s; at others as the square of the speed.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub fall_rate_per_s: f64,
    /// It falls if something changes its velocity by more than this in a step, m/s.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub push_m_s: f64,
    /// How long it lies after a fall, seconds.
    #[schemars(range(min = 0.001, max = 3600.0))]
    pub lie_secs: f64,
}

impl Default for BipedParams {
    fn default() -> Self {
        Self {
            max_forward_m_s: 1.5,
            max_left_m_s: 0.6,
            max_turn_rad_s: 2.5,
            acceleration_m_s2: 1.5,
            turn_acceleration_rad_s2: 10.0,
            steps_per_s: 4.7,
            leg_length_m: 0.248,
            air_share_per_froude: 0.6,
            max_air_share: 0.5,
            fall_rate_per_s: 0.02,
            push_m_s: 0.3,
            lie_secs: 2.5,
        }
    }
}

impl BipedParams {
    /// Checks that the numbers are numbers.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, value, unit) in [
            ("max_forward_m_s", self.max_forward_m_s, "m/s"),
            ("max_left_m_s", self.max_left_m_s, "m/s"),
            ("max_turn_rad_s", self.max_turn_rad_s, "rad/s"),
            ("acceleration_m_s2", self.acceleration_m_s2, "m/s^2"),
            ("turn_acceleration_rad_s2", self.turn_acceleration_rad_s2, "rad/s^2"),
            ("steps_per_s", self.steps_per_s, "1/s"),
            ("leg_length_m", self.leg_length_m, "m"),
            ("push_m_s", self.push_m_s, "m/s"),
            ("lie_secs", self.lie_secs, "s"),
        ] {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be above 0"));
        }
        for (name, value, most) in [
            ("air_share_per_froude", self.air_share_per_froude, 10.0),
            ("max_air_share", self.max_air_share, 0.9),
            ("fall_rate_per_s", self.fall_rate_per_s, 100.0),
        ] {
            let valid = (0.0..=most).contains(&value);
            problems.require(valid, name, format!("{value}; it must be from 0 to {most}"));
        }
        problems.into_result()
    }
}
