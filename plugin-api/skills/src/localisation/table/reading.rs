//! What is seen, against what a table expects.

use super::calibration::{CLASSES, Calibration, OUTSIDE};
use super::{PerceptionTable, Slots, pack};
use crate::localisation::lanes::{LANES, Lane, nearest};
use crate::localisation::models::{Gauge, Model, Seen, WORST};
use crate::localisation::samples::{Block, Samples};
use std::f64::consts::TAU;
use touchline_plugin_api::geometry::{Pose2, sin_cos};

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

/// What the scores are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// As the table has learned it.
    Probability,
    /// With what a filter needs.
    Filter,
}

/// In a filter no standard deviation is smaller: metres, radians. Samples are never so near to each other.
const SMALLEST: [f64; 2] = [0.01, 0.005];
/// In a filter what is not seen is never worse: something that was not learned may hide it.
const HIDDEN: f32 = -2.0;
/// What an unseen thing is worth as evidence, against a sighting.
const UNSEEN_EVIDENCE: f64 = 0.5;

/// The scores of what is seen and of what is not, by how often it was seen when the table was learned.
#[derive(Clone, Debug)]
struct Presence {
    seen: [f32; CLASSES],
    unseen: [f32; CLASSES],
}

impl Presence {
    fn new(calibration: &Calibration, kind: Slots, purpose: Use) -> Self {
        let score = |part: f64, other: f64| libm::log(part / part.max(other)) as f32;
        let mut seen = calibration.presence.map(|presence| score(presence, 1.0 - presence));
        let mut unseen = calibration.presence.map(|presence| score(1.0 - presence, presence));
        // Where nothing is expected a sighting is as bad as an unlikely one, whatever its kind, and its place is not compared.
        seen[0] += WORST - kind.worst();
        if purpose == Use::Filter {
            unseen.iter_mut().for_each(|score| *score = score.max(HIDDEN));
        }
        (seen[usize::from(OUTSIDE)], unseen[usize::from(OUTSIDE)]) = (0.0, HIDDEN);
        if kind == Slots::Alike {
            // A slot without a thing.
            (seen[0], unseen[0]) = (0.0, 0.0);
        }
        Self { seen, unseen }
    }
}

/// The slots of a part, and what was seen of it.
struct Compared {
    slots: std::ops::Range<usize>,
    kind: Slots,
    /// Of things that look alike, as many as were sighted; of all others one for each slot.
    gauges: Vec<Option<Gauge>>,
    presence: Presence,
}

impl Compared {
    fn gauge(kind: Slots, seen: Seen, calibration: &Calibration, purpose: Use) -> Gauge {
        let mut sigmas = calibration.sigmas(seen.distance_m);
        if kind == Slots::Directions {
            sigmas[1] = sigmas[0];
        }
        if purpose == Use::Filter {
            sigmas = [0, 1].map(|axis| f64::max(sigmas[axis], SMALLEST[axis]));
        }
        match kind {
            Slots::Ranges => Gauge::range(seen.distance_m, sigmas[0]),
            Slots::Directions => Gauge::direction(seen, sigmas[1]),
            Slots::Labelled | Slots::Alike => Gauge::of_point(seen, sigmas[0], sigmas[1], kind.worst()),
        }
    }
}

pub(super) struct TableReading<'a> {
    table: &'a PerceptionTable,
    purpose: Use,
    compared: Vec<Compared>,
    /// The slots that are compared with anything, without gaps.
    used: std::ops::Range<usize>,
}

/// What is expected in one slot, for some samples.
#[derive(Clone, Copy)]
struct Thing {
    point: [Lane; 2],
    seen: Lane,
    unseen: Lane,
}

