//! Robot, world and tournament files, tested from outside.

mod support;

mod invalid;
mod mutations;
mod reference;
mod shipped;
mod tournaments;
