//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the goalie challenge.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GoalieRules {
    /// Which attempt this is, from 0; the challenge says it, and the shot is drawn whatever it is.
    pub attempt: u32,
    /// How many attempts there are; the challenge says it.
    #[schemars(range(min = 1))]
    pub attempts: u32,
    /// The goal line's x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub goal_x_m: f64,
    /// From post to post, metres.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub goal_width_m: f64,
    /// How far before the goal line the keeper's centre may be, metres.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub area_depth_m: f64,
    /// How wide the keeper's area is, metres.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub area_width_m: f64,
    /// How far before the goal line the keeper is placed, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub keeper_m: f64,
    /// The shortest way from a shot to the goal's middle, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub nearest_m: f64,
    /// The longest, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub farthest_m: f64,
    /// How wide the cone is from which shots come, seen from the goal's middle, radians.
    #[schemars(range(min = 0.0, max = 3.1))]
    pub spread_rad: f64,
    /// How fast the slowest shot is, m/s.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub slowest_m_s: f64,
    /// How fast the fastest shot is, m/s.
    #[schemars(range(min = 0.1, max = 100.0))]
    pub fastest_m_s: f64,
    /// How long the ball lies still before it is shot, seconds.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub ready_secs: f64,
    /// How long a shot takes at most, seconds.
    #[schemars(range(min = 0.1, max = 3600.0))]
    pub shot_secs: f64,
    /// A ball that is not faster rests, m/s.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub rest_m_s: f64,
}

impl Default for GoalieRules {
    fn default() -> Self {
        Self {
            attempt: 0,
            attempts: 1,
            goal_x_m: 15.0,
            goal_width_m: 2.1,
            area_depth_m: 1.8,
            area_width_m: 3.9,
            keeper_m: 0.3,
            nearest_m: 4.0,
            farthest_m: 7.0,
            spread_rad: 1.2,
            slowest_m_s: 4.0,
            fastest_m_s: 6.0,
            ready_secs: 1.0,
            shot_secs: 15.0,
            rest_m_s: 0.02,
        }
    }
}

impl GoalieRules {
    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// Names every parameter that does not go with the others.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { nearest_m, farthest_m, slowest_m_s, fastest_m_s, keeper_m, area_depth_m, .. } = *self;
        let message = format!("{farthest_m} m; it must not be below nearest_m = {nearest_m}");
        problems.require(nearest_m <= farthest_m, "farthest_m", message);
        let message = format!("{fastest_m_s} m/s; it must not be below slowest_m_s = {slowest_m_s}");
        problems.require(slowest_m_s <= fastest_m_s, "fastest_m_s", message);
        let message = format!("{keeper_m} m; it must be within area_depth_m = {area_depth_m}");
        problems.require(keeper_m < area_depth_m, "keeper_m", message);
        problems.into_result()
    }
}
