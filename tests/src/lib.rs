//! Whole-system tests, and what they share.

#![forbid(unsafe_code)]

pub mod build;
pub mod client;
pub mod onnx;
pub mod program;
