//! The client, tested from outside.

mod client;
