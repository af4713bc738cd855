//! The compiled part of the Python package `touchline`: the batch engine, with numpy's arrays as its own.
//!
//! Only what cannot be Python is here. [`Engine`] reads a world, steps many of it, and writes into the arrays that it is
//! given; `touchline/batch.py` is the face that users see, and the adapters to learning libraries are layers over that.
//!
//! # Invariants
//! - While worlds are stepped, other Python threads run: the interpreter's lock is released.
//! - The studio is there only while somebody has asked for it: no thread, no port, nothing kept without.
//! - Every array is looked at before anything is stepped: type, shape, order in memory, whether it may be written.
//!
//! # Not here
//! Rules, episodes, observations: `touchline-batch` and the plugins.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arrays;
mod benchmark;
mod changes;
mod engine;
mod outputs;
mod picture;
mod tournament;
mod watch;
mod world;

use pyo3::prelude::*;

pub use engine::{Engine, State};

pyo3::create_exception!(
    touchline,
    WorldError,
    pyo3::exceptions::PyValueError,
    "A world file that cannot be used, with every problem at its place."
);

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Engine>()?;
    module.add_class::<State>()?;
    module.add_class::<tournament::PyTournament>()?;
    module.add_function(wrap_pyfunction!(engine::episode_seed, module)?)?;
    module.add_function(wrap_pyfunction!(benchmark::benchmark_keepers, module)?)?;
    module.add_function(wrap_pyfunction!(benchmark::benchmark_conditions, module)?)?;
    module.add_function(wrap_pyfunction!(benchmark::benchmark_policy_file, module)?)?;
    module.add_function(wrap_pyfunction!(benchmark::benchmark_part, module)?)?;
    module.add_function(wrap_pyfunction!(benchmark::benchmark_report, module)?)?;
    module.add_function(wrap_pyfunction!(world::plugin_versions, module)?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("MOST_ENVIRONMENTS", touchline_batch::MOST_ENVIRONMENTS)?;
    module.add("MOST_THREADS", touchline_batch::MOST_THREADS)?;
    module.add("WorldError", module.py().get_type::<WorldError>())
}
