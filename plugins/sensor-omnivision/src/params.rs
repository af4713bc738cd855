//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use touchline_plugin_api::plugin::SetupError;

/// The most rows of a list.
const MAX_ROWS: u32 = 32;
/// The most scan lines.
const MAX_RAYS: u32 = 720;
/// The most crossings of one scan line.
const MAX_CROSSINGS: u32 = 16;
/// What digits may be missing of a full turn, radians.
const FULL_TURN_SLACK_RAD: f64 = 1e-3;

/// What the sensor recognises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Thing {
    /// The nearest ball.
    Ball,
    /// The goals.
    Goals,
    /// Corner posts and goal posts.
    Posts,
    /// Other robots.
    Robots,
    /// Where scan lines cross the field's lines.
    Lines,
}

/// Parameters of an iconic camera that looks into a mirror above it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OmnivisionParams {
    /// What it recognises: each is a feature of its own.
    pub features: Vec<Thing>,
    /// The horizontal opening angle, centred on the sensor's x axis, radians.
    #[schemars(range(min = 0.001, max = 6.284))]
    pub field_of_view_rad: f64,
    /// What is farther is not seen, metres.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub range_max_m: f64,
    /// How many posts the list has room for.
    #[schemars(range(min = 1, max = 32))]
    pub max_posts: u32,
    /// How many robots the list has room for.
    #[schemars(range(min = 1, max = 32))]
    pub max_robots: u32,
    /// How many scan lines look for the field's lines, spread evenly over the field of view.
    #[schemars(range(min = 1, max = 720))]
    pub line_rays: u32,
    /// How many crossings of each scan line there is room for.
    #[schemars(range(min = 1, max = 16))]
    pub line_crossings: u32,
    /// Crossings that are closer are not seen: the robot's own body is in the way, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub line_range_min_m: f64,
    /// Crossings that are farther are not seen, metres.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub line_range_max_m: f64,
    /// Standard deviation of each bearing, radians.
    #[schemars(range(min = 0.0, max = 3.0))]
    pub sigma_bearing_rad: f64,
    /// The part of each distance's standard deviation that is a part of the distance.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_distance_relative: f64,
    /// Standard deviation of the angle below the horizon from which a distance is worked out, radians.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_elevation_rad: f64,
    /// The probability with which a thing in view, or a crossing, is not recognised.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub false_negative_probability: f64,
    /// Whether solid things hide balls and lines behind them.
    pub occlusion: bool,
}

impl Default for OmnivisionParams {
    fn default() -> Self {
        Self {
            features: vec![Thing::Ball, Thing::Goals, Thing::Posts, Thing::Robots, Thing::Lines],
            field_of_view_rad: TAU,
            range_max_m: 7.0,
            max_posts: 8,
            max_robots: 8,
            line_rays: 72,
            line_crossings: 3,
            line_range_min_m: 0.3,
            line_range_max_m: 5.0,
            sigma_bearing_rad: 0.02,
            sigma_distance_relative: 0.03,
            sigma_elevation_rad: 0.005,
            false_negative_probability: 0.0,
            occlusion: true,
        }
    }
}

impl OmnivisionParams {
    /// The field of view, radians. A full turn written with few digits is still a full turn: without a last edge beside the first.
    pub fn view_rad(&self) -> f64 {
        if self.field_of_view_rad >= TAU - FULL_TURN_SLACK_RAD { TAU } else { self.field_of_view_rad }
    }

    /// Checks all of them; `height_m` is the sensor's above the floor.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self, height_m: f64) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let is_repeated = |i: usize| self.features[..i].contains(&self.features[i]);
        let problem = if self.features.is_empty() {
            Some("empty; the sensor has to recognise something")
        } else {
            (0..self.features.len()).any(is_repeated).then_some("one of them is named twice")
        };
        problems.require(problem.is_none(), "features", problem.unwrap_or_default());
        let view = self.field_of_view_rad;
        problems.require(
            view > 0.0 && view <= TAU + FULL_TURN_SLACK_RAD,
            "field_of_view_rad",
            format!("{view} rad; it must be above 0 and at most 6.2832 (a full turn)"),
        );
        for (name, count, max) in [
            ("max_posts", self.max_posts, MAX_ROWS),
            ("max_robots", self.max_robots, MAX_ROWS),
            ("line_rays", self.line_rays, MAX_RAYS),
            ("line_crossings", self.line_crossings, MAX_CROSSINGS),
        ] {
            let valid = (1..=max).contains(&count);
            problems.require(valid, name, format!("{count}; it must be from 1 to {max}"));
        }
        let (near, far) = (self.line_range_min_m, self.line_range_max_m);
        problems.require(
            near >= 0.0 && near < far,
            "line_range_min_m",
            format!("{near} m, with line_range_max_m = {far}; it must be at least 0 and below that"),
        );
        for (name, range) in [("range_max_m", self.range_max_m), ("line_range_max_m", far)] {
            let valid = range > 0.0 && range.is_finite();
            problems.require(valid, name, format!("{range} m; it must be above 0"));
        }
        for (name, sigma) in [
            ("sigma_bearing_rad", self.sigma_bearing_rad),
            ("sigma_distance_relative", self.sigma_distance_relative),
            ("sigma_elevation_rad", self.sigma_elevation_rad),
        ] {
            let valid = sigma.is_finite() && sigma >= 0.0;
            problems.require(valid, name, format!("{sigma}; it must be at least 0"));
        }
        problems.require(
            self.sigma_elevation_rad == 0.0 || height_m > 0.0,
            "sigma_elevation_rad",
            format!("the sensor's height is {height_m} m; set z_m in its mount above 0, or this to 0"),
        );
        problems.require(
            (0.0..=1.0).contains(&self.false_negative_probability),
            "false_negative_probability",
            format!("{}; it must be from 0 to 1", self.false_negative_probability),
        );
        problems.into_result()
    }
}
