//! Where am I? Monte Carlo localisation over the readings of any robot. (L1-L3)
//!
//! A [`Belief`] is a set of samples, each a pose that the robot may have. [`Belief::predict`] moves them by what odometry
//! says; [`Belief::correct`] weighs them by how well each explains what is perceived, and lets the fittest have
//! copies. What is expected at a pose is said by a [`Model`]: a map of landmarks ([`Landmarks`]), rays cast through
//! the world ([`Beams`]), or a table that was learned by looking ([`table::PerceptionTable`]). Several models weigh
//! together, so that every feature of the container helps.
//!
//! The same code runs in a player plugin, in the server and in a client. A [`Localiser`] is all of it for a robot of which
//! one has nothing but its container.
//!
//! ```
//! use touchline_plugin_api::geometry::Pose2;
//! use touchline_skills::localisation::{Area, Belief, BeliefParams, Landmarks, Seen, SightingNoise};
//! use touchline_plugin_api::noise::NoiseKey;
//!
//! // Two landmarks of known places, in the world frame: a post of either goal.
//! let noise = SightingNoise { sigma_bearing_rad: 0.02, sigma_distance_relative: 0.05, sigma_distance_m: 0.02 };
//! let map = Landmarks::labelled(&[[5.0, 1.0], [-5.0, 1.0]], noise);
//! let mut noise = NoiseKey::for_owner(1, "me/localisation").stream();
//! let area = Area { low: [-5.0, -2.5], high: [5.0, 2.5] };
//! let mut belief = Belief::everywhere(area, BeliefParams::default(), &mut noise);
//!
//! // The robot stands at (1, 0) and looks along x; it turns round once, and sees both posts.
//! let truth = Pose2::new(1.0, 0.0, 0.0);
//! let see = |at: [f64; 2]| Some(Seen::at(truth.point_to_inner(at)));
//! for _ in 0..50 {
//!     belief.predict(Pose2::ORIGIN, &mut noise);
//!     belief.correct(&[&map.weigh(&[see([5.0, 1.0]), see([-5.0, 1.0])])], &mut noise);
//! }
//! assert!(belief.estimate().pose.distance_m(truth) < 0.2);
//! ```
//!
//! # Units, frames
//! Samples are poses in the world frame, metres and radians. What is seen is in the robot's frame.
//!
//! # Source
//! S. Thrun, W. Burgard, D. Fox, *Probabilistic Robotics*, 2005: the particle filter with low-variance resampling, and
//! random samples by the short- and long-term averages of the likelihood ("augmented MCL").

mod beams;
mod belief;
#[cfg(test)]
mod container_tests;
mod lanes;
mod localiser;
mod models;
pub mod perception;
mod samples;
pub mod table;
#[cfg(test)]
mod tests;

pub use beams::Beams;
pub use belief::{Area, Belief, BeliefParams, Estimate};
pub use localiser::{LandmarkMap, Localiser, LocaliserError};
pub use models::{Landmarks, Model, Seen, SightingNoise};
pub use samples::Samples;
