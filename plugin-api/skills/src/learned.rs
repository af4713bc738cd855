//! A learned motion model: a small neural network, and the numbers that make it. (M3)
//!
//! The trainer and the plugin `motion-learned` share this module, so what was measured is what drives. A model knows the
//! mean velocities of the last cycles of its own length [`LearnedModel::dt_s`], the velocity settings of the last ones,
//! and a slow average of both (a speed controller's integral part takes seconds); it says how much the velocity changes:
//!
//! ```text
//! change = L x + O (tanh(H x + b) - tanh(b))        x = velocities and settings, each divided by its scale
//! ```
//!
//! # Invariants
//! - At rest, and told to stand, it stands: `x = 0` gives exactly 0.
//! - Far beyond the scales, which are the largest values of the training, the hidden units are saturated and the linear part
//!   alone goes on. Who drives by a model holds settings and velocities to its ranges.
//! - The same bits everywhere: libm's tanh, sums in a fixed order.
//!
//! # Not here
//! Learning: `touchline train motion`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use touchline_plugin_api::plugin::SetupError;

/// The most axes: forward, left, turn.
pub const MAX_AXES: usize = 3;
/// The most velocities that a model remembers.
pub const MAX_VELOCITIES: usize = 4;
/// The most velocity settings that a model remembers.
pub const MAX_COMMANDS: usize = 16;
/// Most hidden units that a network may have.
pub const MAX_HIDDEN: usize = 128;
/// The most inputs of a network.
pub const MAX_INPUTS: usize = MAX_AXES * (MAX_VELOCITIES + MAX_COMMANDS + 2);

/// One direction in which a robot is told to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// Forward, m/s.
    Forward,
    /// To the left, m/s.
    Left,
    /// Counter-clockwise, rad/s.
    Turn,
}

impl Axis {
    /// All of them, in the order of a pose.
    pub const ALL: [Self; MAX_AXES] = [Self::Forward, Self::Left, Self::Turn];

    /// The word that files use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Left => "left",
            Self::Turn => "turn",
        }
    }

    /// The unit of its velocity.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Forward | Self::Left => "m/s",
            Self::Turn => "rad/s",
        }
    }
}

/// A model as it stands in a robot file: `[motion.params]` of the plugin `learned`. `touchline train motion` writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearnedModel {
    /// The length of the model's own cycle, seconds: that of the resampled log.
    #[schemars(range(min = 0.001, max = 1.0))]
    pub dt_s: f64,
    /// The axes, in the order of all the other lists.
    #[schemars(length(min = 1, max = 3))]
    pub axes: Vec<Axis>,
    /// How many of the last velocities it looks at.
    #[schemars(range(min = 1, max = 4))]
    pub velocities: usize,
    /// How many of the last velocity settings it looks at, the one of this cycle among them.
    #[schemars(range(min = 1, max = 16))]
    pub commands: usize,
    /// The time constant of the slow averages of velocities and settings, seconds.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub slow_s: f64,
    /// For each axis the lowest and the highest velocity setting of the log, m/s or rad/s; settings are held to it.
    pub command_range: Vec<[f64; 2]>,
    /// For each axis the lowest and the highest velocity of the log, m/s or rad/s; the model's velocity is held to it.
    pub velocity_range: Vec<[f64; 2]>,
    /// For each axis what a velocity setting is divided by: the largest of the training, m/s or rad/s.
    pub command_scale: Vec<f64>,
    /// For each axis what a velocity is divided by: the largest of the training, m/s or rad/s.
    pub velocity_scale: Vec<f64>,
    /// L: a row for each axis. Columns: the velocities, newest first, all axes of each; then the settings in the same way;
    /// then the slow averages of the velocities, and of the settings.
    pub linear: Vec<Vec<f64>>,
    /// H: a row for each hidden unit, columns as in `linear`.
    pub hidden: Vec<Vec<f64>>,
    /// b: one number for each hidden unit.
    pub hidden_bias: Vec<f64>,
    /// O: a row for each axis, a column for each hidden unit.
    pub output: Vec<Vec<f64>>,
    /// What it was learned from; nothing is computed from it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub source: BTreeMap<String, String>,
}

impl LearnedModel {
    /// How many numbers the network looks at.
    pub fn inputs(&self) -> usize {
        self.axes.len() * (self.velocities + self.commands + 2)
    }

    /// The part of the difference that a slow average takes over in one cycle.
    pub fn slow_rate(&self) -> f64 {
        slow_rate(self.dt_s, self.slow_s)
    }

