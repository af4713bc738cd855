//! The time of one decision of a learned policy: `cargo bench -p touchline-player-onnx --bench decision [FILE]`.
//!
//! A plugin is a library that nothing can link, so its files are taken in here.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "it measures time, and says it"
)]
#![allow(
    dead_code,
    unused_imports,
    reason = "the player and its tests use more of the files than is measured here"
)]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

#[path = "../src/network/mod.rs"]
mod network;
#[path = "../src/policy.rs"]
mod policy;

const DECISIONS: u32 = 20_000;
const ROUNDS: usize = 9;

fn main() {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let ours =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/parts/goalkeeper-learned.onnx"));
    let path = given.unwrap_or(ours);
    // Names of single numbers, as our own files have them, are as many as the numbers.
    let began = Instant::now();
    let file = policy::File::read(&path).expect("a model");
    let policy = file.policy(&file.observe, &file.act).expect("a network");
    println!("made ready in {:.2} ms", began.elapsed().as_secs_f64() * 1e3);
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|round| {
            let began = Instant::now();
            for decision in 0..DECISIONS {
                let observed = vec![decision as f32 * 1e-4 + round as f32; file.observe.len()];
                black_box(policy.decide(observed).expect("numbers"));
            }
            began.elapsed().as_secs_f64() * 1e6 / f64::from(DECISIONS)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!(
        "{:.2} us a decision (median of {ROUNDS} rounds of {DECISIONS}; {:.2} to {:.2})",
        rounds[ROUNDS / 2],
        rounds[0],
        rounds[ROUNDS - 1]
    );
}
