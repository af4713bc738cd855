//! What matches say about who is better.
//!
//! The independent unit is a *pair*: two matches of the same two entrants with one seed and swapped sides. Everything here is
//! computed from pairs that are complete.
//!
//! - **Ratings** are the maximum-likelihood fit of R. A. Bradley and M. E. Terry, Biometrika 39 (1952) 324, a draw being half a win for
//!   both, found by the minorisation of D. R. Hunter, Annals of Statistics 32 (2004) 384. A weak prior, one drawn match against
//!   somebody of mean strength, keeps the rating of one that always wins finite. (R. R. Davidson, J. Am. Stat. Assoc. 65 (1970) 317, has a
//!   term for draws; it makes no difference to the order, and needs more matches.)
//! - **Intervals** are percentiles of bootstrap replicates: pairs are drawn with replacement, couple by couple. One pair that is won
//!   and one that is lost are in the urn as well, as in A. Agresti and B. Caffo, American Statistician 54 (2000) 280: without
//!   them one that always won would have an interval without width. Those of goal differences are expanded for small numbers of pairs
//!   (T. Hesterberg, American Statistician 69 (2015) 371). Where all differences are equal there is none: nothing says how much they vary.
//! - **Tests** are sign-flip permutation tests of the goal difference of pairs: if two entrants are equal, each pair's difference is as likely
//!   with the other sign.
//!
//! # Invariants
//! - All numbers are drawn by our own counter noise: the same matches give the same estimates, everywhere.

use serde::Serialize;
use touchline_plugin_api::noise::{Noise, NoiseKey};

/// Number of bootstrap replicates.
const REPLICATES: u64 = 2000;
/// Sign flips that are drawn where there are too many to try all.
const FLIPS: u64 = 9_999;
/// Up to so many pairs all sign flips are tried.
const MOST_FOR_ALL_FLIPS: usize = 12;
/// So many signs are taken from one random number, which has 53 bits.
const SIGNS_OF_A_DRAW: u32 = 50;
/// The prior: so many drawn matches against somebody of mean strength.
const PRIOR_MATCHES: f64 = 1.0;
/// The normal distribution's quantile of 0.975.
const NORMAL: f64 = 1.959_963_984_540_054;
/// Rating points of a factor of ten in the odds, as in chess.
const ELO: f64 = 400.0;

/// Two matches with one seed and swapped sides: the goals of a couple's first and second in each.
pub type Pair = [[u32; 2]; 2];

/// What two entrants played against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Couple {
    /// Who: indices of entrants.
    pub entrants: [usize; 2],
    /// Their complete pairs of matches.
    pub pairs: Vec<Pair>,
}

/// How strong an entrant is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the mean of all that take part.
    pub rating: f64,
    /// The lower and upper end of its 95 % interval; `None` if it has not played.
    pub interval_95: Option<[f64; 2]>,
}

/// What a couple's matches say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The first one's share of the points, a draw being half a point for both; 0.5 is even.
    pub share: f64,
    /// The lower and upper end of its 95 % interval.
    pub share_interval_95: [f64; 2],
    /// The first one's goals less the second's, mean of a match.
    pub goal_difference: f64,
    /// The lower and upper end of its 95 % interval; `None` for a single pair, and if all pairs ended alike.
    pub goal_difference_interval_95: Option<[f64; 2]>,
    /// The probability that the first gets more than half of the points in the long run.
    pub probability_better: f64,
    /// How likely so great a goal difference, for either, would be if both were equal: a permutation test, two-sided.
    pub p_value: f64,
}

impl Comparison {
    /// The same, seen by the second.
    pub fn swapped(self) -> Self {
        Self {
            share: 1.0 - self.share,
            share_interval_95: [1.0 - self.share_interval_95[1], 1.0 - self.share_interval_95[0]],
            goal_difference: 0.0 - self.goal_difference,
            goal_difference_interval_95: self
                .goal_difference_interval_95
                .map(|[low, high]| [0.0 - high, 0.0 - low]),
            probability_better: 1.0 - self.probability_better,
            p_value: self.p_value,
        }
    }
}

