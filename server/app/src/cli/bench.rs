//! `touchline bench`: how fast many worlds are stepped on this machine.
//!
//! Decisions are drawn at random. Between the rounds the bodies of all worlds are copied as they are, and the copies make as many
//! steps of the bare physics library as a decision takes: what the simulation costs is told against that, in the same run.

use super::benchmark::batch_failure;
use super::option_values::seed;
use super::places::Places;
use super::{Failure, PluginOptions, print, shipped};
use clap::Args;
use cpu_time::{ProcessTime, ThreadTime};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use touchline_batch::{Arrays, Autoreset, Batch, BatchError, Options};
use touchline_benchmark::conditions::{Attacker, Conditions, SetUp};
use touchline_benchmark::keeper::Keeper;
use touchline_host::Host;
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::Scenario;

/// The bare physics is measured so often.
const ROUNDS: u32 = 4;

/// Options of `bench`.
#[derive(Debug, Args)]
pub struct BenchOptions {
    /// A world file with a table [episode]; without one, the world of the goalkeeper benchmark
    pub world: Option<PathBuf>,
    /// How many worlds are stepped together
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub worlds: u32,
    /// How many threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::signals::threads)]
    pub threads: usize,
    /// For about how long, by the clock
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    pub seconds: f64,
    /// For so many decisions in each world instead, at least 4: the same run on every machine, for counting instructions. In some seconds many
    /// worlds get no further than the beginning of an episode, which may cost less than the rest; whole episodes are measured by their length
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u32).range(4..=1_000_000_000))]
    pub decisions: Option<u32>,
    /// What the seeds of all episodes and the decisions are made from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What `--json` prints. An environment step is one decision of all agents in one world.
#[derive(Serialize)]
struct Measured {
    world: String,
    version: &'static str,
    worlds: u32,
    threads: usize,
    agents: usize,
    /// Simulated time from one decision to the next.
    decision_secs: f64,
    /// Steps of the physics from one decision to the next.
    decision_steps: u32,
    env_steps: u64,
    episodes: u64,
    wall_seconds: f64,
    cpu_seconds: f64,
    env_steps_per_cpu_second: f64,
    env_steps_per_wall_second: f64,
    sim_seconds_per_cpu_second: f64,
    /// Processor time of the bare physics steps of one environment step, microseconds, on one thread.
    bare_physics_us: f64,
    /// Processor time of an environment step, against that.
    ratio_to_bare_physics: f64,
    /// Memory that the worlds with their arrays have taken, kB for each; null where the system does not tell.
    world_kb: Option<f64>,
}

pub fn bench(options: &BenchOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let scenario = match &options.world {
        Some(named) => shipped::load_scenario(&places.world(named)?, None, &host, &places)?,
        None => goalkeeper(&host)?,
    };
    let name = scenario.name.clone();
    let before_kb = resident_kb();
    let mut run = Run::new(scenario, &host, options).map_err(batch_failure)?;
    let measured = run.measure(name, before_kb, options).map_err(batch_failure)?;
    print(options.json, &measured, |out| write!(out, "{}", measured.table()))
}

/// One attacker, and a keeper of middling skill.
fn goalkeeper(host: &Arc<Host>) -> Result<Scenario, Failure> {
    let conditions = Conditions::new(SetUp::Truth, &**host)?;
    let keeper = Keeper::parse_list("intercept-3").ok().and_then(|keepers| keepers.into_iter().next());
    Ok(conditions.scenario(keeper.unwrap_or(Keeper::None), &Attacker::Random))
}

/// The worlds with their arrays.
struct Run {
    batch: Batch,
    arrays: Arrays,
    actions: Vec<f32>,
    episodes: u64,
    steps: u64,
    seed: u64,
}

impl Run {
    fn new(scenario: Scenario, host: &Arc<Host>, given: &BenchOptions) -> Result<Self, BatchError> {
        let environments = given.worlds as usize;
        let options = Options {
            environments,
            seed: given.seed,
            threads: given.threads,
            autoreset: Autoreset::SameStep,
            ..Options::default()
        };
        let batch = Batch::new(scenario, Arc::clone(host) as _, options)?;
        let layout = batch.layout();
        let agents = environments * layout.agents.len();
        let mut run = Self {
            arrays: Arrays::of(&batch),
            actions: vec![0.0; agents * layout.actions.len()],
            episodes: 0,
            steps: 0,
            seed: given.seed,
            batch,
        };
        run.batch.reset(given.seed, &mut run.arrays.outputs())?;
        Ok(run)
    }

