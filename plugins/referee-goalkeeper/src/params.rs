//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the goalkeeper benchmark's rules.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GoalkeeperRules {
    /// The team that defends; the last team if not given. All other robots attack.
    pub keeper_team: Option<String>,
    /// The half field's line that is far from the goal: its x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub near_line_x_m: f64,
    /// The goal line's x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub goal_line_x_m: f64,
    /// From side line to side line, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub field_width_m: f64,
    /// How far the goal area reaches into the field, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub goal_area_depth_m: f64,
    /// The goal area's width, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub goal_area_width_m: f64,
    /// An attacker may be in the goal area for so long, seconds; 0 for ever.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub area_secs: f64,
    /// An attacker may push the keeper for so long in one attack, seconds; 0 for ever.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub push_secs: f64,
    /// An attacker that touches the keeper and moves towards it faster than this pushes it, m/s.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub push_speed_m_s: f64,
    /// The keeper has the ball if it keeps it within its reach for so long, seconds.
    #[schemars(range(min = 0.01, max = 3600.0))]
    pub hold_secs: f64,
    /// The ball is within reach if there is no wider gap between its circle and the keeper's, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub hold_distance_m: f64,
    /// The keeper has cleared the ball if it touched it last and the gap is wider than this, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub clear_distance_m: f64,
    /// What each attacker is paid for a goal; the keeper is always paid the opposite of what an attacker is paid.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_goal: f64,
    /// For a ball that the keeper saved.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_saved: f64,
    /// For a ball that went out.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_out: f64,
    /// For a foul.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_foul: f64,
    /// For each metre by which the ball comes nearer to the goal's mouth.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_progress_per_m: f64,
    /// For each metre by which the nearest attacker comes nearer to the ball, until one has touched it.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_approach_per_m: f64,
    /// For each second that passes.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_per_s: f64,
}

impl Default for GoalkeeperRules {
    fn default() -> Self {
        Self {
            keeper_team: None,
            near_line_x_m: 0.0,
            goal_line_x_m: 5.0,
            field_width_m: 5.0,
            goal_area_depth_m: 0.5,
            goal_area_width_m: 2.5,
            area_secs: 5.0,
            push_secs: 0.3,
            push_speed_m_s: 0.1,
            hold_secs: 1.0,
            hold_distance_m: 0.05,
            clear_distance_m: 1.0,
            reward_goal: 1.0,
            reward_saved: -0.2,
            reward_out: -0.2,
            reward_foul: -0.5,
            reward_progress_per_m: 0.0,
            reward_approach_per_m: 0.0,
            reward_per_s: 0.0,
        }
    }
}

impl GoalkeeperRules {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let lines = self.goal_line_x_m - self.near_line_x_m;
        let message =
            format!("{} m; it must lie beyond near_line_x_m = {}", self.goal_line_x_m, self.near_line_x_m);
        problems.require(lines.is_finite() && lines > 0.0, "goal_line_x_m", message);
        for (name, value, unit) in
            [("field_width_m", self.field_width_m, "m"), ("hold_secs", self.hold_secs, "s")]
        {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be above 0"));
        }
        for (name, value, unit) in [
            ("goal_area_depth_m", self.goal_area_depth_m, "m"),
            ("goal_area_width_m", self.goal_area_width_m, "m"),
            ("area_secs", self.area_secs, "s"),
            ("push_secs", self.push_secs, "s"),
            ("push_speed_m_s", self.push_speed_m_s, "m/s"),
            ("hold_distance_m", self.hold_distance_m, "m"),
            ("clear_distance_m", self.clear_distance_m, "m"),
        ] {
            let valid = value.is_finite() && value >= 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be 0 or above"));
        }
        for (name, value) in [
            ("reward_goal", self.reward_goal),
            ("reward_saved", self.reward_saved),
            ("reward_out", self.reward_out),
            ("reward_foul", self.reward_foul),
            ("reward_progress_per_m", self.reward_progress_per_m),
            ("reward_approach_per_m", self.reward_approach_per_m),
            ("reward_per_s", self.reward_per_s),
        ] {
            let valid = value.abs() <= 1000.0;
            problems.require(valid, name, format!("{value}; it must be from -1000 to 1000"));
        }
        problems.into_result()
    }
}
