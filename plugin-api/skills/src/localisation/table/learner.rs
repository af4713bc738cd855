//! Learning: what is seen at the poses of a grid, put together.

use super::calibration::{HeldOut, class, gate_m};
use super::grid::Grid;
use super::{Head, PerceptionTable, SeenFeature, Slots, TableError, pack};
use crate::localisation::Seen;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;

/// A table, or a part of one, that is being learned.
#[derive(Clone, Debug)]
pub struct Learner {
    grid: Grid,
    features: Vec<SeenFeature>,
    first_cell: usize,
    /// For each cell and slot where it is expected, and its class: how often it was seen there.
    expected: Vec<([f32; 2], u8)>,
    /// For each part of all features.
    held_out: Vec<HeldOut>,
    looks: u32,
}

/// What a look is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// What is seen is what is expected there. These are counted from 0.
    Learn(u32),
    /// What is seen is compared with what is expected: how much it differs says how sure the table may be. Of these, too.
    HoldOut(u32),
}

/// The fewest and the most held-out looks, of a feature of which little is to be seen at a time; between them there are some at each cell.
const HELD_OUT: [usize; 2] = [8192, 400_000];
/// So many at each cell: what is seen once in 300 looks where nobody expected it is to be known to a few percent.
const HELD_OUT_AT_A_CELL: usize = 8;
/// So many things may be looked for at all held-out looks, which is what is kept of them in memory.
const HELD_OUT_THINGS: usize = 12_000_000;

/// The most things that a table may expect, over all its poses: half a gigabyte of them.
pub(super) const MAX_ENTRIES: usize = 1 << 27;

impl Learner {
    /// Begins a part of a table: these cells, each looked at `looks` times.
    ///
    /// # Errors
    /// When the table would be larger than memory, or is of nothing.
    pub fn new(
        grid: Grid,
        features: Vec<SeenFeature>,
        cells: std::ops::Range<usize>,
        looks: u32,
    ) -> Result<Self, TableError> {
        let slots: usize = features.iter().map(SeenFeature::slots).sum();
        let entries = grid.len().saturating_mul(slots);
        if entries == 0 || looks == 0 || !(grid.cell_m.is_finite() && grid.cell_m > 0.0) {
            return Err(TableError::Nothing);
        }
        if entries > MAX_ENTRIES {
            return Err(TableError::TooLarge { cells: grid.len(), slots });
        }
        Ok(Self {
            expected: Vec::with_capacity(cells.len() * slots),
            held_out: vec![HeldOut::default(); features.iter().map(|feature| feature.parts.len()).sum()],
            first_cell: cells.start,
            grid,
            features,
            looks,
        })
    }

    /// Learns the next cell: `look` says what is seen from a pose, for each slot of all features in a row.
    ///
    /// The first look is from the middle of the cell, the others from anywhere in it: so what is expected of ranges is what
    /// they are in the cell on average. Points and directions are carried to the middle. Some cells are looked at once more,
    /// from anywhere in them, and nothing is learned from it but how much looks differ from what is expected.
    ///
    /// Who has a twin of the robot whose sensors make no errors gives its looks to learn from, and holds out those of the robot.
    pub fn learn_cell(&mut self, mut look: impl FnMut(Pose2, Purpose, &mut [Option<Seen>])) {
        let slots: usize = self.features.iter().map(SeenFeature::slots).sum();
        let cell = self.first_cell + self.expected.len() / slots;
        let middle = self.grid.pose(cell);
        let mut seen = vec![None; slots * self.looks as usize];
        for (number, seen) in (0..self.looks).zip(seen.chunks_mut(slots)) {
            let offset = self.offset(cell, number);
            look(middle.compose(offset), Purpose::Learn(number), seen);
            self.carry(offset, seen);
        }
        let first = self.expected.len();
        let mut slot = 0;
        for part in self.features.iter().flat_map(|feature| &feature.parts) {
            let own = || seen.chunks(slots).map(|look| &look[slot..slot + part.slots]);
            if part.kind == Slots::Alike {
                things(own(), self.looks, part.slots, &mut self.expected);
            } else {
                let mean = |index| mean(part.kind, own().filter_map(|look| look[index]), self.looks);
                self.expected.extend((0..part.slots).map(mean));
            }
            slot += part.slots;
        }
        let mut seen = vec![None; slots];
        for number in 0..self.held_out_at(cell) {
            let offset = self.offset(cell, u32::MAX - number);
            look(middle.compose(offset), Purpose::HoldOut(number), &mut seen);
            let (mut expected, mut seen) = (&self.expected[first..], &seen[..]);
            let parts = self.features.iter().flat_map(|feature| &feature.parts);
            for (part, held_out) in parts.zip(&mut self.held_out) {
                let (own, others) = expected.split_at(part.slots);
                let (own_seen, others_seen) = seen.split_at(part.slots);
                (expected, seen) = (others, others_seen);
                let own = own.iter().map(|(point, class)| {
                    let point = point.map(f64::from);
                    let from_there = match part.kind {
                        Slots::Ranges => point,
                        Slots::Directions => turned(offset).point_to_inner(point),
                        Slots::Labelled | Slots::Alike => offset.point_to_inner(point),
                    };
                    (from_there, *class)
                });
                if part.kind == Slots::Alike {
                    let own: Vec<_> = own.filter(|(_, class)| *class > 0).collect();
                    held_out.add(part.kind, &own, own_seen);
                } else {
                    for (own, seen) in own.zip(own_seen) {
                        held_out.add(part.kind, &[own], std::slice::from_ref(seen));
                    }
                }
            }
        }
    }