    fn step(&mut self) -> Result<(), BatchError> {
        let mut noise = NoiseKey::for_owner(self.seed, "bench").split(self.steps).stream();
        self.actions.iter_mut().for_each(|value| *value = noise.uniform(-1.0, 1.0) as f32);
        let ended = self.batch.step(&self.actions, &mut self.arrays.outputs())?.len();
        self.episodes += ended as u64;
        self.steps += 1;
        Ok(())
    }

    /// Processor time of the bare physics steps of one decision in every world.
    fn bare(&self) -> Duration {
        let worlds = (0..self.batch.len()).filter_map(|environment| self.batch.world(environment).ok());
        let mut copies: Vec<_> = worlds.map(|world| world.bare_physics(true)).collect();
        // A copy begins without work space, and allocates it once.
        copies.iter_mut().for_each(|copy| copy.step());
        let start = ThreadTime::now();
        for copy in &mut copies {
            for _ in 0..self.batch.layout().decision_steps {
                copy.step();
            }
        }
        start.elapsed()
    }

    fn measure(
        &mut self,
        world: String,
        before_kb: Option<f64>,
        given: &BenchOptions,
    ) -> Result<Measured, BatchError> {
        // The first step allocates.
        self.step()?;
        (self.steps, self.episodes) = (0, 0);
        let (mut wall, mut cpu, mut bare) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        let mut world_kb = None;
        for round in 1..=ROUNDS {
            let part = |whole: f64| whole * f64::from(round) / f64::from(ROUNDS);
            let until = Duration::from_secs_f64(part(given.seconds));
            let until_steps = given.decisions.map(|decisions| part(decisions.into()) as u64);
            let (start, process, before) = (Instant::now(), ProcessTime::now(), wall);
            loop {
                self.step()?;
                wall = before + start.elapsed();
                if until_steps.map_or(wall >= until, |steps| self.steps >= steps) {
                    break;
                }
            }
            cpu += process.elapsed();
            // Before the copies of the bare physics, which take as much again and are kept by the allocator.
            let taken_kb = || Some((resident_kb()? - before_kb?) / f64::from(given.worlds));
            world_kb = world_kb.or_else(taken_kb);
            bare += self.bare();
        }
        let layout = self.batch.layout();
        let decision_secs = layout.decision_ns as f64 / 1e9;
        let env_steps = self.steps * u64::from(given.worlds);
        let (wall_seconds, cpu_seconds) = (wall.as_secs_f64(), cpu.as_secs_f64());
        let per = |seconds: f64| env_steps as f64 / seconds.max(1e-9);
        let bare_secs = bare.as_secs_f64() / f64::from(ROUNDS) / f64::from(given.worlds);
        Ok(Measured {
            world,
            version: env!("CARGO_PKG_VERSION"),
            worlds: given.worlds,
            threads: self.batch.threads(),
            agents: layout.agents.len(),
            decision_secs,
            decision_steps: layout.decision_steps,
            env_steps,
            episodes: self.episodes,
            wall_seconds,
            cpu_seconds,
            env_steps_per_cpu_second: per(cpu_seconds),
            env_steps_per_wall_second: per(wall_seconds),
            sim_seconds_per_cpu_second: per(cpu_seconds) * decision_secs,
            bare_physics_us: bare_secs * 1e6,
            ratio_to_bare_physics: cpu_seconds / env_steps as f64 / bare_secs.max(1e-12),
            world_kb,
        })
    }
}

impl Measured {
    fn table(&self) -> String {
        let Self { world, worlds, threads, agents, decision_secs, episodes, .. } = self;
        format!(
            "{world}: {worlds} worlds, {agents} agents in each, {threads} threads, a decision every {decision_secs} s\n\
             environment steps a CPU-second    {:12.0}\n\
             environment steps a second        {:12.0}\n\
             simulated seconds a CPU-second    {:12.0}\n\
             an environment step               {:12.2} us\n\
             the bare physics steps in it      {:12.2} us; ratio {:.2}\n\
             memory of a world                 {}\n\
             {} environment steps and {episodes} episodes in {:.1} s ({:.1} s of processor time)\n",
            self.env_steps_per_cpu_second,
            self.env_steps_per_wall_second,
            self.sim_seconds_per_cpu_second,
            1e6 / self.env_steps_per_cpu_second.max(1e-9),
            self.bare_physics_us,
            self.ratio_to_bare_physics,
            self.world_kb.map_or_else(|| format!("{:>12}", "unknown"), |kb| format!("{kb:12.1} kB")),
            self.env_steps,
            self.wall_seconds,
            self.cpu_seconds,
        )
    }
}

/// The memory of this process, as far as the system tells.
fn resident_kb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "a number from 0.01 to 3600".into())
}
