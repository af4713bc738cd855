//! The message board, tested from outside: its protocol, its bounds, its readings.

mod common;

mod decode;
mod protocol;
mod session;
mod split;
