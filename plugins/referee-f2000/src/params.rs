//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the league's referee.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
// For those who offer them as buttons; `x-commands` is explained in docs/plugins.md.
#[schemars(extend("x-commands" = crate::command::KNOWN))]
pub struct F2000Params {
    /// The field's extent along x, from goal line to goal line, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub field_length_m: f64,
    /// The field's extent along y, from side line to side line, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub field_width_m: f64,
    /// The playing time of one half, seconds.
    #[schemars(range(min = 1.0, max = 86_400.0))]
    pub half_time_secs: f64,
    /// How many halves there are.
    #[schemars(range(min = 1, max = 100))]
    pub halves: u32,
    /// The break between two halves, seconds.
    #[schemars(range(min = 0.0, max = 3_600.0))]
    pub break_secs: f64,
    /// For how long only the kick-off team may move, unless the ball moves before, seconds.
    #[schemars(range(min = 0.0, max = 60.0))]
    pub kick_off_secs: f64,
    /// A ball that has not moved for so long is dropped elsewhere, seconds; 0 lets it lie.
    #[schemars(range(min = 0.0, max = 3_600.0))]
    pub stuck_secs: f64,
    /// Less than this is no movement, metres.
    #[schemars(range(min = 0.001, max = 10.0))]
    pub stuck_distance_m: f64,
    /// A ball that was out is put at least so far inside the lines, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub restart_inset_m: f64,
    /// The team that kicks off the first half; the first team if not given.
    pub first_kick_off: Option<String>,
    /// Whether a kick of a robot that may not move now is refused: the ball then lies as it lay.
    pub refuse_kicks: bool,
    /// Whether the match starts by itself; otherwise it waits for the command START.
    pub auto_start: bool,
    /// Whether a goal ends the episode, in a world that is played in episodes; otherwise a kick-off follows.
    pub goal_ends_episode: bool,
    /// What each robot of the team that scores is paid for a goal; the other team's are paid the opposite.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_goal: f64,
    /// For each metre by which the first ball gets on from a team's goal to the other's; the other team's are paid the opposite.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub reward_progress_per_m: f64,
}

impl Default for F2000Params {
    fn default() -> Self {
        Self {
            field_length_m: 10.0,
            field_width_m: 5.0,
            half_time_secs: 600.0,
            halves: 2,
            break_secs: 3.0,
            kick_off_secs: 2.0,
            stuck_secs: 8.0,
            stuck_distance_m: 0.25,
            restart_inset_m: 0.5,
            first_kick_off: None,
            refuse_kicks: false,
            auto_start: true,
            goal_ends_episode: false,
            reward_goal: 0.0,
            reward_progress_per_m: 0.0,
        }
    }
}

impl F2000Params {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names every parameter that is out of its range.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, value, unit) in [
            ("field_length_m", self.field_length_m, "m"),
            ("field_width_m", self.field_width_m, "m"),
            ("half_time_secs", self.half_time_secs, "s"),
            ("stuck_distance_m", self.stuck_distance_m, "m"),
        ] {
            let valid = value.is_finite() && value > 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be above 0"));
        }
        for (name, value, unit) in [
            ("break_secs", self.break_secs, "s"),
            ("kick_off_secs", self.kick_off_secs, "s"),
            ("stuck_secs", self.stuck_secs, "s"),
        ] {
            let valid = value.is_finite() && value >= 0.0;
            problems.require(valid, name, format!("{value} {unit}; it must be 0 or above"));
        }
        let room_m = 0.5 * self.field_length_m.min(self.field_width_m);
        let valid = (0.0..room_m).contains(&self.restart_inset_m);
        let message = format!("{} m; it must be from 0 to half the field, {room_m} m", self.restart_inset_m);
        problems.require(valid, "restart_inset_m", message);
        for (name, value) in
            [("reward_goal", self.reward_goal), ("reward_progress_per_m", self.reward_progress_per_m)]
        {
            let valid = value.abs() <= 1000.0;
            problems.require(valid, name, format!("{value}; it must be from -1000 to 1000"));
        }
        problems.require(self.halves > 0, "halves", "0; there must be at least one");
        problems.into_result()
    }
}
