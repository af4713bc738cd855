//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of kick accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KickRules {
    /// Which attempt this is, from 0; the challenge says it.
    pub attempt: u32,
    /// How many attempts there are; the challenge says it.
    #[schemars(range(min = 1))]
    pub attempts: u32,
    /// Where the ball shall come to rest: its x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub target_x_m: f64,
    /// Its y, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub target_y_m: f64,
    /// How far from the target the ball lies in the first attempt, metres.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub nearest_m: f64,
    /// How far in the last, metres.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub farthest_m: f64,
    /// How wide the cone is in which the ball lies, seen from the target, radians.
    #[schemars(range(min = 0.0, max = 6.3))]
    pub cone_rad: f64,
    /// How far behind the ball the robot stands, metres.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub behind_m: f64,
    /// The radius of the circle around the ball's place that the robot must not leave and the ball must, metres.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub circle_m: f64,
    /// The clock starts when the robot is nearer to the ball than this, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub near_m: f64,
    /// Or so long after it was placed, seconds.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub start_secs: f64,
    /// The ball has to leave the circle within this time of the clock, seconds.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub kick_secs: f64,
    /// A ball that is not faster rests, m/s.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub rest_m_s: f64,
    /// What it costs if the robot leaves the circle, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub leave_cost_m: f64,
}

impl Default for KickRules {
    fn default() -> Self {
        Self {
            attempt: 0,
            attempts: 1,
            target_x_m: 0.0,
            target_y_m: 0.0,
            nearest_m: 3.0,
            farthest_m: 12.0,
            cone_rad: std::f64::consts::FRAC_PI_4,
            behind_m: 1.0,
            circle_m: 2.0,
            near_m: 0.5,
            start_secs: 3.0,
            kick_secs: 5.0,
            rest_m_s: 0.005,
            leave_cost_m: 5.0,
        }
    }
}

impl KickRules {
    /// How far through the attempts this one is: 0 for the first, 1 for the last.
    pub fn part(&self) -> f64 {
        let last = self.attempts.saturating_sub(1);
        if last == 0 { 0.0 } else { f64::from(self.attempt.min(last)) / f64::from(last) }
    }

    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// Names every parameter that does not go with the others.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { attempt, attempts, nearest_m, farthest_m, behind_m, circle_m, .. } = *self;
        problems.require(
            attempt < attempts,
            "attempt",
            format!("{attempt}; it must be below attempts = {attempts}"),
        );
        let message = format!("{farthest_m} m; it must not be below nearest_m = {nearest_m}");
        problems.require(nearest_m <= farthest_m, "farthest_m", message);
        let message = format!("{behind_m} m; the robot must stand within circle_m = {circle_m}");
        problems.require(behind_m < circle_m, "behind_m", message);
        problems.into_result()
    }
}
