//! `touchline log`: what can be done with recordings.

use super::compare::compare;
use super::{
    Failure, PluginOptions, log_csv, log_options, log_verify, print, shipped, signals, soccer_log, text,
    written,
};
use serde::Serialize;
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use touchline_config::{nearest, shell_word, shown};
use touchline_record::{CopyError, Ending, Gap, Hole, Log, ReadError, Recovered, copy};

pub fn log(what: &log_options::Log, plugins: &PluginOptions) -> Result<(), Failure> {
    match what {
        log_options::Log::Info { log, json } => info(log, *json),
        log_options::Log::Verify { log, json, players } => log_verify::verify(log, *json, players, plugins),
        log_options::Log::Cut { log, from, to, out, json } => cut(log, *from, *to, out, *json),
        log_options::Log::Recover { log, out, json } => recover(log, out, *json),
        log_options::Log::Import { log, out } => {
            soccer_log::import(log, out, &shipped::load_plugins(plugins)?)
        }
        log_options::Log::Statistics { log, json } => soccer_log::statistics(log, *json),
        log_options::Log::Convert { log, version, out } => soccer_log::convert(log, *version, out),
        log_options::Log::Csv { log, topic, json } => log_csv::csv(log, topic.as_deref(), *json),
        log_options::Log::Compare(options) => compare(options),
    }
}

/// Reads a recording; one that was cut off is read up to there.
pub fn read_log(path: &Path) -> Result<Log, Failure> {
    Log::read(open(path)?).map_err(|error| wrong(path, &error))
}

/// The recordings in a folder, by their names; `None` if it is no folder.
///
/// # Errors
/// When it cannot be read, or has none.
pub fn recordings_in(folder: &Path) -> Result<Option<Vec<PathBuf>>, Failure> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let failed = |error| Failure::Resource(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut recordings = paths.map_err(failed)?;
    recordings.retain(|path| path.extension().is_some_and(|ending| ending == "mcap"));
    recordings.sort();
    match recordings.is_empty() {
        true => Err(Failure::Resource(format!(
            "{}: there is no recording (.mcap) in this folder",
            folder.display()
        ))),
        false => Ok(Some(recordings)),
    }
}

/// Reads a recording of which all is needed.
pub fn read_whole(path: &Path) -> Result<Log, Failure> {
    Log::read_whole(open(path)?).map_err(|error| wrong(path, &error))
}

/// Opens a recording to be read from its beginning to its end.
pub fn open(path: &Path) -> Result<impl BufRead + Seek + use<>, Failure> {
    let file = File::open(path).map_err(|error| not_opened(path, &error))?;
    Ok(BufReader::with_capacity(1 << 20, signals::reading(file)))
}

fn not_opened(path: &Path, error: &std::io::Error) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let hint = match error.kind() {
        std::io::ErrorKind::NotFound if !folder.is_dir() => {
            format!("\n  hint     there is no folder {}", folder.display())
        }
        std::io::ErrorKind::NotFound => near(path, folder),
        _ => String::new(),
    };
    Failure::Resource(format!("{}: {error}{hint}", path.display()))
}

/// What lies in the folder and may have been meant: recordings and game logs, the nearest name first.
fn near(path: &Path, folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| [".mcap", ".rcg", ".rcg.gz", ".csv"].iter().any(|ending| name.ends_with(ending)))
        .collect();
    names.sort();
    let meant = path.file_name().unwrap_or_default().to_string_lossy();
    let told = match nearest(&meant, names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean \"{}\"?", folder.join(name).display()),
        None if names.is_empty() => format!("no recording lies in the folder {}", folder.display()),
        None => format!("there are in its folder: {}", names.join(", ")),
    };
    format!("\n  hint     {told}")
}

