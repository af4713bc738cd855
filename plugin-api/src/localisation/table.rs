//! Expectations that are learned by looking, for every pose of a grid. (L1, L2)
//!
//! [`Learner`] is shown what a robot sees at the poses of a [`Grid`], some times each, and keeps per cell the mean of
//! each sighting, and over all cells how much single ones scatter, by distance: the Gaussian sensor table. The
//! [`PerceptionTable`] that comes of it weighs poses without knowing any map. It is saved with a digest of the world and
//! the robot that it was learned with, so that a table of another world is refused.
//!
//! Between two poses of the grid an expectation is carried over exactly, since what is seen are points: a cell's
//! points are turned and moved to the sample's pose.
//!
//! # Not here
//! Looking: a program that has a world asks its sensors (`touchline train perception`). Files: these are bytes.

use super::Area;
use super::models::{Gauge, Model, Samples, Seen, SightingNoise};
use crate::geometry::{Pose2, sin_cos};
use serde::{Deserialize, Serialize};

/// The poses at which is looked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Where.
    pub area: Area,
    /// The distance of two neighbours, metres.
    pub cell_m: f64,
    /// How many headings there are at each place.
    pub headings: u32,
}

impl Grid {
    /// How many places there are along x and y.
    pub fn places(&self) -> [usize; 2] {
        [0, 1].map(|axis| {
            let cells = (self.area.high[axis] - self.area.low[axis]) / self.cell_m;
            // A table of this size is a mistake; it is refused where the table is made.
            (cells.ceil().clamp(1.0, 1e6) as usize).max(1)
        })
    }

    /// How many poses there are.
    pub fn len(&self) -> usize {
        let [x, y] = self.places();
        x.saturating_mul(y).saturating_mul(self.headings as usize)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.headings == 0
    }

    /// The middle of a cell; cells are numbered by heading first, then x, then y.
    pub fn pose(&self, cell: usize) -> Pose2 {
        let headings = self.headings as usize;
        let (place, heading) = (cell / headings, cell % headings);
        let [columns, _] = self.places();
        let at = |index: usize, axis: usize| self.area.low[axis] + (index as f64 + 0.5) * self.cell_m;
        let step_rad = std::f64::consts::TAU / f64::from(self.headings);
        Pose2::new(at(place % columns, 0), at(place / columns, 1), heading as f64 * step_rad)
    }
}

/// A feature, as the table keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFeature {
    /// Its name, such as `goals`.
    pub name: String,
    /// How many things it can show at a time.
    pub slots: usize,
    /// Whether each slot is a thing of its own, or whichever comes first.
    pub labelled: bool,
}

/// How single sightings scatter, by distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Scatter {
    /// For each metre: how many, and the sums of the squares along and across the line of sight (there as angles).
    bins: Vec<(f64, f64, f64)>,
}

impl Scatter {
    fn add(&mut self, distance_m: f64, along_m: f64, across_rad: f64) {
        let bin = (distance_m as usize).min(63);
        if self.bins.len() <= bin {
            self.bins.resize(bin + 1, (0.0, 0.0, 0.0));
        }
        let (count, along, across) = &mut self.bins[bin];
        *count += 1.0;
        *along += along_m * along_m;
        *across += across_rad * across_rad;
    }

    fn merge(&mut self, other: &Self) {
        if self.bins.len() < other.bins.len() {
            self.bins.resize(other.bins.len(), (0.0, 0.0, 0.0));
        }
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin = (bin.0 + more.0, bin.1 + more.1, bin.2 + more.2);
        }
    }

    /// The deviations at a distance; where little was seen, those of the nearest bin that has something.
    fn noise(&self, distance_m: f64) -> SightingNoise {
        let wanted = distance_m as usize;
        let known = self.bins.iter().enumerate().filter(|(_, bin)| bin.0 >= 10.0);
        let nearest = known.min_by_key(|(index, _)| index.abs_diff(wanted));
        let (along_m, across_rad) = nearest.map_or((0.1, 0.05), |(_, (count, along, across))| {
            ((along / count).sqrt(), (across / count).sqrt())
        });
        SightingNoise {
            // Perfect sensors still have cells and rounding between them and the truth.
            sigma_bearing_rad: across_rad.max(0.005),
            sigma_distance_relative: 0.0,
            sigma_distance_m: along_m.max(0.01),
        }
    }
}

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

