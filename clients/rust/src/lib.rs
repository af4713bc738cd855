//! A robot's client in Rust.
