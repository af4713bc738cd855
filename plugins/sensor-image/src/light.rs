//! How bright a face is.
//!
//! The light is that of a hall: from everywhere, most from above, a little more from one side, so that walls which meet
//! can be told apart. A face that looks straight up has its own colour; no face is brighter than that.

use crate::eye::{Vector, dot};

/// Of a face that looks to no side that has more light.
const UPRIGHT: f64 = 0.78;
/// What is added with the upward part of the normal, and with those along the world's x and y.
const FROM: Vector = [0.12, 0.09, 0.22];

/// A colour as it looks on a face with this outward normal of length 1.
pub fn lit(colour: u32, normal: Vector) -> u32 {
    // In 256 parts: whole numbers from here on.
    let brightness = ((UPRIGHT + dot(normal, FROM)).clamp(0.0, 1.0) * 256.0) as u32;
    let level = |shift: u32| (((colour >> shift & 0xff) * brightness) >> 8) << shift;
    level(16) | level(8) | level(0)
}
