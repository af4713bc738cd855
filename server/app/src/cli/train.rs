//! `touchline train`: from the logs of real robots and balls to parts of robot and world files. (M3, S1, W5)

use super::train_options::{LogOptions, Train, TrainBallOptions, TrainMotionOptions, TrainOdometryOptions};
use super::written::Planned;
use super::{Failure, PluginOptions, shipped, signals, text};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::motion::MotionDescription;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::PluginChoice;
use touchline_train::ball::{BallReport, fit_ball};
use touchline_train::columns::Columns;
use touchline_train::drift::windows;
use touchline_train::kick::Kick;
use touchline_train::log::{Log, Source};
use touchline_train::motion::{MotionOptions, MotionReport, train_motion_with};
use touchline_train::odometry::{OdometryErrors, OdometryFailure, OdometryReport, TRIALS, fit_odometry};
use touchline_train::score::Errors;
use touchline_train::table::{MAX_BYTES, Table};
use touchline_train::{LogError, ball_text, model_text, odometry_text, refuse_twice};

pub fn train(what: &Train, plugins: &PluginOptions) -> Result<(), Failure> {
    match what {
        Train::Motion(options) => motion(options),
        Train::Odometry(options) => odometry(options, plugins),
        Train::Ball(options) => ball(options),
        Train::Perception(options) => super::perception::perception(options, plugins),
    }
}

fn motion(options: &TrainMotionOptions) -> Result<(), Failure> {
    let out = Out::plan(options.log.out.as_deref())?;
    let columns = columns(&options.log.columns);
    let read = |source: Source| Ok(Log::read(&source, &columns)?);
    let logs = sources(&options.log)?.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let tests = options.test_log.iter().map(|path| Ok(Log::read(&source(path, None)?, &columns)?));
    let tests = tests.collect::<Result<Vec<_>, Failure>>()?;
    let progress = signals::progress(0, "networks");
    let trained = train_motion_with(
        &logs,
        &tests,
        &MotionOptions {
            test: options.test,
            dt_secs: options.dt,
            hidden: usize::from(options.hidden),
            memory_secs: options.memory,
            slow_secs: None,
            seed: options.log.seed,
            ..MotionOptions::default()
        },
        &mut |done, all| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        },
    );
    progress.finish_and_clear();
    let (model, report) = trained?;
    let text = model_text(&model);
    out.finish(&text, options.log.json, INCLUDED, &report, || motion_table(&report))
}

fn odometry(options: &TrainOdometryOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let out = Out::plan(options.log.out.as_deref())?;
    let columns = columns(&options.log.columns);
    let (mut all, mut interruptions) = (Vec::new(), [0, 0]);
    let sources = sources(&options.log)?;
    refuse_twice(sources.iter().map(|source| (source.log.file.as_str(), source.log.digest.as_str())))?;
    for source in sources {
        let (windows, [gaps, jumps]) = windows(&source, &columns, options.horizon)?;
        all.extend(windows);
        interruptions = [interruptions[0] + gaps, interruptions[1] + jumps];
    }
    let host = shipped::load_plugins(plugins)?;
    let setup = SensorSetup {
        robot: "log".into(),
        id: "odometry".into(),
        model: "log".into(),
        mount: Mount::default(),
        dt_secs: 0.1,
        motion: MotionDescription::default(),
        teams: Vec::new(),
        team: None,
        fixtures: Vec::new(),
    };
    let progress = signals::progress(TRIALS as u64, "trials");
    let make = |errors: &OdometryErrors| {
        progress.inc(1);
        let params = serde_json::to_value(errors).map_err(|error| error.to_string())?;
        let choice = PluginChoice::new("odometry", params);
        host.sensor(&choice, &setup).map_err(|error| error.to_string())
    };
    let names = options.log.logs.iter().map(|path| path.display().to_string()).collect();
    let report = fit_odometry(names, &all, interruptions, options.horizon, options.log.seed, &make);
    progress.finish_and_clear();
    let report = report.map_err(|failure| match failure {
        OdometryFailure::Log(error) => error.into(),
        OdometryFailure::Plugin(_) => Failure::Plugin(failure.to_string()),
    })?;
    let text = odometry_text(&report);
    out.finish(&text, options.log.json, INCLUDED, &report, || odometry_table(&report))
}

