//! Where everything was, step by step: some steps in one block of bytes.
//!
//! # The block, `touchline.Poses`
//! Whole numbers are LEB128 varints, signed ones zigzag.
//!
//! | | |
//! |---|---|
//! | byte | 2, the version of this format |
//! | varint | tick of the first step in it |
//! | varint | step of the world at that tick |
//! | varint | how many times the world had been reset |
//! | varint | n, how many objects |
//! | n times | byte: 1 ball, 2 robot; varint: its number |
//! | varint | k, how many ticks, one after the other |
//! | k times | 8 bytes: [`digest`], little-endian; then for each object x, y in units of 0.1 mm and the heading in units of 0.1 mrad, of a ball also its height in units of 0.1 mm, as signed varints: differences from the tick before, from 0 for the first |
//!
//! Poses are rounded, which is enough to see; the digest is over their exact bits, which is what a log is verified by.

use crate::input::Tick;
use std::ops::RangeInclusive;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{Object, ObjectKind};

const VERSION: u8 = 2;
/// Metres and radians in one unit of a block.
const UNIT: f64 = 1e-4;
/// More objects or ticks than this are no block of ours.
const MOST: u64 = 1 << 20;
/// No world comes to a later tick or step: at a thousand a second, in 285,000 years.
pub(crate) const MOST_TICK: u64 = 1 << 53;

/// An object by kind and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// Whether it is a robot; else it is a ball.
    pub is_robot: bool,
    /// A ball's or robot's number.
    pub number: u32,
}

/// One tick of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// See [`digest`].
    pub digest: u64,
    /// In the order of [`Block::objects`], rounded to 0.1 mm and 0.1 mrad.
    pub poses: Vec<Pose2>,
    /// The heights of their lowest points above the floor, metres: 0 for robots.
    pub heights_m: Vec<f64>,
}

/// Some ticks, one after the other, of the same objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Of the first sample; the next have the next.
    pub tick: Tick,
    /// The world's step at the first sample.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// Whose poses these are.
    pub objects: Vec<ObjectId>,
    /// At least one.
    pub samples: Vec<Sample>,
}

/// Bytes that are no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a block of poses is damaged at byte {at}: {problem}")]
pub struct BlockError {
    /// Where in the block.
    pub at: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// The balls and robots among a world's objects.
pub fn moving(objects: &[Object]) -> impl Iterator<Item = &Object> {
    objects.iter().filter(|object| object.kind() != ObjectKind::Fixtures)
}

/// The name of a moving object.
pub fn id(object: &Object) -> ObjectId {
    ObjectId { is_robot: object.kind() == ObjectKind::Robot, number: object.number }
}

/// One number for the exact poses and velocities of all balls and robots (FNV-1a over 64-bit words).
pub fn digest(objects: &[Object]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut word = |word: u64| hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    for object in moving(objects) {
        word(u64::from(object.kind_code) << 32 | u64::from(object.number));
        let Object { pose, twist, vertical, .. } = object;
        let numbers = [pose.x_m, pose.y_m, pose.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s];
        numbers.iter().for_each(|number| word(number.to_bits()));
        if !vertical.is_on_floor() {
            [vertical.z_m, vertical.speed_m_s].iter().for_each(|number| word(number.to_bits()));
        }
    }
    hash
}

/// A pose in whole units: x, y, heading, height.
pub type Units = [i64; 4];

/// How many of them an object has in a block: robots stay on the floor.
fn dimensions(object: &ObjectId) -> usize {
    if object.is_robot { 3 } else { 4 }
}

/// Rounds where an object is to 0.1 mm and 0.1 mrad.
pub fn units(object: &Object) -> Units {
    rounded(object.pose, object.vertical.z_m)
}

fn rounded(pose: Pose2, z_m: f64) -> Units {
    [pose.x_m, pose.y_m, pose.theta_rad, z_m].map(|number| {
        let units = number / UNIT;
        // Half a unit and a cast, in place of a call of `round`.
        (units + 0.5_f64.copysign(units)) as i64
    })
}

/// The pose that was rounded, as far as it is known.
pub fn pose(units: Units) -> Pose2 {
    let [x_m, y_m, theta_rad, _] = units.map(|units| units as f64 * UNIT);
    Pose2 { x_m, y_m, theta_rad }
}

/// Gathers ticks into the bytes of a block.
#[derive(Debug, Default)]
pub struct BlockWriter {
    tick: Tick,
    step: u64,
    run: u64,
    objects: Vec<ObjectId>,
    ticks: u64,
    /// The rounded poses of the last tick.
    last: Vec<Units>,
    samples: Vec<u8>,
    bytes: Vec<u8>,
}

impl BlockWriter {
    /// How many ticks it holds.
    pub fn len(&self) -> u64 {
        self.ticks
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.ticks == 0
    }

