//! What a plugin is told of the world when it is made.

use crate::game::GameDescription;
use serde::{Deserialize, Serialize};

/// What a world file says and what does not change while its world runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorldDescription {
    /// The names of its robots; their places in this list are their numbers.
    pub robots: Vec<String>,
    /// The team of each, if it has one.
    pub robot_teams: Vec<Option<u32>>,
    /// The names of its fixtures, in the order of their shapes: that of the shape that is the view's first, and so on. What the world file
    /// gives no name is called by its role and its number among those of this role, such as `pole-2`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixtures: Vec<String>,
    /// How many balls there are.
    pub balls: u32,
    /// For each goal the two ends of its goal line, world frame, metres.
    pub goals: Vec<[[f64; 2]; 2]>,
    /// The team that defends each, if one does.
    pub goal_teams: Vec<Option<u32>>,
    /// The length of a step, seconds.
    pub dt_secs: f64,
    /// How many steps an episode has at most; 0 if nothing is played in episodes.
    pub episode_steps: u64,
    /// What the words of its referee mean.
    pub game: GameDescription,
}

impl WorldDescription {
    /// The place of a fixture's shape among those of the view, by its name: to be looked up once, when a plugin is made.
    pub fn fixture(&self, name: &str) -> Option<u32> {
        fixture_named(&self.fixtures, name)
    }
}

/// The place of the fixture of this name: index into [`WorldView::shapes`](crate::view::WorldView::shapes).
pub fn fixture_named(names: &[String], name: &str) -> Option<u32> {
    names.iter().position(|other| other == name).and_then(|place| u32::try_from(place).ok())
}
