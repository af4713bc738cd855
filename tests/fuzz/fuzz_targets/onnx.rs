//! Any bytes as an ONNX file: see the entry.
#![no_main]
#![allow(dead_code, reason = "the plugin uses more of these modules than the fuzzer")]

#[path = "../../../plugins/player-onnx/src/fuzzed.rs"]
mod fuzzed;
#[path = "../../../plugins/player-onnx/src/network/mod.rs"]
mod network;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::model(bytes));
