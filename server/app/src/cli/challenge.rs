//! `touchline challenge`: a team's start script or player in, a table of results out. (CH1-CH10)

use super::challenge_check::check;
use super::challenge_options::{
    ChallengeCommand, CompetitionOptions, Place, PlayOptions, RunOptions, TestOptions,
};
use super::challenge_play::{Ground, recorded_run};
use super::challenge_serve::serve;
use super::match_recording::Played;
use super::places::Places;
use super::{Failure, PluginOptions, print, shipped, signals, text, written};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use touchline_challenge::journal::{Journal, JournalError, RunKey};
use touchline_challenge::report::{Results, Table};
use touchline_challenge::{Challenge, PlayError, RunResult, Team};
use touchline_config::{EntrySpec, TeamSpec};
use touchline_host::Host;
use touchline_sim::CommandError;
use touchline_tournament::lines::LinesError;
use touchline_tournament::play_each;

/// A challenge with its teams.
pub(super) struct Event {
    pub challenge: Challenge,
    pub teams: Vec<Team>,
}

/// A run that is to be played: the event, the team, the number.
#[derive(Clone, Copy)]
pub(super) struct Job {
    pub event: usize,
    pub team: usize,
    pub run: u32,
}

pub fn challenge(what: &ChallengeCommand, plugins: &PluginOptions) -> Result<(), Failure> {
    match what {
        ChallengeCommand::List { place, json } => list(place, *json, plugins),
        ChallengeCommand::Run(options) => run(options, plugins),
        ChallengeCommand::Test(options) => test(options, plugins),
        ChallengeCommand::Competition(options) => competition(options, plugins),
        ChallengeCommand::Check(options) => check(options, plugins),
        ChallengeCommand::Serve(options) => serve(options, plugins),
    }
}

fn list(place: &Place, json: bool, plugins: &PluginOptions) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Listed {
        name: String,
        title: String,
        file: PathBuf,
        attempts: u32,
        runs: u32,
        references: BTreeMap<String, f64>,
    }
    let host = shipped::load_plugins(plugins)?;
    let read = Places::find(plugins)?.files();
    let mut listed = Vec::new();
    for file in files_in(&place.folder())? {
        let spec = touchline_config::load_challenge(&file, &read, host.as_ref())?;
        let references = spec.references.iter().map(|reference| (reference.name.clone(), reference.score));
        let references = references.collect();
        listed.push(Listed {
            name: spec.name,
            title: spec.title,
            file,
            attempts: spec.attempts,
            runs: spec.runs,
            references,
        });
    }
    print(json, &listed, |out| {
        let width = listed.iter().map(|one| one.name.len()).max().unwrap_or(0);
        listed.iter().try_for_each(|one| writeln!(out, "{:width$}  {}", one.name, one.title))
    })
}

/// The challenge files of a folder.
pub(super) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| no_folder(folder, &error))?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    Ok(files)
}

fn run(options: &RunOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let here = Path::new("");
    let entry = match (&options.script, &options.plugin) {
        (Some(script), _) => Some(
            EntrySpec::script(script)
                .map_err(|(what, hint)| Failure::Resource(format!("{what}\n  hint     {hint}")))?,
        ),
        (None, Some(plugin)) => {
            let params = options.params.clone().unwrap_or_else(|| serde_json::json!({}));
            Some(EntrySpec::plugin(plugin, here, params, options.rate))
        }
        (None, None) => None,
    };
    let file = file_of(&options.challenge, &options.play.place)?;
    let libraries = entry.iter().filter_map(library_of).collect();
    let mut challenge =
        Challenge::load(&file, &Places::find(plugins)?.files(), Arc::clone(&host), libraries)?;
    challenge.set_runs(options.play.runs.unwrap_or(challenge.spec().runs));
    let teams = match entry {
        Some(entry) => {
            let team = TeamSpec { name: "team".into(), entry, set: BTreeMap::new() };
            vec![challenge.team(&team).map_err(play_failure)?]
        }
        None => challenge.references().map_err(play_failure)?,
    };
    if teams.is_empty() {
        return Err(Failure::Configuration(format!(
            "{}: this challenge has no [[reference]]\n  hint     say who plays: --script FILE or --plugin NAME",
            file.display()
        )));
    }
    play(&host, &[Event { challenge, teams }], BTreeMap::new(), None, &options.play)
}

