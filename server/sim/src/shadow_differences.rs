//! Two decisions side by side, in words: what a player decided, and what its shadow would have.

use crate::decision::{Decision, Placing};
use crate::shadow::Comparison;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;

/// Something in which two decisions differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differing {
    /// A dimension of the command, such as `forward`; or `manipulators`, `sensors`, `messages`, `placings`, `end`, `fault`, `annotation KEY`.
    pub field: String,
    /// Value in the recording.
    pub recorded: String,
    /// Value that the shadow player gives.
    pub new: String,
    /// How far apart they are, for a number of the command, in its unit.
    pub by: Option<f64>,
    /// Whether it is what a robot thinks, not what it does.
    pub is_thought: bool,
}

/// In which fields two decisions differ: those that a robot does first. -0 and 0 are the same number.
pub fn differences(comparison: &Comparison) -> Vec<Differing> {
    let (old, new) = (&comparison.driver, &comparison.shadow);
    let mut found = Vec::new();
    let mut differs = |field: &str, recorded: String, new: String| {
        if recorded != new {
            found.push(Differing { field: field.into(), recorded, new, by: None, is_thought: false });
        }
    };
    // Two that fail do the same, whatever they say.
    if old.fault.is_some() != new.fault.is_some() {
        let fault = |decision: &Decision| decision.fault.as_deref().unwrap_or("none").to_owned();
        differs("fault", fault(old), fault(new));
    }
    if !comparison.driven_by_client {
        differs("manipulators", manipulations(comparison, old), manipulations(comparison, new));
        differs("sensors", sensor_settings(comparison, old), sensor_settings(comparison, new));
        differs("messages", messages(old), messages(new));
        differs("placings", placings(old), placings(new));
        let end = |decision: &Decision| if decision.ends { "ends" } else { "goes on" }.to_owned();
        differs("end", end(old), end(new));
    }
    let dimensions = &comparison.robot.description.motion.dimensions;
    let numbers = old.command.iter().zip(&new.command).zip(dimensions);
    let commands = numbers.filter(|((old, new), _)| old != new).map(|((old, new), dimension)| Differing {
        field: dimension.name.clone(),
        recorded: old.to_string(),
        new: new.to_string(),
        by: Some((new - old).abs()),
        is_thought: false,
    });
    let mut all: Vec<Differing> = commands.collect();
    all.append(&mut found);
    // What one thinks changes seldom, and is shared until it does.
    if !comparison.driven_by_client && !Arc::ptr_eq(&old.annotations, &new.annotations) {
        let text = |value: Option<&String>| value.map_or("none", String::as_str).to_owned();
        let keys = || {
            old.annotations
                .keys()
                .chain(new.annotations.keys().filter(|key| !old.annotations.contains_key(*key)))
        };
        for key in keys() {
            let (recorded, new) = (old.annotations.get(key), new.annotations.get(key));
            if recorded != new {
                let (recorded, new) = (text(recorded), text(new));
                all.push(Differing {
                    field: format!("annotation {key}"),
                    recorded,
                    new,
                    by: None,
                    is_thought: true,
                });
            }
        }
    }
    all
}

/// Manipulators as people read them, such as `kicker.kick 1`.
pub fn manipulations(comparison: &Comparison, decision: &Decision) -> String {
    let all = &comparison.robot.description.manipulators;
    let text = decision.manipulations.iter().map(|manipulation| {
        let manipulator = all.get(manipulation.manipulator as usize);
        let name = manipulator.map_or("?", |manipulator| manipulator.name.as_str());
        let state = manipulator.and_then(|manipulator| manipulator.states.get(manipulation.state as usize));
        let Aim { strength, direction_rad, elevation_rad } = manipulation.aim;
        let mut text = format!("{name}.{} {strength}", state.map_or("?", String::as_str));
        for (name, angle_rad) in [("direction", direction_rad), ("elevation", elevation_rad)] {
            if let Some(angle_rad) = angle_rad {
                text += &format!(" {name} {angle_rad}");
            }
        }
        text
    });
    list(text.collect())
}

/// Numbers of sensors that are set, as people read them, such as `camera.view-width 0.5`.
fn sensor_settings(comparison: &Comparison, decision: &Decision) -> String {
    let all = &comparison.robot.description.sensors.sensors;
    let text = decision.sensor_settings.iter().map(|setting| {
        let sensor = all.get(setting.sensor as usize);
        let datum = sensor.and_then(|sensor| sensor.data.get(setting.datum as usize));
        let name = sensor.map_or("?", |sensor| sensor.id.as_str());
        format!("{name}.{} {}", datum.map_or("?", |datum| datum.name.as_str()), setting.value)
    });
    list(text.collect())
}

/// Messages as people read them.
pub fn messages(decision: &Decision) -> String {
    list(decision.messages.iter().map(|message| format!("{message:?}")).collect())
}

fn placings(decision: &Decision) -> String {
    let text = |placing: &Placing| {
        let mut text = placing.object.clone();
        for number in &placing.numbers {
            // Writing into a text cannot fail.
            let _ = write!(text, " {number}");
        }
        text
    };
    list(decision.placings.iter().map(text).collect())
}

fn list(parts: Vec<String>) -> String {
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}
