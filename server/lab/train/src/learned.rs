//! A learned model as a predictor: what its network looks at, and how it goes on from cycle to cycle.

use crate::log::{Piece, add_to_slow};
use crate::score::Predictor;
use touchline_skills::learned::{MAX_AXES, MAX_HIDDEN, MAX_INPUTS, Network};

/// The form of a model: what it looks at, and in which units.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Number of axes.
    pub axes: usize,
    /// How many of the last velocities.
    pub velocities: usize,
    /// How many of the last settings.
    pub commands: usize,
    /// The part of the difference that the slow averages take over in a cycle.
    pub slow_rate: f64,
    /// For each axis the unit of velocity.
    pub velocity_scale: Vec<f64>,
    /// For each axis the unit of settings.
    pub command_scale: Vec<f64>,
    /// For each axis the error, in m/s or rad/s, beyond which errors count in proportion and not as squares.
    pub error_limit: Vec<f64>,
}

impl Form {
    /// How many numbers the network looks at.
    pub fn inputs(&self) -> usize {
        self.axes * (self.velocities + self.commands + 2)
    }

    /// How many cycles have to be known before the first one that is foreseen.
    pub fn memory(&self) -> usize {
        self.velocities.max(self.commands - 1)
    }

    /// What the network looks at to foresee cycle `start + run.len()`: `run` holds what was foreseen before.
    fn look(&self, piece: &Piece, start: usize, run: &[[f64; MAX_AXES]], slow: &Slow, inputs: &mut [f64]) {
        let now = start + run.len();
        let past = (0..self.velocities).map(|back| match run.len().checked_sub(back + 1) {
            Some(own) => &run[own],
            None => &piece.velocities[now - back - 1],
        });
        let past = past.map(|row| (row, &self.velocity_scale));
        let settings = (0..self.commands).map(|back| (&piece.commands[now - back], &self.command_scale));
        let slow = [(&slow.velocities, &self.velocity_scale), (&slow.commands, &self.command_scale)];
        let rows = past.chain(settings).chain(slow);
        for (part, (row, scales)) in inputs.chunks_exact_mut(self.axes).zip(rows) {
            for ((input, value), scale) in part.iter_mut().zip(row).zip(scales) {
                *input = value / scale;
            }
        }
    }
}

/// The slow averages before a cycle; that of the settings knows this cycle's setting.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slow {
    velocities: [f64; MAX_AXES],
    commands: [f64; MAX_AXES],
}

/// A learned network as a predictor of velocities.
pub struct LearnedPredictor<'a> {
    /// Inputs of the network, and their units.
    pub form: &'a Form,
    /// Weights of the network.
    pub network: &'a Network,
}

impl LearnedPredictor<'_> {
    /// The averages after everything that was before `start`.
    pub(crate) fn slow_before(&self, piece: &Piece, start: usize) -> Slow {
        // What is further back than five time constants has no say.
        let first = start.saturating_sub((5.0 / self.form.slow_rate).ceil() as usize);
        let last = |rows: &[[f64; MAX_AXES]]| {
            let mut average = rows[0];
            rows.iter().for_each(|row| add_to_slow(&mut average, row, self.form.slow_rate));
            average
        };
        Slow {
            velocities: last(&piece.velocities[first..start]),
            commands: last(&piece.commands[first..start]),
        }
    }

    /// Predicts the velocities of the next cycle.
    pub(crate) fn next(
        &self,
        piece: &Piece,
        start: usize,
        run: &mut Vec<[f64; MAX_AXES]>,
        slow: &mut Slow,
        inputs: &mut [f64],
        hidden: &mut [f64],
    ) {
        let mut change = [0.0; MAX_AXES];
        add_to_slow(&mut slow.commands, &piece.commands[start + run.len()], self.form.slow_rate);
        self.form.look(piece, start, run, slow, inputs);
        self.network.change(inputs, hidden, &mut change[..self.form.axes]);
        let mut next = *run.last().unwrap_or(&piece.velocities[start - 1]);
        for ((next, change), scale) in next.iter_mut().zip(change).zip(&self.form.velocity_scale) {
            *next += change * scale;
        }
        add_to_slow(&mut slow.velocities, &next, self.form.slow_rate);
        run.push(next);
    }
}

impl Predictor for LearnedPredictor<'_> {
    fn predict(&self, piece: &Piece, start: usize, cycles: usize, out: &mut Vec<[f64; MAX_AXES]>) {
        let [_, inputs, units] = self.network.size();
        let (mut seen, mut hidden) = ([0.0; MAX_INPUTS], [0.0; MAX_HIDDEN]);
        let mut slow = self.slow_before(piece, start);
        for _ in 0..cycles {
            self.next(piece, start, out, &mut slow, &mut seen[..inputs], &mut hidden[..units]);
        }
    }
}
