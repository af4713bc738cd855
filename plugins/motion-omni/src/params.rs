//! What stands in the robot file's table.

use crate::neck::Neck;
use crate::stamina::Stamina;
use crate::wheels::Wheels;
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, PI};
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
    /// A neck turns as fast as this against the body, either way, rad/s; without it there is none.
    #[schemars(range(min = 0.001, max = 50.0))]
    pub neck_speed_rad_s: Option<f64>,
    /// The neck's lowest and highest angle against the body, radians; 0 is ahead, and within.
    pub neck_limits_rad: [f64; 2],
    /// The part of its stamina that a metre costs, 1/m; without it the robot never tires.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub stamina_per_m: Option<f64>,
    /// The part of its stamina that a second brings back, 1/s.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub stamina_recovery_per_s: f64,
    /// The part of its highest speed that is left to a robot without stamina.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub tired_speed_fraction: f64,
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
            neck_speed_rad_s: None,
            neck_limits_rad: [-FRAC_PI_2, FRAC_PI_2],
            stamina_per_m: None,
            stamina_recovery_per_s: 0.05,
            tired_speed_fraction: 0.3,
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
        self.check_neck(&mut problems);
        self.check_stamina(&mut problems);
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

    /// The neck that they mean, if any.
    pub fn neck(&self) -> Option<Neck> {
        let limits_rad = self.neck_limits_rad;
        self.neck_speed_rad_s.map(|speed_rad_s| Neck { speed_rad_s, limits_rad })
    }

    /// The stamina that they mean, if any.
    pub fn stamina(&self) -> Option<Stamina> {
        let (recovery_per_s, tired_speed_fraction) = (self.stamina_recovery_per_s, self.tired_speed_fraction);
        self.stamina_per_m.map(|per_m| Stamina { per_m, recovery_per_s, tired_speed_fraction })
    }

    fn check_neck(&self, problems: &mut SetupError) {
        let speed = self.neck_speed_rad_s.unwrap_or(1.0);
        let valid = speed.is_finite() && speed > 0.0;
        problems.require(valid, "neck_speed_rad_s", format!("{speed} rad/s; it must be above 0"));
        let [low, high] = self.neck_limits_rad;
        // Written so that NaN fails.
        let valid = low <= 0.0 && high >= 0.0 && low >= -PI - 1e-3 && high <= PI + 1e-3;
        let message =
            format!("[{low}, {high}] rad; they must be from -3.1416 to 3.1416, with 0 between them");
        problems.require(valid, "neck_limits_rad", message);
    }

    fn check_stamina(&self, problems: &mut SetupError) {
        for (name, value) in [
            ("stamina_per_m", self.stamina_per_m.unwrap_or(0.0)),
            ("stamina_recovery_per_s", self.stamina_recovery_per_s),
        ] {
            let valid = value.is_finite() && value >= 0.0;
            problems.require(valid, name, format!("{value}; it must be at least 0"));
        }
        let fraction = self.tired_speed_fraction;
        let valid = (0.0..=1.0).contains(&fraction);
        problems.require(valid, "tired_speed_fraction", format!("{fraction}; it must be from 0 to 1"));
    }
}
