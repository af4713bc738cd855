//! Operators of one tensor that treat every element alike.
//!
//! The functions are libm's, so every processor gives the same bits.

use super::call::Call;
use super::tensor::{Data, Element, Tensor};

/// A function of each element.
///
/// # Errors
/// When the elements are of another type.
pub fn map<T: Element, R: Element>(call: &Call<'_>, function: impl Fn(T) -> R) -> Result<Tensor, String> {
    let values = call.values::<T>(0)?;
    Tensor::of(*call.input(0)?.shape(), values.iter().map(|&value| function(value)).collect())
}

/// A function of each number, for both types of numbers.
///
/// # Errors
/// When the elements are no numbers.
pub fn numbers(
    call: &Call<'_>,
    floats: impl Fn(f32) -> f32,
    integers: impl Fn(i64) -> i64,
) -> Result<Tensor, String> {
    match call.input(0)?.data() {
        Data::Integers(_) => map(call, integers),
        _ => map(call, floats),
    }
}

/// A function with one parameter, an attribute of the node.
pub fn map_with(
    call: &Call<'_>,
    (name, default): (&str, f32),
    function: impl Fn(f32, f32) -> f32,
) -> Result<Tensor, String> {
    let parameter = call.float(name, default)?;
    map(call, |x| function(x, parameter))
}

/// A function with two parameters, attributes of the node.
pub fn map_with_two(
    call: &Call<'_>,
    (first, default): (&str, f32),
    (second, other_default): (&str, f32),
    function: impl Fn(f32, f32, f32) -> f32,
) -> Result<Tensor, String> {
    let parameters = (call.float(first, default)?, call.float(second, other_default)?);
    map(call, |x| function(x, parameters.0, parameters.1))
}

/// -1, 0 or 1; what is not a number stays so.
pub fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

/// Nothing below zero; what is not a number stays so.
pub fn relu(x: f32) -> f32 {
    if x < 0.0 { 0.0 } else { x }
}

/// Held to a range; what is not a number stays so, and the upper bound wins.
pub fn hold<T: PartialOrd>(x: T, low: Option<T>, high: Option<T>) -> T {
    let x = match low {
        Some(low) if x < low => low,
        _ => x,
    };
    match high {
        Some(high) if x > high => high,
        _ => x,
    }
}

pub fn elu(x: f32, alpha: f32) -> f32 {
    if x < 0.0 { alpha * libm::expm1f(x) } else { x }
}

pub fn celu(x: f32, alpha: f32) -> f32 {
    if x < 0.0 { alpha * libm::expm1f(x / alpha) } else { x }
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// log(1 + exp(x)), in a form that does not overflow.
pub fn softplus(x: f32) -> f32 {
    relu(x) + libm::log1pf(libm::expf(-x.abs()))
}

pub fn mish(x: f32) -> f32 {
    x * libm::tanhf(softplus(x))
}

pub fn hard_sigmoid(x: f32, alpha: f32, beta: f32) -> f32 {
    hold(alpha * x + beta, Some(0.0), Some(1.0))
}

/// By the error function, or by the approximation that the node asks for.
pub fn gelu(call: &Call<'_>) -> Result<Tensor, String> {
    use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};
    match call.text("approximate", "none")? {
        "none" => map(call, |x: f32| 0.5 * x * (1.0 + libm::erff(x / SQRT_2))),
        "tanh" => map(call, |x: f32| {
            let inner = FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * (x + 0.044_715 * x * x * x);
            0.5 * x * (1.0 + libm::tanhf(inner))
        }),
        other => Err(format!("its attribute approximate is \"{other}\", not none or tanh")),
    }
}

/// Bounds are inputs, or attributes in older files.
pub fn clip(call: &Call<'_>) -> Result<Tensor, String> {
    fn bound<T: Element>(call: &Call<'_>, place: usize) -> Result<Option<T>, String> {
        call.given(place).map(Tensor::one).transpose()
    }
    if let Data::Integers(_) = call.input(0)?.data() {
        let (low, high) = (bound(call, 1)?, bound(call, 2)?);
        return map(call, |x: i64| hold(x, low, high));
    }
    let (low, high) = match call.inputs.len() {
        1 => (call.float("min", f32::MIN)?, call.float("max", f32::MAX)?),
        _ => (bound(call, 1)?.unwrap_or(f32::NEG_INFINITY), bound(call, 2)?.unwrap_or(f32::INFINITY)),
    };
    map(call, |x: f32| hold(x, Some(low), Some(high)))
}

/// Drops nothing: a policy that plays does not learn.
pub fn dropout(call: &Call<'_>) -> Result<Tensor, String> {
    if call.given(2).map(Tensor::one).transpose()? == Some(true) {
        return Err("it drops numbers at random (training_mode): export the policy for inference".into());
    }
    call.input(0).cloned()
}
