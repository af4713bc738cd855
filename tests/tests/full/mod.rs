//! Long runs: `cargo verify --full` has them, and no other.

mod challenge_kills;
mod disks;
mod reference;
mod worked_examples;
