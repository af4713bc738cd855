//! Tournaments: players against players, many times, and what that says about who is better. (B1)
//!
//! [`Tournament::load`] reads a file, [`schedule`] says who plays whom with which seed, [`play`] plays, [`journal`] keeps what was
//! played, [`statistics`] estimates from it, and [`report`] is what comes out. The page `docs/tournament.md` explains the numbers.
//!
//! # Invariants
//! - A match is a pure function of the tournament file and its number: threads, order and what else is played play no part. If
//!   programs play, it is one of what they do as well.
//! - The order of the entrants in the file changes nothing: they are numbered by their names.
//!
//! # Not here
//! What a tournament file may say: `touchline-config`. How programs are started and play over the message board: the server,
//! which hands itself in as [`Programs`].
//!
//! # Why the estimates are our own
//! `skillratings` rates match after match (Elo, Glicko, TrueSkill), so its numbers depend on the order; `statrs` has distributions
//! only. Neither has a maximum-likelihood fit of all matches with intervals over pairs of matches.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod journal;
pub mod lines;
mod load;
pub mod play;
mod pool;
pub mod report;
pub mod schedule;
pub mod statistics;

pub use load::Tournament;
pub use play::{Course, MatchFault, MatchResult, PlayError, Programs};
pub use pool::play_each;
pub use schedule::Match;
