//! `touchline log`: what can be done with recordings.

use super::compare::compare;
use super::log_options;
use super::players::{self, PlayerOptions};
use super::replay::other_plugins;
use super::{Failure, print, shipped};
use serde::Serialize;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_record::{Difference, Ending, Gap, Log, ReadError, Rerun, export};
use touchline_sim::World;

pub fn log(what: &log_options::Log, plugins: &[PathBuf]) -> Result<(), Failure> {
    match what {
        log_options::Log::Info { log, json } => info(log, *json),
        log_options::Log::Verify { log, json, players } => verify(log, *json, players, plugins),
        log_options::Log::Cut { log, from, to, out } => cut(log, *from, *to, out),
        log_options::Log::Recover { log, out } => recover(log, out),
        log_options::Log::Csv { log, topic } => csv(log, topic.as_deref()),
        log_options::Log::Compare(options) => compare(options),
    }
}

/// Reads a recording; what was cut off is read up to its end.
pub fn read_log(path: &Path) -> Result<Log, Failure> {
    Log::read(open(path)?).map_err(|error| wrong(path, &error))
}

pub fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    let file = File::open(path).map_err(|error| Failure::Resource(format!("{}: {error}", path.display())))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

fn wrong(path: &Path, error: &ReadError) -> Failure {
    let text = format!("{}: {error}", path.display());
    match error {
        ReadError::File(_) => Failure::Resource(text),
        _ => Failure::Configuration(text),
    }
}

pub fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let file = File::create_new(path).map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AlreadyExists => "\n  hint     remove it, or take another name",
            _ => "",
        };
        Failure::Resource(format!("{}: {error}{hint}", path.display()))
    })?;
    Ok(BufWriter::new(file))
}

#[derive(Serialize)]
struct Info<'a> {
    world: &'a str,
    seed: u64,
    recorded_at: &'a str,
    server: &'a str,
    format: u32,
    dt_secs: f64,
    first_moment: u64,
    moments: u64,
    seconds: f64,
    inputs: usize,
    goals: usize,
    faults: usize,
    messages: usize,
    gaps: &'a [Gap],
    whole: bool,
    cut_off: Option<String>,
    plugins: Vec<String>,
    topics: &'a [(String, u64)],
}

fn info(path: &Path, as_json: bool) -> Result<(), Failure> {
    let log = read_log(path)?;
    let header = &log.header;
    let count = |kind: &str| log.events.iter().filter(|event| event.kind == kind).count();
    let plugin = |plugin: &touchline_record::PluginVersion| {
        format!("{}-{} {}", plugin.kind, plugin.name, plugin.version)
    };
    let info = Info {
        world: &header.scenario.name,
        seed: header.scenario.seed,
        recorded_at: &header.recorded_at,
        server: &header.server,
        format: header.format,
        dt_secs: header.scenario.dt_secs,
        first_moment: log.blocks.first().map_or(0, |block| block.block.moment),
        moments: log.newest,
        seconds: log.newest as f64 * header.scenario.dt_secs,
        inputs: log.inputs.len(),
        goals: count("goal"),
        faults: count("fault"),
        messages: log.radio.len(),
        gaps: &log.gaps,
        whole: log.ending == Ending::Whole,
        cut_off: match &log.ending {
            Ending::Whole => None,
            Ending::CutOff { at_byte, problem } => Some(format!("after {at_byte} bytes: {problem}")),
        },
        plugins: header.plugins.iter().map(plugin).collect(),
        topics: &log.topics,
    };
    print(as_json, &info, |out| write_info(&info, out))
}

fn write_info(info: &Info<'_>, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "world     {} (seed {})", info.world, info.seed)?;
    writeln!(out, "recorded  {} by touchline {}", info.recorded_at, info.server)?;
    writeln!(out, "length    {:.2} s, {} steps of {} s", info.seconds, info.moments, info.dt_secs)?;
    if info.first_moment > 0 {
        writeln!(out, "poses     from step {} on; inputs from the first", info.first_moment)?;
    }
    writeln!(
        out,
        "inputs    {}   goals {}   faults {}   messages {}",
        info.inputs, info.goals, info.faults, info.messages
    )?;
    writeln!(out, "plugins   {}", info.plugins.join(", "))?;
    for (topic, messages) in info.topics {
        writeln!(out, "{messages:>9} {topic}")?;
    }
    for gap in info.gaps {
        let inputs = if gap.inputs_lost { ", inputs as well" } else { "" };
        writeln!(out, "gap       steps {} to {}: poses were lost{inputs}", gap.from, gap.to)?;
    }
    if let Some(cut_off) = &info.cut_off {
        writeln!(out, "cut off   {cut_off}; `touchline log recover` makes a whole file of it")?;
    }
    Ok(())
}