fn competition(options: &CompetitionOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let events = events(&options.challenge, (&options.file, &options.play), plugins, &host)?;
    let path = options.journal.clone().unwrap_or_else(|| beside(&options.file));
    let opened = match options.restart {
        true => {
            // No result is thrown away for a competition that is not played.
            let all: Vec<Job> = jobs(&events).collect();
            check_recordings(&events, &all, &options.play, |job| attempts_of(&events, job))?;
            Journal::restart(&path).map(|journal| (journal, BTreeMap::new()))
        }
        false => Journal::open(&path, &wanted(&events)),
    };
    let (journal, runs) = opened.map_err(|error| journal_failure(&error))?;
    play(&host, &events, runs, Some(journal), &options.play)
}

fn test(options: &TestOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let play = options.play();
    let events = events(&options.challenge, (&options.file, &play), plugins, &host)?;
    let stop = signals::stop_at_signal()?;
    let first: Vec<Job> = jobs(&events).filter(|job| job.run == 0).collect();
    check_recordings(&events, &first, &play, |_| 1)?;
    let mut tried = Vec::new();
    let played = play_each(
        &first,
        play.threads,
        |job| {
            let run = play_run(&events, *job, &host, &play, &stop, 1)?;
            Ok(run.map(|run| (*job, run)))
        },
        |one| {
            if let Some(recorded) = recorded(&events, one.0, &play, 1) {
                recorded.is_over();
            }
            tried.push(one);
            Ok(())
        },
    );
    played.map_err(play_failure)?;
    tried.sort_by_key(|(job, _)| (job.event, job.team));
    let mut out = text();
    let mut is_well = true;
    for (_, run) in &tried {
        let Some(attempt) = run.attempts.first() else { continue };
        let works = attempt.valid && attempt.outcome != "failed";
        is_well &= works;
        let word = if works { "works" } else { "does not work" };
        writeln!(out, "{}: {}: {word}: {}: {}", run.challenge, run.team, attempt.outcome, attempt.reason)?;
        if attempt.late > 0 {
            writeln!(out, "  late in {} tries", attempt.late)?;
        }
        for line in attempt.said.iter().filter(|_| !works).flat_map(|said| said.lines()) {
            writeln!(out, "  | {line}")?;
        }
    }
    out.flush()?;
    match (is_well, tried.len() < first.len()) {
        (false, _) => Err(Failure::Check),
        (true, true) => {
            let (tried, all) = (tried.len(), first.len());
            Err(Failure::Interrupted(format!("stopped: {tried} of {all} were tried")))
        }
        (true, false) => Ok(()),
    }
}

/// The challenges and teams of a competition.
fn events(
    names: &[String],
    (file, options): (&Path, &PlayOptions),
    plugins: &PluginOptions,
    host: &Arc<Host>,
) -> Result<Vec<Event>, Failure> {
    let read = Places::find(plugins)?.files();
    let mut files = Vec::new();
    let mut params = BTreeSet::new();
    for name in names {
        let path = file_of(name, &options.place)?;
        params.extend(touchline_config::load_challenge(&path, &read, host.as_ref())?.team_params);
        files.push(path);
    }
    let competition = touchline_config::load_competition(file, &params)?;
    let libraries = || competition.teams.iter().filter_map(|team| library_of(&team.entry)).collect();
    let mut events: Vec<Event> = Vec::new();
    for file in files {
        let mut challenge = Challenge::load(&file, &read, Arc::clone(host), libraries())?;
        if events.iter().any(|event| event.challenge.spec().name == challenge.spec().name) {
            let what = format!("challenge \"{}\" is named twice", challenge.spec().name);
            return Err(Failure::Configuration(what));
        }
        challenge.set_runs(options.runs.unwrap_or(challenge.spec().runs));
        let teams = competition.teams.iter().map(|team| challenge.team(team)).collect::<Result<_, _>>();
        events.push(Event { teams: teams.map_err(play_failure)?, challenge });
    }
    Ok(events)
}

