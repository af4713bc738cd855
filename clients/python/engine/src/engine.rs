//! The batch as a Python class, with every border checked.

use crate::arrays::{read, span};
use crate::outputs::{Given, Sizes};
use crate::watch::Watch;
use crate::{WorldError, picture, world};
use numpy::PyReadonlyArrayDyn;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use touchline_batch::{Autoreset, Batch, BatchError, Ended, Options, Saved};

/// The seed of one episode.
#[pyfunction]
pub(crate) fn episode_seed(seed: u64, environment: u64, episode: u64) -> u64 {
    touchline_batch::episode_seed(seed, environment, episode)
}

/// Many worlds of one make, stepped together.
#[pyclass(module = "touchline._engine")]
pub struct Engine {
    batch: Option<Batch>,
    /// The studio, if somebody watches.
    watch: Option<Watch>,
    ended: Vec<Ended>,
    /// Before the first reset no environment is in an episode.
    is_reset: bool,
    /// Threads do not survive a fork: the process that made them is the only one that may use them.
    process: u32,
    /// Which engine of this process it is, so that states are not mixed up.
    number: u64,
    world: String,
}

/// Some environments as they were.
#[pyclass(module = "touchline._engine", frozen)]
pub struct State {
    engine: u64,
    saved: Vec<Saved>,
}

#[pymethods]
impl State {
    fn __len__(&self) -> usize {
        self.saved.len()
    }

