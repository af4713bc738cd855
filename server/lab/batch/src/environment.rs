//! One environment: a world, and which episode it is in.

use crate::layout::Plan;
use crate::senses::AgentSenses;
use std::hint::black_box;
use touchline_episode::{AgentAction, NOTHING, Scene};
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::{AgentOrder, EpisodeEnd, Snapshot, StepPart, WorkSpace, World};

/// The seed of one episode: a world that is made with it alone goes through the very same episode.
pub fn episode_seed(seed: u64, environment: u64, episode: u64) -> u64 {
    NoiseKey::for_owner(seed, "environment").split(environment).split(episode).owner
}

/// An episode that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Index of the environment.
    pub environment: usize,
    /// Which it was, from 0.
    pub episode: u64,
    /// What it was made from.
    pub seed: u64,
    /// How it ended: the referee's word, or `time`.
    pub end: EpisodeEnd,
    /// How many decisions were made.
    pub decisions: u64,
    /// How many steps the world made.
    pub steps: u64,
    /// What each agent was paid in all.
    pub returns: Vec<f64>,
    /// The goals of each team of the world.
    pub score: Vec<i64>,
    /// The first plugin that failed, if one did: then the episode is worth nothing.
    pub fault: Option<String>,
}

/// An environment as it was: see [`crate::Batch::save`].
#[derive(Clone)]
pub struct Saved {
    /// The environment that it was saved from.
    number: usize,
    snapshot: Snapshot,
    episode: u64,
    seed: u64,
    family: (u64, u64),
    decisions: u64,
    has_begun: bool,
    is_over: bool,
}

/// Is told of a world after each of its steps.
pub type Watcher = Box<dyn FnMut(&World) + Send + Sync>;

/// A world with its episodes.
pub(crate) struct Environment {
    pub world: World,
    number: usize,
    episode: u64,
    seed: u64,
    /// What the seeds of its episodes are made from: a seed, and the number of an environment.
    family: (u64, u64),
    decisions: u64,
    has_begun: bool,
    /// The episode has ended, and nobody has begun another.
    pub is_over: bool,
    /// Nobody wants to know more of it: it is not stepped until somebody begins an episode.
    pub is_resting: bool,
    /// A step of its decision is being made.
    is_stepping: bool,
    /// Told of every step, if somebody watches.
    pub watcher: Option<Watcher>,
    scratch: Scratch,
}

/// What a decision works in, and what none depends on.
#[derive(Default)]
struct Scratch {
    orders: Vec<AgentOrder>,
    quantised: Vec<u32>,
    /// Sine and cosine of each robot's heading.
    headings: Vec<(f64, f64)>,
    /// What each agent had been paid before this decision.
    paid: Vec<f64>,
}

/// The memory that environments work in, which one thread lends them a few at a time.
#[derive(Default)]
pub(crate) struct Space {
    world: WorkSpace,
    scratch: Scratch,
}

/// One environment's parts of the arrays.
pub(crate) struct Slot<'a> {
    pub observations: &'a mut [f32],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut bool,
    pub truncated: &'a mut bool,
    pub alive: &'a mut [bool],
}

impl Environment {
    pub fn new(world: World, number: usize, seed: u64) -> Self {
        Self {
            world,
            number,
            episode: 0,
            seed: 0,
            family: (seed, number as u64),
            decisions: 0,
            has_begun: false,
            is_over: true,
            is_resting: false,
            is_stepping: false,
            watcher: None,
            scratch: Scratch::default(),
        }
    }

    /// Reads what the next decision begins with, while another environment is stepped.
    pub fn prefetch(&self) {
        black_box((self.decisions, self.is_over));
        self.world.prefetch();
    }

    /// Works in another space than before; called again with the same, it gives that back.
    pub fn swap_space(&mut self, space: &mut Space) {
        self.world.swap_work_space(&mut space.world);
        std::mem::swap(&mut self.scratch, &mut space.scratch);
    }

    /// Resets the world to the start of an episode, with this seed.
    pub fn begin(&mut self, seed: u64, episode: u64, start: Option<usize>) {
        (self.episode, self.seed) = (episode, seed);
        (self.decisions, self.is_over, self.has_begun) = (0, false, true);
        self.is_resting = false;
        self.world.begin_episode(seed, start);
    }

    /// Begins the episode that comes next, of its own seed.
    pub fn begin_next(&mut self) {
        let episode = self.next_episode();
        self.begin(episode_seed(self.family.0, self.family.1, episode), episode, None);
    }

    /// Begins episode 0 of another family of seeds.
    pub fn begin_family(&mut self, family: (u64, u64)) {
        self.family = family;
        self.begin(episode_seed(family.0, family.1, 0), 0, None);
    }

    /// Its place in the batch.
    pub fn number(&self) -> usize {
        self.number
    }

    /// What the seeds of its episodes are made from.
    pub fn family(&self) -> (u64, u64) {
        self.family
    }

    /// The number of the episode that comes next.
    pub fn next_episode(&self) -> u64 {
        if self.has_begun { self.episode + 1 } else { 0 }
    }

    /// Which episode it is in, and what that was made from.
    pub fn episode(&self) -> (u64, u64) {
        (self.episode, self.seed)
    }

