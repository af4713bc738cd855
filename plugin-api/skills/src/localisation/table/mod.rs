//! Expectations that are learned by looking, for every pose of a grid. (L1, L2)
//!
//! [`Learner`] is shown what a robot sees at the poses of a [`Grid`], some times each, and keeps per cell the mean of
//! each sighting and how often there was one. Looks that it holds out say how much a further look differs from that, by
//! distance (the Gaussian sensor table), and how probable it is that there is a sighting at all (`calibration`). The
//! [`PerceptionTable`] that comes of it weighs poses without knowing any map. It is saved with a digest of the world and
//! the robot that it was learned with, so that a table of another world is refused.
//!
//! Between two poses of the grid the expectation of a point is carried over exactly: a cell's points are turned and moved
//! to the sample's pose. A direction is turned. A range stays what it is in the cell.
//!
//! # Honesty
//! [`PerceptionTable::fit`] says what -2 ln p is at a pose and what it is there on average, if it is the true one: both are the same, over
//! many looks, however many the table was learned from.
//!
//! # Not here
//! What a sensor's data says of points and ranges: [`super::perception`]. Looking: a program that has a world asks its
//! sensors (`touchline train perception`). Files: these are bytes.

mod calibration;
mod fit;
mod grid;
mod learner;
mod pack;
mod reading;
#[cfg(test)]
mod tests;

use super::models::{Model, Seen, WORST, WORST_LABELLED};
use super::samples::Samples;
use calibration::{Calibration, OUTSIDE};
pub use fit::Fit;
pub use grid::Grid;
use learner::MAX_ENTRIES;
pub use learner::{Learner, Purpose};
use reading::{Finder, TableReading, Use};
use serde::{Deserialize, Serialize};
use touchline_plugin_api::geometry::Pose2;

/// A feature, as the table keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFeature {
    /// Its name, such as `goals`.
    pub name: String,
    /// What it can show at a time, in this order.
    pub parts: Vec<Part>,
}

/// Some slots of a feature, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Number of slots of this kind.
    pub slots: usize,
    /// What each of them is.
    pub kind: Slots,
}

impl SeenFeature {
    /// A feature whose slots are all of one kind.
    pub fn new(name: &str, slots: usize, kind: Slots) -> Self {
        Self { name: name.into(), parts: vec![Part { slots, kind }] }
    }

    /// How many things it can show at a time.
    pub fn slots(&self) -> usize {
        self.parts.iter().map(|part| part.slots).sum()
    }
}

/// What the slots of a feature are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slots {
    /// Points, each that of a certain thing, such as a team's goal.
    Labelled,
    /// Points of things that look alike, such as posts, in any order.
    Alike,
    /// Distances, each in a certain direction, such as beams.
    Ranges,
    /// Directions of things so far away that they are the same from everywhere, such as a compass's north.
    Directions,
}

impl Slots {
    /// The worst score of a sighting.
    fn worst(self) -> f32 {
        match self {
            Self::Labelled | Self::Directions => WORST_LABELLED,
            Self::Alike | Self::Ranges => WORST,
        }
    }

