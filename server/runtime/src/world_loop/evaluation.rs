//! What programs outside play over the board: episodes, one world after the other, each with the same starts and seeds; or a match. (B1)
//!
//! The world goes on by ordered steps alone, and only while each participant has taken over all of its robots. An order ends with
//! its episode: the next one begins in the same step, with step 0 and a new episode number, so that what is read then is its start.

use super::stage::Stage;
use crate::recorder::Producer;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use touchline_gate::{Bookmark, Control, Later, Mode, RecordOrder, RequestError, Tick, Wish, ready};
use touchline_sim::{Action, Command, Frame, Outcome, RobotNumber, World};

/// Looks at the world after each step, and says how its episode ended, if it did.
pub type EndOf = Box<dyn FnMut(&World) -> Option<String> + Send>;

/// What is to be played.
pub struct Plan {
    /// The worlds, in their order; they are of one make, but for players and robots that follow those of the participants.
    pub worlds: Vec<World>,
    /// How many episodes in each; episode `k` begins with start `k`.
    pub episodes: usize,
    /// The seed of each episode; without it a world's first episode begins with the world as it is.
    pub seed_of: Option<Box<dyn Fn(usize) -> u64 + Send>>,
    /// Records what is played: of one episode in one world, which has begun.
    pub recorder: Option<Producer>,
    /// The robots of each participant.
    pub participants: Vec<Vec<RobotNumber>>,
    /// Rule that ends an episode.
    pub end_of: EndOf,
}

/// An event of an episode or of a participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationEvent {
    /// A participant has taken over all of its robots.
    Taken(usize),
    /// It has given one back, or has gone.
    Left(usize),
    /// An episode has ended.
    Ended {
        /// In which world, from 0.
        world: usize,
        /// Which, from 0.
        episode: usize,
        /// The referee's word, or `time`.
        outcome: String,
        /// How many steps it took.
        steps: u64,
        /// What it was made from.
        seed: u64,
        /// The first plugin that failed, if one did.
        fault: Option<String>,
    },
}

/// The stage on which they are played.
pub struct Evaluation {
    plan: Plan,
    events: SyncSender<EvaluationEvent>,
    /// Number of steps made in all episodes.
    steps: u64,
    world: usize,
    episode: usize,
    /// Client that drives each robot.
    taken_by: BTreeMap<RobotNumber, u64>,
    /// The last step ended an episode.
    has_ended: bool,
    is_done: bool,
    changes: u64,
}

impl Evaluation {
    /// Before the first episode's first step; the plan has at least one world.
    pub fn new(plan: Plan, events: SyncSender<EvaluationEvent>) -> Self {
        let mut evaluation = Self {
            is_done: plan.worlds.is_empty() || plan.episodes == 0,
            plan,
            events,
            steps: 0,
            world: 0,
            episode: 0,
            taken_by: BTreeMap::new(),
            has_ended: false,
            changes: 0,
        };
        evaluation.begin();
        evaluation
    }

    pub(super) fn world(&self) -> &World {
        &self.plan.worlds[self.world]
    }

    pub(super) fn participants(&self) -> &[Vec<RobotNumber>] {
        &self.plan.participants
    }

    fn seed(&self) -> u64 {
        let as_it_is = || self.world().scenario().seed;
        self.plan.seed_of.as_ref().map_or_else(as_it_is, |seed_of| seed_of(self.episode))
    }

    /// Begins the episode, and leaves the robots to who has taken them.
    fn begin(&mut self) {
        let (seed, episode) = (self.seed(), self.episode);
        let world = &mut self.plan.worlds[self.world];
        if self.plan.seed_of.is_some() || episode > 0 {
            world.begin_episode(seed, Some(episode));
        }
        for (&robot, &client) in &self.taken_by {
            world.apply(&[Command { client, sequence: 0, action: Action::TakeRobot(robot) }]);
        }
    }

    /// Tells how the episode ended, and begins the next one.
    fn finish(&mut self, outcome: String) {
        let world = self.world();
        let (steps, fault) = (world.step_count(), world.first_fault());
        let seed = self.seed();
        let ended =
            EvaluationEvent::Ended { world: self.world, episode: self.episode, outcome, steps, seed, fault };
        self.tell(ended);
        self.has_ended = true;
        self.episode += 1;
        if self.episode == self.plan.episodes {
            if self.world + 1 == self.plan.worlds.len() {
                self.is_done = true;
                return;
            }
            (self.world, self.episode) = (self.world + 1, 0);
        }
        self.begin();
    }

    /// Whether a participant has all of its robots.
    fn is_there(&self, participant: usize) -> bool {
        let robots = self.plan.participants.get(participant);
        robots.is_some_and(|robots| robots.iter().all(|robot| self.taken_by.contains_key(robot)))
    }

    fn all_are_there(&self) -> bool {
        (0..self.plan.participants.len()).all(|participant| self.is_there(participant))
    }

