//! Learning from logs, tested from outside.

mod bad_logs;
mod ball;
mod motion;
