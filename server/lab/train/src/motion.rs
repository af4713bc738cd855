//! A motion model from logs: fitted, learned, and both compared on what neither has seen. (M3)

use crate::cross_validation::{Chosen, choose};
use crate::error::LogError;
use crate::first_order::{FirstOrder, FirstOrderPredictor, usual_error};
use crate::learned::{Form, LearnedPredictor};
use crate::log::{Log, Piece};
use crate::score::{Counts, Errors, Obedient, score};
use crate::twice::refuse_twice;
use serde::Serialize;
use std::collections::BTreeMap;
use touchline_skills::learned::{Axis, LearnedModel, MAX_COMMANDS, MAX_VELOCITIES};

/// What to learn, and from how much.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionOptions {
    /// The last part of each log, by time, which is kept for the test.
    pub test: f64,
    /// The length of the model's cycle, seconds; by default the usual interval of the first log.
    pub dt_secs: Option<f64>,
    /// Number of hidden units of the network.
    pub hidden: usize,
    /// How far the model looks back at settings, seconds.
    pub memory_secs: f64,
    /// The time constant of the slow averages, seconds; by default it is chosen.
    pub slow_secs: Option<f64>,
    /// The seed of all randomness.
    pub seed: u64,
    /// Cycles of runs to learn from, while trying and at last; more are thinned out evenly.
    pub cycles: [usize; 2],
}

impl Default for MotionOptions {
    fn default() -> Self {
        Self {
            test: 0.3,
            dt_secs: None,
            hidden: 8,
            memory_secs: 0.25,
            slow_secs: None,
            seed: 1,
            cycles: [4_000, 20_000],
        }
    }
}

/// How the models did on one axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxisReport {
    /// Axis that the errors belong to.
    pub axis: Axis,
    /// The unit of all errors: m/s or rad/s.
    pub unit: &'static str,
    /// The first-order model by least squares of one cycle: where learning begins.
    pub first_order: FirstOrder,
    /// The settings between which it learned.
    pub trained_range: [f64; 2],
    /// The settings between which it was tested.
    pub tested_range: [f64; 2],
    /// The command taken for the velocity.
    pub command: Errors,
    /// The best of four first-order fits for each error (least squares of one cycle, of one second, of whole runs; one second
    /// with large errors held back), chosen on the test part itself: none of these fits does better.
    pub best_first_order: Errors,
    /// Errors of the learned model.
    pub learned: Errors,
}

/// Result of learning a motion model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionReport {
    /// The logs with the columns that were used.
    pub logs: Vec<LogReport>,
    /// The length of a cycle, seconds.
    pub dt_s: f64,
    /// Length of a rollout, cycles.
    pub horizon: usize,
    /// Cycles to learn from, validation included, and cycles for the test.
    pub cycles: [usize; 2],
    /// Gaps and jumps, which part a log into pieces.
    pub interruptions: [usize; 2],
    /// Numbers of predictions that were compared.
    pub n: Counts,
    /// Errors of each axis.
    pub axes: Vec<AxisReport>,
    /// Seed that the run was made with.
    pub seed: u64,
    /// How strongly the network was held to the first-order model: chosen on the training part.
    pub ridge: f64,
    /// The time constant of the slow averages, seconds: chosen on the training part.
    pub slow_s: f64,
    /// How far the model looks back at settings, seconds: what was asked for in whole cycles, at most 15 of them.
    pub memory_s: f64,
}

/// A log, with the columns that were read from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogReport {
    /// Path of the log file.
    pub file: String,
    /// The digest of each of its files.
    pub digests: Vec<String>,
    /// Which column was taken for what.
    pub columns: Vec<String>,
}

/// Learns a model. `tests` are logs of which nothing is learned.
///
/// # Errors
/// When a log is there twice, the logs do not have the same axes, or are too short.
pub fn train_motion(
    logs: &[Log],
    tests: &[Log],
    options: &MotionOptions,
) -> Result<(LearnedModel, MotionReport), LogError> {
    train_motion_with(logs, tests, options, &mut |_, _| {})
}

