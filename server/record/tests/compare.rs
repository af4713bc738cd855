//! Series made by hand, laid side by side.

use touchline_record::compare_series::{CompareError, Comparison, FieldChoice, Series, Side, compare};

/// `x` at each stamp.
fn series(stamps_secs: impl IntoIterator<Item = f64>, x: impl Fn(f64) -> f64) -> Series {
    let mut series = Series::default();
    for stamp in stamps_secs {
        series.push(stamp, [("x".to_owned(), x(stamp))]).unwrap();
    }
    series
}

fn every(period_secs: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |index| index as f64 * period_secs)
}

fn x(comparison: &Comparison) -> touchline_record::compare_series::Statistics {
    comparison.fields[0].statistics.unwrap()
}

/// A series is as itself.
#[test]
fn the_same_has_no_difference() {
    let a = series(every(0.1, 100), |t| t * t);
    let same = compare(&a, &a, None, &[]).unwrap();
    assert_eq!((same.pairs.len(), same.unmatched_a, same.unmatched_b), (100, 0, 0));
    assert!((same.threshold_secs - 0.05).abs() < 1e-12, "half the period");
    assert_eq!((x(&same).median, x(&same).p90, x(&same).rms, x(&same).max), (0.0, 0.0, 0.0, 0.0));
}

/// What B has more than A is what all numbers say.
#[test]
fn a_known_difference_is_found() {
    let a = series(every(0.1, 100), |t| t);
    let b = series(every(0.1, 100), |t| t - 0.25);
    let found = x(&compare(&a, &b, None, &[]).unwrap());
    for number in [found.median, found.p90, found.rms, found.max] {
        assert!((number - 0.25).abs() < 1e-12, "{found:?}");
    }
}

/// Clocks that began at different times are put together by a shift.
#[test]
fn an_offset_of_the_clocks_is_taken_out() {
    let a = series(every(0.1, 100), |t| t);
    let mut b = series(every(0.1, 100).map(|t| t + 1000.0), |t| t - 1000.0);
    b.shift(-1000.0);
    let shifted = compare(&a, &b, None, &[]).unwrap();
    assert_eq!(shifted.pairs.len(), 100);
    assert!(x(&shifted).max < 1e-9);
    b.shift(0.3);
    let late = compare(&a, &b, None, &[]).unwrap();
    assert_eq!((late.pairs.len(), late.unmatched_a, late.unmatched_b), (97, 3, 3));
    assert!((x(&late).median - 0.3).abs() < 1e-9);
}

/// Quantiles and root mean square of differences that are known: 0, 1, … 100; the largest with its time.
#[test]
fn statistics_are_those_of_the_numbers() {
    let a = series(every(1.0, 101), |_| 0.0);
    // The order does not matter, nor does the sign.
    let b = series(every(1.0, 101), |t| {
        let rank = (t * 37.0) % 101.0;
        if t % 2.0 == 0.0 { rank } else { -rank }
    });
    let found = x(&compare(&a, &b, None, &[]).unwrap());
    assert_eq!((found.pairs, found.median, found.p90, found.max), (101, 50.0, 90.0, 100.0));
    assert!((found.rms - (338_350.0_f64 / 101.0).sqrt()).abs() < 1e-12);
    assert_eq!((found.max_at_secs * 37.0) % 101.0, 100.0);
}

/// What is missing on one side has no partner, and is counted.
#[test]
fn missing_messages_are_counted() {
    let a = series(every(0.1, 50), |t| t);
    let b = series(every(0.1, 50).enumerate().filter(|(i, _)| i % 10 != 3).map(|(_, t)| t), |t| t);
    let missing = compare(&a, &b, Some(0.02), &[]).unwrap();
    assert_eq!((missing.pairs.len(), missing.unmatched_a, missing.unmatched_b), (45, 5, 0));
    assert_eq!(x(&missing).max, 0.0);
    let turned = compare(&b, &a, Some(0.02), &[]).unwrap();
    assert_eq!((turned.pairs.len(), turned.unmatched_a, turned.unmatched_b), (45, 0, 5));
}

