//! Learning: the network is run for a second from many starts, and its weights go to where the error is least.
//!
//! The error is that of whole runs, not of single cycles: measured velocities are noisy, and a model that leans on the last
//! measurement does worse the longer it runs alone. The network begins as the first-order model that was fitted before,
//! with hidden units that have no say yet, and learns what that model lacks; it is held to its beginning by a ridge, as
//! strong as the last part of the training wants it.
//!
//! Small networks and short logs: a few hundred weights, so Gauss-Newton steps with damping reach the valley in a dozen
//! steps, without rates and batches to choose.
//!
//! # Reference
//! O. Nelles, *Nonlinear System Identification* (2001): simulation error and Levenberg-Marquardt. P. J. Huber, *Robust
//! Estimation of a Location Parameter*, 1964.

use crate::first_order::{FirstOrder, loss};
use crate::learned::{Form, LearnedPredictor};
use crate::log::Piece;
use crate::score::Predictor;
use touchline_plugin_api::noise::NoiseKey;
use touchline_skills::learned::{MAX_AXES, MAX_HIDDEN, MAX_INPUTS, Network};

/// Learns a network for runs of `horizon` cycles, from a first network.
///
/// `ridge` holds the weights near the first network; the share of each run that it is worth. More than
/// `most_cycles` cycles, in all runs together, are thinned out evenly.
pub fn learn(
    form: &Form,
    first: &Network,
    train: &[Piece],
    horizon: usize,
    ridge: f64,
    most_cycles: usize,
) -> Network {
    let mut starts = all_starts(train, form.memory(), horizon);
    let thin = (starts.len() * horizon).div_ceil(most_cycles).max(1);
    starts = starts.into_iter().step_by(thin).collect();
    let hold = ridge * (starts.len() * horizon) as f64 + 1e-9;
    let cost = |network: &Network| {
        let predictor = LearnedPredictor { form, network };
        let mut run = Vec::new();
        let errors = starts.iter().fold(0.0, |sum, &(piece, start)| {
            run.clear();
            predictor.predict(piece, start, horizon, &mut run);
            sum + run_loss(form, piece, start, &run)
        });
        let moved = network.weights().iter().zip(first.weights());
        errors + moved.fold(0.0, |sum, (now, then)| sum + 0.5 * hold * (now - then) * (now - then))
    };
    let mut network = first.clone();
    let mut least = cost(&network);
    let mut damping = 1e-3;
    for _ in 0..MOST_STEPS {
        let mut system = System::new(network.weights().len());
        for &(piece, start) in &starts {
            system.add(form, &network, piece, start, horizon);
        }
        for index in 0..system.slope.len() {
            system.slope[index] += hold * (network.weights()[index] - first.weights()[index]);
            system.curve[index][index] += hold;
        }
        let before = least;
        // Damped until the step leads down.
        for _ in 0..8 {
            let Some(step) = system.step(damping) else {
                damping *= 10.0;
                continue;
            };
            let mut next = network.clone();
            next.update(|weights| weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight -= step));
            let error = cost(&next);
            if error < least {
                (network, least, damping) = (next, error, damping * 0.2);
                break;
            }
            damping *= 5.0;
        }
        if least > before * (1.0 - 1e-4) {
            break;
        }
    }
    network
}

/// The mean loss of all runs of `horizon` cycles.
pub fn mean_loss(form: &Form, network: &Network, pieces: &[Piece], horizon: usize) -> f64 {
    let predictor = LearnedPredictor { form, network };
    let starts = all_starts(pieces, form.memory(), horizon);
    let mut run = Vec::new();
    let sum = starts.iter().fold(0.0, |sum, &(piece, start)| {
        run.clear();
        predictor.predict(piece, start, horizon, &mut run);
        sum + run_loss(form, piece, start, &run)
    });
    sum / (starts.len() * horizon).max(1) as f64
}

/// More steps are never made; mostly a dozen is enough.
const MOST_STEPS: usize = 30;
fn all_starts(pieces: &[Piece], memory: usize, horizon: usize) -> Vec<(&Piece, usize)> {
    let of_piece = |piece| {
        let last = (Piece::len(piece) + 1).saturating_sub(horizon);
        (piece.foreseen(memory).start..last).map(move |start| (piece, start))
    };
    pieces.iter().flat_map(of_piece).collect()
}

/// The sum of the losses of all velocities of a run, in units of the scales.
fn run_loss(form: &Form, piece: &Piece, start: usize, run: &[[f64; MAX_AXES]]) -> f64 {
    let mut sum = 0.0;
    for (predicted, measured) in run.iter().zip(&piece.velocities[start..]) {
        for (axis, scale) in form.velocity_scale.iter().enumerate() {
            let limit = form.error_limit[axis] / scale;
            sum += loss((predicted[axis] - measured[axis]) / scale, Some(limit));
        }
    }
    sum
}

