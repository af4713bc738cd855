//! Operators that give the same elements another shape or order.

use super::call::Call;
use super::shape::{MAX_ELEMENTS, MAX_RANK, Shape, Walk, axis_of, broadcast};
use super::tensor::Tensor;

pub fn reshape(call: &Call<'_>) -> Result<Tensor, String> {
    let (input, wanted) = (call.input(0)?, call.values::<i64>(1)?);
    let zero_is_kept = call.integer("allowzero", 0)? == 0;
    let mut sizes = Vec::with_capacity(wanted.len());
    for (axis, &size) in wanted.iter().enumerate() {
        let kept = || input.shape().get(axis).copied().ok_or("it keeps a dimension that is not there");
        sizes.push(match size {
            -1 => 1,
            0 if zero_is_kept => kept()?,
            size => usize::try_from(size).map_err(|_| format!("a dimension has the size {size}"))?,
        });
    }
    let open: Vec<usize> = (0..wanted.len()).filter(|&axis| wanted[axis] == -1).collect();
    match open[..] {
        [] => {}
        [axis] => sizes[axis] = input.shape().elements() / Shape::new(&sizes)?.elements().max(1),
        _ => return Err(format!("{wanted:?} leaves more than one dimension open")),
    }
    input.reshaped(Shape::new(&sizes)?)
}

pub fn flatten(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let border = input.shape().border(call.integer("axis", 1)?)?;
    let (before, behind) = input.shape().split_at(border);
    input.reshaped(Shape::new(&[before.iter().product(), behind.iter().product()])?)
}

pub fn squeeze(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let shape = input.shape();
    let mut goes = [false; MAX_RANK];
    match call.settings(1, "axes")? {
        None => (0..shape.len()).for_each(|axis| goes[axis] = shape[axis] == 1),
        Some(axes) => {
            for axis in axes {
                let axis = shape.axis(axis)?;
                if shape[axis] != 1 {
                    return Err(format!("dimension {axis} of {shape} cannot be left out"));
                }
                goes[axis] = true;
            }
        }
    }
    let sizes: Vec<usize> = (0..shape.len()).filter(|&axis| !goes[axis]).map(|axis| shape[axis]).collect();
    input.reshaped(Shape::new(&sizes)?)
}

pub fn unsqueeze(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let axes = call.settings(1, "axes")?.ok_or("it has no axes")?;
    let rank = input.shape().len().saturating_add(axes.len());
    if rank > MAX_RANK {
        return Err(format!("{rank} dimensions; at most {MAX_RANK} are possible"));
    }
    let mut is_new = [false; MAX_RANK];
    for axis in axes {
        if std::mem::replace(&mut is_new[axis_of(axis, rank)?], true) {
            return Err(format!("dimension {axis} is asked for twice"));
        }
    }
    let mut old = input.shape().iter();
    let sizes: Vec<usize> =
        (0..rank).map(|axis| if is_new[axis] { 1 } else { old.next().copied().unwrap_or(1) }).collect();
    input.reshaped(Shape::new(&sizes)?)
}

pub fn transpose(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let rank = input.shape().len();
    let order = match call.integers("perm")? {
        None => (0..rank).rev().collect(),
        Some(order) => order.iter().map(|&axis| axis_of(axis, rank)).collect::<Result<Vec<_>, _>>()?,
    };
    input.transposed(&order)
}

pub fn expand(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let shape = broadcast(input.shape(), &Shape::from_file(call.values(1)?)?)?;
    input.pick(shape, input.shape().walk_as(&shape))
}

pub fn tile(call: &Call<'_>) -> Result<Tensor, String> {
    let (input, repeats) = (call.input(0)?, call.values::<i64>(1)?);
    if repeats.len() != input.shape().len() {
        return Err(format!("{repeats:?} does not say how often {} is repeated", input.shape()));
    }
    let mut tiled = input.clone();
    for (axis, &times) in repeats.iter().enumerate() {
        let times = usize::try_from(times).map_err(|_| format!("it is repeated {times} times"))?;
        let (before, size, behind) = tiled.shape().around(axis);
        let (block, shape) = (size * behind, tiled.shape().with(axis, size.saturating_mul(times))?);
        call.budget.work(shape.elements())?;
        let places = (0..before).flat_map(|outer| {
            (0..times).flat_map(move |_| (0..block).map(move |inner| outer * block + inner))
        });
        tiled = tiled.pick(shape, places.take(shape.elements()))?;
    }
    Ok(tiled)
}

pub fn concat(call: &Call<'_>) -> Result<Tensor, String> {
    let first = call.input(0)?;
    let axis = first.shape().axis(call.integer("axis", 1)?)?;
    let mut whole = first.clone();
    for place in 1..call.inputs.len() {
        whole = beside(&whole, call.input(place)?, axis)?;
        call.budget.work(whole.shape().elements())?;
    }
    Ok(whole)
}

