//! What a page is told of players that run beside the recorded ones.

use crate::message::ToPage;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use touchline_sim::{
    Comparison, Differing, Frame, RobotNumber, ShadowFrame, differences, manipulations, messages,
};

/// Which decisions a page knows.
#[derive(Default)]
pub(crate) struct KnownShadows(BTreeMap<RobotNumber, ShadowFrame>);

/// The last decisions of a robot's player and of the one beside it.
#[derive(Serialize)]
pub(crate) struct ShadowInfo<'a> {
    /// The plugin of the new one.
    plugin: &'a str,
    /// Why it is no longer asked.
    fault: Option<&'a str>,
    /// What it has decided, once it was asked.
    decision: Option<DecisionInfo<'a>>,
}

#[derive(Serialize)]
struct DecisionInfo<'a> {
    /// The step that was decided.
    step: u64,
    /// Whether clients drive the robot; then nothing but the command is compared.
    by_client: bool,
    command: Vec<NumberInfo<'a>>,
    /// Recorded value and the shadow's.
    manipulators: [String; 2],
    messages: [String; 2],
    /// The names of all that differs.
    differs: Vec<String>,
    /// All that the new one has published.
    annotations: BTreeMap<&'a str, &'a RawValue>,
}

#[derive(Serialize)]
struct NumberInfo<'a> {
    name: &'a str,
    unit: &'a str,
    recorded: f64,
    new: f64,
}

impl KnownShadows {
    /// Forgets what the page was told of a robot that has gone.
    pub(crate) fn forget(&mut self, id: RobotNumber) {
        self.0.remove(&id);
    }

    /// Tells what is new since the last Frame that was shown.
    pub(crate) fn tell<'a>(&mut self, frame: &'a Frame, messages: &mut Vec<ToPage<'a>>) {
        let mut present = BTreeSet::new();
        for robot in &frame.robots {
            let Some(shadow) = &robot.shadow else { continue };
            let id = robot.identity.number;
            present.insert(id);
            if !self.0.get(&id).is_some_and(|known| is_same(known, shadow)) {
                messages.push(ToPage::Shadow { id, shadow: Some(info(shadow)) });
                self.0.insert(id, shadow.clone());
            }
        }
        let gone = self.0.keys().filter(|id| !present.contains(id));
        messages.extend(gone.map(|&id| ToPage::Shadow { id, shadow: None }));
        self.0.retain(|id, _| present.contains(id));
    }
}

fn is_same(known: &ShadowFrame, now: &ShadowFrame) -> bool {
    let same_decision = match (&known.last, &now.last) {
        (Some(known), Some(now)) => Arc::ptr_eq(known, now),
        (None, None) => true,
        _ => false,
    };
    same_decision && known.fault == now.fault
}

fn info(shadow: &ShadowFrame) -> ShadowInfo<'_> {
    ShadowInfo {
        plugin: &shadow.plugin,
        fault: shadow.fault.as_deref(),
        decision: shadow.last.as_deref().map(decision),
    }
}

fn decision(comparison: &Comparison) -> DecisionInfo<'_> {
    let (recorded, new) = (&comparison.driver, &comparison.shadow);
    let dimensions = &comparison.robot.description.motion.dimensions;
    let numbers = dimensions.iter().zip(recorded.command.iter().zip(&new.command));
    let command = numbers.map(|(dimension, (&recorded, &new))| NumberInfo {
        name: &dimension.name,
        unit: &dimension.unit,
        recorded,
        new,
    });
    DecisionInfo {
        step: comparison.step,
        by_client: comparison.driven_by_client,
        command: command.collect(),
        manipulators: [manipulations(comparison, recorded), manipulations(comparison, new)],
        messages: [messages(recorded), messages(new)],
        differs: differences(comparison).into_iter().map(|Differing { field, .. }| field).collect(),
        // A shadow's annotations are JSON, or it was stopped.
        annotations: new
            .annotations
            .iter()
            .filter_map(|(key, value)| Some((key.as_str(), serde_json::from_str(value).ok()?)))
            .collect(),
    }
}
