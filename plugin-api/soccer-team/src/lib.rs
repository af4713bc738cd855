//! How our team plays the RoboCup Soccer Server's game: one pure function from what a player knows to what its body does.
//!
//! [`decide`] takes a [`Scene`] and gives a [`Decision`]. No world, no socket, no chance: a player plugin and a client over the network can call the same function.
//!
//! Everything is in the team's own frame: metres, the own goal at x = -52.5, the opponents' at x = 52.5, y to the left of who looks from the own goal to theirs, angles in radians
//! counter-clockwise, velocities in metres a cycle. [`Frame`] turns from and to the world's.
//!
//! ```
//! use touchline_soccer_law::{face::BodyCommand, params::ServerParams, player_type::PlayerType};
//! use touchline_soccer_team::{Mover, Play, Scene, decide};
//!
//! let server = ServerParams::today();
//! let kind = PlayerType::default_of(&server);
//! let me = Mover { place: [40.0, 0.0], ..Mover::default() };
//! let ball = Mover { place: [40.6, 0.0], ..Mover::default() };
//! let mut scene = Scene::new(&server, &kind, 9, me, ball);
//! scene.play = Play::On;
//! // Nobody is between it and the goal: it shoots.
//! assert!(matches!(decide(&scene).command, BodyCommand::Kick { power, .. } if power > 90.0));
//! ```
//!
//! # Not here
//! Localisation and memory of what was seen: a scene says where things are. What is said to mates: nothing is.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod attack;
mod ball;
mod decide;
mod formation;
mod goalkeeper;
pub mod half_field;
pub mod keepaway;
mod kick;
mod reach;
mod restraint;
mod run;
mod scene;
mod series;
mod shoot_out;
mod vector;

pub use ball::{arrival, places_after, start_speed};
pub use decide::{Decision, decide};
pub use formation::{home, kick_off_place};
pub use kick::{Kick, kick_for, kickable_distance, top_speed};
pub use reach::{cycles_to_ball, travelled};
pub use restraint::Restraint;
pub use scene::{Frame, Mover, Play, Scene};

#[cfg(test)]
mod tests;
