//! Robot and world files: TOML text to checked values, with every error at its place.
//!
//! [`load_world`] and [`load_robot`] read the user's files; [`parse_world`] and [`parse_robot`] read text, and take
//! the files that it names from a [`FileSource`]. All four give a value that the simulation can use as it is, or a
//! [`Report`] of everything that is wrong.
//!
//! The types in `files` are the one source: they are what is parsed, what the JSON Schemas ([`schema_robot`],
//! [`schema_world`]) are made from, against which every file is checked first, and what the reference page
//! ([`reference_markdown`]) says. Plugin parameters are checked by the same function against the plugin's schema.
//!
//! # Not here
//! Plugins: they come from the [`PluginFactory`]. Whether the simulation accepts a robot at run time (a free
//! place, a free name): `touchline-sim`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod challenge;
mod competition;
mod document;
mod episode;
mod files;
mod hint;
mod keys;
mod parameters;
mod physics;
mod plugins;
mod recording;
mod reference;
mod report;
mod robot;
mod schema;
mod shapes;
mod shown;
mod source;
mod team_players;
mod tournament;
mod world;

pub use challenge::{Better, ChallengeSpec, Count, ReferenceSpec, SCRIPT_WORDS, ScoreSpec, load_challenge};
pub use competition::{CompetitionSpec, EntrySpec, TeamSpec, check_competition, load_competition};
pub use keys::{KeyRole, KeySpec, KeysSpec, TeamsSee, parse_keys};
pub use parameters::{Parameter, parameters};
pub use reference::reference_markdown;
pub use report::{CODES, Problem, Report};
pub use schema::nearest;
pub use shown::{is_command, shell_word, shown, shown_lines};
pub use source::{
    Disk, DiskAndShipped, FileSource, MAX_FILE_BYTES, Memory, ShippedParts, SourceFile, read_text,
    read_text_up_to,
};
pub use tournament::{
    EntrantSpec, PLACEHOLDERS, ProgramSpec, TournamentSpec, load_tournament, parse_tournament,
    tournament_libraries,
};

use plugins::Plugins;
use std::path::Path;
use touchline_sim::scenario::{RobotSpec, Scenario};
use touchline_sim::{Keeping, Made, PluginFactory, WorldError};

/// A world file without a mistake, with the instances that were made to know that: [`World::of_checked`](touchline_sim::World::of_checked)
/// takes them, and makes none of them again.
pub struct CheckedWorld {
    /// The checked contents of the file.
    pub scenario: Scenario,
    /// Its plugins; of robots of one file those of the first.
    pub made: Made,
}

/// Checks a world file, and the robot files that it names, on disk.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn check_world(path: &Path, factory: &dyn PluginFactory) -> Result<CheckedWorld, Report> {
    check_world_with(path, &Disk, factory)
}

/// As [`check_world`], but the files that it names are read from `read`.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn check_world_with(
    path: &Path,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<CheckedWorld, Report> {
    read_world(&disk_text(path)?, path, read, factory)
}

/// Loads a world file, and the robot files that it names, from disk.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load_world(path: &Path, factory: &dyn PluginFactory) -> Result<Scenario, Report> {
    parse_world(&disk_text(path)?, path, &Disk, factory)
}

/// Parses a world file.
///
/// `name` is what messages call it, and what the names in it are relative to.
///
/// # Errors
/// Everything that is wrong with the text, and with the files that it names.
pub fn parse_world(
    text: &str,
    name: &Path,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<Scenario, Report> {
    read_world(text, name, read, factory).map(|checked| checked.scenario)
}

fn read_world(
    text: &str,
    name: &Path,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<CheckedWorld, Report> {
    let file = SourceFile { path: name.to_owned(), text: text.to_owned() };
    let keeping = Keeping::new(factory);
    let scenario = world::read(file, read, &Plugins::new(&keeping)).map_err(Report::new)?;
    Ok(CheckedWorld { scenario, made: keeping.into_made() })
}

/// What the simulation refuses of a world that was loaded from this file: the first robot or the referee that cannot be
/// made, at its place in the file.
pub fn refused_world(path: &Path, error: &WorldError) -> Report {
    match disk_text(path) {
        Ok(text) => world::refused(SourceFile { path: path.to_owned(), text }, &Disk, error),
        Err(report) => report,
    }
}

/// Of what a part is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOf {
    /// Of a robot.
    Robot,
    /// Of a world.
    World,
}

/// Checks what can be checked of a part without the files that include it: its keys and their values, and that what it includes can be
/// read. What is missing in it may come from those files; what plugins take is known there.
///
/// # Errors
/// Everything that is wrong with that.
pub fn check_part(path: &Path, of: PartOf, read: &dyn FileSource) -> Result<(), Report> {
    let file = SourceFile { path: path.to_owned(), text: disk_text(path)? };
    let mut document = document::Document::parse(file, read);
    let schema = match of {
        PartOf::Robot => robot::schema(),
        PartOf::World => world::schema(),
    };
    if let Some(schema) = schema {
        schema.check_part(&mut document);
    }
    match document.problems {
        problems if problems.is_empty() => Ok(()),
        problems => Err(Report::new(problems)),
    }
}

/// What a file says together with the parts that it includes. Nothing is checked: what cannot be read is left out.
pub fn merged(text: &str, name: &Path, read: &dyn FileSource) -> serde_json::Value {
    let file = SourceFile { path: name.to_owned(), text: text.to_owned() };
    document::Document::parse(file, read).value
}

/// Loads a robot file, and the parts that it includes, from disk.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load_robot(path: &Path, factory: &dyn PluginFactory) -> Result<RobotSpec, Report> {
    load_robot_with(path, &Disk, factory)
}

