//! Episodes that a program outside plays over the board: one world after the other, each with the same starts and seeds. (B1)
//!
//! The world goes on by ordered steps alone, and only while somebody has taken over the robot that is measured. An order ends with
//! its episode: the next one begins in the same step, with step 0 and a new episode number, so that what is read then is its start.

use super::RequestError;
use super::stage::Stage;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use touchline_record::Moment;
use touchline_sim::{Action, Command, Frame, Outcome, RobotNumber, World};

/// What is to be played.
pub struct Plan {
    /// The worlds, in their order; they are of one make, but for players and robots that follow the measured one.
    pub worlds: Vec<World>,
    /// How many episodes in each; episode `k` begins with start `k`.
    pub episodes: usize,
    /// The seed of each episode.
    pub seed_of: Box<dyn Fn(usize) -> u64 + Send>,
    /// Who is measured.
    pub robot: RobotNumber,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A client has taken the robot over.
    Taken,
    /// It has given it back, or has gone.
    Left,
    /// An episode is over.
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
pub struct Trials {
    plan: Plan,
    news: SyncSender<News>,
    /// All steps made, for those who wonder whether anything moves.
    steps: Arc<AtomicU64>,
    world: usize,
    episode: usize,
    /// Who drives.
    taken_by: Option<u64>,
    /// The last step ended an episode.
    has_ended: bool,
    is_done: bool,
    changes: u64,
}

impl Trials {
    /// Before the first episode's first step; the plan has at least one world. The number counts all steps.
    pub fn new(plan: Plan, news: SyncSender<News>) -> (Self, Arc<AtomicU64>) {
        let steps = Arc::new(AtomicU64::new(0));
        let mut trials = Self {
            is_done: plan.worlds.is_empty() || plan.episodes == 0,
            plan,
            news,
            steps: Arc::clone(&steps),
            world: 0,
            episode: 0,
            taken_by: None,
            has_ended: false,
            changes: 0,
        };
        trials.begin();
        (trials, steps)
    }

    pub(super) fn world(&self) -> &World {
        &self.plan.worlds[self.world]
    }

    /// Begins the episode, and leaves the robot to who has taken it.
    fn begin(&mut self) {
        let seed = (self.plan.seed_of)(self.episode);
        let (robot, episode) = (self.plan.robot, self.episode);
        let world = &mut self.plan.worlds[self.world];
        world.begin_episode(seed, Some(episode));
        if let Some(client) = self.taken_by {
            world.apply(&[Command { client, sequence: 0, action: Action::TakeRobot(robot) }]);
        }
    }

    /// Tells how the episode ended, and begins the next one.
    fn finish(&mut self, outcome: String) {
        let world = self.world();
        let (steps, fault) = (world.step_count(), world.first_fault());
        let seed = (self.plan.seed_of)(self.episode);
        let ended = News::Ended { world: self.world, episode: self.episode, outcome, steps, seed, fault };
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

    /// Remembers who drives. Others' commands that were refused changed nothing.
    fn watch(&mut self, commands: &[Command], outcomes: &[Outcome]) {
        for command in commands {
            let is_done = outcomes.iter().any(|outcome| {
                (outcome.client, outcome.sequence) == (command.client, command.sequence)
                    && outcome.result.is_ok()
            });
            match command.action {
                Action::TakeRobot(robot) if is_done && robot == self.plan.robot => {
                    let was_taken = self.taken_by.replace(command.client).is_some();
                    (!was_taken).then(|| self.tell(News::Taken));
                }
                Action::GiveRobot(robot) if is_done && robot == self.plan.robot => self.leave(),
                Action::GiveAll if self.taken_by == Some(command.client) => self.leave(),
                _ => {}
            }
        }
    }

    fn leave(&mut self) {
        if self.taken_by.take().is_some() {
            self.tell(News::Left);
        }
    }

    fn tell(&self, news: News) {
        // Who no longer listens has stopped the run.
        let _ = self.news.send(news);
    }
}

impl Stage for Trials {
    fn dt_secs(&self) -> f64 {
        self.world().scenario().dt_secs
    }

    fn step(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.has_ended = self.is_done || self.taken_by.is_none();
        if self.has_ended {
            return self.apply(commands);
        }
        self.changes += 1;
        self.steps.fetch_add(1, Ordering::Relaxed);
        let world = &mut self.plan.worlds[self.world];
        let outcomes = world.step(commands);
        let end = world.episode_end().map(|end| end.outcome().to_owned());
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
        let outcomes = self.plan.worlds[self.world].apply(commands);
        self.watch(commands, &outcomes);
        outcomes
    }

    fn jump(&mut self, _: Moment, _: Option<Box<World>>) -> Result<(), RequestError> {
        Err(RequestError::Trials)
    }

    fn is_at_end(&self, _: bool) -> bool {
        false
    }

    fn ends_order(&self) -> bool {
        self.has_ended
    }

    fn frame(&self) -> Frame {
        let mut frame = self.world().frame();
        // A world that begins anew counts from 0; those who read see one run of episodes.
        let number = self.world * self.plan.episodes + self.episode;
        frame.game.episode = u32::try_from(number).unwrap_or(u32::MAX);
        frame.revision = self.changes;
        frame
    }

    fn state_hash(&self) -> u64 {
        self.world().state_hash()
    }

    fn moment(&self) -> Moment {
        self.steps.load(Ordering::Relaxed)
    }
}
