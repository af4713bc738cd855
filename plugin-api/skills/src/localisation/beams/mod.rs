//! What a range finder measures, against rays cast through the world from every sample.
//!
//! All samples look at the same few walls, so these are prepared once: outlines become edges in the world frame. For a
//! block of samples the directions of all corners are worked out side by side, as places among the beams; those
//! between its two corners meet an edge. The inverse of the distance to a straight edge is a linear function of the
//! beam's direction: so the nearest edge has the greatest, and no beam needs a division.

mod outlines;

use super::lanes::{LANES, Lane, nearest, rough_angle, sin_cos, wrap};
use super::models::{Model, WORST};
use super::samples::{Block, Samples};
use outlines::Outlines;
use std::f64::consts::TAU;
use touchline_kit::rays::FanTable;
use touchline_plugin_api::geometry::{self, Pose2, wrap_angle};
use touchline_plugin_api::view::WorldView;

/// Neighbouring beams see the same wall: together they say less than so many single ones.
const TRUST: f32 = 0.5;

/// The beams of a range finder, cast through the world as it stands.
///
/// Only fixtures are cast against: what else a beam meets moves, and counts as a mistake.
#[derive(Clone, Debug)]
pub struct Beams {
    /// Directions in the sensor's frame, filled up to whole lanes.
    cos: Vec<f32>,
    sin: Vec<f32>,
    beams: usize,
    start_rad: f32,
    beams_per_rad: f32,
    /// How many beams a whole turn would have.
    turn_beams: i32,
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
        FanTable::new(angle_min_rad, angle_step_rad, beams)?;
        let direction = |beam| geometry::sin_cos(angle_min_rad + f64::from(beam) * angle_step_rad);
        let count = u32::try_from(beams.next_multiple_of(LANES)).ok()?;
        let (sin, cos): (Vec<f64>, Vec<f64>) = (0..count).map(direction).unzip();
        let single = |row: Vec<f64>| row.into_iter().map(|number| number as f32).collect();
        Some(Self {
            cos: single(cos),
            sin: single(sin),
            beams,
            start_rad: wrap_angle(angle_min_rad) as f32,
            beams_per_rad: (1.0 / angle_step_rad) as f32,
            turn_beams: (TAU / angle_step_rad).ceil() as i32,
            mount,
            z_m,
            range_max_m,
            sigma_m,
        })
    }

    /// What ranges say about poses: one for each beam, metres, `+inf` for none. A beam without an echo says little, and is
    /// left out.
    pub fn weigh<'a>(&'a self, world: &WorldView<'_>, ranges_m: &[f64]) -> impl Model + use<'a> {
        let weight = (0.5 / (self.sigma_m * self.sigma_m).max(1e-12)) as f32;
        let mut reading = BeamReading {
            weights: vec![0.0; self.cos.len()],
            ranges_m: vec![0.0; self.cos.len()],
            echoes: 0,
            beams: self,
            outlines: Outlines::of(world, self.z_m),
        };
        for (beam, &range_m) in ranges_m.iter().take(self.beams).enumerate() {
            if range_m.is_finite() {
                // What is farther than the rays reach is as far as they do.
                reading.ranges_m[beam] = range_m.min(self.range_max_m) as f32;
                reading.weights[beam] = weight;
                reading.echoes += 1;
            }
        }
        reading
    }
}

struct BeamReading<'a> {
    beams: &'a Beams,
    outlines: Outlines,
    /// For each beam, filled up to whole lanes: what an error weighs, 0 for no echo; what was read.
    weights: Vec<f32>,
    ranges_m: Vec<f32>,
    echoes: usize,
}

/// What is worked out for a block of samples side by side.
struct Scratch {
    /// For each corner: where it is from the sensor, metres, in the world's axes, and which beam is the first on its left.
    corners: Vec<([Lane; 2], [i32; LANES])>,
    /// For each edge: the inverse of the distance along the sensor's x and y axis.
    edges: Vec<[Lane; 2]>,
    rounds: Vec<RoundLanes>,
    /// For each sample the edges, and then the rounds, that any beam may meet.
    met: [Vec<u32>; LANES],
    met_edges: [usize; LANES],
    met_all: [usize; LANES],
    /// Whether the sensor is inside of something.
    is_inside: [bool; LANES],
}

