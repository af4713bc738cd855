//! How the environments are shared out among threads.
//!
//! Each thread has a part of them, the same in every step, so that it finds most of them where its own core has left them; who is
//! through takes from the others' parts. The thread that asks works too: it waits for nobody before the end, and while it works
//! the others wake up. Each thread lends the worlds its own work spaces: what a world does not need between
//! its steps would otherwise be fetched from far memory for each. It steps a few worlds together, part by part: the code of a step does not fit into the
//! processor's nearest cache, and so is fetched once for all of them. Where waking others takes longer than the work, it works alone (`pace`).

use crate::environment::{Ended, Environment, Slot, Space};
use crate::layout::{BatchError, MOST_THREADS, Plan};
use crate::pace::{Crew, Pace};
use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Instant;
use touchline_sim::StepPart;

/// So many environments are stepped together: their memory still fits into the near cache.
const TOGETHER: usize = 8;
/// At most so many neighbouring environments are taken at a time: some hundred microseconds of work.
const GRAIN: usize = 4 * TOGETHER;
/// Each thread goes for more at least so often, so that none has to wait long for another at the end.
const TURNS: usize = 8;

/// What is done with one environment: with it, its parts of the arrays, and its last observations.
pub(crate) type Work<'a> =
    dyn Fn(&mut Environment, &mut Slot<'_>, Option<&mut [f32]>) -> Option<Ended> + Sync + 'a;

/// The work spaces of one thread, for each of the environments that it steps together.
pub(crate) type Spaces = [Space; TOGETHER];

/// The threads beside the one that asks.
pub(crate) struct Pool {
    others: ThreadPool,
    /// One for each of them.
    spaces: Vec<Mutex<Spaces>>,
    /// Of rounds that step the worlds.
    pace: Pace,
}

/// What a round does, as far as it tells how long the next one takes.
#[derive(Clone, Copy)]
pub(crate) enum Round<'a> {
    /// Makes a decision in all worlds, by this plan, like the one before.
    Steps(&'a Plan),
    /// Anything else.
    Other,
}

/// How many numbers belong to one environment.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    pub agents: usize,
    pub observed: usize,
    pub actions: usize,
}

/// What is done with all environments.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub round: Round<'a>,
    pub widths: Widths,
    pub work: &'a Work<'a>,
}

/// Some neighbouring environments with their parts of all arrays.
pub(crate) struct Part<'a> {
    pub environments: &'a mut [Environment],
    pub actions: &'a [f32],
    pub observations: &'a mut [f32],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub alive: &'a mut [bool],
    pub last: Option<&'a mut [f32]>,
}

impl Pool {
    /// Starts the threads; none if one thread is enough. 0 threads are one for each core.
    pub fn new(threads: usize, environments: usize) -> Result<Option<Self>, BatchError> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let threads = if threads == 0 { cores() } else { threads };
        let threads = threads.min(environments);
        if threads < 2 {
            return Ok(None);
        }
        let name = |number| format!("batch-{number}");
        let others = ThreadPoolBuilder::new().num_threads(threads - 1).thread_name(name).build();
        let others = others.map_err(|error| BatchError::Threads(error.to_string()))?;
        Ok(Some(Self { others, spaces: (1..threads).map(|_| Mutex::default()).collect(), pace: Pace::new() }))
    }

    /// How many threads work, the one that asks among them.
    pub fn threads(&self) -> usize {
        self.spaces.len() + 1
    }

    /// Does the work, on all threads if that is faster; what ended comes back in the order of the environments. `spaces` are those of the
    /// thread that asks.
    pub fn run(&mut self, task: Task<'_>, part: Part<'_>, spaces: &mut Spaces) -> Vec<Ended> {
        let is_of_steps = matches!(task.round, Round::Steps(_));
        let crew = if is_of_steps { self.pace.next() } else { self.pace.faster() };
        let start = Instant::now();
        let ended = match crew {
            Crew::Alone => part.run(task, spaces),
            Crew::Together => self.run_together(task, part, spaces),
        };
        if is_of_steps {
            self.pace.took(crew, start.elapsed().as_secs_f64());
        }
        ended
    }

    fn run_together(&self, task: Task<'_>, part: Part<'_>, spaces: &mut Spaces) -> Vec<Ended> {
        let (threads, widths) = (self.threads(), task.widths);
        let grain = (part.environments.len() / (threads * TURNS)).clamp(1, GRAIN);
        let queues: Vec<Mutex<Option<Part<'_>>>> =
            part.split_evenly(threads, widths).into_iter().map(|part| Mutex::new(Some(part))).collect();
        let ended = Mutex::new(Vec::new());
        let work_off = |own: usize, spaces: &mut Spaces| {
            let mut mine = Vec::new();
            for place in 0..threads {
                let queue = &queues[(own + place) % threads];
                while let Some(part) = take(queue, grain, widths) {
                    mine.append(&mut part.run(task, spaces));
                }
            }
            if !mine.is_empty() {
                ended.lock().append(&mut mine);
            }
        };
        self.others.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                let mut spaces = self.spaces[context.index()].lock();
                work_off(context.index() + 1, &mut spaces);
            });
            work_off(0, spaces);
        });
        let mut ended = ended.into_inner();
        ended.sort_unstable_by_key(|ended: &Ended| ended.environment);
        ended
    }
}