    /// Carries what is seen to the middle of the cell.
    fn carry(&self, offset: Pose2, seen: &mut [Option<Seen>]) {
        let parts = self.features.iter().flat_map(|feature| &feature.parts);
        let kinds = parts.flat_map(|part| std::iter::repeat_n(part.kind, part.slots));
        for (seen, kind) in seen.iter_mut().zip(kinds) {
            let carried = |own: Seen| match kind {
                Slots::Ranges => own,
                Slots::Directions => Seen::at(turned(offset).point_to_outer(own.point)),
                Slots::Labelled | Slots::Alike => Seen::at(offset.point_to_outer(own.point)),
            };
            *seen = seen.map(carried);
        }
    }

    /// How many looks are held out at a cell.
    fn held_out_at(&self, cell: usize) -> u32 {
        let slots: usize = self.features.iter().map(SeenFeature::slots).sum();
        let ([least, most], cells) = (HELD_OUT, self.grid.len());
        let most = (HELD_OUT_THINGS / slots.max(1)).clamp(least, most);
        let looks = cells.saturating_mul(HELD_OUT_AT_A_CELL).clamp(least, most);
        if cells <= looks {
            return looks.div_ceil(cells) as u32;
        }
        // Any cell may be one: a comb would meet some headings and never others.
        let mut noise = NoiseKey { owner: cell as u64, step: u64::MAX }.stream();
        u32::from(noise.chance(looks as f64 / cells as f64))
    }

    /// Where in the cell a look is taken, from its middle.
    fn offset(&self, cell: usize, look: u32) -> Pose2 {
        if look == 0 {
            return Pose2::ORIGIN;
        }
        let key = NoiseKey { owner: cell as u64, step: u64::from(look) };
        let mut noise = key.stream();
        let half_turn_rad = std::f64::consts::PI / f64::from(self.grid.headings);
        let mut within = |half: f64| noise.uniform(-half, half);
        let half_m = 0.5 * self.grid.cell_m;
        Pose2::new(within(half_m), within(half_m), within(half_turn_rad))
    }