    /// It has physics and plugins in it, which have no form as bytes.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a state cannot be pickled: it is of use to the batch that gave it; to another process send the episode's seed and its \
             actions, which lead to the same state",
        ))
    }

    fn __repr__(&self) -> String {
        format!("<state of {} environments>", self.saved.len())
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (text, name, folders, changes, num_envs, seed, threads, autoreset, clip))]
    #[expect(clippy::too_many_arguments, reason = "called by one line of batch.py, with all of them")]
    fn new(
        py: Python<'_>,
        text: &str,
        name: PathBuf,
        folders: Vec<PathBuf>,
        changes: Option<&Bound<'_, PyDict>>,
        num_envs: usize,
        seed: u64,
        threads: usize,
        autoreset: &str,
        clip: bool,
    ) -> PyResult<Self> {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => {
                return Err(PyValueError::new_err(format!(
                    "autoreset {other:?} is unknown; there is \"next_step\", \"same_step\", \"disabled\""
                )));
            }
        };
        let host = py.detach(|| world::plugins(folders))?;
        let scenario = world::read(text, &name, changes, &host)?;
        let world = scenario.name.clone();
        let options = Options { environments: num_envs, seed, threads, autoreset, clip };
        let batch = py.detach(|| Batch::new(scenario, host as Arc<_>, options)).map_err(to_python)?;
        Ok(Self {
            batch: Some(batch),
            watch: None,
            ended: Vec::new(),
            is_reset: false,
            process: std::process::id(),
            number: ENGINES.fetch_add(1, Ordering::Relaxed),
            world,
        })
    }

    /// Makes one decision in every environment.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>, given: Given<'py>) -> PyResult<()> {
        let sizes = self.sizes()?;
        if !self.is_reset {
            return Err(PyRuntimeError::new_err("reset the batch before its first step"));
        }
        let actions: PyReadonlyArrayDyn<'py, f32> =
            read("actions", actions, &[sizes.count, sizes.agents, sizes.actions])?;
        let mut arrays = sizes.check(&given, Some(span("actions", &actions)))?;
        let (actions, mut outputs) = (actions.as_slice()?, arrays.outputs()?);
        let batch = self.batch.as_mut().ok_or_else(closed)?;
        self.ended = py.detach(|| batch.step(actions, &mut outputs)).map_err(to_python)?;
        self.show(py)
    }

    /// Begins an episode in all environments, or in some of them.
    #[pyo3(signature = (given, seed, which, seeds))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        given: Given<'py>,
        seed: Option<u64>,
        which: Option<&Bound<'py, PyAny>>,
        seeds: Option<Vec<u64>>,
    ) -> PyResult<()> {
        let sizes = self.sizes()?;
        let some: Option<PyReadonlyArrayDyn<'py, bool>> =
            which.map(|which| read("mask", which, &[sizes.count])).transpose()?;
        let mut arrays = sizes.check(&given, some.as_ref().map(|some| span("mask", some)))?;
        let mut outputs = arrays.outputs()?;
        let which = match &some {
            Some(some) => some.as_slice()?.to_vec(),
            None => vec![true; sizes.count.1],
        };
        if !self.is_reset && which.contains(&false) {
            return Err(PyRuntimeError::new_err("reset all environments first, then some of them"));
        }
        let batch = self.batch.as_mut().ok_or_else(closed)?;
        py.detach(|| match seed {
            Some(seed) => batch.reset(seed, &mut outputs),
            None => batch.reset_some(&which, seeds.as_deref(), &mut outputs),
        })
        .map_err(to_python)?;
        self.is_reset = true;
        self.ended.clear();
        self.show(py)
    }

    /// Begins an episode in some environments: of these seeds, from these of the world's fixed starts.
    fn begin<'py>(
        &mut self,
        py: Python<'py>,
        given: Given<'py>,
        environments: Vec<usize>,
        seeds: Vec<u64>,
        starts: Vec<usize>,
    ) -> PyResult<()> {
        let sizes = self.sizes()?;
        let mut arrays = sizes.check(&given, None)?;
        let outputs = arrays.outputs()?;
        if seeds.len() != environments.len() || starts.len() != environments.len() {
            return Err(PyValueError::new_err("give one seed and one start for each environment"));
        }
        if !self.is_reset {
            return Err(PyRuntimeError::new_err("reset all environments first, then begin some of them"));
        }
        let (agents, seen) = (sizes.agents.1, sizes.agents.1 * sizes.observed.1);
        let batch = self.live()?;
        // All or none.
        environments.iter().try_for_each(|&one| batch.world(one).map(drop)).map_err(to_python)?;
        for ((one, seed), start) in environments.into_iter().zip(seeds).zip(starts) {
            let observations = &mut outputs.observations[one * seen..(one + 1) * seen];
            let alive = &mut outputs.alive[one * agents..(one + 1) * agents];
            batch.reset_one(one, Some(seed), Some(start), observations, alive).map_err(to_python)?;
            outputs.rewards[one * agents..(one + 1) * agents].fill(0.0);
            (outputs.terminated[one], outputs.truncated[one]) = (false, false);
        }
        self.ended.clear();
        self.show(py)
    }

    /// The episodes that ended in the last step: tuples in the order of `touchline.Ended`.
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for ended in &self.ended {
            list.append((
                ended.environment,
                ended.episode,
                ended.seed,
                ended.end.outcome(),
                ended.decisions,
                ended.steps,
                ended.returns.clone(),
                ended.score.to_vec(),
                ended.fault.clone(),
            ))?;
        }
        Ok(list)
    }

    /// How many episodes ended in the last step.
    #[getter]
    fn ended_count(&self) -> usize {
        self.ended.len()
    }

    fn save(&mut self, environments: Vec<usize>) -> PyResult<State> {
        let engine = self.number;
        let batch = self.live()?;
        let saved = environments.into_iter().map(|environment| batch.save(environment));
        Ok(State { engine, saved: saved.collect::<Result<_, _>>().map_err(to_python)? })
    }

    /// Brings environments back, and writes how all are.
    fn load<'py>(
        &mut self,
        py: Python<'py>,
        given: Given<'py>,
        state: &State,
        environments: Vec<usize>,
    ) -> PyResult<()> {
        let mut arrays = self.sizes()?.check(&given, None)?;
        let mut outputs = arrays.outputs()?;
        if state.engine != self.number {
            return Err(PyValueError::new_err("this state is of another batch"));
        }
        if state.saved.len() != environments.len() {
            return Err(PyValueError::new_err(format!(
                "the state has {} environments; {} are to be set",
                state.saved.len(),
                environments.len()
            )));
        }
        let batch = self.live()?;
        // All or none.
        environments.iter().try_for_each(|&one| batch.world(one).map(drop)).map_err(to_python)?;
        for (environment, saved) in environments.into_iter().zip(&state.saved) {
            batch.load(environment, saved).map_err(to_python)?;
        }
        py.detach(|| batch.look(&mut outputs)).map_err(to_python)?;
        self.ended.clear();
        self.show(py)
    }

    /// Episode and seed of an environment.
    fn episode(&mut self, environment: usize) -> PyResult<(u64, u64)> {
        self.live()?.episode(environment).map_err(to_python)
    }

    /// A number that is the same for the same state of a world, and no other.
    fn state_hash(&mut self, environment: usize) -> PyResult<u64> {
        Ok(self.live()?.world(environment).map_err(to_python)?.state_hash())
    }

    /// What there is to draw.
    fn shapes<'py>(&mut self, py: Python<'py>, environment: usize) -> PyResult<Bound<'py, PyList>> {
        picture::shapes(py, self.live()?.world(environment).map_err(to_python)?)
    }

    /// `(agents, observed, decided)`: names.
    fn names(&mut self) -> PyResult<(Vec<String>, Vec<String>, Vec<String>)> {
        let layout = self.live()?.layout();
        Ok((layout.agents.clone(), layout.observed.clone(), layout.actions.clone()))
    }

    /// Simulated time from one decision to the next, seconds.
    #[getter]
    fn decision_secs(&mut self) -> PyResult<f64> {
        Ok(self.live()?.layout().decision_ns as f64 / 1e9)
    }

    /// Simulated time of one step of the world, seconds.
    #[getter]
    fn step_secs(&mut self) -> PyResult<f64> {
        let layout = self.live()?.layout();
        Ok(layout.decision_ns as f64 / f64::from(layout.decision_steps) / 1e9)
    }

    #[getter]
    fn world(&self) -> &str {
        &self.world
    }

    /// Whether it can still be used here.
    #[getter]
    fn is_open(&self) -> bool {
        self.batch.is_some() && self.process == std::process::id()
    }

    /// Shows the first environment in the studio, from now on and in real time; gives the page's address.
    fn watch(&mut self, port: u16) -> PyResult<String> {
        if let Some(watch) = &self.watch {
            return Err(PyRuntimeError::new_err(format!("this batch is watched already: {}", watch.url())));
        }
        let watch = Watch::open(self.live()?, port)?;
        Ok(self.watch.insert(watch).url())
    }

    /// Ends its threads, and the studio.
    fn close(&mut self, py: Python<'_>) {
        py.detach(|| self.drop_batch());
    }
}

