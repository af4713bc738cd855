//! Episodes: where a world begins, when it is over, what its robots are paid; and the way back to the beginning. (G1)
//!
//! A world whose scenario has an [`EpisodeSpec`] is played in episodes. The referee says what a robot is paid and when an
//! episode is over; without a word from it an episode ends with its time. A world that is stepped on after the end goes to
//! its next start by itself, so a server can show it; whoever runs many worlds calls [`World::begin_episode`] instead. Where an
//! episode begins: `start.rs`.
//!
//! # Invariants
//! - An episode is a pure function of its seed, its start and the commands: after [`World::begin_episode`] a world is what a new
//!   one with that seed is.

use crate::command::RobotNumber;
use crate::events::EventKind;
use crate::robot::Robot;
use crate::scenario::EpisodeSpec;
use crate::start::NoStart;
use crate::state::State;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::noise::NoiseSeed;

/// How far an episode is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Episode {
    pub began_step: u64,
    pub end: Option<EpisodeEnd>,
    /// What those robots had been paid that have gone in this episode.
    pub paid_to_gone: Vec<(RobotNumber, f64)>,
}

/// Reason for the end of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// By the referee's word, such as `goal`: what comes after has no worth.
    Over(Arc<str>),
    /// It was cut off: its time was up.
    TimeUp,
    /// It could not begin: there was no free place for something.
    NoRoom(NoStart),
}

impl EpisodeEnd {
    /// The referee's word, `time`, or `no-room`.
    pub fn outcome(&self) -> &str {
        match self {
            Self::Over(outcome) => outcome,
            Self::TimeUp => "time",
            Self::NoRoom(_) => "no-room",
        }
    }
}

impl World {
    /// Goes back to the first step with another seed: afterwards this world is what a new one with that seed is.
    ///
    /// `start` chooses among the scenario's fixed starts; `None` draws one by the seed. Robots that commands have made are
    /// gone, and nobody has taken over any.
    pub fn begin_episode(&mut self, seed: u64, start: Option<usize>) {
        let mut placed = None;
        self.state.view.swap_placed(&mut placed);
        self.state = State::clone(&self.initial);
        self.state.view.swap_placed(&mut placed);
        self.state.noise_seed = NoiseSeed::new(seed);
        self.start_episode(start);
        self.restart_timing();
        self.touch();
    }

    /// How this episode ended, if it did.
    pub fn episode_end(&self) -> Option<&EpisodeEnd> {
        self.state.episode.end.as_ref()
    }

    /// How many steps this episode has had.
    pub fn episode_steps(&self) -> u64 {
        self.state.step - self.state.episode.began_step
    }

    /// What the first plugin said that failed in this episode, with its owner's name; or why the episode could not begin.
    pub fn first_fault(&self) -> Option<String> {
        if let Some(EpisodeEnd::NoRoom(no_start)) = &self.state.episode.end {
            return Some(no_start.to_string());
        }
        let robot =
            self.state.robots.iter().find_map(|robot| {
                robot.fault.as_ref().map(|fault| format!("{}: {fault}", robot.identity.name))
            });
        let referee = self.state.referee.as_ref().filter(|referee| referee.failed);
        robot.or_else(|| referee.map(|referee| format!("referee \"{}\" was stopped", referee.plugin)))
    }

    /// What the referee has paid a robot since the episode began; for one that has gone meanwhile, until it went.
    pub fn reward(&self, robot: RobotNumber) -> f64 {
        let gone = || self.state.episode.paid_to_gone.iter().rev().find(|(number, _)| *number == robot);
        match self.robot_index(robot) {
            Some(index) => self.state.robots[index].reward,
            None => gone().map_or(0.0, |&(_, reward)| reward),
        }
    }

    /// Begins at a start; where there is no room for one, the episode is over before it has begun.
    fn start_episode(&mut self, chosen: Option<usize>) {
        if let Err(no_start) = self.place_start(chosen) {
            let message = no_start.to_string();
            self.event(EventKind::Fault { owner: "episode".into(), plugin: "start".into(), message });
            self.end_episode(EpisodeEnd::NoRoom(no_start));
        }
    }

    /// A world that is stepped on after its episode's end goes on with the next one.
    pub(crate) fn open_next_episode(&mut self) {
        // One that found no room and had no step is shown as it is: its next start would be drawn from the same noise.
        if self.state.episode.end.is_none() || self.episode_steps() == 0 {
            return;
        }
        self.reset_objects();
        // No referee is asked about those that were ordered while time stood.
        self.state.kicks.clear();
        self.reset_manipulators();
        self.state.robots.iter_mut().for_each(|robot| robot.reward = 0.0);
        self.state.episode = Episode { began_step: self.state.step, ..Episode::default() };
        self.start_episode(None);
        self.restart_timing();
    }

    pub(crate) fn watch_episode_time(&mut self) {
        let Some(EpisodeSpec { max_steps, .. }) = self.setup.scenario.episode else { return };
        if self.state.episode.end.is_none() && self.episode_steps() >= max_steps {
            self.end_episode(EpisodeEnd::TimeUp);
        }
    }

    /// The first word counts. Where nothing is played in episodes, it is an announcement and no more.
    pub(crate) fn end_episode(&mut self, end: EpisodeEnd) {
        if self.state.episode.end.is_none() {
            self.event(EventKind::Announcement(format!("episode over: {}", end.outcome())));
            self.state.episode.end = self.setup.scenario.episode.is_some().then_some(end);
        }
    }

    /// Back to the first step; the robots of clients stay, at their starting places.
    pub(crate) fn reset(&mut self) {
        let run = self.state.run + 1;
        let (events, messages) = (self.state.events.next(), self.state.messages.next());
        let taken: Vec<_> = self.state.robots.iter().map(|robot| (robot.number(), robot.taken_by)).collect();
        let spawned: Vec<_> = self.spawned_robots().collect();
        let spawned: Vec<_> =
            spawned.into_iter().map(|index| Arc::clone(&self.state.robots[index].identity)).collect();
        let guests: Vec<Robot> =
            self.state.robots.drain(..).filter(|robot| robot.made_by.is_some()).collect();
        let next_robot = self.state.next_robot;
        self.state = State { run, next_robot, ..State::clone(&self.initial) };
        // Numbers go on, so that a reader who has seen event 17 misses none of what follows.
        self.state.events.go_on_from(events);
        self.state.messages.go_on_from(messages);
        for identity in spawned {
            self.event(EventKind::RobotRemoved { number: identity.number, name: identity.name.clone() });
        }
        for guest in guests {
            self.readmit(guest);
        }
        // Who drives goes on driving.
        for (number, taken_by) in taken {
            if let Some(index) = self.robot_index(number) {
                self.state.robots[index].taken_by = taken_by;
            }
        }
        self.state.discard_view();
        self.start_episode(None);
        self.restart_timing();
    }
}
