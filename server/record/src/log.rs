//! What a log is made of, before it is bytes and after.

use crate::channels::FORMAT;
use crate::input::{Moment, TimedInput};
use crate::state::StateItem;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_plugin_api::view::Object;
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
    /// Its kind.
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

    /// When a moment is, in nanoseconds of simulated time.
    pub fn nanoseconds(&self, moment: Moment) -> u64 {
        (moment as f64 * self.scenario.dt_secs * 1e9).round() as u64
    }
}

/// One thing that is recorded.
#[derive(Clone)]
pub enum Item {
    /// Something came in.
    Input(TimedInput),
    /// Where everything is.
    Poses(PosesItem),
    /// Only what a rerun is compared with, of moments whose poses were lost.
    Digests(DigestsItem),
    /// What is not needed at every step.
    State(Box<StateItem>),
    /// All that is true, to read sensors.
    Frame(Moment, Arc<Frame>),
    /// Something was lost.
    Gap(Gap),
}

/// Where everything was at one moment, or at several, one after the other.
#[derive(Clone, Debug)]
pub struct PosesItem {
    /// The first.
    pub moment: Moment,
    /// The world's own count of steps at the first; it goes on with the moments.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// How many there are, at least one.
    pub moments: u64,
    /// As the world's view has them, for one moment after the other: the same number for each.
    pub objects: Vec<Object>,
}

impl PosesItem {
    /// The last moment.
    pub fn newest(&self) -> Moment {
        self.moment + self.moments.saturating_sub(1)
    }

    /// Each moment and step with its objects.
    pub fn each(&self) -> impl Iterator<Item = (Moment, u64, &[Object])> {
        let each = self.objects.len() / self.moments.max(1) as usize;
        (0..self.moments).map(move |index| {
            let first = index as usize * each;
            (self.moment + index, self.step + index, &self.objects[first..first + each])
        })
    }

    /// Whether what is true at this moment can be added.
    pub(crate) fn is_followed_by(&self, moment: Moment, step: u64, run: u64, objects: &[Object]) -> bool {
        (self.moment + self.moments, self.step + self.moments, self.run) == (moment, step, run)
            && self.objects.len() == objects.len() * self.moments as usize
    }
}

/// The digests of some moments, one after the other, whose poses found no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestsItem {
    /// The first.
    pub moment: Moment,
    /// The world's own count of steps at the first; it goes on with the moments.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// At least one; see [`crate::poses::digest`].
    pub digests: Vec<u64>,
}

impl DigestsItem {
    /// The last moment.
    pub fn newest(&self) -> Moment {
        self.moment + (self.digests.len() as u64).saturating_sub(1)
    }

    /// Adds a moment, if it is the next.
    pub fn extend(&mut self, moment: Moment, step: u64, run: u64, digest: u64) -> bool {
        let count = self.digests.len() as u64;
        let is_next = (self.moment + count, self.step + count, self.run) == (moment, step, run);
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
    /// The first moment without poses.
    pub from: Moment,
    /// The first with poses again.
    pub to: Moment,
    /// Whether inputs were lost as well, so that the world cannot be made again from here on.
    pub inputs_lost: bool,
}

impl Item {
    /// When it is from; the first moment, if it is of several.
    pub fn moment(&self) -> Moment {
        match self {
            Self::Input(input) => input.moment,
            Self::Poses(poses) => poses.moment,
            Self::Digests(digests) => digests.moment,
            Self::State(state) => state.moment,
            Self::Frame(moment, _) => *moment,
            Self::Gap(gap) => gap.from,
        }
    }

    /// The last moment that it is of.
    pub fn newest(&self) -> Moment {
        match self {
            Self::Poses(poses) => poses.newest(),
            Self::Digests(digests) => digests.newest(),
            item => item.moment(),
        }
    }
}
