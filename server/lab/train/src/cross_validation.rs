//! How freely to learn and how slow the slow averages are, chosen by cross-validation on the training part alone.

use crate::first_order::FirstOrder;
use crate::learn::{first_network, learn, mean_loss};
use crate::learned::Form;
use crate::log::Piece;
use crate::motion::MotionOptions;
use touchline_skills::learned::{Network, slow_rate};

/// How strongly the weights are held to the first-order model: the values that are tried.
const RIDGES: [f64; 6] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5];
/// The time constants of the slow averages that are tried, seconds.
const SLOW_SECS: [f64; 3] = [2.0, 7.0, 20.0];
/// The training is cut into so many parts, each of which judges once what was learned from the others.
const FOLDS: usize = 4;

/// What was chosen on the training part alone.
pub(crate) struct Chosen {
    pub form: Form,
    pub network: Network,
    pub ridge: f64,
    pub slow_secs: f64,
}

/// Finds out on parts of the training how freely to learn and how slow the slow averages are, then learns so from all of it.
pub(crate) fn choose(
    form: &Form,
    begin: &[FirstOrder],
    train: &[Piece],
    dt_secs: f64,
    horizon: usize,
    options: &MotionOptions,
    see: &mut dyn FnMut(usize, usize),
) -> Chosen {
    let first = first_network(form, begin, dt_secs, options.hidden, options.seed);
    let folds: Vec<_> = (0..FOLDS).map(|fold| fold_of(train, fold)).collect();
    let slow_tried = options.slow_secs.map_or(SLOW_SECS.to_vec(), |slow_secs| vec![slow_secs]);
    let mut best = (f64::INFINITY, RIDGES[0], slow_tried[0]);
    let all = slow_tried.len() * RIDGES.len() * FOLDS + 1;
    let mut done = 0;
    see(done, all);
    for &slow_secs in &slow_tried {
        let form = Form { slow_rate: slow_rate(dt_secs, slow_secs), ..form.clone() };
        for ridge in RIDGES {
            let losses: Vec<f64> = folds
                .iter()
                .map(|(learning, judge)| {
                    let network = learn(&form, &first, learning, horizon, ridge, options.cycles[0]);
                    done += 1;
                    see(done, all);
                    mean_loss(&form, &network, judge, horizon)
                })
                .collect();
            let loss: f64 = losses.iter().sum();
            if loss < best.0 {
                best = (loss, ridge, slow_secs);
            }
        }
    }
    let (_, ridge, slow_secs) = best;
    let form = Form { slow_rate: slow_rate(dt_secs, slow_secs), ..form.clone() };
    let network = learn(&form, &first, train, horizon, ridge, options.cycles[1]);
    see(all, all);
    Chosen { form, network, ridge, slow_secs }
}

/// The training without one part of its time, and that part.
fn fold_of(pieces: &[Piece], fold: usize) -> (Vec<Piece>, Vec<Piece>) {
    let whole: usize = pieces.iter().map(Piece::len).sum();
    let borders = [fold * whole / FOLDS, (fold + 1) * whole / FOLDS];
    let (mut learning, mut judge, mut first) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        let at = borders.map(|border| border.saturating_sub(first).min(piece.len()));
        let part = |range: std::ops::Range<usize>| Piece {
            commands: piece.commands[range.clone()].to_vec(),
            velocities: piece.velocities[range].to_vec(),
            lead: 0,
        };
        learning.extend([part(0..at[0]), part(at[1]..piece.len())]);
        judge.push(part(at[0]..at[1]));
        first += piece.len();
    }
    (learning, judge)
}
