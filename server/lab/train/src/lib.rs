//! Learns from the logs of real robots: motion models ([`motion`]), the errors of odometry ([`odometry`]), and how a ball
//! slows down ([`ball`]).
//!
//! Bytes of files come in, models and reports go out.
//!
//! # Invariants
//! - What a model is tested on is later than what it was learned from, in the same log, or another log.
//! - The same logs, options and seed give the same model, bit by bit.
//!
//! # Not here
//! Files and the command line: the program. The network itself: `touchline_skills::learned`, which the plugin shares.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod ball;
pub mod columns;
mod cross_validation;
pub mod drift;
mod error;
pub mod first_order;
pub mod kick;
pub mod learn;
pub mod learned;
mod least_squares;
pub mod log;
pub mod motion;
pub mod odometry;
pub mod score;
pub mod series;
pub mod table;
mod text;
mod twice;
mod units;

pub use error::{LogError, LogProblem};
pub use text::{ball_text, model_text, odometry_text};
pub use twice::refuse_twice;
