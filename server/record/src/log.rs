//! What a log is made of, before it is bytes and after.

use crate::channels::FORMAT;
use crate::input::{Tick, TimedInput};
use crate::poses::{ObjectId, Units};
use crate::state::StateItem;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_sim::{Frame, Scenario};

/// What a log begins with: all that is needed to make its world again, but for the plugins themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version: [`FORMAT`].
    pub format: u32,
    /// The version of the program that wrote it.
    pub server: String,
    /// When the recording began, by the clock on the wall, for people; empty if nobody knows.
    #[serde(default)]
    pub recorded_at: String,
    /// The world before its first step, with its seed.
    pub scenario: Scenario,
    /// The plugins that there were.
    pub plugins: Vec<PluginVersion>,
}

/// A plugin's name and version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PluginVersion {
    /// Kind of the plugin.
    pub kind: PluginKind,
    /// Such as `striker`.
    pub name: String,
    /// Such as `0.1.0`.
    pub version: String,
}

impl Header {
    /// For a world that is about to begin.
    pub fn new(scenario: Scenario, plugins: &[PluginDescription], recorded_at: String) -> Self {
        let version = |plugin: &PluginDescription| PluginVersion {
            kind: plugin.kind,
            name: plugin.name.clone(),
            version: plugin.version.clone(),
        };
        Self {
            format: FORMAT,
            server: env!("CARGO_PKG_VERSION").into(),
            recorded_at,
            scenario,
            plugins: plugins.iter().map(version).collect(),
        }
    }

    /// The first name or other word in it that nothing has that was recorded, with what is called so.
    pub(crate) fn wrong_name(&self) -> Option<String> {
        let plugins = self.plugins.iter().flat_map(|plugin| [&plugin.name, &plugin.version]);
        let words = [&self.server, &self.recorded_at].into_iter().chain(plugins);
        let mut wrong = words.filter(|word| word.contains(char::is_control));
        let word = || wrong.next().map(|word| format!("{word:?}"));
        self.scenario.wrong_name().or_else(word)
    }

    /// When a tick is, in nanoseconds of simulated time.
    pub fn nanoseconds(&self, tick: Tick) -> u64 {
        (tick as f64 * self.scenario.dt_secs * 1e9).round() as u64
    }
}

/// One thing that is recorded.
#[derive(Clone)]
pub enum Item {
    /// Commands or a seek.
    Input(TimedInput),
    /// Poses of all objects at one or several ticks.
    Poses(PosesItem),
    /// Only what a rerun is compared with, of ticks whose poses were lost.
    Digests(DigestsItem),
    /// What is not needed at every step.
    State(Box<StateItem>),
    /// All that is true, to read sensors.
    Frame(Tick, Arc<Frame>),
    /// A range of ticks that could not be recorded.
    Gap(Gap),
}

/// Where everything was at one tick, or at several, one after the other.
#[derive(Clone, Debug)]
pub struct PosesItem {
    /// The first tick.
    pub tick: Tick,
    /// The world's own count of steps at the first; it goes on with the ticks.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// The objects, in the order of the poses.
    pub objects: Arc<[ObjectId]>,
    /// Of each tick; see [`crate::poses::digest`].
    pub digests: Vec<u64>,
    /// For one tick after the other, in the order of the objects.
    pub places: Vec<Units>,
}

impl Default for PosesItem {
    fn default() -> Self {
        let (digests, places) = Default::default();
        Self { tick: 0, step: 0, run: 0, objects: Arc::new([]), digests, places }
    }
}

impl PosesItem {
    /// The last tick that has poses.
    pub fn newest(&self) -> Tick {
        self.tick + (self.digests.len() as u64).saturating_sub(1)
    }

    /// Whether the ticks of another are the next, of the same objects.
    pub(crate) fn is_followed_by(&self, next: &Self) -> bool {
        self.ends_before(next.tick, next.step, next.run)
            && (Arc::ptr_eq(&self.objects, &next.objects) || self.objects == next.objects)
    }

    /// Whether a tick is the next.
    pub(crate) fn ends_before(&self, tick: Tick, step: u64, run: u64) -> bool {
        let count = self.digests.len() as u64;
        (self.tick + count, self.step + count, self.run) == (tick, step, run)
    }
}

/// The digests of some ticks, one after the other, whose poses found no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestsItem {
    /// The first tick.
    pub tick: Tick,
    /// The world's own count of steps at the first; it goes on with the ticks.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// At least one; see [`crate::poses::digest`].
    pub digests: Vec<u64>,
}

impl DigestsItem {
    /// The last tick that has a digest.
    pub fn newest(&self) -> Tick {
        self.tick + (self.digests.len() as u64).saturating_sub(1)
    }

    /// Adds a tick, if it is the next.
    pub fn extend(&mut self, tick: Tick, step: u64, run: u64, digest: u64) -> bool {
        let count = self.digests.len() as u64;
        let is_next = (self.tick + count, self.step + count, self.run) == (tick, step, run);
        if is_next {
            self.digests.push(digest);
        }
        is_next
    }
}

/// What was lost, because the recorder could not keep up or the disk was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The first tick without poses.
    pub from: Tick,
    /// The first with poses again; `from`, where inputs alone were lost.
    pub to: Tick,
    /// Whether inputs were lost as well, so that the world cannot be made again from here on.
    pub inputs_lost: bool,
}

impl Gap {
    /// What of it a part of the recording lacks: inputs that were lost before the part are lost to it too.
    pub(crate) fn within(self, range: &RangeInclusive<Tick>) -> Option<Self> {
        let (from, to) = (self.from.max(*range.start()), self.to.max(*range.start()));
        let gap = Self { from, to: to.min(range.end().saturating_add(1)), ..self };
        (gap.from <= *range.end() && (gap.from < gap.to || self.inputs_lost)).then_some(gap)
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { from, to, inputs_lost } = self;
        match to.saturating_sub(*from) {
            0 => return write!(f, "from step {from} on: inputs were lost, perhaps"),
            1 => write!(f, "step {from}: its poses were lost")?,
            _ => write!(f, "steps {from} to {}: poses were lost", to - 1)?,
        }
        f.write_str(if *inputs_lost { ", inputs too, perhaps" } else { "" })
    }
}

impl Item {
    /// When it is from; the first tick, if it is of several.
    pub fn tick(&self) -> Tick {
        match self {
            Self::Input(input) => input.tick,
            Self::Poses(poses) => poses.tick,
            Self::Digests(digests) => digests.tick,
            Self::State(state) => state.tick,
            Self::Frame(tick, _) => *tick,
            Self::Gap(gap) => gap.from,
        }
    }

    /// The last tick that it is of.
    pub fn newest(&self) -> Tick {
        match self {
            Self::Poses(poses) => poses.newest(),
            Self::Digests(digests) => digests.newest(),
            item => item.tick(),
        }
    }
}
