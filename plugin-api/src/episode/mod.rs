//! The words of a world file's table `[episode]`: what an agent observes and decides, as numbers. (Y1)
//!
//! Whoever decides by numbers uses the same code: the batch engine in which policies learn, and the player that plays a learned
//! policy. So a policy sees the very same numbers in both. The words are explained in `docs/episodes.md`.
//!
//! # Invariants
//! - Words that begin with `truth.` read the [`WorldView`] and nothing else; words with a slash read the
//!   sensor container and nothing else.

mod act;
mod observe;

pub use act::{Actor, Deed};
pub use observe::{NOTHING, Observer, Senses};

use crate::view::{NONE, Role, WorldView};
use crate::visibility::GoalMouth;
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
}

impl WorldDescription {
    /// Describes the goals of a world, in the order of its landmarks.
    pub fn with_goals_of(mut self, view: &WorldView<'_>) -> Self {
        for goal in view.landmarks(Role::Goal) {
            self.goals.push(GoalMouth::of(goal).posts);
            self.goal_teams.push((goal.team != NONE).then_some(goal.team));
        }
        self
    }
}

/// A word that says nothing here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\": {reason}")]
pub struct WordError {
    /// The word.
    pub word: String,
    /// Why not, and what there is.
    pub reason: String,
}

#[cfg(test)]
mod tests;
