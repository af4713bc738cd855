//! One selection of features for every library that several crates of the workspace share; no code.
//!
//! Cargo builds a library once for each set of features that a selection of packages asks for. Without this crate, `cargo play`,
//! the Python package, the C client and a single plugin are four selections, and each builds most libraries anew. Every crate of the
//! product depends on this one, so that each selection asks for the same sets. `every_selection_has_the_same_features` (tests/tidy)
//! says which row is missing when a library is added or changed.
//!
//! # Not here
//! `touchline-plugin-api` does not depend on it: plugins outside this repository choose features of their own.

#![no_std]
#![forbid(unsafe_code)]
