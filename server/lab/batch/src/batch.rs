//! All environments together.

use crate::environment::{Ended, Environment, Saved, Slot, Watcher, episode_seed};
use crate::layout::{BatchError, Layout, MOST_ENVIRONMENTS, MOST_THREADS, Plan};
use crate::share::{Part, Pool, Round, Spaces, Task, Widths, Work};
use std::sync::Arc;
use touchline_sim::{EpisodeEnd, PluginFactory, Scenario, World};

/// What happens to an environment whose episode is over; the names are Gymnasium's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step ignores the decisions, begins the next episode and pays nothing.
    #[default]
    NextStep,
    /// The next episode begins in the same step: what is observed is its beginning.
    SameStep,
    /// Somebody has to reset it.
    Disabled,
}

/// How a batch is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many environments, up to [`MOST_ENVIRONMENTS`].
    pub environments: usize,
    /// What all episodes' seeds are made from.
    pub seed: u64,
    /// How many threads, up to [`MOST_THREADS`]; 0 is one for each core.
    pub threads: usize,
    /// What happens after an episode.
    pub autoreset: Autoreset,
    /// Whether decisions outside of `[-1, 1]` are clipped; otherwise they are errors.
    pub clip: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { environments: 1, seed: 0, threads: 0, autoreset: Autoreset::NextStep, clip: false }
    }
}

/// The caller's arrays, written in place; the shapes are in the crate's front page. [`crate::Arrays`] owns such.
pub struct Outputs<'a> {
    /// `[N, A, O]`
    pub observations: &'a mut [f32],
    /// `[N, A]`
    pub rewards: &'a mut [f32],
    /// `[N]`: the referee has ended the episode.
    pub terminated: &'a mut [bool],
    /// `[N]`: its time was up.
    pub truncated: &'a mut [bool],
    /// `[N, A]`: the agent's robot is still there.
    pub alive: &'a mut [bool],
    /// `[N, A, O]`: what was observed last before a reset in the same step; the rest is left as it was.
    pub final_observations: Option<&'a mut [f32]>,
}

/// Many worlds of one make.
pub struct Batch {
    plan: Arc<Plan>,
    environments: Vec<Environment>,
    options: Options,
    pool: Option<Pool>,
    /// Those of the thread that asks.
    spaces: Spaces,
}

impl Batch {
    /// Makes the worlds; none is in an episode before the first [`Batch::reset`].
    ///
    /// # Errors
    /// What is wrong with the options, the scenario or its table `[episode]`.
    pub fn new(
        scenario: Scenario,
        factory: Arc<dyn PluginFactory>,
        options: Options,
    ) -> Result<Self, BatchError> {
        if !(1..=MOST_ENVIRONMENTS).contains(&options.environments) {
            return Err(BatchError::Environments(options.environments));
        }
        if options.threads > MOST_THREADS {
            return Err(BatchError::TooManyThreads(options.threads));
        }
        let world = World::new(scenario, factory)?;
        let plan = Arc::new(Plan::new(&world)?);
        let environments = (0..options.environments)
            .map(|number| Environment::new(world.fork(), number, options.seed))
            .collect();
        let pool = Pool::new(options.threads, options.environments)?;
        Ok(Self { plan, environments, options, pool, spaces: Spaces::default() })
    }

    /// Names and ranges of the numbers in observations and actions.
    pub fn layout(&self) -> &Layout {
        &self.plan.layout
    }

    /// How many environments there are.
    pub fn len(&self) -> usize {
        self.environments.len()
    }

    /// There is always at least one.
    pub fn is_empty(&self) -> bool {
        self.environments.is_empty()
    }

    /// The options that it was made with.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Begins episode 0 in all environments, of this seed.
    ///
    /// # Errors
    /// When an array has the wrong length.
    pub fn reset(&mut self, seed: u64, outputs: &mut Outputs<'_>) -> Result<(), BatchError> {
        self.check(None, outputs)?;
        self.options.seed = seed;
        let plan = Arc::clone(&self.plan);
        self.run(Round::Other, &[], outputs, &move |environment, slot, _| {
            environment.begin_family((seed, environment.number() as u64));
            slot.opened(environment, &plan);
            None
        });
        Ok(())
    }

