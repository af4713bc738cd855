//! The goalkeeper benchmark by parts: some episodes against one keeper, and the report of all.

use crate::engine::to_python;
use crate::{WorldError, world};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use touchline_benchmark::conditions::{Attacker, Conditions, SetUp};
use touchline_benchmark::keeper::Keeper;
use touchline_benchmark::play::{Played, Task, play};
use touchline_benchmark::policy::{self, Policy};
use touchline_benchmark::report::Report;
use touchline_benchmark::score::{Row, compare_all};
use touchline_host::Roster;

/// So often somebody looks whether Ctrl-C was pressed.
const LOOK_FOR_SIGNALS: Duration = Duration::from_millis(50);

/// An episode: outcome, steps, seed.
type Episode = (String, u64, u64);

/// The keepers of a list such as `block-2,intercept`.
#[pyfunction]
pub(crate) fn benchmark_keepers(levels: &str) -> PyResult<Vec<String>> {
    let keepers = Keeper::parse_list(levels).map_err(PyValueError::new_err)?;
    Ok(keepers.iter().map(ToString::to_string).collect())
}

/// The file that a policy names, if it names one.
#[pyfunction]
pub(crate) fn benchmark_policy_file(policy: &str) -> Option<String> {
    match Policy::read(policy) {
        Policy::File(path) | Policy::Learned(path) => Some(path.display().to_string()),
        Policy::Random | Policy::Plugin(_) | Policy::Remote => None,
    }
}

/// Whether policy and set-up can be played: the digest of the conditions, which does not depend on the policy, and a number for all that
/// the attacker's decisions depend on.
#[pyfunction]
#[pyo3(signature = (policy, params, set_up, episodes, seed, folders))]
pub(crate) fn benchmark_conditions(
    py: Python<'_>,
    policy: &str,
    params: Option<&str>,
    set_up: &str,
    episodes: u64,
    seed: u64,
    folders: Vec<PathBuf>,
) -> PyResult<(String, String)> {
    let (attacker, plugins) = attacker(py, policy, params, folders)?;
    let conditions = conditions(set_up, &plugins)?;
    if let Attacker::Learned(_) = attacker {
        let factory = Arc::clone(&plugins) as Arc<_>;
        py.detach(|| conditions.check(&attacker, &factory)).map_err(PyValueError::new_err)?;
    }
    // Parameters are checked when a world is made.
    let scenario = conditions.scenario(Keeper::None, &attacker);
    let factory = Arc::clone(&plugins) as Arc<_>;
    py.detach(|| touchline_batch::Batch::new(scenario, factory, touchline_batch::Options::default()))
        .map_err(to_python)?;
    Ok((conditions.digest(episodes, seed), py.detach(|| policy::digest(&attacker, &plugins))))
}

/// Plays episodes `start..stop` against one keeper.
///
/// Gives what was finished, the exception of a signal that came meanwhile, and which plugin failed where: then all from the first
/// on that was not finished are missing.
#[pyfunction]
#[pyo3(signature = (policy, params, set_up, keeper, start, stop, seed, threads, folders))]
#[expect(clippy::too_many_arguments, reason = "called by one line of benchmark.py, with all of them")]
pub(crate) fn benchmark_part(
    py: Python<'_>,
    policy: &str,
    params: Option<&str>,
    set_up: &str,
    keeper: &str,
    start: usize,
    stop: usize,
    seed: u64,
    threads: usize,
    folders: Vec<PathBuf>,
) -> PyResult<(Vec<Episode>, Option<PyErr>, Option<String>)> {
    let (attacker, plugins) = attacker(py, policy, params, folders)?;
    let conditions = conditions(set_up, &plugins)?;
    let (is_told, mut signal, mut looked) = (AtomicBool::new(false), None, Instant::now());
    let look = || {
        if looked.elapsed() < LOOK_FOR_SIGNALS {
            return;
        }
        looked = Instant::now();
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            signal = Some(error);
            is_told.store(true, Ordering::Relaxed);
        }
    };
    let task = Task {
        scenario: conditions.scenario(one_keeper(keeper)?, &attacker),
        attacker: &attacker,
        episodes: start..stop,
        seed,
        threads,
    };
    let played = py.detach(|| play(task, plugins as Arc<_>, &is_told, look)).map_err(to_python)?;
    let mut episodes = Vec::new();
    for (number, Played { outcome, steps, seed, fault }) in
        (start..).zip(played.into_iter().map_while(|one| one))
    {
        if let Some(fault) = fault {
            // A plugin that failed plays on without a driver or rules: that is no result.
            return Ok((episodes, signal, Some(format!("{keeper}, episode {number}: {fault}"))));
        }
        episodes.push((outcome, steps, seed));
    }
    Ok((episodes, signal, None))
}

