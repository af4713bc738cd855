//! The RoboCup Soccer Server's formats: bytes in, typed values out, and back. [mechanism 2]
//!
//! Units and axes here are that server's: metres and degrees, x to the right goal, y **down**, angles clockwise, speeds in metres a cycle.
//! [`places`] turns them into ours, at this edge and nowhere else.
//!
//! ```
//! use touchline_soccer::log::GameLog;
//!
//! let text = b"ULG5\n(playmode 1 kick_off_l)\n(team 1 Reds Blues 0 0)\n";
//! let log = GameLog::read(text)?;
//! assert_eq!(log.records.len(), 2);
//! let mut again = Vec::new();
//! log.write(log.version, &mut again)?;
//! assert_eq!(again, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Not here
//! Files by name, but for the logs of a game that is played ([`service`]).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod awareness;
pub mod log;
pub mod number;
pub mod places;
pub mod service;
pub mod sessions;
mod sexpr;
pub mod state;
pub mod statistics;
pub mod wire;

pub use touchline_soccer_law::PlayMode;
