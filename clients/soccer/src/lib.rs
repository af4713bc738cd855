//! Our team as clients of the RoboCup Soccer Server's protocol (version 18): eleven players and a coach, for Touchline's server and for that one.
//!
//! [`Player`] and [`Coach`] are sans I/O: a datagram in, a datagram out. What a player does is decided by `touchline-soccer-team`, as in the plugin
//! `player-soccer`; what it knows it has from `see` and `sense_body` alone: where it is from landmarks ([`locate`]), and where others are from what it
//! saw last. [`play`] gives each a socket and a thread.
//!
//! Places and angles are the world's (x to the right goal, y up, radians counter-clockwise), turned to the team's where it decides.
//!
//! ```
//! use touchline_soccer_client::Player;
//!
//! let mut player = Player::new("Reds", true);
//! assert_eq!(player.hello(), "(init Reds (version 18) (goalie))");
//! assert_eq!(player.told("(init r 1 before_kick_off)")?, Some("(change_view narrow)".to_owned()));
//! # Ok::<(), touchline_soccer_client::Refused>(())
//! ```
//!
//! # Not here
//! What is said to mates: nothing is.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod coach;
mod place;
mod player;
mod sexpr;
mod sights;
mod team;
mod told;

pub use coach::Coach;
pub use place::{Located, Mark, locate};
pub use player::Player;
pub use team::{PlayError, Team, play};
pub use told::Refused;

#[cfg(test)]
mod tests;
