//! Plays the episodes on the batch engine.

use crate::conditions::Attacker;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use touchline_batch::{Arrays, Autoreset, Batch, BatchError, Ended, Options, episode_seed};
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::{PluginFactory, Scenario};

/// So many worlds are played at a time; each that ends takes the next episode.
const WORLDS: usize = 48;

/// An episode as it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The referee's word, or `time`.
    pub outcome: String,
    /// How many steps the world made.
    pub steps: u64,
    /// What its world was made from.
    pub seed: u64,
    /// The first plugin that failed, if one did.
    pub fault: Option<String>,
}

/// Some episodes of the benchmark, against one keeper.
pub struct Task<'a> {
    /// The world with attacker and keeper.
    pub scenario: Scenario,
    /// Who decides for the attacker.
    pub attacker: &'a Attacker,
    /// Which episodes: a part of the benchmark is played as it is in the whole. Episode `k` begins with start `k`, around
    /// the list.
    pub episodes: Range<usize>,
    /// What their seeds are made from.
    pub seed: u64,
    /// How many threads; 0 is one for each core.
    pub threads: usize,
}

/// The seed of one episode of the benchmark.
pub fn seed_of(seed: u64, episode: usize) -> u64 {
    episode_seed(seed, episode as u64, 0)
}

/// Plays the episodes, or until told to stop; then all from the first on that was not finished are missing. `done` is told of
/// each that was finished.
///
/// # Errors
/// When the world cannot be made.
pub fn play(
    task: Task<'_>,
    factory: Arc<dyn PluginFactory>,
    stop: &AtomicBool,
    mut done: impl FnMut(),
) -> Result<Vec<Option<Played>>, BatchError> {
    let first = task.episodes.start;
    let environments = WORLDS.min(task.episodes.len());
    if environments == 0 {
        return Ok(Vec::new());
    }
    let options =
        Options { environments, threads: task.threads, autoreset: Autoreset::NextStep, ..Options::default() };
    let mut batch = Batch::new(task.scenario, factory, options)?;
    let mut arrays = Arrays::of(&batch);
    let agents = batch.layout().agents.len();
    let observed = agents * batch.layout().observed.len();
    let width = agents * batch.layout().actions.len();
    let mut actions = vec![0.0f32; environments * width];
    let mut results = vec![None; task.episodes.len()];
    // Which episode each world is in, until there are no more.
    let mut playing: Vec<Option<usize>> = vec![None; environments];
    let mut next = task.episodes.clone();
    let mut begin = |batch: &mut Batch, environment: usize, arrays: &mut Arrays| {
        let Some(episode) = next.next() else {
            batch.rest(environment)?;
            return Ok(None);
        };
        let seed = seed_of(task.seed, episode);
        let seen = environment * observed..(environment + 1) * observed;
        let alive = environment * agents..(environment + 1) * agents;
        let (seen, alive) = (&mut arrays.observations[seen], &mut arrays.alive[alive]);
        batch.reset_one(environment, Some(seed), Some(episode), seen, alive)?;
        Ok::<_, BatchError>(Some(episode))
    };
    for (environment, playing) in playing.iter_mut().enumerate() {
        *playing = begin(&mut batch, environment, &mut arrays)?;
    }
    let mut made = vec![0u64; environments];
    while playing.iter().any(Option::is_some) && !stop.load(Ordering::Relaxed) {
        for environment in 0..environments {
            if let (Attacker::Random, Some(episode)) = (task.attacker, playing[environment]) {
                let numbers = &mut actions[environment * width..(environment + 1) * width];
                random(seed_of(task.seed, episode), made[environment], numbers);
            }
            made[environment] += 1;
        }
        for Ended { environment, end, steps, seed, fault, .. } in
            batch.step(&actions, &mut arrays.outputs())?
        {
            if let Some(episode) = playing[environment] {
                results[episode - first] =
                    Some(Played { outcome: end.outcome().to_owned(), steps, seed, fault });
                done();
                playing[environment] = begin(&mut batch, environment, &mut arrays)?;
                made[environment] = 0;
            }
        }
    }
    // Of worlds that are played at a time the short episodes end first: what was finished behind the first gap would
    // tell of those alone.
    if let Some(gap) = results.iter().position(Option::is_none) {
        results[gap..].fill(None);
    }
    Ok(results)
}

/// A decision that depends on the episode and its number alone.
fn random(seed: u64, decision: u64, numbers: &mut [f32]) {
    let mut noise = NoiseKey::for_owner(seed, "benchmark/random").at_step(decision).stream();
    numbers.fill_with(|| noise.uniform(-1.0, 1.0) as f32);
}
