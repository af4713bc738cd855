//! What a sensor's integers mean, so that a client in any language decodes them with no plugin at hand. [P4, C7]
//!
//! A sensor's content is one array of unsigned integers. Its [`Layout`] cuts the array into named features, and
//! each feature into fields with unit, scale, sign and shape. A quantised value `q` stands for `q * scale`, in the field's
//! unit; a signed field is the two's complement of 32 bits.
//!
//! # Invariants
//! - The length of the array is fixed when the instance is made; what is not there is said by a value.
//! - Following REP 117, the largest integer means `+inf` (nothing there, out of range) and the smallest signed (or
//!   second largest unsigned) integer means `-inf` (closer than the sensor can measure). There is no NaN.

use crate::elementary::nearest_integer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One named quantity of a feature: a scalar, or an array of a fixed shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// Such as `ranges`.
    pub name: String,
    /// The SI unit in which `q * scale` is given: `m`, `rad`, `m/s`, `1`; or `rgb`, a colour `0xRRGGBB`.
    pub unit: String,
    /// Units per step of the integer, above zero.
    pub scale: f64,
    /// Whether an integer is a two's complement number.
    pub signed: bool,
    /// `[]` for a scalar, `[361]` for a scan, `[8, 2]` for eight rows of two, rows first.
    pub shape: Vec<u32>,
}

impl Field {
    /// A field of unsigned integers, each worth `scale` units.
    pub fn unsigned(name: &str, unit: &str, scale: f64, shape: &[u32]) -> Self {
        Self { name: name.into(), unit: unit.into(), scale, signed: false, shape: shape.to_vec() }
    }

    /// A field of signed integers, each worth `scale` units.
    pub fn signed(name: &str, unit: &str, scale: f64, shape: &[u32]) -> Self {
        Self { signed: true, ..Self::unsigned(name, unit, scale, shape) }
    }

    /// How many integers it takes.
    pub fn len(&self) -> usize {
        self.shape.iter().map(|&n| n as usize).product()
    }

    /// Whether the field takes no integers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value quantised, given in the field's unit: rounded to the nearest, held at the ends of the range.
    ///
    /// NaN becomes what stands for `+inf`: a sensor has no word for it.
    #[inline]
    pub fn encode(&self, value: f64) -> u32 {
        encode(value, self.scale, self.signed)
    }

    /// The value of an integer, in the field's unit.
    #[inline]
    pub fn decode(&self, quantised: u32) -> f64 {
        decode(quantised, self.scale, self.signed)
    }
}

/// Whether a feature or a field may have this name: it stands in commands and answers of the message board.
///
/// ```
/// # use touchline_plugin_api::layout::is_name;
/// assert!(is_name("180DegreeScan") && is_name("motion/wheel-left"));
/// assert!(!is_name("") && !is_name("two words"));
/// ```
pub fn is_name(name: &str) -> bool {
    let valid = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
    (1..=64).contains(&name.len()) && name.chars().all(valid)
}

/// [`Field::encode`] for loops that know scale and sign.
#[inline]
pub fn encode(value: f64, scale: f64, signed: bool) -> u32 {
    let quantised = value / scale;
    let (min, max) = count_range(signed);
    // Not for NaN either.
    if quantised >= min && quantised <= max {
        nearest_integer(quantised).1 as u32
    } else {
        encode_beyond(value, signed)
    }
}

/// The ends of the range mean something else.
#[inline]
fn count_range(signed: bool) -> (f64, f64) {
    const TOP: f64 = i32::MAX as f64;
    if signed { (1.0 - TOP, TOP - 1.0) } else { (0.0, (u32::MAX - 2) as f64) }
}

/// What stands for a value that is out of range, or no number.
#[cold]
fn encode_beyond(value: f64, signed: bool) -> u32 {
    let (min, max) = count_range(signed);
    if value.is_finite() {
        return nearest_integer(if value < 0.0 { min } else { max }).1 as u32;
    }
    match (signed, value == f64::NEG_INFINITY) {
        (true, false) => i32::MAX as u32,
        (true, true) => i32::MIN as u32,
        (false, false) => u32::MAX,
        (false, true) => u32::MAX - 1,
    }
}

/// [`encode`] of a whole row, value by value, without a branch: the processor takes several side by side.
///
/// # Panics
/// If the two have not the same length.
pub fn encode_all(values: &[f64], scale: f64, signed: bool, quantised: &mut [u32]) {
    assert_eq!(values.len(), quantised.len(), "one integer for each value");
    let (min, max) = count_range(signed);
    let [above, below] = [f64::INFINITY, f64::NEG_INFINITY].map(|value| encode_beyond(value, signed));
    for (count, &value) in quantised.iter_mut().zip(values) {
        let held = value / scale;
        let held = if held > min { held } else { min };
        let held = if held < max { held } else { max };
        let number = nearest_integer(held).1 as u32;
        // Neither is NaN less than anything.
        let number = if value < f64::INFINITY { number } else { above };
        *count = if value == f64::NEG_INFINITY { below } else { number };
    }
}

