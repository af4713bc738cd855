//! `touchline benchmark`: scores that can be compared, and the lists of starts that they begin with. (B1)

use super::benchmark_options::{Benchmark, GoalkeeperOptions, StartsOptions};
use super::places::Places;
use super::written::Written;
use super::{Failure, PluginOptions, benchmark_remote, data, print, shipped, signals};
use cpu_time::ProcessTime;
use indicatif::ProgressBar;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use touchline_batch::BatchError;
use touchline_benchmark::conditions::{Attacker, Conditions};
use touchline_benchmark::keeper::Keeper;
use touchline_benchmark::play::{Played, Task, play};
use touchline_benchmark::policy;
use touchline_benchmark::report::Report;
use touchline_benchmark::score::{self, Row};
use touchline_benchmark::starts;
use touchline_sim::PluginFactory;

pub fn benchmark(what: &Benchmark, plugins: &PluginOptions) -> Result<(), Failure> {
    match what {
        Benchmark::Goalkeeper(options) => goalkeeper(options, plugins),
        Benchmark::Starts(options) => draw_starts(options, plugins),
    }
}

fn goalkeeper(options: &GoalkeeperOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let (attacker, plugins) = policy::attacker(&options.policy, options.params.clone(), Arc::clone(&host))
        .map_err(Failure::Plugin)?;
    let attacker_digest = policy::digest(&attacker, &plugins);
    let plugins: Arc<dyn PluginFactory> = plugins;
    let conditions = Conditions::new(options.set_up, &*plugins)?;
    if let Attacker::Learned(_) = attacker {
        conditions.check(&attacker, &plugins).map_err(Failure::Plugin)?;
    }
    let params = policy::params(&attacker);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let stop = signals::stop_at_signal()?;
    let progress = signals::progress(options.episodes * options.levels.0.len() as u64, "episodes");
    let mut count = Count {
        conditions: &conditions,
        rows: Vec::new(),
        fault: None,
        details: options.details.as_deref().map(Details::create).transpose()?.map(Ok),
    };
    let played = match attacker {
        Attacker::Remote => {
            let told = |keeper, played: Vec<Option<Played>>| count.add(keeper, &played);
            benchmark_remote::play(options, &conditions, &host, &stop, || progress.inc(1), told)
        }
        _ => play_all(options, &conditions, &attacker, &plugins, (&stop, &progress), &mut count),
    };
    let Count { mut rows, fault, details, .. } = count;
    progress.finish_and_clear();
    if played.is_err() && rows.is_empty() {
        return played;
    }
    // What cannot be written does not keep back what was counted.
    let detailed = details.map_or(Ok(()), |details| details?.file.finish());
    score::compare_all(&mut rows);
    let report = Report {
        benchmark: "goalkeeper",
        version: env!("CARGO_PKG_VERSION"),
        digest: conditions.digest(options.episodes, options.seed),
        policy: options.policy.clone(),
        params,
        attacker: attacker_digest,
        set_up: options.set_up,
        episodes: options.episodes,
        seed: options.seed,
        plugins: conditions.plugins.clone(),
        rows,
        interrupted: played.is_err() || stop.load(Ordering::Relaxed),
        wall_seconds: wall.elapsed().as_secs_f64(),
        cpu_seconds: cpu.elapsed().as_secs_f64(),
    };
    print(options.json, &report, |out| write!(out, "{}", report.table()))?;
    Failure::any([detailed, fault.map_or(played, |fault| Err(Failure::Plugin(fault)))])
}

/// Plays on the batch engine.
fn play_all(
    options: &GoalkeeperOptions,
    conditions: &Conditions,
    attacker: &Attacker,
    plugins: &Arc<dyn PluginFactory>,
    (stop, progress): (&AtomicBool, &ProgressBar),
    count: &mut Count<'_>,
) -> Result<(), Failure> {
    for &keeper in &options.levels.0 {
        if stop.load(Ordering::Relaxed) || count.fault.is_some() {
            break;
        }
        progress.set_message(keeper.to_string());
        let task = Task {
            scenario: conditions.scenario(keeper, attacker),
            attacker,
            episodes: 0..options.episodes as usize,
            seed: options.seed,
            threads: options.threads,
        };
        let played = play(task, Arc::clone(plugins), stop, || progress.inc(1)).map_err(batch_failure)?;
        count.add(keeper, &played);
    }
    Ok(())
}

/// What was counted so far.
struct Count<'a> {
    conditions: &'a Conditions,
    rows: Vec<Row>,
    fault: Option<String>,
    /// The table of all episodes, or why it cannot be written.
    details: Option<Result<Details, Failure>>,
}

impl Count<'_> {
    fn add(&mut self, keeper: Keeper, played: &[Option<Played>]) {
        // A plugin that failed plays on without a driver or rules: that is no result.
        self.fault = played.iter().enumerate().find_map(|(episode, played)| {
            let fault = played.as_ref()?.fault.as_ref()?;
            Some(format!("{keeper}, episode {episode}: {fault}"))
        });
        if let Some(Ok(details)) = &mut self.details
            && let Err(failure) = details.add(keeper, played, self.conditions.starts())
        {
            self.details = Some(Err(failure));
        }
        if self.fault.is_none() && played.iter().any(Option::is_some) {
            self.rows.push(Row::of(keeper, played, self.conditions.dt_secs()));
        }
    }
}

/// A table of all episodes.
struct Details {
    path: PathBuf,
    file: Written,
}

impl Details {
    fn create(path: &Path) -> Result<Self, Failure> {
        let mut details = Self { path: path.to_owned(), file: Written::begin(path)? };
        details.write("keeper,episode,start,seed,outcome,steps\n")?;
        Ok(details)
    }

    fn add(&mut self, keeper: Keeper, played: &[Option<Played>], starts: usize) -> Result<(), Failure> {
        let mut text = String::new();
        for (episode, played) in played.iter().enumerate() {
            if let Some(Played { outcome, steps, seed, .. }) = played {
                let start = episode % starts.max(1);
                text += &format!("{keeper},{episode},{start},{seed},{outcome},{steps}\n");
            }
        }
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let failure =
            |error| Failure::Resource(format!("{}: cannot be written: {error}", self.path.display()));
        self.file.write_all(text.as_bytes()).map_err(failure)
    }
}

pub(super) fn batch_failure(error: BatchError) -> Failure {
    match error {
        BatchError::World(error) => error.into(),
        BatchError::Threads(_) => Failure::Resource(error.to_string()),
        _ => Failure::Configuration(error.to_string()),
    }
}

fn draw_starts(options: &StartsOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let scenario = shipped::load_scenario(&places.world(&options.world)?, None, &host, &places)?;
    let name = scenario.name.clone();
    let list = starts::draw(scenario, Arc::clone(&host) as _, options.count, options.seed)?;
    let list = list.ok_or_else(|| {
        let hint = "it needs a table [episode] with [[episode.start]], see docs/episodes.md";
        Failure::Configuration(format!("world \"{name}\" draws no starts\n  hint     {hint}"))
    })?;
    let mut out = data();
    out.write_all(list.as_bytes())?;
    Ok(out.flush()?)
}
