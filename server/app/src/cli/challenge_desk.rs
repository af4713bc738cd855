//! What the page of challenges shows and orders: who plays what, how it goes, and what came of it. (CH8)

use super::Failure;
use super::challenge::{Event, Job, beside, jobs, journal_failure, library_of, play_failure, wanted};
use super::challenge_live::Live;
use super::challenge_orders::{Order, Show};
use super::challenge_play::{Ground, recording_of};
use super::challenge_replay::Replays;
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use touchline_challenge::journal::{Journal, RunKey};
use touchline_challenge::report::Table;
use touchline_challenge::{Attempt, AttemptResult, Challenge, Changes, PlayError, RunResult, Setting};
use touchline_config::{DiskAndShipped, EntrySpec, TeamSpec};
use touchline_host::Host;
use touchline_studio::Desk;
use touchline_tournament::play_each;

/// A challenge that can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    pub name: String,
    pub title: String,
    #[serde(skip)]
    pub file: PathBuf,
    pub attempts: u32,
    pub runs: u32,
    pub seed: u64,
    pub max_s: f64,
    /// Whether teams see where everything really is.
    pub truth: bool,
}

/// Who plays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Entrants {
    /// The players that the challenge is published with.
    #[default]
    References,
    Script(PathBuf),
    Competition(PathBuf),
}

/// What is going on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Phase {
    #[default]
    Idle,
    Testing,
    Playing,
    /// The runs that have begun are finished, and none is begun.
    Stopping,
}

/// How a team's first attempt went.
#[derive(Clone, Debug, Serialize)]
struct Tried {
    works: bool,
    result: AttemptResult,
}

/// What is opened.
#[derive(Default)]
struct Opening {
    chosen: usize,
    changes: Changes,
    entrants: Entrants,
    /// How many runs, if not as many as the file says.
    runs: Option<u32>,
}

#[derive(Default, Serialize)]
struct State {
    /// Grows with each change.
    number: u64,
    version: &'static str,
    challenges: Vec<Offer>,
    chosen: usize,
    /// What can be changed of it, as the file says, and what was.
    settings: Vec<Setting>,
    changes: Changes,
    entrants: Entrants,
    phase: Phase,
    /// What went wrong, if something has.
    error: Option<String>,
    /// Runs that are kept, and those that there will be.
    done: usize,
    all: usize,
    /// The teams that play just now.
    playing: BTreeSet<String>,
    tried: BTreeMap<String, Tried>,
    table: Option<Table>,
    #[serde(skip)]
    runs: BTreeMap<RunKey, RunResult>,
    #[serde(skip)]
    event: Option<Arc<[Event; 1]>>,
}

/// The desk of one program.
pub struct ChallengeDesk {
    host: Arc<Host>,
    /// Reads what challenge files name.
    read: DiskAndShipped,
    recordings: PathBuf,
    replays: Replays,
    live: Arc<Live>,
    state: Mutex<State>,
    /// No run is begun any more.
    stops: AtomicBool,
    /// Nor is one finished.
    ends: AtomicBool,
}

impl ChallengeDesk {
    /// A desk at which these can be chosen.
    ///
    /// # Errors
    /// When the teams of the competition cannot be opened.
    pub fn new(
        (host, read): (Arc<Host>, DiskAndShipped),
        challenges: Vec<Offer>,
        competition: Option<&Path>,
        recordings: PathBuf,
        replays: Replays,
    ) -> Result<Arc<Self>, Failure> {
        let version = env!("CARGO_PKG_VERSION");
        let entrants =
            competition.map_or(Entrants::References, |path| Entrants::Competition(path.to_owned()));
        let state = State { number: 1, version, challenges, ..State::default() };
        let desk = Self {
            host,
            read,
            recordings,
            replays,
            live: Arc::new(Live::new()?),
            state: Mutex::new(state),
            stops: AtomicBool::new(false),
            ends: AtomicBool::new(false),
        };
        desk.open(Opening { entrants, ..Opening::default() })?;
        Ok(Arc::new(desk))
    }

