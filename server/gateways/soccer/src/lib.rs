//! The RoboCup Soccer Server's formats: bytes in, typed values out, and back. [mechanism 2]
//!
//! Units and axes here are that server's: metres and degrees, x to the right goal, y **down**, angles clockwise, speeds in metres a cycle.
//! [`places`] turns them into ours, at this edge and nowhere else.
//!
//! ```
//! use touchline_soccer::log::{GameLog, Record, TextVersion};
//!
//! let text = b"ULG5\n(playmode 1 kick_off_l)\n(team 1 Reds Blues 0 0)\n";
//! let log = GameLog::read(text)?;
//! assert_eq!(log.records.len(), 2);
//! let mut again = Vec::new();
//! log.write_text(TextVersion::V5, &mut again)?;
//! assert_eq!(again, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Not here
//! Sockets, files by name. Players over the network: their protocol is not spoken yet.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod log;
pub mod number;
pub mod places;
mod play_mode;
mod sexpr;

pub use play_mode::PlayMode;
