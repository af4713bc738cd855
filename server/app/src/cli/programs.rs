//! Matches in which programs play: a board for each, the processes, and who has lost when one fails. (B1)

use super::lockstep::{Heard, Lockstep, Patience};
use super::process::{self, Process};
use super::{Failure, keys};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchline_board_server::{Knocks, Lock};
use touchline_config::ProgramSpec;
use touchline_gate::{Digest, Keys, Pass, Role, Sees};
use touchline_runtime::world_loop::{News, Plan};
use touchline_sim::{RobotNumber, World};
use touchline_tournament::{Course, Match, MatchFault, MatchResult, PlayError, Programs, Tournament};

/// A board of a match is for programs of this machine.
const ANY_PORT: &str = "127.0.0.1:0";
/// When a match is over a program may take so long to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// A match in which a program was waited for in vain is played at most so often.
const ATTEMPTS: u32 = 3;
/// One that has given its robots back is perhaps about to end: then it is known how.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// Starts programs for matches on this machine.
pub struct OnThisMachine;

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

impl Programs for OnThisMachine {
    fn play(
        &self,
        tournament: &Tournament,
        one: &Match,
        stop: &AtomicBool,
    ) -> Result<Option<MatchResult>, PlayError> {
        // What the clock on the wall alone has decided says nothing about the programs.
        for _ in 1..ATTEMPTS {
            let played = play_once(tournament, one, stop)?;
            if played.as_ref().is_none_or(|result| !result.is_late()) {
                return Ok(played);
            }
            tracing::warn!("match {}: a program was waited for in vain; it is played again", one.number);
        }
        play_once(tournament, one, stop)
    }
}

fn play_once(
    tournament: &Tournament,
    one: &Match,
    stop: &AtomicBool,
) -> Result<Option<MatchResult>, PlayError> {
    let refused =
        |entrant: &str, why| PlayError::Program { number: one.number, entrant: entrant.to_owned(), why };
    let (world, course) = tournament.begin(one)?;
    let mut parties = Vec::new();
    for side in 0..2 {
        let key = keys::new_key().map_err(|failure| refused("", failure.to_string()))?;
        parties.extend(Party::of(tournament, one, side, &world, key));
    }
    let locks: Vec<Arc<Lock>> = parties.iter().map(|party| party.lock(&parties)).collect();
    let state = Arc::new(Mutex::new(State { course, result: None }));
    let addresses = vec![ANY_PORT; parties.len()];
    let lockstep = Lockstep::start(
        plan(world, &parties, &state),
        Arc::clone(tournament.factory()),
        (&addresses, "a board at"),
        &locks,
        false,
    )
    .map_err(|failure| refused(parties[0].entrant, failure.to_string()))?;
    let patience = Patience { start: tournament.start_patience(), order: tournament.patience() };
    let mut round = Round { patience, lockstep, processes: Vec::new(), failed: BTreeMap::new() };
    for (party, address) in parties.iter().zip(round.lockstep.addresses.clone()) {
        match party.start(one, &address.to_string()) {
            Ok(process) => round.processes.push(process),
            Err(why) => {
                round.close(Duration::ZERO);
                return Err(refused(party.entrant, why));
            }
        }
    }
    let followed = round.follow(stop);
    let (failures, is_late) = match &followed {
        Followed::Failed => (round.failures(&parties), round.is_late()),
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
            None => return Err(refused(parties[0].entrant, "the simulation ended by itself".into())),
        },
    };
    note_knocks(&mut result, &parties, &locks);
    Ok(Some(result))
}

