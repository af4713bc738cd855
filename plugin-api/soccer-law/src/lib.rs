//! The law of the RoboCup Soccer Server: what the league's plugins and its gateway share.
//!
//! Pure functions of plain numbers: no file, no socket, no clock; randomness is given ([`touchline_plugin_api::noise`]), sines and
//! logarithms are libm's. Frames and units are Touchline's (x to the right goal, y up, radians counter-clockwise, m/s) but where a name says
//! otherwise; a cycle is a step of 0.1 s.
//!
//! - [`face`]: what world, referee and players' bodies look like from outside: commands, motion data, words.
//! - [`PlayMode`]: the modes of play.
//! - [`body`]: what a player can do and what it costs; [`pitch`]: measures, areas and landmarks.
//! - [`sight`], [`hearing`]: what it sees and hears.
//! - [`params`]: the server's parameters under their own names; [`player_type`]: heterogeneous players.
//!
//! ```
//! use touchline_soccer_law::face::{RefereeCommand, Side};
//!
//! let line = "foul left 10 -5";
//! let command: RefereeCommand = line.parse()?;
//! assert_eq!(command, RefereeCommand::Foul { side: Side::Left, place: [10.0, -5.0] });
//! assert_eq!(command.to_string(), line);
//! # Ok::<(), touchline_soccer_law::face::BadCommand>(())
//! ```
//!
//! # Not here
//! Text on the wire, sockets, files: `touchline-soccer`. A world: the plugins.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod body;
pub mod face;
pub mod hearing;
pub mod params;
pub mod pitch;
mod play_mode;
pub mod player_type;
pub mod sight;

pub use play_mode::{PlayMode, SidedMode};
