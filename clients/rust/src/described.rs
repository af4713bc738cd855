//! What a robot's numbers mean, from a text that was kept. [C7]

use crate::error::Error;
use touchline_board::{MessageReader, ProtocolError};
use touchline_plugin_api::player::RobotDescription;

/// Reads a description that was kept: what the server answers to `DESCRIBE`, and `touchline describe ROBOT` prints. No server is
/// needed to read it, nor for what [`Sensors::filled`](crate::Sensors::filled) does with it.
///
/// # Errors
/// When it is no description, or not whole.
pub fn read_description(text: &str) -> Result<RobotDescription, Error> {
    let mut reader = MessageReader::new();
    reader.extend(text.as_bytes());
    let message =
        reader.next_message()?.ok_or(ProtocolError::Missing("the end of the description".into()))?;
    Ok(touchline_board::read_description(&message)?.robot)
}
