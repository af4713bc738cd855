//! What a command needs before it can begin: the plugins, and a world from a file.

use super::Failure;
use super::options::{Isolate, PluginOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use touchline_config::CheckedWorld;
use touchline_host::{AttemptResult, Host, Isolation, Jail, Limits, Which};
use touchline_sim::{Scenario, World};

/// The given folders, then the program's own.
pub fn plugin_folders(given: &[PathBuf]) -> Vec<PathBuf> {
    given.iter().cloned().chain(own_folders()).collect()
}

/// The program's folder, and `plugins` in it.
fn own_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(own) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
        folders.push(own.to_owned());
        let beside = own.join("plugins");
        if beside.is_dir() {
            folders.push(beside);
        }
    }
    folders
}

/// Loads the plugins.
///
/// # Errors
/// When a given folder cannot be read.
pub fn find_plugins(options: &PluginOptions) -> Result<Host, Failure> {
    options.plugins.iter().try_for_each(|folder| check_folder(folder, "--plugins"))?;
    let folders = plugin_folders(&options.plugins);
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
        Isolation { jail: Jail::of_this_program(limits), which, ours: own_folders() },
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
    Ok(Arc::new(host))
}

/// Whether a folder that an option names can be read.
pub fn check_folder(folder: &Path, option: &str) -> Result<(), Failure> {
    let unreadable = |error| Failure::Resource(format!("{option} {}: {error}", folder.display()));
    std::fs::read_dir(folder).map(drop).map_err(unreadable)
}

/// Loads a world file.
pub fn load_scenario(path: &Path, seed: Option<u64>, host: &Host) -> Result<Scenario, Failure> {
    Ok(check_world(path, seed, host)?.scenario)
}

fn check_world(path: &Path, seed: Option<u64>, host: &Host) -> Result<CheckedWorld, Failure> {
    let mut checked = touchline_config::check_world(path, host)?;
    checked.scenario.seed = seed.unwrap_or(checked.scenario.seed);
    Ok(checked)
}

/// Loads a world file and makes its world.
pub fn load_world(path: &Path, seed: Option<u64>, host: &Arc<Host>) -> Result<World, Failure> {
    let CheckedWorld { scenario, made } = check_world(path, seed, host)?;
    let refused = |error| touchline_config::refused_world(path, &error);
    Ok(World::of_checked(scenario, made, Arc::clone(host) as _).map_err(refused)?)
}

/// Makes the world of a file's scenario; what is refused is said with its place in the file.
pub fn new_world(path: &Path, scenario: Scenario, host: &Arc<Host>) -> Result<World, Failure> {
    let refused = |error| touchline_config::refused_world(path, &error);
    Ok(World::new(scenario, Arc::clone(host) as _).map_err(refused)?)
}
