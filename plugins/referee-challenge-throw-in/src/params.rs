//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the throw-in.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ThrowInRules {
    /// Which attempt this is, from 0; the challenge says it, and the ball's place is drawn whatever it is.
    pub attempt: u32,
    /// How many attempts there are; the challenge says it.
    #[schemars(range(min = 1))]
    pub attempts: u32,
    /// Where the robot is placed: its x, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub start_x_m: f64,
    /// Its y, metres.
    #[schemars(range(min = -1000.0, max = 1000.0))]
    pub start_y_m: f64,
    /// How far ahead of its centre the ball lies, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub ahead_m: f64,
    /// The ball's place is drawn: so far away from there at most, along x and along y, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub scatter_m: f64,
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
    pub throw_secs: f64,
    /// The ball's lowest point has to rise so high above the floor, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub rise_m: f64,
    /// A ball that is not faster rests, m/s.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub rest_m_s: f64,
}

impl Default for ThrowInRules {
    fn default() -> Self {
        Self {
            attempt: 0,
            attempts: 1,
            start_x_m: -15.0,
            start_y_m: 0.0,
            ahead_m: 0.6,
            scatter_m: 0.1,
            circle_m: 2.0,
            near_m: 0.4,
            start_secs: 3.0,
            throw_secs: 7.0,
            rise_m: 0.2,
            rest_m_s: 0.005,
        }
    }
}

impl ThrowInRules {
    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// When the robot is placed outside of the circle.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { ahead_m, scatter_m, circle_m, .. } = *self;
        let message = format!(
            "{ahead_m} m; with scatter_m = {scatter_m} the robot must stand within circle_m = {circle_m}"
        );
        problems.require(ahead_m + 2.0 * scatter_m < circle_m, "ahead_m", message);
        problems.into_result()
    }
}