/// All runs: the first of everybody, then the second, so that it was fair so far whenever it is stopped.
pub(super) fn jobs(events: &[Event]) -> impl Iterator<Item = Job> + '_ {
    let runs = events.iter().map(|event| event.challenge.spec().runs).max().unwrap_or(0);
    (0..runs).flat_map(move |run| {
        let has_run = move |event: &Event| run < event.challenge.spec().runs;
        events.iter().enumerate().filter(move |(_, event)| has_run(event)).flat_map(move |(number, event)| {
            (0..event.teams.len()).map(move |team| Job { event: number, team, run })
        })
    })
}

pub(super) fn key_of(events: &[Event], Job { event, team, run }: Job) -> RunKey {
    let Event { challenge, teams } = &events[event];
    (challenge.spec().name.clone(), teams[team].name.clone(), run)
}

/// The runs that are to be played, with what they depend on.
pub(super) fn wanted(events: &[Event]) -> BTreeMap<RunKey, String> {
    jobs(events).map(|job| (key_of(events, job), digest_of(events, job))).collect()
}

fn attempts_of(events: &[Event], job: &Job) -> u32 {
    events[job.event].challenge.spec().attempts
}

fn digest_of(events: &[Event], Job { event, team, .. }: Job) -> String {
    events[event].challenge.digest_of(&events[event].teams[team])
}

fn play_run(
    events: &[Event],
    Job { event, team, run }: Job,
    host: &Host,
    options: &PlayOptions,
    stop: &AtomicBool,
    attempts: u32,
) -> Result<Option<RunResult>, PlayError> {
    if let Some(recorded) = recorded(events, Job { event, team, run }, options, attempts) {
        recorded.begin().map_err(|why| PlayError::Resource(events[event].teams[team].name.clone(), why))?;
    }
    let Event { challenge, teams } = &events[event];
    Ground { challenge, host, recordings: options.recordings.as_deref(), live: None, stop }.run(
        &teams[team],
        run,
        attempts,
    )
}

/// The recordings of a run, if it is recorded.
fn recorded(
    events: &[Event],
    Job { event, team, run }: Job,
    options: &PlayOptions,
    attempts: u32,
) -> Option<Played> {
    let Event { challenge, teams } = &events[event];
    let folder = options.recordings.as_deref()?;
    Some(recorded_run(folder, challenge, &teams[team], run, attempts))
}

/// Makes the folder of the recordings, and looks that none of another time would be lost.
fn check_recordings(
    events: &[Event],
    jobs: &[Job],
    options: &PlayOptions,
    attempts: impl Fn(&Job) -> u32,
) -> Result<(), Failure> {
    if let Some(folder) = &options.recordings {
        fs::create_dir_all(folder).map_err(|error| no_folder(folder, &error))?;
    }
    let mut recorded = jobs.iter().filter_map(|job| recorded(events, *job, options, attempts(job)));
    recorded.try_for_each(|recorded| recorded.check()).map_err(Failure::Resource)
}

/// Plays what is not there yet, keeps it, and says how it went.
fn play(
    host: &Host,
    events: &[Event],
    mut runs: BTreeMap<RunKey, RunResult>,
    mut journal: Option<Journal>,
    options: &PlayOptions,
) -> Result<(), Failure> {
    let all = jobs(events).count() as u64;
    let (kept, todo): (Vec<Job>, Vec<Job>) =
        jobs(events).partition(|job| runs.contains_key(&key_of(events, *job)));
    let recorded_of = |job: &Job| recorded(events, *job, options, attempts_of(events, job));
    kept.iter().filter_map(recorded_of).for_each(|recorded| recorded.was_kept());
    check_recordings(events, &todo, options, |job| attempts_of(events, job))?;
    let stop = signals::stop_at_signal()?;
    let progress = signals::progress_with_table(all, "runs");
    progress.set_position(runs.len() as u64);
    progress.reset_eta();
    let played = play_each(
        &todo,
        options.threads,
        |job| {
            let run = play_run(events, *job, host, options, &stop, attempts_of(events, job))?;
            Ok(run.map(|run| (*job, run)))
        },
        |(job, run)| {
            if let Some(journal) = &mut journal {
                journal.add(&run)?;
            }
            if let Some(recorded) = recorded_of(&job) {
                recorded.ends(run.is_late());
            }
            runs.insert((run.challenge.clone(), run.team.clone(), run.run), run);
            progress.inc(1);
            if !progress.is_hidden() {
                progress.set_message(
                    tables(events, &runs).iter().map(Table::text).collect::<Vec<_>>().join("\n"),
                );
            }
            Ok(())
        },
    );
    progress.finish_and_clear();
    let is_stopped = stop.load(Ordering::Relaxed) && (runs.len() as u64) < all;
    let results = Results::new(tables(events, &runs), is_stopped);
    Failure::any([write_results(&results, journal.is_some(), options), played.map_err(play_failure)])
}

