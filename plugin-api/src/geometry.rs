//! Poses and twists in the plane, with the one set of elementary functions that is the same everywhere.
//!
//! # Units, frames
//! SI units and radians; right-handed, x forward, y left, angles counter-clockwise (REP 103).
//!
//! # Not here
//! Shapes and rays: [`crate::view`] and `touchline-kit`.

use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI, TAU};

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
    /// half a circle.
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

/// Sine and cosine, the same bits on every platform, within 2e-16 of the true values for an angle below 1e5 rad.
///
/// The series on an eighth of the circle, in half the time of `libm::sincos`, which takes over for larger angles:
/// with a match of eight robots these functions and [`atan2`] were the sensors' largest part.
#[inline]
pub fn sin_cos(angle_rad: f64) -> (f64, f64) {
    // A quarter of the circle as a number with room for a factor of 20 bits, and the rest of it.
    const QUARTER: f64 = 1.570_796_326_734_125_6;
    const QUARTER_REST: f64 = 6.077_100_506_506_192e-11;
    if angle_rad.abs() > 1e5 || angle_rad.is_nan() {
        return libm::sincos(angle_rad);
    }
    let (quarters, low_bits) = nearest_integer(angle_rad * FRAC_2_PI);
    let x = (angle_rad - quarters * QUARTER) - quarters * QUARTER_REST;
    let t = x * x;
    let t2 = t * t;
    // Neighbouring terms in pairs, so that the processor can work on them side by side.
    const S: [f64; 7] = [
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    const C: [f64; 7] = [
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 20_922_789_888_000.0,
    ];
    let series =
        |c: &[f64; 7]| (c[0] + c[1] * t) + t2 * ((c[2] + c[3] * t) + t2 * ((c[4] + c[5] * t) + t2 * c[6]));
    let sin = x + x * (t * series(&S));
    let cos = 1.0 - (0.5 * t - t2 * series(&C));
    let (sin, cos) = if low_bits & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let flipped = |value: f64, flip: u64| f64::from_bits(value.to_bits() ^ (flip << 63));
    (flipped(sin, low_bits >> 1 & 1), flipped(cos, (low_bits >> 1 ^ low_bits) & 1))
}

/// The direction of the vector `(x, y)`, radians in `[-pi, pi]`, within 1e-12; 0 for no vector.
///
/// For finite numbers. A polynomial, in a third of the time of `libm::atan2`; no sensor is a millionth as precise.
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    // tan(pi / 8).
    const TAN_LIMIT: f64 = 0.414_213_562_373_095;
    // atan(t) / t as a polynomial of t^2, nearly minimax for |t| up to the limit: 3.2e-13 at most off.
    const A: [f64; 8] = [
        0.999_999_999_999_244_7,
        -0.333_333_332_769_224_56,
        0.199_999_930_535_520_2,
        -0.142_853_865_536_055_97,
        0.111_034_569_062_753_22,
        -0.089_925_528_813_258_08,
        0.069_741_975_729_582_8,
        -0.037_655_103_980_525_99,
    ];
    let (x_abs, y_abs) = (x.abs(), y.abs());
    let (small, large) = if y_abs <= x_abs { (y_abs, x_abs) } else { (x_abs, y_abs) };
    // Nearer to the diagonal than to an axis: it is measured from there.
    let (part, of, base) = if small > TAN_LIMIT * large {
        (small - large, small + large, FRAC_PI_4)
    } else {
        (small, large, 0.0)
    };
    let t = if of > 0.0 { part / of } else { 0.0 };
    let s = t * t;
    let s2 = s * s;
    let series =
        (A[0] + A[1] * s) + s2 * ((A[2] + A[3] * s) + s2 * ((A[4] + A[5] * s) + s2 * (A[6] + A[7] * s)));
    let angle = base + t * series;
    let angle = if y_abs <= x_abs { angle } else { FRAC_PI_2 - angle };
    let angle = if x < 0.0 { PI - angle } else { angle };
    angle.copysign(y)
}

/// The integer nearest to a value below 2^51 (of two equally near ones the even one), and its lowest bits.
#[inline]
pub(crate) fn nearest_integer(value: f64) -> (f64, u64) {
    // 1.5 * 2^52: added to it, a number loses all that is below one, by the rules of IEEE 754.
    const ONES: f64 = 6_755_399_441_055_744.0;
    let shifted = value + ONES;
    (shifted - ONES, shifted.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    /// Every direction at many distances, the axes and diagonals among them; libm is the reference.
    #[test]
    fn directions_are_those_of_libm() {
        for k in -7200..=7200 {
            let (sin, cos) = libm::sincos(f64::from(k) * PI / 7200.0);
            for length in [1e-9, 0.3, 7.0, 1e6] {
                let (y, x) = (length * sin, length * cos);
                assert!((atan2(y, x) - libm::atan2(y, x)).abs() < 1e-12, "{y} {x}");
            }
        }
        let exact = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0), (-1.0, -1.0), (-1.0, 0.0)];
        for (y, x) in exact {
            assert!((atan2(y, x) - libm::atan2(y, x)).abs() < 1e-15, "{y} {x}");
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
    }

    #[test]
    fn sines_and_cosines_are_those_of_libm() {
        for k in -200_000..200_000 {
            for angle in [f64::from(k) * 1e-4, f64::from(k) * 0.77] {
                let ((sin, cos), (sin_ref, cos_ref)) = (sin_cos(angle), libm::sincos(angle));
                assert!((sin - sin_ref).abs() < 3e-16 && (cos - cos_ref).abs() < 3e-16, "{angle}");
            }
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
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
