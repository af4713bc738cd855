//! `touchline tournament`: who is better, with a confidence. (B1)

use super::option_values::whole;
use super::places::Places;
use super::{Failure, PluginOptions, print, programs, shipped, signals};
use clap::Args;
use cpu_time::ProcessTime;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use touchline_sim::CommandError;
use touchline_tournament::journal::{Journal, JournalError};
use touchline_tournament::report::Report;
use touchline_tournament::{PlayError, Tournament};

/// Options of `tournament`.
#[derive(Debug, Args)]
pub struct TournamentOptions {
    /// The tournament file
    pub file: PathBuf,
    /// Where finished matches are kept; FILE.results.jsonl if not given. What is in it already is not played again
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Throw away what the results file has, and begin anew
    #[arg(long)]
    pub restart: bool,
    /// How many pairs of matches each two play, in place of the file's number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub pairs: Option<u32>,
    /// Play this match alone, print its line, and keep nothing; matches count from 0
    #[arg(long = "match", value_name = "N", conflicts_with_all = ["results", "restart", "json"], value_parser = whole(0..=u64::MAX))]
    pub one: Option<u64>,
    /// Record each match that is played, in this folder: NAME-match0007.mcap. What the results file has already is not played; --match plays one again
    #[arg(long, value_name = "DIR", visible_alias = "record")]
    pub recordings: Option<PathBuf>,
    /// How many threads; 0 is one for each core. The results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = signals::threads)]
    pub threads: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

pub fn tournament(options: &TournamentOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let mut tournament = Tournament::load(&options.file, &Places::find(plugins)?.files(), host)?;
    tournament.set_pairs(options.pairs.unwrap_or(tournament.pairs()));
    programs::check(&tournament)?;
    if let Some(folder) = &options.recordings {
        let failed = |error| Failure::Resource(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let recordings = options.recordings.clone();
    tournament.set_programs(Arc::new(programs::OnThisMachine { recordings }));
    if let Some(number) = options.one {
        return play_one(&tournament, number, options.recordings.as_deref());
    }
    let path = options.results.clone().unwrap_or_else(|| beside(&options.file));
    let recorded =
        |number| options.recordings.as_deref().map(|folder| programs::recorded(folder, &tournament, number));
    let check_recordings = |todo: &mut dyn Iterator<Item = u64>| {
        todo.filter_map(recorded).try_for_each(|recorded| recorded.check()).map_err(Failure::Resource)
    };
    let opened = match options.restart {
        true => {
            // No result is thrown away for a tournament that is not played.
            check_recordings(&mut (0..tournament.matches()))?;
            Journal::restart(&path).map(|journal| (journal, BTreeMap::new()))
        }
        false => Journal::open(&path, &tournament),
    };
    let (mut journal, mut results) = opened.map_err(|error| journal_failure(&error))?;
    let todo: Vec<u64> = (0..tournament.matches()).filter(|number| !results.contains_key(number)).collect();
    results.keys().filter_map(|&number| recorded(number)).for_each(|recorded| recorded.was_kept());
    check_recordings(&mut todo.iter().copied())?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let stop = signals::stop_at_signal()?;
    let progress = signals::progress(tournament.matches(), "matches");
    progress.set_message(tournament.name().to_owned());
    progress.set_position(results.len() as u64);
    progress.reset_eta();
    let played = tournament.play_all(&todo, options.threads, &stop, |result| {
        journal.add(&result)?;
        if let Some(recorded) = recorded(result.number) {
            recorded.ends(result.is_late());
        }
        results.insert(result.number, result);
        progress.inc(1);
        Ok(())
    });
    progress.finish_and_clear();
    let mut report = Report::of(&tournament, &results);
    report.interrupted = stop.load(Ordering::Relaxed) && report.played < report.matches;
    report.wall_seconds = wall.elapsed().as_secs_f64();
    report.cpu_seconds = cpu.elapsed().as_secs_f64();
    print(options.json, &report, |out| write!(out, "{}", report.table()))?;
    played.map_err(|error| play_failure(error, &path))?;
    match report.faults.as_slice() {
        [] => Ok(()),
        [fault, ..] => Err(Failure::Plugin(format!(
            "{} failed in {} matches, first in match {}: {}",
            if tournament.programs().next().is_some() { "programs or plugins" } else { "plugins" },
            results.values().filter(|result| !result.faults.is_empty()).count(),
            fault.number,
            fault.what.lines().next().unwrap_or_default()
        ))),
    }
}

fn play_one(tournament: &Tournament, number: u64, recordings: Option<&Path>) -> Result<(), Failure> {
    let recorded = recordings.map(|folder| programs::recorded(folder, tournament, number));
    recorded.iter().try_for_each(|recorded| recorded.check()).map_err(Failure::Resource)?;
    // At a signal the programs must not stay behind.
    let stop = signals::stop_at_signal()?;
    let result = tournament.play_until(number, &stop).map_err(|error| match error {
        PlayError::NoSuchMatch(number) => Failure::Configuration(format!(
            "there is no match {number}\n  allowed  0 to {}",
            tournament.matches().saturating_sub(1)
        )),
        error => play_failure(error, Path::new("")),
    })?;
    let result = result.ok_or_else(|| Failure::Interrupted(format!("match {number}: stopped")))?;
    recorded.iter().for_each(|recorded| recorded.ends(result.is_late()));
    print(true, &result, |_| Ok(()))
}

/// `FILE.results.jsonl`
fn beside(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".results.jsonl");
    path.into()
}

fn journal_failure(error: &JournalError) -> Failure {
    let hint = match error {
        JournalError::Io { .. } => "name another file with --results FILE",
        JournalError::InUse(_) => "wait for it, or take another file with --results FILE",
        JournalError::BadLine { .. } => {
            "correct or delete the line, or take another file with --results FILE; --restart throws away all results"
        }
        JournalError::OtherConditions { .. } => {
            "keep these and begin others with --results FILE, or throw them away with --restart"
        }
    };
    Failure::Resource(format!("{error}\n  hint     {hint}"))
}

fn play_failure(error: PlayError, results: &Path) -> Failure {
    match error {
        PlayError::World(_, ref world) if matches!(world.error, CommandError::Plugin(_)) => {
            Failure::Plugin(error.to_string())
        }
        PlayError::Program { .. } | PlayError::NoPrograms(_) => Failure::Plugin(error.to_string()),
        PlayError::World(..) | PlayError::NoSuchMatch(_) => Failure::Configuration(error.to_string()),
        PlayError::Keep(error) => {
            Failure::Resource(format!("{}: cannot be written: {error}", results.display()))
        }
    }
}
