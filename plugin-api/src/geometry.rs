//! Poses and twists in the plane, with the one set of elementary functions that is the same everywhere.
//!
//! # Units, frames
//! SI units and radians; right-handed, x forward, y left, angles counter-clockwise (REP 103).
//!
//! # Not here
//! Shapes and rays: [`crate::view`] and [`crate::rays`].

use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position and a heading: of a body in a frame, or of one frame in another.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Serialize, Deserialize, JsonSchema)]
#[derive(abi_stable::StableAbi)]
#[serde(deny_unknown_fields)]
pub struct Pose2 {
    /// Forward, metres.
    #[serde(default)]
    pub x_m: f64,
    /// Left, metres.
    #[serde(default)]
    pub y_m: f64,
    /// Heading, radians, counter-clockwise from x.
    #[serde(default)]
    pub theta_rad: f64,
}

impl Pose2 {
    /// The frame's own origin.
    pub const ORIGIN: Self = Self { x_m: 0.0, y_m: 0.0, theta_rad: 0.0 };

    /// Makes a pose from metres, metres, radians.
    pub const fn new(x_m: f64, y_m: f64, theta_rad: f64) -> Self {
        Self { x_m, y_m, theta_rad }
    }

    /// Returns the pose in the outer frame of `inner`, which is given in this pose's frame.
    ///
    /// `world_from_robot.compose(robot_from_sensor)` is `world_from_sensor`.
    pub fn compose(self, inner: Self) -> Self {
        let [x_m, y_m] = self.point_to_outer([inner.x_m, inner.y_m]);
        Self { x_m, y_m, theta_rad: wrap_angle(self.theta_rad + inner.theta_rad) }
    }

    /// Returns the inverse: `a.compose(a.inverse())` is the origin.
    pub fn inverse(self) -> Self {
        let (sin, cos) = sin_cos(self.theta_rad);
        Self {
            x_m: -(cos * self.x_m + sin * self.y_m),
            y_m: sin * self.x_m - cos * self.y_m,
            theta_rad: wrap_angle(-self.theta_rad),
        }
    }

    /// Returns `other` as seen from this pose; both are given in the same frame.
    pub fn relative(self, other: Self) -> Self {
        let [x_m, y_m] = self.point_to_inner([other.x_m, other.y_m]);
        Self { x_m, y_m, theta_rad: wrap_angle(other.theta_rad - self.theta_rad) }
    }

    /// Takes a point given in this pose's own frame to the frame in which the pose is given, metres.
    pub fn point_to_outer(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = sin_cos(self.theta_rad);
        [self.x_m + cos * x - sin * y, self.y_m + sin * x + cos * y]
    }

    /// Takes a point to this pose's own frame, metres.
    pub fn point_to_inner(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = sin_cos(self.theta_rad);
        let (dx, dy) = (x - self.x_m, y - self.y_m);
        [cos * dx + sin * dy, cos * dy - sin * dx]
    }

    /// Returns the pose after `dt_secs` of a constant twist: an arc, or a straight line at `w = 0`.
    ///
    /// The exact integral of the body's twist, by sinc-like series below `|w| dt = 1e-6`.
    pub fn advanced(self, twist: Twist2, dt_secs: f64) -> Self {
        let turn = twist.turn_rad_s * dt_secs;
        let (sinc, cosc) = if turn.abs() < 1e-6 {
            (1.0, turn / 2.0)
        } else {
            let (sin, cos) = sin_cos(turn);
            (sin / turn, (1.0 - cos) / turn)
        };
        let (dx, dy) = (twist.x_m_s * dt_secs, twist.y_m_s * dt_secs);
        let step = Self { x_m: sinc * dx - cosc * dy, y_m: cosc * dx + sinc * dy, theta_rad: turn };
        self.compose(step)
    }

    /// Whether all three numbers are finite.
    pub fn is_finite(self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite() && self.theta_rad.is_finite()
    }

    /// The distance between two positions, metres.
    pub fn distance_m(self, other: Self) -> f64 {
        libm::hypot(other.x_m - self.x_m, other.y_m - self.y_m)
    }

