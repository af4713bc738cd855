//! The headers for C and C++: as long and as wide as the Rust types, and the same bits in every result. (P7)

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test reads and writes files; no step does"
)]

mod agree;
mod json;
mod layout;
mod orders;
mod params;
mod plugins;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder with `touchline/plugin.h`.
fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// A folder for what this test compiles.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Compiles with all warnings as errors.
fn compile(compiler: &str, arguments: &[&str]) {
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffp-contract=off"];
    let mut command = Command::new(compiler);
    command.args(warnings).arg("-I").arg(include()).args(arguments).stdin(Stdio::null());
    let output =
        command.output().unwrap_or_else(|error| panic!("{compiler}: {error}; it is needed for this test"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {arguments:?}: {said}");
}
