//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of the rolling ball.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RollingBallRules {
    /// Which attempt this is, from 0; the challenge says it, and the ball's way is drawn whatever it is.
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
    /// The ball is pushed towards a place so far ahead of the robot's centre, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub ahead_m: f64,
    /// That place is drawn: so far away from there at most, along x and along y, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub scatter_m: f64,
    /// How near to that place the ball lies at the nearest, metres.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub nearest_m: f64,
    /// How far at the farthest, metres.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub farthest_m: f64,
    /// How wide the cone is from which it comes, radians: half of it to each side of +x.
    #[schemars(range(min = 0.0, max = 6.3))]
    pub cone_rad: f64,
    /// How fast it is pushed, for each metre that it lies away, 1/s.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub speed_per_s: f64,
    /// How long it lies still before it is pushed, seconds.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub ready_secs: f64,
    /// The robot may go so far forward, metres.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub leave_m: f64,
    /// A ball that is not faster rests, m/s.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub rest_m_s: f64,
    /// How long the ball may roll, seconds.
    #[schemars(range(min = 0.1, max = 3600.0))]
    pub roll_secs: f64,
    /// What a fall costs, metres.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fall_cost_m: f64,
}

impl Default for RollingBallRules {
    fn default() -> Self {
        Self {
            attempt: 0,
            attempts: 1,
            start_x_m: -12.0,
            start_y_m: 0.0,
            ahead_m: 0.15,
            scatter_m: 0.05,
            nearest_m: 1.0,
            farthest_m: 4.0,
            cone_rad: std::f64::consts::PI,
            speed_per_s: 2.0,
            ready_secs: 5.0,
            leave_m: 1.5,
            rest_m_s: 0.005,
            roll_secs: 30.0,
            fall_cost_m: 3.0,
        }
    }
}

impl RollingBallRules {
    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// When the nearest ball is farther than the farthest.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { nearest_m, farthest_m, .. } = *self;
        let message = format!("{farthest_m} m; it must not be below nearest_m = {nearest_m}");
        problems.require(nearest_m <= farthest_m, "farthest_m", message);
        problems.into_result()
    }
}
