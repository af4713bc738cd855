//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use touchline_plugin_api::plugin::SetupError;

/// What the goalkeeper does. (Y3)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// It stands where it was put.
    Still,
    /// It goes to a random place on its line, and after a while to another.
    Random,
    /// It goes from one end of its line to the other and back.
    Pattern,
    /// It stays between the ball and the middle of its goal, on its line.
    #[default]
    Block,
    /// It goes where a rolling ball will cross its line, and blocks otherwise.
    Intercept,
    /// One of random, pattern, block and intercept, chosen anew by chance every now and then.
    Mixed,
}

/// Parameters of a goalkeeper.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GoalkeeperParams {
    /// What it does.
    pub policy: Policy,
    /// Its skill, from 1 (easy to beat) to 5 (expert): sets `speed_fraction`, `reaction_secs` and `attention` unless they are given.
    #[schemars(range(min = 1, max = 5))]
    pub level: u32,
    /// How much of the robot's highest speeds it uses: its skill in moving. Without it, by the level.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub speed_fraction: Option<f64>,
    /// Its idea of the ball's place follows what it sees with this time constant, seconds: its skill in seeing. Without
    /// it, by the level.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub reaction_secs: Option<f64>,
    /// How much the policies random and pattern lean towards the place where block would stand: 0 not at all, 1 wholly.
    /// Without it, by the level.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub attention: Option<f64>,
    /// How long a random place is kept, and half of the time that the pattern takes, seconds.
    #[schemars(range(min = 0.1, max = 60.0))]
    pub plan_secs: f64,
    /// The width of its goal, metres.
    #[schemars(range(min = 0.1, max = 20.0))]
    pub goal_width_m: f64,
    /// How far in front of the middle of its goal line it starts, metres: its own line runs through there.
    #[schemars(range(min = 0.05, max = 10.0))]
    pub line_distance_m: f64,
    /// Whether it kicks a ball away that it has in front of its kicker.
    pub clears: bool,
    /// Whether it publishes where it wants to be and where it takes the ball to be, three times in two seconds, as the annotation `plan`: it plays the same.
    pub thoughts: bool,
}

impl Default for GoalkeeperParams {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            level: 5,
            speed_fraction: None,
            reaction_secs: None,
            attention: None,
            plan_secs: 1.5,
            goal_width_m: 2.0,
            line_distance_m: 0.5,
            clears: true,
            thoughts: false,
        }
    }
}

/// Speed fraction, reaction time and attention of each level, from easy to expert.
const LEVELS: [(f64, f64, f64); 5] =
    [(0.2, 0.8, 0.0), (0.35, 0.5, 0.1), (0.55, 0.3, 0.2), (0.75, 0.2, 0.3), (1.0, 0.05, 0.4)];

impl GoalkeeperParams {
    fn skill(&self) -> (f64, f64, f64) {
        LEVELS[(self.level.clamp(1, 5) - 1) as usize]
    }

    /// How much of the robot's highest speeds it uses.
    pub fn speed_fraction(&self) -> f64 {
        self.speed_fraction.unwrap_or(self.skill().0)
    }

    /// The time constant of its idea of the ball's place, seconds.
    pub fn reaction_secs(&self) -> f64 {
        self.reaction_secs.unwrap_or(self.skill().1)
    }

    /// How much a keeper that roams leans towards the place where it would block.
    pub fn attention(&self) -> f64 {
        self.attention.unwrap_or(self.skill().2)
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let message = format!("{}; it must be from 1 (easy) to 5 (expert)", self.level);
        problems.require((1..=5).contains(&self.level), "level", message);
        let speed = self.speed_fraction();
        let message = format!("{speed}; it must be above 0 and at most 1");
        problems.require(speed > 0.0 && speed <= 1.0, "speed_fraction", message);
        let reaction_secs = self.reaction_secs();
        let message = format!("{reaction_secs} s; it must be 0 or above");
        problems.require(reaction_secs.is_finite() && reaction_secs >= 0.0, "reaction_secs", message);
        let attention = self.attention();
        let message = format!("{attention}; it must be from 0 to 1");
        problems.require((0.0..=1.0).contains(&attention), "attention", message);
        let valid = (0.1..=60.0).contains(&self.plan_secs);
        problems.require(valid, "plan_secs", format!("{} s; it must be from 0.1 to 60", self.plan_secs));
        for (name, value) in [("goal_width_m", self.goal_width_m), ("line_distance_m", self.line_distance_m)]
        {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} m; it must be above 0"));
        }
        problems.into_result()
    }
}
