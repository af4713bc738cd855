//! The tree keeps its promises: what a reader of README and ARCHITECTURE relies on, and no compiler checks.
//!
//! Each test collects everything that is wrong before it fails, and says what to do about it.

#![forbid(unsafe_code)]
#![cfg(test)]

mod arrows;
mod builds;
mod code;
mod commands;
mod documents;
mod tree;

/// Fails with the whole list of problems.
#[track_caller]
fn all_is_well(rule: &str, problems: &[String]) {
    assert!(problems.is_empty(), "{rule}\n  {}\n", problems.join("\n  "));
}
