//! Plays runs of challenges: with players in the world, or with scripts over a board for each robot. (CH2, CH4, CH9)

use super::challenge_live::{Live, Showing};
use super::keys;
use super::lockstep::Timeouts;
use super::match_recording::{self, Played, step};
use super::process::Process;
use super::programs::dice;
use super::round::{self, ATTEMPTS, Failed, Followed, GRACE, Round};
use parking_lot::Mutex;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchline_board_server::{Knocks, Lock};
use touchline_challenge::{Attempt, AttemptResult, Challenge, Course, Entry, PlayError, RunResult, Team};
use touchline_config::SCRIPT_WORDS;
use touchline_gate::{Digest, Pass, Role, Sees};
use touchline_host::Host;
use touchline_runtime::recorder::{Producer, Recording};
use touchline_runtime::world_loop::Plan;
use touchline_sim::{RobotNumber, World};

/// An attempt looks so often whether it shall stop, steps.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// After so many attempts of a run that had to be played again none is: who waits for better luck does so often, and a machine that is so busy shall
/// play the run at another time.
const LATE_ATTEMPTS: usize = 2;

/// Who follows an attempt: its recording, and who shows it.
type Watchers = (Option<Producer>, Option<Showing>);

/// Everything that a run needs besides the team.
pub struct Ground<'a> {
    pub challenge: &'a Challenge,
    pub host: &'a Host,
    /// Where attempts are recorded, if they are.
    pub recordings: Option<&'a Path>,
    /// Who shows one attempt at a time, if somebody does.
    pub live: Option<&'a Arc<Live>>,
    pub stop: &'a AtomicBool,
}

