//! All that the author of a Touchline plugin needs, and the only crate that a plugin depends on.
//!
//! A plugin is a plain Rust type that implements one of four traits, and one export line:
//! [`Motion`](motion::Motion), [`Sensor`](sensor::Sensor), [`Player`](player::Player), [`Referee`](referee::Referee).
//!
//! # Not here
//! The simulation (`touchline-sim`), and everything that reads files or sockets.

#![warn(missing_docs)]

pub mod abi;
pub mod container;
pub mod data;
pub mod drive;
pub mod episode;
pub mod game;
pub mod geometry;
pub mod instance;
pub mod layout;
pub mod learned;
pub mod localisation;
pub mod motion;
pub mod noise;
pub mod orders;
pub mod player;
pub mod plugin;
pub mod rays;
pub mod reader;
pub mod referee;
pub mod sensor;
pub mod state;
pub mod testing;
pub mod view;
pub mod visibility;

/// The examples of the guide are compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/plugins.md")]
struct PluginGuide;
