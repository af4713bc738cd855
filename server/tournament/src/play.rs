//! Plays matches: one by its number, or many on all cores.

use crate::load::Tournament;
use serde::{Deserialize, Serialize};
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use touchline_plugin_api::game::Phase;
use touchline_sim::{EventKind, World, WorldError};

/// A match looks so often whether it shall stop, steps.
const STEPS_BETWEEN_LOOKS: u64 = 64;

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
    /// Their goals.
    pub goals: [u32; 2],
    /// Why it ended: `time`, `finished` by the referee, the word by which the referee ended an episode, or `fault` if it is void.
    pub ended: String,
    /// How many steps the world made.
    pub steps: u64,
    /// The world's state after the last one: equal if two matches went the same way.
    pub state_hash: String,
    /// The plugins that failed, in their order.
    pub faults: Vec<MatchFault>,
}

impl MatchResult {
    /// Whether something failed that was neither entrant's: then the match says nothing about them.
    pub fn is_void(&self) -> bool {
        self.faults.iter().any(|fault| fault.entrant.is_none())
    }
}

/// A plugin that failed in a match. A player that failed has left its robot standing; the match goes on and counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchFault {
    /// Whose player failed; `None` if it was something of the world: the rules, a motion model, a sensor.
    pub entrant: Option<String>,
    /// The step in which it failed.
    pub step: u64,
    /// The robot, the plugin, and what happened.
    pub what: String,
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
    /// A result cannot be kept.
    #[error(transparent)]
    Keep(#[from] io::Error),
}

impl Tournament {
    /// Plays the match of this number. It is a pure function of the tournament file and the number.
    ///
    /// # Errors
    /// When there is no such match, or its world cannot be made.
    pub fn play(&self, number: u64) -> Result<MatchResult, PlayError> {
        let never = AtomicBool::new(false);
        self.play_until(number, &never)?.ok_or(PlayError::NoSuchMatch(number))
    }

    /// As [`Self::play`]; `None` if it was told to stop.
    fn play_until(&self, number: u64, stop: &AtomicBool) -> Result<Option<MatchResult>, PlayError> {
        let one = self.nth(number).ok_or(PlayError::NoSuchMatch(number))?;
        let scenario = self.scenario(&one).ok_or(PlayError::NoSuchMatch(number))?;
        let steps = (self.match_secs() / scenario.dt_secs).round().max(1.0) as u64;
        let names = one.sides.map(|entrant| self.spec.entrants[entrant].name.clone());
        let mut world = World::new(scenario, Arc::clone(&self.factory))
            .map_err(|error| PlayError::World(number, error))?;
        let (mut faults, mut seen) = (Vec::new(), 0);
        let ended = loop {
            if world.step_count().is_multiple_of(STEPS_BETWEEN_LOOKS) && stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            world.step(&[]);
            note_faults(&world, &names, &mut seen, &mut faults);
            if faults.iter().any(|fault| fault.entrant.is_none()) {
                break "fault".to_owned();
            }
            if let Some(end) = world.episode_end() {
                break end.outcome().to_owned();
            }
            if world.game().phase() == Phase::Finished {
                break "finished".to_owned();
            }
            if world.step_count() >= steps {
                break "time".to_owned();
            }
        };
        let [first, second, ..] = world.game().score;
        Ok(Some(MatchResult {
            number,
            digest: self.digest_of(&one),
            pair: one.pair,
            seed: one.seed,
            entrants: names,
            goals: [first, second],
            ended,
            steps: world.step_count(),
            state_hash: format!("{:016x}", world.state_hash()),
            faults,
        }))
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
        keep: impl FnMut(MatchResult) -> io::Result<()> + Send,
    ) -> Result<(), PlayError> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if threads == 0 { cores() } else { threads }.min(numbers.len());
        let (next, given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
        let keep = Mutex::new((keep, Ok(())));
        let work = || {
            while !given_up.load(Ordering::Relaxed) {
                let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let played = self.play_until(number, stop);
                let mut keep = keep.lock().unwrap_or_else(PoisonError::into_inner);
                let kept = match played {
                    Ok(None) => return,
                    Ok(Some(_)) if keep.1.is_err() => return,
                    Ok(Some(result)) => (keep.0)(result).map_err(PlayError::Keep),
                    Err(error) => Err(error),
                };
                if let (Err(_), Ok(())) = (&kept, &keep.1) {
                    keep.1 = kept;
                    given_up.store(true, Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        keep.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// Adds the faults of events that were not seen before.
fn note_faults(world: &World, names: &[String; 2], seen: &mut u64, faults: &mut Vec<MatchFault>) {
    let newest = world.events().next_back().map_or(0, |event| event.number + 1);
    if newest == *seen {
        return;
    }
    for event in world.events().filter(|event| event.number >= *seen) {
        let EventKind::Fault { owner, plugin, message } = &event.kind else { continue };
        let robots = &world.scenario().robots;
        let team = robots.iter().find(|robot| *robot.name == **owner).and_then(|robot| robot.team);
        let side = team.filter(|_| plugin.starts_with("player ")).and_then(|team| names.get(team as usize));
        faults.push(MatchFault {
            entrant: side.cloned(),
            step: event.step,
            what: format!("{owner}: {plugin}: {message}"),
        });
    }
    *seen = newest;
}
