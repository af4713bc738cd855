//! Where a body is: a pose whose sine and cosine are known. In `f64`.

use super::shape::{Vec2, add, sub, turned, turned_back};
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};

/// A pose with sine and cosine of its heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub pose: Pose2,
    pub heading: (f64, f64),
}

impl Place {
    /// Origin of the world frame.
    pub const WORLD: Self = Self { pose: Pose2::new(0.0, 0.0, 0.0), heading: (0.0, 1.0) };

    pub fn new(pose: Pose2) -> Self {
        let pose = Pose2 { theta_rad: wrap_angle(pose.theta_rad), ..pose };
        Self { pose, heading: sin_cos(pose.theta_rad) }
    }

    pub fn origin(&self) -> Vec2 {
        [self.pose.x_m, self.pose.y_m]
    }

    pub fn to_outer(self, point: Vec2) -> Vec2 {
        add(self.origin(), turned(self.heading, point))
    }

    pub fn to_inner(self, point: Vec2) -> Vec2 {
        turned_back(self.heading, sub(point, self.origin()))
    }

    /// This place in the frame of another one.
    pub fn seen_from(&self, other: &Self) -> Self {
        let [cos, sin] = turned_back(other.heading, [self.heading.1, self.heading.0]);
        let [x_m, y_m] = other.to_inner(self.origin());
        let theta_rad = wrap_angle(self.pose.theta_rad - other.pose.theta_rad);
        Self { pose: Pose2::new(x_m, y_m, theta_rad), heading: (sin, cos) }
    }

    /// Where this displacement leads to, which is given in the place's own frame.
    pub fn displaced(&self, displacement: Pose2) -> Self {
        self.displaced_and_turned(displacement, sin_cos(displacement.theta_rad))
    }

    /// The same, for who knows sine and cosine of the turn.
    pub fn displaced_and_turned(&self, displacement: Pose2, turn: (f64, f64)) -> Self {
        let [x_m, y_m] = self.to_outer([displacement.x_m, displacement.y_m]);
        let theta_rad = wrap_angle(self.pose.theta_rad + displacement.theta_rad);
        let [cos, sin] = turned(turn, [self.heading.1, self.heading.0]);
        // One of Newton's steps towards a vector of length 1.
        let length = (3.0 - (cos * cos + sin * sin)) / 2.0;
        Self { pose: Pose2::new(x_m, y_m, theta_rad), heading: (sin * length, cos * length) }
    }

    pub fn advanced(&self, twist: Twist2, secs: f64) -> Self {
        self.displaced(twist.displacement(secs))
    }
}
