//! Whether what an instance says and gives makes sense.

use crate::call::MAX_OUTPUT_BYTES;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::layout::{Layout, is_name};
use touchline_plugin_api::motion::{MAX_DIMENSIONS, MAX_MOTION_DATA, MotionDescription};
use touchline_plugin_api::sensor::{MAX_SENSOR_DATA, SensorDatum};

/// The most integers that a sensor may have.
const MAX_COUNTS: usize = MAX_OUTPUT_BYTES / size_of::<u32>();

/// Checks a motion model's description against the limits of the interface.
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
///
/// In Rust an array may have no place, such as that of the goals in a world without teams. In C the first 0 ends a shape
/// (`from_c`), so that one before another extent is a mistake.
pub fn layout(layout: &Layout, from_c: bool) -> Result<usize, String> {
    if layout.features.is_empty() {
        return Err("it has no feature; a sensor gives at least one".into());
    }
    names("feature", layout.features.iter().map(|feature| feature.name.as_str()))?;
    let mut quantised = 0_usize;
    for feature in &layout.features {
        if feature.fields.is_empty() {
            return Err(format!("feature {} has no field", feature.name));
        }
        let what = format!("field of feature {}", feature.name);
        names(&what, feature.fields.iter().map(|field| field.name.as_str()))?;
        for field in &feature.fields {
            let name = || format!("{}.{}", feature.name, field.name);
            if !field.scale.is_finite() {
                return Err(infinite_scale(&name()));
            }
            if field.scale <= 0.0 {
                return Err(format!("the scale of {} is {}; it must be above 0", name(), field.scale));
            }
            if from_c && field.shape.contains(&0) {
                let shape = &field.shape;
                return Err(format!(
                    "the shape of {} is {shape:?}; an extent must be above 0 (a scalar has none)",
                    name()
                ));
            }
            let len = field.shape.iter().try_fold(1_usize, |len, &n| len.checked_mul(n as usize));
            let sum = len.and_then(|len| quantised.checked_add(len)).filter(|&sum| sum <= MAX_COUNTS);
            quantised =
                sum.ok_or_else(|| format!("with {} it has more than {MAX_COUNTS} integers", name()))?;
        }
    }
    Ok(quantised)
}

/// What can be set of a sensor.
pub fn sensor_data(data: &[SensorDatum]) -> Result<(), String> {
    if data.len() > MAX_SENSOR_DATA {
        return Err(format!(
            "{} of its numbers can be set; at most {MAX_SENSOR_DATA} are allowed",
            data.len()
        ));
    }
    names("number that can be set", data.iter().map(|datum| datum.name.as_str()))?;
    for SensorDatum { name, initial, min, max, .. } in data {
        // Written so that NaN fails.
        if !(min.is_finite() && max.is_finite() && min <= initial && initial <= max) {
            return Err(format!("the range of \"{name}\" is {min} to {max}, and it begins with {initial}"));
        }
    }
    Ok(())
}

/// Whether names can stand in commands and answers, each for one thing.
fn names<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut known = std::collections::BTreeSet::new();
    for name in names {
        if !is_name(name) {
            return Err(format!(
                "the name of a {what} is {name:?}; allowed are 1 to 64 ASCII characters but space, \" and \\"
            ));
        }
        if !known.insert(name) {
            return Err(format!("there is a second {what} with the name \"{name}\""));
        }
    }
    Ok(())
}

fn infinite_scale(field: &str) -> String {
    format!("the scale of {field} is not a finite number")
}

/// Why a sensor's description cannot be read, if it is a scale: JSON has no word for NaN and the infinities but `null`.
pub fn unreadable_layout(json: &[u8]) -> Option<String> {
    let said: serde_json::Value = serde_json::from_slice(json).ok()?;
    let features = said["layout"]["features"].as_array()?;
    features.iter().find_map(|feature| {
        let field = feature["fields"].as_array()?.iter().find(|field| field["scale"].is_null())?;
        let word = |name: &serde_json::Value| name.as_str().unwrap_or("?").to_owned();
        Some(infinite_scale(&format!("{}.{}", word(&feature["name"]), word(&field["name"]))))
    })
}

/// The words in which a referee speaks of the game.
pub fn game(description: &GameDescription) -> Result<(), String> {
    if description.phases.is_empty() {
        return Err("it declares no phase of the game; one is needed, such as \"play\"".into());
    }
    names("phase", description.phases.iter().map(String::as_str))?;
    names("restart", description.restarts.iter().map(String::as_str))?;
    names("value of the game", description.values.iter().map(|value| value.name.as_str()))?;
    names("motion datum of its robots", description.motion_data.iter().map(String::as_str))?;
    if description.motion_data.len() > MAX_MOTION_DATA {
        let named = description.motion_data.len();
        return Err(format!(
            "it names {named} motion data of its robots; a robot has at most {MAX_MOTION_DATA}"
        ));
    }
    match description.values.iter().find(|value| !value.initial.is_finite()) {
        Some(value) => Err(format!("the game's value \"{}\" begins with {}", value.name, value.initial)),
        None => Ok(()),
    }
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