impl Engine {
    fn live(&mut self) -> PyResult<&mut Batch> {
        if self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(format!(
                "this batch was made in process {}, and its threads are there; make one in each process (with multiprocessing: \
                 start method \"spawn\", or make the batch in the child)",
                self.process
            )));
        }
        self.batch.as_mut().ok_or_else(closed)
    }

    /// Lets who watches see what was done.
    fn show(&mut self, py: Python<'_>) -> PyResult<()> {
        let (Some(watch), Some(batch)) = (&mut self.watch, &mut self.batch) else { return Ok(()) };
        py.detach(|| watch.show(batch)).map_err(to_python)
    }

    fn sizes(&mut self) -> PyResult<Sizes> {
        let batch = self.live()?;
        let layout = batch.layout();
        Ok(Sizes {
            count: ("environments", batch.len()),
            agents: ("agents", layout.agents.len()),
            observed: ("observed numbers", layout.observed.len()),
            actions: ("numbers of an action", layout.actions.len()),
        })
    }

    fn drop_batch(&mut self) {
        let threads = (self.watch.take(), self.batch.take());
        if self.process == std::process::id() {
            drop(threads);
        } else {
            // They are in another process: nobody would answer here.
            std::mem::forget(threads);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.drop_batch();
    }
}

fn closed() -> PyErr {
    PyRuntimeError::new_err("this batch is closed")
}

pub(crate) fn to_python(error: BatchError) -> PyErr {
    let text = error.to_string();
    match error {
        BatchError::NoEnvironment { .. } => PyIndexError::new_err(text),
        BatchError::Over(_) | BatchError::Threads(_) => PyRuntimeError::new_err(text),
        BatchError::NoEpisode(_)
        | BatchError::World(_)
        | BatchError::Word { .. }
        | BatchError::Unlike(..) => WorldError::new_err(text),
        BatchError::Length { .. }
        | BatchError::Decision { .. }
        | BatchError::Environments(_)
        | BatchError::NoStarts(_)
        | BatchError::TooManyThreads(_) => PyValueError::new_err(text),
    }
}