/// What is said of a recording that cannot be read.
pub fn wrong(path: &Path, error: &ReadError) -> Failure {
    let text = format!("{}: {error}", path.display());
    match error {
        ReadError::File(_) => Failure::Resource(text),
        _ if path.extension().is_some_and(|ending| ending == "toml") => {
            let file = shell_word(path);
            let hint = format!(
                "a recording ends in .mcap; a world is run by `touchline serve {file}` or `touchline run {file}`"
            );
            Failure::Configuration(format!("{text}\n  hint     {hint}"))
        }
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
    first_tick: u64,
    last_tick: u64,
    ticks: u64,
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
        first_tick: log.oldest(),
        last_tick: log.newest,
        ticks: log.newest - log.oldest(),
        seconds: log.length_secs(),
        inputs: log.inputs.len(),
        goals: count("goal"),
        faults: count("fault"),
        messages: log.radio.len(),
        gaps: &log.gaps,
        whole: log.ending == Ending::Whole,
        cut_off: cut_off(&log),
        plugins: header.plugins.iter().map(plugin).collect(),
        topics: &log.topics,
    };
    print(as_json, &info, |out| write_info(&info, out))
}

fn write_info(info: &Info<'_>, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "world     {} (seed {})", info.world, info.seed)?;
    writeln!(out, "recorded  {} by touchline {}", info.recorded_at, info.server)?;
    writeln!(out, "length    {:.2} s, {} steps of {} s", info.seconds, info.ticks, info.dt_secs)?;
    if info.first_tick > 0 {
        let from_secs = info.first_tick as f64 * info.dt_secs;
        writeln!(out, "a part    from {from_secs:.2} s on, step {}; inputs from the first", info.first_tick)?;
    }
    writeln!(
        out,
        "inputs    {}   goals {}   faults {}   messages {}",
        info.inputs, info.goals, info.faults, info.messages
    )?;
    writeln!(out, "plugins   {}", info.plugins.join(", "))?;
    for (topic, messages) in info.topics {
        writeln!(out, "{messages:>9} {}", shown(topic))?;
    }
    for gap in info.gaps {
        writeln!(out, "gap       {gap}")?;
    }
    if let Some(cut_off) = &info.cut_off {
        writeln!(out, "cut off   {cut_off}; `touchline log recover` makes a whole file of it")?;
    }
    Ok(())
}

/// Where a recording was cut off, if it was.
pub fn cut_off(log: &Log) -> Option<String> {
    match &log.ending {
        Ending::Whole => None,
        Ending::CutOff { at_byte, problem } => Some(format!("after {at_byte} bytes: {problem}")),
    }
}

fn cut(path: &Path, from: f64, to: Option<f64>, out: &Path, as_json: bool) -> Result<(), Failure> {
    let log = read_whole(path)?;
    let dt_secs = log.header.scenario.dt_secs;
    let tick = |secs: f64| (secs / dt_secs).round() as u64;
    let range = tick(from)..=to.map_or(u64::MAX, tick);
    if range.is_empty() {
        return Err(Failure::Configuration(format!("--from {from} lies behind --to {}", to.unwrap_or(from))));
    }
    let (oldest, newest) = (log.oldest(), log.newest);
    if *range.start() > newest || *range.end() < oldest {
        let (oldest_secs, newest_secs) = (oldest as f64 * dt_secs, newest as f64 * dt_secs);
        return Err(Failure::Configuration(format!(
            "{}: nothing of it lies there: the recording has {oldest_secs:.2} s to {newest_secs:.2} s\n  hint     --from and --to count the simulated seconds since the server began, also in a part of a recording",
            path.display()
        )));
    }
    write(path, out, |file| copy(open(path)?, range, file).map_err(|error| not_copied(path, out, error)))?;
    if !as_json {
        return Ok(());
    }
    let made = read_whole(out)?;
    let (first, last) = (made.oldest(), made.newest);
    let result = json!({
        "file": out.display().to_string(), "first_tick": first, "last_tick": last, "ticks": last - first,
        "seconds": made.length_secs(),
    });
    print(true, &result, |_| Ok(()))
}

