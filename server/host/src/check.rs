//! Whether what an instance says and gives makes sense.

use crate::call::{MAX_OUTPUT_BYTES, bad};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{MAX_DIMENSIONS, MAX_MOTION_DATA, MotionDescription, MotionOutput};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::Fault;

/// The most integers that a sensor may have.
const MAX_COUNTS: usize = MAX_OUTPUT_BYTES / size_of::<u32>();

/// A motion model's description.
pub fn motion(description: &MotionDescription) -> Result<(), String> {
    let (dimensions, data) = (description.dimensions.len(), description.data.len());
    if dimensions > MAX_DIMENSIONS {
        return Err(format!(
            "it takes commands of {dimensions} numbers; at most {MAX_DIMENSIONS} are allowed"
        ));
    }
    if data > MAX_MOTION_DATA {
        return Err(format!("it publishes {data} numbers; at most {MAX_MOTION_DATA} are allowed"));
    }
    for dimension in &description.dimensions {
        let (min, max) = (dimension.min, dimension.max);
        // Written so that NaN fails.
        if !(min.is_finite() && max.is_finite() && min <= max) {
            return Err(format!("the range of command \"{}\" is {min} to {max}", dimension.name));
        }
    }
    Ok(())
}

/// A sensor's layout; gives its length.
pub fn layout(layout: &Layout) -> Result<usize, String> {
    let mut counts = 0_usize;
    for feature in &layout.features {
        for field in &feature.fields {
            let name = || format!("{}.{}", feature.name, field.name);
            if !(field.scale.is_finite() && field.scale > 0.0) {
                return Err(format!("the scale of {} is {}; it must be above 0", name(), field.scale));
            }
            let len = field.shape.iter().try_fold(1_usize, |len, &n| len.checked_mul(n as usize));
            let sum = len.and_then(|len| counts.checked_add(len)).filter(|&sum| sum <= MAX_COUNTS);
            counts = sum.ok_or_else(|| format!("with {} it has more than {MAX_COUNTS} integers", name()))?;
        }
    }
    Ok(counts)
}

/// The sensors that a player wants, of so many.
pub fn wanted(wanted: &[usize], sensors: usize) -> Result<(), String> {
    if let Some(index) = wanted.iter().find(|&&index| index >= sensors) {
        return Err(format!("it wants sensor {index}; the robot has {sensors}"));
    }
    if wanted.is_sorted_by(|a, b| a < b) {
        Ok(())
    } else {
        Err("the sensors that it wants are not in order".into())
    }
}

/// A motion model's output; what is behind the described data becomes 0.
#[inline]
pub fn motion_output(output: &mut MotionOutput, data: usize) -> Result<(), Fault> {
    let (described, rest) = output.data.split_at_mut(data.min(MAX_MOTION_DATA));
    rest.fill(0.0);
    if !output.displacement.is_finite() {
        return Err(bad(format!("its displacement is not finite: {:?}", output.displacement)));
    }
    if !output.twist.is_finite() {
        return Err(bad(format!("its velocity is not finite: {:?}", output.twist)));
    }
    match described.iter().position(|datum| !datum.is_finite()) {
        None => Ok(()),
        Some(index) => Err(bad(format!("its motion datum {index} is not finite: {}", described[index]))),
    }
}

/// Orders of one call.
pub fn orders(orders: &Orders) -> Result<(), Fault> {
    for (position, record) in orders.records.iter().enumerate() {
        if let Some(value) = record.values.iter().find(|value| !value.is_finite()) {
            return Err(bad(format!("order {position} (code {}) has the number {value}", record.code)));
        }
    }
    orders.iter().try_for_each(|order| order.map(|_| ()).map_err(|error| bad(error.to_string())))
}