/// Two tensors side by side along a dimension.
fn beside(one: &Tensor, other: &Tensor, axis: usize) -> Result<Tensor, String> {
    use super::tensor::Data;
    let wrong = || format!("{} and {} do not go side by side", one.shape(), other.shape());
    let is_along = other.shape().len() == one.shape().len()
        && other.shape().with(axis, one.shape()[axis])? == *one.shape();
    if !is_along {
        return Err(wrong());
    }
    let shape = one.shape().with(axis, one.shape()[axis] + other.shape()[axis])?;
    let ((before, size, behind), (_, more, _)) = (one.shape().around(axis), other.shape().around(axis));
    let lengths = (size * behind, more * behind);
    let data = match (one.data(), other.data()) {
        (Data::Floats(one), Data::Floats(other)) => Data::Floats(alternate(one, other, before, lengths)),
        (Data::Integers(one), Data::Integers(other)) => {
            Data::Integers(alternate(one, other, before, lengths))
        }
        (Data::Bools(one), Data::Bools(other)) => Data::Bools(alternate(one, other, before, lengths)),
        (one, other) => return Err(format!("{} and {} do not go side by side", one.name(), other.name())),
    };
    Tensor::new(shape, data)
}

/// `times` a block of the one and a block of the other.
fn alternate<T: Copy>(one: &[T], other: &[T], times: usize, lengths: (usize, usize)) -> Vec<T> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    for block in 0..times {
        all.extend_from_slice(&one[block * lengths.0..][..lengths.0]);
        all.extend_from_slice(&other[block * lengths.1..][..lengths.1]);
    }
    all
}

pub fn split(call: &Call<'_>) -> Result<Vec<Tensor>, String> {
    let input = call.input(0)?;
    let axis = input.shape().axis(call.integer("axis", 0)?)?;
    let size = input.shape()[axis];
    let sizes = match call.settings(1, "split")? {
        Some(sizes) => sizes
            .iter()
            .map(|&size| usize::try_from(size).map_err(|_| format!("a part has the size {size}")))
            .collect::<Result<Vec<_>, _>>()?,
        None => {
            let share = size.div_ceil(call.outputs.max(1));
            (0..call.outputs).map(|part| share.min(size.saturating_sub(part * share))).collect()
        }
    };
    let sum = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size));
    if sum != Some(size) || sizes.len() != call.outputs {
        return Err(format!("parts of {sizes:?} are not {} of {size}", call.outputs));
    }
    let (strides, mut begin) = (input.shape().strides(), 0);
    let part = |&part: &usize| {
        let shape = input.shape().with(axis, part)?;
        let places = Walk::new(shape, strides, begin as isize * strides[axis]);
        begin += part;
        input.pick(shape, places)
    };
    sizes.iter().map(part).collect()
}

/// Up to opset 9 the bounds are attributes, since then inputs.
pub fn slice(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let starts = call.settings(1, "starts")?.ok_or("it has no starts")?;
    let ends = call.settings(2, "ends")?.ok_or("it has no ends")?;
    let axes = call.settings(3, "axes")?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = call.settings(4, "steps")?.unwrap_or_else(|| vec![1; starts.len()]);
    if [&ends, &axes, &steps].iter().any(|list| list.len() != starts.len()) {
        return Err("its starts, ends, axes and steps are not equally many".into());
    }
    let (mut shape, mut strides, mut at) = (*input.shape(), input.shape().strides(), 0);
    let mut is_cut = [false; MAX_RANK];
    for (((&start, &end), &axis), &step) in starts.iter().zip(&ends).zip(&axes).zip(&steps) {
        let axis = input.shape().axis(axis)?;
        if std::mem::replace(&mut is_cut[axis], true) {
            return Err(format!("dimension {axis} is cut twice"));
        }
        let (begin, step, size) = cut(input.shape()[axis] as i64, start, end, step)?;
        shape = shape.with(axis, size as usize)?;
        at += begin as isize * strides[axis];
        strides[axis] *= step as isize;
    }
    input.pick(shape, Walk::new(shape, strides, at))
}

/// The first place, the step and the number of places of a cut through `size` places.
fn cut(size: i64, start: i64, end: i64, step: i64) -> Result<(i64, i64, i64), String> {
    if step == 0 {
        return Err("it goes by steps of 0".into());
    }
    // Longer steps than the largest dimension reach nothing else.
    let step = step.clamp(-(MAX_ELEMENTS as i64), MAX_ELEMENTS as i64);
    let counted = |place: i64| if place < 0 { place.saturating_add(size) } else { place };
    let (start, end) = (counted(start), counted(end));
    let (start, distance) = if step > 0 {
        let start = start.clamp(0, size);
        (start, end.clamp(0, size) - start)
    } else {
        let start = start.clamp(-1, size - 1);
        (start, start - end.clamp(-1, size - 1))
    };
    let count = distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
    Ok((start.max(0), step, count as i64))
}

pub fn gather(call: &Call<'_>) -> Result<Tensor, String> {
    let (input, wanted) = (call.input(0)?, call.values::<i64>(1)?);
    let axis = input.shape().axis(call.integer("axis", 0)?)?;
    let (before, size, behind) = input.shape().around(axis);
    let places: Result<Vec<usize>, String> = wanted
        .iter()
        .map(|&place| axis_of(place, size).map_err(|_| format!("place {place} is asked for, of {size}")))
        .collect();
    let places = places?;
    let own = input.shape();
    let sizes = [&own[..axis], call.input(1)?.shape(), &own[axis + 1..]].concat();
    let shape = Shape::new(&sizes)?;
    let all = (0..before).flat_map(|outer| {
        places
            .iter()
            .flat_map(move |place| (0..behind).map(move |inner| (outer * size + place) * behind + inner))
    });
    input.pick(shape, all)
}