fn recover(path: &Path, out: &Path, as_json: bool) -> Result<(), Failure> {
    let mut recovered = Recovered::default();
    write(path, out, |file| {
        let (file, what) =
            touchline_record::recover(open(path)?, file).map_err(|error| not_copied(path, out, error))?;
        recovered = what;
        Ok(file)
    })?;
    // What is called recovered has been opened again.
    let after = read_whole(out)?;
    let (secs, steps, inputs) = (after.length_secs(), after.newest - after.oldest(), after.inputs.len());
    if as_json {
        let holes = recovered.holes.iter().map(|Hole { from_byte, to_byte, problem, .. }| {
            json!({ "from_byte": from_byte, "to_byte": to_byte, "problem": problem.to_string() })
        });
        let lost = recovered.lost_messages.iter();
        let lost = lost.map(|(topic, messages)| json!({ "topic": topic, "messages": messages }));
        let result = json!({
            "file": out.display().to_string(), "first_tick": after.oldest(), "last_tick": after.newest,
            "seconds": secs, "ticks": steps, "inputs": inputs,
            "left_out": holes.collect::<Vec<_>>(), "gaps": recovered.gaps, "lost": lost.collect::<Vec<_>>(),
        });
        return print(true, &result, |_| Ok(()));
    }
    let mut stdout = text();
    writeln!(stdout, "{}: {secs:.2} s, {steps} steps, {inputs} inputs", out.display())?;
    for Hole { from_byte, to_byte, problem, .. } in &recovered.holes {
        let to = to_byte.map_or("the end".into(), |byte| format!("byte {byte}"));
        writeln!(stdout, "left out  byte {from_byte} to {to}: {problem}")?;
    }
    for gap in &recovered.gaps {
        writeln!(stdout, "gap       {gap}")?;
        if gap.inputs_lost {
            writeln!(stdout, "          if inputs were, the world cannot be run again from there on")?;
        }
    }
    for (topic, messages) in &recovered.lost_messages {
        writeln!(stdout, "lost      {messages} messages of {}", shown(topic))?;
    }
    Ok(())
}

/// Makes a file, which has its name only when it is whole.
fn write(
    path: &Path,
    out: &Path,
    make: impl FnOnce(BufWriter<File>) -> Result<BufWriter<File>, Failure>,
) -> Result<(), Failure> {
    // Who has no recording makes no file.
    open(path)?;
    let failed = |error: &dyn std::fmt::Display| Failure::Resource(format!("{}: {error}", out.display()));
    let part = written::part_of(out)?;
    let made = make(create(&part)?)
        .and_then(|file| file.into_inner().map_err(|error| failed(error.error())))
        .and_then(|file| file.sync_all().map_err(|error| failed(&error)))
        .and_then(|()| written::name_part(&part, out));
    if made.is_err() {
        std::fs::remove_file(&part).map_err(|error| failed(&error))?;
    }
    made
}

fn not_copied(path: &Path, out: &Path, error: CopyError) -> Failure {
    match error {
        CopyError::Read(error) => wrong(path, &error),
        CopyError::Write(error) => Failure::Resource(format!("{}: {error}", out.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_its_name_only_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!(".b.mcap.{}.part", std::process::id());
        let [from, out, part] = ["a.mcap", "b.mcap", &own].map(|name| folder.path().join(name));
        std::fs::write(&from, "a").unwrap();
        // One that was ended left it.
        std::fs::write(&part, "half").unwrap();
        assert!(write(&from, &out, |_| Err(Failure::Check)).is_err());
        assert!(!out.exists() && !part.exists());
        std::fs::write(&part, "half").unwrap();
        let whole = |mut file: BufWriter<File>| {
            assert!(!out.exists() && part.exists());
            file.write_all(b"whole")?;
            Ok(file)
        };
        write(&from, &out, whole).unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "whole");
        assert!(!part.exists());
        assert!(write(&from, &out, Ok).is_err(), "what is there is not written over");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "whole");
    }
}