    /// Checks all numbers, and makes the network.
    ///
    /// # Errors
    /// Names everything that is wrong.
    pub fn network(&self) -> Result<Network, SetupError> {
        let mut problems = SetupError::default();
        let axes = self.axes.len();
        let in_order = self.axes.windows(2).all(|pair| pair[0] < pair[1]);
        problems.require(
            (1..=MAX_AXES).contains(&axes) && in_order,
            "axes",
            format!(
                "{:?}; it must be one or more of forward, left, turn, in this order, each once",
                self.axes.iter().map(|axis| axis.as_str()).collect::<Vec<_>>()
            ),
        );
        let dt_s = self.dt_s;
        problems.require(
            (0.001..=1.0).contains(&dt_s),
            "dt_s",
            format!("{dt_s}; it must be from 0.001 to 1"),
        );
        let slow_s = self.slow_s;
        let valid = (0.01..=1000.0).contains(&slow_s);
        problems.require(valid, "slow_s", format!("{slow_s}; it must be from 0.01 to 1000"));
        for (name, got, most) in
            [("velocities", self.velocities, MAX_VELOCITIES), ("commands", self.commands, MAX_COMMANDS)]
        {
            problems.require((1..=most).contains(&got), name, format!("{got}; it must be from 1 to {most}"));
        }
        for (name, ranges) in
            [("command_range", &self.command_range), ("velocity_range", &self.velocity_range)]
        {
            // Zero is within: a robot that is told nothing stands.
            let sound =
                |&[low, high]: &[f64; 2]| low.is_finite() && high.is_finite() && low <= 0.0 && high >= 0.0;
            let valid = ranges.len() == axes && ranges.iter().all(sound);
            problems.require(
                valid,
                name,
                format!("{ranges:?}; it must be {axes} pairs [at most 0, at least 0]"),
            );
        }
        for (name, scales) in
            [("command_scale", &self.command_scale), ("velocity_scale", &self.velocity_scale)]
        {
            let valid = scales.len() == axes && scales.iter().all(|scale| scale.is_finite() && *scale > 0.0);
            problems.require(valid, name, format!("{scales:?}; it must be {axes} numbers above 0"));
        }
        let (inputs, units) = (self.inputs(), self.hidden_bias.len());
        problems.require(
            units <= MAX_HIDDEN,
            "hidden_bias",
            format!("{units} numbers; at most {MAX_HIDDEN}"),
        );
        let bias = std::slice::from_ref(&self.hidden_bias);
        for (name, rows, height, width) in [
            ("linear", &self.linear[..], axes, inputs),
            ("hidden", &self.hidden[..], units, inputs),
            ("hidden_bias", bias, 1, units),
            ("output", &self.output[..], axes, units),
        ] {
            let shaped = rows.len() == height && rows.iter().all(|row| row.len() == width);
            let allowed = format!("{height} rows of {width} numbers each are needed");
            problems.require(
                shaped,
                name,
                format!("{} rows of {:?} numbers; {allowed}", rows.len(), widths(rows)),
            );
            let bounded = rows.iter().flatten().all(|weight| weight.abs() <= 1e6);
            problems.require(bounded, name, "a number that is not from -1e6 to 1e6");
        }
        problems.into_result()?;
        let rows = [&self.linear[..], &self.hidden[..], bias, &self.output[..]];
        let weights = rows.into_iter().flatten().flatten().copied().collect();
        Ok(Network::new(axes, inputs, units, weights))
    }
}

/// The part of the difference that a slow average with this time constant takes over in one cycle.
pub fn slow_rate(dt_secs: f64, slow_secs: f64) -> f64 {
    dt_secs / (dt_secs + slow_secs)
}

/// The different lengths of rows.
fn widths(rows: &[Vec<f64>]) -> Vec<usize> {
    let mut widths: Vec<usize> = rows.iter().map(Vec::len).collect();
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// The network of a model: its weights in one row, `L`, `H`, `b`, `O`, each row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    axes: usize,
    inputs: usize,
    units: usize,
    weights: Vec<f64>,
    /// tanh(b), which is what the hidden units say at rest.
    at_rest: Vec<f64>,
}

impl Network {
    /// Makes a network.
    ///
    /// # Panics
    /// If there are not as many weights as [`Network::weights_of`] says.
    pub fn new(axes: usize, inputs: usize, units: usize, weights: Vec<f64>) -> Self {
        assert_eq!(weights.len(), Self::weights_of(axes, inputs, units), "the number of weights");
        let mut network = Self { axes, inputs, units, weights, at_rest: vec![0.0; units] };
        network.refresh();
        network
    }

    /// How many weights a network of this size has.
    pub fn weights_of(axes: usize, inputs: usize, units: usize) -> usize {
        axes * inputs + units * inputs + units + axes * units
    }

    /// The number of axes, of inputs and of hidden units.
    pub fn size(&self) -> [usize; 3] {
        [self.axes, self.inputs, self.units]
    }

    /// The parts of the weights: `L`, `H`, `b`, `O`.
    pub fn parts(&self) -> [&[f64]; 4] {
        let (linear, rest) = self.weights.split_at(self.axes * self.inputs);
        let (hidden, rest) = rest.split_at(self.units * self.inputs);
        let (bias, output) = rest.split_at(self.units);
        [linear, hidden, bias, output]
    }