impl<'a> TableReading<'a> {
    /// `seen` begins with the slots of the feature `from`, and so does `is_read`, which says of features whether they were.
    pub(super) fn new(
        table: &'a PerceptionTable,
        purpose: Use,
        from: usize,
        seen: &[Option<Seen>],
        is_read: &[bool],
    ) -> Self {
        let mut compared = Vec::new();
        let head = &table.head;
        let (mut slot, mut part_number) = (0, 0);
        let mut seen = seen.iter().copied();
        for (number, feature) in head.features.iter().enumerate() {
            for part in &feature.parts {
                let slots = slot..slot + part.slots;
                let calibration = &head.calibrations[part_number];
                (slot, part_number) = (slots.end, part_number + 1);
                if number < from {
                    continue;
                }
                let gauge = |seen: Seen| Compared::gauge(part.kind, seen, calibration, purpose);
                let mut gauges: Vec<Option<Gauge>> =
                    slots.clone().map(|_| seen.next().flatten().map(gauge)).collect();
                if part.kind == Slots::Alike {
                    gauges.retain(Option::is_some);
                }
                if is_read.get(number - from).is_some_and(|is_read| *is_read) {
                    let presence = Presence::new(calibration, part.kind, purpose);
                    compared.push(Compared { slots, kind: part.kind, gauges, presence });
                }
            }
        }
        let first = compared.first().map_or(0, |compared| compared.slots.start);
        let end = compared.last().map_or(0, |compared| compared.slots.end);
        Self { table, purpose, compared, used: first..end }
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

    /// What it counts in the sum of all scores.
    fn trust(&self, kind: Slots) -> f32 {
        if self.purpose == Use::Filter && kind == Slots::Ranges { RANGES_TRUST } else { 1.0 }
    }

    /// Takes what is compared out of the table. By rows, so that the processor fetches them side by side: most
    /// of the time goes into waiting for memory.
    #[inline(always)]
    fn gather(&self, cells: &Cells, things: &mut [Thing]) {
        let table = self.table;
        for at in 0..LANES {
            let start = cells.numbers[at].map(|number| number as usize * table.slots);
            let cell =
                start.and_then(|start| table.expected.get(start + self.used.start..start + self.used.end));
            let cell = cell.unwrap_or(&table.nowhere[..self.used.len()]);
            for compared in &self.compared {
                let own = compared.slots.start - self.used.start..compared.slots.end - self.used.start;
                for (thing, &packed) in things[own.clone()].iter_mut().zip(&cell[own]) {
                    let class = pack::class(packed);
                    let [x, y] = pack::point(packed);
                    // No number, and so the worst, where nothing is expected.
                    let is_expected = class > 0 && class < usize::from(OUTSIDE);
                    thing.point[0][at] = if is_expected { x } else { f32::NAN };
                    thing.point[1][at] = y;
                    thing.seen[at] = compared.presence.seen[class];
                    thing.unseen[at] = compared.presence.unseen[class];
                }
            }
        }
    }

    /// Carries what is expected from the middles of the cells to the samples.
    #[inline(always)]
    fn carry(&self, cells: &Cells, things: &mut [Thing]) {
        let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
        for at in 0..LANES {
            // Half a cell's turn at most: two terms of the series are enough for coarse grids, too.
            let t = cells.turn_rad[at];
            let t2 = t * t;
            sin[at] = t * (1.0 - t2 * (1.0 / 6.0) + t2 * t2 * (1.0 / 120.0));
            cos[at] = 1.0 - 0.5 * t2 + t2 * t2 * (1.0 / 24.0);
        }
        for (thing, &(unit_m, kind)) in things.iter_mut().zip(&self.table.slot_units[self.used.clone()]) {
            let [x, y] = &mut thing.point;
            // A range stays as it is: where the beam ends on the wall moves with the robot. A direction is turned alone.
            let moved = if kind == Slots::Directions { 0.0 } else { 1.0 };
            if kind == Slots::Ranges {
                x.iter_mut().for_each(|x| *x *= unit_m);
                continue;
            }
            for at in 0..LANES {
                let dx = x[at] * unit_m - moved * cells.step_x[at];
                let dy = y[at] * unit_m - moved * cells.step_y[at];
                x[at] = cos[at] * dx + sin[at] * dy;
                y[at] = cos[at] * dy - sin[at] * dx;
            }
        }
    }
}

impl Model for TableReading<'_> {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        if self.compared.is_empty() {
            return;
        }
        let none = [0.0; LANES];
        let mut things = vec![Thing { point: [none; 2], seen: none, unseen: none }; self.used.len()];
        poses.score_blocks(scores, |block, scores| {
            let cells = self.table.finder.cells(block);
            self.gather(&cells, &mut things);
            self.carry(&cells, &mut things);
            for compared in &self.compared {
                let slots = compared.slots.start - self.used.start..compared.slots.end - self.used.start;
                let things = things.get(slots).unwrap_or_default();
                let mut sums = [0.0; LANES];
                if compared.kind == Slots::Alike {
                    add_alike(&compared.gauges, things, &mut sums);
                } else {
                    for (gauge, thing) in compared.gauges.iter().zip(things) {
                        let presence = if gauge.is_some() { &thing.seen } else { &thing.unseen };
                        sums.iter_mut().zip(presence).for_each(|(sum, score)| *sum += score);
                        if let Some(gauge) = gauge {
                            gauge.add_scores(&thing.point, &mut sums);
                        }
                    }
                }
                let trust = self.trust(compared.kind);
                scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += trust * sum);
            }
        });
    }

    fn evidence(&self) -> f64 {
        let evidence = |compared: &Compared| {
            let seen = compared.gauges.iter().flatten().count() as f64;
            let unseen = compared.gauges.len() as f64 - seen;
            // Of things that look alike one looks for all at once.
            let unseen = if compared.kind == Slots::Alike && seen == 0.0 { 1.0 } else { unseen };
            f64::from(self.trust(compared.kind)) * (seen + UNSEEN_EVIDENCE * unseen)
        };
        self.compared.iter().map(evidence).sum()
    }
}

/// Each sighting is of the thing that fits it best, and each thing is seen that any sighting fits.
#[inline(always)]
fn add_alike(gauges: &[Option<Gauge>], things: &[Thing], sums: &mut Lane) {
    for gauge in gauges.iter().flatten() {
        gauge.add_best_scores(things.iter().map(|thing| &thing.point), sums);
    }
    for thing in things {
        let mut is_seen = [false; LANES];
        for gauge in gauges.iter().flatten() {
            for (at, is_seen) in is_seen.iter_mut().enumerate() {
                *is_seen |= gauge.score(thing.point[0][at], thing.point[1][at]) > WORST;
            }
        }
        for (at, sum) in sums.iter_mut().enumerate() {
            *sum += if is_seen[at] { thing.seen[at] } else { thing.unseen[at] };
        }
    }
}
