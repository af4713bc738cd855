//! Rays over the solid shapes of a [`WorldView`](touchline_plugin_api::view::WorldView): one, or a whole fan at once.
//!
//! [`cast_ray`] asks each shape; [`cast_fan`] turns it round and gives each shape the few beams that can meet it.
//! The fan works in the sensor's frame, where the beams' directions are the same at every step and come out of
//! a [`FanTable`]. The shape's outline, as seen from the sensor, spans an angle; the beams of that angle form one
//! range of the table, and the distances along them are a short loop without a branch. Objects that are out of reach, which
//! most of a large world are, are passed over in groups.
//!
//! # Invariants
//! - A shape that contains the origin is met at distance 0.
//! - One more obstacle never makes a distance longer.
//! - Angles are approximated only to find candidates. Which beams meet a shape is decided by cross products.
//!
//! # Units, frames
//! Metres and radians; poses, origins and angles in the world frame.
//!
//! # Not here
//! What a sensor makes of the distances (noise, least range): `plugins/sensor-laser`. Whether something is in a
//! field of view: [`crate::visibility`].

mod fan;
mod single;
#[cfg(test)]
mod tests;

pub use fan::{FanTable, cast_fan};
pub use single::{RayHit, cast_ray, distance};

use touchline_plugin_api::view::Shape;

/// Whether a ray at this height meets the shape at all: it is solid, and its z range contains the height.
pub fn is_solid_at(shape: &Shape, z_m: f64) -> bool {
    shape.solid != 0 && shape.z_bottom_m <= z_m && z_m <= shape.z_top_m
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
