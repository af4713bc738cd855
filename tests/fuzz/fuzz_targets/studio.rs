//! Any messages of a page: see the entry.
#![no_main]

#[path = "../../../server/gateways/studio/tests/frames/mod.rs"]
mod frames;
#[path = "../../../server/gateways/studio/tests/fuzzed.rs"]
mod fuzzed;
#[path = "../../../server/gateways/studio/tests/studio_fake/mod.rs"]
mod studio_fake;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::page(bytes));