/// Linear functions of a beam's direction, each by its factors of the cosine and the sine.
#[derive(Clone, Copy)]
struct RoundLanes {
    /// The direction, stretched.
    u: [Lane; 2],
    v: [Lane; 2],
    /// The stretched centre along it, and across.
    along: [Lane; 2],
    across: [Lane; 2],
    /// 1 over the square of the tangent.
    inverse: Lane,
    /// The first beam that meets it, and the first that does not any more.
    first: [i32; LANES],
    end: [i32; LANES],
}

impl Scratch {
    fn new(outlines: &Outlines) -> Self {
        let (none, pair) = ([0.0; LANES], [[0.0; LANES]; 2]);
        let round = RoundLanes {
            u: pair,
            v: pair,
            along: pair,
            across: pair,
            inverse: none,
            first: [0; LANES],
            end: [0; LANES],
        };
        Self {
            corners: vec![(pair, [0; LANES]); outlines.corners.len()],
            edges: vec![pair; outlines.edges.len()],
            rounds: vec![round; outlines.rounds.len()],
            met: std::array::from_fn(|_| vec![0; outlines.edges.len() + outlines.rounds.len() + 1]),
            met_edges: [0; LANES],
            met_all: [0; LANES],
            is_inside: [false; LANES],
        }
    }
}

/// The sensors of a block of samples.
struct Sensors {
    x_m: Lane,
    y_m: Lane,
    sin: Lane,
    cos: Lane,
    /// The direction of the first beam, radians.
    start_rad: Lane,
}

