//! The parametric model to which the learned one is compared: gain, one time constant, delay, for each axis by itself.
//!
//! ```text
//! v' = v + (gain u(t - delay) - v) (1 - exp(-dt / tau))
//! ```
//!
//! The fit is by least squares: for a time constant and a delay the best gain has a closed form, and these two are
//! searched on a grid that is refined four times.

use crate::log::Piece;
use crate::score::Predictor;
use serde::Serialize;
use touchline_skills::learned::MAX_AXES;

/// The longest time constant that is tried, seconds.
const MAX_TAU_SECS: f64 = 2.0;
/// The longest delay that is tried, seconds.
const MAX_DELAY_SECS: f64 = 1.0;
/// More starts than these are thinned out evenly.
const MAX_STARTS: usize = 4000;

/// A first-order model of one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FirstOrder {
    /// Ratio of final velocity to setting.
    pub gain: f64,
    /// Time constant, seconds.
    pub tau_s: f64,
    /// Dead time, seconds.
    pub delay_s: f64,
}

impl FirstOrder {
    /// What is lost of the difference in one cycle.
    pub(crate) fn rate(tau_s: f64, dt_secs: f64) -> f64 {
        if tau_s > 0.0 { 1.0 - libm::exp(-dt_secs / tau_s) } else { 1.0 }
    }

    /// Fits an axis to what it did over `horizon` cycles after each start; `None` is to the end of each piece.
    ///
    /// Errors above `limit`, if there is one, count in proportion and not as squares: a robot that stalls now and then
    /// is no slow robot.
    pub fn fit(
        pieces: &[Piece],
        axis: usize,
        dt_secs: f64,
        memory: usize,
        horizon: Option<usize>,
        limit: Option<f64>,
    ) -> Self {
        let starts = starts(pieces, memory, horizon);
        let (mut best, mut least) = (Self::default(), f64::INFINITY);
        let (mut centre, mut span) =
            ([MAX_TAU_SECS / 2.0, MAX_DELAY_SECS / 2.0], [MAX_TAU_SECS, MAX_DELAY_SECS]);
        for points in [17, 9, 9, 9, 9] {
            let values = |index: usize, limit: f64| {
                let (low, width) = (centre[index] - span[index] / 2.0, span[index] / (points - 1) as f64);
                (0..points).map(move |i| (low + i as f64 * width).clamp(0.0, limit))
            };
            let taus: Vec<f64> = values(0, MAX_TAU_SECS).collect();
            let delays: Vec<f64> = values(1, MAX_DELAY_SECS).collect();
            for &delay_s in &delays {
                for &tau_s in &taus {
                    let (gain, squares) = gain(&starts, axis, dt_secs, [tau_s, delay_s], limit);
                    if squares < least {
                        (best, least) = (Self { gain, tau_s, delay_s }, squares);
                    }
                }
            }
            centre = [best.tau_s, best.delay_s];
            span = span.map(|span| span * 3.0 / (points - 1) as f64);
        }
        best
    }
}

/// A start, and how many cycles follow.
type Start<'a> = (&'a Piece, usize, usize);

fn starts(pieces: &[Piece], memory: usize, horizon: Option<usize>) -> Vec<Start<'_>> {
    let all = pieces.iter().flat_map(|piece| {
        let foreseen = piece.foreseen(memory);
        let (last, cycles) = match horizon {
            Some(cycles) => ((piece.len() + 1).saturating_sub(cycles), cycles),
            None => ((foreseen.start + 1).min(piece.len()), foreseen.len()),
        };
        (foreseen.start..last).map(move |start| (piece, start, cycles))
    });
    let all: Vec<Start<'_>> = all.collect();
    let thin = all.len().div_ceil(MAX_STARTS).max(1);
    all.into_iter().step_by(thin).collect()
}

/// The setting that reaches the wheels in a cycle, between two cycles on a straight line.
fn delayed(piece: &Piece, axis: usize, cycle: usize, delay_cycles: f64) -> f64 {
    let at = (cycle as f64 - delay_cycles).max(0.0);
    let before = at.floor();
    let (a, b) = (before as usize, (before as usize + 1).min(cycle));
    let part = at - before;
    piece.commands[a][axis] * (1.0 - part) + piece.commands[b][axis] * part
}

