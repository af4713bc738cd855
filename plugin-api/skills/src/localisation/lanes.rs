//! Arithmetic on rows of numbers, written so that the compiler works on four at a time.
//!
//! Sums, products, comparisons and shifts only, each number for itself: the same bits on every platform, however many
//! are worked on at once. Single precision: a sample's place needs no more, and twice as many fit.

use std::f32::consts::{FRAC_2_PI, LOG2_E};

/// How many samples are worked on together.
pub(super) const LANES: usize = 16;

/// One number for each of them.
pub(super) type Lane = [f32; LANES];

/// `1.5 * 2^23`: added to it, a number below 2^22 loses all that is below one, by the rules of IEEE 754.
const ONES: f32 = 12_582_912.0;

/// The nearest integer to a number below 2^22, as both; of two equally near ones the even one.
///
/// A cast would be checked for what no integer can hold, one number after another.
#[inline(always)]
pub(super) fn nearest(x: f32) -> (f32, i32) {
    let shifted = x + ONES;
    (shifted - ONES, (shifted.to_bits() as i32).wrapping_sub(ONES.to_bits() as i32))
}

/// Sine and cosine within 1e-6, for an angle within a few turns.
#[inline(always)]
pub(super) fn sin_cos(angle_rad: f32) -> (f32, f32) {
    // A quarter of the circle in two parts; the first has room for a small factor.
    const QUARTER: f32 = 1.570_312_5;
    const QUARTER_REST: f32 = 4.838_268e-4;
    let shifted = angle_rad * FRAC_2_PI + ONES;
    let (quarters, low_bits) = (shifted - ONES, shifted.to_bits());
    let x = (angle_rad - quarters * QUARTER) - quarters * QUARTER_REST;
    let t = x * x;
    let sin = x + x * t * (-1.0 / 6.0 + t * (1.0 / 120.0 + t * (-1.0 / 5_040.0 + t * (1.0 / 362_880.0))));
    let cos = 1.0 - 0.5 * t + t * t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t * (1.0 / 40_320.0)));
    // In every second quarter they change places: a choice without a branch.
    let swap = (low_bits & 1).wrapping_neg();
    let (sin_bits, cos_bits) = (sin.to_bits(), cos.to_bits());
    let (sin, cos) = ((sin_bits & !swap) | (cos_bits & swap), (cos_bits & !swap) | (sin_bits & swap));
    let (sin_flip, cos_flip) = ((low_bits >> 1 & 1) << 31, ((low_bits >> 1 ^ low_bits) & 1) << 31);
    (f32::from_bits(sin ^ sin_flip), f32::from_bits(cos ^ cos_flip))
}

/// The direction of a vector within 1e-4, radians in `[-pi, pi]`; 0 for no vector.
#[inline(always)]
pub(super) fn rough_angle(x: f32, y: f32) -> f32 {
    use std::f32::consts::{FRAC_PI_2, PI};
    let (along, across) = (x.abs(), y.abs());
    let small = if along < across { along } else { across };
    let large = if along < across { across } else { along };
    // Nothing is as near to 0 but 0.
    let z = small / (large + 1e-30);
    let s = z * z;
    // The arc tangent on [0, 1], as in `rays`.
    let series = 0.193_543_46 + s * (-0.116_432_87 + s * (0.052_653_32 - s * 0.011_721_2));
    let octant = z * (0.999_977_26 + s * (-0.332_623_47 + s * series));
    let quadrant = if along < across { FRAC_PI_2 - octant } else { octant };
    let half = if x < 0.0 { PI - quadrant } else { quadrant };
    half.copysign(y)
}

/// Brings an angle of at most a few turns into `[-pi, pi]`.
#[inline(always)]
pub(super) fn wrap(angle_rad: f32) -> f32 {
    const TURN: f32 = 6.281_25;
    const TURN_REST: f32 = 1.935_307_2e-3;
    let turns = (angle_rad * (0.25 * FRAC_2_PI) + ONES) - ONES;
    (angle_rad - turns * TURN) - turns * TURN_REST
}

/// The exponential function of a number that is not above 0, within a part of 5e-6; 0 below -80.
#[inline(always)]
pub(super) fn exp_of_negative(x: f32) -> f32 {
    // The logarithm of 2 in two parts; the first has room for a small factor.
    const LN_2: f32 = 0.693_359_4;
    const LN_2_REST: f32 = -2.121_944_4e-4;
    let within = if x > -80.0 { x } else { -80.0 };
    let shifted = within * LOG2_E + ONES;
    let doublings = shifted - ONES;
    let r = (within - doublings * LN_2) - doublings * LN_2_REST;
    let series = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0)))));
    // 2 to a whole number is that number as an exponent.
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    if x > -80.0 { series * power } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_libm_says() {
        for k in -4000..=4000_i32 {
            let angle = k as f32 * 3e-3;
            let ((sin, cos), (sin_ref, cos_ref)) = (sin_cos(angle), libm::sincos(f64::from(angle)));
            assert!((f64::from(sin) - sin_ref).abs() < 1e-6 && (f64::from(cos) - cos_ref).abs() < 1e-6);
            let off =
                touchline_plugin_api::geometry::wrap_angle(f64::from(wrap(angle)) - f64::from(angle)).abs();
            assert!(off < 2e-6 && wrap(angle).abs() < 3.141_594, "{angle}");
            let direction = f64::from(rough_angle(3.0 * cos, 3.0 * sin));
            assert!(
                touchline_plugin_api::geometry::wrap_angle(direction - f64::from(angle)).abs() < 1e-4,
                "{angle}"
            );
            let x = -2e-2 * k.unsigned_abs() as f32;
            let (exp, exp_ref) = (f64::from(exp_of_negative(x)), libm::exp(f64::from(x)));
            assert!((exp - exp_ref).abs() <= 5e-6 * exp_ref || (x <= -80.0 && exp == 0.0), "{x}: {exp}");
        }
        assert_eq!((sin_cos(0.0), exp_of_negative(0.0)), ((0.0, 1.0), 1.0));
        assert_eq!(exp_of_negative(f32::NEG_INFINITY), 0.0);
    }
}