    /// Whether a tick can be added: it follows the last one, and the objects are the same.
    pub fn fits(&self, tick: Tick, run: u64, objects: &[Object]) -> bool {
        self.is_empty()
            || (self.tick + self.ticks == tick
                && self.run == run
                && self.objects.iter().copied().eq(moving(objects).map(id)))
    }

    /// Adds a tick that [fits](Self::fits).
    pub fn push(&mut self, tick: Tick, step: u64, run: u64, objects: &[Object]) {
        if self.is_empty() {
            (self.tick, self.step, self.run) = (tick, step, run);
            self.objects.clear();
            self.objects.extend(moving(objects).map(id));
            self.last.clear();
            self.last.resize(self.objects.len(), [0; 4]);
            self.samples.clear();
        }
        self.ticks += 1;
        self.samples.extend_from_slice(&digest(objects).to_le_bytes());
        put_poses(&mut self.samples, &self.objects, &mut self.last, moving(objects).map(units));
    }

    /// The block's first tick and its bytes, if it holds anything; the writer is empty then.
    pub fn take(&mut self) -> Option<(Tick, &[u8])> {
        if self.is_empty() {
            return None;
        }
        self.bytes.clear();
        let Self { tick, step, run, objects, ticks, bytes, .. } = self;
        put_head(bytes, [*tick, *step, *run], objects, std::mem::take(ticks));
        bytes.extend_from_slice(&self.samples);
        Some((self.tick, &self.bytes))
    }
}

impl Block {
    /// Its bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_head(&mut bytes, [self.tick, self.step, self.run], &self.objects, self.samples.len() as u64);
        let mut last = vec![[0_i64; 4]; self.objects.len()];
        for sample in &self.samples {
            bytes.extend_from_slice(&sample.digest.to_le_bytes());
            let places = sample.poses.iter().zip(&sample.heights_m);
            put_poses(&mut bytes, &self.objects, &mut last, places.map(|(&pose, &z_m)| rounded(pose, z_m)));
        }
        bytes
    }

    /// The part of it that lies in a range of ticks, if any does.
    pub fn within(mut self, range: &RangeInclusive<Tick>) -> Option<Self> {
        let last = self.tick + self.samples.len() as u64 - 1;
        if last < *range.start() || self.tick > *range.end() {
            return None;
        }
        let behind = last.saturating_sub(*range.end());
        let before = range.start().saturating_sub(self.tick);
        self.samples.truncate(self.samples.len() - behind as usize);
        self.samples.drain(..before as usize);
        (self.tick, self.step) = (self.tick + before, self.step + before);
        Some(self)
    }

