//! `libtouchline_client`: the Rust client behind a C interface, for C, C++, and whatever can call C. [C8, C9, P4, P5]
//!
//! Nothing is done twice: connection, clocks, container and data objects are those of `touchline-client`. Here are
//! handles, status codes, and the structs of the headers in `include/touchline`, which cbindgen writes from these
//! files (`src/tests/headers.rs` holds them together). The README is for those who use it.
//!
//! # Invariants
//! - No panic crosses the border: every function runs in [`status::guard`].
//! - A pointer that must be there and is NULL is an error with its name, not a crash.
//! - Handles and outputs cross as references that may be absent; what remains unchecked is a text's end, an array's
//!   length, and that a handle was not closed before.

#![allow(
    clippy::missing_safety_doc,
    reason = "the rules are the same for all functions, and stand once at the head of base.h"
)]
#![allow(unsafe_code, reason = "the border to C")]
#![warn(missing_docs)]

mod annotate;
mod answer;
mod border;
mod client;
mod data;
mod drive;
mod filled;
mod localise;
mod measured;
mod operator;
mod radio;
mod robot;
mod sensors;
mod status;
#[cfg(test)]
mod tests;