    /// The direction to a point, radians in (-pi, pi], from this pose's x axis.
    pub fn bearing_rad(self, point: [f64; 2]) -> f64 {
        wrap_angle(libm::atan2(point[1] - self.y_m, point[0] - self.x_m) - self.theta_rad)
    }
}

/// A velocity in the plane, expressed in the frame that the holder names (for a robot: its own body).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, Serialize, Deserialize, JsonSchema)]
#[derive(abi_stable::StableAbi)]
#[serde(deny_unknown_fields)]
pub struct Twist2 {
    /// Along x, metres per second.
    #[serde(default)]
    pub x_m_s: f64,
    /// Along y, metres per second.
    #[serde(default)]
    pub y_m_s: f64,
    /// Counter-clockwise, radians per second.
    #[serde(default)]
    pub turn_rad_s: f64,
}

impl Twist2 {
    /// At rest.
    pub const ZERO: Self = Self { x_m_s: 0.0, y_m_s: 0.0, turn_rad_s: 0.0 };

    /// Makes a twist from m/s, m/s, rad/s.
    pub const fn new(x_m_s: f64, y_m_s: f64, turn_rad_s: f64) -> Self {
        Self { x_m_s, y_m_s, turn_rad_s }
    }

    /// Whether all three numbers are finite.
    pub fn is_finite(self) -> bool {
        self.x_m_s.is_finite() && self.y_m_s.is_finite() && self.turn_rad_s.is_finite()
    }
}

/// Brings an angle into (-pi, pi], radians. A non-finite angle stays non-finite.
pub fn wrap_angle(angle_rad: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle_rad > -PI && angle_rad <= PI {
        return angle_rad;
    }
    let wrapped = libm::fmod(angle_rad, TAU);
    if wrapped > PI {
        wrapped - TAU
    } else if wrapped <= -PI {
        wrapped + TAU
    } else {
        wrapped
    }
}

/// Sine and cosine, the same bits on every platform.
pub fn sin_cos(angle_rad: f64) -> (f64, f64) {
    libm::sincos(angle_rad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn pose() -> impl Strategy<Value = Pose2> {
        (-20.0..20.0, -20.0..20.0, -3.1..3.1).prop_map(|(x, y, t)| Pose2::new(x, y, t))
    }

    fn close(a: Pose2, b: Pose2) -> bool {
        (a.x_m - b.x_m).abs() < 1e-9
            && (a.y_m - b.y_m).abs() < 1e-9
            && wrap_angle(a.theta_rad - b.theta_rad).abs() < 1e-9
    }

    #[test]
    fn a_quarter_turn_follows_the_circle() {
        let pose = Pose2::ORIGIN.advanced(Twist2::new(1.0, 0.0, FRAC_PI_2), 1.0);
        assert!(close(pose, Pose2::new(2.0 / PI, 2.0 / PI, FRAC_PI_2)));
    }

    proptest! {
        #[test]
        fn a_pose_and_its_inverse_cancel(a in pose(), b in pose()) {
            prop_assert!(close(a.compose(a.inverse()), Pose2::ORIGIN));
            prop_assert!(close(a.compose(a.relative(b)), b));
        }

        /// M1, R2: two half steps of a constant twist are one whole step.
        #[test]
        fn two_half_steps_are_one(a in pose(), v in -2.0..2.0, u in -2.0..2.0, w in -3.0..3.0) {
            let twist = Twist2::new(v, u, w);
            prop_assert!(close(a.advanced(twist, 0.1).advanced(twist, 0.1), a.advanced(twist, 0.2)));
        }

        #[test]
        fn wrapped_angles_are_in_range_and_equal(angle in -100.0..100.0f64) {
            let wrapped = wrap_angle(angle);
            prop_assert!(wrapped > -PI && wrapped <= PI);
            prop_assert!((angle - wrapped).rem_euclid(2.0 * PI).min(2.0 * PI - (angle - wrapped).rem_euclid(2.0 * PI)) < 1e-9);
        }
    }
}
