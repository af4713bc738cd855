//! The program around the simulation: the loop, its services, and the command line.
//!
//! One thread owns the World ([`runtime`]); the message board ([`board`]) and the web page (`touchline-studio`) read what it
//! publishes and hand it commands; the recorder ([`recorder`]) keeps what was, other tools watch ([`foxglove`]);
//! [`cli`] puts them together.

#![forbid(unsafe_code)]

pub mod board;
pub mod cli;
pub mod foxglove;
mod metrics;
mod new_plugin;
pub mod recorder;
pub mod runtime;
mod studio_source;
