//! Poses and twists in the plane.
//!
//! # Units, frames
//! SI units and radians; right-handed, x forward, y left, angles counter-clockwise (REP 103).
//!
//! # Not here
//! Sine, cosine and direction, the same bits everywhere, are given on from `elementary.rs`. Shapes and rays: [`crate::view`] and `touchline-kit`.

pub use crate::elementary::{atan2, sin_cos};
use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// A position and a heading: of a body in a frame, or of one frame in another.
#[repr(C)]
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Pod,
    Zeroable,
    Serialize,
    Deserialize,
    JsonSchema,
    abi_stable::StableAbi,
)]
#[serde(deny_unknown_fields)]
pub struct Pose2 {
    /// Forward, metres.
    #[serde(default)]
    pub x_m: f64,
    /// Left, metres.
    #[serde(default)]
    pub y_m: f64,
    /// Heading, radians, counter-clockwise from x. In files at most a whole turn: what is more was meant in degrees.
    #[serde(default)]
    #[schemars(range(min = -6.3, max = 6.3))]
    pub theta_rad: f64,
}

impl Pose2 {
    /// The identity: origin of the frame, heading along its x axis.
    pub const ORIGIN: Self = Self { x_m: 0.0, y_m: 0.0, theta_rad: 0.0 };

    /// Makes a pose from metres, metres, radians.
    pub const fn new(x_m: f64, y_m: f64, theta_rad: f64) -> Self {
        Self { x_m, y_m, theta_rad }
    }

    /// Returns the pose in the outer frame of `inner`, which is given in this pose's frame.
    ///
    /// `world_from_robot.compose(robot_from_sensor)` is `world_from_sensor`.
    #[inline]
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
    #[inline]
    pub fn relative(self, other: Self) -> Self {
        let [x_m, y_m] = self.point_to_inner([other.x_m, other.y_m]);
        Self { x_m, y_m, theta_rad: wrap_angle(other.theta_rad - self.theta_rad) }
    }

    /// Takes a point given in this pose's own frame to the frame in which the pose is given, metres.
    #[inline]
    pub fn point_to_outer(self, point: [f64; 2]) -> [f64; 2] {
        Transform2::new(self).to_outer(point)
    }

    /// Takes a point to this pose's own frame, metres.
    #[inline]
    pub fn point_to_inner(self, point: [f64; 2]) -> [f64; 2] {
        Transform2::new(self).to_inner(point)
    }

    /// Returns the pose after `dt_secs` of a constant twist: an arc, or a straight line at `w = 0`.
    pub fn advanced(self, twist: Twist2, dt_secs: f64) -> Self {
        self.compose(twist.displacement(dt_secs))
    }

    /// The constant twist that makes this displacement in `dt_secs`: the inverse of [`Twist2::displacement`] for turns of less than
    /// a whole circle.
    #[inline]
    pub fn mean_twist(self, dt_secs: f64) -> Twist2 {
        let (half, per_dt) = (self.theta_rad / 2.0, 1.0 / dt_secs);
        let t = self.theta_rad * self.theta_rad;
        // half * cot(half)
        let cot = if t < 0.01 {
            1.0 - t * (1.0 / 12.0 + t * (1.0 / 720.0 + t * (1.0 / 30_240.0 + t / 1_209_600.0)))
        } else {
            let (sin, cos) = sin_cos(self.theta_rad);
            half * sin / (1.0 - cos)
        };
        let (x_m, y_m) = (cot * self.x_m + half * self.y_m, cot * self.y_m - half * self.x_m);
        Twist2::new(x_m * per_dt, y_m * per_dt, self.theta_rad * per_dt)
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
        wrap_angle(atan2(point[1] - self.y_m, point[0] - self.x_m) - self.theta_rad)
    }
}

/// A pose whose sine and cosine are worked out once, for many points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform2 {
    x_m: f64,
    y_m: f64,
    cos: f64,
    sin: f64,
}

impl Transform2 {
    /// Works out sine and cosine.
    #[inline]
    pub fn new(pose: Pose2) -> Self {
        let (sin, cos) = sin_cos(pose.theta_rad);
        Self { x_m: pose.x_m, y_m: pose.y_m, cos, sin }
    }

    /// Where the pose is, metres.
    pub fn origin(&self) -> [f64; 2] {
        [self.x_m, self.y_m]
    }

