//! A tournament file: a world with two teams, and who plays for them. (B1)
//!
//! An entrant replaces the players of a team's robots, whichever of the two teams it plays for. What a file says of players is checked
//! as in a world file, and by making the world with each entrant on both sides.

mod entrant;
mod program;

use entrant::{Placed, check_choices, entrant, player_tables};
pub use program::{PLACEHOLDERS, ProgramSpec};

use crate::document::{At, Document};
use crate::files::{NAME, Player};
use crate::plugins::Plugins;
use crate::report::Report;
use crate::schema::Schema;
use crate::source::{BESIDE, Disk, FileSource, SourceFile};
use crate::world;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::env::consts::DLL_SUFFIX;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::scenario::{PlayerChoice, Scenario};
use touchline_sim::{CommandError, PluginFactory, World};

/// A tournament: who plays whom, where, how long and how often.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Touchline tournament file")]
#[allow(dead_code, reason = "some keys are read one by one")]
pub(crate) struct TournamentFile {
    /// Files with parts of a tournament, relative to this file.
    #[serde(default)]
    #[schemars(length(max = 32))]
    pub include: Vec<String>,
    /// Its name.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// The world file that is played, relative to this file: it has two teams and a referee.
    #[schemars(length(min = 1))]
    pub world: String,
    /// How long a match takes, simulated seconds; it ends before if the referee says so.
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0))]
    pub match_s: f64,
    /// How many pairs of matches each two entrants play: both matches of a pair have the same seed, with swapped sides.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub pairs: u32,
    /// What the seeds of all matches are made from.
    #[serde(default = "one")]
    #[schemars(range(min = 0))]
    pub seed: u64,
    /// How long the world waits for each order of an entrant's program, seconds of the clock on the wall. The match of one that is
    /// later is played again, and void if that does not help.
    #[serde(default = "order_timeout")]
    #[schemars(range(min = 0.1, max = 86_400.0))]
    pub order_timeout_s: f64,
    /// How long a program may take to start, until it has taken its robots: seconds of the clock on the wall.
    #[serde(default = "start_timeout")]
    #[schemars(range(min = 0.1, max = 86_400.0))]
    pub start_timeout_s: f64,
    /// Who takes part.
    #[schemars(length(min = 2, max = 256))]
    pub entrant: Vec<EntrantFile>,
}

/// One that takes part.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "some keys are read one by one")]
pub(crate) struct EntrantFile {
    /// Its name.
    #[schemars(pattern(NAME))]
    pub name: String,
    /// Who drives which robots of its team; the others keep the world file's players. A key is `all`, the plugin that the world file
    /// has for a robot (such as `goalkeeper`), a robot's number in its team from 1, or a robot's name; what comes later in
    /// this list counts more. The plugin is a name, or a library file relative to this file.
    #[serde(default)]
    pub players: BTreeMap<String, Player>,
    /// A program that drives robots of its team over the message board, and its arguments. It is started for each match, in this file's
    /// folder. In its words `{board}` stands for the address where it connects, `{team}` for its team's name, `{robots}` for the names of
    /// the robots that it drives, with commas, `{key}` for the key of this match that its connections show, `{seed}` for the match's seed, and `{match}` for its number.
    #[schemars(length(min = 1, max = 64))]
    pub command: Option<Vec<String>>,
    /// Which robots the command drives, by keys as in `players`; all of the team if it is not given. Where a key of `players` says more
    /// closely which robot it means, that counts.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub drives: Vec<String>,
}

fn one() -> u64 {
    1
}

fn order_timeout() -> f64 {
    10.0
}

fn start_timeout() -> f64 {
    60.0
}

/// What a tournament file says, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentSpec {
    /// Name of the tournament.
    pub name: String,
    /// The world, with its own players; it has two teams.
    pub scenario: Scenario,
    /// How long a match takes, simulated seconds.
    pub match_secs: f64,
    /// How many pairs of matches each two entrants play.
    pub pairs: u32,
    /// What the seeds of all matches are made from.
    pub seed: u64,
    /// How long the world waits for each order of a program, seconds of the clock on the wall.
    pub order_timeout_secs: f64,
    /// How long a program may take to start, seconds of the clock on the wall.
    pub start_timeout_secs: f64,
    /// Who takes part, in the order of the file.
    pub entrants: Vec<EntrantSpec>,
}

/// One entrant of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct EntrantSpec {
    /// Name of the entrant.
    pub name: String,
    /// The players that it brings, by the robots' indices in the scenario: for both teams.
    pub players: BTreeMap<usize, PlayerChoice>,
    /// The program that drives others.
    pub program: Option<ProgramSpec>,
}

impl TournamentSpec {
    /// The world with one entrant in each team.
    pub fn scenario_of(&self, sides: [&EntrantSpec; 2]) -> Scenario {
        with_players(&self.scenario, sides)
    }
}

fn with_players(scenario: &Scenario, sides: [&EntrantSpec; 2]) -> Scenario {
    let mut scenario = scenario.clone();
    for (index, robot) in scenario.robots.iter_mut().enumerate() {
        let Some(side) = robot.team.and_then(|team| sides.get(team as usize)) else { continue };
        if let Some(player) = side.players.get(&index) {
            robot.player = Some(player.clone());
        } else if side.program.as_ref().is_some_and(|program| program.robots.contains(&index)) {
            robot.player = None;
        }
    }
    if let Some(episode) = &mut scenario.episode {
        // Nobody decides from outside in a match.
        episode.agents.clear();
        episode.observe.clear();
    }
    scenario
}

/// Loads a tournament file from disk, and the files that it names from `read`.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load_tournament(
    path: &Path,
    read: &dyn FileSource,
    factory: &Arc<dyn PluginFactory>,
) -> Result<TournamentSpec, Report> {
    parse_tournament(&crate::disk_text(path)?, path, read, factory)
}