    /// Takes a decision: the steps of it follow ([`Environment::begin_step`], [`Environment::step_part`]), and then [`Environment::decided`]. One
    /// that rests or is over takes none, and makes no steps.
    pub fn decide(&mut self, plan: &Plan, actions: &[f32]) {
        self.is_stepping = !self.is_resting && !self.is_over;
        if self.is_stepping {
            self.order(plan, actions);
            let (world, paid) = (&self.world, &mut self.scratch.paid);
            paid.clear();
            paid.extend(plan.agents.iter().map(|agent| world.reward(agent.robot)));
        }
    }

    /// Begins a step of a decision, unless its episode has ended; what is ordered is ordered in the first.
    pub fn begin_step(&mut self, is_first: bool) {
        self.is_stepping &= is_first || self.world.episode_end().is_none();
        if self.is_stepping {
            self.world.begin_agents(if is_first { &self.scratch.orders } else { &[] });
        }
    }

    /// Goes through a part of a step that has begun.
    pub fn step_part(&mut self, part: StepPart) {
        if self.is_stepping {
            self.world.step_part(part);
            if part == StepPart::LAST {
                self.tell_watcher();
            }
        }
    }

    /// What came of a decision.
    pub fn decided(&mut self, plan: &Plan, slot: &mut Slot<'_>) -> Option<Ended> {
        self.decisions += 1;
        for ((agent, reward), before) in plan.agents.iter().zip(&mut *slot.rewards).zip(&self.scratch.paid) {
            // One that goes in this decision is paid what it earned until then.
            *reward = (self.world.reward(agent.robot) - before) as f32;
        }
        let end = self.world.episode_end().cloned();
        *slot.terminated = matches!(end, Some(EpisodeEnd::Over(_)));
        *slot.truncated = matches!(end, Some(EpisodeEnd::TimeUp | EpisodeEnd::NoRoom(_)));
        self.observe(plan, slot.observations, slot.alive);
        let end = end?;
        self.is_over = true;
        Some(self.ended(plan, end))
    }

    fn tell_watcher(&mut self) {
        if let Some(watcher) = &mut self.watcher {
            watcher(&self.world);
        }
    }

    /// A robot that has gone obeys nobody.
    fn order(&mut self, plan: &Plan, actions: &[f32]) {
        let orders = &mut self.scratch.orders;
        orders.clear();
        for (agent, actions) in plan.agents.iter().zip(actions.chunks(plan.layout.actions.len().max(1))) {
            let robot = agent.robot;
            agent.actor.act(actions, |ordered| {
                orders.push(match ordered {
                    AgentAction::Drive(numbers) => {
                        let mut command = [0.0; MAX_DIMENSIONS];
                        command[..numbers.len()].copy_from_slice(numbers);
                        AgentOrder::Drive { robot, command, dimensions: numbers.len() }
                    }
                    AgentAction::Switch(manipulator, state, strength) => {
                        AgentOrder::Switch { robot, manipulator, state, aim: Aim::strength(strength) }
                    }
                });
            });
        }
    }

    /// Writes what all agents observe, and which of them are still there.
    pub fn observe(&mut self, plan: &Plan, observations: &mut [f32], alive: &mut [bool]) {
        let width = plan.layout.observed.len();
        let left = 1.0 - self.world.episode_steps() as f64 / plan.max_steps as f64;
        let Scratch { headings, quantised, .. } = &mut self.scratch;
        let scene = Scene::new(self.world.view(), headings);
        let mut failed = Vec::new();
        for (index, (agent, alive)) in plan.agents.iter().zip(alive).enumerate() {
            let out = &mut observations[index * width..(index + 1) * width];
            let robot = self.world.robot(agent.robot);
            *alive = robot.is_some();
            match robot {
                Some(robot) => {
                    let mut senses = AgentSenses::new(robot, quantised);
                    agent.observer.observe(&scene, agent.robot, &mut senses, left, out);
                    failed.extend(senses.failed.into_iter().map(|fault| (agent.robot, fault)));
                }
                None => out.fill(NOTHING),
            }
        }
        // Not read again in this episode, and told at its end.
        for (robot, (sensor, fault)) in failed {
            self.world.stop_sensor(robot, sensor, &fault);
        }
    }

    fn ended(&self, plan: &Plan, end: EpisodeEnd) -> Ended {
        Ended {
            environment: self.number,
            episode: self.episode,
            seed: self.seed,
            end,
            decisions: self.decisions,
            steps: self.world.step_count(),
            returns: plan.agents.iter().map(|agent| self.world.reward(agent.robot)).collect(),
            score: self.world.game().teams.iter().map(|team| team.score).collect(),
            fault: self.world.first_fault(),
        }
    }

    pub fn save(&self) -> Saved {
        let Self { number, episode, seed, family, decisions, has_begun, is_over, .. } = *self;
        Saved {
            number,
            snapshot: self.world.snapshot(),
            episode,
            seed,
            family,
            decisions,
            has_begun,
            is_over,
        }
    }

    /// Goes on from a state. From another environment's it plays that one's episode to its end, and then episodes of its own that it has
    /// not had: as many environments may go on from one state, and shall not play the same for ever.
    pub fn load(&mut self, saved: &Saved) {
        self.world.restore(&saved.snapshot);
        self.seed = saved.seed;
        if saved.number == self.number {
            (self.episode, self.family, self.has_begun) = (saved.episode, saved.family, saved.has_begun);
        } else {
            self.episode = self.episode.max(saved.episode);
            self.has_begun |= saved.has_begun;
        }
        (self.decisions, self.is_over) = (saved.decisions, saved.is_over);
        self.is_resting = false;
    }
}
