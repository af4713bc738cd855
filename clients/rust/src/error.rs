//! What can go wrong.

use std::io;
use std::path::PathBuf;
use touchline_board::{Message, ProtocolError};
use touchline_kit::data::DataError;
use touchline_kit::mounts::UnknownTurn;
use touchline_plugin_api::container::NotFound;

/// Errors of a client of the message board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No server answers at this address.
    #[error("cannot connect to {address}: {source}; is the server running?")]
    Connect {
        /// Address that was tried.
        address: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The TCP connection failed.
    #[error("the connection to the server broke: {0}")]
    Connection(#[from] io::Error),
    /// The robot file cannot be read.
    #[error("cannot read robot file {}: {source}", path.display())]
    RobotFile {
        /// The file that cannot be read.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The builder was told of no robot.
    #[error("no robot is given: call robot_file, robot_text or robot_named before connect")]
    NoRobot,
    /// What answers is no Touchline server, or one of another protocol version.
    #[error("{0}")]
    NotOurServer(String),
    /// The server's bytes make no sense.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The server refused a command.
    #[error("{command} was refused: {message} [{code}]{}", .problems.iter().map(|p| format!("\n  {p}")).collect::<String>())]
    Refused {
        /// Word of the refused command.
        command: String,
        /// Such as `sim/no-such-robot`.
        code: String,
        /// Reason, for people.
        message: String,
        /// All that is wrong with a robot file, one line each.
        problems: Vec<String>,
    },
    /// The server ended the connection.
    #[error("the server ended the connection: {0}")]
    Closed(String),
    /// No answer came in time.
    #[error("no answer to {0} in time")]
    Timeout(String),
    /// The robot has no such sensor.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The sensor is on a neck, and the robot has no odometry that says how far that turns it.
    #[error(transparent)]
    UnknownTurn(#[from] UnknownTurn),
    /// The sensor was not read yet, was not selected, or has failed.
    #[error("no reading of {0}")]
    NoReading(String),
    /// The feature is not what the data object expects.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A text that cannot be sent.
    #[error("{0}")]
    BadText(&'static str),
}

impl Error {
    /// The server's refusal of a command.
    pub(crate) fn refused(command: &str, message: &Message) -> Self {
        Self::Refused {
            command: command.into(),
            code: message.at(0).unwrap_or("?").into(),
            message: message.at(1).unwrap_or("?").into(),
            problems: message.lines.clone(),
        }
    }
}
