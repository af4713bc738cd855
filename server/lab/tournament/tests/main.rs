//! Tournaments, tested from outside.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod journal;
mod matches;
mod race;
