//! Some ticks in one block of bytes: written, read, and cut.

use super::bytes::{BlockError, Bytes, MOST};
use super::{ObjectId, Units, column};
use crate::input::Tick;
use crate::log::PosesItem;
use std::ops::RangeInclusive;

const VERSION: u8 = 3;
/// Ticks in one block, if there are poses in it: a first number, a difference, and three times sixteen changes.
const TICKS: usize = 50;

/// Some ticks, one after the other, of the same objects. Their poses are kept as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first; the next have the next.
    pub tick: Tick,
    /// The world's step at the first.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// Whose poses these are; none if there are digests alone.
    pub objects: Vec<ObjectId>,
    /// Of each tick, at least one; see [`super::digest`].
    pub digests: Vec<u64>,
    /// They were read once, and make sense.
    columns: Vec<u8>,
}

/// How many coordinates an object has in a block: robots stay on the floor.
fn dimensions(object: &ObjectId) -> usize {
    if object.is_robot { 3 } else { 4 }
}

impl Block {
    /// The last tick that has poses.
    pub fn newest(&self) -> Tick {
        self.tick + (self.digests.len() as u64).saturating_sub(1)
    }

    /// Where everything was: for one tick after the other, in the order of [`Block::objects`].
    pub fn places(&self) -> Vec<Units> {
        let (ticks, objects) = (self.digests.len(), self.objects.len());
        let mut places = vec![[0; 4]; ticks * objects];
        let mut bytes = Bytes::new(&self.columns);
        for (index, object) in self.objects.iter().enumerate() {
            for dimension in 0..dimensions(object) {
                let mut rows = places.chunks_exact_mut(objects);
                // That the columns make sense was seen when they were read.
                let _ = column::read(&mut bytes, ticks, |number| {
                    rows.next().into_iter().for_each(|row| row[index][dimension] = number);
                });
            }
        }
        places
    }

    /// Encodes the block as bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_head(&mut bytes, [self.tick, self.step, self.run], &self.objects, &self.digests);
        bytes.extend_from_slice(&self.columns);
        bytes
    }

    /// The part of it that lies in a range of ticks, if any does.
    pub fn within(mut self, range: &RangeInclusive<Tick>) -> Option<Self> {
        if self.newest() < *range.start() || self.tick > *range.end() {
            return None;
        }
        let before = range.start().saturating_sub(self.tick) as usize;
        let end = self.digests.len() - self.newest().saturating_sub(*range.end()) as usize;
        if (before, end) == (0, self.digests.len()) {
            return Some(self);
        }
        let each = self.objects.len();
        let places = self.places();
        self.columns.clear();
        put_columns(&mut self.columns, &self.objects, &places[before * each..end * each]);
        self.digests.truncate(end);
        self.digests.drain(..before);
        (self.tick, self.step) = (self.tick + before as u64, self.step + before as u64);
        Some(self)
    }

    /// Reads a block.
    ///
    /// # Errors
    /// Says where the bytes cease to be one.
    pub fn read(bytes: &[u8]) -> Result<Self, BlockError> {
        let mut bytes = Bytes::new(bytes);
        match bytes.byte()? {
            VERSION => {}
            1 | 2 => return Err(bytes.bad("an earlier version of the format")),
            _ => return Err(bytes.bad("another version of the format")),
        }
        let [tick, step, run] = [bytes.number()?, bytes.number()?, bytes.number()?];
        if [tick, step, run].iter().any(|&number| number > super::MOST_TICK) {
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
        let ticks = bytes.count()?;
        if ticks * count > MOST {
            return Err(bytes.bad("more poses than there can be"));
        }
        let ticks = ticks as usize;
        let digests = bytes.some(ticks * 8)?.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let digests: Vec<u64> = digests.collect();
        if digests.is_empty() {
            return Err(bytes.bad("no tick in it"));
        }
        let columns = bytes.rest().to_vec();
        for dimensions in objects.iter().map(dimensions) {
            (0..dimensions).try_for_each(|_| column::read(&mut bytes, ticks, |_| {}))?;
        }
        if !bytes.is_at_end() {
            return Err(bytes.bad("more bytes than it needs"));
        }
        Ok(Self { tick, step, run, objects, digests, columns })
    }
}