    /// [`Pose2::point_to_outer`].
    #[inline]
    pub fn to_outer(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.x_m + self.cos * x - self.sin * y, self.y_m + self.sin * x + self.cos * y]
    }

    /// [`Pose2::point_to_inner`].
    #[inline]
    pub fn to_inner(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (dx, dy) = (x - self.x_m, y - self.y_m);
        [self.cos * dx + self.sin * dy, self.cos * dy - self.sin * dx]
    }
}

/// A velocity in the plane, expressed in the frame that the holder names (for a robot: its own body).
#[repr(C)]
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Pod,
    Zeroable,
    Serialize,
    Deserialize,
    JsonSchema,
    abi_stable::StableAbi,
)]
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
    /// Zero velocity.
    pub const ZERO: Self = Self { x_m_s: 0.0, y_m_s: 0.0, turn_rad_s: 0.0 };

    /// Makes a twist from m/s, m/s, rad/s.
    pub const fn new(x_m_s: f64, y_m_s: f64, turn_rad_s: f64) -> Self {
        Self { x_m_s, y_m_s, turn_rad_s }
    }

    /// The way of a body that keeps this velocity, in its frame at the beginning: an arc, or a straight line.
    ///
    /// The exact integral, by the series of its sines and cosines up to a turn of 0.1 rad.
    #[inline]
    pub fn displacement(self, dt_secs: f64) -> Pose2 {
        let turn = self.turn_rad_s * dt_secs;
        // sin(turn) / turn and (1 - cos(turn)) / turn.
        let (sinc, cosc) = if turn.abs() < 0.1 {
            let t = turn * turn;
            const S: [f64; 4] = [1.0 / 6.0, 1.0 / 120.0, 1.0 / 5_040.0, 1.0 / 362_880.0];
            const C: [f64; 4] = [1.0 / 24.0, 1.0 / 720.0, 1.0 / 40_320.0, 1.0 / 3_628_800.0];
            let series = |c: [f64; 4]| t * ((c[0] - t * c[1]) + t * t * (c[2] - t * c[3]));
            (1.0 - series(S), turn * (0.5 - series(C)))
        } else {
            let (sin, cos) = sin_cos(turn);
            (sin / turn, (1.0 - cos) / turn)
        };
        let (dx, dy) = (self.x_m_s * dt_secs, self.y_m_s * dt_secs);
        Pose2 { x_m: sinc * dx - cosc * dy, y_m: cosc * dx + sinc * dy, theta_rad: wrap_angle(turn) }
    }

    /// Whether all three numbers are finite.
    pub fn is_finite(self) -> bool {
        self.x_m_s.is_finite() && self.y_m_s.is_finite() && self.turn_rad_s.is_finite()
    }
}

/// Brings an angle into (-pi, pi], radians. A non-finite angle stays non-finite.
#[inline]
pub fn wrap_angle(angle_rad: f64) -> f64 {
    if angle_rad > -PI && angle_rad <= PI { angle_rad } else { wrap_far_angle(angle_rad) }
}

#[cold]
fn wrap_far_angle(angle_rad: f64) -> f64 {
    let wrapped = libm::fmod(angle_rad, TAU);
    if wrapped > PI {
        wrapped - TAU
    } else if wrapped <= -PI {
        wrapped + TAU
    } else {
        wrapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

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
        /// M1: the series of a small turn continues the closed form.
        #[test]
        fn a_displacement_is_the_arc(v in -2.0..2.0, u in -2.0..2.0, turn in 1e-3..0.2f64) {
            let (sin, cos) = libm::sincos(turn);
            let (sinc, cosc) = (sin / turn, (1.0 - cos) / turn);
            let arc = Pose2::new(sinc * v - cosc * u, cosc * v + sinc * u, turn);
            let got = Twist2::new(v, u, turn).displacement(1.0);
            // The closed form of the cosine loses digits, not the series.
            prop_assert!(got.distance_m(arc) < 1e-12 && got.theta_rad == turn, "{got:?} {arc:?}");
        }

        /// M1: the twist of a displacement makes that displacement.
        #[test]
        fn a_displacement_has_its_twist(v in -2.0..2.0, u in -2.0..2.0, turn in -3.0..3.0f64, dt_secs in 1e-3..0.1f64) {
            let twist = Twist2::new(v, u, turn / dt_secs);
            let got = twist.displacement(dt_secs).mean_twist(dt_secs);
            prop_assert!((got.x_m_s - v).abs() < 1e-10 && (got.y_m_s - u).abs() < 1e-10, "{got:?} {twist:?}");
            prop_assert!((got.turn_rad_s * dt_secs - turn).abs() < 1e-12);
        }

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
