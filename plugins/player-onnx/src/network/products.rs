//! Products of matrices.
//!
//! Every sum runs over the rows of the second matrix in their order, whatever the processor. A row is multiplied and added at
//! once: its numbers lie side by side, so the compiler makes vector instructions of it, and no sum's order changes.

use super::call::Call;
use super::shape::{Shape, broadcast};
use super::tensor::Tensor;
use std::borrow::Cow;

/// Adds `left` x `right` to `sums`: matrices of `rows` x `inner`, `inner` x `columns` and `rows` x `columns`.
fn accumulate(sums: &mut [f32], left: &[f32], right: &[f32], inner: usize, columns: usize) {
    if inner == 0 || columns == 0 {
        return;
    }
    for (sums, left) in sums.chunks_exact_mut(columns).zip(left.chunks_exact(inner)) {
        // By fours, a sum is fetched and stored a quarter as often.
        let (fours, rest) = left.as_chunks::<4>();
        let (right, right_rest) = right.split_at(fours.len() * 4 * columns);
        for (factors, rows) in fours.iter().zip(right.chunks_exact(4 * columns)) {
            add_four(sums, factors, rows);
        }
        for (&factor, row) in rest.iter().zip(right_rest.chunks_exact(columns)) {
            for (sum, &number) in sums.iter_mut().zip(row) {
                *sum += factor * number;
            }
        }
    }
}

/// Adds four rows of as many numbers as there are sums, each times its factor, one after the other.
fn add_four(sums: &mut [f32], factors: &[f32; 4], rows: &[f32]) {
    let (first, second) = rows.split_at(2 * sums.len());
    let ((a, b), (c, d)) = (first.split_at(sums.len()), second.split_at(sums.len()));
    for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *sum = *sum + factors[0] * a + factors[1] * b + factors[2] * c + factors[3] * d;
    }
}

/// Products of the last two dimensions; those in front are repeated as they are elsewhere.
pub fn matrix_product(call: &Call<'_>) -> Result<Tensor, String> {
    let (left, right) = (call.values::<f32>(0)?, call.values::<f32>(1)?);
    let (left_shape, right_shape) = (call.input(0)?.shape(), call.input(1)?.shape());
    let wrong = || format!("matrices of {left_shape} and {right_shape} have no product");
    // A single row on the left, a single column on the right: their dimension is not in the result.
    let (left_fronts, rows, inner) = match left_shape[..] {
        [] => return Err(wrong()),
        [inner] => (&[][..], 1, inner),
        [ref fronts @ .., rows, inner] => (fronts, rows, inner),
    };
    let (right_fronts, height, columns) = match right_shape[..] {
        [] => return Err(wrong()),
        [height] => (&[][..], height, 1),
        [ref fronts @ .., height, columns] => (fronts, height, columns),
    };
    if inner != height {
        return Err(wrong());
    }
    let (left_fronts, right_fronts) = (Shape::new(left_fronts)?, Shape::new(right_fronts)?);
    let fronts = broadcast(&left_fronts, &right_fronts).map_err(|_| wrong())?;
    let mut sizes = fronts.to_vec();
    sizes.extend((left_shape.len() > 1).then_some(rows));
    sizes.extend((right_shape.len() > 1).then_some(columns));
    let shape = Shape::new(&sizes)?;
    call.budget.work(shape.elements().saturating_mul(inner))?;
    let mut sums = vec![0.0; shape.elements()];
    let size = (rows * columns).max(1);
    let places = left_fronts.walk_as(&fronts).zip(right_fronts.walk_as(&fronts));
    for (sums, (at, other)) in sums.chunks_exact_mut(size).zip(places) {
        let left = &left[at * rows * inner..][..rows * inner];
        let right = &right[other * height * columns..][..height * columns];
        accumulate(sums, left, right, inner, columns);
    }
    Tensor::of(shape, sums)
}

/// `alpha` x first x second + `beta` x third, of which the first two may have to be transposed.
pub fn general_product(call: &Call<'_>) -> Result<Tensor, String> {
    let (left, right) = (upright(call, 0, "transA")?, upright(call, 1, "transB")?);
    let (&[rows, inner], &[height, columns]) = (&left.shape()[..], &right.shape()[..]) else {
        return Err(format!("{} and {} are no matrices", left.shape(), right.shape()));
    };
    if inner != height {
        return Err(format!("matrices of {} and {} have no product", left.shape(), right.shape()));
    }
    let shape = Shape::new(&[rows, columns])?;
    call.budget.work(shape.elements().saturating_mul(inner))?;
    let mut sums = vec![0.0; shape.elements()];
    accumulate(&mut sums, left.values()?, right.values()?, inner, columns);
    let alpha = call.float("alpha", 1.0)?;
    if alpha != 1.0 {
        sums.iter_mut().for_each(|sum| *sum *= alpha);
    }
    if let Some(bias) = call.given(2) {
        add_bias(&mut sums, &shape, bias, call.float("beta", 1.0)?)?;
    }
    Tensor::of(shape, sums)
}

/// Adds `beta` x `bias`, which is repeated over `shape`.
fn add_bias(sums: &mut [f32], shape: &Shape, bias: &Tensor, beta: f32) -> Result<(), String> {
    if broadcast(bias.shape(), shape)? != *shape {
        return Err(format!("{} cannot be added to {shape}", bias.shape()));
    }
    let values = bias.values::<f32>()?;
    // A single row of sums, as for one decision, takes the bias as it lies.
    if values.len() == sums.len() {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += beta * value);
        return Ok(());
    }
    for (sum, place) in sums.iter_mut().zip(bias.shape().walk_as(shape)) {
        *sum += beta * values[place];
    }
    Ok(())
}

/// An input of [`general_product`], transposed if the node says so.
fn upright<'a>(call: &Call<'a>, place: usize, name: &str) -> Result<Cow<'a, Tensor>, String> {
    let matrix = call.input(place)?;
    matrix.values::<f32>().map_err(|error| format!("input number {place}: {error}"))?;
    match call.integer(name, 0)? {
        0 => Ok(Cow::Borrowed(matrix)),
        _ => Ok(Cow::Owned(matrix.transposed(&[1, 0])?)),
    }
}
