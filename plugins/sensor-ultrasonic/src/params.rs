//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::plugin::SetupError;

/// The most sonars of one sensor.
pub const MAX_SONARS: usize = 64;

/// Parameters of one sonar, or of a ring of several.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UltrasonicParams {
    /// Where each sonar sits and where it looks, in the sensor's frame. Not together with `count`, `radius_m`, `arc_rad`.
    #[schemars(length(min = 1, max = 64))]
    pub mounts: Option<Vec<Pose2>>,
    /// How many sonars stand on an arc around the sensor's origin, all looking outwards. If it is not given: 1.
    #[schemars(range(min = 1, max = 64))]
    pub count: Option<u32>,
    /// The radius of that arc, metres. If it is not given: 0.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub radius_m: Option<f64>,
    /// The angle from the first sonar to the last, centred on the sensor's x axis, radians. If it is not given: a full
    /// turn, which begins at the x axis.
    #[schemars(range(min = 0.001, max = 6.284))]
    pub arc_rad: Option<f64>,
    /// The whole angle of the cone in which a sonar hears an echo, radians.
    #[schemars(range(min = 0.001, max = 3.142))]
    pub opening_angle_rad: f64,
    /// What is closer than this is read as -inf, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub range_min_m: f64,
    /// What is farther than this is read as +inf, metres.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub range_max_m: f64,
    /// The part of each range's standard deviation that is always the same, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub sigma_m: f64,
    /// The part of it that grows with the range, as a part of the range.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_range_relative: f64,
    /// A surface that is met under a larger angle against its normal throws the sound away, radians.
    #[schemars(range(min = 0.0, max = 1.571))]
    pub max_incidence_rad: f64,
    /// The probability with which an echo is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub dropout_probability: f64,
}

impl Default for UltrasonicParams {
    fn default() -> Self {
        Self {
            mounts: None,
            count: None,
            radius_m: None,
            arc_rad: None,
            opening_angle_rad: 0.52,
            range_min_m: 0.15,
            range_max_m: 5.0,
            sigma_m: 0.01,
            sigma_range_relative: 0.01,
            max_incidence_rad: FRAC_PI_2,
            dropout_probability: 0.0,
        }
    }
}

impl UltrasonicParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        self.check_places(&mut problems);
        let Self { opening_angle_rad: angle, range_min_m: near, range_max_m: far, .. } = *self;
        // Angles written with few digits are still half a turn, or a quarter.
        problems.require(
            angle > 0.0 && angle <= PI + 1e-3,
            "opening_angle_rad",
            format!("{angle} rad; it must be above 0 and at most 3.1416 (half a turn)"),
        );
        problems.require(
            near >= 0.0 && near < far && far.is_finite(),
            "range_min_m",
            format!("{near} m, with range_max_m = {far}; it must be at least 0 and below range_max_m"),
        );
        for (name, sigma) in [("sigma_m", self.sigma_m), ("sigma_range_relative", self.sigma_range_relative)]
        {
            let valid = sigma >= 0.0 && sigma.is_finite();
            problems.require(valid, name, format!("{sigma}; it must be at least 0"));
        }
        let incidence = self.max_incidence_rad;
        problems.require(
            (0.0..=FRAC_PI_2 + 1e-3).contains(&incidence),
            "max_incidence_rad",
            format!("{incidence} rad; it must be from 0 to 1.5708 (a quarter turn: no surface is a mirror)"),
        );
        problems.require(
            (0.0..=1.0).contains(&self.dropout_probability),
            "dropout_probability",
            format!("{}; it must be from 0 to 1", self.dropout_probability),
        );
        problems.into_result()
    }

    fn check_places(&self, problems: &mut SetupError) {
        if let Some(mounts) = &self.mounts {
            let is_ring = self.count.is_some() || self.radius_m.is_some() || self.arc_rad.is_some();
            let problem = if is_ring {
                Some("together with count, radius_m or arc_rad; give either these or mounts".to_owned())
            } else if !(1..=MAX_SONARS).contains(&mounts.len()) {
                Some(format!("{} sonars; there must be from 1 to {MAX_SONARS}", mounts.len()))
            } else {
                let wrong = mounts.iter().position(|mount| !mount.is_finite());
                wrong.map(|index| format!("number {index} is not finite"))
            };
            problems.require(problem.is_none(), "mounts", problem.unwrap_or_default());
        }
        let (count, radius, arc) =
            (self.count.unwrap_or(1), self.radius_m.unwrap_or(0.0), self.arc_rad.unwrap_or(TAU));
        problems.require(
            (1..=MAX_SONARS as u32).contains(&count),
            "count",
            format!("{count}; it must be from 1 to {MAX_SONARS}"),
        );
        problems.require(
            radius >= 0.0 && radius.is_finite(),
            "radius_m",
            format!("{radius} m; it must be at least 0"),
        );
        problems.require(
            arc > 0.0 && arc <= TAU + 1e-3,
            "arc_rad",
            format!("{arc} rad; it must be above 0 and at most 6.2832 (a full turn)"),
        );
    }

    /// Each sonar in the sensor's frame, counter-clockwise if they are on an arc.
    pub fn places(&self) -> Vec<Pose2> {
        if let Some(mounts) = &self.mounts {
            return mounts.clone();
        }
        let (count, radius_m) = (self.count.unwrap_or(1), self.radius_m.unwrap_or(0.0));
        let arc_rad = self.arc_rad.unwrap_or(TAU);
        let (first_rad, step_rad) = match count {
            1 => (0.0, 0.0),
            // A full turn written with few digits is still a full turn.
            _ if arc_rad >= TAU - 1e-3 => (0.0, TAU / f64::from(count)),
            _ => (-arc_rad / 2.0, arc_rad / f64::from(count - 1)),
        };
        let place = |index| {
            let theta_rad = first_rad + f64::from(index) * step_rad;
            let (sin, cos) = sin_cos(theta_rad);
            Pose2::new(radius_m * cos, radius_m * sin, theta_rad)
        };
        (0..count).map(place).collect()
    }
}