/// Parses a tournament file; `name` is what messages call it, and what the names in it are relative to.
///
/// A player's library file is known to the factory under the name that the file has for it.
///
/// # Errors
/// Everything that is wrong with the text, and with the files that it names.
pub fn parse_tournament(
    text: &str,
    name: &Path,
    read: &dyn FileSource,
    factory: &Arc<dyn PluginFactory>,
) -> Result<TournamentSpec, Report> {
    let file = SourceFile { path: name.to_owned(), text: text.to_owned() };
    let mut document = Document::parse(file, read);
    if let Some(schema) = schema() {
        schema.check(&mut document, "");
    }
    document.check_unique("/entrant", "name");
    let plugins = Plugins::new(factory.as_ref());
    let mut elsewhere = Vec::new();
    let mut scenario = None;
    if let Some(world) = document.read::<String>("/world") {
        match read.read(document.path_of("/world"), &world) {
            Err(reason) => {
                let what = format!("cannot read the world file \"{world}\": {reason}");
                document.report("/world", At::Value, "config/file-not-read", what).hint = Some(BESIDE.into());
            }
            Ok(file) => match world::read(file.clone(), read, &plugins) {
                Ok(found) => scenario = Some((found, file)),
                Err(problems) => elsewhere = problems,
            },
        }
    }
    let mut entrants = Vec::new();
    if let Some((scenario, file)) = &scenario {
        check_world(&mut document, scenario);
        for pointer in document.items("/entrant") {
            entrants.push(entrant(&mut document, read, &plugins, &pointer, scenario));
        }
        if document.problems.is_empty() {
            try_worlds(&mut document, &plugins, factory, scenario, &entrants, |error| {
                elsewhere.extend(world::refused(file.clone(), read, error).problems);
            });
        }
    } else {
        // The players can be looked at without a world.
        for pointer in document.items("/entrant") {
            check_choices(&mut document, read, &plugins, &pointer);
            program::check_command(&mut document, &pointer);
        }
    }
    let file = document.finish::<TournamentFile>();
    let mut problems = document.problems;
    problems.append(&mut elsewhere);
    match (file, scenario) {
        (Some(file), Some((scenario, _))) if problems.is_empty() => Ok(TournamentSpec {
            name: file.name,
            scenario,
            match_secs: file.match_s,
            pairs: file.pairs,
            seed: file.seed,
            order_timeout_secs: file.order_timeout_s,
            start_timeout_secs: file.start_timeout_s,
            entrants: entrants.into_iter().map(|entrant| entrant.spec).collect(),
        }),
        _ => Err(Report::new(problems)),
    }
}

/// The library files that a tournament file names in place of plugins: as they are written, and where they are.
pub fn tournament_libraries(path: &Path) -> Vec<(String, PathBuf)> {
    let Ok(text) = crate::source::read_text(path) else { return Vec::new() };
    let document = Document::parse(SourceFile { path: path.to_owned(), text }, &Disk);
    let mut libraries: Vec<(String, PathBuf)> = Vec::new();
    for entrant in document.items("/entrant") {
        for table in player_tables(&document, &entrant) {
            let pointer = format!("{table}/plugin");
            let Some(plugin) = document.read::<String>(&pointer) else { continue };
            let is_file = plugin.contains(['/', '\\']) || plugin.ends_with(DLL_SUFFIX);
            if is_file && !libraries.iter().any(|(name, _)| *name == plugin) {
                let folder = document.path_of(&pointer).parent().unwrap_or(Path::new(""));
                libraries.push((plugin.clone(), folder.join(&plugin)));
            }
        }
    }
    libraries
}

fn schema() -> Option<&'static Schema> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::new(crate::tournament_rules()).ok()).as_ref()
}

fn check_world(document: &mut Document, scenario: &Scenario) {
    let mut wrong = |what: String, hint: &str| {
        document.report("/world", At::Value, "config/bad-value", what).hint = Some(hint.into());
    };
    if scenario.teams.len() != 2 {
        let what = format!("world \"{}\" has {} teams", scenario.name, scenario.teams.len());
        wrong(what, "a match is played by two");
    }
    if scenario.referee.is_none() {
        wrong(
            format!("world \"{}\" has no referee", scenario.name),
            "goals are counted by a referee: add [referee]",
        );
    }
    for (team, name) in scenario.teams.iter().enumerate().take(2) {
        if !scenario.robots.iter().any(|robot| robot.team == Some(team as u32)) {
            let what = format!("team \"{}\" of world \"{}\" has no robots", name.name, scenario.name);
            wrong(what, "give each team at least one [[robot]]");
        }
    }
}

/// Makes the world with each entrant on both sides: what depends on a robot is found so.
fn try_worlds(
    document: &mut Document,
    plugins: &Plugins<'_>,
    factory: &Arc<dyn PluginFactory>,
    scenario: &Scenario,
    entrants: &[Placed],
    mut refused: impl FnMut(&touchline_sim::WorldError),
) {
    for Placed { spec, tables } in entrants {
        let Err(error) = World::new(with_players(scenario, [spec; 2]), Arc::clone(factory)) else {
            continue;
        };
        let table = error.index.and_then(|robot| tables.get(&robot));
        match (table, &error.error) {
            (Some(table), CommandError::Plugin(made)) => {
                let before = document.problems.len();
                plugins.made(document, PluginKind::Player, table, Err::<(), _>(made.clone()));
                for problem in &mut document.problems[before..] {
                    problem.what = format!("{} ({})", problem.what, error.place);
                }
            }
            _ => return refused(&error),
        }
    }
}
