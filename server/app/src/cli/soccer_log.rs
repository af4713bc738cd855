//! Game logs of the RoboCup Soccer Server: as recordings, and in other versions.

use super::log::{open, read_log};
use super::written::{self, Written};
use super::{Failure, print, serve, text};
use serde::Serialize;
use std::io::{BufRead, BufWriter, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_config::{Memory, parse_world, shown};
use touchline_host::Host;
use touchline_record::{Capture, CaptureOptions, Entry, Log, LogWriter};
use touchline_sim::{Action, Command, EventKind, World};
use touchline_soccer::log::{Destination, GameLog, LogError, MAX_BYTES, Record, Team, Version};
use touchline_soccer::places;
use touchline_soccer::statistics::Statistics;

/// The world in which game logs are shown, and what it is made of.
const WORLD: &str = "worlds/soccer-log.toml";
const FILES: [(&str, &str); 3] = [
    (WORLD, include_str!("../../../../worlds/soccer-log.toml")),
    ("worlds/parts/soccer-pitch.toml", include_str!("../../../../worlds/parts/soccer-pitch.toml")),
    ("robots/soccer-log-player.toml", include_str!("../../../../robots/soccer-log-player.toml")),
];

/// How much work is spent on packing a log: the packer's default.
const COMPRESSION: u32 = 6;

/// Reads a recording, or a game log as one.
pub fn read_recording_or_game(path: &Path, host: &Arc<Host>) -> Result<Log, Failure> {
    let mut file = open(path)?;
    let unreadable = |error| Failure::Resource(format!("{}: {error}", path.display()));
    if !GameLog::may_be_one(file.fill_buf().map_err(unreadable)?) {
        return read_log(path);
    }
    Log::read(&recording_of(&read_game(path)?, host)?[..])
        .map_err(|error| Failure::Resource(error.to_string()))
}

/// `touchline log import`.
pub fn import(path: &Path, out: &Path, host: &Arc<Host>) -> Result<(), Failure> {
    let game = read_game(path)?;
    // Whole before the file is made: a game that cannot be played leaves none behind.
    let recording = recording_of(&game, host)?;
    written::write_new(out, &recording)?;
    let [left, right] = places::team_names(&game);
    let (left, right) = (shown(&left), shown(&right));
    let mut told = text();
    writeln!(told, "{}: {left} against {right}, {} cycles", out.display(), game.shows().count())?;
    Ok(told.flush()?)
}

/// `touchline log convert`; a name that ends in `.gz` is packed.
pub fn convert(path: &Path, version: Version, out: &Path) -> Result<(), Failure> {
    let game = read_game(path)?;
    let is_packed = out.extension().is_some_and(|extension| extension == "gz");
    let mut to = BufWriter::new(Written::begin_new(out)?);
    let failed = |error| Failure::Resource(format!("{}: {error}", out.display()));
    let mut file = Destination::new(&mut to, if is_packed { COMPRESSION } else { 0 });
    game.write(version, &mut file).and_then(|()| file.finish()).map_err(failed)?;
    to.into_inner().map_err(|error| failed(error.into_error()))?.finish()
}

/// What `log statistics` prints.
#[derive(Serialize)]
struct Told {
    teams: [String; 2],
    score: [u32; 2],
    /// Penalties that went in, if there was a shoot-out.
    penalties: Option<[u32; 2]>,
    cycles: usize,
    statistics: Statistics,
}

/// `touchline log statistics`.
pub fn statistics(path: &Path, json: bool) -> Result<(), Failure> {
    let game = read_game(path)?;
    let last = game.records.iter().rev().find_map(|record| match record {
        Record::Teams { teams, .. } => Some(teams),
        Record::Mode { .. } | Record::Show(_) | Record::Message { .. } => None,
    });
    let scored = |team: &Team| team.penalties.map(|[scored, _]| scored);
    let told = Told {
        teams: places::team_names(&game),
        score: last.map(|teams| teams.each_ref().map(|team| team.score)).unwrap_or_default(),
        penalties: last.and_then(|[left, right]| Some([scored(left)?, scored(right)?])),
        cycles: game.shows().count(),
        statistics: game.statistics(),
    };
    print(json, &told, |out| {
        writeln!(out, "{}   {} cycles", result(&told.teams, told.score, told.penalties), told.cycles)?;
        writeln!(out, "{}", told.statistics)
    })
}

/// `Reds 1 : 1 Blues (4 : 3 on penalties)`.
pub fn result([left, right]: &[String; 2], score: [u32; 2], penalties: Option<[u32; 2]>) -> String {
    let [ours, theirs] = score;
    let shoot_out = penalties.map(|[ours, theirs]| format!(" ({ours} : {theirs} on penalties)"));
    let (left, right) = (shown(left), shown(right));
    format!("{left} {ours} : {theirs} {right}{}", shoot_out.unwrap_or_default())
}

fn read_game(path: &Path) -> Result<GameLog, Failure> {
    let mut bytes = Vec::new();
    open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Resource(format!("{}: {error}", path.display())))?;
    let read = if bytes.len() as u64 > MAX_BYTES { Err(LogError::TooLarge) } else { GameLog::read(&bytes) };
    read.map_err(|error| Failure::Configuration(format!("{}: {error}", path.display())))
}

