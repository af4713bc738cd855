//! What is seen, against what a table expects.

use super::{NOTHING, PerceptionTable, Slots};
use crate::geometry::{Pose2, sin_cos};
use crate::localisation::lanes::{LANES, Lane, nearest};
use crate::localisation::models::{Gauge, Model, Seen};
use crate::localisation::samples::{Block, Samples};
use std::f64::consts::TAU;

/// Neighbouring ranges see the same wall: together they say less than so many single ones.
const RANGES_TRUST: f32 = 0.5;

/// How samples find their cells: the grid's numbers, as they are needed for each.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    low: [f32; 2],
    cell_m: f32,
    per_m: f32,
    places: [f32; 2],
    columns: usize,
    per_rad: f32,
    step_rad: f32,
    /// Sine and cosine of each heading.
    headings: Vec<(f32, f32)>,
}

/// The cells of some samples, and where each is from the middle of its cell, in the middle's frame.
struct Cells {
    /// `None` is outside.
    numbers: [Option<u32>; LANES],
    step_x: Lane,
    step_y: Lane,
    turn_rad: Lane,
}

impl Finder {
    pub(super) fn new(grid: &super::Grid) -> Self {
        let places = grid.places();
        let heading = |index| sin_cos(f64::from(index) * TAU / f64::from(grid.headings));
        let single = |(sin, cos): (f64, f64)| (sin as f32, cos as f32);
        Self {
            low: grid.area.low.map(|low| low as f32),
            cell_m: grid.cell_m as f32,
            per_m: (1.0 / grid.cell_m) as f32,
            places: places.map(|places| places as f32),
            columns: places[0],
            per_rad: (f64::from(grid.headings) / TAU) as f32,
            step_rad: (TAU / f64::from(grid.headings)) as f32,
            headings: (0..grid.headings).map(heading).map(single).collect(),
        }
    }

    #[inline(always)]
    fn cells(&self, block: &Block) -> Cells {
        let (mut numbers, mut step_x, mut step_y, mut turn_rad) =
            ([None; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let headings = self.headings.len() as i32;
        for at in 0..LANES {
            let x = (block.x_m[at] - self.low[0]) * self.per_m;
            let y = (block.y_m[at] - self.low[1]) * self.per_m;
            let is_within = x >= 0.0 && y >= 0.0 && x < self.places[0] && y < self.places[1];
            // On the border of two cells either will do, but the last is the last.
            let below = |x: f32, places: f32| {
                let (below, number) = nearest(x - 0.5);
                if below < places { (below, number) } else { (places - 1.0, places as i32 - 1) }
            };
            let ((column, column_number), (row, row_number)) =
                (below(x, self.places[0]), below(y, self.places[1]));
            let turn = block.theta_rad[at] * self.per_rad;
            let (middle, heading) = nearest(turn);
            let heading = if heading < 0 { heading + headings } else { heading };
            let heading = if heading >= headings { 0 } else { heading } as usize;
            let Some(&(sin, cos)) = self.headings.get(heading) else { continue };
            let (dx, dy) = ((x - column - 0.5) * self.cell_m, (y - row - 0.5) * self.cell_m);
            step_x[at] = cos * dx + sin * dy;
            step_y[at] = cos * dy - sin * dx;
            turn_rad[at] = (turn - middle) * self.step_rad;
            let number =
                (row_number as usize).wrapping_mul(self.columns).wrapping_add(column_number as usize);
            // A table has less than 2^27 cells.
            numbers[at] = is_within.then_some((number.wrapping_mul(self.headings.len()) + heading) as u32);
        }
        Cells { numbers, step_x, step_y, turn_rad }
    }
}

/// Slots, and the sighting with which each of them is compared.
struct Compared {
    slots: std::ops::Range<usize>,
    kind: Slots,
    gauge: Gauge,
}

pub(super) struct TableReading<'a> {
    table: &'a PerceptionTable,
    compared: Vec<Compared>,
    /// The slots that are compared with anything, without gaps.
    used: std::ops::Range<usize>,
}

impl<'a> TableReading<'a> {
    /// `seen` begins with the slots of the feature `from`.
    pub(super) fn new(table: &'a PerceptionTable, from: usize, seen: &[Option<Seen>]) -> Self {
        let mut compared = Vec::new();
        let head = &table.head;
        let mut slot = head.features.iter().take(from).map(|feature| feature.slots).sum::<usize>();
        let mut seen = seen.iter();
        for (feature, scatter) in head.features.iter().zip(&head.scatter).skip(from) {
            let slots = slot..slot + feature.slots;
            for own in slots.clone() {
                let Some(seen) = seen.next().copied().flatten() else { continue };
                let noise = scatter.noise(seen.distance_m);
                compared.push(Compared {
                    slots: if feature.kind == Slots::Alike { slots.clone() } else { own..own + 1 },
                    kind: feature.kind,
                    gauge: match feature.kind {
                        Slots::Ranges => Gauge::range(seen.distance_m, noise.sigma_distance_m),
                        kind => Gauge::new(seen, &noise, kind == Slots::Labelled),
                    },
                });
            }
            slot = slots.end;
        }
        let first = compared.iter().map(|compared| compared.slots.start).min().unwrap_or(0);
        let end = compared.iter().map(|compared| compared.slots.end).max().unwrap_or(0);
        Self { table, compared, used: first..end }
    }