/// The most numbers that a table may have: 1 GiB of them.
const MAX_ENTRIES: usize = 1 << 27;

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
    pub fn learn_cell(&mut self, mut look: impl FnMut(Pose2, u32, &mut [Option<Seen>])) {
        let slots: usize = self.features.iter().map(|feature| feature.slots).sum();
        let pose = self.grid.pose(self.first_cell + self.expected.len() / slots);
        let mut seen = vec![None; slots * self.looks as usize];
        for (number, seen) in (0..self.looks).zip(seen.chunks_mut(slots)) {
            look(pose, number, seen);
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
        let head = Head { digest, grid: table.grid, features: table.features, scatter: table.scatter };
        Ok(PerceptionTable::new(head, slots, table.expected))
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    digest: u64,
    grid: Grid,
    features: Vec<SeenFeature>,
    scatter: Vec<Scatter>,
}

/// What is expected at every pose of a grid.
#[derive(Clone, Debug)]
pub struct PerceptionTable {
    head: Head,
    slots: usize,
    /// How many places there are along x and y.
    places: [f64; 2],
    /// Sine and cosine of each heading.
    headings: Vec<(f64, f64)>,
    /// For each cell and slot: where the thing is, in the robot's frame, metres; NaN where nothing is expected.
    expected: Vec<[f32; 2]>,
}

/// A table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// It was learned elsewhere.
    #[error(
        "this table was learned with another world or robot (digest {got:016x}; here it is {expected:016x}); learn it anew"
    )]
    OtherWorld {
        /// The table's.
        got: u64,
        /// What it must be.
        expected: u64,
    },
    /// The bytes are no table.
    #[error("this is no perception table: {0}")]
    Damaged(&'static str),
    /// It would not fit into memory.
    #[error(
        "a table of {cells} poses and {slots} things is too large; take a coarser grid or a smaller area"
    )]
    TooLarge {
        /// How many poses.
        cells: usize,
        /// How many things at each.
        slots: usize,
    },
    /// There is nothing to learn.
    #[error("there is nothing to learn: no feature, no pose, or no look")]
    Nothing,
}

/// A number for the world and the robot that a table belongs to, from whatever describes both (FNV-1a).
pub fn digest(description: &[u8]) -> u64 {
    description.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// How a saved table begins.
const MAGIC: &[u8; 8] = b"TLPERC1\n";

impl PerceptionTable {
    fn new(head: Head, slots: usize, expected: Vec<[f32; 2]>) -> Self {
        let headings = head.grid.headings;
        let heading = |index| sin_cos(f64::from(index) * std::f64::consts::TAU / f64::from(headings));
        Self {
            places: head.grid.places().map(|places| places as f64),
            headings: (0..headings).map(heading).collect(),
            head,
            slots,
            expected,
        }
    }

    /// Its features, in the order in which their slots are weighed.
    pub fn features(&self) -> &[SeenFeature] {
        &self.head.features
    }

    /// Whether nothing is expected anywhere: such a table tells no pose from another.
    pub fn is_blank(&self) -> bool {
        self.expected.iter().all(|point| point[0].is_nan())
    }

    /// Its grid.
    pub fn grid(&self) -> &Grid {
        &self.head.grid
    }

    /// As bytes, to be saved.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain numbers, text and lists of them can always be written.
        let head = postcard::to_allocvec(&self.head).unwrap_or_default();
        let mut bytes = Vec::with_capacity(16 + head.len() + 8 * self.expected.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend((head.len() as u64).to_le_bytes());
        bytes.extend(head);
        for number in self.expected.iter().flatten() {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }

    /// Reads what [`PerceptionTable::to_bytes`] wrote.
    ///
    /// # Errors
    /// When it is no table, or one that was learned with another world or robot than `digest` says.
    pub fn from_bytes(bytes: &[u8], digest: u64) -> Result<Self, TableError> {
        let damaged = TableError::Damaged;
        let rest = bytes.strip_prefix(MAGIC).ok_or(damaged("it does not begin like one"))?;
        let (len, rest) = rest.split_first_chunk::<8>().ok_or(damaged("it ends early"))?;
        let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| damaged("its head is too long"))?;
        let head = rest.get(..len).ok_or(damaged("it ends early"))?;
        let head: Head = postcard::from_bytes(head).map_err(|_| damaged("its head cannot be read"))?;
        if head.digest != digest {
            return Err(TableError::OtherWorld { got: head.digest, expected: digest });
        }
        let grid = &head.grid;
        let sound = grid.cell_m.is_finite() && grid.cell_m > 0.0 && head.scatter.len() == head.features.len();
        let slots = head.features.iter().fold(0_usize, |sum, feature| sum.saturating_add(feature.slots));
        let entries = grid.len().saturating_mul(slots);
        let body = &rest[len..];
        if !sound || entries > MAX_ENTRIES || body.len() != 8 * entries {
            return Err(damaged("its length does not fit its grid"));
        }
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let expected = body.chunks_exact(8).map(|pair| [number(&pair[..4]), number(&pair[4..])]).collect();
        Ok(Self::new(head, slots, expected))
    }

    /// What is seen says about poses: one entry for each slot of all features, in their order.
    pub fn weigh<'a>(&'a self, seen: &[Option<Seen>]) -> impl Model + use<'a> {
        let mut gauges = Vec::new();
        let mut slot = 0;
        for (feature, scatter) in self.head.features.iter().zip(&self.head.scatter) {
            let slots = slot..slot + feature.slots;
            for own in slots.clone() {
                let Some(seen) = seen.get(own).copied().flatten() else { continue };
                let candidates = if feature.labelled { own..own + 1 } else { slots.clone() };
                gauges
                    .push((candidates, Gauge::new(seen, &scatter.noise(seen.distance_m), feature.labelled)));
            }
            slot = slots.end;
        }
        TableReading { table: self, gauges }
    }

    /// The probability, in (0, 1], of what is seen at a pose, against the likeliest there could be; -1 where nothing of
    /// it is expected. (L1)
    pub fn probability(&self, pose: Pose2, seen: &[Option<Seen>]) -> f64 {
        let expects = |cell: Cell<'_>| cell.expected.iter().any(|point| !point[0].is_nan());
        if !self.cell(pose).is_some_and(expects) {
            return -1.0;
        }
        let mut scores = [0.0];
        self.weigh(seen).add_scores(&std::iter::once(pose).collect(), &mut scores);
        f64::from(libm::expf(scores[0]))
    }

    /// The cell of a pose; `None` outside.
    #[inline]
    fn cell(&self, pose: Pose2) -> Option<Cell<'_>> {
        let grid = &self.head.grid;
        let per_m = 1.0 / grid.cell_m;
        let x = (pose.x_m - grid.area.low[0]) * per_m;
        let y = (pose.y_m - grid.area.low[1]) * per_m;
        if !(x >= 0.0 && y >= 0.0 && x < self.places[0] && y < self.places[1]) {
            return None;
        }
        let (column, row) = (x as usize, y as usize);
        let turn = pose.theta_rad * (f64::from(grid.headings) / std::f64::consts::TAU);
        // Rounded down by way of an integer: `floor` is a call on processors that have no instruction for it.
        let (shifted, whole) = (turn + 0.5, (turn + 0.5) as i32);
        let nearest = f64::from(if f64::from(whole) > shifted { whole - 1 } else { whole });
        // An angle is within a turn of 0: one correction is enough.
        let heading = if nearest < 0.0 { nearest + f64::from(grid.headings) } else { nearest } as usize;
        let heading = if heading >= self.headings.len() { 0 } else { heading };
        let start = ((row * self.places[0] as usize + column) * self.headings.len() + heading) * self.slots;
        // From the cell's middle to the pose: a step in the middle's frame, and a turn.
        let (sin, cos) = *self.headings.get(heading)?;
        let (dx, dy) = ((x - column as f64 - 0.5) * grid.cell_m, (y - row as f64 - 0.5) * grid.cell_m);
        Some(Cell {
            expected: self.expected.get(start..start + self.slots)?,
            step: [(cos * dx + sin * dy) as f32, (cos * dy - sin * dx) as f32],
            turn_rad: ((turn - nearest) * (std::f64::consts::TAU / f64::from(grid.headings))) as f32,
        })
    }
}

