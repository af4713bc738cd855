//! What a command needs before it can begin: the plugins, and a world from a file.

use super::Failure;
use super::options::{Isolate, PluginOptions};
use super::output::note;
use super::places::{INSTALL_HINT, Places};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use touchline_config::{CheckedWorld, FileSource};
use touchline_host::{AttemptResult, Host, Isolation, Jail, Limits, Which};
use touchline_sim::{PluginFactory, Scenario, World};

/// Loads the plugins.
///
/// # Errors
/// When a given folder cannot be read.
pub fn find_plugins(options: &PluginOptions) -> Result<Host, Failure> {
    let places = Places::find(options)?;
    let folders = places.plugins;
    if !cfg!(target_os = "linux") {
        return match options.isolate {
            None => Ok(Host::scan(&folders)),
            Some(_) => Err(Failure::Resource("--isolate: plugins are kept apart on Linux alone".into())),
        };
    }
    let limits = Limits {
        longest_call: Duration::from_millis(options.isolate_ms.into()),
        memory_bytes: u64::from(options.isolate_mb) << 20,
    };
    let which = match options.isolate {
        None => Which::Asked,
        Some(Isolate::Foreign) => Which::Foreign,
        Some(Isolate::All) => Which::All,
    };
    Ok(Host::scan_tried(
        &folders,
        Isolation { jail: Jail::of_this_program(limits), which, ours: places.own_plugins },
    ))
}

/// Loads the plugins, and warns of the files that look like some and are not.
///
/// # Errors
/// As [`find_plugins`].
pub fn load_plugins(options: &PluginOptions) -> Result<Arc<Host>, Failure> {
    let host = find_plugins(options)?;
    for attempt in host.attempts() {
        if let AttemptResult::Refused(_) = attempt.result {
            tracing::warn!("plugin refused: {attempt}");
        }
    }
    if host.descriptions().is_empty() {
        note(&no_plugins(options));
    }
    Ok(Arc::new(host))
}

/// What to say, and to do, when there is no plugin at all.
pub fn no_plugins(options: &PluginOptions) -> String {
    let folders = Places::find(options).map(|places| places.plugins).unwrap_or_default();
    let folders: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    format!("no plugins in {}\n  hint     {INSTALL_HINT}", folders.join(", "))
}

/// Loads a world file; [`Places::world`] has found it.
pub fn load_scenario(
    path: &Path,
    seed: Option<u64>,
    host: &Host,
    places: &Places,
) -> Result<Scenario, Failure> {
    Ok(check_world(path, seed, host, &places.files())?.scenario)
}

fn check_world(
    path: &Path,
    seed: Option<u64>,
    host: &Host,
    files: &dyn FileSource,
) -> Result<CheckedWorld, Failure> {
    let mut checked = touchline_config::check_world_with(path, files, host)?;
    checked.scenario.seed = seed.unwrap_or(checked.scenario.seed);
    Ok(checked)
}

/// Loads a world file, and what it names from `files`, and makes its world.
pub fn load_world(
    path: &Path,
    seed: Option<u64>,
    host: &Arc<Host>,
    files: &dyn FileSource,
) -> Result<World, Failure> {
    let CheckedWorld { scenario, made } = check_world(path, seed, host, files)?;
    let refused = |error| touchline_config::refused_world(path, &error);
    Ok(World::of_checked(scenario, made, Arc::clone(host) as _).map_err(refused)?)
}

/// Makes the world of a file's scenario; what is refused is said with its place in the file.
pub fn new_world(path: &Path, scenario: Scenario, host: &Arc<Host>) -> Result<World, Failure> {
    let refused = |error| touchline_config::refused_world(path, &error);
    Ok(World::new(scenario, Arc::clone(host) as _).map_err(refused)?)
}
