//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of an attacker.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StrikerParams {
    /// How much of the robot's highest speeds it uses.
    #[schemars(range(min = 0.05, max = 1.0))]
    pub speed_fraction: f64,
    /// It shoots when the goal is nearer than this, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub shot_distance_m: f64,
    /// It shoots only if the ball will pass so near to where it aims, metres; without it whenever the goal is ahead.
    #[schemars(range(min = 0.01, max = 10.0))]
    pub shot_error_m: Option<f64>,
    /// The width of the opponent's goal, metres.
    #[schemars(range(min = 0.1, max = 20.0))]
    pub goal_width_m: f64,
    /// The width of the field; those who support stay inside, metres.
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub field_width_m: f64,
    /// The radius of the ball, metres.
    #[schemars(range(min = 0.005, max = 1.0))]
    pub ball_radius_m: f64,
    /// How much room it leaves between itself and the ball on its way around it, metres.
    #[schemars(range(min = 0.0, max = 5.0))]
    pub clearance_m: f64,
    /// How long it pushes without moving before it backs off, seconds.
    #[schemars(range(min = 0.1, max = 60.0))]
    pub stuck_after_secs: f64,
    /// The time between two of its radio messages, seconds.
    #[schemars(range(min = 0.01, max = 60.0))]
    pub radio_period_secs: f64,
    /// Whether it publishes what it is at and where it wants to go, three times in two seconds, as the annotation `plan`: it plays the same.
    pub thoughts: bool,
}

impl Default for StrikerParams {
    fn default() -> Self {
        Self {
            speed_fraction: 1.0,
            shot_distance_m: 3.5,
            shot_error_m: None,
            goal_width_m: 2.0,
            field_width_m: 5.0,
            ball_radius_m: 0.11,
            clearance_m: 0.15,
            stuck_after_secs: 1.0,
            radio_period_secs: 0.2,
            thoughts: false,
        }
    }
}

impl StrikerParams {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, value, unit) in [
            ("goal_width_m", self.goal_width_m, "m"),
            ("field_width_m", self.field_width_m, "m"),
            ("ball_radius_m", self.ball_radius_m, "m"),
            ("stuck_after_secs", self.stuck_after_secs, "s"),
            ("radio_period_secs", self.radio_period_secs, "s"),
        ] {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be above 0"));
        }
        for (name, value) in [("shot_distance_m", self.shot_distance_m), ("clearance_m", self.clearance_m)] {
            let valid = value.is_finite() && value >= 0.0;
            problems.require(valid, name, format!("{value} m; it must be 0 or above"));
        }
        if let Some(error_m) = self.shot_error_m {
            let valid = error_m.is_finite() && error_m > 0.0;
            problems.require(valid, "shot_error_m", format!("{error_m} m; it must be above 0"));
        }
        let valid = self.speed_fraction > 0.0 && self.speed_fraction <= 1.0;
        let message = format!("{}; it must be above 0 and at most 1", self.speed_fraction);
        problems.require(valid, "speed_fraction", message);
        problems.into_result()
    }
}
