//! The laws of the estimates, on tournaments whose truth is known. (B1)

use super::*;

/// Matches between players of known rating: a goal each for a draw, one more for who wins. `draws` of all matches are drawn.
fn simulated(truth: &[f64], pairs: u64, draws: f64, tournament: u64) -> Vec<Couple> {
    let mut couples = Vec::new();
    for [first, second] in crate::schedule::couples(truth.len()) {
        let owner = format!("{first} {second}");
        let expected = 1.0 / (1.0 + libm::pow(10.0, (truth[second] - truth[first]) / ELO));
        let mut noise = NoiseKey::for_owner(tournament, &owner).stream();
        let mut game = || {
            // Draws take from both sides alike, as long as nobody is sure to win.
            let won = expected - draws / 2.0;
            let at = noise.uniform(0.0, 1.0);
            if at < won {
                [2, 1]
            } else if at < won + draws {
                [1, 1]
            } else {
                [0, 1]
            }
        };
        let pairs = (0..pairs).map(|_| [game(), game()]).collect();
        couples.push(Couple { entrants: [first, second], pairs });
    }
    couples
}

/// Bradley & Terry: with many matches the ratings are the true ones, with and without draws.
#[test]
fn ratings_find_known_strengths() {
    let truth = [150.0, 40.0, -30.0, -160.0];
    for draws in [0.0, 0.25] {
        let found = ratings_with(4, &simulated(&truth, 4000, draws, 1), 10);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found.rating - truth).abs() < 8.0, "{found:?} {truth}");
        }
    }
}

/// A worked case: with 3 points of 4 and the prior, the odds of the likelihood's maximum are known in closed form.
#[test]
fn the_fit_solves_the_likelihood_equations() {
    let couples = [Couple { entrants: [0, 1], pairs: vec![[[1, 0], [1, 0]], [[1, 0], [0, 1]]] }];
    let [first, second] = ratings_with(2, &couples, 1)[..] else { panic!() };
    assert!((first.rating + second.rating).abs() < 1e-9);
    // By symmetry the strengths are x and 1/x: 3.5 = 4 x²/(x² + 1) + x/(x + 1).
    let x = libm::pow(10.0, first.rating / ELO);
    let expected = 4.0 * x * x / (x * x + 1.0) + x / (x + 1.0);
    assert!((expected - 3.5).abs() < 1e-8, "{expected}");
}

/// Of simulated tournaments about 95 % have the truth in the interval, for equals and for others, with many pairs and with few.
#[test]
fn intervals_cover_the_truth() {
    for (truth, pairs) in [([0.0, 0.0, 0.0], 20), ([120.0, 0.0, -120.0], 20), ([60.0, 0.0, -60.0], 6)] {
        let (mut ratings_in, mut shares_in, mut goals_in, mut of) = (0, 0, 0, 0);
        for tournament in 0..80 {
            let couples = simulated(&truth, pairs, 0.2, tournament);
            for (found, truth) in ratings_with(3, &couples, 200).iter().zip(truth) {
                let [low, high] = found.interval_95.unwrap();
                ratings_in += i32::from(low <= truth && truth <= high);
            }
            for (number, couple) in couples.iter().enumerate() {
                let [first, second] = couple.entrants.map(|entrant| truth[entrant]);
                let share = 1.0 / (1.0 + libm::pow(10.0, (second - first) / ELO));
                let (_, [low, high], _) = shares(number as u64, &couple.pairs, 200);
                shares_in += i32::from(low <= share && share <= high);
                // A match that is won is won by a goal: the mean is what is won less what is lost.
                let differences: Vec<i64> = couple.pairs.iter().map(pair_difference).collect();
                let [low, high] = mean_difference(number as u64, &differences, 200).1.unwrap();
                goals_in += i32::from(low <= 2.0 * share - 1.0 && 2.0 * share - 1.0 <= high);
            }
            of += 3;
        }
        let parts = [ratings_in, shares_in, goals_in].map(|inside| f64::from(inside) / f64::from(of));
        // With few pairs the two that are added make the intervals rather too wide.
        let most = if pairs < 10 { 1.0 } else { 0.99 };
        assert!(parts.iter().all(|part| (0.92..=most).contains(part)), "{truth:?}, {pairs} pairs: {parts:?}");
        println!("{truth:?}, {pairs} pairs: {parts:?}");
    }
}

/// The test of a difference is wrong as often as it says where there is none, and finds one that is there.
#[test]
fn the_permutation_test_keeps_its_level() {
    let wrong = |truth: [f64; 2], pairs| {
        let p = |seed| compare_with(0, &simulated(&truth, pairs, 0.2, seed)[0].pairs, 1).unwrap().p_value;
        (0..300).filter(|&seed| p(seed) <= 0.05).count()
    };
    let (few, many) = (wrong([0.0, 0.0], 10), wrong([0.0, 0.0], 20));
    assert!(few <= 24 && many <= 24, "{few} {many} of 300");
    assert!(wrong([100.0, -100.0], 20) > 250);
}

