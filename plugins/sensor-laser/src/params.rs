//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{PI, TAU};
use touchline_plugin_api::layout::is_name;
use touchline_plugin_api::plugin::SetupError;

/// The most obstacles that can be asked for.
const MAX_OBSTACLES: u32 = 64;
/// What digits may be missing of a full turn, radians.
const FULL_TURN_SLACK_RAD: f64 = 1e-3;

/// What the sensor gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// The raw distances.
    Scan,
    /// Segments of adjacent returns.
    Obstacles,
    /// Where on the field the robot is.
    Pose,
}

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
    /// What it gives: each is a feature of its own.
    pub features: Vec<Content>,
    /// Adjacent returns that are farther from each other than this, and the gap between two beams, are two segments,
    /// metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub segment_gap_m: f64,
    /// A segment of fewer returns is no obstacle.
    #[schemars(range(min = 1, max = 4096))]
    pub obstacle_beams_min: u32,
    /// A wider segment is a wall and no obstacle, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub obstacle_width_max_m: f64,
    /// How many obstacles the list has room for.
    #[schemars(range(min = 1, max = 64))]
    pub max_obstacles: u32,
    /// Standard deviation of both coordinates of the pose, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub sigma_pose_m: f64,
    /// Standard deviation of the pose's heading, radians.
    #[schemars(range(min = 0.0, max = 3.1426))]
    pub sigma_pose_rad: f64,
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
            features: vec![Content::Scan],
            segment_gap_m: 0.15,
            obstacle_beams_min: 2,
            obstacle_width_max_m: 1.0,
            max_obstacles: 16,
            sigma_pose_m: 0.03,
            sigma_pose_rad: 0.02,
        }
    }
}

impl LaserParams {
    /// The field of view, radians. A full turn written with few digits is still a full turn: without a last edge beside the first.
    pub fn view_rad(&self) -> f64 {
        if self.field_of_view_rad >= TAU - FULL_TURN_SLACK_RAD { TAU } else { self.field_of_view_rad }
    }

    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { beams, field_of_view_rad: view, range_min_m: near, range_max_m: far, .. } = *self;
        problems.require((1..=4096).contains(&beams), "beams", format!("{beams}; it must be from 1 to 4096"));
        problems.require(
            view > 0.0 && view <= TAU + FULL_TURN_SLACK_RAD,
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
            self.feature.as_deref().is_none_or(is_name),
            "feature",
            "it must be 1 to 64 ASCII characters but space, \" and \\; leave it out for the default",
        );
        self.check_iconic(&mut problems);
        problems.into_result()
    }

    fn check_iconic(&self, problems: &mut SetupError) {
        let is_repeated = |i: usize| self.features[..i].contains(&self.features[i]);
        let problem = if self.features.is_empty() {
            Some("empty; the sensor has to give something")
        } else {
            (0..self.features.len()).any(is_repeated).then_some("one of them is named twice")
        };
        problems.require(problem.is_none(), "features", problem.unwrap_or_default());
        for (name, count, max) in [
            ("obstacle_beams_min", self.obstacle_beams_min, 4096),
            ("max_obstacles", self.max_obstacles, MAX_OBSTACLES),
        ] {
            let valid = (1..=max).contains(&count);
            problems.require(valid, name, format!("{count}; it must be from 1 to {max}"));
        }
        for (name, value) in [
            ("segment_gap_m", self.segment_gap_m),
            ("obstacle_width_max_m", self.obstacle_width_max_m),
            ("sigma_pose_m", self.sigma_pose_m),
            ("sigma_pose_rad", self.sigma_pose_rad),
        ] {
            let valid = value >= 0.0 && value.is_finite();
            problems.require(valid, name, format!("{value}; it must be at least 0"));
        }
    }

    /// The name of the scan.
    pub fn feature_name(&self) -> String {
        self.feature.clone().unwrap_or_else(|| {
            let degrees = self.field_of_view_rad.to_degrees().round();
            format!("{degrees}DegreeScan")
        })
    }
}
