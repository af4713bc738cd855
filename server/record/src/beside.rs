//! What a player and its shadow decided, side by side: where they differ, since when, how often, by how much.

use crate::input::Moment;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;
use touchline_sim::{Comparison, Decision, World};

/// Something in which two decisions differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differing {
    /// A dimension of the command, such as `forward`; or `manipulators`, `messages`, `placings`, `end`, `fault`, `annotation KEY`.
    pub field: String,
    /// What was recorded.
    pub recorded: String,
    /// What the new player wants.
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

fn has_same_bits(comparison: &Comparison) -> bool {
    let bits = |decision: &Decision| -> Vec<u64> {
        let strengths = decision.manipulations.iter().map(|manipulation| manipulation.strength);
        let placed = decision.placings.iter().flat_map(|placing| placing.numbers.iter().copied());
        decision.command.iter().copied().chain(strengths).chain(placed).map(f64::to_bits).collect()
    };
    bits(&comparison.driver) == bits(&comparison.shadow)
}

/// Manipulators as people read them, such as `kicker.kick 1`.
pub fn manipulations(comparison: &Comparison, decision: &Decision) -> String {
    let all = &comparison.robot.description.manipulators;
    let text = decision.manipulations.iter().map(|manipulation| {
        let manipulator = all.get(manipulation.manipulator as usize);
        let name = manipulator.map_or("?", |manipulator| manipulator.name.as_str());
        let state = manipulator.and_then(|manipulator| manipulator.states.get(manipulation.state as usize));
        format!("{name}.{} {}", state.map_or("?", String::as_str), manipulation.strength)
    });
    list(text.collect())
}

/// Messages as people read them.
pub fn messages(decision: &Decision) -> String {
    list(decision.messages.iter().map(|message| format!("{message:?}")).collect())
}

fn placings(decision: &Decision) -> String {
    let text = |placing: &touchline_sim::Placing| {
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

/// How the shadow of one robot did over a whole recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Beside {
    /// The robot.
    pub robot: String,
    /// The plugin of the shadow.
    pub plugin: String,
    /// Whether clients drove it at some time: then nothing but the command was compared.
    pub driven_by_client: bool,
    /// Decisions that were compared.
    pub compared: u64,
    /// Those of them that differ in what the robot does.
    pub differing: u64,
    /// Whether all that was compared is the same bit by bit, signs of zeros and what it publishes included.
    pub same_bits: bool,
    /// The first of these.
    pub first: Option<First>,
    /// The largest difference of each number of the command.
    pub largest: Vec<Largest>,
    /// Decisions that differ in what the robot publishes about itself.
    pub differing_thoughts: u64,
    /// The first of these.
    pub first_thought: Option<First>,
    /// Why the shadow was asked no more, or never.
    pub fault: Option<String>,
}

/// The first decision that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct First {
    /// When its effect can be seen.
    pub moment: Moment,
    /// The world's own count of steps then.
    pub step: u64,
    /// All fields that differ.
    pub fields: Vec<Differing>,
}

/// The largest difference of a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Largest {
    /// Which number.
    pub field: String,
    /// How far apart, in its unit.
    pub by: f64,
    /// When.
    pub moment: Moment,
    /// The world's own count of steps then.
    pub step: u64,
}

/// Adds up what shadows decide, as far as the world is known to be the recorded one.
#[derive(Default)]
pub(crate) struct Tally {
    robots: Vec<Beside>,
    /// Not compared with the recorded poses yet.
    pending: Vec<(Moment, Arc<Comparison>)>,
    is_closed: bool,
}

impl Tally {
    /// A step was made, or the world is about to begin.
    pub fn see(&mut self, moment: Moment, world: &World) {
        if self.is_closed {
            return;
        }
        self.pending.extend(world.comparisons().iter().map(|comparison| (moment, Arc::clone(comparison))));
        for (robot, shadow) in world.shadows() {
            let fault = || shadow.fault.as_deref().map(str::to_owned);
            match self.robots.iter_mut().find(|known| known.robot == robot.name) {
                // One that could not be made is never asked, so that no decision says it.
                Some(known) if shadow.last.is_none() && known.fault.is_none() => known.fault = fault(),
                Some(_) => {}
                None => {
                    let (robot, plugin) = (robot.name.clone(), shadow.plugin.to_string());
                    let fault = fault();
                    self.robots.push(Beside { robot, plugin, fault, same_bits: true, ..Beside::default() });
                }
            }
        }
    }

    /// The world is the recorded one up to here.
    pub fn confirm(&mut self) {
        for (moment, comparison) in std::mem::take(&mut self.pending) {
            if let Some(robot) = self.robots.iter_mut().find(|beside| beside.robot == comparison.robot.name) {
                robot.add(moment, &comparison);
            }
        }
    }

    /// From the last confirmed moment on it is another world.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.pending.clear();
    }

    pub fn robots(&self) -> &[Beside] {
        &self.robots
    }
}

impl Beside {
    fn add(&mut self, moment: Moment, comparison: &Comparison) {
        self.compared += 1;
        self.driven_by_client |= comparison.driven_by_client;
        if self.fault.is_none() {
            let ended = || comparison.shadow.ends.then_some("it ended");
            self.fault = comparison.shadow.fault.as_deref().or_else(ended).map(str::to_owned);
        }
        let (thoughts, fields): (Vec<_>, Vec<_>) =
            differences(comparison).into_iter().partition(|differing| differing.is_thought);
        let step = comparison.step;
        for Differing { field, by, .. } in &fields {
            let Some(by) = *by else { continue };
            match self.largest.iter_mut().find(|largest| largest.field == *field) {
                Some(largest) if largest.by >= by => {}
                Some(largest) => (largest.by, largest.moment, largest.step) = (by, moment, step),
                None => self.largest.push(Largest { field: field.clone(), by, moment, step }),
            }
        }
        self.same_bits &= fields.is_empty() && thoughts.is_empty() && has_same_bits(comparison);
        if !fields.is_empty() {
            self.differing += 1;
            self.first.get_or_insert(First { moment, step, fields });
        }
        if !thoughts.is_empty() {
            self.differing_thoughts += 1;
            self.first_thought.get_or_insert(First { moment, step, fields: thoughts });
        }
    }

    /// Whether the robot would have done the same: also false if nothing could be compared.
    pub fn is_same(&self) -> bool {
        self.compared > 0 && self.first.is_none()
    }
}