    /// The probability at each pose, as [`PerceptionTable::probability`].
    pub(super) fn probabilities(&self, poses: &Samples, expects: impl Fn(Pose2) -> bool) -> Vec<f64> {
        let mut scores = vec![0.0; poses.len()];
        self.add_scores(poses, &mut scores);
        let probability = |(pose, score): (Pose2, f32)| match expects(pose) {
            // However unlikely, it is above 0.
            true => libm::exp(f64::from(score)).max(f64::MIN_POSITIVE),
            false => -1.0,
        };
        poses.iter().zip(scores).map(probability).collect()
    }

    /// Takes the points that are compared out of the table. By rows, so that the processor fetches them side by side: most
    /// of the time goes into waiting for memory.
    #[inline(always)]
    fn gather(&self, cells: &Cells, points: &mut [[Lane; 2]]) {
        let table = self.table;
        for at in 0..LANES {
            let start = cells.numbers[at].map(|number| number as usize * table.slots);
            let cell =
                start.and_then(|start| table.expected.get(start + self.used.start..start + self.used.end));
            let cell = cell.unwrap_or(&table.nowhere[..self.used.len()]);
            for ([x, y], point) in points.iter_mut().zip(cell) {
                x[at] = f32::from(point[0]);
                y[at] = f32::from(point[1]);
            }
        }
    }
}

impl Model for TableReading<'_> {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        if self.compared.is_empty() {
            return;
        }
        let table = self.table;
        let mut points = vec![[[0.0; LANES]; 2]; self.used.len()];
        poses.score_blocks(scores, |block, scores| {
            let cells = table.finder.cells(block);
            self.gather(&cells, &mut points);
            let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
            for at in 0..LANES {
                // Half a cell's turn at most: two terms of the series are enough for coarse grids, too.
                let t = cells.turn_rad[at];
                let t2 = t * t;
                sin[at] = t * (1.0 - t2 * (1.0 / 6.0) + t2 * t2 * (1.0 / 120.0));
                cos[at] = 1.0 - 0.5 * t2 + t2 * t2 * (1.0 / 24.0);
            }
            for ([x, y], &(unit_m, is_point)) in points.iter_mut().zip(&table.slot_units[self.used.clone()]) {
                for at in 0..LANES {
                    let is_nothing = x[at] == f32::from(NOTHING[0]);
                    let (point_x, point_y) = (x[at] * unit_m, y[at] * unit_m);
                    let (dx, dy) = (point_x - cells.step_x[at], point_y - cells.step_y[at]);
                    let turned_x = cos[at] * dx + sin[at] * dy;
                    // A range stays as it is: where the beam ends on the wall moves with the robot.
                    let own_x = if is_point { turned_x } else { point_x };
                    x[at] = if is_nothing { f32::NAN } else { own_x };
                    y[at] = cos[at] * dy - sin[at] * dx;
                }
            }
            for compared in &self.compared {
                let slots = compared.slots.start - self.used.start..compared.slots.end - self.used.start;
                let expected = points.get(slots).unwrap_or_default();
                match compared.kind {
                    Slots::Alike => compared.gauge.add_best_scores(expected, scores),
                    Slots::Labelled => {
                        expected.iter().for_each(|point| compared.gauge.add_scores(point, scores))
                    }
                    Slots::Ranges => {
                        let mut sums = [0.0; LANES];
                        expected.iter().for_each(|point| compared.gauge.add_scores(point, &mut sums));
                        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += RANGES_TRUST * sum);
                    }
                }
            }
        });
    }

    fn evidence(&self) -> f64 {
        let trust = |compared: &Compared| match compared.kind {
            Slots::Ranges => f64::from(RANGES_TRUST),
            Slots::Labelled | Slots::Alike => 1.0,
        };
        self.compared.iter().map(trust).sum()
    }
}