/// The normal equations of the runs: how the error changes with each weight.
struct System {
    /// The slope of the error.
    slope: Vec<f64>,
    /// Its curvature, as Gauss and Newton take it; the lower triangle.
    curve: Vec<Vec<f64>>,
}

impl System {
    fn new(size: usize) -> Self {
        Self { slope: vec![0.0; size], curve: (0..size).map(|row| vec![0.0; row + 1]).collect() }
    }

    /// Adds one run. How its velocities change with the weights is carried forward from cycle to cycle.
    fn add(&mut self, form: &Form, network: &Network, piece: &Piece, start: usize, horizon: usize) {
        let [axes, inputs, units] = network.size();
        let size = network.weights().len();
        let [linear, to_units, bias, output] = network.parts();
        let predictor = LearnedPredictor { form, network };
        let mut slow = predictor.slow_before(piece, start);
        let (mut seen, mut says) = ([0.0; MAX_INPUTS], [0.0; MAX_HIDDEN]);
        let mut run = Vec::with_capacity(horizon);
        // For each cycle and axis; and for the slow averages of each axis.
        let mut by_weight: Vec<Vec<f64>> = Vec::with_capacity(horizon * axes);
        let mut slow_by_weight = vec![vec![0.0; size]; axes];
        for cycle in 0..horizon {
            predictor.next(piece, start, &mut run, &mut slow, &mut seen[..inputs], &mut says[..units]);
            for axis in 0..axes {
                let mut row =
                    if cycle > 0 { by_weight[(cycle - 1) * axes + axis].clone() } else { vec![0.0; size] };
                let mut by_input = linear[axis * inputs..(axis + 1) * inputs].to_vec();
                for (cell, input) in row[axis * inputs..].iter_mut().zip(&seen[..inputs]) {
                    *cell += input;
                }
                for unit in 0..units {
                    let weight = output[axis * units + unit];
                    let (rest, steep) = (libm::tanh(bias[unit]), 1.0 - says[unit] * says[unit]);
                    let weights = unit * inputs..(unit + 1) * inputs;
                    let cells = &mut row[axes * inputs..][weights.clone()];
                    for (((cell, by_input), input), to_unit) in
                        cells.iter_mut().zip(&mut by_input).zip(&seen).zip(&to_units[weights])
                    {
                        *cell += weight * steep * input;
                        *by_input += weight * steep * to_unit;
                    }
                    let cells = &mut row[(axes + units) * inputs..];
                    cells[unit] += weight * (steep - (1.0 - rest * rest));
                    cells[units + axis * units + unit] += says[unit] - rest;
                }
                for back in 0..form.velocities.min(cycle) {
                    for other in 0..axes {
                        let factor = by_input[back * axes + other];
                        add_scaled(&mut row, &by_weight[(cycle - 1 - back) * axes + other], factor);
                    }
                }
                for other in 0..axes {
                    let factor = by_input[axes * (form.velocities + form.commands) + other];
                    add_scaled(&mut row, &slow_by_weight[other], factor);
                }
                by_weight.push(row);
            }
            for axis in 0..axes {
                let row = &by_weight[cycle * axes + axis];
                for (slow, row) in slow_by_weight[axis].iter_mut().zip(row) {
                    *slow += (row - *slow) * form.slow_rate;
                }
                let error = run[cycle][axis] - piece.velocities[start + cycle][axis];
                let limit = form.error_limit[axis];
                // Large errors pull as if they were at the limit.
                let weight = (limit / error.abs().max(limit)).min(1.0);
                let error = error / form.velocity_scale[axis];
                for (index, (slope, value)) in self.slope.iter_mut().zip(row).enumerate() {
                    *slope += weight * error * value;
                    let factor = weight * value;
                    if factor != 0.0 {
                        for (cell, other) in self.curve[index].iter_mut().zip(row) {
                            *cell += factor * other;
                        }
                    }
                }
            }
        }
    }

