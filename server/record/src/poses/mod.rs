//! Where everything was, step by step: some steps in one [`Block`] of bytes.
//!
//! # The block, `touchline.Poses`
//! Whole numbers are LEB128 varints, signed ones zigzag.
//!
//! | | |
//! |---|---|
//! | byte | 3, the version of this format |
//! | varint | tick of the first step in it |
//! | varint | step of the world at that tick |
//! | varint | how many times the world had been reset |
//! | varint | n, how many objects |
//! | n times | byte: 1 ball, 2 robot; varint: its number |
//! | varint | k, how many ticks, one after the other |
//! | k times | 8 bytes: [`digest`], little-endian |
//! | columns | for each object x, y in units of 0.1 mm and the heading in units of 0.1 mrad, of a ball also its height in units of 0.1 mm |
//!
//! A column is k numbers: the first and its difference to the second as signed varints; then, 16 at a time, the change of the difference
//! from one tick to the next: a byte w, and each change, zigzag, in w bits, the lowest bit first; the last byte is filled with zeros.
//!
//! Poses are rounded, which is enough to see; the digest is over their exact bits, which is what a log is verified by.

mod block;
mod bytes;
mod column;

pub(crate) use block::without_poses;
pub use block::{Block, BlockWriter};
pub use bytes::BlockError;

use crate::input::Tick;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{Object, ObjectKind};

/// Metres and radians in one unit of a block.
const UNIT: f64 = 1e-4;
/// No world comes to a later tick or step: at a thousand a second, in 285,000 years.
pub(crate) const MOST_TICK: Tick = 1 << 53;

/// An object by kind and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// Whether it is a robot; else it is a ball.
    pub is_robot: bool,
    /// A ball's or robot's number.
    pub number: u32,
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
    moving(objects).fold(BASIS, |hash, object| word(hash, of_object(object)))
}

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn word(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

/// Each object has a hash of its own: they do not wait for each other, so a processor makes several at once.
fn of_object(object: &Object) -> u64 {
    let Object { pose, twist, vertical, .. } = object;
    let number = u64::from(object.kind_code) << 32 | u64::from(object.number);
    let numbers = [pose.x_m, pose.y_m, pose.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s];
    let hash = numbers.iter().fold(word(BASIS, number), |hash, number| word(hash, number.to_bits()));
    if vertical.is_on_floor() {
        return hash;
    }
    word(word(hash, vertical.z_m.to_bits()), vertical.speed_m_s.to_bits())
}

/// A pose in whole units: x, y, heading, height.
pub type Units = [i64; 4];

/// Rounds where an object is to 0.1 mm and 0.1 mrad.
#[inline]
pub fn units(object: &Object) -> Units {
    let Object { pose, vertical, .. } = object;
    let z = if vertical.z_m == 0.0 { 0 } else { rounded(vertical.z_m) };
    [rounded(pose.x_m), rounded(pose.y_m), rounded(pose.theta_rad), z]
}

#[inline]
fn rounded(number: f64) -> i64 {
    let units = number / UNIT;
    // Half a unit and a cast, in place of a call of `round`.
    (units + 0.5_f64.copysign(units)) as i64
}

/// The pose that was rounded, as far as it is known.
pub fn pose(units: Units) -> Pose2 {
    let [x_m, y_m, theta_rad, _] = units.map(|units| units as f64 * UNIT);
    Pose2 { x_m, y_m, theta_rad }
}

/// The height of a ball's lowest point above the floor, metres; 0 of a robot.
pub fn height_m(units: Units) -> f64 {
    units[3] as f64 * UNIT
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::flight::Vertical;
    use touchline_plugin_api::geometry::Twist2;

    pub(super) fn object(kind_code: u32, number: u32, [x_m, y_m, theta_rad]: [f64; 3]) -> Object {
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
            shirt: 0,
            reserved: 0,
        }
    }

    #[test]
    fn the_smallest_difference_changes_the_digest() {
        let at = |x: f64| digest(&[object(1, 0, [x, 0.0, 0.0])]);
        assert_ne!(at(1.0), at(1.0_f64.next_up()));
        assert_ne!(at(0.0), at(-0.0));
    }

    /// Objects have hashes of their own: who is where still matters.
    #[test]
    fn two_objects_that_change_places_change_the_digest() {
        let (here, there) = ([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
        let one = [object(2, 0, here), object(2, 1, there)];
        let other = [object(2, 0, there), object(2, 1, here)];
        let turned = [object(2, 1, there), object(2, 0, here)];
        assert_ne!(digest(&one), digest(&other));
        assert_ne!(digest(&one), digest(&turned));
    }
}