/// Tells who wanted to come to another's board. Who shows his own key there is known by it; nobody else could, so nobody is blamed
/// for what another did.
fn note_knocks(result: &mut MatchResult, parties: &[Party<'_>], locks: &[Arc<Lock>]) {
    for (host, lock) in parties.iter().zip(locks) {
        let Knocks { others, unknown } = lock.knocks();
        for guest in parties.iter().filter(|guest| others.contains_key(guest.team.as_str())) {
            result.faults.push(MatchFault {
                entrant: Some(guest.entrant.to_owned()),
                step: result.steps,
                what: format!(
                    "{}: has shown its key at the board of the {} team",
                    guest.command(),
                    host.team
                ),
            });
        }
        if unknown > 0 {
            result.notes.push(format!(
                "the board of the {} team was asked {unknown} times without its key, nobody knows by whom",
                host.team
            ));
        }
    }
}

/// A program in a match.
struct Party<'a> {
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

impl<'a> Party<'a> {
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

    /// The lock of its board: it opens to its key alone, and knows those of the others.
    fn lock(&self, parties: &[Self]) -> Arc<Lock> {
        let others = parties.iter().filter(|other| other.side != self.side);
        Arc::new(Lock::beside(
            Keys::new([self.digest_and_pass()]),
            Keys::new(others.map(Self::digest_and_pass)),
        ))
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
fn dice(seed: u64) -> u64 {
    let digest = touchline_gate::digest(&format!("a program's dice {seed}"));
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)) >> 11
}

/// What the world's thread tells of the match.
struct State {
    course: Course,
    result: Option<MatchResult>,
}

fn plan(world: World, parties: &[Party<'_>], state: &Arc<Mutex<State>>) -> Plan {
    let state = Arc::clone(state);
    Plan {
        worlds: vec![world],
        episodes: 1,
        seed_of: None,
        parties: parties.iter().map(|party| party.robots.clone()).collect(),
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

/// A match while it is played.
struct Round {
    patience: Patience,
    lockstep: Lockstep,
    processes: Vec<Process>,
    /// The parties that have failed, and what they did.
    failed: BTreeMap<usize, Why>,
}

/// Why a program has failed.
#[derive(Clone, Copy, PartialEq)]
enum Why {
    Ended,
    Left,
    Late { is_there: bool },
}

/// How a match went.
enum Followed {
    Over,
    Failed,
    Stopped,
}

impl Round {
    /// Until the match is over, or a program has failed and each other has failed too or waits for the world: so it does not depend
    /// on which of two that fail in the same step is heard of first.
    fn follow(&mut self, stop: &AtomicBool) -> Followed {
        let parties = self.processes.len();
        while !stop.load(Ordering::Relaxed) {
            let is_settled = |party: usize| self.failed.contains_key(&party) || self.lockstep.waits(party);
            if !self.failed.is_empty() && (0..parties).all(is_settled) {
                return Followed::Failed;
            }
            match self.lockstep.hear() {
                Heard::News(News::Taken(_)) => {}
                Heard::News(News::Left(party)) => {
                    self.failed.entry(party).or_insert(Why::Left);
                }
                Heard::News(News::Ended { .. }) | Heard::Broken => return Followed::Over,
                Heard::Nothing => {
                    if self.look() {
                        return Followed::Over;
                    }
                }
            }
        }
        Followed::Stopped
    }

    /// Looks after processes that have ended, or do nothing; whether the match is over meanwhile.
    fn look(&mut self) -> bool {
        let mut failed = BTreeMap::new();
        for (party, process) in self.processes.iter_mut().enumerate() {
            if process.ended().is_some() {
                failed.insert(party, Why::Ended);
            } else if let Some(is_there) = self.lockstep.is_late(party, self.patience) {
                failed.insert(party, Why::Late { is_there });
            }
        }
        // One that ends because the match is over has not failed.
        while !failed.is_empty() {
            match self.lockstep.hear_now() {
                Heard::News(News::Ended { .. }) | Heard::Broken => return true,
                Heard::News(News::Left(party)) => {
                    failed.entry(party).or_insert(Why::Left);
                }
                Heard::News(News::Taken(_)) => {}
                Heard::Nothing => break,
            }
        }
        for (party, why) in failed {
            self.failed.entry(party).or_insert(why);
        }
        false
    }

    /// Whether the clock on the wall alone says that somebody has failed.
    fn is_late(&self) -> bool {
        self.failed.values().all(|why| matches!(why, Why::Late { .. }))
    }

    /// Ends the programs that have failed, and tells for which side they played, what they did, and what they said last.
    fn failures(&mut self, parties: &[Party<'_>]) -> Vec<(usize, String)> {
        let mut failures = Vec::new();
        for (&party, why) in &self.failed {
            let process = &mut self.processes[party];
            let status = process.end(if *why == Why::Left { LAST_BREATH } else { Duration::ZERO });
            let Patience { start, order } = self.patience;
            let what = match (status, why) {
                (Some(status), _) => format!("has ended, {status}"),
                (None, Why::Late { is_there: false }) => {
                    format!("has not taken its robots within {} s (start_patience_s)", start.as_secs_f64())
                }
                (None, Why::Late { is_there: true }) => {
                    format!("has ordered no step for {} s (patience_s)", order.as_secs_f64())
                }
                (None, _) => "has given its robots back".into(),
            };
            let mut text = format!("{}: {what}", parties[party].command());
            for line in process.last_words().lines() {
                text += &format!("\n  | {line}");
            }
            failures.push((parties[party].side, text));
        }
        failures
    }

    /// Ends the match for all that take part.
    fn close(mut self, grace: Duration) {
        if grace.is_zero() {
            // Nobody waits for what they would still do.
            self.processes.clear();
        }
        self.lockstep.stop();
        for process in &mut self.processes {
            process.end(grace);
        }
    }
}