    /// Reads a block.
    ///
    /// # Errors
    /// Says where the bytes cease to be one.
    pub fn read(bytes: &[u8]) -> Result<Self, BlockError> {
        let mut bytes = Bytes { all: bytes, at: 0 };
        match bytes.byte()? {
            VERSION => {}
            1 => return Err(bytes.bad("version 1 of the format, of before balls had a height")),
            _ => return Err(bytes.bad("another version of the format")),
        }
        let [tick, step, run] = [bytes.number()?, bytes.number()?, bytes.number()?];
        if [tick, step, run].iter().any(|&number| number > MOST_TICK) {
            return Err(bytes.bad("a tick that cannot be"));
        }
        let count = bytes.count()?;
        let mut objects = Vec::new();
        for _ in 0..count {
            let is_robot = match bytes.byte()? {
                1 => false,
                2 => true,
                _ => return Err(bytes.bad("an object that is neither ball nor robot")),
            };
            let number = u32::try_from(bytes.number()?).map_err(|_| bytes.bad("a number above 2^32"))?;
            objects.push(ObjectId { is_robot, number });
        }
        let mut last = vec![[0_i64; 4]; objects.len()];
        let mut samples = Vec::new();
        for _ in 0..bytes.count()? {
            let digest = u64::from_le_bytes(bytes.eight()?);
            let mut poses = Vec::with_capacity(last.len());
            let mut heights_m = Vec::with_capacity(last.len());
            for (object, last) in objects.iter().zip(&mut last) {
                for units in &mut last[..dimensions(object)] {
                    let number = bytes.number()?;
                    let difference = (number >> 1) as i64 ^ -((number & 1) as i64);
                    *units = units.wrapping_add(difference);
                }
                poses.push(pose(*last));
                heights_m.push(last[3] as f64 * UNIT);
            }
            samples.push(Sample { digest, poses, heights_m });
        }
        match (bytes.at == bytes.all.len(), samples.is_empty()) {
            (true, false) => Ok(Self { tick, step, run, objects, samples }),
            (false, _) => Err(bytes.bad("more bytes than it needs")),
            (_, true) => Err(bytes.bad("no tick in it")),
        }
    }
}

struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn bad(&self, problem: &'static str) -> BlockError {
        BlockError { at: self.at, problem }
    }

    fn byte(&mut self) -> Result<u8, BlockError> {
        let byte = *self.all.get(self.at).ok_or(self.bad("it ends too early"))?;
        self.at += 1;
        Ok(byte)
    }

    fn eight(&mut self) -> Result<[u8; 8], BlockError> {
        let bytes =
            self.all.get(self.at..).and_then(<[u8]>::first_chunk).ok_or(self.bad("it ends too early"))?;
        self.at += 8;
        Ok(*bytes)
    }

    fn number(&mut self) -> Result<u64, BlockError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.bad("a number of more than 64 bits"))
    }

    fn count(&mut self) -> Result<u64, BlockError> {
        let count = self.number()?;
        if count > MOST { Err(self.bad("a count that cannot be")) } else { Ok(count) }
    }
}

fn put_head(bytes: &mut Vec<u8>, numbers: [u64; 3], objects: &[ObjectId], ticks: u64) {
    bytes.push(VERSION);
    numbers.iter().for_each(|&number| put(bytes, number));
    put(bytes, objects.len() as u64);
    for object in objects {
        bytes.push(if object.is_robot { 2 } else { 1 });
        put(bytes, u64::from(object.number));
    }
    put(bytes, ticks);
}

