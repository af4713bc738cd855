//! Operators of several tensors that treat elements at the same place alike; smaller tensors are repeated.

use super::call::Call;
use super::shape::broadcast;
use super::tensor::{Data, Element, Tensor};

/// A function of the elements of two tensors.
fn zip<A: Element, B: Element, R: Element>(
    (one, other): (&Tensor, &Tensor),
    function: impl Fn(A, B) -> R,
) -> Result<Tensor, String> {
    let (a, b) = (one.values::<A>()?, other.values::<B>()?);
    let shape = broadcast(one.shape(), other.shape())?;
    let count = shape.elements();
    let values = match (a, b) {
        (a, b) if a.len() == count && b.len() == count => {
            a.iter().zip(b).map(|(&a, &b)| function(a, b)).collect()
        }
        (a, &[b]) if a.len() == count => a.iter().map(|&a| function(a, b)).collect(),
        (&[a], b) if b.len() == count => b.iter().map(|&b| function(a, b)).collect(),
        _ => {
            let places = one.shape().walk_as(&shape).zip(other.shape().walk_as(&shape));
            places.map(|(one, other)| function(a[one], b[other])).collect()
        }
    };
    Tensor::of(shape, values)
}

fn both<'a>(call: &Call<'a>) -> Result<(&'a Tensor, &'a Tensor), String> {
    Ok((call.input(0)?, call.input(1)?))
}

fn do_not_fit(one: &Tensor, other: &Tensor) -> String {
    format!("it does not take {} and {} together", one.data().name(), other.data().name())
}

/// Calculates with numbers of one type.
pub fn arithmetic(
    call: &Call<'_>,
    floats: impl Fn(f32, f32) -> f32,
    integers: impl Fn(i64, i64) -> i64,
) -> Result<Tensor, String> {
    combine(both(call)?, floats, integers)
}

fn combine(
    (one, other): (&Tensor, &Tensor),
    floats: impl Fn(f32, f32) -> f32,
    integers: impl Fn(i64, i64) -> i64,
) -> Result<Tensor, String> {
    match (one.data(), other.data()) {
        (Data::Floats(_), Data::Floats(_)) => zip((one, other), floats),
        (Data::Integers(_), Data::Integers(_)) => zip((one, other), integers),
        _ => Err(do_not_fit(one, other)),
    }
}

/// Whole numbers are cut towards zero.
pub fn divide(call: &Call<'_>) -> Result<Tensor, String> {
    if let Data::Integers(divisors) = call.input(1)?.data()
        && divisors.contains(&0)
    {
        return Err("it divides a whole number by zero".into());
    }
    arithmetic(call, |a, b| a / b, i64::wrapping_div)
}

/// The result is of the base's type.
pub fn power(call: &Call<'_>) -> Result<Tensor, String> {
    let pair @ (base, exponent) = both(call)?;
    match (base.data(), exponent.data()) {
        (Data::Floats(_), Data::Floats(_)) => zip(pair, libm::powf),
        (Data::Floats(_), Data::Integers(_)) => zip(pair, |a: f32, b: i64| libm::powf(a, b as f32)),
        (Data::Integers(_), Data::Floats(_)) => {
            zip(pair, |a: i64, b: f32| libm::pow(a as f64, b.into()) as i64)
        }
        (Data::Integers(_), Data::Integers(exponents)) => {
            if exponents.iter().any(|&exponent| u32::try_from(exponent).is_err()) {
                return Err("a power of whole numbers needs an exponent from 0 to 4294967295".into());
            }
            zip(pair, |a: i64, b: i64| a.wrapping_pow(b as u32))
        }
        _ => Err(do_not_fit(base, exponent)),
    }
}

/// Compares numbers of one type.
pub fn compare(
    call: &Call<'_>,
    floats: impl Fn(f32, f32) -> bool,
    integers: impl Fn(i64, i64) -> bool,
) -> Result<Tensor, String> {
    let (one, other) = both(call)?;
    match (one.data(), other.data()) {
        (Data::Floats(_), Data::Floats(_)) => zip((one, other), floats),
        (Data::Integers(_), Data::Integers(_)) => zip((one, other), integers),
        _ => Err(do_not_fit(one, other)),
    }
}

pub fn equal(call: &Call<'_>) -> Result<Tensor, String> {
    match call.input(0)?.data() {
        Data::Bools(_) => logic(call, |a, b| a == b),
        _ => compare(call, |a, b| a == b, |a, b| a == b),
    }
}

pub fn logic(call: &Call<'_>, function: impl Fn(bool, bool) -> bool) -> Result<Tensor, String> {
    zip(both(call)?, function)
}

/// All inputs, one after the other from the first on.
pub fn fold(
    call: &Call<'_>,
    floats: impl Fn(f32, f32) -> f32,
    integers: impl Fn(i64, i64) -> i64,
) -> Result<Tensor, String> {
    let mut result = call.input(0)?.clone();
    for place in 1..call.inputs.len() {
        result = combine((&result, call.input(place)?), &floats, &integers)?;
        call.budget.work(result.shape().elements())?;
    }
    Ok(result)
}

/// The smaller one; what is not a number wins.
pub fn smaller(a: f32, b: f32) -> f32 {
    if a < b || a.is_nan() { a } else { b }
}

/// The larger one; what is not a number wins.
pub fn larger(a: f32, b: f32) -> f32 {
    if a > b || a.is_nan() { a } else { b }
}

pub fn mean(call: &Call<'_>) -> Result<Tensor, String> {
    let sum = fold(call, |a, b| a + b, i64::wrapping_add)?;
    let count = call.inputs.len() as f32;
    Tensor::of(*sum.shape(), sum.values::<f32>()?.iter().map(|sum| sum / count).collect())
}

/// Elements of the second input where the first is true, of the third elsewhere.
pub fn choose(call: &Call<'_>) -> Result<Tensor, String> {
    let (conditions, yes, no) = (call.values::<bool>(0)?, call.input(1)?, call.input(2)?);
    let condition = call.input(0)?.shape();
    let shape = broadcast(condition, &broadcast(yes.shape(), no.shape())?)?;
    let (yes_places, no_places) = (yes.shape().walk_as(&shape), no.shape().walk_as(&shape));
    let places = condition.walk_as(&shape).zip(yes_places.zip(no_places));
    fn chosen<T: Element>(
        conditions: &[bool],
        (yes, no): (&[T], &[T]),
        places: impl Iterator<Item = (usize, (usize, usize))>,
    ) -> Data {
        T::data(places.map(|(at, (y, n))| if conditions[at] { yes[y] } else { no[n] }).collect())
    }
    let data = match (yes.data(), no.data()) {
        (Data::Floats(yes), Data::Floats(no)) => chosen(conditions, (yes, no), places),
        (Data::Integers(yes), Data::Integers(no)) => chosen(conditions, (yes, no), places),
        (Data::Bools(yes), Data::Bools(no)) => chosen(conditions, (yes, no), places),
        _ => return Err(do_not_fit(yes, no)),
    };
    Tensor::new(shape, data)
}