    /// Remembers who drives. Others' commands that were refused changed nothing.
    fn watch(&mut self, commands: &[Command], outcomes: &[Outcome]) {
        for command in commands {
            let was_there: Vec<bool> =
                (0..self.plan.participants.len()).map(|participant| self.is_there(participant)).collect();
            let is_done = outcomes.iter().any(|outcome| {
                (outcome.client, outcome.sequence) == (command.client, command.sequence)
                    && outcome.result.is_ok()
            });
            match command.action {
                Action::TakeRobot(robot) if is_done => {
                    self.taken_by.insert(robot, command.client);
                }
                Action::GiveRobot(robot) if is_done => {
                    self.taken_by.remove(&robot);
                }
                Action::GiveAll => self.taken_by.retain(|_, client| *client != command.client),
                _ => continue,
            }
            for (participant, was_there) in was_there.into_iter().enumerate() {
                match (was_there, self.is_there(participant)) {
                    (false, true) => self.tell(EvaluationEvent::Taken(participant)),
                    (true, false) => self.tell(EvaluationEvent::Left(participant)),
                    _ => {}
                }
            }
        }
    }

    fn tell(&self, events: EvaluationEvent) {
        // Who no longer listens has stopped the run.
        let _ = self.events.send(events);
    }
}

impl Stage for Evaluation {
    fn dt_secs(&self) -> f64 {
        self.world().scenario().dt_secs
    }

    fn step(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.has_ended = self.is_done || !self.all_are_there();
        if self.has_ended {
            return self.apply(commands);
        }
        self.changes += 1;
        self.steps += 1;
        let world = &mut self.plan.worlds[self.world];
        let outcomes = world.step(commands);
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.stepped(commands, &outcomes, world);
        }
        let end = (self.plan.end_of)(world);
        self.watch(commands, &outcomes);
        if let Some(outcome) = end {
            self.finish(outcome);
        }
        outcomes
    }

    fn step_back(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.apply(commands)
    }

    fn apply(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.changes += 1;
        let world = &mut self.plan.worlds[self.world];
        let outcomes = world.apply(commands);
        if let Some(recorder) = self.plan.recorder.as_mut().filter(|_| !self.is_done) {
            recorder.applied(commands, &outcomes, world);
        }
        self.watch(commands, &outcomes);
        outcomes
    }

    fn seek(&mut self, _: Tick, _: Option<Box<World>>) -> Result<(), RequestError> {
        Err(RequestError::Evaluated)
    }

    fn is_at_end(&self, _: bool) -> bool {
        false
    }

    fn takes_order(&self, participant: usize) -> bool {
        !self.is_done && self.is_there(participant)
    }

    fn ends_order(&self) -> bool {
        self.has_ended
    }

    fn frame(&self) -> Frame {
        let mut frame = self.world().frame();
        // A world that begins anew counts from 0; those who read see one run of episodes.
        let number = self.world * self.plan.episodes + self.episode;
        let episode = u32::try_from(number).unwrap_or(u32::MAX);
        frame.game = frame.game.with_episode(episode);
        frame.revision = self.changes;
        frame
    }

    fn state_hash(&self) -> u64 {
        self.world().state_hash()
    }

    fn tick(&self) -> Tick {
        self.steps
    }
}

/// At the gate: each participant drives its own robots, sees with their sensors, and orders steps; nothing is kept of the past.
pub(super) struct Measured {
    /// The robots of each participant.
    pub participants: Vec<Vec<RobotNumber>>,
    /// Whether a participant may know how things really are.
    pub may_read_truth: bool,
}

impl Mode for Measured {
    fn permit(&self, participant: usize, wish: Wish<'_>) -> Result<(), RequestError> {
        let own = self.participants.get(participant).map_or(&[][..], Vec::as_slice);
        let (may, refused) = match wish {
            Wish::Change(action) => (own.iter().any(|&robot| action.drives(robot)), RequestError::Evaluated),
            Wish::Control(control) => (matches!(control, Control::Step(_)), RequestError::Evaluated),
            Wish::Sense(robot) => (own.contains(&robot), RequestError::OthersSensors),
            Wish::Truth => (self.may_read_truth, RequestError::Truth),
            Wish::Look | Wish::Seek | Wish::Record => (false, RequestError::Evaluated),
        };
        if may { Ok(()) } else { Err(refused) }
    }

    fn ticks(&self, now: Tick) -> (Tick, Tick) {
        (now, now)
    }

    fn bookmarks(&self) -> Later<Vec<Bookmark>> {
        ready(Ok(Vec::new()))
    }

    fn frame_at(&self, _: Tick) -> Later<Arc<Frame>> {
        ready(Err(RequestError::Evaluated))
    }

    fn state_at(&self, _: Tick) -> Later<Option<Box<World>>> {
        ready(Err(RequestError::Evaluated))
    }

    fn record(&self, _: RecordOrder, _: Option<String>) -> Later<PathBuf> {
        ready(Err(RequestError::Evaluated))
    }
}