    /// Begins an episode in some environments, and leaves the others and their parts of the arrays as they are.
    ///
    /// With `seeds`, one for each environment, it is episode 0 of what a batch of one environment with that seed plays, and
    /// the episodes that follow are that batch's too. Without, it is the environment's next one.
    ///
    /// # Errors
    /// When an array has the wrong length.
    pub fn reset_some(
        &mut self,
        which: &[bool],
        seeds: Option<&[u64]>,
        outputs: &mut Outputs<'_>,
    ) -> Result<(), BatchError> {
        let count = ("environments", self.environments.len());
        length("which", which.len(), &[count])?;
        if let Some(seeds) = seeds {
            length("seeds", seeds.len(), &[count])?;
        }
        self.check(None, outputs)?;
        let plan = Arc::clone(&self.plan);
        self.run(Round::Other, &[], outputs, &move |environment, slot, _| {
            let number = environment.number();
            if which[number] {
                match seeds {
                    Some(seeds) => environment.begin_family((seeds[number], 0)),
                    None => environment.begin_next(),
                }
                slot.opened(environment, &plan);
            }
            None
        });
        Ok(())
    }

    /// Begins one environment's next episode, or the one that is asked for.
    ///
    /// `seed` is the episode's own, see [`episode_seed`]; `start` chooses among the world's fixed starts, around their list.
    ///
    /// # Errors
    /// When there is no such environment, an array has not the length of one environment's part, or the world has no fixed
    /// starts to choose from.
    pub fn reset_one(
        &mut self,
        environment: usize,
        seed: Option<u64>,
        start: Option<usize>,
        observations: &mut [f32],
        alive: &mut [bool],
    ) -> Result<(), BatchError> {
        let agents = self.plan.agents.len();
        let width = self.plan.layout.observed.len();
        length("observations", observations.len(), &[("agents", agents), ("observed", width)])?;
        length("alive", alive.len(), &[("agents", agents)])?;
        let plan = Arc::clone(&self.plan);
        let environment = self.environment(environment)?;
        let scenario = environment.world.scenario();
        if start.is_some() && scenario.episode.as_ref().is_none_or(|spec| spec.starts.is_empty()) {
            return Err(BatchError::NoStarts(scenario.name.clone()));
        }
        let (episode, (base, number)) = (environment.next_episode(), environment.family());
        let seed = seed.unwrap_or_else(|| episode_seed(base, number, episode));
        environment.begin(seed, episode, start);
        environment.observe(&plan, observations, alive);
        Ok(())
    }