/// As [`train_motion`]; `see` hears how many networks have been trained, of how many.
///
/// # Errors
/// As of [`train_motion`].
pub fn train_motion_with(
    logs: &[Log],
    tests: &[Log],
    options: &MotionOptions,
    see: &mut dyn FnMut(usize, usize),
) -> Result<(LearnedModel, MotionReport), LogError> {
    let Some(first) = logs.first() else {
        return Err(LogError::new("program/log-too-short", "no log", None, "there is nothing to learn from")
            .got("no file")
            .allowed("one log or more")
            .hint("name the logs: touchline train motion LOG.csv…"));
    };
    let material = Material::of(logs, tests, first, options)?;
    let Material { train, dt_secs, horizon, .. } = &material;
    let mut form = material.form(first.axes.len(), options.memory_secs);
    check_length(first, &form, &material)?;
    let fits = Fits::of(train, form.axes, *dt_secs, form.memory(), *horizon);
    refuse_reversed(first, &fits)?;
    form.error_limit.clone_from(&fits.limits);
    let chosen = choose(&form, &fits.one_step().axes, train, *dt_secs, *horizon, options, see);
    let report = report_of(&first.axes, &material, &fits, &chosen, options.seed);
    let model = model_of(&report, &material, chosen, options.hidden);
    Ok((model, report))
}

/// What the logs give: cycles to learn from and cycles for the test.
struct Material {
    logs: Vec<LogReport>,
    train: Vec<Piece>,
    test: Vec<Piece>,
    /// Number of gaps and of jumps.
    interruptions: [usize; 2],
    /// The length of a cycle.
    dt_secs: f64,
    /// Length of a rollout, cycles.
    horizon: usize,
}

impl Material {
    fn of(logs: &[Log], tests: &[Log], first: &Log, options: &MotionOptions) -> Result<Self, LogError> {
        // The file with the truth may be that of several logs.
        let all = logs.iter().chain(tests);
        refuse_twice(all.map(|log| (log.file.as_str(), log.digests.first().map_or("", String::as_str))))?;
        let dt_secs = options.dt_secs.unwrap_or_else(|| first.interval_secs().clamp(0.02, 0.5));
        let (mut train, mut test, mut interruptions) = (Vec::new(), Vec::new(), [0, 0]);
        let parts = logs.iter().map(|log| (log, options.test)).chain(tests.iter().map(|log| (log, 1.0)));
        for (log, part) in parts {
            if log.axes != first.axes {
                return Err(other_axes(log, first));
            }
            let cut = log.cut(dt_secs, part, (LEAD_SECS / dt_secs) as usize);
            train.extend(cut.train);
            test.extend(cut.test);
            interruptions[0] += cut.gaps;
            interruptions[1] += cut.jumps;
        }
        let logs = logs.iter().chain(tests).map(log_report).collect();
        let horizon = ((1.0 / dt_secs).round() as usize).max(1);
        Ok(Self { logs, train, test, interruptions, dt_secs, horizon })
    }

    /// The form of a model of the training part; its slow averages are still to be chosen.
    fn form(&self, axes: usize, memory_secs: f64) -> Form {
        let scales = |rows: fn(&Piece) -> &Vec<[f64; 3]>| {
            let rows = || self.train.iter().flat_map(rows);
            (0..axes)
                .map(|axis| rows().fold(0.0, |most: f64, row| most.max(row[axis].abs())))
                .collect::<Vec<f64>>()
        };
        Form {
            axes,
            velocities: 3.min(MAX_VELOCITIES),
            commands: ((memory_secs / self.dt_secs).ceil() as usize + 1).clamp(1, MAX_COMMANDS),
            slow_rate: 1.0,
            velocity_scale: scales(|piece| &piece.velocities),
            command_scale: scales(|piece| &piece.commands),
            error_limit: Vec::new(),
        }
    }
}

fn other_axes(log: &Log, first: &Log) -> LogError {
    let names = |axes: &[Axis]| axes.iter().map(|axis| axis.as_str()).collect::<Vec<_>>().join(", ");
    LogError::new("program/log-no-column", &log.file, None, "the logs differ in their axes")
        .got(names(&log.axes))
        .allowed(format!("{}, as in {}", names(&first.axes), first.file))
        .hint("train one model for each kind of log")
}

