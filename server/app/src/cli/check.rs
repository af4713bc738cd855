//! `touchline check`: everything that is wrong with files, without running them, and what sensors cost.

use super::file_kind::{FileKind, PARTS, kind_of};
use super::options::CheckOptions;
use super::places::Places;
use super::{Failure, PluginOptions, contract, costs, keys, print, shipped};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use touchline_batch::BatchError;
use touchline_challenge::Challenge;
use touchline_config::{CheckedWorld, PartOf, Problem, Report, shown};
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
    /// Each that is wrong with a configuration file, also those that `said` puts together.
    problems: Vec<Problem>,
}

pub fn check(options: &CheckOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let (mut sound, mut checked) = (true, Vec::new());
    for file in &options.files {
        let result = match options.contract {
            true => contract::keep(file, &options.params, &host).map_err(Wrong::from),
            false => match places.not_there(file) {
                Some(why) => Err(why.into()),
                None => check_file(&places.robot_or_world(file), &host, &places),
            },
        };
        let is_sound = result.is_ok();
        let (said, problems) = match result {
            Ok(what) => (what, Vec::new()),
            Err(Wrong { said, problems }) => (said, problems),
        };
        sound &= is_sound;
        let said = said.trim_end().to_owned();
        checked.push(Checked { file: file.display().to_string(), sound: is_sound, said, problems });
    }
    let all = All { sound, files: checked };
    print(options.json, &all, |out| {
        all.files.iter().try_for_each(|Checked { file, sound, said, .. }| match sound {
            true => writeln!(out, "{file}: {said}"),
            false => writeln!(out, "{said}"),
        })
    })?;
    if sound { Ok(()) } else { Err(Failure::Check) }
}

/// What is wrong with a file: for people, and each problem of a file by itself for programs.
struct Wrong {
    said: String,
    problems: Vec<Problem>,
}

impl From<String> for Wrong {
    fn from(said: String) -> Self {
        Self { said, problems: Vec::new() }
    }
}

impl From<Report> for Wrong {
    fn from(report: Report) -> Self {
        Self { said: report.to_string(), problems: report.problems }
    }
}

impl Wrong {
    /// The missing key may be meant to be: then the file is a part that lies in the wrong place.
    fn or_a_part(mut self, needs: &str) -> Self {
        let what = format!("\"{needs}\" is missing");
        if let Some(missing) = self.problems.iter_mut().find(|problem| problem.what == what) {
            missing.hint = Some(format!("a part that others include lies in a folder `{PARTS}`"));
            return Report { problems: self.problems }.into();
        }
        self
    }
}

fn check_file(path: &Path, host: &Arc<Host>, places: &Places) -> Result<String, Wrong> {
    if path.extension().is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION) {
        let attempt = host.check_apart(path);
        return match attempt.result {
            AttemptResult::Loaded(plugin) => {
                Ok(format!("{} plugin \"{}\" {}", plugin.kind, plugin.name, plugin.version))
            }
            _ => Err(attempt.to_string().into()),
        };
    }
    match kind_of(path, &places.files()) {
        FileKind::Robot => check_robot(path, host, places),
        FileKind::World => check_world(path, host, places),
        FileKind::AllBut { of, needs } => {
            let checked = match of {
                PartOf::Robot => check_robot(path, host, places),
                PartOf::World => check_world(path, host, places),
            };
            checked.map_err(|wrong| wrong.or_a_part(needs))
        }
        FileKind::Tournament => {
            let tournament = Tournament::load(path, &places.files(), Arc::clone(host))?;
            let (entrants, matches) = (tournament.entrants().join(", "), tournament.matches());
            Ok(format!("tournament \"{}\": entrants {entrants}; matches {matches}", tournament.name()))
        }
        FileKind::Challenge => check_challenge(path, host, places),
        FileKind::Competition => {
            let teams = touchline_config::check_competition(path)?.teams;
            let names: Vec<&str> = teams.iter().map(|team| team.name.as_str()).collect();
            let hint = "with its challenges `touchline challenge test` checks it";
            Ok(format!("competition of {} teams: {}; {hint}", teams.len(), shown(&names.join(", "))))
        }
        FileKind::Keys => {
            let text = keys::read_private(path).map_err(|failure| failure.to_string())?;
            let keys = touchline_config::parse_keys(&text, path, None)?.keys;
            Ok(format!(
                "keys file: {} keys; `--keys` checks its teams against those of the world",
                keys.len()
            ))
        }
        FileKind::Part { of, needs, keys } => {
            touchline_config::check_part(path, of, &places.files())?;
            let of = if of == PartOf::Robot { "robot" } else { "world" };
            let keys = keys.join(", ");
            Ok(format!(
                "part of a {of} ({keys}), without `{needs}`: what else is missing, and what plugins take, is checked in the files that include it"
            ))
        }
        FileKind::Empty => {
            let hint = "`touchline schema robot` and `touchline schema world` say what may stand in one";
            let what = "the file is empty: neither a robot nor a world";
            Err(format!("{}: {what}\n  hint     {hint}", path.display()).into())
        }
    }
}

fn check_challenge(path: &Path, host: &Arc<Host>, places: &Places) -> Result<String, Wrong> {
    let challenge = Challenge::load(path, &places.files(), Arc::clone(host), Vec::new())?;
    let spec = challenge.spec();
    let references: Vec<&str> = spec.references.iter().map(|reference| reference.name.as_str()).collect();
    Ok(format!(
        "challenge \"{}\": {} runs of {} attempts; references {}",
        spec.name,
        spec.runs,
        spec.attempts,
        if references.is_empty() { "none".into() } else { references.join(", ") }
    ))
}

fn check_world(path: &Path, host: &Arc<Host>, places: &Places) -> Result<String, Wrong> {
    let CheckedWorld { scenario, made } =
        touchline_config::check_world_with(path, &places.files(), host.as_ref())?;
    let world = World::of_checked(scenario.clone(), made, Arc::clone(host) as _)
        .map_err(|error| touchline_config::refused_world(path, &error))?;
    if scenario.episode.is_some() {
        touchline_batch::check_agents(&world).map_err(|error| of_episode(path, &error))?;
    }
    Ok(format!("{}\n{}", describe(&scenario), costs::of_world(scenario, host)))
}

fn check_robot(path: &Path, host: &Arc<Host>, places: &Places) -> Result<String, Wrong> {
    let spec = touchline_config::load_robot_with(path, &places.files(), host.as_ref())?;
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
