//! The message board's protocol: bytes in, bytes out. [C1-C7]
//!
//! A [`Session`] is the server's side of one connection. Received bytes go in, typed [`Request`]s come out; what
//! it can answer by itself (help, greeting, clock, mistakes) it answers. The program carries out the requests and
//! hands back [`Reply`]s; the session sends them in the order in which the commands came. A client reads the
//! server's bytes with a [`MessageReader`]. The written grammar is `docs/protocol.md`.
//!
//! # Invariants
//! - Nothing here reads a socket or a clock: bytes and times are arguments.
//! - However the bytes are cut into pieces, the same requests come out (`tests/split.rs`, and the fuzz target).
//! - All that a connection can make the server keep is bounded by its [`Limits`].
//!
//! # Not here
//! Sockets and timers: the program. What a command does: the simulation.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answers;
mod catalogue;
mod clock;
mod command;
mod counts;
mod describe;
mod lines;
mod message;
mod parse;
mod reply;
mod request;
mod selection;
mod session;
mod state;
pub mod testing;
mod text;

pub use answers::{
    BallRow, EventRow, HeardRow, MarkRow, Moments, MotionState, NamedRow, ParameterRow, PoseRow, RobotRow,
    Score, Status, TeamRow, events, files, heard, list, motion, parameters, players, referee_commands, score,
    status, timeline, world,
};
pub use catalogue::{COMMANDS, Command};
pub use clock::{ClockEstimate, ClockSync};
pub use command::{Role, Speed};
pub use counts::{FormattedSensor, ParseCountsError, format_counts, parse_counts};
pub use describe::{Described, View, describe, read_description};
pub use lines::{Line, LineBuffer};
pub use message::{Message, MessageReader, ProtocolError};
pub use reply::{LineBuilder, Problem, Reply, Value};
pub use request::{AddRobot, RecordOrder, Request, RobotRef, RobotSource, StartPlayer};
pub use selection::{Selected, Selection, Term, UnknownTerm};
pub use session::{Incoming, Limits, PushDue, Session, SessionConfig, Ticket};
pub use state::{DataLine, StateReply, read_data_line};
pub use text::{BadText, Scanner, Word, write_text};

/// The version of the protocol, agreed in the first lines.
pub const PROTOCOL_VERSION: u32 = 1;
