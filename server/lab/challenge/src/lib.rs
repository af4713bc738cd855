//! Challenges: what one team after the other tries, each with the same starts, and the tables that come of it. (CH1, CH5-CH7)
//!
//! [`Challenge::load`] reads a file. A [`Team`] plays runs, a run has attempts, and each attempt is a world of its own: [`Challenge::begin`] makes it,
//! and a [`Course`] follows it, whoever moves the world. [`journal`] keeps the runs that were played, and [`report`] is what comes out.
//!
//! # Invariants
//! - An attempt of players is a pure function of the challenge file, the team, and the numbers of run and attempt. With scripts it is one of what they
//!   do as well.
//! - Run and attempt of the same number begin alike for all teams: their seed depends on the challenge and the numbers alone.
//! - What a team's player orders beside driving its robot is taken out, counted, and changes nothing ([`fence`]).
//!
//! # Not here
//! What the files may say: `touchline-config`. Rules: referee plugins. How scripts are started and play over the message board: the server.
//!
//! ```
//! use touchline_challenge::report::places;
//! use touchline_config::Better;
//!
//! // Equal scores share a place; who has none has no place.
//! let scores = [Some(1.5), Some(0.2), None, Some(1.5)];
//! assert_eq!(places(&scores, Better::Lower), [Some(2), Some(1), None, Some(2)]);
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod changes;
mod course;
pub mod fence;
pub mod journal;
mod load;
pub mod report;

pub use changes::{ChangeError, Changes, Setting};
pub use course::{AttemptResult, Course, Measure, RunResult};
pub use load::{Attempt, Challenge, Entry, Team};

/// An attempt cannot be played, or what came of it cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Its world cannot be made.
    #[error("team \"{0}\": {1}")]
    World(String, Box<touchline_sim::WorldError>),
    /// A parameter of the referee that is a whole number is to be none.
    #[error(
        "team \"{team}\": {parameter}: not a number that it can be\n  got      {value}\n  allowed  a whole number"
    )]
    NotWhole {
        /// Name of the team.
        team: String,
        /// Name of the parameter.
        parameter: String,
        /// What it was to be.
        value: f64,
    },
    /// What the attempt needs cannot be had: a script that does not start, a recording that cannot be written.
    #[error("team \"{0}\": {1}")]
    Resource(String, String),
    /// A result cannot be kept.
    #[error(
        "a finished run cannot be kept in the journal: {0}\n  hint     what is in it stays: start the competition again when there is room"
    )]
    Keep(#[from] std::io::Error),
}
