//! Places and rounding. (CH1, CH6)

use touchline_challenge::report::{places, rounded};
use touchline_config::Better;

/// CH1: equal scores share a place, and the next is as many further; who has no score has no place.
#[test]
fn ties_share_a_place() {
    let scores = [Some(2.0), Some(3.0), None, Some(2.0), Some(1.0)];
    assert_eq!(places(&scores, Better::Lower), [Some(2), Some(4), None, Some(2), Some(1)]);
    assert_eq!(places(&scores, Better::Higher), [Some(2), Some(1), None, Some(2), Some(4)]);
}

/// CH1: to 3 digits, so that what differs beyond shares a place.
#[test]
fn scores_are_rounded_to_their_digits() {
    assert_eq!(rounded(1.234_49, 3), 1.234);
    assert_eq!(rounded(1.234_51, 3), 1.235);
    assert_eq!(rounded(7.0, 0), 7.0);
    assert_eq!(rounded(0.123_456_789_4, 9), 0.123_456_789);
}
