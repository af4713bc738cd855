//! What a client at an open desk sends: see the entry.
#![no_main]

#[path = "../../../server/gateways/board-server/tests/common/mod.rs"]
mod common;
#[path = "../../../server/gateways/board-server/tests/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::board(bytes));