/// Takes the next few environments of a queue.
fn take<'a>(queue: &Mutex<Option<Part<'a>>>, grain: usize, widths: Widths) -> Option<Part<'a>> {
    let mut queue = queue.lock();
    let part = queue.take()?;
    if part.environments.len() <= grain {
        return Some(part);
    }
    let (few, rest) = part.split_at(widths, grain);
    *queue = Some(rest);
    Some(few)
}

impl<'a> Part<'a> {
    /// Does the work here, a few environments at a time.
    pub fn run(mut self, task: Task<'_>, spaces: &mut Spaces) -> Vec<Ended> {
        let Task { widths, work, .. } = task;
        let (agents, observed) = (widths.agents, widths.agents * widths.observed);
        let mut ended = Vec::new();
        for index in 0..self.environments.len() {
            let place = index % TOGETHER;
            if place == 0 {
                self.begin(index, task, spaces);
            }
            if let Some(next) = self.environments.get(index + TOGETHER) {
                next.prefetch();
            }
            let environment = &mut self.environments[index];
            let seen = index * observed..(index + 1) * observed;
            let each = index * agents..(index + 1) * agents;
            let mut slot = Slot {
                observations: &mut self.observations[seen.clone()],
                rewards: &mut self.rewards[each.clone()],
                terminated: &mut self.terminated[index],
                truncated: &mut self.truncated[index],
                alive: &mut self.alive[each],
            };
            let last = self.last.as_deref_mut().map(|last| &mut last[seen]);
            ended.extend(work(environment, &mut slot, last));
            environment.swap_space(&mut spaces[place]);
        }
        ended
    }

    /// Lends the next few environments their spaces, and makes the steps of their decisions, if any: one part of a step in all of them, then the
    /// next, as the code of all parts together is more than fits into the processor's near cache.
    fn begin(&mut self, first: usize, task: Task<'_>, spaces: &mut Spaces) {
        let last = (first + TOGETHER).min(self.environments.len());
        let together = &mut self.environments[first..last];
        for (environment, space) in together.iter_mut().zip(spaces) {
            environment.swap_space(space);
        }
        let Round::Steps(plan) = task.round else { return };
        let width = task.widths.agents * task.widths.actions;
        for (environment, index) in together.iter_mut().zip(first..) {
            environment.decide(plan, &self.actions[index * width..(index + 1) * width]);
        }
        for step in 0..plan.layout.decision_steps {
            together.iter_mut().for_each(|environment| environment.begin_step(step == 0));
            for part in StepPart::ALL {
                together.iter_mut().for_each(|environment| environment.step_part(part));
            }
        }
    }

    /// As many parts as are wanted, of nearly the same size.
    fn split_evenly(self, parts: usize, widths: Widths) -> Vec<Part<'a>> {
        let mut rest = self;
        let mut split = Vec::with_capacity(parts);
        for left in (2..=parts).rev() {
            let count = rest.environments.len() / left;
            let (first, others) = rest.split_at(widths, count);
            split.push(first);
            rest = others;
        }
        split.push(rest);
        split
    }

    /// The first environments, and the rest.
    fn split_at(self, widths: Widths, middle: usize) -> (Part<'a>, Part<'a>) {
        let (agents, observed) = (middle * widths.agents, middle * widths.agents * widths.observed);
        let (environments, environments2) = self.environments.split_at_mut(middle);
        let (actions, actions2) = self.actions.split_at(middle * widths.agents * widths.actions);
        let (observations, observations2) = self.observations.split_at_mut(observed);
        let (rewards, rewards2) = self.rewards.split_at_mut(agents);
        let (terminated, terminated2) = self.terminated.split_at_mut(middle);
        let (truncated, truncated2) = self.truncated.split_at_mut(middle);
        let (alive, alive2) = self.alive.split_at_mut(agents);
        let (last, last2) = self.last.map(|last| last.split_at_mut(observed)).unzip();
        (
            Part { environments, actions, observations, rewards, terminated, truncated, alive, last },
            Part {
                environments: environments2,
                actions: actions2,
                observations: observations2,
                rewards: rewards2,
                terminated: terminated2,
                truncated: truncated2,
                alive: alive2,
                last: last2,
            },
        )
    }
}
