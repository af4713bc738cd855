//! The message board, tested from outside: its protocol, its bounds, its readings.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod common;

mod decode;
mod protocol;
mod session;
mod split;