/// A column with the wrong sign gives a robot that moves against its command: there is no use in learning that.
fn refuse_reversed(first: &Log, fits: &Fits) -> Result<(), LogError> {
    let against = fits.one_step().axes.iter().zip(&first.axes).find(|(fit, _)| fit.gain < 0.0);
    let Some((fit, axis)) = against else { return Ok(()) };
    let what = format!("the robot moves against its {} command", axis.as_str());
    Err(LogError::new("program/log-no-column", &first.file, None, what)
        .got(format!("a gain of {:.2}", fit.gain))
        .allowed("a velocity with the sign of its command: forward, left and counter-clockwise positive")
        .hint(
            "turn the column round: --columns ROLE=COLUMN*-1 (a range to something ahead falls on the way)",
        ))
}

/// What was learned, and how all models did on the test part.
fn report_of(axes: &[Axis], material: &Material, fits: &Fits, chosen: &Chosen, seed: u64) -> MotionReport {
    let Material { logs, train, test, interruptions, dt_secs, horizon } = material;
    let memory = chosen.form.memory();
    let predictor = LearnedPredictor { form: &chosen.form, network: &chosen.network };
    let (learned, n) = score(&predictor, test, memory, *horizon);
    let (command, _) = score(&Obedient, test, memory, *horizon);
    let fitted = fits.all.each_ref().map(|fit| score(fit, test, memory, *horizon).0);
    let axes = axes.iter().enumerate().map(|(i, &axis)| AxisReport {
        axis,
        unit: axis.unit(),
        first_order: fits.one_step().axes[i],
        trained_range: range(train, |piece| &piece.commands, i),
        tested_range: range(test, |piece| &piece.commands, i),
        command: command[i],
        best_first_order: best(fitted.each_ref().map(|fitted| fitted[i])),
        learned: learned[i],
    });
    MotionReport {
        logs: logs.clone(),
        dt_s: *dt_secs,
        horizon: *horizon,
        cycles: [train, test].map(|pieces| pieces.iter().map(|piece| piece.len() - piece.lead).sum()),
        interruptions: *interruptions,
        n,
        axes: axes.collect(),
        seed,
        ridge: chosen.ridge,
        slow_s: chosen.slow_secs,
        memory_s: chosen.form.commands.saturating_sub(1) as f64 * dt_secs,
    }
}

/// The learned model as its file has it. Where it may be asked is where any of the logs has been.
fn model_of(report: &MotionReport, material: &Material, chosen: Chosen, hidden_units: usize) -> LearnedModel {
    let Chosen { form, network, slow_secs, .. } = chosen;
    let all: Vec<Piece> = material.train.iter().chain(&material.test).cloned().collect();
    let ranges = |rows| (0..form.axes).map(|axis| range(&all, rows, axis)).collect();
    let rows =
        |weights: &[f64], width: usize| weights.chunks_exact(width.max(1)).map(<[f64]>::to_vec).collect();
    let [linear, hidden, bias, output] = network.parts();
    LearnedModel {
        dt_s: material.dt_secs,
        axes: report.axes.iter().map(|report| report.axis).collect(),
        velocities: form.velocities,
        commands: form.commands,
        slow_s: slow_secs,
        command_range: ranges(|piece| &piece.commands),
        velocity_range: ranges(|piece| &piece.velocities),
        linear: rows(linear, form.inputs()),
        hidden: rows(hidden, form.inputs()),
        hidden_bias: bias.to_vec(),
        output: if hidden_units == 0 { vec![Vec::new(); form.axes] } else { rows(output, hidden_units) },
        command_scale: form.command_scale,
        velocity_scale: form.velocity_scale,
        source: source(report),
    }
}

/// First-order models, fitted in several ways.
struct Fits {
    /// To one cycle, to one second, to whole runs; and to one second with large errors held back.
    all: [FirstOrderPredictor; 4],
    /// For each axis what a large error is.
    limits: Vec<f64>,
}

impl Fits {
    fn of(train: &[Piece], axes: usize, dt_secs: f64, memory: usize, horizon: usize) -> Self {
        let fit = |horizon, limits: Option<&[f64]>| FirstOrderPredictor {
            axes: (0..axes)
                .map(|axis| {
                    FirstOrder::fit(train, axis, dt_secs, memory, horizon, limits.map(|limits| limits[axis]))
                })
                .collect(),
            dt_secs,
        };
        let squares = [Some(1), Some(horizon), None].map(|horizon| fit(horizon, None));
        let usual = |axis: usize| usual_error(&squares[0].axes[axis], train, axis, dt_secs, memory);
        // Below a thousandth of the scale nothing is large.
        let limits: Vec<f64> = (0..axes).map(|axis| (LARGE * usual(axis)).max(1e-6)).collect();
        let robust = fit(Some(horizon), Some(&limits));
        let [one, second, whole] = squares;
        Self { all: [one, second, whole, robust], limits }
    }

