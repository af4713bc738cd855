//! Matches in which programs play: a board for each, the processes, and who has lost when one fails. (B1)

use super::lockstep::Timeouts;
use super::match_recording::{self, Played};
use super::process::{self, Process};
use super::round::{self, ATTEMPTS, Failed, Followed, GRACE, Round};
use super::{Failure, keys};
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use touchline_board_server::{Knocks, Lock};
use touchline_config::ProgramSpec;
use touchline_gate::{Digest, Pass, Role, Sees};
use touchline_runtime::recorder::Producer;
use touchline_runtime::world_loop::Plan;
use touchline_sim::{RobotNumber, World};
use touchline_tournament::{Course, Match, MatchFault, MatchResult, PlayError, Programs, Tournament};

/// Plays matches on this machine: starts programs, and records.
pub struct OnThisMachine {
    /// Where matches are recorded, if they are.
    pub recordings: Option<PathBuf>,
}

/// Looks whether all programs of a tournament are there.
///
/// # Errors
/// Which is not, and what would do.
pub fn check(tournament: &Tournament) -> Result<(), Failure> {
    for (entrant, program) in tournament.programs() {
        let found = program.command.first().map(|name| process::find(name, &program.folder));
        if let Some(Err(why)) = found {
            return Err(Failure::Plugin(format!("entrant \"{entrant}\": {why}")));
        }
    }
    Ok(())
}

/// Where a match is recorded: such as `cup-match0007.mcap`.
fn recording_of(folder: &Path, tournament: &Tournament, number: u64) -> PathBuf {
    match_recording::file(folder, &[tournament.name(), &format!("match{number:04}")])
}

/// A match with its recording.
pub fn recorded(folder: &Path, tournament: &Tournament, number: u64) -> Played {
    let file = recording_of(folder, tournament, number);
    Played::new(folder, &[tournament.name(), &format!("match{number:04}")], vec![file])
}

impl Programs for OnThisMachine {
    fn plays_all(&self) -> bool {
        self.recordings.is_some()
    }

    fn play(
        &self,
        tournament: &Tournament,
        one: &Match,
        stop: &AtomicBool,
    ) -> Result<Option<MatchResult>, PlayError> {
        if let Some(folder) = &self.recordings {
            let failed = |why| PlayError::Keep(std::io::Error::other(why));
            recorded(folder, tournament, one.number).begin().map_err(failed)?;
        }
        let (mut doors, mut notes) = (Vec::new(), Vec::new());
        let mut played = self.play_once(tournament, one, stop)?;
        // What the clock on the wall alone has decided says nothing about the programs, but a program may have waited for it: nothing is lost of that.
        for _ in 1..ATTEMPTS {
            let Some(late) = played.take_if(|result| result.is_late()) else { break };
            tracing::warn!("match {}: a program was waited for in vain; it is played again", one.number);
            let (shown, stalled): (Vec<_>, Vec<_>) = late.faults.into_iter().partition(is_at_wrong_door);
            doors.extend(shown);
            notes.extend(stalled.iter().map(played_again));
            notes.extend(late.notes);
            played = self.play_once(tournament, one, stop)?;
        }
        Ok(played.map(|mut result| {
            result.faults.splice(0..0, doors);
            result.notes.splice(0..0, notes);
            result
        }))
    }
}

impl OnThisMachine {
    fn play_once(
        &self,
        tournament: &Tournament,
        one: &Match,
        stop: &AtomicBool,
    ) -> Result<Option<MatchResult>, PlayError> {
        let (world, course) = tournament.begin(one)?;
        let Some(folder) = &self.recordings else {
            return play(tournament, one, (world, course, None), stop);
        };
        let file = recording_of(folder, tournament, one.number);
        let failed = |error: String| PlayError::Keep(std::io::Error::other(error));
        let (producer, thread) =
            match_recording::start(&world, tournament.factory().as_ref(), file.clone()).map_err(failed)?;
        let played = play(tournament, one, (world, course, Some(producer)), stop);
        thread.finish().map_err(|error| failed(error.to_string()))?;
        if !matches!(played, Ok(Some(_))) {
            // Of a match that has no result nothing stays.
            let _ = std::fs::remove_file(&file);
            recorded(folder, tournament, one.number).is_over();
        }
        played
    }
}

