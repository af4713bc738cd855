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
