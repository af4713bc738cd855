//! What a team may do, and what comes of numbers.

#![allow(clippy::unwrap_used, reason = "a test, and a helper of tests, stops at what it did not expect")]

mod fence;
mod journal;
mod places;
