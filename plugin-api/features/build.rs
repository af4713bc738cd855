//! Cargo counts the build-dependencies of a crate only if it has a build script.

fn main() {}
