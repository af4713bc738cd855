//! Named access to a feature's integers, shared by the data objects.

use super::DataError;
use touchline_plugin_api::layout::{Feature, decode, encode};

/// Checks that `quantised` is as long as the feature says.
pub(super) fn check_length(feature: &Feature, got: usize) -> Result<(), DataError> {
    let expected = feature.len();
    if got == expected { Ok(()) } else { Err(wrong_length(feature, got, expected)) }
}

/// Writes a scalar field.
pub(super) fn put(feature: &Feature, quantised: &mut [u32], name: &str, value: f64) -> Result<(), DataError> {
    put_all(feature, quantised, name, f64::INFINITY, std::iter::once(value))
}

/// Writes an array field: the values, and `rest` where there are no more of them.
pub(super) fn put_all(
    feature: &Feature,
    quantised: &mut [u32],
    name: &str,
    rest: f64,
    mut values: impl ExactSizeIterator<Item = f64>,
) -> Result<(), DataError> {
    let (start, field) = feature.field(name).ok_or_else(|| missing(feature, name))?;
    let (scale, signed, len) = (field.scale, field.signed, field.len());
    if values.len() > len {
        return Err(wrong_length(feature, values.len(), len));
    }
    for count in &mut quantised[start..start + len] {
        *count = encode(values.next().unwrap_or(rest), scale, signed);
    }
    Ok(())
}

/// Reads a scalar field.
pub(super) fn get(feature: &Feature, quantised: &[u32], name: &str) -> Result<f64, DataError> {
    let mut values = get_all(feature, quantised, name)?;
    match (values.next(), values.len()) {
        (Some(value), 0) => Ok(value),
        (first, more) => Err(wrong_length(feature, more + usize::from(first.is_some()), 1)),
    }
}

/// Reads an array field.
pub(super) fn get_all<'a>(
    feature: &Feature,
    quantised: &'a [u32],
    name: &str,
) -> Result<impl ExactSizeIterator<Item = f64> + use<'a>, DataError> {
    let (start, field) = feature.field(name).ok_or_else(|| missing(feature, name))?;
    let (scale, signed, len) = (field.scale, field.signed, field.len());
    Ok(quantised[start..start + len].iter().map(move |&count| decode(count, scale, signed)))
}

/// A value that stands for "not there" when it is not finite.
pub(super) fn present(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The feature has no such field.
pub(super) fn missing(feature: &Feature, field: &str) -> DataError {
    DataError::MissingField { feature: feature.name.clone(), field: field.into() }
}

/// The array or the object has the wrong length.
pub(super) fn wrong_length(feature: &Feature, got: usize, expected: usize) -> DataError {
    DataError::WrongLength { feature: feature.name.clone(), got, expected }
}