impl BeamReading<'_> {
    #[inline(always)]
    fn sensors(&self, block: &Block) -> Sensors {
        let none = [0.0; LANES];
        let mut sensors = Sensors { x_m: none, y_m: none, sin: none, cos: none, start_rad: none };
        let mount = self.beams.mount;
        let (mount_x, mount_y) = (mount.x_m as f32, mount.y_m as f32);
        let mount_rad = mount.theta_rad as f32;
        for at in 0..LANES {
            let (sin, cos) = sin_cos(block.theta_rad[at]);
            sensors.x_m[at] = block.x_m[at] + cos * mount_x - sin * mount_y;
            sensors.y_m[at] = block.y_m[at] + sin * mount_x + cos * mount_y;
            let heading_rad = block.theta_rad[at] + mount_rad;
            (sensors.sin[at], sensors.cos[at]) = sin_cos(heading_rad);
            sensors.start_rad[at] = heading_rad + self.beams.start_rad;
        }
        sensors
    }

    /// Which beam is the first on the left of each direction, counted over the whole turn.
    #[inline(always)]
    fn first_beams(&self, x: &Lane, y: &Lane, start_rad: &Lane) -> [i32; LANES] {
        let mut beams = [0; LANES];
        let beams_per_rad = self.beams.beams_per_rad;
        for at in 0..LANES {
            let angle = wrap(rough_angle(x[at], y[at]) - start_rad[at]);
            let turned = angle + TAU as f32;
            let angle = if angle < 0.0 { turned } else { angle };
            beams[at] = nearest(angle * beams_per_rad + 0.5).1;
        }
        beams
    }

    /// Whether any beam lies between these two.
    #[inline(always)]
    fn meet_any(&self, first: &[i32; LANES], end: &[i32; LANES]) -> [bool; LANES] {
        let (count, turn) = (self.beams.beams as i32, self.beams.turn_beams);
        let mut is_met = [false; LANES];
        for at in 0..LANES {
            let turns = end[at] < first[at];
            // Directions are rough: what is seen from its end, or is very small, may seem to end before it begins.
            let span = end[at] - first[at] + if turns { turn } else { 0 };
            let within_beams = if first[at] < count { first[at] != end[at] } else { turns };
            is_met[at] = within_beams & (2 * span <= turn + 2);
        }
        is_met
    }

    #[inline(always)]
    fn look(&self, sensors: &Sensors, scratch: &mut Scratch) {
        let outlines = &self.outlines;
        for (corner, ([x, y], first)) in outlines.corners.iter().zip(&mut scratch.corners) {
            for at in 0..LANES {
                x[at] = corner[0] - sensors.x_m[at];
                y[at] = corner[1] - sensors.y_m[at];
            }
            *first = self.first_beams(x, y, &sensors.start_rad);
        }
        let mut edges = outlines.edges.iter().zip(&mut scratch.edges);
        scratch.is_inside = [false; LANES];
        scratch.met_edges = [0; LANES];
        let mut begin = 0;
        for &end in &outlines.ends {
            let mut sees_none = [true; LANES];
            for (number, (edge, [along_x, along_y])) in (begin..).zip(edges.by_ref().take(end - begin)) {
                let ([from_x, from_y], beams_end) = &scratch.corners[edge.from];
                // Seen from outside, its end is on the right.
                let ([to_x, to_y], first) = &scratch.corners[edge.to];
                let mut is_met = self.meet_any(first, beams_end);
                for at in 0..LANES {
                    let (edge_x, edge_y) = (to_x[at] - from_x[at], to_y[at] - from_y[at]);
                    let area = from_x[at] * edge_y - from_y[at] * edge_x;
                    is_met[at] &= area < 0.0;
                    sees_none[at] &= area >= 0.0;
                    let inverse = 1.0 / area;
                    // Turned into the sensor's frame.
                    let (x, y) = (edge_y * inverse, -edge_x * inverse);
                    along_x[at] = sensors.cos[at] * x + sensors.sin[at] * y;
                    along_y[at] = sensors.cos[at] * y - sensors.sin[at] * x;
                }
                list(number, &is_met, &mut scratch.met, &mut scratch.met_edges);
            }
            begin = end;
            for (is_inside, sees_none) in scratch.is_inside.iter_mut().zip(sees_none) {
                *is_inside |= sees_none;
            }
        }
        scratch.met_all = scratch.met_edges;
        let mut touched = [[[0.0; LANES]; 2]; 2];
        for (number, (round, lanes)) in outlines.rounds.iter().zip(&mut scratch.rounds).enumerate() {
            for at in 0..LANES {
                let (dx, dy) = (round.centre[0] - sensors.x_m[at], round.centre[1] - sensors.y_m[at]);
                let (u, v) = (dx * round.u[0] + dy * round.u[1], dx * round.v[0] + dy * round.v[1]);
                let tangent2 = u * u + v * v - 1.0;
                scratch.is_inside[at] |= tangent2 <= 0.0;
                lanes.inverse[at] = 1.0 / tangent2;
                let (sin, cos) = (sensors.sin[at], sensors.cos[at]);
                let turned = |[x, y]: [f32; 2]| [cos * x + sin * y, cos * y - sin * x];
                let (own_u, own_v) = (turned(round.u), turned(round.v));
                for axis in 0..2 {
                    lanes.u[axis][at] = own_u[axis];
                    lanes.v[axis][at] = own_v[axis];
                    lanes.along[axis][at] = own_u[axis] * u + own_v[axis] * v;
                    lanes.across[axis][at] = own_u[axis] * v - own_v[axis] * u;
                }
                // Where it is touched, in the world's axes: right, then left.
                let tangent = (if tangent2 > 0.0 { tangent2 } else { 0.0 }).sqrt();
                let (half_u, half_v) = (round.half_m[0] * round.half_m[0], round.half_m[1] * round.half_m[1]);
                for (side, [x, y]) in [-1.0, 1.0].into_iter().zip(&mut touched) {
                    let (u, v) = (half_u * (u * tangent - side * v), half_v * (v * tangent + side * u));
                    x[at] = round.u[0] * u + round.v[0] * v;
                    y[at] = round.u[1] * u + round.v[1] * v;
                }
            }
            let [right, left] = &touched;
            lanes.first = self.first_beams(&right[0], &right[1], &sensors.start_rad);
            lanes.end = self.first_beams(&left[0], &left[1], &sensors.start_rad);
            let is_met = self.meet_any(&lanes.first, &lanes.end);
            list(number, &is_met, &mut scratch.met, &mut scratch.met_all);
        }
    }

    /// The inverse distances along all beams of one sample.
    #[inline(always)]
    fn cast(&self, scratch: &Scratch, at: usize, inverses: &mut [f32]) {
        if scratch.is_inside[at] {
            // As near as can be told.
            return inverses.fill(1e6);
        }
        inverses.fill((1.0 / self.beams.range_max_m) as f32);
        let (met_edges, met_rounds) = scratch.met[at][..scratch.met_all[at]].split_at(scratch.met_edges[at]);
        for &number in met_edges {
            let edge = self.outlines.edges[number as usize];
            let [x, y] = &scratch.edges[number as usize];
            let (x, y) = (x[at], y[at]);
            let (first, end) = (scratch.corners[edge.to].1[at], scratch.corners[edge.from].1[at]);
            self.each_beam(first, end, inverses, |cos, sin| x * cos + y * sin);
        }
        for &number in met_rounds {
            let round = &scratch.rounds[number as usize];
            let linear = |[x, y]: &[Lane; 2]| [x[at], y[at]];
            let (u, v) = (linear(&round.u), linear(&round.v));
            let (along, across) = (linear(&round.along), linear(&round.across));
            let inverse = round.inverse[at];
            self.each_beam(round.first[at], round.end[at], inverses, |cos, sin| {
                let of = |[x, y]: [f32; 2]| x * cos + y * sin;
                let (u, v, across) = (of(u), of(v), of(across));
                let root2 = u * u + v * v - across * across;
                (of(along) + (if root2 > 0.0 { root2 } else { 0.0 }).sqrt()) * inverse
            });
        }
    }

    /// Puts an inverse distance on each beam from `first` to before `end`, which may be beyond the end of the turn.
    #[inline(always)]
    fn each_beam(&self, first: i32, end: i32, inverses: &mut [f32], inverse: impl Fn(f32, f32) -> f32) {
        let count = self.beams.beams;
        let (first, end) = ((first as usize).min(count), (end as usize).min(count));
        let mut put = |beams: std::ops::Range<usize>| {
            let Some(own) = inverses.get_mut(beams.clone()) else { return };
            let directions = self.beams.cos[beams.clone()].iter().zip(&self.beams.sin[beams]);
            for (own, (&cos, &sin)) in own.iter_mut().zip(directions) {
                let inverse = inverse(cos, sin);
                *own = if inverse > *own { inverse } else { *own };
            }
        };
        if first <= end {
            put(first..end);
        } else {
            put(first..count);
            put(0..end);
        }
    }

    #[inline(always)]
    fn score(&self, inverses: &[f32]) -> f32 {
        let mut sums = [0.0; LANES];
        let rows = inverses.chunks_exact(LANES).zip(self.ranges_m.chunks_exact(LANES));
        for ((inverses, ranges_m), weights) in rows.zip(self.weights.chunks_exact(LANES)) {
            for at in 0..LANES {
                let off_m = 1.0 / inverses[at] - ranges_m[at];
                let score = -weights[at] * off_m * off_m;
                sums[at] += if score > WORST { score } else { WORST };
            }
        }
        TRUST * sums.iter().sum::<f32>()
    }
}

