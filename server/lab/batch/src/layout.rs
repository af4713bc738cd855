//! What the numbers of observations and decisions are: the words of a world file's `[episode]` looked up.

use touchline_episode::{Actor, Observer, WordError};
use touchline_plugin_api::player::RobotDescription;
use touchline_plugin_api::world::WorldDescription;
use touchline_sim::scenario::EpisodeSpec;
use touchline_sim::{RobotNumber, World, WorldError};

/// What the numbers mean. All agents of a batch have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The agents' names, in their order.
    pub agents: Vec<String>,
    /// The name of each number that an agent observes, such as `truth.ball-0.x`.
    pub observed: Vec<String>,
    /// The name of each number that an agent decides, such as `drive.forward`; all lie in `[-1, 1]`.
    pub actions: Vec<String>,
    /// The steps of the world from one decision to the next.
    pub decision_steps: u32,
    /// The simulated time from one decision to the next, seconds, times 10^9: exact, so that it can be compared.
    pub decision_ns: u64,
}

/// The most environments of a batch.
pub const MOST_ENVIRONMENTS: usize = 1_000_000;
/// The most threads of a batch.
pub const MOST_THREADS: usize = 1024;

/// What makes a batch impossible, or a call of it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BatchError {
    /// The world has no table `[episode]`.
    #[error("world \"{0}\" is not played in episodes; give it a table [episode], see docs/episodes.md")]
    NoEpisode(String),
    /// The world itself cannot be made.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A word of `observe` or `act` is none.
    #[error("agent \"{agent}\" cannot {verb} \"{word}\": {reason}")]
    Word {
        /// Name of the agent.
        agent: String,
        /// `observe` or `decide`.
        verb: &'static str,
        /// The word that is wrong, as it was given.
        word: String,
        /// Why not, and what there is.
        reason: String,
    },
    /// Two agents do not see or decide the same.
    #[error(
        "agents \"{0}\" and \"{1}\" have not the same numbers to observe and decide; agents of a batch must be of one make"
    )]
    Unlike(String, String),
    /// An array has the wrong length.
    #[error("{what} has {got} numbers; expected are {expected} = {shape}")]
    Length {
        /// Name of the array.
        what: &'static str,
        /// Number of entries that came.
        got: usize,
        /// Number of entries that are needed.
        expected: usize,
        /// How that is made up.
        shape: String,
    },
    /// A decision is not allowed.
    #[error(
        "decision {value} of environment {environment}, agent \"{agent}\", {name} is not allowed; allowed is -1 to 1 (clip it, or let the batch clip)"
    )]
    Decision {
        /// The number of the environment.
        environment: usize,
        /// Name of the agent.
        agent: String,
        /// Name of the number in the action.
        name: String,
        /// Value that came.
        value: f32,
    },
    /// An environment is stepped after its end.
    #[error("environment {0} is over: reset it, or choose an autoreset mode")]
    Over(usize),
    /// A fixed start was chosen, and the world has none.
    #[error("world \"{0}\" has no fixed starts to begin from; give it a starts_file, see docs/episodes.md")]
    NoStarts(String),
    /// There is no such environment.
    #[error("no environment {got}; there are {count}, from 0")]
    NoEnvironment {
        /// Index that was asked for.
        got: usize,
        /// Number of environments.
        count: usize,
    },
    /// No environment at all, or too many.
    #[error("a batch of {0} environments is not allowed; allowed is 1 to {MOST_ENVIRONMENTS}")]
    Environments(usize),
    /// More threads than are allowed; their number.
    #[error("{0} threads are not allowed; allowed is 1 to {MOST_THREADS}, and 0 for one on each core")]
    TooManyThreads(usize),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

/// The words looked up for one world.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub layout: Layout,
    pub agents: Vec<Agent>,
    pub max_steps: u64,
}

/// One agent with what it observes and decides.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    pub robot: RobotNumber,
    pub observer: Observer,
    pub actor: Actor,
}

impl Plan {
    pub fn new(world: &World) -> Result<Self, BatchError> {
        let scenario = world.scenario();
        let spec = scenario.episode.as_ref().ok_or_else(|| BatchError::NoEpisode(scenario.name.clone()))?;
        let description = scenario.description();
        let mut agents: Vec<Agent> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for &index in &spec.agents {
            let number = index as RobotNumber;
            let Some(robot) = world.robot(number) else { continue };
            let agent = look_up(spec, &description, number, &robot.identity().description)?;
            let name = robot.identity().name.clone();
            if let Some(first) = agents.first()
                && (agent.observer.names().len() != first.observer.names().len()
                    || agent.actor.names() != first.actor.names())
            {
                return Err(BatchError::Unlike(names[0].clone(), name));
            }
            agents.push(agent);
            names.push(name);
        }
        let first = |names: fn(&Agent) -> &[String]| {
            agents.first().map_or_else(Vec::new, |agent| names(agent).to_vec())
        };
        let (observed, actions) = (first(|agent| agent.observer.names()), first(|agent| agent.actor.names()));
        let layout = Layout {
            agents: names,
            observed,
            actions,
            decision_steps: spec.decision_steps,
            decision_ns: (scenario.dt_secs * f64::from(spec.decision_steps) * 1e9).round() as u64,
        };
        Ok(Self { layout, agents, max_steps: spec.max_steps })
    }
}

/// What the agents of a world observe and decide, as a batch of it would have it: for who wants to know whether it can be made.
///
/// # Errors
/// When it has no episodes, or a word of `observe` or `act` is none.
pub fn check_agents(world: &World) -> Result<Layout, BatchError> {
    Plan::new(world).map(|plan| plan.layout)
}

fn look_up(
    spec: &EpisodeSpec,
    description: &WorldDescription,
    number: RobotNumber,
    robot: &RobotDescription,
) -> Result<Agent, BatchError> {
    let wrong = |verb| {
        let agent = robot.name.clone();
        move |WordError { word, reason }| BatchError::Word { agent, verb, word, reason }
    };
    Ok(Agent {
        robot: number,
        observer: Observer::new(&spec.observe, robot, description).map_err(wrong("observe"))?,
        actor: Actor::new(&spec.act, robot).map_err(wrong("decide"))?,
    })
}
