//! Any text as a robot, world or tournament file: see the entry.
#![no_main]

#[path = "../../../server/config/tests/fuzzed.rs"]
mod fuzzed;
#[path = "../../../server/config/tests/support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::config(bytes));
