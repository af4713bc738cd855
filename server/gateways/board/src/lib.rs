//! What both ends of the message board's protocol share: bytes in, bytes out. [C1-C7]
//!
//! A client writes [`Request`]s, and reads the server's bytes with a [`MessageReader`]. The server (`touchline-board-server`) writes
//! [`Reply`]s. Words, quotes, integers, selections and descriptions are read and written here, both ways in one file each. The written
//! grammar is `docs/protocol.md`.
//!
//! # Invariants
//! - Nothing here reads a socket or a clock, and nothing knows the simulation: clients are built from this.
//!
//! # Not here
//! Which commands there are, and what they do: `server/gateways/board-server/src/commands`, one file each.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod clock;
mod describe;
mod message;
mod quantised;
mod reply;
mod request;
mod role;
mod selection;
mod state;
mod text;

pub use clock::{ClockEstimate, ClockSync};
pub use describe::{Described, View, describe, read_description};
pub use message::{Message, MessageReader, ProtocolError};
pub use quantised::{FormattedSensor, ParseQuantisedError, format_quantised, parse_quantised};
pub use reply::{LineBuilder, Problem, Reply, Value, notice};
pub use request::{Request, RobotRef};
pub use role::Role;
pub use selection::{Selected, Selection, Term, UnknownTerm};
pub use state::{DataLine, StateReply, read_data_line};
pub use text::{BadText, Scanner, Word, write_text};

/// The version of the protocol, agreed in the first lines.
pub const PROTOCOL_VERSION: u32 = 1;
