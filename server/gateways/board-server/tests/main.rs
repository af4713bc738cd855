//! The message board, tested from outside: its protocol and its bounds.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod common;

mod protocol;
mod roles;
mod session;
mod split;