fn tables(events: &[Event], runs: &BTreeMap<RunKey, RunResult>) -> Vec<Table> {
    events.iter().map(|event| Table::of(&event.challenge, &event.teams, runs.values())).collect()
}

/// Writes the results to all places that were asked for; one that cannot be written keeps them from no other.
fn write_results(results: &Results, is_kept: bool, options: &PlayOptions) -> Result<(), Failure> {
    let PlayOptions { csv, markdown, json, .. } = options;
    let is_stdout = json.as_deref() == Some(Path::new("-"));
    let json = json.as_deref().filter(|_| !is_stdout).map(|path| {
        let text = serde_json::to_string_pretty(results).map_err(std::io::Error::from)?;
        written::write(path, text)
    });
    Failure::any([
        csv.as_deref().map_or(Ok(()), |path| written::write(path, results.csv())),
        markdown.as_deref().map_or(Ok(()), |path| written::write(path, results.markdown())),
        json.unwrap_or(Ok(())),
        print(is_stdout, results, |out| write!(out, "{}", results.text(is_kept))),
    ])
}

/// The file of a challenge that is named, or is a file.
pub(super) fn file_of(name: &str, place: &Place) -> Result<PathBuf, Failure> {
    if name.contains(['/', '\\']) || name.ends_with(".toml") {
        return Ok(name.into());
    }
    let file = place.folder().join(format!("{name}.toml"));
    if file.is_file() {
        return Ok(file);
    }
    let what = format!("no challenge \"{name}\": {} is not there", file.display());
    let hint = "touchline challenge list says which there are; --challenges DIR says where";
    Err(Failure::Resource(format!("{what}\n  hint     {hint}")))
}

/// `FILE.runs.jsonl`
pub(super) fn beside(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".runs.jsonl");
    path.into()
}

pub(super) fn library_of(entry: &EntrySpec) -> Option<(String, PathBuf)> {
    match entry {
        EntrySpec::Plugin { plugin, library, .. } => Some((plugin.clone(), library.clone()?)),
        EntrySpec::Script(_) => None,
    }
}

pub(super) fn no_folder(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::Resource(format!("{}: {error}", folder.display()))
}

pub(super) fn play_failure(error: PlayError) -> Failure {
    match &error {
        PlayError::World(_, world) if matches!(world.error, CommandError::Plugin(_)) => {
            Failure::Plugin(error.to_string())
        }
        PlayError::World(..) | PlayError::NotWhole { .. } => Failure::Configuration(error.to_string()),
        PlayError::Resource(..) | PlayError::Keep(_) => Failure::Resource(error.to_string()),
    }
}

pub(super) fn journal_failure(error: &JournalError) -> Failure {
    let hint = match error {
        JournalError::File(LinesError::Io { .. }) => "name another file with --journal FILE",
        JournalError::File(LinesError::InUse(_)) => "wait for it, or take another file with --journal FILE",
        JournalError::BadLine { .. } => {
            "correct or delete the line, or take another file with --journal FILE"
        }
        JournalError::OtherConditions { .. } => {
            "keep these and begin others with --journal FILE, or throw them away with --restart"
        }
    };
    Failure::Resource(format!("{error}\n  hint     {hint}"))
}
