//! Plays matches: one by its number, or many on all cores.
//!
//! A [`Course`] follows a match and says when it is over, whoever moves its world: a loop here, or, if programs play over the message
//! board, those to whom [`Programs`] hands the match.

use crate::load::Tournament;
use crate::pool::play_each;
use crate::schedule::Match;
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use touchline_sim::{EventKind, World, WorldError};

/// A match looks so often whether it shall stop, steps.
const STEPS_BETWEEN_LOOKS: u64 = 64;
/// The goals with which one wins whose opponent's program failed, unless it leads by more.
const FORFEIT_GOALS: u32 = 3;

/// A match as it went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchResult {
    /// Its place in the schedule, from 0.
    #[serde(rename = "match")]
    pub number: u64,
    /// Stands for all that it depended on, but for the seed: see [`Tournament::digest_of`].
    pub digest: String,
    /// Which of the couple's pairs it belongs to, from 0.
    pub pair: u64,
    /// What its world was made from.
    pub seed: u64,
    /// Who played for the world's first team, and for the second.
    pub entrants: [String; 2],
    /// Goals of each entrant, in the order of `entrants`.
    pub goals: [u32; 2],
    /// Why it ended: `time`, `finished` by the referee, the word by which the referee ended an episode, `forfeit` if a program failed;
    /// `fault` if it is void, or `late` if it is void because a program was waited for in vain: that may be the machine's fault.
    pub ended: String,
    /// How many steps the world made.
    pub steps: u64,
    /// The world's state after the last one: equal if two matches went the same way.
    pub state_hash: String,
    /// The plugins and programs that failed, in their order.
    pub faults: Vec<MatchFault>,
    /// What else the organiser should know, and nobody can be blamed for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl MatchResult {
    /// Whether something failed that was neither entrant's, or the programs of both: then the match says nothing about them.
    pub fn is_void(&self) -> bool {
        let both_failed = self.ended == FAULT && !self.faults.is_empty();
        self.is_late() || both_failed || self.faults.iter().any(|fault| fault.entrant.is_none())
    }
}

impl MatchResult {
    /// Whether it is void because a program was waited for in vain, by the clock on the wall: it is played again.
    pub fn is_late(&self) -> bool {
        self.ended == LATE
    }
}

/// A plugin or a program that failed in a match. A player that failed has left its robot standing; the match goes on and counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchFault {
    /// Whose player or program failed; `None` if it was something of the world: the rules, a motion model, a sensor.
    pub entrant: Option<String>,
    /// The step in which it failed.
    pub step: u64,
    /// The robot, the plugin, and what happened; or what the program did, and on further lines what it said last.
    pub what: String,
}

/// How a void match ended.
const FAULT: &str = "fault";
/// How a match ended in which a program was waited for in vain.
const LATE: &str = "late";
/// The phase in which a referee says that its match is over.
const FINISHED: &str = "finished";

/// Those who play matches in which programs take part: they hand the world to them, step by step.
pub trait Programs: Send + Sync {
    /// Whether they play matches without programs as well, such as to record them.
    fn plays_all(&self) -> bool {
        false
    }

    /// Plays a match; `None` if it was told to stop.
    ///
    /// # Errors
    /// When it cannot be played, or a program cannot be started.
    fn play(
        &self,
        tournament: &Tournament,
        one: &Match,
        stop: &AtomicBool,
    ) -> Result<Option<MatchResult>, PlayError>;
}

/// A match cannot be played, or what came of it cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// There is no match of this number.
    #[error("there is no match {0}")]
    NoSuchMatch(u64),
    /// Its world cannot be made.
    #[error("match {0}: {1}")]
    World(u64, WorldError),
    /// An entrant is a program, and nobody is there who starts programs.
    #[error("entrant \"{0}\" is a program (command): only `touchline tournament` plays with programs")]
    NoPrograms(String),
    /// An entrant's program, or what it needs, cannot be started.
    #[error("match {number}: entrant \"{entrant}\": {why}")]
    Program {
        /// Number of the match.
        number: u64,
        /// Name of the entrant whose program it is.
        entrant: String,
        /// Reason for the failure, in words.
        why: String,
    },
    /// A result cannot be kept.
    #[error(transparent)]
    Keep(#[from] io::Error),
}

impl Tournament {
    /// Plays the match of this number. It is a pure function of the tournament file and the number, if programs that take part are such.
    ///
    /// # Errors
    /// When there is no such match, its world cannot be made, or a program cannot be started.
    pub fn play(&self, number: u64) -> Result<MatchResult, PlayError> {
        let never = AtomicBool::new(false);
        self.play_until(number, &never)?.ok_or(PlayError::NoSuchMatch(number))
    }

