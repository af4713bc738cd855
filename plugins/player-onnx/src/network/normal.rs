//! Operators that scale numbers by what lies beside them: softmax and the normalisations.

use super::call::Call;
use super::pairs::larger;
use super::shape::broadcast;
use super::tensor::Tensor;

/// Which elements a softmax adds up.
#[derive(Clone, Copy)]
pub enum Span {
    /// Those along one dimension: since opset 13.
    Axis,
    /// All from one dimension on: up to opset 12.
    Rest,
}

/// Shares that add up to 1, by the exponentials.
pub fn softmax(call: &Call<'_>, span: Span) -> Result<Tensor, String> {
    by_exponentials(call, span, |numbers| {
        numbers.iter_mut().for_each(|x| *x = libm::expf(*x));
        let sum: f32 = numbers.iter().sum();
        numbers.iter_mut().for_each(|x| *x /= sum);
    })
}

/// The logarithms of what [`softmax`] gives.
pub fn log_softmax(call: &Call<'_>, span: Span) -> Result<Tensor, String> {
    by_exponentials(call, span, |numbers| {
        let sum: f32 = numbers.iter().map(|&x| libm::expf(x)).sum();
        let log = libm::logf(sum);
        numbers.iter_mut().for_each(|x| *x -= log);
    })
}

/// Each span, less its greatest number so that no exponential overflows, goes through `function`.
fn by_exponentials(call: &Call<'_>, span: Span, function: impl Fn(&mut [f32])) -> Result<Tensor, String> {
    let shape = call.input(0)?.shape();
    let (before, size, behind) = match span {
        Span::Axis => shape.around(shape.axis(call.integer("axis", -1)?)?),
        Span::Rest => {
            let border = shape.border(call.integer("axis", 1)?)?;
            (shape[..border].iter().product(), shape[border..].iter().product(), 1)
        }
    };
    let mut values = call.values::<f32>(0)?.to_vec();
    let mut numbers = vec![0.0; size];
    for (outer, inner) in (0..before).flat_map(|outer| (0..behind).map(move |inner| (outer, inner))) {
        let place = |number: usize| (outer * size + number) * behind + inner;
        for (number, x) in numbers.iter_mut().enumerate() {
            *x = values[place(number)];
        }
        let greatest = numbers.iter().copied().fold(f32::NEG_INFINITY, larger);
        numbers.iter_mut().for_each(|x| *x -= greatest);
        function(&mut numbers);
        for (number, &x) in numbers.iter().enumerate() {
            values[place(number)] = x;
        }
    }
    Tensor::of(*shape, values)
}

/// Mean 0 and variance 1 over all from one dimension on, then a scale and a bias.
pub fn layer(call: &Call<'_>) -> Result<Tensor, String> {
    let shape = call.input(0)?.shape();
    let axis = shape.axis(call.integer("axis", -1)?)?;
    let size: usize = shape[axis..].iter().product();
    let epsilon = call.float("epsilon", 1e-5)?;
    let mut values = call.values::<f32>(0)?.to_vec();
    for numbers in values.chunks_exact_mut(size.max(1)) {
        let mean = numbers.iter().sum::<f32>() / size as f32;
        numbers.iter_mut().for_each(|x| *x -= mean);
        let variance = numbers.iter().map(|x| *x * *x).sum::<f32>() / size as f32;
        let deviation = (variance + epsilon).sqrt();
        numbers.iter_mut().for_each(|x| *x /= deviation);
    }
    for (place, function) in [(1, (|x, scale| x * scale) as fn(f32, f32) -> f32), (2, |x, bias| x + bias)] {
        let Some(tensor) = call.given(place) else { continue };
        if broadcast(tensor.shape(), shape)? != *shape {
            return Err(format!("input number {place} has the shape {}, which does not fit", tensor.shape()));
        }
        let parameters = call.values::<f32>(place)?;
        for (value, at) in values.iter_mut().zip(tensor.shape().walk_as(shape)) {
            *value = function(*value, parameters[at]);
        }
    }
    Tensor::of(*shape, values)
}

/// By means and variances that were learned, one of each for every place along the second dimension.
pub fn batch(call: &Call<'_>) -> Result<Tensor, String> {
    if call.integer("training_mode", 0)? != 0 {
        return Err("it learns (training_mode): export the policy for inference".into());
    }
    let shape = call.input(0)?.shape();
    let (_, channels, behind) = match shape.len() {
        0 | 1 => return Err(format!("the shape {shape} has no second dimension")),
        _ => shape.around(1),
    };
    let mut parameters = [&[][..]; 4];
    for (place, parameters) in (1..).zip(&mut parameters) {
        *parameters = call.values::<f32>(place)?;
        if parameters.len() != channels {
            return Err(format!("input number {place} has {} numbers, not {channels}", parameters.len()));
        }
    }
    let [scale, bias, mean, variance] = parameters;
    let epsilon = call.float("epsilon", 1e-5)?;
    let mut values = call.values::<f32>(0)?.to_vec();
    for (block, numbers) in values.chunks_exact_mut(behind.max(1)).enumerate() {
        let channel = block % channels.max(1);
        let deviation = (variance[channel] + epsilon).sqrt();
        let (scale, bias, mean) = (scale[channel], bias[channel], mean[channel]);
        numbers.iter_mut().for_each(|x| *x = scale * ((*x - mean) / deviation) + bias);
    }
    Tensor::of(*shape, values)
}

/// `(x - offset) x scale`, one of each for every number of a row, or one for all: scikit-learn's scalers.
pub fn scaler(call: &Call<'_>) -> Result<Tensor, String> {
    let (input, values) = (call.input(0)?.shape(), call.input(0)?.data());
    let width = input.last().copied().unwrap_or(1);
    let parameter = |name: &str, default: f32| -> Result<Vec<f32>, String> {
        match call.floats(name)?.unwrap_or(&[]) {
            [] => Ok(vec![default; width]),
            &[all] => Ok(vec![all; width]),
            each if each.len() == width => Ok(each.to_vec()),
            each => Err(format!("its attribute {name} has {} numbers, not {width}", each.len())),
        }
    };
    let (offset, scale) = (parameter("offset", 0.0)?, parameter("scale", 1.0)?);
    let mut values = match values {
        super::tensor::Data::Integers(values) => values.iter().map(|&value| value as f32).collect(),
        _ => call.values::<f32>(0)?.to_vec(),
    };
    for row in values.chunks_exact_mut(width.max(1)) {
        for ((x, offset), scale) in row.iter_mut().zip(&offset).zip(&scale) {
            *x = (*x - offset) * scale;
        }
    }
    Tensor::of(*input, values)
}