    /// Ends what is being played.
    pub fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
        self.stops.store(true, Ordering::Relaxed);
        self.replays.end();
    }

    /// Ends it, and closes its page.
    pub fn close(&self) {
        self.end();
        self.live.end();
    }

    /// Opens a challenge with its teams; what was played before is shown no more.
    fn open(&self, Opening { chosen, changes, entrants, runs }: Opening) -> Result<(), Failure> {
        let file = self.state.lock().challenges.get(chosen).map(|offer| offer.file.clone());
        let file = file.ok_or_else(|| Failure::Configuration("there is no challenge".into()))?;
        let specs: Option<Vec<TeamSpec>> = match &entrants {
            Entrants::References => None,
            Entrants::Script(path) => {
                let entry = EntrySpec::script(path)
                    .map_err(|(what, hint)| Failure::Resource(format!("{what}\n  hint     {hint}")))?;
                Some(vec![TeamSpec { name: "team".into(), entry, set: BTreeMap::new() }])
            }
            Entrants::Competition(path) => {
                let params =
                    touchline_config::load_challenge(&file, &self.read, self.host.as_ref())?.team_params;
                Some(touchline_config::load_competition(path, &params.into_iter().collect())?.teams)
            }
        };
        let libraries = specs.iter().flatten().filter_map(|team| library_of(&team.entry)).collect();
        let mut challenge = Challenge::load(&file, &self.read, Arc::clone(&self.host), libraries)?;
        let settings = challenge.settings();
        challenge.change(&changes).map_err(|error| Failure::Configuration(error.to_string()))?;
        challenge.set_runs(runs.unwrap_or(challenge.spec().runs));
        let teams = match specs {
            None => challenge.references(),
            Some(specs) => specs.iter().map(|team| challenge.team(team)).collect(),
        };
        let event = [Event { teams: teams.map_err(play_failure)?, challenge }];
        self.change(|state| {
            (state.chosen, state.entrants) = (chosen, entrants);
            (state.settings, state.changes) = (settings, changes);
            (state.error, state.tried, state.runs) = (None, BTreeMap::new(), BTreeMap::new());
            state.all = jobs(&event).count();
            state.event = Some(Arc::new(event));
        });
        Ok(())
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock();
        change(&mut state);
        state.number += 1;
        let State { event, runs, .. } = &*state;
        let table =
            event.as_ref().map(|event| Table::of(&event[0].challenge, &event[0].teams, runs.values()));
        (state.done, state.table) = (state.runs.len(), table);
    }

    /// Begins to play, on a thread of its own.
    fn begin(self: &Arc<Self>, phase: Phase, threads: usize) -> Result<(), Failure> {
        let (event, entrants, is_changed) = {
            let state = self.state.lock();
            (state.event.clone(), state.entrants.clone(), !state.changes.is_none())
        };
        let Some(event) = event else { return Err(Failure::Configuration("there are no teams".into())) };
        std::fs::create_dir_all(&self.recordings)?;
        let (mut journal, mut runs) = (None, BTreeMap::new());
        if let (Phase::Playing, Entrants::Competition(path)) = (phase, &entrants) {
            let journal_file = match is_changed {
                // What was played under other conditions is kept for itself.
                true => beside(&with(path, &event[0].challenge.digest())),
                false => beside(path),
            };
            let opened = Journal::open(&journal_file, &wanted(&*event));
            let (kept, known) = opened.map_err(|error| journal_failure(&error))?;
            (journal, runs) = (Some(kept), known);
        }
        self.stops.store(false, Ordering::Relaxed);
        self.ends.store(false, Ordering::Relaxed);
        self.change(|state| {
            (state.phase, state.error) = (phase, None);
            match phase {
                Phase::Testing => state.tried = BTreeMap::new(),
                _ => state.runs = runs,
            }
        });
        let desk = Arc::clone(self);
        let work = move || {
            let played = match phase {
                Phase::Testing => desk.test(&event, threads),
                _ => desk.compete(&event, threads, &mut journal),
            };
            desk.change(|state| {
                (state.phase, state.playing) = (Phase::Idle, BTreeSet::new());
                state.error = played.err().map(|error| error.to_string());
            });
        };
        std::thread::Builder::new().name("challenge".into()).spawn(work)?;
        Ok(())
    }

    /// One run, unless none is begun any more.
    fn run(&self, event: &[Event; 1], job: Job, attempts: u32) -> Result<Option<RunResult>, PlayError> {
        if self.stops.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let [Event { challenge, teams }] = event;
        let team = &teams[job.team];
        self.change(|state| {
            state.playing.insert(team.name.clone());
        });
        let (host, stop) = (&*self.host, &self.ends);
        let ground =
            Ground { challenge, host, recordings: Some(&self.recordings), live: Some(&self.live), stop };
        let played = ground.run(team, job.run, attempts);
        self.change(|state| {
            state.playing.remove(&team.name);
        });
        played
    }

    fn test(&self, event: &[Event; 1], threads: usize) -> Result<(), PlayError> {
        let first: Vec<Job> = jobs(event).filter(|job| job.run == 0).collect();
        let keep = |run: RunResult| {
            let Some(result) = run.attempts.into_iter().next() else { return Ok(()) };
            let works = result.valid && result.outcome != "failed";
            self.change(|state| {
                state.tried.insert(run.team, Tried { works, result });
            });
            Ok(())
        };
        play_each(&first, threads, |job| self.run(event, *job, 1), keep)
    }

    fn compete(
        &self,
        event: &[Event; 1],
        threads: usize,
        journal: &mut Option<Journal>,
    ) -> Result<(), PlayError> {
        let is_there = |job: &Job| {
            let key = super::challenge::key_of(event, *job);
            self.state.lock().runs.contains_key(&key)
        };
        let todo: Vec<Job> = jobs(event).filter(|job| !is_there(job)).collect();
        let attempts = event[0].challenge.spec().attempts;
        let keep = |run: RunResult| {
            if let Some(journal) = journal {
                journal.add(&run)?;
            }
            let key = (run.challenge.clone(), run.team.clone(), run.run);
            self.change(|state| {
                state.runs.insert(key, run);
            });
            Ok(())
        };
        play_each(&todo, threads, |job| self.run(event, *job, attempts), keep)
    }

    /// Serves an attempt's recording; its page's address.
    fn replay(&self, team: &str, of: Attempt) -> Result<String, Failure> {
        let event = self.state.lock().event.clone();
        let event = event.ok_or_else(|| Failure::Configuration("there are no teams".into()))?;
        let [Event { challenge, teams }] = &*event;
        if !teams.iter().any(|known| known.name == team) {
            return Err(Failure::Configuration(format!("no team \"{team}\"")));
        }
        let file = recording_of(&self.recordings, &challenge.spec().name, team, of);
        if !file.is_file() {
            let what = format!("{}: this attempt was not recorded here", file.display());
            return Err(Failure::Resource(what));
        }
        self.replays.serve(&file)
    }

    /// Opens the page on which what is played is shown; its address.
    fn watch(&self) -> Result<String, Failure> {
        let event = self.state.lock().event.clone();
        let none = || Failure::Configuration("there are no teams".into());
        let [Event { challenge, teams }] = &*event.ok_or_else(none)?;
        self.live.open(challenge, teams.first().ok_or_else(none)?)
    }

    fn carry_out(self: &Arc<Self>, order: Order) -> Result<String, Failure> {
        let (phase, now) = {
            let state = self.state.lock();
            let (chosen, changes, entrants) = (state.chosen, state.changes.clone(), state.entrants.clone());
            (state.phase, Opening { chosen, changes, entrants, runs: None })
        };
        match order {
            Order::Stop {} => {
                self.stops.store(true, Ordering::Relaxed);
                self.stopping();
                return Ok("{}".into());
            }
            Order::StopServer {} => {
                self.end();
                self.stopping();
                return Ok("{}".into());
            }
            _ if phase != Phase::Idle => {
                return Err(Failure::Configuration("something is being played: stop it first".into()));
            }
            Order::Choose { challenge } => {
                let is_meant = |offer: &Offer| offer.name == challenge;
                let place = self.state.lock().challenges.iter().position(is_meant);
                let none = || Failure::Configuration(format!("no challenge \"{challenge}\""));
                let chosen = place.ok_or_else(none)?;
                self.open(Opening { chosen, changes: Changes::default(), ..now })?;
            }
            Order::Change { changes } => self.open(Opening { changes, ..now })?,
            Order::OpenReferences {} => self.open(Opening { entrants: Entrants::References, ..now })?,
            Order::OpenScript { path } => self.open(Opening { entrants: Entrants::Script(path), ..now })?,
            Order::OpenCompetition { path } => {
                self.open(Opening { entrants: Entrants::Competition(path), ..now })?;
            }
            Order::Test { threads } => self.begin(Phase::Testing, threads)?,
            Order::Competition { runs, threads } => {
                if !(1..=1000).contains(&runs) {
                    return Err(Failure::Configuration(format!("{runs} runs; there can be 1 to 1000")));
                }
                self.open(Opening { runs: Some(runs), ..now })?;
                self.begin(Phase::Playing, threads)?;
            }
        }
        Ok("{}".into())
    }

    fn stopping(&self) {
        self.change(|state| {
            if state.phase != Phase::Idle {
                state.phase = Phase::Stopping;
            }
        });
    }
}

/// `FILE.WORD`
fn with(file: &Path, word: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".");
    path.push(word);
    path.into()
}

/// The desk as the service reaches it.
pub struct Shared(pub Arc<ChallengeDesk>);

impl Desk for Shared {
    fn state(&self, known: u64) -> Option<String> {
        let state = self.0.state.lock();
        (state.number != known).then(|| serde_json::to_string(&*state).unwrap_or_default())
    }

    fn order(&self, order: &str) -> Result<String, String> {
        let order = serde_json::from_str(order).map_err(|error| format!("not an order: {error}"))?;
        self.0.carry_out(order).map_err(|failure| failure.to_string())
    }

    fn show(&self, what: &str) -> Result<String, String> {
        let what = serde_json::from_str(what).map_err(|error| format!("not to be shown: {error}"))?;
        let url = match what {
            Show::Replay { team, run, attempt } => self.0.replay(&team, Attempt { run, attempt }),
            Show::Live {} => self.0.watch(),
        };
        Ok(serde_json::json!({ "url": url.map_err(|failure| failure.to_string())? }).to_string())
    }
}