fn verify(path: &Path, as_json: bool, options: &PlayerOptions, plugins: &[PathBuf]) -> Result<(), Failure> {
    let log = read_log(path)?;
    let host = shipped::load_plugins(plugins)?;
    let shadows = players::shadows(options, &log, &host)?;
    let world = World::with_shadows(log.header.scenario.clone(), Arc::clone(&host) as _, shadows)?;
    players::check(&world)?;
    let mut rerun = Rerun::new(world, u64::MAX);
    let mut compared = 0_u64;
    let difference = rerun.compare(&log, |_| compared += 1);
    let other = other_plugins(&log.header, &host);
    let lost = log.gaps.iter().any(|gap| gap.inputs_lost);
    let without_poses = log.without_poses();
    let result = json!({
        "same": difference.is_none(), "compared": compared,
        "first_difference_step": difference.map(|difference| difference.step),
        "first_difference_moment": difference.map(|difference| difference.moment),
        "other_plugins": other, "inputs_lost": lost,
        "not_compared": without_poses.iter().map(|(from, to)| to - from).sum::<u64>(),
        "state_hash": format!("{:016x}", rerun.world().state_hash()), "players": rerun.beside(),
    });
    print(as_json, &result, |out| {
        if difference.is_none() {
            let hash = rerun.world().state_hash();
            writeln!(out, "{compared} moments are the same, bit by bit; state {hash:016x}")?;
        }
        // What lies behind a difference was not compared anyway.
        let reached = difference.map_or(u64::MAX, |difference| difference.moment);
        for (from, to) in without_poses.iter().filter(|(from, _)| *from < reached) {
            let (count, last) = (to - from, to - 1);
            writeln!(out, "{count} moments, {from} to {last}, could not be compared: their poses were lost")?;
        }
        players::print(rerun.beside(), log.header.scenario.dt_secs, out)?;
        let Some(Difference { step, moment }) = difference else { return Ok(()) };
        let secs = moment as f64 * log.header.scenario.dt_secs;
        writeln!(out, "step {step} is the first that differs (moment {moment}, {secs:.2} s)")?;
        if lost {
            writeln!(out, "  inputs were lost in a gap: behind it the world cannot be run again")?;
        }
        other.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        if other.is_empty() && !lost {
            writeln!(
                out,
                "  the plugins have the same versions: one of them was changed, or is not deterministic"
            )?;
        }
        Ok(())
    })?;
    let is_same = difference.is_none() && rerun.beside().iter().all(touchline_record::Beside::is_same);
    if is_same { Ok(()) } else { Err(Failure::Check) }
}

fn cut(path: &Path, from: f64, to: Option<f64>, out: &Path) -> Result<(), Failure> {
    let dt_secs = read_log(path)?.header.scenario.dt_secs;
    let moment = |secs: f64| (secs / dt_secs).round() as u64;
    let range = moment(from)..=to.map_or(u64::MAX, moment);
    if range.is_empty() {
        return Err(Failure::Configuration(format!("--from {from} lies behind --to {}", to.unwrap_or(from))));
    }
    copy(path, range, out)
}

fn recover(path: &Path, out: &Path) -> Result<(), Failure> {
    copy(path, 0..=u64::MAX, out)?;
    // What is called recovered has been opened again.
    let (before, after) = (read_log(path)?, read_log(out)?);
    if after.ending != Ending::Whole || after.newest != before.newest || after.inputs != before.inputs {
        return Err(Failure::Resource(format!(
            "{}: it was written, but does not read as it should",
            out.display()
        )));
    }
    let secs = after.newest as f64 * after.header.scenario.dt_secs;
    let mut stdout = std::io::stdout().lock();
    Ok(writeln!(
        stdout,
        "{}: {secs:.2} s, {} steps, {} inputs",
        out.display(),
        after.newest,
        after.inputs.len()
    )?)
}

fn copy(path: &Path, range: std::ops::RangeInclusive<u64>, out: &Path) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Resource(format!("{}: {error}", out.display()));
    let copied = export::copy(open(path)?, range, create(out)?).map_err(|error| match error {
        export::CopyError::Read(error) => wrong(path, &error),
        export::CopyError::Write(error) => failed(&error),
    })?;
    copied.into_inner().map_err(|error| failed(error.error()))?;
    Ok(())
}

fn csv(path: &Path, topic: Option<&str>) -> Result<(), Failure> {
    let out = BufWriter::new(std::io::stdout().lock());
    let written = match topic {
        None => export::poses_csv(&read_log(path)?, out),
        Some(topic) => export::topic_csv(open(path)?, topic, out),
    };
    written.map_err(|error| match error {
        export::CsvError::Read(error) => wrong(path, &error),
        export::CsvError::Topic { .. } => Failure::Configuration(format!("{}: {error}", path.display())),
        export::CsvError::Write(error) => match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            kind => Failure::Resource(format!("{kind:?}")),
        },
    })
}