/// The report as JSON, and as a table for people. `results` are keepers with their episodes from the first on.
#[pyfunction]
#[pyo3(signature = (policy, params, set_up, episodes, seed, results, interrupted, wall_seconds, cpu_seconds, folders))]
#[expect(clippy::too_many_arguments, reason = "called by one line of benchmark.py, with all of them")]
pub(crate) fn benchmark_report(
    py: Python<'_>,
    policy: String,
    params: Option<&str>,
    set_up: &str,
    episodes: u64,
    seed: u64,
    results: Vec<(String, Vec<Episode>)>,
    interrupted: bool,
    wall_seconds: f64,
    cpu_seconds: f64,
    folders: Vec<PathBuf>,
) -> PyResult<(String, String)> {
    let (attacker, plugins) = attacker(py, &policy, params, folders)?;
    let conditions = conditions(set_up, &plugins)?;
    let mut rows = Vec::new();
    for (keeper, episodes) in results {
        let played = |(outcome, steps, seed)| Some(Played { outcome, steps, seed, fault: None });
        let played: Vec<_> = episodes.into_iter().map(played).collect();
        rows.push(Row::of(one_keeper(&keeper)?, &played, conditions.dt_secs()));
    }
    compare_all(&mut rows);
    let report = Report {
        benchmark: "goalkeeper",
        version: env!("CARGO_PKG_VERSION"),
        digest: conditions.digest(episodes, seed),
        policy,
        params: policy::params(&attacker),
        attacker: policy::digest(&attacker, &plugins),
        set_up: conditions.set_up(),
        episodes,
        seed,
        plugins: conditions.plugins.clone(),
        rows,
        interrupted,
        wall_seconds,
        cpu_seconds,
    };
    let json = serde_json::to_string(&report).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok((json, report.table()))
}

fn conditions(set_up: &str, plugins: &Roster) -> PyResult<Conditions> {
    let wrong = |reason| PyValueError::new_err(format!("set_up {set_up:?} is unknown; {reason}"));
    let set_up: SetUp = set_up.parse().map_err(wrong)?;
    Conditions::new(set_up, plugins).map_err(|report| WorldError::new_err(report.to_string()))
}

fn one_keeper(name: &str) -> PyResult<Keeper> {
    match Keeper::parse_list(name).map_err(PyValueError::new_err)?.as_slice() {
        [keeper] => Ok(*keeper),
        _ => Err(PyValueError::new_err(format!("{name:?} is more than one keeper"))),
    }
}

/// Who attacks, and the plugins, among them one that was named by its file.
fn attacker(
    py: Python<'_>,
    word: &str,
    params: Option<&str>,
    folders: Vec<PathBuf>,
) -> PyResult<(Attacker, Arc<Roster>)> {
    let params = params.map(serde_json::from_str).transpose();
    let params = params.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let host = py.detach(|| world::plugins(folders))?;
    let (attacker, plugins) =
        py.detach(|| policy::attacker(word, params, host)).map_err(PyValueError::new_err)?;
    if let Attacker::Remote = attacker {
        let problem = "tcp: programs over the message board are measured by `touchline benchmark goalkeeper --policy tcp`";
        return Err(PyValueError::new_err(problem));
    }
    Ok((attacker, plugins))
}
