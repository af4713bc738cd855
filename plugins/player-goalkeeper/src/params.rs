//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// What the goalkeeper does. (Y3)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// It stands where it was put.
    Still,
    /// It stays between the ball and the middle of its goal, on its line.
    #[default]
    Block,
}

/// Parameters of a goalkeeper.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GoalkeeperParams {
    /// What it does.
    pub policy: Policy,
    /// How much of the robot's highest speeds it uses: its skill in moving.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub speed_fraction: f64,
    /// Its idea of the ball's place follows what it sees with this time constant, seconds: its skill in seeing.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub reaction_secs: f64,
    /// The width of its goal, metres.
    #[schemars(range(min = 0.1, max = 20.0))]
    pub goal_width_m: f64,
    /// How far in front of the middle of its goal line it starts, metres: its own line runs through there.
    #[schemars(range(min = 0.05, max = 10.0))]
    pub line_distance_m: f64,
    /// Whether it kicks a ball away that it has in front of its kicker.
    pub clears: bool,
}

impl Default for GoalkeeperParams {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            speed_fraction: 1.0,
            reaction_secs: 0.1,
            goal_width_m: 2.0,
            line_distance_m: 0.5,
            clears: true,
        }
    }
}

impl GoalkeeperParams {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let speed = self.speed_fraction;
        let message = format!("{speed}; it must be above 0 and at most 1");
        problems.require(speed > 0.0 && speed <= 1.0, "speed_fraction", message);
        let reaction_secs = self.reaction_secs;
        let message = format!("{reaction_secs} s; it must be 0 or above");
        problems.require(reaction_secs.is_finite() && reaction_secs >= 0.0, "reaction_secs", message);
        for (name, value) in [("goal_width_m", self.goal_width_m), ("line_distance_m", self.line_distance_m)]
        {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} m; it must be above 0"));
        }
        problems.into_result()
    }
}