/// [`Field::decode`] for loops that know scale and sign.
#[inline]
pub fn decode(quantised: u32, scale: f64, signed: bool) -> f64 {
    if is_number(quantised, signed) {
        let quantised = if signed { i64::from(quantised as i32) } else { i64::from(quantised) };
        quantised as f64 * scale
    } else if quantised == 0x7fff_ffff || quantised == 0xffff_ffff {
        f64::INFINITY
    } else {
        f64::NEG_INFINITY
    }
}

/// Whether an integer stands for a finite value. The two that do not are neighbours.
#[inline]
pub fn is_number(quantised: u32, signed: bool) -> bool {
    let first = if signed { 0x7fff_ffff } else { 0xffff_fffe };
    quantised.wrapping_sub(first) > 1
}

/// A named group of fields that an algorithm asks for by name, whichever sensor gives it. (P5)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Feature {
    /// Such as `180DegreeScan` or `ball`.
    pub name: String,
    /// Its fields, in the order of the array.
    pub fields: Vec<Field>,
}

impl Feature {
    /// A feature with these fields, in this order.
    pub fn new(name: &str, fields: Vec<Field>) -> Self {
        Self { name: name.into(), fields }
    }

    /// How many integers it takes.
    pub fn len(&self) -> usize {
        self.fields.iter().map(Field::len).sum()
    }

    /// Whether the feature takes no integers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a field's integers begin in the feature's, and the field; `None` if there is no such field.
    pub fn field(&self, name: &str) -> Option<(usize, &Field)> {
        let mut start = 0;
        for field in &self.fields {
            if field.name == name {
                return Some((start, field));
            }
            start += field.len();
        }
        None
    }

    /// Whether the other feature's integers can be read in place of this one's. (P5)
    pub fn same_format(&self, other: &Self) -> bool {
        self.name == other.name && self.fields == other.fields
    }
}

/// What one sensor's array holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Layout {
    /// Its features, in the order of the array.
    pub features: Vec<Feature>,
}

impl Layout {
    /// How many integers the array has.
    pub fn len(&self) -> usize {
        self.features.iter().map(Feature::len).sum()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the feature's integers lie in the array.
    pub fn range(&self, feature: usize) -> std::ops::Range<usize> {
        let start = self.features[..feature].iter().map(Feature::len).sum::<usize>();
        start..start + self.features[feature].len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_and_too_close_have_values_of_their_own() {
        for field in [Field::unsigned("r", "m", 0.001, &[]), Field::signed("b", "rad", 1e-4, &[])] {
            assert_eq!(field.decode(field.encode(f64::INFINITY)), f64::INFINITY);
            assert_eq!(field.decode(field.encode(f64::NEG_INFINITY)), f64::NEG_INFINITY);
            assert_eq!(field.decode(field.encode(f64::NAN)), f64::INFINITY);
            assert!(field.decode(field.encode(1e300)).is_finite());
            assert!(field.decode(field.encode(-1e300)).is_finite());
        }
    }

    proptest! {
        /// P4: a value comes back within half a step of the integer.
        #[test]
        fn values_come_back_within_half_a_count(value in -1000.0..1000.0f64, scale in 1e-5..1e-1f64) {
            let field = Field::signed("v", "m", scale, &[]);
            prop_assert!((field.decode(field.encode(value)) - value).abs() <= scale * 0.500_001);
            let field = Field::unsigned("v", "m", scale, &[]);
            prop_assert!((field.decode(field.encode(value.abs())) - value.abs()).abs() <= scale * 0.500_001);
        }

        /// A row has the integers of its values, those beyond the range and those that are no numbers too.
        #[test]
        fn a_row_is_encoded_as_its_values(
            values in prop::collection::vec(prop_oneof![any::<f64>(), -10.0..10.0f64, Just(-0.0), Just(1e300)], 0..20),
            scale in 1e-9..1e-1f64,
            signed in any::<bool>(),
        ) {
            let mut row = vec![7; values.len()];
            encode_all(&values, scale, signed, &mut row);
            let alone: Vec<u32> = values.iter().map(|&value| encode(value, scale, signed)).collect();
            prop_assert_eq!(row, alone);
        }

        #[test]
        fn every_integer_survives(quantised in any::<u32>(), signed in any::<bool>()) {
            prop_assume!(!(signed && quantised == 0x8000_0001));
            prop_assert_eq!(encode(decode(quantised, 1.0, signed), 1.0, signed), quantised);
        }
    }
}