/// The slower one decides what is near; each of A has the nearest of B, and one of B may be so for many.
#[test]
fn rates_may_differ() {
    let slow = series(every(0.1, 11), |t| t);
    let fast = series(every(0.02, 51), |t| t);
    let down = compare(&slow, &fast, None, &[]).unwrap();
    assert_eq!((down.pairs.len(), down.unmatched_a, down.unmatched_b), (11, 0, 40));
    assert!(x(&down).max < 1e-9);
    let up = compare(&fast, &slow, None, &[]).unwrap();
    assert!((up.threshold_secs - 0.05).abs() < 1e-9);
    assert_eq!((up.pairs.len(), up.unmatched_a, up.unmatched_b), (51, 0, 0));
    assert!((x(&up).max - 0.04).abs() < 1e-9, "two fast periods from the nearest slow message");
    let strict = compare(&fast, &slow, Some(0.001), &[]).unwrap();
    assert_eq!((strict.pairs.len(), strict.unmatched_a), (11, 40));
}

/// Of two that are equally near the earlier is taken; stamps that are the same do not confuse.
#[test]
fn ties_go_to_the_earlier() {
    let a = series([0.5, 2.0, 2.0, 2.5], |t| t);
    let b = series([0.0, 1.0, 2.0, 2.0, 3.0], |t| t);
    assert_eq!(compare(&a, &b, Some(0.5), &[]).unwrap().pairs, [(0, 0), (1, 2), (2, 2), (3, 3)]);
}

/// Every pair is the nearest there is, and no message that has one near is left over: against a search through all.
#[test]
fn pairs_are_those_of_a_search_through_all() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1 << 24) as f64
    };
    for _ in 0..50 {
        let mut stamps = |count: usize| {
            let mut stamps: Vec<f64> = (0..count).map(|_| random() * 10.0).collect();
            stamps.sort_unstable_by(f64::total_cmp);
            stamps
        };
        let (a, b) = (stamps(40), stamps(25));
        let found = compare(&series(a.clone(), |t| t), &series(b.clone(), |t| t), Some(0.2), &[]).unwrap();
        let nearest = |stamp: f64| b.iter().map(|other| (other - stamp).abs()).fold(f64::INFINITY, f64::min);
        for &(at, other) in &found.pairs {
            assert!((a[at] - b[other]).abs() <= nearest(a[at]) + 1e-9);
        }
        assert_eq!(found.pairs.len(), a.iter().filter(|&&stamp| nearest(stamp) <= 0.2).count());
    }
}

/// Two that have no time in common are not compared; the message has both ranges.
#[test]
fn no_overlap_is_said() {
    let a = series(every(0.1, 10), |t| t);
    let b = series(every(0.1, 10).map(|t| t + 60.0), |t| t);
    let error = compare(&a, &b, None, &[]).unwrap_err();
    let CompareError::NoOverlap { a_secs, b_secs, .. } = &error else { panic!("{error}") };
    assert_eq!((a_secs.0, b_secs.0), (0.0, 60.0));
    let text = error.to_string();
    assert!(text.contains("within 0.05 s; A is from 0 s to 0.9 s, B from 60 s to 60.9 s"), "{text}");
}

/// Time that runs backwards is an error with its place.
#[test]
fn time_does_not_run_backwards() {
    let mut a = series([0.0, 1.0], |t| t);
    let error = a.push(0.5, []).unwrap_err();
    assert_eq!(error, CompareError::Backwards { message: 3, stamp_secs: 0.5, before_secs: 1.0 });
    assert_eq!(a.push(f64::NAN, []).unwrap_err(), CompareError::NoStamp { message: 3 });
    assert_eq!(a.stamps_secs().len(), 2, "what was refused is not in it");
    a.push(1.0, []).unwrap();
}

