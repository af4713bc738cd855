//! `touchline check`: everything that is wrong with files, without running them, and what sensors cost.

use super::options::CheckOptions;
use super::places::Places;
use super::{Failure, PluginOptions, contract, costs, print, shipped};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use touchline_batch::BatchError;
use touchline_challenge::Challenge;
use touchline_config::CheckedWorld;
use touchline_host::{AttemptResult, Host};
use touchline_sim::{Scenario, World};
use touchline_tournament::Tournament;

/// What became of each file, as it is printed.
#[derive(Serialize)]
struct All {
    sound: bool,
    files: Vec<Checked>,
}

/// What became of one file.
#[derive(Serialize)]
struct Checked {
    file: String,
    sound: bool,
    said: String,
}

pub fn check(options: &CheckOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let (mut sound, mut checked) = (true, Vec::new());
    for file in &options.files {
        let result = match options.contract {
            true => contract::keep(file, &options.params, &host),
            false => match places.not_there(file) {
                Some(why) => Err(why),
                None => check_file(&places.robot_or_world(file), &host, &places),
            },
        };
        let (is_sound, said) = match &result {
            Ok(what) => (true, what.trim_end()),
            Err(message) => (false, message.trim_end()),
        };
        sound &= is_sound;
        checked.push(Checked { file: file.display().to_string(), sound: is_sound, said: said.to_owned() });
    }
    let all = All { sound, files: checked };
    print(options.json, &all, |out| {
        all.files.iter().try_for_each(|Checked { file, sound, said }| match sound {
            true => writeln!(out, "{file}: {said}"),
            false => writeln!(out, "{said}"),
        })
    })?;
    if sound { Ok(()) } else { Err(Failure::Check) }
}

fn check_file(path: &Path, host: &Arc<Host>, places: &Places) -> Result<String, String> {
    if path.extension().is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION) {
        let attempt = host.check_apart(path);
        return match attempt.result {
            AttemptResult::Loaded(plugin) => {
                Ok(format!("{} plugin \"{}\" {}", plugin.kind, plugin.name, plugin.version))
            }
            _ => Err(attempt.to_string()),
        };
    }
    if let Some(what) = not_whole(path)? {
        return Ok(what);
    }
    if is_tournament(path) {
        let tournament =
            Tournament::load(path, &places.files(), Arc::clone(host)).map_err(|report| report.to_string())?;
        let (entrants, matches) = (tournament.entrants().join(", "), tournament.matches());
        return Ok(format!("tournament \"{}\": entrants {entrants}; matches {matches}", tournament.name()));
    }
    if is_challenge(path) {
        let challenge = Challenge::load(path, &places.files(), Arc::clone(host), Vec::new())
            .map_err(|report| report.to_string())?;
        let spec = challenge.spec();
        let references: Vec<&str> = spec.references.iter().map(|reference| reference.name.as_str()).collect();
        return Ok(format!(
            "challenge \"{}\": {} runs of {} attempts; references {}",
            spec.name,
            spec.runs,
            spec.attempts,
            if references.is_empty() { "none".into() } else { references.join(", ") }
        ));
    }
    if is_world(path) {
        let CheckedWorld { scenario, made } =
            touchline_config::check_world_with(path, &places.files(), host.as_ref())
                .map_err(|report| report.to_string())?;
        let world = World::of_checked(scenario.clone(), made, Arc::clone(host) as _)
            .map_err(|error| touchline_config::refused_world(path, &error).to_string())?;
        if scenario.episode.is_some() {
            touchline_batch::check_agents(&world).map_err(|error| of_episode(path, &error))?;
        }
        return Ok(format!("{}\n{}", describe(&scenario), costs::of_world(scenario, host)));
    }
    let spec = touchline_config::load_robot_with(path, &places.files(), host.as_ref())
        .map_err(|report| report.to_string())?;
    let names = |names: Vec<&str>| if names.is_empty() { "none".into() } else { names.join(", ") };
    let what = format!(
        "robot \"{}\": motion {}; sensors {}; manipulators {}",
        spec.model,
        spec.motion.plugin,
        names(spec.sensors.iter().map(|sensor| sensor.id.as_str()).collect()),
        names(spec.manipulators.iter().map(|manipulator| manipulator.name.as_str()).collect()),
    );
    Ok(format!("{what}\n{}", costs::of_robot(spec, host)))
}

