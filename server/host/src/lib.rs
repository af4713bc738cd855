//! Finds, checks and loads plugins, and calls them: all unsafe code of the server is here.
//!
//! [`Host::scan`] looks at every dynamic library in the plugin folders. A file is read before the system's loader
//! may touch it, its interface version and layout are compared before anything in it runs, and what became of it
//! is kept as an [`Attempt`]. The host then makes instances as the simulation's
//! [`PluginFactory`](touchline_sim::PluginFactory).
//!
//! # Invariants
//! - A bad file never takes the server down, as far as that can be known before it runs (P1).
//! - What a plugin gives is checked before the simulation sees it: status, lengths, finite numbers, readable orders.
//! - If a call fails, for whatever reason, state and orders are as they were.
//! - A library that nobody knows is tried in a process of its own first, and its instances can stay there ([`Isolation`]).
//! - Nothing is ever unloaded: code and descriptions of a library live as long as the program. A file that has changed since is refused,
//!   also where a process of its own would load it.
//!
//! # Not here
//! The table and the blocks, and the plugin's side of the border: `touchline_plugin_api::abi`.

#![allow(unsafe_code)]
#![warn(missing_docs)]

mod adapters;
mod attempt;
mod call;
mod calls;
mod check_answer;
mod content;
mod crash;
mod file;
mod handle;
mod isolated;
mod library;
mod load;
mod loaded;
mod params;
mod real_time;
mod registry;
mod roster;
#[cfg(test)]
mod tests;
mod times;

pub use attempt::{Attempt, AttemptResult, Refusal};
pub use calls::{CallInProgress, calls_in_progress};
pub use crash::{exit_at_once, hang_up_is_ignored, name_plugins_that_crash};
pub use isolated::{Isolation, Jail, Limits, Which, run_if_asked};
pub use real_time::set_real_time;
pub use registry::Host;
pub use roster::Roster;
pub use times::PluginTime;