/// What is expected near a pose, and where the pose is from there.
struct Cell<'a> {
    expected: &'a [[f32; 2]],
    step: [f32; 2],
    turn_rad: f32,
}

struct TableReading<'a> {
    table: &'a PerceptionTable,
    gauges: Vec<(std::ops::Range<usize>, Gauge)>,
}

impl Model for TableReading<'_> {
    fn add_scores(&self, poses: &Samples, scores: &mut [f32]) {
        let worst: f32 = self.gauges.iter().map(|(_, gauge)| gauge.worst()).sum();
        for (index, score) in scores.iter_mut().enumerate() {
            let pose = poses.get(index);
            let Some(Cell { expected, step: [step_x, step_y], turn_rad }) = self.table.cell(pose) else {
                *score += worst;
                continue;
            };
            // Half a cell's turn at most: two terms of the series are enough for coarse grids, too.
            let t2 = turn_rad * turn_rad;
            let sin = turn_rad * (1.0 - t2 * (1.0 / 6.0) + t2 * t2 * (1.0 / 120.0));
            let cos = 1.0 - 0.5 * t2 + t2 * t2 * (1.0 / 24.0);
            for (candidates, gauge) in &self.gauges {
                // Where nothing is expected the point is no number, and so is the fit: `max` then takes the worst.
                let fit = |[x, y]: [f32; 2]| {
                    let (dx, dy) = (x - step_x, y - step_y);
                    gauge.score([cos * dx + sin * dy, cos * dy - sin * dx])
                };
                *score += match expected.get(candidates.clone()) {
                    Some(&[only]) => fit(only),
                    candidates => candidates
                        .into_iter()
                        .flatten()
                        .map(|&point| fit(point))
                        .fold(gauge.worst(), f32::max),
                };
            }
        }
    }

    fn evidence(&self) -> f64 {
        self.gauges.len() as f64
    }
}