/// The best gain for a time constant and a delay, and the mean loss that is left.
fn gain(
    starts: &[Start<'_>],
    axis: usize,
    dt_secs: f64,
    [tau_s, delay_s]: [f64; 2],
    limit: Option<f64>,
) -> (f64, f64) {
    let rate = FirstOrder::rate(tau_s, dt_secs);
    // velocity = decayed + gain * response, both without the gain: what is left is linear in it.
    let each = |visit: &mut dyn FnMut(f64, f64)| {
        for &(piece, start, cycles) in starts {
            let (mut decayed, mut response) = (piece.velocities[start - 1][axis], 0.0);
            for cycle in start..start + cycles {
                decayed -= decayed * rate;
                response += (delayed(piece, axis, cycle, delay_s / dt_secs) - response) * rate;
                visit(response, piece.velocities[cycle][axis] - decayed);
            }
        }
    };
    let fit = |weight: &dyn Fn(f64, f64) -> f64| {
        let (mut rr, mut ry) = (0.0, 0.0);
        each(&mut |response, rest| {
            let weight = weight(response, rest);
            rr += weight * response * response;
            ry += weight * response * rest;
        });
        if rr > 0.0 { ry / rr } else { 0.0 }
    };
    let mut gain = fit(&|_, _| 1.0);
    if let Some(limit) = limit {
        for _ in 0..2 {
            let last = gain;
            gain = fit(&|response, rest| (limit / (rest - last * response).abs().max(limit)).min(1.0));
        }
    }
    let (mut sum, mut n) = (0.0, 0.0);
    each(&mut |response, rest| {
        sum += loss(rest - gain * response, limit);
        n += 1.0;
    });
    (gain, if n > 0.0 { sum / n } else { f64::INFINITY })
}

/// Half the square of an error; beyond the limit its tangent (P. J. Huber, 1964).
pub fn loss(error: f64, limit: Option<f64>) -> f64 {
    match limit {
        Some(limit) if error.abs() > limit => limit * (error.abs() - 0.5 * limit),
        _ => 0.5 * error * error,
    }
}

/// A velocity's usual error, from the middle of the sizes of all errors of single cycles.
pub fn usual_error(model: &FirstOrder, pieces: &[Piece], axis: usize, dt_secs: f64, memory: usize) -> f64 {
    let predictor = FirstOrderPredictor { axes: vec![FirstOrder::default(); axis], dt_secs };
    let mut axes = predictor.axes;
    axes.push(*model);
    let predictor = FirstOrderPredictor { axes, dt_secs };
    let mut errors = Vec::new();
    let mut out = Vec::new();
    for piece in pieces {
        for start in piece.foreseen(memory) {
            out.clear();
            predictor.predict(piece, start, 1, &mut out);
            errors.push((out[0][axis] - piece.velocities[start][axis]).abs());
        }
    }
    errors.sort_by(f64::total_cmp);
    // Of a normal distribution the middle of the sizes is 0.6745 standard deviations.
    errors.get(errors.len() / 2).map_or(0.0, |middle| middle / 0.6745)
}

/// A first-order model of each axis.
pub struct FirstOrderPredictor {
    /// In the order of the axes.
    pub axes: Vec<FirstOrder>,
    /// The length of a cycle, seconds.
    pub dt_secs: f64,
}

impl Predictor for FirstOrderPredictor {
    fn predict(&self, piece: &Piece, start: usize, cycles: usize, out: &mut Vec<[f64; MAX_AXES]>) {
        let mut velocity = piece.velocities[start - 1];
        for cycle in start..start + cycles {
            for (axis, (velocity, model)) in velocity.iter_mut().zip(&self.axes).enumerate() {
                let wish = model.gain * delayed(piece, axis, cycle, model.delay_s / self.dt_secs);
                *velocity += (wish - *velocity) * FirstOrder::rate(model.tau_s, self.dt_secs);
            }
            out.push(velocity);
        }
    }
}
