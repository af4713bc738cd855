//! The simulation, tested from outside: laws, determinism, players, episodes.

mod common;

mod determinism;
mod episodes;
mod laws;
mod players;
mod shadow;
mod take;
