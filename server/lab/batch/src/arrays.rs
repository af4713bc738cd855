//! Arrays of the right shapes, for callers that have none of their own.

use crate::batch::{Batch, Outputs};

/// Owned arrays for the [`Outputs`] of a batch; the shapes are in the crate's front page.
///
/// A caller whose arrays belong to somebody else, such as the Python package, makes [`Outputs`] itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrays {
    /// `[N, A, O]`
    pub observations: Vec<f32>,
    /// `[N, A]`
    pub rewards: Vec<f32>,
    /// `[N]`: the referee has ended the episode.
    pub terminated: Vec<bool>,
    /// `[N]`: its time was up.
    pub truncated: Vec<bool>,
    /// `[N, A]`: the agent's robot is still there.
    pub alive: Vec<bool>,
    /// `[N, A, O]`: what was observed last before a reset in the same step. [`Arrays::of`] leaves it out; set it to be told.
    pub final_observations: Option<Vec<f32>>,
}

impl Arrays {
    /// Makes arrays of zeros and of `false` as long as the batch wants them.
    pub fn of(batch: &Batch) -> Self {
        let agents = batch.len() * batch.layout().agents.len();
        Self {
            observations: vec![0.0; agents * batch.layout().observed.len()],
            rewards: vec![0.0; agents],
            terminated: vec![false; batch.len()],
            truncated: vec![false; batch.len()],
            alive: vec![false; agents],
            final_observations: None,
        }
    }

    /// Lends the arrays for one call of the batch.
    pub fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            alive: &mut self.alive,
            final_observations: self.final_observations.as_deref_mut(),
        }
    }
}