fn put_poses(
    bytes: &mut Vec<u8>,
    objects: &[ObjectId],
    last: &mut [Units],
    poses: impl Iterator<Item = Units>,
) {
    for ((pose, last), object) in poses.zip(last).zip(objects) {
        for (units, last) in pose.into_iter().zip(last).take(dimensions(object)) {
            put_signed(bytes, units.wrapping_sub(*last));
            *last = units;
        }
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put(bytes, ((number << 1) ^ (number >> 63)) as u64);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use touchline_plugin_api::flight::Vertical;
    use touchline_plugin_api::geometry::Twist2;

    fn object(kind_code: u32, number: u32, [x_m, y_m, theta_rad]: [f64; 3]) -> Object {
        // As high as it is far, so that it changes too.
        let z_m = if kind_code == 1 { x_m.abs() } else { 0.0 };
        Object {
            pose: Pose2 { x_m, y_m, theta_rad },
            twist: Twist2::ZERO,
            radius_m: 0.1,
            vertical: Vertical { z_m, speed_m_s: 0.0 },
            kind_code,
            number,
            team: 0,
            colour: 0,
            first_shape: 0,
            shape_count: 0,
        }
    }

    proptest! {
        /// What is read is what was written, to half a unit.
        #[test]
        fn blocks_come_back(poses in prop::collection::vec(prop::collection::vec((-50.0..50.0, -50.0..50.0, -3.2..3.2), 3), 1..12)) {
            let mut writer = BlockWriter::default();
            let steps: Vec<Vec<Object>> = poses
                .iter()
                .map(|poses| {
                    let object = |(place, &(x, y, theta)): (usize, &(f64, f64, f64))| {
                        object([0, 1, 2][place], place as u32 + 7, [x, y, theta])
                    };
                    poses.iter().enumerate().map(object).collect()
                })
                .collect();
            for (index, objects) in steps.iter().enumerate() {
                prop_assert!(writer.fits(100 + index as u64, 1, objects));
                writer.push(100 + index as u64, 90 + index as u64, 1, objects);
            }
            let (tick, written) = writer.take().unwrap();
            let block = Block::read(written).unwrap();
            prop_assert_eq!(tick, block.tick);
            prop_assert_eq!(&block.write(), written, "read and written again it is the same, byte by byte");
            prop_assert!(writer.take().is_none() && writer.fits(7, 7, &[]), "it is empty");
            prop_assert_eq!((block.tick, block.step, block.run), (100, 90, 1));
            let part = block.clone().within(&(102..=104));
            let kept = block.samples.iter().skip(2).take(3).cloned().collect::<Vec<_>>();
            prop_assert_eq!(part.map_or(vec![], |part| part.samples), kept);
            prop_assert_eq!(block.objects.len(), 2, "fixtures do not move");
            for (sample, objects) in block.samples.iter().zip(&steps) {
                prop_assert_eq!(sample.digest, digest(objects));
                let places = sample.poses.iter().zip(&sample.heights_m);
                for ((pose, z_m), object) in places.zip(moving(objects)) {
                    prop_assert!((z_m - object.vertical.z_m).abs() <= 0.51 * UNIT);
                    prop_assert!((pose.x_m - object.pose.x_m).abs() <= 0.51 * UNIT);
                    prop_assert!((pose.y_m - object.pose.y_m).abs() <= 0.51 * UNIT);
                    prop_assert!((pose.theta_rad - object.pose.theta_rad).abs() <= 0.51 * UNIT);
                }
            }
        }

        /// Bytes from outside are an error or a block, never a panic or a flood.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Block::read(&bytes);
            let _ = Block::read(&[&[VERSION], bytes.as_slice()].concat());
        }
    }

    #[test]
    fn another_set_of_objects_or_a_hole_begins_a_new_block() {
        let (two, one) = ([object(1, 0, [0.0; 3]), object(2, 4, [0.0; 3])], [object(1, 0, [0.0; 3])]);
        let mut writer = BlockWriter::default();
        writer.push(5, 5, 0, &two);
        assert!(writer.fits(6, 0, &two));
        assert!(!writer.fits(6, 0, &one), "a robot has gone");
        assert!(!writer.fits(7, 0, &two), "a tick is missing");
        assert!(!writer.fits(6, 1, &two), "the world was reset");
    }

    #[test]
    fn the_smallest_difference_changes_the_digest() {
        let at = |x: f64| digest(&[object(1, 0, [x, 0.0, 0.0])]);
        assert_ne!(at(1.0), at(1.0_f64.next_up()));
        assert_ne!(at(0.0), at(-0.0));
    }
}
