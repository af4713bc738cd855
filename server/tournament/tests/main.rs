//! Tournaments, tested from outside.

mod matches;