    /// How many numbers a sighting has: its degrees of freedom.
    fn degrees(self) -> f64 {
        match self {
            Self::Labelled | Self::Alike => 2.0,
            Self::Ranges | Self::Directions => 1.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    digest: u64,
    grid: Grid,
    features: Vec<SeenFeature>,
    /// How many looks each pose was learned from.
    looks: u32,
    /// For each part of all features.
    calibrations: Vec<Calibration>,
    /// For each part of all features the unit of its points, metres.
    units_m: Vec<f32>,
}

/// What is expected at every pose of a grid.
#[derive(Clone, Debug)]
pub struct PerceptionTable {
    head: Head,
    slots: usize,
    finder: Finder,
    /// For each slot its unit in metres, and what it is.
    slot_units: Vec<(f32, Slots)>,
    /// For each cell and slot: where the thing is, in the robot's frame, in the part's unit, and how often it was seen (`pack`).
    expected: Vec<u32>,
    /// What is expected outside of the grid.
    nowhere: Vec<u32>,
}

/// A table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The table was learned with another world or robot.
    #[error(
        "this table was learned with another world or robot (digest {got:016x}; here it is {expected:016x}); learn it anew"
    )]
    OtherWorld {
        /// Digest stored in the table.
        got: u64,
        /// Digest of this world and robot.
        expected: u64,
    },
    /// It is of a format that is no longer read.
    #[error(
        "this perception table is of format {got}, and format {FORMAT} is needed; learn it anew with `touchline train perception`"
    )]
    OldFormat {
        /// Format letter stored in the table.
        got: char,
    },
    /// The bytes are no table.
    #[error("this is no perception table: {0}; make one with `touchline train perception`")]
    Damaged(&'static str),
    /// It would not fit into memory.
    #[error(
        "a table of {cells} poses and {slots} things is too large; take a coarser grid or a smaller area"
    )]
    TooLarge {
        /// Number of poses of the grid.
        cells: usize,
        /// How many things at each.
        slots: usize,
    },
    /// There is nothing to learn.
    #[error("there is nothing to learn: no feature, no pose, or no look")]
    Nothing,
}

/// The format of saved tables.
const FORMAT: char = '3';
/// How a saved table begins; then comes the format, and a line feed.
const MAGIC: &[u8; 6] = b"TLPERC";

