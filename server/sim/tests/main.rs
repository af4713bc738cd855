//! The simulation, tested from outside: laws, determinism, players, episodes.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod common;

mod around;
mod bounding_circles;
mod contacts;
mod determinism;
mod discs;
mod episodes;
mod exchange;
mod fault_texts;
mod flight;
mod guests;
mod guide;
mod hanging;
mod heaps;
mod kicks;
mod late_commands;
mod laws;
mod moments;
mod necks;
mod players;
mod prepare;
mod pressed;
mod radio;
mod rebound;
mod referees;
mod repeated_commands;
mod rulings;
mod shadow;
mod soccer_laws;
mod soccer_server;
mod take;
mod timing;
mod turns;
