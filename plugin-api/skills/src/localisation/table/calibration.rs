//! How much looks differ from what is expected: measured at looks from which nothing was learned. (L2)
//!
//! # Why held-out looks
//! Let a place be looked at `n` times, and let single looks have the standard deviation `s`. The mean of the looks is itself off
//! by `s / sqrt(n)`, so a further look is off from it by `s * sqrt(1 + 1/n)`: the posterior predictive distribution of
//! a normal with a flat prior of its mean (A. Gelman et al., *Bayesian Data Analysis*, 3rd edition 2013, section 3.2). The scatter of the looks
//! within a place says `s`, and nothing at all of it if there is one look; nor does it say what cells, rounding and things
//! taken for each other add. A look that is kept out of the mean says all of it, at any number of looks.
//!
//! # The estimate
//! Of `N` errors with one unknown deviation `S` and no bias, the next has Student's t distribution with `N` degrees of
//! freedom, whose variance is `sum(e^2) / (N - 2)`. With this as the Gaussian's variance the mean of `e^2 / S^2` is 1 at every `N`
//! above 2, since `N e^2 / sum(e^2)` is of the F distribution with 1 and `N` degrees of freedom, and its mean is `N / (N - 2)`.
//!
//! A sighting's score is bounded, so that one mistake does not outweigh the rest. What is estimated is therefore the deviation with
//! which the *bounded* squares have the right mean, 1 for each coordinate: an M-estimate of scale (P. J. Huber, E. M. Ronchetti,
//! *Robust Statistics*, 2nd edition 2009, chapter 5 and 8). It is the fixed point of weighing each square by what is left of it.
//!
//! Sightings are put together by the metre of their *seen* distance, since this is how the deviation is chosen when a table is used.

use super::Slots;
use crate::localisation::Seen;
use serde::{Deserialize, Serialize};

/// How often it may have been seen at a place, in classes: never, up to a 14th of the looks, …, always; outside of the grid.
pub(super) const CLASSES: usize = 16;
/// The class of what is outside of the grid.
pub(super) const OUTSIDE: u8 = 15;
/// The class of what was seen at all looks.
const ALWAYS: u32 = 14;
/// Neighbouring metres are put together until there are so many sightings.
const ENOUGH: usize = 100;
/// The standard deviations of what was never sighted at a held-out look: metres, radians.
const UNKNOWN: [f64; 2] = [0.1, 0.05];
/// The smallest standard deviations: metres, radians.
const SMALLEST: [f64; 2] = [1e-4, 1e-5];

/// The class of what was seen at so many of all looks.
pub(super) fn class(seen: u32, looks: u32) -> u8 {
    let share = (ALWAYS * seen).div_ceil(looks.max(1));
    share.min(ALWAYS) as u8
}

/// How far an expected point is from a sighting: along and across the line of sight, metres and radians; a range and a
/// direction have one error.
pub(super) fn errors(kind: Slots, seen: Seen, expected: [f64; 2]) -> [f64; 2] {
    let [dx, dy] = [expected[0] - seen.point[0], expected[1] - seen.point[1]];
    match kind {
        Slots::Ranges => [dx, 0.0],
        Slots::Directions => [libm::hypot(dx, dy), 0.0],
        Slots::Labelled | Slots::Alike => {
            let distance_m = seen.distance_m.max(crate::localisation::models::NEAR_M);
            let (x, y) = (seen.point[0] / distance_m, seen.point[1] / distance_m);
            [dx * x + dy * y, (dy * x - dx * y) / distance_m]
        }
    }
}

/// How far apart a thing may be seen at two looks from one place, metres: what is farther is another thing.
pub(super) fn gate_m(distance_m: f64) -> f64 {
    0.2 + 0.3 * distance_m
}

/// Held-out looks at one part of a feature.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldOut {
    /// For each class how often it was looked for.
    looks: [u64; CLASSES],
    /// How often there was a look at all, and how many things were seen that nobody expected.
    all_looks: u64,
    surprises: u64,
    sightings: Vec<Sighting>,
    /// The errors of all sightings against all that they may be of, one after the other.
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug)]
struct Sighting {
    distance_m: f32,
    /// Where its candidates end; they begin where those of the one before end.
    end: u32,
    /// Which look it is of.
    look: u32,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    errors: [f32; 2],
    /// Of the thing that is expected, at its place.
    class: u8,
    /// Which of the expected things it is.
    thing: u8,
}