/// Student's quantiles as in the usual tables.
#[test]
fn students_quantiles_are_as_published() {
    for (freedom, published) in
        [(1, 12.706), (10, 2.228), (11, 2.201), (20, 2.086), (60, 2.000), (1000, 1.962)]
    {
        assert!((student(freedom) - published).abs() < 0.003, "{freedom}");
    }
}

/// All flips of three pairs, by hand: only all signs as they are, or all turned, give as much.
#[test]
fn few_pairs_are_tested_exactly() {
    assert_eq!(sign_flip(0, &[2, 1, 3]), 2.0 / 8.0);
    assert_eq!(sign_flip(0, &[0, 0]), 1.0);
    assert_eq!(sign_flip(0, &[1, -1]), 1.0);
}

/// One that plays against its twin gains on one side what it loses on the other.
#[test]
fn against_oneself_it_is_even() {
    let pairs: Vec<Pair> = (0..10).map(|number| [[number, 1], [1, number]]).collect();
    let found = compare(0, &pairs).unwrap();
    assert_eq!((found.share, found.goal_difference, found.p_value), (0.5, 0.0, 1.0));
    assert_eq!(found.goal_difference_interval_95, None);
    assert!((found.probability_better - 0.5).abs() < 0.05, "{found:?}");
    let couples = [Couple { entrants: [0, 1], pairs }];
    for rating in ratings_with(2, &couples, 50) {
        assert_eq!(rating.rating, 0.0);
    }
}

/// Pairs that all ended alike do not say how much they vary: no interval, rather than one without width.
#[test]
fn pairs_that_ended_alike_have_no_interval() {
    for (pair, mean) in [([[0, 0], [0, 0]], 0.0), ([[2, 0], [1, 1]], 1.0), ([[3, 1], [0, 2]], 0.0)] {
        for count in 1..=20 {
            let found = compare(0, &vec![pair; count]).unwrap();
            assert_eq!(
                (found.goal_difference, found.goal_difference_interval_95),
                (mean, None),
                "{count} {pair:?}"
            );
            assert_eq!(found.swapped().goal_difference_interval_95, None);
        }
    }
    // One that ended otherwise is enough.
    let found = compare(0, &[[[2, 0], [1, 1]], [[2, 0], [1, 1]], [[2, 0], [0, 1]]]).unwrap();
    let [low, high] = found.goal_difference_interval_95.unwrap();
    assert!(low < found.goal_difference && found.goal_difference < high, "{low} {high}");
}

/// One that always wins has a finite rating, and an interval with width.
#[test]
fn a_perfect_record_stays_finite() {
    let couples = [Couple { entrants: [0, 1], pairs: vec![[[3, 0], [2, 1]]; 20] }];
    let [first, second] = ratings(2, &couples)[..] else { panic!() };
    assert!(first.rating > 300.0 && first.rating < 1000.0 && first.rating == -second.rating, "{first:?}");
    let [low, high] = first.interval_95.unwrap();
    assert!(low > 50.0 && low < first.rating - 20.0 && high < 2000.0, "{low} {high}");
    let found = compare(0, &couples[0].pairs).unwrap();
    let [low, high] = found.share_interval_95;
    // Wilson's interval for 20 of 20 begins at 0.839.
    assert!((0.75..0.93).contains(&low) && high == 1.0, "{low}");
    assert!(found.probability_better > 0.999 && found.p_value <= 0.001);
}

/// Draws alone are even; a draw is half a win.
#[test]
fn draws_are_half_wins() {
    let drawn = compare(0, &[[[1, 1], [0, 0]]; 8]).unwrap();
    assert_eq!((drawn.share, drawn.p_value), (0.5, 1.0));
    assert_eq!(compare(0, &[[[1, 0], [1, 1]]]).unwrap().share, 0.75);
}

/// Who is named first does not matter.
#[test]
fn the_order_of_a_couple_changes_nothing() {
    let couples = simulated(&[80.0, -80.0], 15, 0.3, 3);
    let turned: Vec<Pair> = couples[0].pairs.iter().map(|pair| pair.map(|[a, b]| [b, a])).collect();
    let (found, other) = (compare(0, &couples[0].pairs).unwrap(), compare(0, &turned).unwrap().swapped());
    assert!((found.share - other.share).abs() < 1e-12);
    assert_eq!((found.goal_difference, found.p_value), (other.goal_difference, other.p_value));
    // The replicates are others, so the intervals agree within their own error.
    for end in 0..2 {
        assert!((found.share_interval_95[end] - other.share_interval_95[end]).abs() < 0.07);
    }
    assert!((found.probability_better - other.probability_better).abs() < 0.03);
}

/// Who has not played has no interval, and breaks nothing.
#[test]
fn nothing_played_is_nothing_known() {
    assert_eq!(compare(0, &[]), None);
    let found = ratings_with(3, &[Couple { entrants: [0, 1], pairs: vec![[[1, 0], [1, 0]]] }], 20);
    assert!(found[0].interval_95.is_some() && found[2].interval_95.is_none());
    assert!(ratings_with(0, &[], 5).is_empty());
}
