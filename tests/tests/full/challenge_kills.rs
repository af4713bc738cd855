//! As the suite's test of killed competitions, with ten kills. (CH7, CH10)

#![cfg(unix)]

use crate::challenge_kills::pieces_are_the_whole;

/// Scores are the same bits after a kill at ten random moments.
#[test]
fn ten_kills_change_no_bit() {
    pieces_are_the_whole(3, 10);
}
