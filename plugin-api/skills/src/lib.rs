//! What the programs of robots share beyond the contract: where am I ([`localisation`]), and how does this robot drive ([`learned`]).
//!
//! A player plugin, the server and a client run the same code.
//!
//! # Not here
//! What an agent that learns observes and does, as numbers: `touchline-episode`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod learned;
pub mod localisation;