impl HeldOut {
    /// One look: what is expected, with its class, and what is seen. Of one thing, or of several that look alike.
    pub(super) fn add(&mut self, kind: Slots, expected: &[([f64; 2], u8)], seen: &[Option<Seen>]) {
        let look = self.all_looks as u32;
        self.all_looks += 1;
        for (_, class) in expected {
            self.looks[usize::from(*class)] += 1;
        }
        for seen in seen.iter().flatten() {
            let gate_m = if kind == Slots::Alike { gate_m(seen.distance_m) } else { f64::INFINITY };
            let start = self.candidates.len();
            let mut is_near = false;
            for (thing, (point, class)) in expected.iter().enumerate().filter(|(_, (_, class))| *class > 0) {
                let off_m = libm::hypot(point[0] - seen.point[0], point[1] - seen.point[1]);
                is_near |= off_m <= gate_m;
                let errors = errors(kind, *seen, *point).map(|error| error as f32);
                self.candidates.push(Candidate { errors, class: *class, thing: thing as u8 });
            }
            if is_near {
                let (distance_m, end) = (seen.distance_m as f32, self.candidates.len() as u32);
                self.sightings.push(Sighting { distance_m, end, look });
            } else {
                self.candidates.truncate(start);
                self.surprises += 1;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let (first, look) = (self.candidates.len() as u32, self.all_looks as u32);
        for (own, more) in self.looks.iter_mut().zip(&other.looks) {
            *own += more;
        }
        self.all_looks += other.all_looks;
        self.surprises += other.surprises;
        self.candidates.extend_from_slice(&other.candidates);
        let moved = |sighting: &Sighting| Sighting {
            end: sighting.end + first,
            look: sighting.look + look,
            ..*sighting
        };
        self.sightings.extend(other.sightings.iter().map(moved));
    }

    fn candidates(&self, index: usize) -> &[Candidate] {
        let start = index.checked_sub(1).map_or(0, |before| self.sightings[before].end);
        &self.candidates[start as usize..self.sightings[index].end as usize]
    }

    /// What comes of it. The unit in which expected points are rounded adds to the errors.
    pub(super) fn calibration(&self, kind: Slots, looks: u32, unit_m: f64) -> Calibration {
        let mut by_distance: Vec<usize> = (0..self.sightings.len()).collect();
        let metre = |index: &usize| self.sightings[*index].distance_m.clamp(0.0, 63.0) as usize;
        by_distance.sort_by_key(metre);
        let mut sigmas: Vec<[f64; 2]> = Vec::new();
        let (mut start, mut end) = (0, 0);
        for group in by_distance.chunk_by(|a, b| metre(a) == metre(b)) {
            end += group.len();
            let rest = by_distance.len() - end;
            if rest > 0 && (end - start < ENOUGH || rest < ENOUGH) {
                continue;
            }
            let own = &by_distance[start..end];
            let last_metre = own.last().map_or(0, metre);
            sigmas.resize(last_metre + 1, self.sigmas(kind, own, unit_m));
            start = end;
        }
        if sigmas.is_empty() {
            sigmas.push(UNKNOWN);
        }
        let mut calibration = Calibration {
            sigmas,
            presence: [0.5; CLASSES],
            surprises: (self.surprises as f64 + 0.5) / (self.all_looks as f64 + 1.0),
        };
        calibration.presence = self.presence(kind, looks, &calibration);
        calibration
    }

    /// The standard deviations with which the bounded squares of these sightings' errors have the right mean.
    fn sigmas(&self, kind: Slots, own: &[usize], unit_m: f64) -> [f64; 2] {
        let most = -2.0 * f64::from(kind.worst());
        let degrees = (own.len() as f64 - 2.0).max(1.0);
        let mean_m = own.iter().map(|&index| f64::from(self.sightings[index].distance_m)).sum::<f64>();
        let mean_m = (mean_m / own.len() as f64).max(crate::localisation::models::NEAR_M);
        let mut sigmas = UNKNOWN.map(|sigma| 10.0 * sigma);
        for _ in 0..200 {
            let mut sums = [0.0; 2];
            for &index in own {
                let squares = |candidate: &Candidate| squared(candidate, sigmas);
                let best = self.candidates(index).iter().min_by(|a, b| squares(a).total_cmp(&squares(b)));
                let Some(best) = best else { continue };
                let weight = (most / squares(best)).min(1.0);
                for (sum, error) in sums.iter_mut().zip(best.errors) {
                    *sum += weight * f64::from(error) * f64::from(error);
                }
            }
            let next = [0, 1].map(|axis| (sums[axis] / degrees).sqrt().max(SMALLEST[axis]));
            let is_done = (0..2).all(|axis| (next[axis] / sigmas[axis] - 1.0).abs() < 1e-9);
            sigmas = next;
            if is_done {
                break;
            }
        }
        let rounding_m = unit_m / libm::sqrt(12.0);
        [libm::hypot(sigmas[0], rounding_m), libm::hypot(sigmas[1], rounding_m / mean_m)]
    }

    /// For each class how probable it is to be seen: the mean of a Beta distribution, whose prior is what the looks at the place
    /// itself say, with the weight of one look, and to which the held-out looks at all places of the class are added.
    fn presence(&self, kind: Slots, looks: u32, calibration: &Calibration) -> [f64; CLASSES] {
        let mut seen = [0.0; CLASSES];
        let most = -2.0 * f64::from(kind.worst());
        let mut found: Vec<(u8, u8)> = Vec::new();
        let mut last = None;
        for (index, sighting) in self.sightings.iter().enumerate() {
            if last.replace(sighting.look) != Some(sighting.look) {
                found.drain(..).for_each(|(_, class)| seen[usize::from(class)] += 1.0);
            }
            let sigmas = calibration.sigmas(f64::from(sighting.distance_m));
            for candidate in self.candidates(index) {
                let is_it = kind != Slots::Alike || squared(candidate, sigmas) < most;
                if is_it && !found.iter().any(|(thing, _)| *thing == candidate.thing) {
                    found.push((candidate.thing, candidate.class));
                }
            }
        }
        found.drain(..).for_each(|(_, class)| seen[usize::from(class)] += 1.0);
        // Of a single thing that nobody expected it is said which it is.
        if kind != Slots::Alike {
            seen[0] = self.surprises as f64;
        }
        let looks = f64::from(looks.max(1));
        std::array::from_fn(|class| {
            let of_looks = looks * class as f64 / f64::from(ALWAYS);
            let prior = (of_looks + 0.5) / (looks + 1.0);
            (seen[class] + prior.min(1.0)) / (self.looks[class] as f64 + 1.0)
        })
        .map(|presence: f64| presence.clamp(1e-6, 1.0 - 1e-6))
    }
}

fn squared(candidate: &Candidate, sigmas: [f64; 2]) -> f64 {
    let part = |axis: usize| f64::from(candidate.errors[axis]) / sigmas[axis];
    part(0) * part(0) + part(1) * part(1)
}

/// What held-out looks say of one part of a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Calibration {
    /// For each metre of the seen distance the standard deviations along and across the line of sight, metres and radians.
    sigmas: Vec<[f64; 2]>,
    /// For each class how probable it is to be seen.
    pub(super) presence: [f64; CLASSES],
    /// How many things are seen at a look that nobody expected.
    pub(super) surprises: f64,
}

impl Calibration {
    pub(super) fn sigmas(&self, distance_m: f64) -> [f64; 2] {
        let metre = distance_m.clamp(0.0, 63.0) as usize;
        self.sigmas.get(metre).or(self.sigmas.last()).copied().unwrap_or(UNKNOWN)
    }

    /// Whether these are numbers that there can be.
    pub(super) fn is_sound(&self) -> bool {
        let is_positive = |number: &f64| number.is_finite() && *number > 0.0;
        !self.sigmas.is_empty()
            && self.sigmas.iter().flatten().all(is_positive)
            && self.presence.iter().all(|presence| is_positive(presence) && *presence < 1.0)
            && is_positive(&self.surprises)
    }
}