impl Ground<'_> {
    /// Plays a run of a team, or its first `attempts` alone; `None` if it was told to stop.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn run(&self, team: &Team, run: u32, attempts: u32) -> Result<Option<RunResult>, PlayError> {
        let mut results: Vec<AttemptResult> = Vec::new();
        for attempt in 0..attempts {
            let late = results.iter().filter(|result| result.late > 0).count();
            let tries = if late < LATE_ATTEMPTS { ATTEMPTS } else { 1 };
            let of = Attempt { run, attempt };
            let Some(result) = self.again_if_late(team, of, tries)? else { return Ok(None) };
            results.push(result);
        }
        Ok(Some(RunResult::new(self.challenge, team, run, results)))
    }

    /// What the clock on the wall alone has decided says nothing about a team: it is played again, but not for ever, and how often is told, and why.
    fn again_if_late(
        &self,
        team: &Team,
        of: Attempt,
        tries: u32,
    ) -> Result<Option<AttemptResult>, PlayError> {
        let (mut late, mut notes) = (0, Vec::new());
        loop {
            let Some(mut result) = self.attempt(team, of)? else { return Ok(None) };
            late += u32::from(result.is_late());
            if !result.is_late() || late == tries {
                notes.append(&mut result.notes);
                (result.late, result.notes) = (late, notes);
                return Ok(Some(result));
            }
            tracing::warn!("team \"{}\" was waited for in vain in {of:?}; it is played again", team.name);
            notes.push(format!("played again after step {}: {}", result.steps, result.reason));
            notes.append(&mut result.notes);
        }
    }

    fn attempt(&self, team: &Team, of: Attempt) -> Result<Option<AttemptResult>, PlayError> {
        let (world, course) = self.challenge.begin(team, of)?;
        let resource = |why: String| PlayError::Resource(team.name.clone(), why);
        let recording = self.start_recording(&world, team, of).map_err(resource)?;
        let (producer, thread) = recording.unzip();
        let showing = self.live.map(|live| Showing::new(live, self.challenge, team, of));
        let played = match &team.entry {
            Entry::Player(_) => Ok(self.with_players(world, course, (producer, showing))),
            Entry::Script(script) => self
                .with_scripts(world, course, (producer, showing), (&team.name, script), of)
                .map_err(resource),
        };
        if let Some(thread) = thread {
            thread.finish().map_err(|error| resource(error.to_string()))?;
        }
        let Some((course, found)) = played? else { return Ok(None) };
        let result = course.into_result(self.challenge, of);
        let mut result = result.ok_or_else(|| resource("the simulation ended before the attempt".into()))?;
        found.note(&mut result);
        Ok(Some(result))
    }

    fn start_recording(
        &self,
        world: &World,
        team: &Team,
        of: Attempt,
    ) -> Result<Option<(Producer, Recording)>, String> {
        let Some(folder) = self.recordings else { return Ok(None) };
        let file = recording_of(folder, &self.challenge.spec().name, &team.name, of);
        match_recording::start(world, self.host, file).map(Some)
    }

    fn with_players(
        &self,
        mut world: World,
        mut course: Course,
        (mut producer, mut showing): Watchers,
    ) -> Option<(Course, Found)> {
        while course.look(&world).is_none() {
            let is_time_to_look = world.step_count().is_multiple_of(STEPS_BETWEEN_LOOKS);
            if is_time_to_look && self.stop.load(Ordering::Relaxed) {
                return None;
            }
            step(&mut world, producer.as_mut());
            if let Some(showing) = &mut showing {
                showing.stepped(&world);
            }
        }
        Some((course, Found::default()))
    }

    fn with_scripts(
        &self,
        mut world: World,
        mut course: Course,
        (mut producer, showing): Watchers,
        (team, script): (&str, &Path),
        of: Attempt,
    ) -> Result<Option<(Course, Found)>, String> {
        let spec = self.challenge.spec();
        while !Challenge::is_placed(&world) && course.look(&world).is_none() {
            step(&mut world, producer.as_mut());
        }
        if course.look(&world).is_some() {
            return Ok(Some((course, Found::default())));
        }
        let participants: Vec<Participant> = self
            .challenge
            .robots()
            .map(|robot| Participant::new(&world, robot, spec.truth))
            .collect::<Result<_, _>>()?;
        let at = (world.step_count(), world.state_hash());
        let state = Arc::new(Mutex::new(State { course: Some(course), at }));
        let locks = round::locks(
            &participants
                .iter()
                .map(|participant| (participant.digest, participant.pass.clone()))
                .collect::<Vec<_>>(),
            &format!("team \"{team}\" (run {}, attempt {})", of.run, of.attempt),
        );
        let timeouts = Timeouts {
            start: Duration::from_secs_f64(spec.start_timeout_secs),
            order: Duration::from_secs_f64(spec.order_timeout_secs),
        };
        let started = Round::start(
            plan(world, &participants, &state, (producer, showing)),
            (self.challenge.factory(), spec.truth),
            &locks,
            timeouts,
            |participant, board| participants[participant].start(script, self.challenge, of, board),
        );
        let mut round = started.map_err(|(_, why)| why)?;
        let followed = round.follow(self.stop);
        let failures = if matches!(followed, Followed::Failed) { round.failures() } else { Vec::new() };
        let is_late = !failures.is_empty() && round.is_late();
        let said = round.close(if matches!(followed, Followed::Stopped) { Duration::ZERO } else { GRACE });
        if matches!(followed, Followed::Stopped) {
            return Ok(None);
        }
        let mut state = state.lock();
        let at = state.at;
        let Some(mut course) = state.course.take() else {
            return Err("the simulation ended by itself".into());
        };
        if let Some((participant, Failed { what, .. })) = failures.first() {
            course.give_up(
                at,
                format!("{}: {}: {what}", participants[*participant].robot, script.display()),
                is_late,
            );
        }
        Ok(Some((course, Found::of(&participants, &locks, said))))
    }
}

/// Where an attempt is recorded: such as `kick-team-run0-attempt3.mcap`.
pub fn recording_of(folder: &Path, challenge: &str, team: &str, of: Attempt) -> PathBuf {
    let Attempt { run, attempt } = of;
    match_recording::file(folder, &[challenge, team, &format!("run{run}"), &format!("attempt{attempt}")])
}

/// A run with the recordings of its first attempts.
pub fn recorded_run(folder: &Path, challenge: &Challenge, team: &Team, run: u32, attempts: u32) -> Played {
    let name = &challenge.spec().name;
    let files = (0..attempts).map(|attempt| recording_of(folder, name, &team.name, Attempt { run, attempt }));
    Played::new(folder, &[name, &team.name, &format!("run{run}")], files.collect())
}

/// What was found beside the referee's word.
#[derive(Default)]
struct Found {
    /// Commands that were refused, in capitals, and keys at other boards, with how often.
    refused: Vec<(String, u64)>,
    /// Somebody has shown his key at another's board.
    second_door: Option<String>,
    /// For which nobody is blamed.
    notes: Vec<String>,
    said: Vec<String>,
}

