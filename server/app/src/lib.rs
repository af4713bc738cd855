//! The command line: it puts together what the other crates offer.

#![forbid(unsafe_code)]

pub mod cli;
mod film;
mod new_challenge;
mod new_folder;
mod new_plugin;
pub mod reports;
