//! What a player and its shadow decided over a whole recording: since when they differ, how often, by how much.

use crate::input::Tick;
use serde::Serialize;
use std::sync::Arc;
use touchline_sim::{Comparison, Decision, Differing, World, differences};

fn has_same_bits(comparison: &Comparison) -> bool {
    let bits = |decision: &Decision| -> Vec<u64> {
        // Not given is another thing than 0.
        let strengths = decision.manipulations.iter().flat_map(|manipulation| {
            let aim = manipulation.aim;
            let angle = |angle_rad: Option<f64>| angle_rad.unwrap_or(f64::NAN);
            [aim.strength, angle(aim.direction_rad), angle(aim.elevation_rad)]
        });
        let placed = decision.placings.iter().flat_map(|placing| placing.numbers.iter().copied());
        decision.command.iter().copied().chain(strengths).chain(placed).map(f64::to_bits).collect()
    };
    bits(&comparison.driver) == bits(&comparison.shadow)
}

/// How the shadow of one robot did over a whole recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Shadow {
    /// Name of the robot.
    pub robot: String,
    /// The plugin of the shadow.
    pub plugin: String,
    /// Whether clients drove it at some time: then nothing but the command was compared.
    pub driven_by_client: bool,
    /// Number of decisions that were compared.
    pub compared: u64,
    /// Those of them that differ in what the robot does.
    pub differing: u64,
    /// Whether all that was compared is the same bit by bit, signs of zeros and what it publishes included.
    pub same_bits: bool,
    /// The first of the `differing` decisions.
    pub first: Option<First>,
    /// The largest difference of each number of the command.
    pub largest: Vec<Largest>,
    /// Decisions that differ in what the robot publishes about itself.
    pub differing_thoughts: u64,
    /// The first of the `differing_thoughts` decisions.
    pub first_thought: Option<First>,
    /// Why the shadow was asked no more, or never.
    pub fault: Option<String>,
}

/// The first decision that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct First {
    /// When its effect can be seen.
    pub tick: Tick,
    /// The world's own count of steps then.
    pub step: u64,
    /// All fields that differ.
    pub fields: Vec<Differing>,
}

/// The largest difference of a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Largest {
    /// Name of the number that differs.
    pub field: String,
    /// How far apart, in its unit.
    pub by: f64,
    /// The step to which it belongs.
    pub tick: Tick,
    /// The world's own count of steps then.
    pub step: u64,
}

/// Adds up what shadows decide, as far as the world is known to be the recorded one.
#[derive(Default)]
pub(crate) struct Tally {
    robots: Vec<Shadow>,
    /// Not compared with the recorded poses yet.
    pending: Vec<(Tick, Arc<Comparison>)>,
    is_closed: bool,
}

impl Tally {
    /// A step was made, or the world is about to begin.
    pub fn see(&mut self, tick: Tick, world: &World) {
        if self.is_closed {
            return;
        }
        self.pending.extend(world.comparisons().iter().map(|comparison| (tick, Arc::clone(comparison))));
        for (robot, shadow) in world.shadows() {
            let fault = || shadow.fault.as_deref().map(str::to_owned);
            match self.robots.iter_mut().find(|known| known.robot == robot.name) {
                // One that could not be made is never asked, so that no decision says it.
                Some(known) if shadow.last.is_none() && known.fault.is_none() => known.fault = fault(),
                Some(_) => {}
                None => {
                    let (robot, plugin) = (robot.name.clone(), shadow.plugin.to_string());
                    let fault = fault();
                    self.robots.push(Shadow { robot, plugin, fault, same_bits: true, ..Shadow::default() });
                }
            }
        }
    }

    /// The world is the recorded one up to here.
    pub fn confirm(&mut self) {
        for (tick, comparison) in std::mem::take(&mut self.pending) {
            if let Some(robot) = self.robots.iter_mut().find(|beside| beside.robot == comparison.robot.name) {
                robot.add(tick, &comparison);
            }
        }
    }

    /// From the last confirmed tick on it is another world.
    pub fn close(&mut self) {
        self.is_closed = true;
        self.pending.clear();
    }

    pub fn robots(&self) -> &[Shadow] {
        &self.robots
    }
}

impl Shadow {
    fn add(&mut self, tick: Tick, comparison: &Comparison) {
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
                Some(largest) => (largest.by, largest.tick, largest.step) = (by, tick, step),
                None => self.largest.push(Largest { field: field.clone(), by, tick, step }),
            }
        }
        self.same_bits &= fields.is_empty() && thoughts.is_empty() && has_same_bits(comparison);
        if !fields.is_empty() {
            self.differing += 1;
            self.first.get_or_insert(First { tick, step, fields });
        }
        if !thoughts.is_empty() {
            self.differing_thoughts += 1;
            self.first_thought.get_or_insert(First { tick, step, fields: thoughts });
        }
    }

    /// Whether the robot would have done the same: also false if nothing could be compared.
    pub fn is_same(&self) -> bool {
        self.compared > 0 && self.first.is_none()
    }
}