/// Plays a game in its world, and gives the recording's bytes.
fn recording_of(game: &GameLog, host: &Arc<Host>) -> Result<Vec<u8>, Failure> {
    let files = FILES.map(|(path, text)| (PathBuf::from(path), text.to_owned()));
    let source = Memory { files: files.into_iter().collect() };
    let mut scenario = parse_world(FILES[0].1, Path::new(WORLD), &source, host.as_ref())?;
    for (team, name) in scenario.teams.iter_mut().zip(places::team_names(game)) {
        // A log may call a team anything, and a recording may not have such a name.
        team.name = name.replace(char::is_control, "\u{fffd}");
    }
    let header = serve::header(&scenario, host.as_ref());
    let mut world = World::new(scenario, Arc::clone(host) as _)?;
    let broken = |error| Failure::Resource(format!("the recording cannot be written: {error}"));
    let mut writer = LogWriter::new(Cursor::new(Vec::new()), header, Vec::new()).map_err(broken)?;
    let mut capture = Capture::new(&world, CaptureOptions { is_lossless: true, ..CaptureOptions::default() });
    let mut written = Ok(());
    let mut put = |entry| match entry {
        Entry::Item(item) if written.is_ok() => written = writer.write(&item),
        Entry::Item(_) | Entry::Key(..) => {}
    };
    capture.begin(&world, &mut put);
    for (sequence, lines) in (1..).zip(places::cycles(game)) {
        let commands = [Command { client: 1, sequence, action: Action::Referee(lines) }];
        let outcomes = world.step(&commands);
        let untold = outcomes.iter().find_map(|outcome| outcome.result.as_ref().err());
        let problem =
            untold.map(ToString::to_string).or_else(|| refused(&world, sequence).map(str::to_owned));
        if let Some(problem) = problem {
            return Err(Failure::Configuration(format!(
                "cycle {sequence} of the game cannot be shown: {problem}"
            )));
        }
        capture.stepped(&commands, &outcomes, &world, &mut put);
    }
    capture.hand_over(&mut put);
    written.map_err(broken)?;
    Ok(writer.finish().map_err(broken)?.into_inner())
}

/// What the referee said of this step's lines: of those that make sense it says nothing.
fn refused(world: &World, step: u64) -> Option<&str> {
    world.events().filter(|event| event.step == step).find_map(|event| match &event.kind {
        EventKind::Announcement(text) | EventKind::Fault { message: text, .. } => Some(text.as_str()),
        _ => None,
    })
}