impl PerceptionTable {
    fn new(head: Head, slots: usize, expected: Vec<u32>) -> Self {
        let parts = head.features.iter().flat_map(|feature| &feature.parts).zip(&head.units_m);
        let slot_units =
            parts.flat_map(|(part, &unit_m)| std::iter::repeat_n((unit_m, part.kind), part.slots));
        Self {
            finder: Finder::new(&head.grid),
            slot_units: slot_units.collect(),
            nowhere: vec![pack::pack([0.0; 2], OUTSIDE); slots],
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
        self.expected.iter().all(|&thing| pack::class(thing) == 0)
    }

    /// How many looks each of its poses was learned from.
    pub fn looks(&self) -> u32 {
        self.head.looks
    }

    /// Grid of the poses that it was learned at.
    pub fn grid(&self) -> &Grid {
        &self.head.grid
    }

    /// The digest of the world and the robot with which it was learned.
    pub fn digest(&self) -> u64 {
        self.head.digest
    }

    /// As bytes, to be saved.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain numbers, text and lists of them can always be written.
        let head = postcard::to_allocvec(&self.head).unwrap_or_default();
        let mut bytes = Vec::with_capacity(16 + head.len() + 4 * self.expected.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend([FORMAT as u8, b'\n']);
        bytes.extend((head.len() as u64).to_le_bytes());
        bytes.extend(head);
        for number in &self.expected {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }

    /// Reads what [`PerceptionTable::to_bytes`] wrote.
    ///
    /// # Errors
    /// When it is no table, or one that was learned with another world or robot than `digest` says.
    pub fn from_bytes(bytes: &[u8], digest: u64) -> Result<Self, TableError> {
        let table = Self::from_bytes_of_any(bytes)?;
        if table.head.digest != digest {
            return Err(TableError::OtherWorld { got: table.head.digest, expected: digest });
        }
        Ok(table)
    }

    /// Reads a table of any world: for a client, which knows no digest. That the robot has its features is
    /// checked where they are looked up ([`super::perception::Eyes::for_table`]).
    ///
    /// # Errors
    /// When it is no table.
    pub fn from_bytes_of_any(bytes: &[u8]) -> Result<Self, TableError> {
        let damaged = TableError::Damaged;
        let rest = bytes.strip_prefix(MAGIC).ok_or(damaged("it does not begin like one"))?;
        let rest = match rest {
            [format, b'\n', rest @ ..] if char::from(*format) == FORMAT => rest,
            [format, b'\n', ..] => return Err(TableError::OldFormat { got: char::from(*format) }),
            _ => return Err(damaged("it does not say its format")),
        };
        let (len, rest) = rest.split_first_chunk::<8>().ok_or(damaged("it ends early"))?;
        let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| damaged("its head is too long"))?;
        let head = rest.get(..len).ok_or(damaged("it ends early"))?;
        let head: Head = postcard::from_bytes(head).map_err(|_| damaged("its head cannot be read"))?;
        let (grid, features) = (&head.grid, &head.features);
        let parts: usize = features.iter().map(|feature| feature.parts.len()).sum();
        let area = [grid.area.low, grid.area.high];
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        let sound = is_positive(grid.cell_m)
            && area.iter().flatten().all(|number| number.is_finite())
            && head.units_m.iter().all(|&unit_m| is_positive(f64::from(unit_m)))
            && head.calibrations.iter().all(Calibration::is_sound)
            && (head.calibrations.len(), head.units_m.len()) == (parts, parts);
        let parts = features.iter().flat_map(|feature| &feature.parts);
        let slots = parts.fold(0_usize, |sum, part| sum.saturating_add(part.slots));
        let entries = grid.len().saturating_mul(slots);
        let body = &rest[len..];
        if !sound || entries == 0 || entries > MAX_ENTRIES || body.len() != 4 * entries {
            return Err(damaged("its length does not fit its grid"));
        }
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let expected = body.chunks_exact(4).map(number).collect();
        Ok(Self::new(head, slots, expected))
    }

    /// What is seen says about poses: one entry for each slot of all features, in their order. `None` was looked for and not
    /// seen, which says something, too.
    ///
    /// These are the scores of a filter. They are those of [`PerceptionTable::probability`] but for what a filter of a few samples
    /// and a world with more in it than was learned need: ranges count half, since neighbours see the same wall; no deviation is
    /// smaller than 1 cm or 0.005 rad; and what is not seen counts no less than -2, since something may hide it.
    pub fn weigh<'a>(&'a self, seen: &[Option<Seen>]) -> impl Model + use<'a> {
        self.weigh_read(seen, &vec![true; self.head.features.len()])
    }

    /// [`PerceptionTable::weigh`], for which some features have not been read: those say nothing.
    pub fn weigh_read<'a>(&'a self, seen: &[Option<Seen>], is_read: &[bool]) -> impl Model + use<'a> {
        TableReading::new(self, Use::Filter, 0, seen, is_read)
    }

    /// The probability, in (0, 1], of what is seen at a pose, against the likeliest there could be; -1 where nothing of
    /// it is expected. (L1)
    pub fn probability(&self, pose: Pose2, seen: &[Option<Seen>]) -> f64 {
        self.probabilities(&std::iter::once(pose).collect(), seen).first().copied().unwrap_or(-1.0)
    }

    /// [`PerceptionTable::probability`] of many poses at once.
    pub fn probabilities(&self, poses: &Samples, seen: &[Option<Seen>]) -> Vec<f64> {
        let is_read = vec![true; self.head.features.len()];
        let reading = TableReading::new(self, Use::Probability, 0, seen, &is_read);
        reading.probabilities(poses, |pose| self.expects(pose, 0..self.slots))
    }

    /// The same of one feature alone, of which these are the slots; -1 of a feature that the table does not have.
    pub fn feature_probabilities(&self, poses: &Samples, feature: usize, seen: &[Option<Seen>]) -> Vec<f64> {
        let features = &self.head.features;
        let Some(own) = features.get(feature) else { return vec![-1.0; poses.len()] };
        let first: usize = features.iter().take(feature).map(SeenFeature::slots).sum();
        let expects = |pose| self.expects(pose, first..first + own.slots());
        TableReading::new(self, Use::Probability, feature, seen, &[true]).probabilities(poses, expects)
    }

    /// Whether anything of these slots is expected at a pose.
    fn expects(&self, pose: Pose2, slots: std::ops::Range<usize>) -> bool {
        let cell = self.head.grid.cell_of(pose).map(|cell| cell * self.slots);
        let cell = cell.and_then(|start| self.expected.get(start + slots.start..start + slots.end));
        cell.is_some_and(|cell| cell.iter().any(|&thing| pack::class(thing) > 0))
    }
}

/// A number for the world and the robot that a table belongs to, from whatever describes both (FNV-1a).
pub fn digest(description: &[u8]) -> u64 {
    description.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
