//! Many worlds at once, played in episodes: for learning, benchmarks and tournaments.
//!
//! A [`Batch`] is made from one scenario. Each of its environments is a world of its own, with a seed of its own; all of them are
//! stepped together, on as many threads as wanted, and write what was observed, paid and ended into arrays of their caller.
//! Everything else that plays episodes is a thin layer over it: the Python package, the benchmarks, the tournament.
//!
//! # Shapes
//! `N` environments, `A` agents in each, `O` numbers observed and `D` numbers decided by each agent: observations are `[N, A, O]`,
//! decisions `[N, A, D]`, rewards `[N, A]`, flags `[N]`, all without gaps. What the numbers are says [`Layout`].
//!
//! # Invariants
//! - An episode is a pure function of its seed ([`episode_seed`]), its start and the decisions: the size of the batch, the number of
//!   threads and the order of calls play no part (`tests/purity.rs`). (I2)
//! - Nothing is stepped if anything of what was given is wrong.
//!
//! # Not here
//! Rules, rewards and ends: the referee plugin. Files: `touchline-config`. Plugins: whoever gives the factory.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arrays;
mod batch;
mod environment;
mod layout;
mod pace;
mod senses;
mod share;

pub use arrays::Arrays;
pub use batch::{Autoreset, Batch, Options, Outputs};
pub use environment::{Ended, Saved, Watcher, episode_seed};
pub use layout::{BatchError, Layout, MOST_ENVIRONMENTS, MOST_THREADS, check_agents};