fn ball(options: &TrainBallOptions) -> Result<(), Failure> {
    let out = Out::plan(options.out.as_deref())?;
    let columns = columns(&options.columns);
    let kick = |path: &PathBuf| Ok(Kick::read(&table(path)?, &columns)?);
    let read = |paths: &[PathBuf]| paths.iter().map(kick).collect::<Result<Vec<_>, Failure>>();
    let report = fit_ball(&read(&options.logs)?, &read(&options.test_log)?)?;
    let (text, used) = (ball_text(&report), "its lines go into the [[ball]] of a world file");
    out.finish(&text, options.json, used, &report, || ball_table(&report))
}

fn columns(columns: &[Columns]) -> Columns {
    columns.iter().cloned().fold(Columns::default(), Columns::merged)
}

fn sources(options: &LogOptions) -> Result<Vec<Source>, Failure> {
    let (logs, truths) = (&options.logs, &options.truth);
    if !truths.is_empty() && truths.len() != logs.len() {
        let (n, m) = (logs.len(), truths.len());
        let message = format!("--truth: {m} files for {n} logs; give one for each log, in the same order");
        return Err(Failure::Configuration(message));
    }
    let truth = |index: usize| truths.get(index).map(PathBuf::as_path);
    logs.iter().enumerate().map(|(index, log)| source(log, truth(index))).collect()
}

/// A log, and the file with the truth: the given one, or the usual one of its name.
fn source(log: &Path, truth: Option<&Path>) -> Result<Source, Failure> {
    let beside = || {
        let name = log.file_name()?.to_str()?;
        let path = log.with_file_name(name.replace("Odometry", "Groundtruth"));
        (name.contains("_Odometry") && path.is_file()).then_some(path)
    };
    let truth = truth.map(Path::to_owned).or_else(beside);
    Ok(Source { log: table(log)?, truth: truth.map(|path| table(&path)).transpose()? })
}

fn table(path: &Path) -> Result<Table, Failure> {
    let name = path.display().to_string();
    let size = std::fs::metadata(path).map(|metadata| (metadata.is_file(), metadata.len()));
    let bytes = match size {
        Ok((true, length)) if length <= MAX_BYTES => std::fs::read(path),
        Ok((true, length)) => Err(std::io::Error::other(format!("{length} bytes; at most {MAX_BYTES}"))),
        Ok((false, _)) => Err(std::io::Error::other("not a file")),
        Err(error) => Err(error),
    };
    let bytes = bytes.map_err(|error| Failure::Resource(format!("{name}: cannot be read: {error}")))?;
    Ok(Table::read(&name, &bytes)?)
}

impl From<LogError> for Failure {
    fn from(error: LogError) -> Self {
        Self::Configuration(error.to_string())
    }
}

/// How the result is used, if it is a part of a robot file.
const INCLUDED: &str = "a robot file includes it";

/// Where the result is written, if it is. It is planned before anything is learned, so that no work is done for a file that cannot be.
struct Out(Option<Planned>);

impl Out {
    fn plan(path: Option<&Path>) -> Result<Self, Failure> {
        path.map(Planned::new).transpose().map(Self)
    }

    /// Writes the result, and prints the report. A file that could not be written keeps back neither: then the result is printed.
    fn finish(
        self,
        result: &str,
        json: bool,
        used: &str,
        report: &impl serde::Serialize,
        table: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let path = self.0.as_ref().map(|file| file.path().display().to_string());
        let written = self.0.map_or(Ok(()), |file| file.fill(result));
        let (file, lost) = if written.is_ok() { (path, None) } else { (None, Some(result)) };
        Failure::any([print(file, lost, json, used, report, table), written])
    }
}

