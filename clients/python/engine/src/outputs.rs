//! The arrays into which a call of the batch writes: sizes and places checked, then lent.

use crate::arrays::{Size, Span, check_apart, span, written};
use numpy::PyReadwriteArrayDyn;
use pyo3::prelude::*;
use touchline_batch::Outputs;

/// The arrays of one call, held while it lasts.
pub(crate) struct Arrays<'py> {
    observation: PyReadwriteArrayDyn<'py, f32>,
    reward: PyReadwriteArrayDyn<'py, f32>,
    terminated: PyReadwriteArrayDyn<'py, bool>,
    truncated: PyReadwriteArrayDyn<'py, bool>,
    alive: PyReadwriteArrayDyn<'py, bool>,
    last: Option<PyReadwriteArrayDyn<'py, f32>>,
}

impl Arrays<'_> {
    /// As the batch takes them.
    pub(crate) fn outputs(&mut self) -> PyResult<Outputs<'_>> {
        Ok(Outputs {
            observations: self.observation.as_slice_mut()?,
            rewards: self.reward.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            alive: self.alive.as_slice_mut()?,
            final_observations: match &mut self.last {
                Some(last) => Some(last.as_slice_mut()?),
                None => None,
            },
        })
    }
}

/// `(observation, reward, terminated, truncated, alive, final_observation or None)`
pub(crate) type Given<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
);

/// The sizes of a batch's arrays.
pub(crate) struct Sizes {
    pub(crate) count: Size,
    pub(crate) agents: Size,
    pub(crate) observed: Size,
    pub(crate) actions: Size,
}

impl Sizes {
    /// The arrays to write into; `read` is where the array lies that is read meanwhile.
    pub(crate) fn check<'py>(&self, given: &Given<'py>, read: Option<Span>) -> PyResult<Arrays<'py>> {
        let (observation, reward, terminated, truncated, alive, last) = given;
        let seen = [self.count, self.agents, self.observed];
        let each = [self.count, self.agents];
        let last = last.as_ref().map(|last| written("final_observation", last, &seen));
        let arrays = Arrays {
            observation: written("observation", observation, &seen)?,
            reward: written("reward", reward, &each)?,
            terminated: written("terminated", terminated, &[self.count])?,
            truncated: written("truncated", truncated, &[self.count])?,
            alive: written("alive", alive, &each)?,
            last: last.transpose()?,
        };
        let mut spans = vec![
            span("observation", &arrays.observation),
            span("reward", &arrays.reward),
            span("terminated", &arrays.terminated),
            span("truncated", &arrays.truncated),
            span("alive", &arrays.alive),
        ];
        spans.extend(arrays.last.as_ref().map(|last| span("final_observation", last)));
        spans.extend(read);
        check_apart(&spans)?;
        Ok(arrays)
    }
}
