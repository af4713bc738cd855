//! A robot's client: joins a running match with its own robot file, reads the robot's sensors, drives it. [C2-C5, C8]
//!
//! ```no_run
//! use touchline_client::{Client, Query, data::BallSighting};
//!
//! # fn main() -> Result<(), touchline_client::Error> {
//! let client = Client::builder().name("chaser").robot_file("robots/pioneer.toml").connect("127.0.0.1:7050")?;
//! loop {
//!     let sensors = client.next_sensors()?;
//!     let ball: BallSighting = sensors.read(&Query::feature("ball"))?.decode()?;
//!     match ball.ball {
//!         Some(ball) => client.twist(0.4, 0.0, 2.0 * ball.bearing_rad)?,
//!         None => client.twist(0.0, 0.0, 0.5)?,
//!     }
//! }
//! # }
//! ```
//!
//! [`Client::builder`] says who joins; connecting synchronises the clocks, sends the robot file, and asks what the
//! robot's numbers mean. From then on a thread of its own asks for the sensors once in each cycle (100 ms unless
//! told otherwise), and [`Client::sensors`] gives the newest ones, all of one step. Dropping the client ends the
//! connection, and its robot goes.
//!
//! # Units, frames
//! SI units and radians, x forward, y left, counter-clockwise. Stamps are seconds of [`Client::now_secs`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod builder;
mod client;
mod described;
mod error;
mod link;
mod sensors;

pub use builder::ClientBuilder;
pub use client::{Client, Heard};
pub use described::read_description;
pub use error::Error;
pub use sensors::Sensors;
pub use touchline_board::{ClockEstimate, Message, Request, RobotRef, Role, Selection, Term};
pub use touchline_kit::data;
pub use touchline_plugin_api::container::{FeatureHandle, Query, Reading, SensorCatalogue};
pub use touchline_plugin_api::flight::Aim;
pub use touchline_plugin_api::{geometry, motion, player::RobotDescription};
pub use touchline_skills::localisation;