/// What is wrong with what agents observe and decide, with its line if that stands in the file itself.
fn of_episode(path: &Path, error: &BatchError) -> String {
    let word = match error {
        BatchError::Word { word, .. } => format!("\"{word}\""),
        _ => "[episode]".to_owned(),
    };
    let text = touchline_config::read_text(path).unwrap_or_default();
    let line = text.lines().position(|line| line.contains(&word));
    let line = line.map_or_else(String::new, |line| format!(":{}", line + 1));
    format!("{}{line}: {error}\n  hint     docs/episodes.md has all words", path.display())
}

fn describe(world: &Scenario) -> String {
    let (robots, balls, fixtures) = (world.robots.len(), world.balls.len(), world.fixtures.len());
    format!("world \"{}\": robots {robots}, balls {balls}, fixtures {fixtures}", world.name)
}

/// The keys at the top of robot files alone, and of world files alone.
const OF_ROBOTS: [&str; 7] = ["model", "motion", "body", "mass_kg", "sensor", "manipulator", "traction_m_s2"];
const OF_WORLDS: [&str; 8] = ["name", "dt_s", "fixture", "ball", "robot", "team", "referee", "episode"];

/// What a file is that is neither a robot nor a world by itself: a part that others include.
///
/// # Errors
/// When there is nothing in it, or it says of itself that it is both.
fn not_whole(path: &Path) -> Result<Option<String>, String> {
    // What cannot be read, or is no TOML, is told with its reason and place later on.
    let Ok(text) = touchline_config::read_text(path) else { return Ok(None) };
    let Ok(table) = text.parse::<toml::Table>() else { return Ok(None) };
    let has = |keys: &[&str]| keys.iter().any(|key| table.contains_key(*key));
    let file = path.display();
    if table.is_empty() && path.is_file() {
        let hint = "`touchline schema robot` and `touchline schema world` say what may stand in one";
        return Err(format!("{file}: the file is empty: neither a robot nor a world\n  hint     {hint}"));
    }
    if has(&["model"]) || has(&["name"]) || has(&["entrant"]) {
        return Ok(None);
    }
    let of = |kind: &str, needed: &str| {
        let keys = table.keys().cloned().collect::<Vec<_>>().join(", ");
        Ok(Some(format!(
            "part of a {kind} ({keys}), without `{needed}`: it is checked in the files that include it"
        )))
    };
    // Files that include others may have everything from there.
    match (has(&OF_ROBOTS), has(&OF_WORLDS)) {
        _ if table.contains_key("include") => Ok(None),
        (true, false) => of("robot", "model"),
        (false, true) => of("world", "name"),
        _ => Ok(None),
    }
}

/// A tournament file has entrants, and no other has.
fn is_tournament(path: &Path) -> bool {
    let text = touchline_config::read_text(path).unwrap_or_default();
    text.lines().any(|line| line.trim_start().starts_with("[[entrant]]"))
}

/// A challenge file says how a score is counted, and no other does.
fn is_challenge(path: &Path) -> bool {
    let text = touchline_config::read_text(path).unwrap_or_default();
    text.lines().any(|line| line.trim() == "[score]")
}

/// A robot file says what moves it, or at least its model; a file that does not even parse is told apart by a world's tables in its text.
fn is_world(path: &Path) -> bool {
    let text = touchline_config::read_text(path).unwrap_or_default();
    match text.parse::<toml::Table>() {
        // A robot's motion and body may be in parts that it includes; its model is its own.
        Ok(table) => !["motion", "body", "model"].iter().any(|key| table.contains_key(*key)),
        Err(_) => {
            let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
            has("dt_s") || has("[[fixture]]") || has("[[robot]]") || has("[[ball]]")
        }
    }
}
