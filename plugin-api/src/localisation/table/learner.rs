//! Learning: what is seen at the poses of a grid, put together.

use super::grid::Grid;
use super::scatter::Scatter;
use super::{Head, PerceptionTable, SeenFeature, Slots, TableError};
use crate::geometry::Pose2;
use crate::localisation::Seen;
use crate::noise::NoiseKey;

/// A table, or a part of one, that is being learned.
#[derive(Clone, Debug)]
pub struct Learner {
    grid: Grid,
    features: Vec<SeenFeature>,
    first_cell: usize,
    expected: Vec<[f32; 2]>,
    scatter: Vec<Scatter>,
    looks: u32,
}

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
        let slots: usize = features.iter().map(|feature| feature.slots).sum();
        let entries = grid.len().saturating_mul(slots);
        if entries == 0 || looks == 0 || !(grid.cell_m.is_finite() && grid.cell_m > 0.0) {
            return Err(TableError::Nothing);
        }
        if entries > MAX_ENTRIES {
            return Err(TableError::TooLarge { cells: grid.len(), slots });
        }
        Ok(Self {
            expected: Vec::with_capacity(cells.len() * slots),
            scatter: vec![Scatter::default(); features.len()],
            first_cell: cells.start,
            grid,
            features,
            looks,
        })
    }

    /// Learns the next cell: `look` says what is seen from a pose at the n-th look, for each slot of all features in a row.
    ///
    /// The first look is from the middle of the cell, the others from anywhere in it: so the scatter of ranges is that
    /// within a cell, too. Points are carried to the middle.
    pub fn learn_cell(&mut self, mut look: impl FnMut(Pose2, u32, &mut [Option<Seen>])) {
        let slots: usize = self.features.iter().map(|feature| feature.slots).sum();
        let cell = self.first_cell + self.expected.len() / slots;
        let middle = self.grid.pose(cell);
        let mut seen = vec![None; slots * self.looks as usize];
        for (number, seen) in (0..self.looks).zip(seen.chunks_mut(slots)) {
            let offset = self.offset(cell, number);
            look(middle.compose(offset), number, seen);
            let mut rest = seen;
            for feature in &self.features {
                let (own, others) = rest.split_at_mut(feature.slots);
                if feature.kind != Slots::Ranges && number > 0 {
                    own.iter_mut()
                        .flatten()
                        .for_each(|seen| *seen = Seen::at(offset.point_to_outer(seen.point)));
                }
                rest = others;
            }
        }
        let mut slot = 0;
        for (feature, scatter) in self.features.iter().zip(&mut self.scatter) {
            for _ in 0..feature.slots {
                let sightings = seen.iter().skip(slot).step_by(slots).flatten();
                self.expected.push(mean(sightings, self.looks, scatter));
                slot += 1;
            }
        }
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
            for (scatter, more) in table.scatter.iter_mut().zip(&part.scatter) {
                scatter.merge(more);
            }
        }
        let slots: usize = table.features.iter().map(|feature| feature.slots).sum();
        if table.expected.len() != table.grid.len() * slots {
            return Err(TableError::Damaged("cells are missing"));
        }
        let units_m = units_m(&table.features, &table.expected, slots);
        let compact = compact(&table.features, &units_m, &table.expected, slots);
        let Self { grid, features, scatter, .. } = table;
        Ok(PerceptionTable::new(Head { digest, grid, features, scatter, units_m }, slots, compact))
    }
}

/// Nothing is expected here.
const NOTHING: [f32; 2] = [f32::NAN; 2];

/// The mean of what was seen, if it was seen at more than half of the looks; notes how single sightings scatter.
fn mean<'a>(
    sightings: impl Iterator<Item = &'a Seen> + Clone,
    looks: u32,
    scatter: &mut Scatter,
) -> [f32; 2] {
    let (mut count, mut x, mut y) = (0.0, 0.0, 0.0);
    for seen in sightings.clone() {
        count += 1.0;
        x += seen.point[0];
        y += seen.point[1];
    }
    if 2.0 * count <= f64::from(looks) {
        return NOTHING;
    }
    let (x, y) = (x / count, y / count);
    let distance_m = libm::hypot(x, y);
    if count > 1.5 && distance_m > 0.05 {
        // The mean is itself off: Bessel's correction.
        let more = (count / (count - 1.0)).sqrt();
        for seen in sightings {
            let (dx, dy) = (seen.point[0] - x, seen.point[1] - y);
            let (along_m, across_m) = ((dx * x + dy * y) / distance_m, (dy * x - dx * y) / distance_m);
            scatter.add(distance_m, more * along_m, more * across_m / distance_m);
        }
    }
    [x as f32, y as f32]
}

/// For each feature the unit in which its points are kept, metres: two bytes hold the farthest of them.
fn units_m(features: &[SeenFeature], expected: &[[f32; 2]], slots: usize) -> Vec<f32> {
    let mut first = 0;
    let unit_m = |feature: &SeenFeature| {
        let own = expected.chunks(slots).flat_map(|cell| &cell[first..first + feature.slots]).flatten();
        let farthest_m =
            own.fold(0.0_f32, |most, number| if number.abs() > most { number.abs() } else { most });
        first += feature.slots;
        (farthest_m / 32_000.0).max(1e-4)
    };
    features.iter().map(unit_m).collect()
}

fn compact(features: &[SeenFeature], units_m: &[f32], expected: &[[f32; 2]], slots: usize) -> Vec<[i16; 2]> {
    let units: Vec<f32> = features
        .iter()
        .zip(units_m)
        .flat_map(|(feature, unit)| std::iter::repeat_n(*unit, feature.slots))
        .collect();
    let point = |(point, unit): (&[f32; 2], &f32)| match point[0].is_nan() {
        true => super::NOTHING,
        // The cast keeps to the numbers that there are.
        false => point.map(|number| (number / unit).round() as i16),
    };
    expected.chunks(slots).flat_map(|cell| cell.iter().zip(&units).map(point)).collect()
}
