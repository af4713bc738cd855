//! What is expected at a pose: maps of landmarks, and rays through the world.

use crate::geometry::{Pose2, sin_cos};
use crate::rays::{FanTable, cast_fan, is_solid_at};
use crate::view::{NONE, Object, Shape, WorldView};
use serde::{Deserialize, Serialize};

/// Poses, each coordinate in a row of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Metres.
    pub x_m: Vec<f64>,
    /// Metres.
    pub y_m: Vec<f64>,
    /// Radians in `(-pi, pi]`.
    pub theta_rad: Vec<f64>,
}

impl Samples {
    pub(super) fn with_capacity(count: usize) -> Self {
        let row = || Vec::with_capacity(count);
        Self { x_m: row(), y_m: row(), theta_rad: row() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.x_m.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.x_m.is_empty()
    }

    /// One of them.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn get(&self, index: usize) -> Pose2 {
        Pose2 { x_m: self.x_m[index], y_m: self.y_m[index], theta_rad: self.theta_rad[index] }
    }

    pub(super) fn set(&mut self, index: usize, pose: Pose2) {
        (self.x_m[index], self.y_m[index], self.theta_rad[index]) = (pose.x_m, pose.y_m, pose.theta_rad);
    }

    pub(super) fn push(&mut self, pose: Pose2) {
        self.x_m.push(pose.x_m);
        self.y_m.push(pose.y_m);
        self.theta_rad.push(pose.theta_rad);
    }
}

impl FromIterator<Pose2> for Samples {
    fn from_iter<I: IntoIterator<Item = Pose2>>(poses: I) -> Self {
        let mut samples = Self::default();
        poses.into_iter().for_each(|pose| samples.push(pose));
        samples
    }
}

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
        let distance_m = seen.distance_m.max(0.05);
        let sigma_m = noise.sigma_distance_m + noise.sigma_distance_relative * distance_m;
        // A bearing's error is an arc at the thing's distance.
        let sigma_across_m = (noise.sigma_bearing_rad * distance_m).max(1e-3);
        let (x, y) = (seen.point[0] / distance_m, seen.point[1] / distance_m);
        let scaled = |v: [f64; 2], sigma: f64| [(v[0] / sigma) as f32, (v[1] / sigma) as f32];
        Self {
            point: [seen.point[0] as f32, seen.point[1] as f32],
            along: scaled([x, y], sigma_m.max(1e-3)),
            across: scaled([-y, x], sigma_across_m),
            worst: if labelled { WORST_LABELLED } else { WORST },
        }
    }

    /// The score of what nothing explains.
    pub(super) fn worst(&self) -> f32 {
        self.worst
    }

    /// The score of an expected point in the robot's frame.
    #[inline]
    pub(super) fn score(&self, [x, y]: [f32; 2]) -> f32 {
        let (dx, dy) = (x - self.point[0], y - self.point[1]);
        let along = dx * self.along[0] + dy * self.along[1];
        let across = dx * self.across[0] + dy * self.across[1];
        (-0.5 * (along * along + across * across)).max(self.worst)
    }
}

/// Landmarks at known places.
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
            let label = if self.labelled { Some(self.places.get(index).copied()?) } else { None };
            Some((label, Gauge::new((*seen)?, &self.noise, self.labelled)))
        });
        let (labelled, alike): (Vec<_>, Vec<_>) = gauges.partition(|(label, _)| label.is_some());
        LandmarkReading {
            labelled: labelled.into_iter().filter_map(|(label, gauge)| Some((label?, gauge))).collect(),
            alike: alike.into_iter().map(|(_, gauge)| gauge).collect(),
            places: self.places.clone(),
        }
    }
}

struct LandmarkReading {
    labelled: Vec<([f64; 2], Gauge)>,
    alike: Vec<Gauge>,
    places: Vec<[f64; 2]>,
}