/// The first one's points of a match: 1, 0.5 or 0.
pub fn points([first, second]: [u32; 2]) -> f64 {
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

fn pair_points(pair: &Pair) -> f64 {
    points(pair[0]) + points(pair[1])
}

fn pair_difference(pair: &Pair) -> i64 {
    pair.iter().map(|goals| i64::from(goals[0]) - i64::from(goals[1])).sum()
}

/// The ratings of so many entrants, with intervals.
pub fn ratings(entrants: usize, couples: &[Couple]) -> Vec<Rating> {
    ratings_with(entrants, couples, REPLICATES)
}

fn ratings_with(entrants: usize, couples: &[Couple], replicates: u64) -> Vec<Rating> {
    let mut strengths = vec![1.0; entrants];
    let mut table = Table::new(entrants);
    for Couple { entrants, pairs } in couples {
        table.add(*entrants, pairs.iter().map(pair_points).sum(), 2.0 * pairs.len() as f64);
    }
    table.fit(&mut strengths, 1e-10);
    let rating = elo(&strengths);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(replicates as usize); entrants];
    // The two pairs that are added are spread over all that an entrant plays.
    let added = 2.0 / (entrants.max(2) - 1) as f64;
    let keys: Vec<NoiseKey> = (0..couples.len() as u64).map(|couple| key("ratings", couple)).collect();
    for replicate in 0..replicates {
        let mut table = Table::new(entrants);
        for (number, Couple { entrants, pairs }) in
            couples.iter().enumerate().filter(|(_, c)| !c.pairs.is_empty())
        {
            let mut noise = keys[number].at_step(replicate).stream();
            let weight = (pairs.len() as f64 + added) / pairs.len() as f64;
            let won: f64 = (0..pairs.len()).map(|_| draw(pairs, added, &mut noise)).sum();
            table.add(*entrants, weight * won, weight * 2.0 * pairs.len() as f64);
        }
        let mut strengths = strengths.clone();
        table.fit(&mut strengths, 1e-6);
        elo(&strengths).into_iter().zip(&mut drawn).for_each(|(rating, drawn)| drawn.push(rating));
    }
    let has_played = |entrant: usize| {
        couples.iter().any(|couple| couple.entrants.contains(&entrant) && !couple.pairs.is_empty())
    };
    let mut all = Vec::new();
    for (entrant, (rating, drawn)) in rating.into_iter().zip(drawn).enumerate() {
        let interval_95 = has_played(entrant).then(|| around(rating, percentiles(drawn)));
        all.push(Rating { rating, interval_95 });
    }
    all
}

/// What a couple's matches say; `couple` is a number for the two, which keeps couples' random numbers apart. `None` if they have not
/// played.
pub fn compare(couple: u64, pairs: &[Pair]) -> Option<Comparison> {
    compare_with(couple, pairs, REPLICATES)
}

fn compare_with(couple: u64, pairs: &[Pair], replicates: u64) -> Option<Comparison> {
    if pairs.is_empty() {
        return None;
    }
    let differences: Vec<i64> = pairs.iter().map(pair_difference).collect();
    let (share, share_interval_95, probability_better) = shares(couple, pairs, replicates);
    let (goal_difference, goal_difference_interval_95) = mean_difference(couple, &differences, replicates);
    let p_value = sign_flip(couple, &differences);
    Some(Comparison {
        share,
        share_interval_95,
        goal_difference,
        goal_difference_interval_95,
        probability_better,
        p_value,
    })
}

/// The first one's share of the points, its interval, and the part of the replicates in which it is more than half.
fn shares(couple: u64, pairs: &[Pair], replicates: u64) -> (f64, [f64; 2], f64) {
    let all = 2.0 * pairs.len() as f64;
    let share = pairs.iter().map(pair_points).sum::<f64>() / all;
    let key = key("shares", couple);
    let (mut drawn, mut better) = (Vec::new(), 0.0);
    for replicate in 0..replicates {
        let mut noise = key.at_step(replicate).stream();
        let won: f64 = (0..pairs.len()).map(|_| draw(pairs, 2.0, &mut noise)).sum();
        better += points_of_share(won / all);
        drawn.push(won / all);
    }
    // The pairs that were added draw towards the middle; the interval holds what was seen.
    (share, around(share, percentiles(drawn)), better / replicates as f64)
}

/// The mean of a match's goal difference, with its interval. `differences` are those of pairs, so of two matches.
///
/// If they are all equal, as of a single one, there is no interval: drawn with replacement they give one without width.
fn mean_difference(couple: u64, differences: &[i64], replicates: u64) -> (f64, Option<[f64; 2]>) {
    let all = 2.0 * differences.len() as f64;
    let mean = differences.iter().sum::<i64>() as f64 / all;
    if differences.windows(2).all(|two| two[0] == two[1]) {
        return (mean, None);
    }
    let key = key("differences", couple);
    let drawn = (0..replicates).map(|replicate| {
        let mut noise = key.at_step(replicate).stream();
        let sum: i64 = (0..differences.len()).map(|_| differences[pick(differences.len(), &mut noise)]).sum();
        sum as f64 / all
    });
    let interval = percentiles(drawn.collect());
    let freedom = differences.len() - 1;
    // Of few values the bootstrap's intervals are too narrow, as the normal distribution's are in place of Student's.
    let expansion = student(freedom) / NORMAL * ((freedom + 1) as f64 / freedom as f64).sqrt();
    (mean, Some(interval.map(|end| mean + expansion * (end - mean))))
}

/// Student's 97.5 % quantile: from tables, and for more than ten degrees of freedom by its expansion (within 0.003).
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let (z, n) = (NORMAL, freedom as f64);
    let (z3, z5) = (z * z * z, z * z * z * z * z);
    let expansion = z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n);
    FEW.get(freedom.saturating_sub(1)).copied().unwrap_or(expansion)
}

