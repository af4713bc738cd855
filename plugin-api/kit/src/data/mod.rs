//! Data objects: a sensor's content as a value, turned into integers and back. (P4)
//!
//! Server, players and clients use the same object, so an algorithm sees the same features, quantised in the
//! same way, on both sides.

mod bumper;
mod compass;
mod fields;
mod iconic;
mod image;
mod lines;
mod obstacles;
mod odometry;
mod scan;
mod sonar;
#[cfg(test)]
mod tests;
mod truth;

pub use bumper::Bumper;
pub use compass::Compass;
pub use iconic::{
    BEARING_SCALE_RAD, BallSighting, DISTANCE_SCALE_M, GoalSighting, GoalSightings, PostSightings,
    RobotSighting, RobotSightings, Sighting,
};
pub use image::Image;
pub use lines::LineCrossings;
pub use obstacles::{FieldPose, Obstacle, Obstacles};
pub use odometry::Odometry;
pub use scan::LaserScan;
pub use sonar::Sonar;
pub use touchline_plugin_api::data_object::{DataError, DataObject};
pub use truth::{TrueBall, TruePose};