    fn one_step(&self) -> &FirstOrderPredictor {
        &self.all[0]
    }
}

/// So much of what was before a test is known to it, for the slow averages, seconds.
const LEAD_SECS: f64 = 60.0;
/// An error is large from so many usual ones on.
const LARGE: f64 = 3.0;

fn check_length(log: &Log, form: &Form, material: &Material) -> Result<(), LogError> {
    let Material { train, test, dt_secs, horizon, .. } = material;
    let needed = form.memory() + horizon;
    let longest = |pieces: &[Piece]| pieces.iter().map(Piece::len).max().unwrap_or(0);
    for (part, pieces) in [("training", train), ("test", test)] {
        // Several times as many cycles as there are numbers in the linear part.
        let whole: usize = pieces.iter().map(Piece::len).sum();
        let enough = if part == "training" { whole >= 10 * needed } else { true };
        if longest(pieces) < needed + 1 || !enough {
            let what = format!("the {part} part is too short");
            return Err(LogError::new("program/log-too-short", &log.file, None, what)
                .got(format!(
                    "{whole} cycles of {dt_secs:.3} s, the longest piece without gap or jump {}",
                    longest(pieces)
                ))
                .allowed(format!("a piece of {} cycles; for training {} in all", needed + 1, 10 * needed))
                .hint("record for longer, change --test, or set a shorter cycle with --dt"));
        }
    }
    let still = form.velocity_scale.iter().zip(&form.command_scale).position(|(v, u)| *v == 0.0 || *u == 0.0);
    if let Some(axis) = still {
        let name = log.axes[axis].as_str();
        let what = format!("nothing happens on the {name} axis in the training part");
        return Err(LogError::new("program/log-too-short", &log.file, None, what)
            .got(format!(
                "largest command {} and largest velocity {}",
                form.command_scale[axis], form.velocity_scale[axis]
            ))
            .allowed("a robot that is told to move, and moves")
            .hint("record a log in which this axis is driven from the beginning, or leave its command out"));
    }
    Ok(())
}

/// The lowest and the highest number of an axis, zero among them.
fn range(pieces: &[Piece], rows: fn(&Piece) -> &Vec<[f64; 3]>, axis: usize) -> [f64; 2] {
    let numbers = pieces.iter().flat_map(rows).map(|row| row[axis]);
    numbers.fold([0.0, 0.0], |[low, high]: [f64; 2], number| [low.min(number), high.max(number)])
}

fn best(errors: [Errors; 4]) -> Errors {
    let least = |error: fn(&Errors) -> f64| errors.iter().map(error).fold(f64::NAN, f64::min);
    Errors {
        one_step: least(|errors| errors.one_step),
        rollout: least(|errors| errors.rollout),
        free_run: least(|errors| errors.free_run),
    }
}

fn log_report(log: &Log) -> LogReport {
    LogReport { file: log.file.clone(), digests: log.digests.clone(), columns: log.columns.clone() }
}

/// What the model's file says of its origin.
fn source(report: &MotionReport) -> BTreeMap<String, String> {
    let mut source = BTreeMap::new();
    let file_name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    let logs = report.logs.iter().map(|log| format!("{} {}", file_name(&log.file), log.digests.join(" ")));
    source.insert("logs".into(), logs.collect::<Vec<_>>().join("; "));
    let columns = report.logs.first().map(|log| log.columns.join(", "));
    source.insert("columns".into(), columns.unwrap_or_default());
    source.insert(
        "cycles".into(),
        format!("{} for learning, {} for the test", report.cycles[0], report.cycles[1]),
    );
    for axis in &report.axes {
        let text = format!(
            "learned {:.4}, best first-order {:.4}, command {:.4} {}; n {}",
            axis.learned.rollout,
            axis.best_first_order.rollout,
            axis.command.rollout,
            axis.unit,
            report.n.rollouts
        );
        source.insert(format!("test_rms_1s_{}", axis.axis.as_str()), text);
    }
    source.insert("seed".into(), report.seed.to_string());
    source
}