/// Prints the report, and what is in no file.
fn print(
    file: Option<String>,
    lost: Option<&str>,
    json: bool,
    used: &str,
    report: &impl serde::Serialize,
    table: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if json {
        let mut object = serde_json::to_value(report).map_err(std::io::Error::from)?;
        if let Value::Object(object) = &mut object {
            object.insert("out".into(), json!(file));
            object.extend(lost.map(|lost| ("result".into(), json!(lost))));
        }
        return super::print(true, &object, |_| Ok(()));
    }
    let (mut out, table) = (text(), table());
    write!(out, "{table}")?;
    // Most tables end with it as it is.
    if let Some(lost) = lost.filter(|lost| !table.ends_with(lost)) {
        write!(out, "\n{lost}")?;
    }
    if let Some(path) = file {
        writeln!(out, "written to {path}: {used}")?;
    }
    Ok(())
}

fn motion_table(report: &MotionReport) -> String {
    let mut text = String::new();
    for log in &report.logs {
        text += &format!("{}: {}\n", log.file, log.columns.join(", "));
    }
    let [train, test] = report.cycles;
    let [gaps, jumps] = report.interruptions;
    text += &format!(
        "cycle {:.4} s, settings of {:.3} s; {train} cycles to learn from, {test} later ones for the test; {gaps} gaps, {jumps} jumps left out\n",
        report.dt_s, report.memory_s
    );
    for axis in &report.axes {
        let ([low, high], [test_low, test_high]) = (axis.trained_range, axis.tested_range);
        text += &format!(
            "\n{}, {}: learned from commands of {low:.3} to {high:.3}, tested on {test_low:.3} to {test_high:.3}\n",
            axis.axis.as_str(),
            axis.unit
        );
        text += "RMS error               one cycle   one second   whole run\n";
        let mut line = |name: &str, errors: &Errors| {
            let Errors { one_step, rollout, free_run } = errors;
            text += &format!("  {name:20} {one_step:10.5} {rollout:12.5} {free_run:11.5}\n");
        };
        line("command as velocity", &axis.command);
        line("best first order", &axis.best_first_order);
        line("learned", &axis.learned);
        text += &format!(
            "  n                    {:10} {:12} {:11}\n",
            report.n.one_step, report.n.rollouts, report.n.free_run
        );
        let fit = axis.first_order;
        text += &format!(
            "  first order: gain {:.3}, time constant {:.3} s, delay {:.3} s\n",
            fit.gain, fit.tau_s, fit.delay_s
        );
    }
    text
}

fn odometry_table(report: &OdometryReport) -> String {
    let mut text = format!(
        "{} windows of {} s, {} gaps and {} jumps of the truth left out\n\n",
        report.windows, report.horizon_s, report.interruptions[0], report.interruptions[1]
    );
    text += "drift                 log   simulated   ratio\n";
    let (log, simulated) = (report.log, report.simulated);
    for (name, log, simulated) in [
        ("position, median, m", log.position_median_m, simulated.position_median_m),
        ("position, 90 %, m", log.position_90_m, simulated.position_90_m),
        ("heading, median, rad", log.heading_median_rad, simulated.heading_median_rad),
        ("heading, 90 %, rad", log.heading_90_rad, simulated.heading_90_rad),
    ] {
        text += &format!("{name:20} {log:6.4} {simulated:9.4} {:9.2}\n", simulated / log);
    }
    text + "\n" + &odometry_text(report)
}

fn ball_table(report: &BallReport) -> String {
    let shown = |rms: Option<f64>| rms.map_or("-".into(), |rms| format!("{rms:.3}"));
    let mut text = String::from("held-out error of the speeds, m/s\n");
    for form in &report.forms {
        text += &format!("  {:26} {:>6}\n", form.form, shown(form.held_out_rms_m_s));
    }
    text += &format!(
        "  held out: {}\n\n  way, m   from, m/s   lag, s   error   single deceleration\n",
        report.held_out
    );
    for kick in &report.kicks {
        text += &format!(
            "  {:6.2} {:11.2} {:8.3} {:>7} {:>21}   {}\n",
            kick.length_m,
            kick.first_speed_m_s,
            kick.lag_s,
            shown(kick.held_out_rms_m_s),
            shown(kick.held_out_rms_single_m_s),
            kick.file
        );
    }
    text + "\n" + &ball_text(report)
}
