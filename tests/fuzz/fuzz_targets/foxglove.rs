//! Any messages of a tool that watches: see the entry.
#![no_main]

#[path = "../../../server/gateways/studio/tests/frames/mod.rs"]
mod frames;
#[path = "../../../server/gateways/foxglove/tests/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::watcher(bytes));
