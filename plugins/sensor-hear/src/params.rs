//! What stands in the robot file's table.

use schemars::JsonSchema;
use serde::Deserialize;
use touchline_plugin_api::plugin::SetupError;
use touchline_soccer_law::params::{ServerParams, SoccerParams};

/// The most messages that a reading can have.
const MAX_MESSAGES: u32 = 64;
/// The longest text that a reading can have, bytes.
const MAX_TEXT_BYTES: u32 = 2000;

/// Parameters of a player's ears.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HearParams {
    /// So many messages fit into a reading. Those whose words were heard come first; the rest is lost.
    #[schemars(range(min = 1, max = 64))]
    pub messages: u32,
    /// So many bytes of each text are told. 10 is that server's `say_msg_size`; what a coach says may be longer.
    #[schemars(range(min = 1, max = 2000))]
    pub text_bytes: u32,
    /// The parameters of the game that the referee has under the same names.
    pub server: ServerParams,
}

impl Default for HearParams {
    fn default() -> Self {
        let SoccerParams { server, .. } = SoccerParams::today();
        Self { messages: 8, text_bytes: server.say_msg_size.max(1) as u32, server }
    }
}

impl HearParams {
    /// Checks all of them.
    ///
    /// # Errors
    /// Names every parameter that is wrong.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut problems = SetupError::default();
        for (name, value, max) in
            [("messages", self.messages, MAX_MESSAGES), ("text_bytes", self.text_bytes, MAX_TEXT_BYTES)]
        {
            let is_allowed = (1..=max).contains(&value);
            problems.require(is_allowed, name, format!("{value}; it must be from 1 to {max}"));
        }
        if let Err(error) = self.server.check() {
            problems.require(false, "server", error.to_string());
        }
        problems.into_result()
    }
}