/// Plays a match that has begun, with what records it.
fn play(
    tournament: &Tournament,
    one: &Match,
    (world, course, mut producer): (World, Course, Option<Producer>),
    stop: &AtomicBool,
) -> Result<Option<MatchResult>, PlayError> {
    let refused =
        |entrant: &str, why| PlayError::Program { number: one.number, entrant: entrant.to_owned(), why };
    if one.sides.iter().all(|&side| tournament.program_of(side).is_none()) {
        return Ok(course.follow(world, stop, |world| match_recording::step(world, producer.as_mut())));
    }
    let mut participants = Vec::new();
    for side in 0..2 {
        let key = keys::new_key().map_err(|failure| refused("", failure.to_string()))?;
        participants.extend(Participant::of(tournament, one, side, &world, key));
    }
    let state = Arc::new(Mutex::new(State { course, result: None }));
    let keys: Vec<(Digest, Pass)> = participants.iter().map(Participant::digest_and_pass).collect();
    let locks = round::locks(&keys, &format!("match {}", one.number));
    let timeouts = Timeouts { start: tournament.start_timeout(), order: tournament.order_timeout() };
    let factory = Arc::clone(tournament.factory());
    let started = Round::start(
        plan(world, &participants, &state, producer),
        (factory, false),
        &locks,
        timeouts,
        |participant, board| participants[participant].start(one, &board.to_string()),
    );
    let mut round = started.map_err(|(participant, why)| refused(participants[participant].entrant, why))?;
    let followed = round.follow(stop);
    let (failures, is_late) = match &followed {
        Followed::Failed => (of_sides(round.failures(), &participants), round.is_late()),
        _ => (Vec::new(), false),
    };
    round.close(if matches!(followed, Followed::Stopped) { Duration::ZERO } else { GRACE });
    let State { course, result } = &mut *state.lock();
    let mut result = match followed {
        Followed::Stopped => return Ok(None),
        Followed::Failed if is_late => course.late(&failures),
        Followed::Failed => course.failed(&failures),
        Followed::Over => match result.take() {
            Some(result) => result,
            None => return Err(refused(participants[0].entrant, "the simulation ended by itself".into())),
        },
    };
    note_knocks(&mut result, &participants, &locks);
    Ok(Some(result))
}

/// What a program has done that came to another's board.
const AT_WRONG_DOOR: &str = "has shown its key at the board of";

/// Whether a fault is that, and not what it said last.
fn is_at_wrong_door(fault: &MatchFault) -> bool {
    fault.what.lines().next().is_some_and(|what| what.contains(AT_WRONG_DOOR))
}

/// What is told of a try that was late, when the match was played again.
fn played_again(MatchFault { entrant, step, what }: &MatchFault) -> String {
    let (entrant, what) = (entrant.as_deref().unwrap_or_default(), what.lines().next().unwrap_or_default());
    format!("played again after step {step}: {entrant}: {what}")
}

/// For which side the programs played that failed, what they did, and what they said last.
fn of_sides(failures: Vec<(usize, Failed)>, participants: &[Participant<'_>]) -> Vec<(usize, String)> {
    let of_side = |(participant, Failed { what, said }): (usize, Failed)| {
        let participant = &participants[participant];
        let said = said.lines().fold(String::new(), |text, line| text + "\n  | " + line);
        (participant.side, format!("{}: {what}{said}", participant.command()))
    };
    failures.into_iter().map(of_side).collect()
}

/// Tells who wanted to come to another's board. Who shows his own key there is known by it; nobody else could, so nobody is blamed
/// for what another did.
fn note_knocks(result: &mut MatchResult, participants: &[Participant<'_>], locks: &[Arc<Lock>]) {
    for (host, lock) in participants.iter().zip(locks) {
        let Knocks { others, abroad, unknown, .. } = lock.knocks();
        let mut at_wrong_door = |guest: &Participant<'_>, door: &str| {
            result.faults.push(MatchFault {
                entrant: Some(guest.entrant.to_owned()),
                step: result.steps,
                what: format!("{}: {AT_WRONG_DOOR} {door}", guest.command()),
            });
        };
        for guest in participants.iter().filter(|guest| others.contains_key(guest.team.as_str())) {
            at_wrong_door(guest, &format!("the {} team", host.team));
        }
        abroad.keys().for_each(|door| at_wrong_door(host, door));
        if unknown > 0 {
            result.notes.push(format!(
                "the board of the {} team was asked {unknown} times without its key, nobody knows by whom",
                host.team
            ));
        }
    }
}

/// A program in a match.
struct Participant<'a> {
    entrant: &'a str,
    program: &'a ProgramSpec,
    /// It plays for the world's first team, 0, or the second, 1.
    side: usize,
    team: String,
    robots: Vec<RobotNumber>,
    names: Vec<String>,
    /// What its connections show in this match.
    key: String,
}