/// As for a match: a replicate in which the first is ahead speaks for it, one that is even half.
fn points_of_share(share: f64) -> f64 {
    if share > 0.5 {
        1.0
    } else if share == 0.5 {
        0.5
    } else {
        0.0
    }
}

fn key(what: &str, couple: u64) -> NoiseKey {
    NoiseKey::for_owner(0, &format!("tournament/{what}")).split(couple)
}

fn pick(count: usize, noise: &mut Noise) -> usize {
    (noise.uniform(0.0, count as f64) as usize).min(count - 1)
}

/// The points of one pair from the urn: those that were played, and `added` more, half of them won and half lost.
fn draw(pairs: &[Pair], added: f64, noise: &mut Noise) -> f64 {
    let count = pairs.len() as f64;
    let at = noise.uniform(0.0, count + added);
    match pairs.get(at as usize) {
        Some(pair) => pair_points(pair),
        None if at < count + added / 2.0 => 2.0,
        None => 0.0,
    }
}

/// The 2.5 and 97.5 percentiles.
fn percentiles(mut drawn: Vec<f64>) -> [f64; 2] {
    drawn.sort_by(f64::total_cmp);
    let last = drawn.len().saturating_sub(1) as f64;
    [0.025, 0.975].map(|part| drawn.get((part * last).round() as usize).copied().unwrap_or_default())
}

fn around(value: f64, [low, high]: [f64; 2]) -> [f64; 2] {
    [low.min(value), high.max(value)]
}

/// The two-sided p value of a sum of differences under flips of their signs.
fn sign_flip(couple: u64, differences: &[i64]) -> f64 {
    let seen = differences.iter().sum::<i64>().abs();
    let is_as_great = |flips: u64| {
        let signed = differences
            .iter()
            .enumerate()
            .map(|(index, one)| if flips >> index & 1 == 1 { -one } else { *one });
        signed.sum::<i64>().abs() >= seen
    };
    if differences.len() <= MOST_FOR_ALL_FLIPS {
        let all = 1u64 << differences.len();
        return (0..all).filter(|&flips| is_as_great(flips)).count() as f64 / all as f64;
    }
    let key = key("flips", couple);
    let as_great = (0..FLIPS).filter(|&flip| {
        let mut noise = key.at_step(flip).stream();
        let sums = differences.chunks(SIGNS_OF_A_DRAW as usize).map(|chunk| {
            let signs = noise.uniform(0.0, (1u64 << SIGNS_OF_A_DRAW) as f64) as u64;
            let signed = |(index, one): (usize, &i64)| if signs >> index & 1 == 1 { -one } else { *one };
            chunk.iter().enumerate().map(signed).sum::<i64>()
        });
        sums.sum::<i64>().abs() >= seen
    });
    // What was seen is one of the flips.
    (1 + as_great.count()) as f64 / (1 + FLIPS) as f64
}

/// Who has how many points against whom.
struct Table {
    entrants: usize,
    /// Points of each against all.
    points: Vec<f64>,
    /// Matches of each against each.
    matches: Vec<f64>,
}

impl Table {
    fn new(entrants: usize) -> Self {
        Self { entrants, points: vec![0.0; entrants], matches: vec![0.0; entrants * entrants] }
    }

    fn add(&mut self, [first, second]: [usize; 2], points: f64, matches: f64) {
        self.points[first] += points;
        self.points[second] += matches - points;
        self.matches[first * self.entrants + second] += matches;
        self.matches[second * self.entrants + first] += matches;
    }

    /// Finds the most likely strengths, from those given on: Hunter's minorisation, until no step changes any by more than `change`.
    /// The prior's opponent has strength 1.
    fn fit(&self, strengths: &mut [f64], change: f64) {
        for _ in 0..10_000 {
            let mut greatest: f64 = 0.0;
            for entrant in 0..self.entrants {
                let own = strengths[entrant];
                let row = &self.matches[entrant * self.entrants..(entrant + 1) * self.entrants];
                let against = row
                    .iter()
                    .zip(&*strengths)
                    .filter(|(matches, _)| **matches > 0.0)
                    .map(|(n, s)| n / (own + s));
                let weight = against.sum::<f64>() + PRIOR_MATCHES / (own + 1.0);
                let new = (self.points[entrant] + PRIOR_MATCHES / 2.0) / weight;
                greatest = greatest.max((new / own - 1.0).abs());
                strengths[entrant] = new;
            }
            if greatest < change {
                return;
            }
        }
    }
}

/// Strengths as rating points with a mean of 0.
fn elo(strengths: &[f64]) -> Vec<f64> {
    let points: Vec<f64> = strengths.iter().map(|&strength| ELO * libm::log10(strength)).collect();
    let mean = points.iter().sum::<f64>() / points.len().max(1) as f64;
    points.into_iter().map(|points| points - mean).collect()
}

#[cfg(test)]
mod tests;