    /// All weights of the network, as one vector.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Lets `change` set new weights.
    pub fn update(&mut self, change: impl FnOnce(&mut [f64])) {
        change(&mut self.weights);
        self.refresh();
    }

    fn refresh(&mut self) {
        let at_rest = self.parts()[2].iter().map(|&bias| libm::tanh(bias)).collect();
        self.at_rest = at_rest;
    }

    /// The change of velocity over one cycle, in units of the velocity scales; and what the hidden units say.
    pub fn change(&self, inputs: &[f64], hidden: &mut [f64], change: &mut [f64]) {
        let [linear, weights, bias, output] = self.parts();
        for ((says, row), bias) in hidden.iter_mut().zip(weights.chunks_exact(self.inputs)).zip(bias) {
            *says = libm::tanh(dot(row, inputs) + bias);
        }
        for (axis, change) in change.iter_mut().enumerate().take(self.axes) {
            let row = &output[axis * self.units..(axis + 1) * self.units];
            let mut sum = dot(&linear[axis * self.inputs..(axis + 1) * self.inputs], inputs);
            for ((weight, says), rest) in row.iter().zip(&*hidden).zip(&self.at_rest) {
                sum += weight * (says - rest);
            }
            *change = sum;
        }
    }
}

fn dot(row: &[f64], inputs: &[f64]) -> f64 {
    row.iter().zip(inputs).fold(0.0, |sum, (weight, input)| sum + weight * input)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One axis, two velocities, two commands, two hidden units.
    fn model() -> LearnedModel {
        LearnedModel {
            dt_s: 0.1,
            axes: vec![Axis::Forward],
            velocities: 2,
            commands: 2,
            command_range: vec![[-1.0, 1.0]],
            velocity_range: vec![[-1.0, 1.0]],
            command_scale: vec![0.5],
            velocity_scale: vec![0.25],
            slow_s: 4.0,
            linear: vec![vec![-0.5, 0.1, 0.5, 0.0, 0.0, 0.25]],
            hidden: vec![vec![1.0, 0.0, -1.0, 0.0, 0.0, 0.0], vec![0.0, 2.0, 0.0, 0.5, 1.0, 0.0]],
            hidden_bias: vec![0.5, -0.25],
            output: vec![vec![0.125, -0.75]],
            source: BTreeMap::new(),
        }
    }

    fn change(network: &Network, inputs: [f64; 6]) -> f64 {
        let (mut hidden, mut change) = ([0.0; 2], [0.0]);
        network.change(&inputs, &mut hidden, &mut change);
        change[0]
    }

    /// M3: the formula, worked out by hand.
    #[test]
    fn the_change_is_that_of_the_formula() {
        let network = model().network().unwrap();
        let x = [0.5, -0.25, 1.0, 0.75, 0.125, 0.5];
        let linear = -0.25 - 0.025 + 0.5 + 0.125;
        let first = 0.125 * (libm::tanh(0.5 - 1.0 + 0.5) - libm::tanh(0.5));
        let second = -0.75 * (libm::tanh(-0.5 + 0.375 + 0.125 - 0.25) - libm::tanh(-0.25));
        assert!((change(&network, x) - (linear + first + second)).abs() < 1e-15);
    }

    /// M3: a robot at rest that is told to stand stands, to the last bit.
    #[test]
    fn rest_stays_rest() {
        assert_eq!(change(&model().network().unwrap(), [0.0; 6]), 0.0);
    }

    /// M3: far beyond what was trained only the linear part grows.
    #[test]
    fn far_beyond_the_training_it_is_linear() {
        let network = model().network().unwrap();
        let at = |factor: f64| change(&network, [factor, 0.0, 0.0, factor, 0.0, 0.0]);
        assert!((at(300.0) - at(200.0) - (at(200.0) - at(100.0))).abs() < 1e-9);
    }

    /// R1: everything that is wrong with a model is named.
    #[test]
    fn every_wrong_number_is_named() {
        let wrong = LearnedModel {
            dt_s: f64::NAN,
            axes: vec![Axis::Turn, Axis::Forward],
            velocities: 9,
            hidden_bias: vec![0.0],
            command_range: vec![[1.0, 2.0]],
            ..model()
        };
        let error = wrong.network().unwrap_err();
        let names: Vec<&str> = error.problems.iter().map(|problem| &problem.pointer[1..]).collect();
        for name in [
            "axes",
            "dt_s",
            "velocities",
            "command_range",
            "velocity_range",
            "command_scale",
            "linear",
            "hidden",
            "output",
        ] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        let mut infinite = model();
        infinite.linear[0][0] = f64::INFINITY;
        assert!(infinite.network().is_err());
    }

    /// R1: what is written is read as the same model.
    #[test]
    fn a_model_survives_its_text() {
        let text = serde_json::to_string(&model()).unwrap();
        assert_eq!(serde_json::from_str::<LearnedModel>(&text).unwrap(), model());
    }
}
