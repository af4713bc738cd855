//! What is expected at a pose, and how well a sighting fits: maps of landmarks.

use super::lanes::{LANES, Lane, sin_cos};
use super::samples::{Block, Samples};
use serde::{Deserialize, Serialize};

/// How likely a reading is at each of many poses.
pub trait Model {
    /// Adds the logarithm of the reading's likelihood at each pose; 0 is the best there is.
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]);

    /// How many independent things were read; 0 says nothing.
    fn evidence(&self) -> f64;
}

/// Something seen, in the robot's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Where, metres.
    pub point: [f64; 2],
    /// How far, metres.
    pub distance_m: f64,
}

impl Seen {
    /// Something at a point of the robot's frame.
    pub fn at(point: [f64; 2]) -> Self {
        Self { point, distance_m: libm::hypot(point[0], point[1]) }
    }

    /// Something in a direction of the robot's frame, radians, so far away that it is there from wherever one looks.
    pub fn direction(angle_rad: f64) -> Self {
        let (sin, cos) = touchline_plugin_api::geometry::sin_cos(angle_rad);
        Self { point: [cos, sin], distance_m: 1.0 }
    }

    /// Something at a distance in a direction that is always the same, such as a beam's.
    pub fn range(distance_m: f64) -> Self {
        Self { point: [distance_m, 0.0], distance_m }
    }
}

/// How wrong distances and bearings are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SightingNoise {
    /// Standard deviation of a bearing, radians.
    pub sigma_bearing_rad: f64,
    /// Standard deviation of a distance, as a part of it.
    pub sigma_distance_relative: f64,
    /// What is added to it at any distance, metres.
    pub sigma_distance_m: f64,
}

/// A reading that is worse than this is taken for a mistake: the logarithm of the probability of mistakes. The gap
/// to the best is what one sighting can say at most, so that one mistake does not outweigh all the rest.
pub(super) const WORST: f32 = -6.0;
/// The same for what is told apart: a post is soon taken for another, one team's goal hardly for the other's.
pub(super) const WORST_LABELLED: f32 = -30.0;

/// What is nearer is taken to be so far away, metres: nothing has a direction in which it is not.
pub(super) const NEAR_M: f64 = 0.05;

/// A sighting prepared for comparison with expected points: error along and across the line of sight, in deviations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gauge {
    point: [f32; 2],
    along: [f32; 2],
    across: [f32; 2],
    worst: f32,
}

impl Gauge {
    pub(super) fn new(seen: Seen, noise: &SightingNoise, labelled: bool) -> Self {
        let distance_m = seen.distance_m.max(NEAR_M);
        let sigma_m = noise.sigma_distance_m + noise.sigma_distance_relative * distance_m;
        let worst = if labelled { WORST_LABELLED } else { WORST };
        Self::of_point(seen, sigma_m.max(1e-3), noise.sigma_bearing_rad.max(1e-3 / distance_m), worst)
    }

    /// A point with the standard deviations along and across the line of sight.
    pub(super) fn of_point(seen: Seen, sigma_m: f64, sigma_rad: f64, worst: f32) -> Self {
        let distance_m = seen.distance_m.max(NEAR_M);
        let (x, y) = (seen.point[0] / distance_m, seen.point[1] / distance_m);
        let scaled = |v: [f64; 2], sigma: f64| [(v[0] / sigma) as f32, (v[1] / sigma) as f32];
        Self {
            point: [seen.point[0] as f32, seen.point[1] as f32],
            along: scaled([x, y], sigma_m),
            // A bearing's error is an arc at the thing's distance.
            across: scaled([-y, x], sigma_rad * distance_m),
            worst,
        }
    }

    /// A distance in a certain direction: a point on the x axis, of which nothing but x is compared.
    pub(super) fn range(range_m: f64, sigma_m: f64) -> Self {
        let along = [(1.0 / sigma_m) as f32, 0.0];
        Self { point: [range_m as f32, 0.0], along, across: [0.0; 2], worst: WORST }
    }

    /// A direction, as a unit vector; compared is the chord, which also tells ahead from behind.
    pub(super) fn direction(seen: Seen, sigma_rad: f64) -> Self {
        let per_rad = (1.0 / sigma_rad) as f32;
        let point = [seen.point[0] as f32, seen.point[1] as f32];
        Self { point, along: [per_rad, 0.0], across: [0.0, per_rad], worst: WORST_LABELLED }
    }

