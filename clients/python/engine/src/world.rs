//! From a world's text to a checked scenario, with the plugins that it needs.

use crate::{WorldError, changes};
use parking_lot::Mutex;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_config::{Disk, Report, merged, parse_world};
use touchline_host::{AttemptResult, Host};
use touchline_sim::{PluginFactory, Scenario};

/// The plugins of some folders: each set of folders is searched once.
pub(crate) fn plugins(folders: Vec<PathBuf>) -> PyResult<Arc<Host>> {
    static HOSTS: Mutex<BTreeMap<Vec<PathBuf>, Arc<Host>>> = Mutex::new(BTreeMap::new());
    let mut hosts = HOSTS.lock();
    let host = hosts.entry(folders).or_insert_with_key(|folders| Arc::new(Host::scan(folders)));
    if let Some(path) = host.changed_file() {
        let problem =
            format!("{} has changed since it was loaded; start Python anew to use it", path.display());
        return Err(PyRuntimeError::new_err(problem));
    }
    Ok(Arc::clone(host))
}

/// The plugins of some folders, as `(kind/name, version)`.
#[pyfunction]
pub(crate) fn plugin_versions(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<Vec<(String, String)>> {
    let host = py.detach(|| plugins(folders))?;
    let all = host.descriptions();
    Ok(all.into_iter().map(|found| (format!("{}/{}", found.kind, found.name), found.version)).collect())
}

/// Reads a world. `name` is what messages call it, and what the names in it are relative to.
pub(crate) fn read(
    text: &str,
    name: &Path,
    changes: Option<&Bound<'_, PyDict>>,
    host: &Host,
) -> PyResult<Scenario> {
    let wrong = |report: &Report, about: &str| {
        let refused: Vec<String> = host
            .attempts()
            .iter()
            .filter(|attempt| matches!(attempt.result, AttemptResult::Refused(_)))
            .map(|attempt| format!("\nrefused  {attempt}"))
            .collect();
        WorldError::new_err(format!("{about}{}{}", report.to_string().trim_end(), refused.concat()))
    };
    let scenario = parse_world(text, name, &Disk, host).map_err(|report| wrong(&report, ""))?;
    let Some(changes) = changes.filter(|changes| !changes.is_empty()) else { return Ok(scenario) };
    let mut table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| WorldError::new_err(error.to_string()))?;
    changes::apply(&mut table, &merged(text, name, &Disk), changes)?;
    let text = toml::to_string(&table).map_err(|error| WorldError::new_err(error.to_string()))?;
    // Lines are counted in a text that nobody has seen: what is said of the place is of no use then.
    parse_world(&text, name, &Disk, host)
        .map_err(|report| wrong(&report, "with the changes (lines are those of the changed text):\n"))
}
