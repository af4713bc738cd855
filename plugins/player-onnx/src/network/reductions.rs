//! Operators that make few numbers of many: sums, extremes and their places.

use super::call::Call;
use super::pairs::{larger, smaller};
use super::shape::{MAX_RANK, Shape, Walk};
use super::tensor::{Data, Element, Tensor};

/// What a node reduces, and to what.
struct Reduction {
    /// Shape of the result.
    shape: Shape,
    /// For each element of the input the element of the result to which it goes.
    targets: Walk,
    /// So many elements of the input go to each of the result.
    share: usize,
}

fn reduction(call: &Call<'_>) -> Result<Reduction, String> {
    let input = call.input(0)?.shape();
    let axes = call.settings(1, "axes")?.unwrap_or_default();
    let all = axes.is_empty() && call.integer("noop_with_empty_axes", 0)? == 0;
    let mut is_reduced = [all; MAX_RANK];
    for axis in axes {
        is_reduced[input.axis(axis)?] = true;
    }
    let mut kept = *input;
    for axis in (0..input.len()).filter(|&axis| is_reduced[axis]) {
        kept = kept.with(axis, 1)?;
    }
    let mut strides = kept.strides();
    for axis in (0..input.len()).filter(|&axis| is_reduced[axis]) {
        strides[axis] = 0;
    }
    let left: Vec<usize> =
        (0..input.len()).filter(|&axis| !is_reduced[axis]).map(|axis| input[axis]).collect();
    let shape = if call.integer("keepdims", 1)? != 0 { kept } else { Shape::new(&left)? };
    let share = input.elements() / shape.elements().max(1);
    Ok(Reduction { shape, targets: Walk::new(*input, strides, 0), share })
}

/// Each result begins with `first` and takes in its elements one after the other.
fn gather_in<T: Element>(
    values: &[T],
    reduction: &Reduction,
    first: T,
    function: impl Fn(T, T) -> T,
) -> Vec<T> {
    let mut results = vec![first; reduction.shape.elements()];
    for (&value, target) in values.iter().zip(reduction.targets.clone()) {
        results[target] = function(results[target], value);
    }
    results
}

/// A reduction of float32: how each element is taken in, and what becomes of the whole, given its share.
fn floats(
    call: &Call<'_>,
    take: impl Fn(f32, f32) -> f32,
    finish: impl Fn(f32, f32) -> f32,
) -> Result<Tensor, String> {
    let values = call.values::<f32>(0)?;
    let reduction = reduction(call)?;
    let mut results = gather_in(values, &reduction, 0.0, take);
    results.iter_mut().for_each(|result| *result = finish(*result, reduction.share as f32));
    Tensor::of(reduction.shape, results)
}

/// A reduction of either type of numbers; each has its own beginning.
fn numbers(
    call: &Call<'_>,
    (float, integer): (f32, i64),
    floats: impl Fn(f32, f32) -> f32,
    integers: impl Fn(i64, i64) -> i64,
) -> Result<Tensor, String> {
    let reduction = reduction(call)?;
    let data = match call.input(0)?.data() {
        Data::Integers(values) => Data::Integers(gather_in(values, &reduction, integer, integers)),
        _ => Data::Floats(gather_in(call.values(0)?, &reduction, float, floats)),
    };
    Tensor::new(reduction.shape, data)
}

pub fn sum(call: &Call<'_>) -> Result<Tensor, String> {
    numbers(call, (0.0, 0), |sum, x| sum + x, i64::wrapping_add)
}

pub fn product(call: &Call<'_>) -> Result<Tensor, String> {
    numbers(call, (1.0, 1), |product, x| product * x, i64::wrapping_mul)
}

pub fn greatest(call: &Call<'_>) -> Result<Tensor, String> {
    numbers(call, (f32::NEG_INFINITY, i64::MIN), larger, i64::max)
}

pub fn least(call: &Call<'_>) -> Result<Tensor, String> {
    numbers(call, (f32::INFINITY, i64::MAX), smaller, i64::min)
}

pub fn mean(call: &Call<'_>) -> Result<Tensor, String> {
    floats(call, |sum, x| sum + x, |sum, share| sum / share)
}

pub fn sum_of_magnitudes(call: &Call<'_>) -> Result<Tensor, String> {
    floats(call, |sum, x| sum + x.abs(), |sum, _| sum)
}

pub fn sum_of_squares(call: &Call<'_>) -> Result<Tensor, String> {
    floats(call, |sum, x| sum + x * x, |sum, _| sum)
}

pub fn length(call: &Call<'_>) -> Result<Tensor, String> {
    floats(call, |sum, x| sum + x * x, |sum, _| sum.sqrt())
}

/// The place of the element along a dimension that beats all others.
pub fn place_of(
    call: &Call<'_>,
    floats: impl Fn(f32, f32) -> bool,
    integers: impl Fn(i64, i64) -> bool,
) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let axis = input.shape().axis(call.integer("axis", 0)?)?;
    let takes_last = call.integer("select_last_index", 0)? != 0;
    let around = input.shape().around(axis);
    if around.1 == 0 {
        return Err("there is no greatest or least of no elements".into());
    }
    let places = match input.data() {
        Data::Integers(values) => places(values, around, takes_last, integers),
        _ => places(call.values(0)?, around, takes_last, floats),
    };
    let mut sizes = input.shape().to_vec();
    match call.integer("keepdims", 1)? {
        0 => drop(sizes.remove(axis)),
        _ => sizes[axis] = 1,
    }
    Tensor::of(Shape::new(&sizes)?, places)
}

fn places<T: Element>(
    values: &[T],
    (before, size, behind): (usize, usize, usize),
    takes_last: bool,
    beats: impl Fn(T, T) -> bool,
) -> Vec<i64> {
    let mut places = Vec::with_capacity(before * behind);
    for outer in 0..before {
        for inner in 0..behind {
            let at = |place: usize| values[(outer * size + place) * behind + inner];
            let better = |best: usize, place: usize| {
                let is_better = beats(at(place), at(best)) || takes_last && !beats(at(best), at(place));
                if is_better { place } else { best }
            };
            places.push((1..size).fold(0, better) as i64);
        }
    }
    places
}
