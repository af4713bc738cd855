//! Any datagrams of the Soccer Server's clients: see the entry.
#![no_main]

#[path = "../../../server/gateways/soccer/tests/fuzzed.rs"]
mod fuzzed;
#[path = "../../../server/gateways/soccer/tests/rig.rs"]
mod rig;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::soccer(bytes));
