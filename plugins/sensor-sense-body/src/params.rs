//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;
use touchline_soccer_law::params::{PlayerParams, ServerParams};

/// The parameters that the players' types are drawn from: those of the world's referee, under the same names.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SenseBodyParams {
    /// Parameters of the game.
    pub server: ServerParams,
    /// Parameters of the players' types.
    pub player: PlayerParams,
}

impl SenseBodyParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (table, result) in [("server", self.server.check()), ("player", self.player.check())] {
            if let Err(error) = result {
                problems.require(false, table, error.to_string());
            }
        }
        problems.into_result()
    }
}