/// Gathers ticks into the bytes of a block.
#[derive(Debug, Default)]
pub struct BlockWriter {
    gathered: PosesItem,
    bytes: Vec<u8>,
}

impl BlockWriter {
    /// Adds what is true at some ticks, and shows each block that is full: its first tick and its bytes.
    ///
    /// # Errors
    /// Those of `see`, at once.
    pub fn push<E>(
        &mut self,
        item: &PosesItem,
        mut see: impl FnMut(Tick, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.gathered.is_followed_by(item) {
            self.flush(&mut see)?;
        }
        let each = item.objects.len();
        let most = TICKS.min(MOST as usize / each.max(1)).max(1);
        let mut done = 0;
        while done < item.digests.len() {
            if self.gathered.digests.is_empty() {
                (self.gathered.tick, self.gathered.step) = (item.tick + done as u64, item.step + done as u64);
                self.gathered.run = item.run;
                self.gathered.objects.clone_from(&item.objects);
            }
            let end = item.digests.len().min(done + most - self.gathered.digests.len());
            self.gathered.digests.extend_from_slice(&item.digests[done..end]);
            self.gathered.places.extend_from_slice(&item.places[done * each..end * each]);
            done = end;
            if self.gathered.digests.len() >= most {
                self.flush(&mut see)?;
            }
        }
        Ok(())
    }

    /// Shows what it holds, if it holds anything; it is empty then.
    ///
    /// # Errors
    /// Those of `see`.
    pub fn flush<E>(&mut self, mut see: impl FnMut(Tick, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let PosesItem { tick, step, run, objects, digests, places } = &mut self.gathered;
        if digests.is_empty() {
            return Ok(());
        }
        self.bytes.clear();
        put_head(&mut self.bytes, [*tick, *step, *run], objects, digests);
        put_columns(&mut self.bytes, objects, places);
        digests.clear();
        places.clear();
        see(*tick, &self.bytes)
    }
}

/// The bytes of a block of digests alone.
pub(crate) fn without_poses(numbers: [u64; 3], digests: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_head(&mut bytes, numbers, &[], digests);
    bytes
}

fn put_head(bytes: &mut Vec<u8>, numbers: [u64; 3], objects: &[ObjectId], digests: &[u64]) {
    bytes.push(VERSION);
    numbers.iter().for_each(|&number| column::put_number(bytes, number));
    column::put_number(bytes, objects.len() as u64);
    for object in objects {
        bytes.push(if object.is_robot { 2 } else { 1 });
        column::put_number(bytes, u64::from(object.number));
    }
    column::put_number(bytes, digests.len() as u64);
    digests.iter().for_each(|digest| bytes.extend_from_slice(&digest.to_le_bytes()));
}

/// Of places in the order of their ticks.
fn put_columns(bytes: &mut Vec<u8>, objects: &[ObjectId], places: &[Units]) {
    let mut numbers = vec![0; places.len() / objects.len().max(1)];
    for (index, object) in objects.iter().enumerate() {
        for dimension in 0..dimensions(object) {
            for (number, row) in numbers.iter_mut().zip(places.chunks_exact(objects.len())) {
                *number = row[index][dimension];
            }
            column::put(bytes, &numbers);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::object;
    use super::super::{digest, height_m, id, moving, pose, units};
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;
    use touchline_plugin_api::view::Object;

    fn item(tick: Tick, run: u64, steps: &[Vec<Object>]) -> PosesItem {
        PosesItem {
            tick,
            step: tick - 10,
            run,
            objects: moving(&steps[0]).map(id).collect(),
            digests: steps.iter().map(|objects| digest(objects)).collect(),
            places: steps.iter().flat_map(|objects| moving(objects).map(units)).collect(),
        }
    }

    /// The blocks that come of some items.
    fn blocks(items: &[PosesItem]) -> Vec<Block> {
        let (mut writer, mut blocks) = (BlockWriter::default(), Vec::new());
        let mut see = |tick, bytes: &[u8]| {
            let block = Block::read(bytes).unwrap();
            assert_eq!(tick, block.tick);
            assert_eq!(block.write(), bytes, "read and written again it is the same, byte by byte");
            blocks.push(block);
            Ok::<(), Infallible>(())
        };
        for item in items {
            writer.push(item, &mut see).unwrap();
        }
        writer.flush(&mut see).unwrap();
        writer.flush(&mut see).unwrap();
        blocks
    }

    proptest! {
        /// What is read is what was written, to half a unit; however it was handed over.
        #[test]
        fn blocks_come_back(
            poses in prop::collection::vec(prop::collection::vec((-50.0..50.0, -50.0..50.0, -3.2..3.2), 3), 1..120),
            handed in 1..80_usize,
        ) {
            let steps: Vec<Vec<Object>> = poses
                .iter()
                .map(|poses| {
                    let object = |(place, &(x, y, theta)): (usize, &(f64, f64, f64))| {
                        object([0, 1, 2][place], place as u32 + 7, [x, y, theta])
                    };
                    poses.iter().enumerate().map(object).collect()
                })
                .collect();
            let parts = steps.chunks(handed).zip((100..).step_by(handed));
            let items: Vec<PosesItem> = parts.map(|(part, tick)| item(tick, 1, part)).collect();
            let mut index = 0;
            for block in blocks(&items) {
                prop_assert_eq!((block.tick, block.step, block.run), (100 + index as u64, 90 + index as u64, 1));
                prop_assert_eq!(block.objects.len(), 2, "fixtures do not move");
                let places = block.places();
                let part = block.clone().within(&(102..=104));
                let of_part = |from: Tick| 102.max(from).saturating_sub(from) as usize..(105_u64.saturating_sub(from) as usize).min(block.digests.len());
                match part {
                    Some(part) => {
                        let range = of_part(block.tick);
                        prop_assert_eq!(&part.digests, &block.digests[range.clone()]);
                        prop_assert_eq!(part.places(), &places[range.start * 2..range.end * 2]);
                        prop_assert_eq!(part.step + 10, part.tick);
                        prop_assert_eq!(&Block::read(&part.write()).unwrap(), &part);
                    }
                    None => prop_assert!(block.tick > 104 || block.newest() < 102),
                }
                for (digested, places) in block.digests.iter().zip(places.chunks(2)) {
                    prop_assert_eq!(*digested, digest(&steps[index]));
                    for (&place, object) in places.iter().zip(moving(&steps[index])) {
                        prop_assert!((height_m(place) - object.vertical.z_m).abs() <= 0.51e-4);
                        prop_assert!((pose(place).x_m - object.pose.x_m).abs() <= 0.51e-4);
                        prop_assert!((pose(place).y_m - object.pose.y_m).abs() <= 0.51e-4);
                        prop_assert!((pose(place).theta_rad - object.pose.theta_rad).abs() <= 0.51e-4);
                    }
                    index += 1;
                }
            }
            prop_assert_eq!(index, steps.len());
        }

        /// Bytes from outside are an error or a block, never a panic or a flood.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Block::read(&bytes);
            if let Ok(block) = Block::read(&[&[VERSION], bytes.as_slice()].concat()) {
                prop_assert!(block.places().len() as u64 <= MOST);
            }
        }
    }

    #[test]
    fn another_set_of_objects_or_a_hole_begins_a_new_block() {
        let ball = object(1, 0, [0.0; 3]);
        let (two, one) = (vec![ball, object(2, 4, [0.0; 3])], vec![ball]);
        let begun = item(15, 0, std::slice::from_ref(&two));
        let blocks_with = |next: PosesItem| blocks(&[begun.clone(), next]).len();
        assert_eq!(blocks_with(item(16, 0, std::slice::from_ref(&two))), 1);
        assert_eq!(blocks_with(item(16, 0, &[one])), 2, "a robot has gone");
        assert_eq!(blocks_with(item(17, 0, std::slice::from_ref(&two))), 2, "a tick is missing");
        assert_eq!(blocks_with(item(16, 1, std::slice::from_ref(&two))), 2, "the world was reset");
        assert_eq!(blocks_with(PosesItem { step: 3, ..item(16, 0, &[two]) }), 2, "its step was set back");
    }

    /// A few bytes cannot claim to be any number of poses of things that stand.
    #[test]
    fn what_claims_to_be_more_than_any_block_is_refused() {
        let mut bytes = vec![VERSION, 0, 0, 0];
        column::put_number(&mut bytes, 2000);
        (0..2000).for_each(|_| bytes.extend([2, 0]));
        column::put_number(&mut bytes, 2000);
        assert_eq!(Block::read(&bytes).unwrap_err().problem, "more poses than there can be");
    }
}
