//! Pure helpers around the contract of `touchline-plugin-api`, for plugins, server and clients alike: [`rays`] and [`visibility`] over a
//! world's shapes, the shipped sensors' [`data`] objects, [`reader`]s of readings, the [`mounts`] of sensors, balls in [`goals`], speeds that cannot jump ([`drive`]), and what the referees of
//! [`challenge`]s share.
//!
//! ```
//! use touchline_kit::data::{Compass, DataObject};
//!
//! // What a compass says is three lines for whoever reads it: the feature, its integers, the value.
//! let feature = Compass::feature();
//! let mut quantised = vec![0; feature.len()];
//! Compass { heading_rad: 0.5 }.encode(&feature, &mut quantised).unwrap();
//! assert!((Compass::decode(&feature, &quantised).unwrap().heading_rad - 0.5).abs() < 1e-3);
//! ```
//!
//! # Not here
//! Whatever has a state, such as a belief of where one is: `touchline-skills`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod challenge;
pub mod data;
pub mod drive;
pub mod goals;
pub mod mounts;
pub mod rays;
pub mod reader;
pub mod visibility;
#[cfg(test)]
mod worlds;
