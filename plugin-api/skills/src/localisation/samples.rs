//! A set of poses, and blocks of it that are worked on together.

use super::lanes::{LANES, Lane};
use serde::{Deserialize, Serialize};
use touchline_plugin_api::geometry::Pose2;

/// Poses, each coordinate in a row of its own.
///
/// In single precision: within 10 m that is a thousandth of a millimetre.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// World frame, metres; one for each sample.
    pub(super) x_m: Vec<f32>,
    /// World frame, metres; one for each sample.
    pub(super) y_m: Vec<f32>,
    /// Radians in `[-pi, pi]`.
    pub(super) theta_rad: Vec<f32>,
}

impl Samples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.x_m.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.x_m.is_empty()
    }

    /// One of them: metres, metres, radians in `[-pi, pi]`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn get(&self, index: usize) -> Pose2 {
        Pose2 {
            x_m: f64::from(self.x_m[index]),
            y_m: f64::from(self.y_m[index]),
            theta_rad: f64::from(self.theta_rad[index]),
        }
    }

    /// All of them in turn.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Pose2> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    pub(super) fn set(&mut self, index: usize, pose: Pose2) {
        self.x_m[index] = pose.x_m as f32;
        self.y_m[index] = pose.y_m as f32;
        self.theta_rad[index] = pose.theta_rad as f32;
    }

    pub(super) fn push(&mut self, pose: Pose2) {
        self.x_m.push(pose.x_m as f32);
        self.y_m.push(pose.y_m as f32);
        self.theta_rad.push(pose.theta_rad as f32);
    }

    /// These of them, in this order.
    pub(super) fn chosen(&self, indices: &[u32]) -> Self {
        let row = |of: &[f32]| {
            let mut row = Vec::with_capacity(self.len());
            row.extend(indices.iter().map(|&index| of[index as usize]));
            row
        };
        Self { x_m: row(&self.x_m), y_m: row(&self.y_m), theta_rad: row(&self.theta_rad) }
    }

    /// Each block of samples with the scores that belong to it; the last is filled up with its last sample.
    #[inline(always)]
    pub(super) fn score_blocks(&self, scores: &mut [f32], mut score: impl FnMut(&Block, &mut Lane)) {
        for (number, scores) in scores.chunks_mut(LANES).enumerate() {
            let block = Block::of(self, number * LANES);
            match scores.first_chunk_mut::<LANES>() {
                Some(scores) => score(&block, scores),
                None => {
                    let mut sums = [0.0; LANES];
                    score(&block, &mut sums);
                    scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += sum);
                }
            }
        }
    }
}

impl FromIterator<Pose2> for Samples {
    fn from_iter<I: IntoIterator<Item = Pose2>>(poses: I) -> Self {
        let mut samples = Self::default();
        poses.into_iter().for_each(|pose| samples.push(pose));
        samples
    }
}

/// Samples that are worked on together.
pub(super) struct Block {
    pub x_m: Lane,
    pub y_m: Lane,
    pub theta_rad: Lane,
}

impl Block {
    #[inline(always)]
    fn of(samples: &Samples, start: usize) -> Self {
        let lane = |row: &[f32]| match row.get(start..).and_then(|rest| rest.first_chunk::<LANES>()) {
            Some(lane) => *lane,
            None => std::array::from_fn(|at| row.get(start + at).or(row.last()).copied().unwrap_or_default()),
        };
        Self { x_m: lane(&samples.x_m), y_m: lane(&samples.y_m), theta_rad: lane(&samples.theta_rad) }
    }
}