    /// The step to the lowest point of the parabola, damped (K. Levenberg, 1944; D. Marquardt, 1963). By Cholesky's
    /// decomposition; `None` if the curvature is not positive.
    fn step(&self, damping: f64) -> Option<Vec<f64>> {
        let size = self.slope.len();
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(size);
        for (row, cells) in self.curve.iter().enumerate() {
            let mut new = cells.clone();
            new[row] *= 1.0 + damping;
            for column in 0..=row {
                let above = if column == row { &new } else { &lower[column] };
                let sum = new[..column].iter().zip(above).fold(0.0, |sum, (a, b)| sum + a * b);
                let rest = new[column] - sum;
                if column < row {
                    new[column] = rest / lower[column][column];
                } else if rest > 0.0 {
                    new[column] = rest.sqrt();
                } else {
                    return None;
                }
            }
            lower.push(new);
        }
        let mut step = self.slope.clone();
        for row in 0..size {
            let sum = lower[row][..row].iter().zip(&step).fold(0.0, |sum, (a, b)| sum + a * b);
            step[row] = (step[row] - sum) / lower[row][row];
        }
        for row in (0..size).rev() {
            step[row] /= lower[row][row];
            let solved = step[row];
            step[..row].iter_mut().zip(&lower[row]).for_each(|(left, cell)| *left -= cell * solved);
        }
        step.iter().all(|step| step.is_finite()).then_some(step)
    }
}

fn add_scaled(row: &mut [f64], other: &[f64], factor: f64) {
    row.iter_mut().zip(other).for_each(|(cell, other)| *cell += factor * other);
}

/// A network that does what first-order models say, with hidden units that look about but have no say yet.
pub fn first_network(form: &Form, models: &[FirstOrder], dt_secs: f64, units: usize, seed: u64) -> Network {
    let (axes, inputs) = (form.axes, form.inputs());
    let mut weights = vec![0.0; axes * inputs];
    for (axis, (model, row)) in models.iter().zip(weights.chunks_exact_mut(inputs)).enumerate() {
        let rate = FirstOrder::rate(model.tau_s, dt_secs);
        row[axis] = -rate;
        // A delay beyond what the network remembers is cut short.
        let cycles = (model.delay_s / dt_secs).min((form.commands - 1) as f64);
        let (whole, part) = (cycles.floor() as usize, cycles - cycles.floor());
        let per_setting = rate * model.gain * form.command_scale[axis] / form.velocity_scale[axis];
        for (back, share) in [(whole, 1.0 - part), (whole + 1, part)] {
            if back < form.commands {
                row[axes * (form.velocities + back) + axis] += share * per_setting;
            }
        }
    }
    let mut draw = NoiseKey::for_owner(seed, "train/motion/first").stream();
    let sigma = 1.0 / (inputs as f64).sqrt();
    // Gentle and steep units: friction turns round within a small part of the range.
    for unit in 0..units {
        let steepness = [1.0, 3.0, 10.0, 30.0][unit % 4];
        weights.extend((0..inputs).map(|_| draw.gaussian(sigma * steepness)));
    }
    weights.extend((0..units).map(|_| draw.gaussian(0.3)));
    weights.extend(std::iter::repeat_n(0.0, axes * units));
    Network::new(axes, inputs, units, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        Form {
            axes: 2,
            velocities: 2,
            commands: 3,
            slow_rate: 0.1,
            velocity_scale: vec![0.5, 2.0],
            command_scale: vec![1.0, 3.0],
            error_limit: vec![0.2, 5.0],
        }
    }

    fn piece(cycles: usize) -> Piece {
        let mut draw = NoiseKey::for_owner(3, "piece").stream();
        let mut row = |a: f64, b: f64| [draw.uniform(-a, a), draw.uniform(-b, b), 0.0];
        Piece {
            lead: 0,
            commands: (0..cycles).map(|_| row(1.2, 2.0)).collect(),
            velocities: (0..cycles).map(|_| row(0.4, 1.5)).collect(),
        }
    }

    /// M3: the slope that learning follows is that of the error, weight by weight, by finite differences.
    #[test]
    fn the_slope_is_the_derivative_of_the_error() {
        let (form, piece, horizon) = (form(), piece(12), 6);
        let size = Network::weights_of(2, form.inputs(), 4);
        let mut draw = NoiseKey::for_owner(1, "weights").stream();
        let weights: Vec<f64> = (0..size).map(|_| draw.gaussian(0.2)).collect();
        let network = Network::new(2, form.inputs(), 4, weights);
        let mut system = System::new(size);
        system.add(&form, &network, &piece, 3, horizon);
        let error = |network: &Network| {
            let mut run = Vec::new();
            LearnedPredictor { form: &form, network }.predict(&piece, 3, horizon, &mut run);
            run_loss(&form, &piece, 3, &run)
        };
        for weight in 0..size {
            let moved = |by: f64| {
                let mut network = network.clone();
                network.update(|weights| weights[weight] += by);
                error(&network)
            };
            let numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let near = (numeric - system.slope[weight]).abs() <= 1e-6 * (1.0 + numeric.abs());
            assert!(near, "weight {weight}: {} but {numeric}", system.slope[weight]);
        }
    }
}