    /// Puts parts together, which cover the grid's cells without a gap, in order.
    ///
    /// # Errors
    /// When there is a gap.
    pub fn finish(parts: Vec<Self>, digest: u64) -> Result<PerceptionTable, TableError> {
        let mut parts = parts.into_iter();
        let mut table = parts.next().ok_or(TableError::Nothing)?;
        for part in parts {
            table.expected.extend_from_slice(&part.expected);
            for (held_out, more) in table.held_out.iter_mut().zip(&part.held_out) {
                held_out.merge(more);
            }
        }
        let slots: usize = table.features.iter().map(SeenFeature::slots).sum();
        if table.expected.len() != table.grid.len() * slots {
            return Err(TableError::Damaged("cells are missing"));
        }
        let Self { grid, features, held_out, expected, looks, .. } = table;
        let parts = || features.iter().flat_map(|feature| &feature.parts);
        let (mut units_m, mut slot_units) = (Vec::new(), Vec::new());
        for part in parts() {
            let first = slot_units.len();
            let own = expected.chunks(slots).flat_map(|cell| &cell[first..first + part.slots]);
            let farthest =
                |most: f32, (point, _): &([f32; 2], u8)| most.max(point[0].abs()).max(point[1].abs());
            let unit_m = (own.fold(0.0, farthest) / pack::MOST).max(1e-5);
            units_m.push(unit_m);
            slot_units.extend(std::iter::repeat_n(unit_m, part.slots));
        }
        let of_part = |((part, held_out), unit_m): ((&super::Part, &HeldOut), &f32)| {
            held_out.calibration(part.kind, looks, f64::from(*unit_m))
        };
        let calibrations = parts().zip(&held_out).zip(&units_m).map(of_part).collect();
        let packed = |cell: &[([f32; 2], u8)]| -> Vec<u32> {
            let packed = |((point, class), unit_m): (&([f32; 2], u8), &f32)| {
                pack::pack(point.map(|number| number / unit_m), *class)
            };
            cell.iter().zip(&slot_units).map(packed).collect()
        };
        let compact = expected.chunks(slots).flat_map(packed).collect();
        Ok(PerceptionTable::new(
            Head { digest, grid, features, looks, calibrations, units_m },
            slots,
            compact,
        ))
    }
}

/// The rotation of a pose, with the translation set to zero.
fn turned(offset: Pose2) -> Pose2 {
    Pose2 { x_m: 0.0, y_m: 0.0, ..offset }
}

/// The mean of what was seen of one thing, and how often it was.
fn mean(kind: Slots, seen: impl Iterator<Item = Seen>, looks: u32) -> ([f32; 2], u8) {
    let (mut count, mut x, mut y) = (0, 0.0, 0.0);
    for seen in seen {
        count += 1;
        x += seen.point[0];
        y += seen.point[1];
    }
    let length = match kind {
        Slots::Directions => libm::hypot(x, y),
        _ => f64::from(count),
    };
    if count == 0 || length == 0.0 {
        return ([0.0; 2], 0);
    }
    ([(x / length) as f32, (y / length) as f32], class(count, looks))
}

/// Things that look alike, each put together from the looks: their means, and how often each was seen, most often first.
///
/// A sighting is of the nearest thing that an earlier look showed, pair by pair, the nearest pair first.
fn things<'a>(
    looks: impl Iterator<Item = &'a [Option<Seen>]>,
    count: u32,
    slots: usize,
    expected: &mut Vec<([f32; 2], u8)>,
) {
    // Sums, and how many.
    let mut things: Vec<([f64; 2], u32)> = Vec::new();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    let mut is_of_known = Vec::new();
    for look in looks {
        let known = things.len();
        pairs.clear();
        is_of_known.clear();
        is_of_known.resize(look.len(), false);
        for (index, seen) in look.iter().enumerate() {
            let Some(seen) = seen else { continue };
            for (thing, (sum, of)) in things.iter().enumerate() {
                let off = [0, 1].map(|axis| sum[axis] / f64::from(*of) - seen.point[axis]);
                let off_m = libm::hypot(off[0], off[1]);
                if off_m <= gate_m(seen.distance_m) {
                    pairs.push((off_m, thing, index));
                }
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut is_seen = vec![false; known];
        for &(_, thing, index) in &pairs {
            if let (false, false, Some(seen)) = (is_seen[thing], is_of_known[index], look[index]) {
                (is_seen[thing], is_of_known[index]) = (true, true);
                let (sum, of) = &mut things[thing];
                *of += 1;
                (0..2).for_each(|axis| sum[axis] += seen.point[axis]);
            }
        }
        for (seen, _) in look.iter().zip(&is_of_known).filter(|(_, is_known)| !**is_known) {
            if let (Some(seen), true) = (seen, things.len() < 4 * slots) {
                things.push((seen.point, 1));
            }
        }
    }
    things.sort_by_key(|thing| std::cmp::Reverse(thing.1));
    let point = |(sum, of): ([f64; 2], u32)| (sum.map(|sum| (sum / f64::from(of)) as f32), class(of, count));
    let nothing = ([0.0; 2], 0);
    expected.extend(things.into_iter().map(point).chain(std::iter::repeat(nothing)).take(slots));
}