impl Model for LandmarkReading {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        let mut expected = Vec::with_capacity(self.places.len());
        for (index, score) in scores.iter_mut().enumerate() {
            let pose = poses.get(index);
            let (sin, cos) = sin_cos(pose.theta_rad);
            let inner = |[x, y]: [f64; 2]| {
                let (dx, dy) = (x - pose.x_m, y - pose.y_m);
                [(cos * dx + sin * dy) as f32, (cos * dy - sin * dx) as f32]
            };
            *score += self.labelled.iter().map(|(place, gauge)| gauge.score(inner(*place))).sum::<f32>();
            if !self.alike.is_empty() {
                expected.clear();
                expected.extend(self.places.iter().map(|&place| inner(place)));
                let best =
                    |gauge: &Gauge| expected.iter().fold(WORST, |best, &point| best.max(gauge.score(point)));
                *score += self.alike.iter().map(best).sum::<f32>();
            }
        }
    }

    fn evidence(&self) -> f64 {
        (self.labelled.len() + self.alike.len()) as f64
    }
}

/// The beams of a range finder, cast through the world as it stands.
///
/// Only fixtures are cast against: what else a beam meets moves, and counts as a mistake.
#[derive(Clone, Debug)]
pub struct Beams {
    table: FanTable,
    mount: Pose2,
    z_m: f64,
    range_max_m: f64,
    sigma_m: f64,
}

impl Beams {
    /// Evenly spaced beams, angles in the sensor's frame.
    ///
    /// `mount` is the sensor's pose in the robot's frame, `z_m` its height. `None` as for [`FanTable::new`].
    pub fn new(
        angle_min_rad: f64,
        angle_step_rad: f64,
        beams: usize,
        (mount, z_m): (Pose2, f64),
        range_max_m: f64,
        sigma_m: f64,
    ) -> Option<Self> {
        let table = FanTable::new(angle_min_rad, angle_step_rad, beams)?;
        Some(Self { table, mount, z_m, range_max_m, sigma_m })
    }

    /// What ranges say about poses: one for each beam, metres, `+inf` for none. A beam without an echo says little, and is
    /// left out.
    pub fn weigh<'a>(&'a self, world: &WorldView<'_>, ranges_m: &'a [f64]) -> impl Model + use<'a> {
        // Once for all samples: without what moves, what lies on the floor, and what the beams pass over.
        let fixtures = world.objects.first();
        let shapes: Vec<Shape> = fixtures
            .into_iter()
            .flat_map(|fixtures| world.shapes_of(fixtures))
            .filter(|shape| is_solid_at(shape, self.z_m))
            .copied()
            .collect();
        let object =
            fixtures.map(|fixtures| Object { first_shape: 0, shape_count: shapes.len() as u32, ..*fixtures });
        BeamReading { beams: self, objects: object.into_iter().collect(), shapes, ranges_m }
    }
}

struct BeamReading<'a> {
    beams: &'a Beams,
    objects: Vec<Object>,
    shapes: Vec<Shape>,
    ranges_m: &'a [f64],
}

impl Model for BeamReading<'_> {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        let beams = self.beams;
        let world = WorldView { step: 0, time_secs: 0.0, objects: &self.objects, shapes: &self.shapes };
        let mut expected = vec![0.0; beams.table.len()];
        // Neighbouring beams see the same wall: together they say less than so many single ones.
        let trust = 0.5;
        let weight = 0.5 / (beams.sigma_m * beams.sigma_m);
        for (index, score) in scores.iter_mut().enumerate() {
            let sensor = poses.get(index).compose(beams.mount);
            cast_fan(&world, sensor, &beams.table, beams.range_max_m, beams.z_m, NONE, &mut expected);
            let sum: f64 = expected
                .iter()
                .zip(self.ranges_m)
                .filter(|(_, read)| read.is_finite())
                .map(|(expected_m, read_m)| {
                    let off_m = expected_m.min(beams.range_max_m) - read_m;
                    (-weight * off_m * off_m).max(f64::from(WORST))
                })
                .sum();
            *score += (trust * sum) as f32;
        }
    }

    fn evidence(&self) -> f64 {
        0.5 * self.ranges_m.iter().filter(|range| range.is_finite()).count() as f64
    }
}
