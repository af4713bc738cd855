//! The goalkeeper benchmark: one attacker against one keeper, many times, under conditions that can be met again. (B1)
//!
//! [`policy`] says who plays, [`conditions`] what, [`keeper`] against whom; [`play`] plays it on the batch engine, [`score`] counts, and
//! [`report`] is what comes out. The page `docs/goalkeeper-benchmark.md` is the benchmark's paper.
//!
//! # Invariants
//! - The files of the benchmark are part of the program: no file on disk changes a result.
//! - An episode is a pure function of the benchmark's seed and its number: the number of threads and of worlds at a time, and
//!   which other episodes are played in the same run, play no part.
//!
//! # Example
//! ```
//! use touchline_benchmark::keeper::Keeper;
//! use touchline_benchmark::score::wilson_95;
//!
//! let keepers = Keeper::parse_list("block-2, intercept")?;
//! assert_eq!(keepers.len(), 6);
//! let [low, high] = wilson_95(822, 1000);
//! assert!(0.79 < low && high < 0.85);
//! # Ok::<(), String>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod conditions;
pub mod keeper;
pub mod play;
pub mod policy;
pub mod report;
pub mod score;
pub mod starts;