impl<'a> Participant<'a> {
    /// `None` if the entrant on this side has no program.
    fn of(tournament: &'a Tournament, one: &Match, side: usize, world: &World, key: String) -> Option<Self> {
        let program = tournament.program_of(one.sides[side])?;
        let scenario = world.scenario();
        let is_own = |robot: &usize| scenario.robots[*robot].team == Some(side as u32);
        let robots: Vec<usize> = program.robots.iter().copied().filter(is_own).collect();
        Some(Self {
            entrant: tournament.entrants()[one.sides[side]],
            program,
            side,
            team: tournament.teams()[side].to_owned(),
            names: robots.iter().map(|&robot| scenario.robots[robot].name.to_string()).collect(),
            // The robots of a world file are numbered as they stand there.
            robots: robots.into_iter().map(|robot| robot as RobotNumber).collect(),
            key,
        })
    }

    fn digest_and_pass(&self) -> (Digest, Pass) {
        let pass = Pass {
            role: Role::Team,
            name: Some(self.team.as_str().into()),
            team: Some(self.side as u32),
            robot: None,
            sees: Sees::Own,
            orders_steps: true,
            robot_files: Some(Arc::from([])),
            max_robots: None,
        };
        (touchline_gate::digest(&self.key), pass)
    }

    fn command(&self) -> String {
        self.program.command.join(" ")
    }

    fn start(&self, one: &Match, board: &str) -> Result<Process, String> {
        let value = |name: &str| match name {
            "board" => board.to_owned(),
            "team" => self.team.clone(),
            "robots" => self.names.join(","),
            "key" => self.key.clone(),
            "seed" => dice(one.seed).to_string(),
            _ => one.number.to_string(),
        };
        let variables = touchline_config::PLACEHOLDERS.map(|name| (name, value(name)));
        let names = variables.each_ref().map(|(name, _)| format!("TOUCHLINE_{}", name.to_uppercase()));
        let variables: Vec<(&str, String)> =
            names.iter().map(String::as_str).zip(variables.into_iter().map(|(_, value)| value)).collect();
        Process::start(&self.program.words(value), &self.program.folder, &variables)
    }
}

/// What a program's own dice begin with. From the match's own seed it could calculate the errors of its sensors, and take them off; this
/// does not lead back to that. A script can hold it exactly: 53 bits.
pub fn dice(seed: u64) -> u64 {
    let digest = touchline_gate::digest(&format!("a program's dice {seed}"));
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)) >> 11
}

/// What the world's thread tells of the match.
struct State {
    course: Course,
    result: Option<MatchResult>,
}

fn plan(
    world: World,
    participants: &[Participant<'_>],
    state: &Arc<Mutex<State>>,
    recorder: Option<Producer>,
) -> Plan {
    let state = Arc::clone(state);
    Plan {
        worlds: vec![world],
        episodes: 1,
        seed_of: None,
        recorder,
        participants: participants.iter().map(|participant| participant.robots.clone()).collect(),
        end_of: Box::new(move |world| {
            let mut state = state.lock();
            let result = state.course.look(world);
            let ended = result.as_ref().map(|result| result.ended.clone());
            match result {
                Some(result) => state.result = Some(result),
                // How it stands may be needed after any step: a program can fail at any time.
                None => state.course.note(world),
            }
            ended
        }),
    }
}
