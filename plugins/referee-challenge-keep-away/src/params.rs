//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;

/// Parameters of keep-away.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KeepAwayRules {
    /// The side of the square at the beginning, around the field's centre, metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub side_m: f64,
    /// By how much it gets shorter, metres a minute.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub shrink_m_per_min: f64,
    /// The keepers are placed on a circle around the centre: its radius, as a part of half of the side.
    #[schemars(range(min = 0.1, max = 1.0))]
    pub ring_part: f64,
    /// Places are drawn: so far away at most, along x and along y, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub scatter_m: f64,
    /// How far ahead of the first keeper's centre the ball lies, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub ahead_m: f64,
    /// How long the taker is held before the clock starts, seconds.
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub ready_secs: f64,
    /// The taker has the ball if no more than this is between them, metres.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub take_m: f64,
}

impl Default for KeepAwayRules {
    fn default() -> Self {
        Self {
            side_m: 20.0,
            shrink_m_per_min: 4.0,
            ring_part: 0.5,
            scatter_m: 0.5,
            ahead_m: 0.4,
            ready_secs: 1.0,
            take_m: 0.02,
        }
    }
}

impl KeepAwayRules {
    /// Checks what a schema cannot say.
    ///
    /// # Errors
    /// When a keeper could be placed outside of the square.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let Self { side_m, ring_part, scatter_m, .. } = *self;
        let message = format!(
            "{ring_part}; with scatter_m = {scatter_m} the keepers must stand in a square of {side_m} m"
        );
        problems.require(ring_part * side_m / 2.0 + scatter_m <= side_m / 2.0, "ring_part", message);
        problems.into_result()
    }
}