    /// The score of an expected point in the robot's frame; of no number, the worst.
    #[inline(always)]
    pub(super) fn score(&self, x: f32, y: f32) -> f32 {
        let (dx, dy) = (x - self.point[0], y - self.point[1]);
        let along = dx * self.along[0] + dy * self.along[1];
        let across = dx * self.across[0] + dy * self.across[1];
        let score = -0.5 * (along * along + across * across);
        if score > self.worst { score } else { self.worst }
    }

    /// Adds the scores of one expected point for each sample.
    #[inline(always)]
    pub(super) fn add_scores(&self, [x, y]: &[Lane; 2], scores: &mut Lane) {
        for at in 0..LANES {
            scores[at] += self.score(x[at], y[at]);
        }
    }

    /// Adds for each sample the best of the scores of several expected points.
    #[inline(always)]
    pub(super) fn add_best_scores<'a>(
        &self,
        points: impl IntoIterator<Item = &'a [Lane; 2]>,
        scores: &mut Lane,
    ) {
        let mut best = [self.worst; LANES];
        for [x, y] in points {
            for at in 0..LANES {
                let score = self.score(x[at], y[at]);
                best[at] = if score > best[at] { score } else { best[at] };
            }
        }
        for at in 0..LANES {
            scores[at] += best[at];
        }
    }
}

/// Measurement model of landmarks at known places.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmarks {
    places: Vec<[f64; 2]>,
    noise: SightingNoise,
    /// Whether a sighting says which of them it is.
    labelled: bool,
}

impl Landmarks {
    /// Landmarks that are told apart, such as two goals of different colours: the n-th sighting is of the n-th place.
    pub fn labelled(places: &[[f64; 2]], noise: SightingNoise) -> Self {
        Self { places: places.to_vec(), noise, labelled: true }
    }

    /// Landmarks that look alike, such as posts: a sighting is of whichever fits best.
    pub fn alike(places: &[[f64; 2]], noise: SightingNoise) -> Self {
        Self { places: places.to_vec(), noise, labelled: false }
    }

    /// What a reading says about poses. `None` is not seen, which says nothing: something may hide it.
    pub fn weigh(&self, seen: &[Option<Seen>]) -> impl Model + use<> {
        let gauges = seen.iter().enumerate().filter_map(|(index, seen)| {
            // A sighting of what the map does not have says nothing.
            let label = if self.labelled { Some(self.places.get(index).map(|_| index)?) } else { None };
            Some((label, Gauge::new((*seen)?, &self.noise, self.labelled)))
        });
        LandmarkReading {
            gauges: gauges.collect(),
            places: self.places.iter().map(|place| place.map(|coordinate| coordinate as f32)).collect(),
        }
    }
}

struct LandmarkReading {
    /// With the place that it is of, where that is known.
    gauges: Vec<(Option<usize>, Gauge)>,
    places: Vec<[f32; 2]>,
}

impl Model for LandmarkReading {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        if self.gauges.is_empty() {
            return;
        }
        let mut expected = vec![[[0.0; LANES]; 2]; self.places.len()];
        poses.score_blocks(scores, |block, scores| {
            expect(&self.places, block, &mut expected);
            for (label, gauge) in &self.gauges {
                match label.and_then(|place| expected.get(place)) {
                    Some(point) => gauge.add_scores(point, scores),
                    None => gauge.add_best_scores(&expected, scores),
                }
            }
        });
    }

    fn evidence(&self) -> f64 {
        self.gauges.len() as f64
    }
}

/// Where each sample expects the places, in its own frame.
#[inline(always)]
fn expect(places: &[[f32; 2]], block: &Block, expected: &mut [[Lane; 2]]) {
    let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
    for at in 0..LANES {
        (sin[at], cos[at]) = sin_cos(block.theta_rad[at]);
    }
    for (&[place_x, place_y], [x, y]) in places.iter().zip(expected) {
        for at in 0..LANES {
            let (dx, dy) = (place_x - block.x_m[at], place_y - block.y_m[at]);
            x[at] = cos[at] * dx + sin[at] * dy;
            y[at] = cos[at] * dy - sin[at] * dx;
        }
    }
}
