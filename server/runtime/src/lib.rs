//! The world that is served: the loop that owns it, and who talks to it while it runs.
//!
//! One thread owns the World ([`world_loop`]); the message board ([`board`]) and the web page (`touchline-studio`, fed by
//! [`studio_source`]) read what it publishes and hand it commands; the recorder ([`recorder`]) keeps what was, and other tools watch
//! ([`foxglove`]).
//!
//! # Not here
//! The command line that puts them together: `server/app`. The protocol's text: `server/gateways/board`; the format of recordings:
//! `server/record`.
//!
//! # Example
//! ```
//! use touchline_runtime::world_loop::{Control, Speed};
//!
//! let controls = [Control::Speed(Speed::Factor(2.0)), Control::Step(1), Control::Resume];
//! assert_eq!(Speed::Lockstep.to_string(), "lockstep");
//! # assert_eq!(controls.len(), 3);
//! ```

#![forbid(unsafe_code)]

pub mod board;
pub mod foxglove;
pub mod metrics;
pub mod recorder;
pub mod studio_source;
pub mod world_loop;