/// Angles differ the short way round, and by their names they are known.
#[test]
fn angles_are_compared_the_short_way_round() {
    let of = |angle: f64| {
        let mut series = Series::default();
        let names = ["pose.yaw_rad", "theta", "rate_rad_s"];
        series.push(0.0, names.map(|name| (name.to_owned(), angle))).unwrap();
        series
    };
    let found = compare(&of(3.1), &of(-3.1), None, &[]).unwrap();
    let max: Vec<f64> = found.fields.iter().map(|field| field.statistics.unwrap().max).collect();
    let short = 2.0 * std::f64::consts::PI - 6.2;
    assert!((max[0] - short).abs() < 1e-12 && (max[1] - short).abs() < 1e-12, "{max:?}");
    assert!((max[2] - 6.2).abs() < 1e-12);
}

/// Fields that are called differently are compared by both names; what is not there is said with what is.
#[test]
fn fields_are_chosen() {
    let a = series(every(0.1, 10), |t| t);
    let mut b = Series::default();
    for stamp in every(0.1, 10) {
        b.push(stamp, [("position".to_owned(), stamp + 1.0)]).unwrap();
    }
    assert!(matches!(compare(&a, &b, None, &[]), Err(CompareError::NothingInCommon { .. })));
    let choice: FieldChoice = "x=position".parse().unwrap();
    let found = compare(&a, &b, None, std::slice::from_ref(&choice)).unwrap();
    assert!((x(&found).median - 1.0).abs() < 1e-12);
    let error = compare(&a, &b, None, &["x".parse().unwrap()]).unwrap_err().to_string();
    assert!(error.contains("B has no field x; there are: position"), "{error}");
    assert!("=x".parse::<FieldChoice>().is_err());
}

/// A value that a message lacks makes no difference; nothing at all is an error.
#[test]
fn what_is_missing_is_not_compared() {
    let a = series(every(0.1, 3), |t| t);
    let mut b = Series::default();
    b.push(0.0, []).unwrap();
    b.push(0.1, [("x".to_owned(), 0.1), ("x".to_owned(), 7.0)]).unwrap();
    b.push(0.2, []).unwrap();
    let found = compare(&a, &b, None, &[]).unwrap();
    assert_eq!((found.pairs.len(), x(&found).pairs, x(&found).max), (3, 1, 0.0));
    assert_eq!(compare(&a, &Series::default(), None, &[]), Err(CompareError::Empty(Side::B)));
    let mut words = Series::default();
    words.push(0.0, []).unwrap();
    assert_eq!(compare(&words, &a, None, &[]), Err(CompareError::NoNumbers(Side::A)));
}

/// A table in milliseconds has no threshold of its own: each message would have a partner somewhere.
#[test]
fn stamps_of_another_unit_are_refused() {
    let secs = series(every(0.1, 100), |t| t);
    for period in [100.0, 1e8] {
        let other = series(every(period, 100), |t| t);
        for (a, b, side) in [(&secs, &other, Side::A), (&other, &secs, Side::B)] {
            let refused = compare(a, b, None, &[]).unwrap_err();
            assert!(matches!(refused, CompareError::OtherUnit { side: its, .. } if its == side), "{refused}");
            assert!(compare(a, b, Some(1.0), &[]).is_ok(), "as it is asked for");
        }
    }
    // Slower and longer is not another unit, nor is one message, nor are messages of one moment.
    let moment = series([1.0; 3], |t| t);
    for other in
        [series(every(1.0, 600), |t| t), series(every(1.0, 1), |t| t), series(every(9.0, 2), |t| t), moment]
    {
        assert!(compare(&secs, &other, None, &[]).is_ok(), "{other:?}");
    }
}

/// A fast short log and a slow long one: what is said is what was found.
#[test]
fn what_differs_a_hundredfold_is_named() {
    let fast = series(every(0.001, 3000), |t| t);
    let slow = series(every(1.0, 600), |t| t);
    for (a, b) in [(&fast, &slow), (&slow, &fast)] {
        let refused = compare(a, b, None, &[]).unwrap_err();
        let told = refused.to_string();
        for part in ["0.001 s", "1 s", "2.999 s", "599 s", "not in one unit"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
    let moment = series([1.0; 3], |t| t);
    for (a, b) in [(&fast, &moment), (&moment, &fast)] {
        assert!(compare(a, b, None, &[]).is_ok());
    }
}