    /// Leaves an environment out of all steps until an episode is begun in it; its parts of the arrays stay as they are.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn rest(&mut self, environment: usize) -> Result<(), BatchError> {
        self.environment(environment)?.is_resting = true;
        Ok(())
    }

    /// Makes one decision in every environment that does not rest; gives the episodes that ended.
    ///
    /// # Errors
    /// What is wrong with the arrays or decisions, or which environment is over and is not reset by itself; then nothing
    /// was stepped.
    pub fn step(&mut self, actions: &[f32], outputs: &mut Outputs<'_>) -> Result<Vec<Ended>, BatchError> {
        self.check(Some(actions), outputs)?;
        let (plan, options) = (Arc::clone(&self.plan), self.options);
        let decides = Arc::clone(&self.plan);
        Ok(self.run(Round::Steps(&decides), actions, outputs, &move |environment, slot, last| {
            if environment.is_resting {
                return None;
            }
            if environment.is_over {
                environment.begin_next();
                slot.opened(environment, &plan);
                return None;
            }
            let ended = environment.decided(&plan, slot);
            if ended.is_some() && options.autoreset == Autoreset::SameStep {
                if let Some(last) = last {
                    last.copy_from_slice(slot.observations);
                }
                environment.begin_next();
                environment.observe(&plan, slot.observations, slot.alive);
            }
            ended
        }))
    }

    /// Writes how all environments are, as after the step that led here; nobody is paid again.
    ///
    /// # Errors
    /// When an array has the wrong length.
    pub fn look(&mut self, outputs: &mut Outputs<'_>) -> Result<(), BatchError> {
        self.check(None, outputs)?;
        let plan = Arc::clone(&self.plan);
        self.run(Round::Other, &[], outputs, &move |environment, slot, _| {
            slot.opened(environment, &plan);
            let end = environment.world.episode_end();
            *slot.terminated = matches!(end, Some(EpisodeEnd::Over(_)));
            *slot.truncated = matches!(end, Some(EpisodeEnd::TimeUp | EpisodeEnd::NoRoom(_)));
            None
        });
        Ok(())
    }

    /// How many threads work where that is faster, the one that asks among them; a step of few worlds is done by that one alone.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, Pool::threads)
    }

    /// The world of one environment, to look at.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn world(&self, environment: usize) -> Result<&World, BatchError> {
        let count = self.environments.len();
        let found = self.environments.get(environment);
        found.map(|found| &found.world).ok_or(BatchError::NoEnvironment { got: environment, count })
    }

    /// Lets somebody watch an environment: told of its world after each step, in the thread that made it; `None` ends that.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn watch(&mut self, environment: usize, watcher: Option<Watcher>) -> Result<(), BatchError> {
        self.environment(environment)?.watcher = watcher;
        Ok(())
    }

    /// Which episode an environment is in, and the seed of it.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn episode(&mut self, environment: usize) -> Result<(u64, u64), BatchError> {
        Ok(self.environment(environment)?.episode())
    }

    /// An environment as it is, to come back to.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn save(&mut self, environment: usize) -> Result<Saved, BatchError> {
        Ok(self.environment(environment)?.save())
    }

    /// Brings an environment back to what was saved of any environment of this batch.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn load(&mut self, environment: usize, saved: &Saved) -> Result<(), BatchError> {
        self.environment(environment)?.load(saved);
        Ok(())
    }

    fn environment(&mut self, environment: usize) -> Result<&mut Environment, BatchError> {
        let count = self.environments.len();
        self.environments.get_mut(environment).ok_or(BatchError::NoEnvironment { got: environment, count })
    }

    fn check(&self, actions: Option<&[f32]>, outputs: &Outputs<'_>) -> Result<(), BatchError> {
        let (count, agents) = (("environments", self.environments.len()), ("agents", self.plan.agents.len()));
        let observed = ("observed", self.plan.layout.observed.len());
        length("observations", outputs.observations.len(), &[count, agents, observed])?;
        length("rewards", outputs.rewards.len(), &[count, agents])?;
        length("terminated", outputs.terminated.len(), &[count])?;
        length("truncated", outputs.truncated.len(), &[count])?;
        length("alive", outputs.alive.len(), &[count, agents])?;
        if let Some(last) = &outputs.final_observations {
            length("final observations", last.len(), &[count, agents, observed])?;
        }
        let Some(actions) = actions else { return Ok(()) };
        let width = self.plan.layout.actions.len();
        length("decisions", actions.len(), &[count, agents, ("actions", width)])?;
        let is_fine = |value: f32| value.abs() <= 1.0 || (self.options.clip && value.is_finite());
        if let Some(place) = actions.iter().position(|&value| !is_fine(value)) {
            let (agent, number) = (place / width, place % width);
            return Err(BatchError::Decision {
                environment: agent / agents.1,
                agent: self.plan.layout.agents[agent % agents.1].clone(),
                name: self.plan.layout.actions[number].clone(),
                value: actions[place],
            });
        }
        if self.options.autoreset == Autoreset::Disabled
            && let Some(over) = self
                .environments
                .iter()
                .position(|environment| environment.is_over && !environment.is_resting)
        {
            return Err(BatchError::Over(over));
        }
        Ok(())
    }

    fn run(
        &mut self,
        round: Round<'_>,
        actions: &[f32],
        outputs: &mut Outputs<'_>,
        work: &Work<'_>,
    ) -> Vec<Ended> {
        let layout = &self.plan.layout;
        let widths = Widths {
            agents: self.plan.agents.len(),
            observed: layout.observed.len(),
            actions: if actions.is_empty() { 0 } else { layout.actions.len() },
        };
        let part = Part {
            environments: &mut self.environments,
            actions,
            observations: outputs.observations,
            rewards: outputs.rewards,
            terminated: outputs.terminated,
            truncated: outputs.truncated,
            alive: outputs.alive,
            last: outputs.final_observations.as_deref_mut(),
        };
        let task = Task { round, widths, work };
        match &mut self.pool {
            Some(pool) => pool.run(task, part, &mut self.spaces),
            None => part.run(task, &mut self.spaces),
        }
    }
}

impl Slot<'_> {
    /// What is written when an episode has just begun.
    fn opened(&mut self, environment: &mut Environment, plan: &Plan) {
        environment.observe(plan, self.observations, self.alive);
        self.rewards.fill(0.0);
        (*self.terminated, *self.truncated) = (false, false);
    }
}

fn length(what: &'static str, got: usize, shape: &[(&str, usize)]) -> Result<(), BatchError> {
    let expected = shape.iter().map(|(_, count)| count).product();
    if got == expected {
        return Ok(());
    }
    let shape: Vec<String> = shape.iter().map(|(name, count)| format!("{count} {name}")).collect();
    Err(BatchError::Length { what, got, expected, shape: shape.join(" x ") })
}