/// As [`load_robot`], but its parts are read from `read`.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load_robot_with(
    path: &Path,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<RobotSpec, Report> {
    parse_robot(&disk_text(path)?, path, read, factory)
}

/// Parses a robot file. One that came from outside is given [`ShippedParts`] to read from.
///
/// Its plugins are tried with steps of 10 ms and no teams; the world that takes the robot tries them again.
///
/// # Errors
/// Everything that is wrong with the text, and with the parts that it includes.
pub fn parse_robot(
    text: &str,
    name: &Path,
    read: &dyn FileSource,
    factory: &dyn PluginFactory,
) -> Result<RobotSpec, Report> {
    let file = SourceFile { path: name.to_owned(), text: text.to_owned() };
    let (document, checked) = robot::read(
        file,
        read,
        &Plugins::new(factory),
        &robot::Surroundings::default(),
        robot::First::default(),
    );
    match checked {
        Some(checked) if document.problems.is_empty() => Ok(std::sync::Arc::unwrap_or_clone(checked.spec)),
        _ => Err(Report::new(document.problems)),
    }
}

pub(crate) fn disk_text(path: &Path) -> Result<String, Report> {
    let recording = recording::recorded(path);
    let text = recording.map_or_else(|| read_text(path), |what| Err(format!("it is {what}")));
    text.map_err(|reason| {
        let what = format!("cannot read the file: {reason}");
        let mut problem = Problem::new(path.to_owned(), 1, 1, what, "config/file-not-read");
        problem.hint = recording.map(|_| format!("`touchline replay {}` shows it", shell_word(path)));
        Report::new(vec![problem])
    })
}

/// The JSON Schema of a robot file.
///
/// A file that includes parts need not say what they bring; what is missing in the end is found when it is loaded.
pub fn schema_robot() -> serde_json::Value {
    with_parts(robot_rules())
}

/// The JSON Schema of a world file.
///
/// As for robots, parts may bring what the file leaves out.
pub fn schema_world() -> serde_json::Value {
    with_parts(world_rules())
}

/// The JSON Schema of a tournament file.
pub fn schema_tournament() -> serde_json::Value {
    with_parts(tournament_rules())
}

/// The JSON Schema of a challenge file.
pub fn schema_challenge() -> serde_json::Value {
    with_parts(challenge_rules())
}

/// The JSON Schema of a competition file in TOML.
pub fn schema_competition() -> serde_json::Value {
    competition_rules()
}

/// The JSON Schema of a keys file.
pub fn schema_keys() -> serde_json::Value {
    keys_rules()
}

/// What a robot file must be when all its parts are in it.
pub(crate) fn robot_rules() -> serde_json::Value {
    schemars::schema_for!(files::RobotFile).to_value()
}

/// What a world file must be when all its parts are in it.
pub(crate) fn world_rules() -> serde_json::Value {
    schemars::schema_for!(files::WorldFile).to_value()
}

/// What a tournament file must be when all its parts are in it.
pub(crate) fn tournament_rules() -> serde_json::Value {
    schemars::schema_for!(tournament::TournamentFile).to_value()
}

/// What a challenge file must be when all its parts are in it.
pub(crate) fn challenge_rules() -> serde_json::Value {
    schemars::schema_for!(challenge::ChallengeFile).to_value()
}

/// What a competition file in TOML must be.
pub(crate) fn competition_rules() -> serde_json::Value {
    schemars::schema_for!(competition::CompetitionFile).to_value()
}

/// What a keys file must be.
pub(crate) fn keys_rules() -> serde_json::Value {
    schemars::schema_for!(keys::KeysFile).to_value()
}

/// Lets `include` stand in for the keys that are needed, and a name for those of an entry that a part may have.
fn with_parts(mut schema: serde_json::Value) -> serde_json::Value {
    let definitions = schema.get_mut("$defs").and_then(serde_json::Value::as_object_mut);
    for needed in definitions.into_iter().flatten().filter_map(|(_, rule)| rule.get_mut("required")) {
        let keys = needed.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
        if let Some(name) = keys.into_iter().find(|key| ["id", "name"].contains(key)) {
            *needed = serde_json::json!([name]);
        }
    }
    if let Some(needed) = schema.as_object_mut().and_then(|schema| schema.remove("required")) {
        schema["anyOf"] = serde_json::json!([{ "required": ["include"] }, { "required": needed }]);
    }
    schema
}
