//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use touchline_plugin_api::plugin::SetupError;

/// The most rows of a list that a camera can be asked for.
pub const MAX_ROWS: usize = 32;

/// What a camera recognises.
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
}

/// Parameters of an iconic camera.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CameraParams {
    /// The horizontal opening angle, centred on the sensor's x axis, radians.
    #[schemars(range(min = 0.001, max = 6.284))]
    pub field_of_view_rad: f64,
    /// The narrowest and the widest opening angle that its player or client can set, radians; without them the angle stays.
    pub view_width_limits_rad: Option<[f64; 2]>,
    /// What is farther is not seen, metres.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub range_max_m: f64,
    /// What it recognises: each is a feature of its own.
    pub features: Vec<Thing>,
    /// How many posts the list has room for.
    #[schemars(range(min = 1, max = 32))]
    pub max_posts: u32,
    /// Whether the list of posts says which fixture each post is; otherwise posts of one kind look alike.
    pub named_posts: bool,
    /// How many robots the list has room for.
    #[schemars(range(min = 1, max = 32))]
    pub max_robots: u32,
    /// Standard deviation of each bearing, radians.
    #[schemars(range(min = 0.0, max = 3.0))]
    pub sigma_bearing_rad: f64,
    /// Standard deviation of each distance, as a part of it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sigma_distance_relative: f64,
    /// The probability with which a thing in view is not recognised.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub false_negative_probability: f64,
    /// Whether solid things hide a ball behind them.
    pub occlusion: bool,
}

impl Default for CameraParams {
    fn default() -> Self {
        Self {
            field_of_view_rad: 0.85,
            view_width_limits_rad: None,
            range_max_m: 8.0,
            features: vec![Thing::Ball, Thing::Goals, Thing::Posts, Thing::Robots],
            max_posts: 8,
            named_posts: false,
            max_robots: 8,
            sigma_bearing_rad: 0.01,
            sigma_distance_relative: 0.05,
            false_negative_probability: 0.0,
            occlusion: true,
        }
    }
}

impl CameraParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let (view, range) = (self.field_of_view_rad, self.range_max_m);
        // A full turn written with few digits is still a full turn.
        problems.require(
            view > 0.0 && view <= TAU + 1e-3,
            "field_of_view_rad",
            format!("{view} rad; it must be above 0 and at most 6.2832 (a full turn)"),
        );
        if let Some([low, high]) = self.view_width_limits_rad {
            // Written so that NaN fails.
            let valid = low > 0.0 && low <= view && view <= high && high <= TAU + 1e-3;
            let message = format!(
                "[{low}, {high}] rad; they must be above 0, at most 6.2832, and with field_of_view_rad between them"
            );
            problems.require(valid, "view_width_limits_rad", message);
        }
        problems.require(
            range > 0.0 && range.is_finite(),
            "range_max_m",
            format!("{range} m; it must be above 0"),
        );
        let is_repeated = |i: usize| self.features[..i].contains(&self.features[i]);
        let problem = if self.features.is_empty() {
            Some("empty; a camera has to recognise something")
        } else {
            (0..self.features.len()).any(is_repeated).then_some("one of them is named twice")
        };
        problems.require(problem.is_none(), "features", problem.unwrap_or_default());
        for (name, max) in [("max_posts", self.max_posts), ("max_robots", self.max_robots)] {
            let valid = (1..=MAX_ROWS as u32).contains(&max);
            problems.require(valid, name, format!("{max}; it must be from 1 to {MAX_ROWS}"));
        }
        for (name, sigma) in [
            ("sigma_bearing_rad", self.sigma_bearing_rad),
            ("sigma_distance_relative", self.sigma_distance_relative),
        ] {
            let valid = sigma.is_finite() && sigma >= 0.0;
            problems.require(valid, name, format!("{sigma}; it must be at least 0"));
        }
        problems.require(
            (0.0..=1.0).contains(&self.false_negative_probability),
            "false_negative_probability",
            format!("{}; it must be from 0 to 1", self.false_negative_probability),
        );
        problems.into_result()
    }
}