/// Adds a number to the lists of those samples for which it is true, without a branch.
#[inline(always)]
fn list(number: usize, is_met: &[bool; LANES], met: &mut [Vec<u32>; LANES], lengths: &mut [usize; LANES]) {
    for at in 0..LANES {
        // There is room for one more than there can be.
        if let Some(place) = met[at].get_mut(lengths[at]) {
            *place = number as u32;
        }
        lengths[at] += usize::from(is_met[at]);
    }
}

impl Model for BeamReading<'_> {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        if self.echoes == 0 {
            return;
        }
        let mut scratch = Scratch::new(&self.outlines);
        let mut inverses = vec![0.0; self.beams.cos.len()];
        poses.score_blocks(scores, |block, scores| {
            let sensors = self.sensors(block);
            self.look(&sensors, &mut scratch);
            for (at, score) in scores.iter_mut().enumerate() {
                self.cast(&scratch, at, &mut inverses);
                *score += self.score(&inverses);
            }
        });
    }

    fn evidence(&self) -> f64 {
        f64::from(TRUST) * self.echoes as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_kit::rays::cast_fan;
    use touchline_plugin_api::noise::NoiseKey;
    use touchline_plugin_api::view::{NONE, Shape};
    use touchline_plugin_testing::FakeWorld;

    /// L3: they meet what the sensor's own fan meets, but for beams that pass a corner within the rough angle's error.
    #[test]
    fn the_rays_are_those_of_a_fan() {
        // Of any direction, beside those that lie along the axes.
        let solid = |kind_code, pose: Pose2, [half_x_m, half_y_m]: [f64; 2]| {
            let (sin, cos) = geometry::sin_cos(pose.theta_rad);
            let wall =
                *FakeWorld::new().wall([pose.x_m, pose.y_m], [1.2, 1.2]).view().shapes.first().unwrap();
            Shape { sin, cos, half_x_m, half_y_m, kind_code, ..wall }
        };
        let world = FakeWorld::f2000()
            .fixture(solid(1, Pose2::new(1.0, 1.0, 0.7), [0.5, 0.2]))
            .fixture(solid(0, Pose2::new(-2.0, -1.0, 0.4), [0.5, 0.15]));
        let view = world.view();
        let mut noise = NoiseKey::for_owner(1, "rays").stream();
        for (start_rad, step_rad, count) in [(-1.5, 0.1, 31), (-3.1, TAU / 181.0, 181), (2.0, 0.9, 7)] {
            let mount = Pose2::new(0.1, -0.05, 0.3);
            let beams = Beams::new(start_rad, step_rad, count, (mount, 0.3), 8.0, 0.05).unwrap();
            let fan = FanTable::new(start_rad, step_rad, count).unwrap();
            let (mut expected, mut wrong, mut all) = (vec![0.0; count], 0.0, 0.0);
            for _ in 0..20 {
                let mut pose = || {
                    Pose2::new(noise.uniform(-6.2, 6.2), noise.uniform(-3.2, 3.2), noise.uniform(-3.1, 3.1))
                };
                let poses: Samples = (0..LANES).map(|_| pose()).collect();
                let reading = BeamReading {
                    weights: vec![],
                    ranges_m: vec![],
                    echoes: 0,
                    beams: &beams,
                    outlines: Outlines::of(&view, 0.3),
                };
                let mut scratch = Scratch::new(&reading.outlines);
                let mut inverses = vec![0.0; beams.cos.len()];
                poses.score_blocks(&mut [0.0; LANES], |block, _| {
                    reading.look(&reading.sensors(block), &mut scratch);
                });
                for (at, pose) in poses.iter().enumerate() {
                    reading.cast(&scratch, at, &mut inverses);
                    cast_fan(&view, pose.compose(mount), &fan, 8.0, 0.3, NONE, &mut expected);
                    for (inverse, expected_m) in inverses.iter().zip(&expected) {
                        let off_m = f64::from(1.0 / inverse) - expected_m.min(8.0);
                        wrong += f64::from(u8::from(off_m.abs() > 2e-3));
                        all += 1.0;
                    }
                }
            }
            assert!(wrong / all < 2e-3, "{wrong} of {all}");
        }
    }
}
