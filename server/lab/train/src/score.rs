//! How well a model foresees: one cycle, one second, and a whole log, from what was commanded.

use crate::log::Piece;
use serde::Serialize;
use touchline_skills::learned::MAX_AXES;

/// A model that predicts velocities.
pub trait Predictor {
    /// Appends the velocities of the cycles `start..start + cycles` of a piece. It may look at all settings, and at the
    /// velocities before `start`.
    fn predict(&self, piece: &Piece, start: usize, cycles: usize, out: &mut Vec<[f64; MAX_AXES]>);
}

/// Root mean squares of the errors of one axis, m/s or rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// One cycle ahead of what was measured.
    pub one_step: f64,
    /// Over the second that follows, with nothing measured in between.
    pub rollout: f64,
    /// From the first cycle to the end of each uninterrupted piece, with nothing measured in between.
    pub free_run: f64,
}

/// Numbers of predictions that were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Velocities, one cycle ahead.
    pub one_step: usize,
    /// Rollouts of one second.
    pub rollouts: usize,
    /// Velocities of the free runs.
    pub free_run: usize,
}

/// The errors of a predictor for each axis. It starts at every cycle from `memory` on.
pub fn score(
    predictor: &dyn Predictor,
    pieces: &[Piece],
    memory: usize,
    horizon: usize,
) -> ([Errors; MAX_AXES], Counts) {
    let mut sums = [[0.0; 3]; MAX_AXES];
    let mut counts = Counts::default();
    let mut rolled = 0;
    let mut out = Vec::new();
    for piece in pieces {
        let mut add = |start: usize, cycles: usize, which: usize| {
            out.clear();
            predictor.predict(piece, start, cycles, &mut out);
            for (predicted, measured) in out.iter().zip(&piece.velocities[start..]) {
                for (sum, (predicted, measured)) in sums.iter_mut().zip(predicted.iter().zip(measured)) {
                    sum[which] += (predicted - measured) * (predicted - measured);
                }
            }
        };
        let foreseen = piece.foreseen(memory);
        for start in foreseen.clone() {
            add(start, 1, 0);
            counts.one_step += 1;
            if start + horizon <= piece.len() {
                add(start, horizon, 1);
                counts.rollouts += 1;
                rolled += horizon;
            }
        }
        if !foreseen.is_empty() {
            add(foreseen.start, foreseen.len(), 2);
            counts.free_run += foreseen.len();
        }
    }
    let rms = |sum: f64, n: usize| if n == 0 { f64::NAN } else { (sum / n as f64).sqrt() };
    let errors = sums.map(|[one, roll, free]| Errors {
        one_step: rms(one, counts.one_step),
        rollout: rms(roll, rolled),
        free_run: rms(free, counts.free_run),
    });
    (errors, counts)
}

/// The command is taken for the velocity: a robot without inertia.
pub struct Obedient;

impl Predictor for Obedient {
    fn predict(&self, piece: &Piece, start: usize, cycles: usize, out: &mut Vec<[f64; MAX_AXES]>) {
        out.extend_from_slice(&piece.commands[start..start + cycles]);
    }
}
