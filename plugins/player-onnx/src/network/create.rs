//! Operators that make tensors of shapes, constants and other types.

use super::call::{Attribute, Call};
use super::shape::Shape;
use super::tensor::{Data, Tensor};
use super::weights::{kind, unknown};

/// Whether an operator takes a tensor as this attribute: those of [`constant`] and [`constant_of_shape`].
pub fn takes_tensor(operator: &str, attribute: &str) -> bool {
    matches!(operator, "Constant" | "ConstantOfShape") && attribute == "value"
}

pub fn constant(call: &Call<'_>) -> Result<Tensor, String> {
    match call.attributes {
        [(_, Attribute::Tensor(value))] => Ok(value.clone()),
        &[(_, Attribute::Float(value))] => Ok(Tensor::scalar(value)),
        &[(_, Attribute::Integer(value))] => Ok(Tensor::scalar(value)),
        [(_, Attribute::Floats(values))] => Tensor::row(values.clone()),
        [(_, Attribute::Integers(values))] => Tensor::row(values.clone()),
        _ => Err("it has no value that is a number".into()),
    }
}

pub fn constant_of_shape(call: &Call<'_>) -> Result<Tensor, String> {
    let shape = Shape::from_file(call.values(0)?)?;
    let zero = Tensor::scalar(0.0f32);
    let value = match call.attribute("value") {
        None => &zero,
        Some(Attribute::Tensor(value)) if value.shape().elements() == 1 => value,
        Some(_) => return Err("its attribute value is not one number".into()),
    };
    value.pick(shape, std::iter::repeat_n(0, shape.elements()))
}

pub fn shape(call: &Call<'_>) -> Result<Tensor, String> {
    let sizes = call.input(0)?.shape();
    let rank = sizes.len() as i64;
    let place = |counted: i64| {
        let counted = if counted < 0 { counted.saturating_add(rank) } else { counted };
        counted.clamp(0, rank) as usize
    };
    let (start, end) = (place(call.integer("start", 0)?), place(call.integer("end", rank)?));
    Tensor::row(sizes[start..end.max(start)].iter().map(|&size| size as i64).collect())
}

pub fn cast(call: &Call<'_>) -> Result<Tensor, String> {
    let input = call.input(0)?;
    let data = match call.integer("to", 0)? {
        kind::FLOAT32 | kind::FLOAT64 | kind::FLOAT16 => Data::Floats(match input.data() {
            Data::Floats(values) => values.clone(),
            Data::Integers(values) => values.iter().map(|&value| value as f32).collect(),
            Data::Bools(values) => values.iter().map(|&value| f32::from(value)).collect(),
        }),
        kind::BOOL => Data::Bools(match input.data() {
            Data::Floats(values) => values.iter().map(|&value| value != 0.0).collect(),
            Data::Integers(values) => values.iter().map(|&value| value != 0).collect(),
            Data::Bools(values) => values.clone(),
        }),
        to => {
            let narrow = narrowing(to)?;
            Data::Integers(match input.data() {
                Data::Floats(values) => values.iter().map(|&value| narrow(value as i64)).collect(),
                Data::Integers(values) => values.iter().map(|&value| narrow(value)).collect(),
                Data::Bools(values) => values.iter().map(|&value| i64::from(value)).collect(),
            })
        }
    };
    Tensor::new(*input.shape(), data)
}

/// What is left of a number in a narrower type.
fn narrowing(to: i64) -> Result<fn(i64) -> i64, String> {
    Ok(match to {
        kind::INT64 => |value| value,
        kind::INT32 => |value| i64::from(value as i32),
        kind::INT16 => |value| i64::from(value as i16),
        kind::INT8 => |value| i64::from(value as i8),
        kind::UINT32 => |value| i64::from(value as u32),
        kind::UINT16 => |value| i64::from(value as u16),
        kind::UINT8 => |value| i64::from(value as u8),
        other => return Err(unknown(other)),
    })
}

/// A new dimension with one value at the place that the index says, and another elsewhere.
pub fn one_hot(call: &Call<'_>) -> Result<Tensor, String> {
    let (indices, values) = (call.input(0)?, call.input(2)?);
    let depth = match call.input(1)?.data() {
        Data::Floats(_) => call.input(1)?.values::<f32>()?.first().map(|&depth| depth as i64),
        _ => call.values::<i64>(1)?.first().copied(),
    };
    let depth = depth.and_then(|depth| usize::try_from(depth).ok()).ok_or("it has no depth")?;
    let numbers: Vec<i64> = match indices.data() {
        Data::Floats(values) => values.iter().map(|&value| value as i64).collect(),
        _ => call.values::<i64>(0)?.to_vec(),
    };
    let rank = indices.shape().len();
    let axis = super::shape::axis_of(call.integer("axis", -1)?, rank + 1)?;
    let (fronts, rest) = indices.shape().split_at(axis);
    let shape = Shape::new(&[fronts, &[depth], rest].concat())?;
    let behind: usize = rest.iter().product();
    let place = |element: usize| {
        let (outer, inner) = (element / (depth * behind).max(1), element % behind.max(1));
        let wanted = numbers[outer * behind + inner];
        let wanted = if wanted < 0 { wanted.saturating_add(depth as i64) } else { wanted };
        usize::from(wanted == (element / behind.max(1) % depth.max(1)) as i64)
    };
    values.pick(shape, (0..shape.elements()).map(place))
}
