//! Numpy's arrays, checked: what is wrong with one is said in its user's words.

use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ops::Range;

/// A size of an array, with what it counts.
pub(crate) type Size = (&'static str, usize);

/// Where an array lies in memory, with its name.
pub(crate) type Span = (&'static str, Range<usize>);

/// An array that is only read.
pub(crate) fn read<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
    sizes: &[Size],
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = checked::<T>(name, array, sizes)?;
    array.try_readonly().map_err(|error| refused(name, &error))
}

/// An array that is written in place.
pub(crate) fn written<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
    sizes: &[Size],
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let array = checked::<T>(name, array, sizes)?;
    array.try_readwrite().map_err(|error| refused(name, &error))
}

/// Where the numbers of an array without gaps lie.
pub(crate) fn span<T: Element>(name: &'static str, array: &Bound<'_, PyArrayDyn<T>>) -> Span {
    let start = array.data() as usize;
    (name, start..start + array.len() * size_of::<T>())
}

/// Refuses arrays that share memory.
///
/// Numpy's borrows know that of arrays with the same base; torch, and whoever makes arrays over a buffer, gives each view a base of
/// its own.
pub(crate) fn check_apart(spans: &[Span]) -> PyResult<()> {
    for (number, (name, span)) in spans.iter().enumerate() {
        for (other, range) in &spans[..number] {
            if span.start.max(range.start) < span.end.min(range.end) {
                return Err(PyValueError::new_err(format!("{name} shares its memory with {other}")));
            }
        }
    }
    Ok(())
}

fn checked<'a, 'py, T: Element>(
    name: &str,
    array: &'a Bound<'py, PyAny>,
    sizes: &[Size],
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let Ok(right) = array.cast::<PyArrayDyn<T>>() else { return Err(wrong_type::<T>(name, array)) };
    if !right.shape().iter().eq(sizes.iter().map(|(_, size)| size)) {
        let expected: Vec<usize> = sizes.iter().map(|&(_, size)| size).collect();
        let meaning: Vec<&str> = sizes.iter().map(|&(meaning, _)| meaning).collect();
        return Err(PyValueError::new_err(format!(
            "{name} has the shape {:?}; expected is {expected:?}: {}",
            right.shape(),
            meaning.join(", ")
        )));
    }
    if !right.is_c_contiguous() {
        return Err(PyValueError::new_err(format!(
            "{name} has gaps or another order in memory; it must be C-contiguous (numpy.ascontiguousarray)"
        )));
    }
    if !right.data().is_aligned() {
        return Err(PyValueError::new_err(format!(
            "{name} does not begin at an address for its type; it must be aligned (numpy.require(..., requirements=\"A\"))"
        )));
    }
    Ok(right)
}

fn wrong_type<T: Element>(name: &str, array: &Bound<'_, PyAny>) -> PyErr {
    let wanted = T::get_dtype(array.py());
    let wanted = wanted.typeobj().name().map_or_else(|_| String::new(), |name| name.to_string());
    let got = match array.cast::<PyUntypedArray>() {
        Ok(array) => format!("an array of {}", array.dtype()),
        Err(_) => array.get_type().name().map_or_else(|_| "no array".into(), |name| name.to_string()),
    };
    PyTypeError::new_err(format!("{name} must be a numpy array of {wanted}, not {got}"))
}

fn refused(name: &str, error: &BorrowError) -> PyErr {
    PyValueError::new_err(match error {
        BorrowError::NotWriteable => format!("{name} is read-only; it is written in place"),
        _ => format!(
            "{name} shares its memory with another array of this call, or is in use by another thread"
        ),
    })
}
