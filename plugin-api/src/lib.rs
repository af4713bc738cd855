//! The contract between Touchline and its plugins: the traits that authors implement, what they are told, what they may order, and the
//! border that it all crosses.
//!
//! A plugin is a plain Rust type that implements one of four traits, and one export line:
//! [`Motion`](motion::Motion), [`Sensor`](sensor::Sensor), [`Player`](player::Player), [`Referee`](referee::Referee).
//!
//! # Not here
//! Rays, visibility and data objects: `touchline-kit`. Localisation and learned models: `touchline-skills`. A small world for an author's
//! tests: `touchline-plugin-testing`. The simulation (`touchline-sim`), and everything that reads files or sockets.

#![warn(missing_docs)]

pub mod abi;
pub mod container;
pub mod data_object;
mod elementary;
pub mod flight;
pub mod game;
pub mod geometry;
pub mod grid;
pub mod instance;
pub mod layout;
pub mod motion;
pub mod noise;
pub mod orders;
pub mod player;
pub mod plugin;
pub mod radio;
pub mod referee;
pub mod sensor;
pub mod state;
pub mod view;
pub mod world;
