//! What stands in the world file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use touchline_plugin_api::plugin::SetupError;

/// Parameters of a coach that rests its tired robots.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoachParams {
    /// The motion datum by which it tells who is tired.
    #[serde(default = "default_datum")]
    pub datum: String,
    /// Whoever's datum falls below this rests.
    #[serde(default = "default_below")]
    pub rest_below: f64,
    /// Whoever rests plays again from this value on.
    #[serde(default = "default_from")]
    pub play_from: f64,
    /// The player of a robot that rests.
    #[schemars(extend("format" = "player"))]
    pub rest: Chosen,
    /// The player of a robot that has rested.
    #[schemars(extend("format" = "player"))]
    pub play: Chosen,
}

/// A player plugin with its parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's own parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
}

fn default_datum() -> String {
    "stamina".into()
}

fn default_below() -> f64 {
    0.3
}

fn default_from() -> f64 {
    0.8
}

impl CoachParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        let (below, from) = (self.rest_below, self.play_from);
        let message = format!("{from}; it must be finite and at least rest_below, {below}");
        problems.require(below.is_finite() && from.is_finite() && from >= below, "play_from", message);
        problems.into_result()
    }
}