    /// As [`Self::play`]; `None` if it was told to stop.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn play_until(&self, number: u64, stop: &AtomicBool) -> Result<Option<MatchResult>, PlayError> {
        let one = self.nth(number).ok_or(PlayError::NoSuchMatch(number))?;
        let entrants = one.sides.map(|side| &self.spec.entrants[side]);
        let program = entrants.iter().find(|entrant| entrant.program.is_some());
        match (&self.programs, program) {
            (Some(programs), program) if program.is_some() || programs.plays_all() => {
                programs.play(self, &one, stop)
            }
            (None, Some(entrant)) => Err(PlayError::NoPrograms(entrant.name.clone())),
            _ => {
                let (world, course) = self.begin(&one)?;
                Ok(course.follow(world, stop, |world| drop(world.step(&[]))))
            }
        }
    }

    /// A match before its first step.
    ///
    /// # Errors
    /// When its world cannot be made.
    pub fn begin(&self, one: &Match) -> Result<(World, Course), PlayError> {
        let scenario = self.scenario(one).ok_or(PlayError::NoSuchMatch(one.number))?;
        let limit = (self.match_secs() / scenario.dt_secs).round().max(1.0) as u64;
        let world = World::new(scenario, Arc::clone(&self.factory))
            .map_err(|error| PlayError::World(one.number, error))?;
        let so_far = MatchResult {
            number: one.number,
            digest: self.digest_of(one),
            pair: one.pair,
            seed: one.seed,
            entrants: one.sides.map(|entrant| self.spec.entrants[entrant].name.clone()),
            goals: [0, 0],
            ended: String::new(),
            steps: 0,
            state_hash: String::new(),
            faults: Vec::new(),
            notes: Vec::new(),
        };
        let mut course = Course { so_far, limit, seen: 0 };
        course.note(&world);
        Ok((world, course))
    }

    /// Plays these matches in their order on so many threads (0: one for each core), or until told to stop; a match that was not
    /// finished then is lost. `keep` is given each as it is finished, one at a time; after an error of its no match is begun.
    ///
    /// # Errors
    /// The first, of a match or of `keep`.
    pub fn play_all(
        &self,
        numbers: &[u64],
        threads: usize,
        stop: &AtomicBool,
        mut keep: impl FnMut(MatchResult) -> io::Result<()> + Send,
    ) -> Result<(), PlayError> {
        play_each(numbers, threads, |&number| self.play_until(number, stop), |result| Ok(keep(result)?))
    }
}

/// What has happened in a match so far.
#[derive(Clone, Debug)]
pub struct Course {
    so_far: MatchResult,
    /// It ends after so many steps.
    limit: u64,
    /// Events below this number are known.
    seen: u64,
}

impl Course {
    /// Plays the match to its end, `step` by step; `None` if it was told to stop.
    pub fn follow(
        mut self,
        mut world: World,
        stop: &AtomicBool,
        mut step: impl FnMut(&mut World),
    ) -> Option<MatchResult> {
        loop {
            if world.step_count().is_multiple_of(STEPS_BETWEEN_LOOKS) && stop.load(Ordering::Relaxed) {
                return None;
            }
            step(&mut world);
            let result = self.look(&world);
            if result.is_some() {
                return result;
            }
        }
    }

    /// Looks at the world after each step; gives the result if the match is over.
    pub fn look(&mut self, world: &World) -> Option<MatchResult> {
        self.note_faults(world);
        let ended = if self.so_far.faults.iter().any(|fault| fault.entrant.is_none()) {
            FAULT.to_owned()
        } else if let Some(end) = world.episode_end() {
            end.outcome().to_owned()
        } else if world.game().phase_name() == FINISHED {
            "finished".to_owned()
        } else if world.step_count() >= self.limit {
            "time".to_owned()
        } else {
            return None;
        };
        self.note(world);
        Some(MatchResult { ended, ..self.so_far.clone() })
    }

    /// Keeps how the match stands, for [`Self::failed`].
    pub fn note(&mut self, world: &World) {
        let goals = |team| u32::try_from(world.game().score(team)).unwrap_or(0);
        self.so_far.goals = [goals(0), goals(1)];
        self.so_far.steps = world.step_count();
        self.so_far.state_hash = format!("{:016x}", world.state_hash());
    }

    /// The result of a match that ends because programs failed, as it stood when it was noted last: which side's, and how. One that
    /// fails has lost; if both do, the match is void.
    pub fn failed(&self, programs: &[(usize, String)]) -> MatchResult {
        let mut result = self.so_far.clone();
        for (side, what) in programs {
            let entrant = result.entrants.get(*side).cloned();
            result.faults.push(MatchFault { entrant, step: result.steps, what: what.clone() });
        }
        result.ended = FAULT.into();
        if let [(side @ (0 | 1), _)] = programs {
            result.ended = "forfeit".into();
            let (winner, loser) = (1 - side, *side);
            if result.goals[winner] < result.goals[loser].saturating_add(FORFEIT_GOALS) {
                result.goals[winner] = FORFEIT_GOALS;
                result.goals[loser] = 0;
            }
        }
        result
    }

    /// The result of a match in which programs were waited for in vain: void, for a busy machine is nobody's defeat.
    pub fn late(&self, programs: &[(usize, String)]) -> MatchResult {
        let mut result = self.so_far.clone();
        for (side, what) in programs {
            let entrant = result.entrants.get(*side).cloned();
            result.faults.push(MatchFault { entrant, step: result.steps, what: what.clone() });
        }
        result.ended = LATE.into();
        result
    }

    /// Adds the faults of events that were not seen before.
    fn note_faults(&mut self, world: &World) {
        let newest = world.events().next_back().map_or(0, |event| event.number + 1);
        if newest == self.seen {
            return;
        }
        for event in world.events().filter(|event| event.number >= self.seen) {
            let EventKind::Fault { owner, plugin, message } = &event.kind else { continue };
            let robots = &world.scenario().robots;
            let team = robots.iter().find(|robot| *robot.name == **owner).and_then(|robot| robot.team);
            let team = team.filter(|_| plugin.starts_with("player "));
            let side = team.and_then(|team| self.so_far.entrants.get(team as usize));
            self.so_far.faults.push(MatchFault {
                entrant: side.cloned(),
                step: event.step,
                what: format!("{owner}: {plugin}: {message}"),
            });
        }
        self.seen = newest;
    }
}