impl Found {
    fn of(participants: &[Participant], locks: &[Arc<Lock>], said: Vec<String>) -> Self {
        let mut found = Self { said, ..Self::default() };
        for (participant, lock) in participants.iter().zip(locks) {
            let Knocks { others, abroad, unknown, refused } = lock.knocks();
            found.refused.extend(refused.into_iter().map(|(word, often)| (word.to_owned(), often)));
            let robot = &participant.robot;
            if unknown > 0 {
                found.notes.push(format!(
                    "the board of {robot} was asked {unknown} times without its key, nobody knows by whom"
                ));
            }
            for (guest, often) in &others {
                found.note_second_door(guest, robot, *often);
            }
            for (host, often) in &abroad {
                found.note_second_door(robot, host, *often);
            }
        }
        found
    }

    fn note_second_door(&mut self, guest: &str, host: &str, often: u64) {
        self.refused.push(("second-door".into(), often));
        self.second_door.get_or_insert_with(|| format!("{guest} has shown its key at the board of {host}"));
    }

    fn note(self, result: &mut AttemptResult) {
        for (what, often) in self.refused {
            *result.refused.entry(what).or_default() += often;
        }
        (result.said, result.notes) = (self.said, self.notes);
        if let Some(what) = self.second_door {
            if result.is_late() {
                // By this it is void, and not played again.
                result.outcome = "failed".into();
            }
            (result.valid, result.reason) = (false, what);
        }
    }
}

/// What the world's thread tells of the attempt.
struct State {
    course: Option<Course>,
    /// Steps, and the state's hash.
    at: (u64, u64),
}

fn plan(
    world: World,
    participants: &[Participant],
    state: &Arc<Mutex<State>>,
    (recorder, mut showing): Watchers,
) -> Plan {
    let state = Arc::clone(state);
    Plan {
        worlds: vec![world],
        episodes: 1,
        seed_of: None,
        recorder,
        participants: participants.iter().map(|participant| vec![participant.number]).collect(),
        end_of: Box::new(move |world| {
            if let Some(showing) = &mut showing {
                showing.stepped(world);
            }
            let mut state = state.lock();
            state.at = (world.step_count(), world.state_hash());
            state.course.as_mut()?.look(world).map(ToOwned::to_owned)
        }),
    }
}

/// A script for one robot.
struct Participant {
    number: RobotNumber,
    robot: String,
    /// Where the referee has placed it: x, y, theta.
    place: [f64; 3],
    key: String,
    digest: Digest,
    pass: Pass,
}

impl Participant {
    fn new(world: &World, robot: usize, may_see: bool) -> Result<Self, String> {
        let key = keys::new_key().map_err(|failure| failure.to_string())?;
        // The robots of a world file are numbered as they stand there.
        let (number, name) = (robot as RobotNumber, world.scenario().robots[robot].name.clone());
        let pose = world.view().robot(number).map(|object| object.pose).unwrap_or_default();
        let pass = Pass {
            role: Role::Player,
            name: Some(name.as_str().into()),
            team: Some(0),
            robot: Some(name.as_str().into()),
            sees: if may_see { Sees::World } else { Sees::Own },
            orders_steps: true,
            robot_files: Some(Arc::from([])),
            max_robots: None,
        };
        let place = [pose.x_m, pose.y_m, pose.theta_rad];
        Ok(Self { number, robot: name, place, digest: touchline_gate::digest(&key), key, pass })
    }

    fn start(
        &self,
        script: &Path,
        challenge: &Challenge,
        of: Attempt,
        board: SocketAddr,
    ) -> Result<Process, String> {
        let value = |word: &str| match word {
            "host" => board.ip().to_string(),
            "port" => board.port().to_string(),
            "key" => self.key.clone(),
            "robot" => self.robot.clone(),
            "x" => self.place[0].to_string(),
            "y" => self.place[1].to_string(),
            "theta" => self.place[2].to_string(),
            "seed" => dice(challenge.seed_of(of)).to_string(),
            "run" => of.run.to_string(),
            _ => of.attempt.to_string(),
        };
        let fill = |word: &String| {
            SCRIPT_WORDS
                .iter()
                .fold(word.clone(), |text, name| text.replace(&format!("{{{name}}}"), &value(name)))
        };
        let words =
            std::iter::once(script.display().to_string()).chain(challenge.spec().arguments.iter().map(fill));
        let names = SCRIPT_WORDS.map(|name| (format!("TOUCHLINE_{}", name.to_uppercase()), value(name)));
        let board = board.to_string();
        let mut variables: Vec<(&str, String)> =
            names.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        variables.push(("TOUCHLINE_BOARD", board));
        let folder = script.parent().unwrap_or(Path::new("."));
        Process::start(&words.collect::<Vec<_>>(), folder, &variables)
    }
}
