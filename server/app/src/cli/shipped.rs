//! What a command needs before it can begin: the plugins, and a world from a file.

use super::Failure;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_host::{AttemptResult, Host};
use touchline_sim::{Scenario, World};

/// The given folders, then the program's own folder and `plugins` in it.
pub fn plugin_folders(given: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders = given.to_vec();
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
pub fn find_plugins(given: &[PathBuf]) -> Result<Host, Failure> {
    given.iter().try_for_each(|folder| check_folder(folder, "--plugins"))?;
    Ok(Host::scan(&plugin_folders(given)))
}

/// Loads the plugins, and warns of the files that look like some and are not.
///
/// # Errors
/// As [`find_plugins`].
pub fn load_plugins(given: &[PathBuf]) -> Result<Arc<Host>, Failure> {
    let host = find_plugins(given)?;
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
    let mut scenario = touchline_config::load_world(path, host)?;
    scenario.seed = seed.unwrap_or(scenario.seed);
    Ok(scenario)
}

/// Loads a world file and makes its world.
pub fn load_world(path: &Path, seed: Option<u64>, host: &Arc<Host>) -> Result<World, Failure> {
    new_world(path, load_scenario(path, seed, host)?, host)
}

/// Makes the world of a file's scenario; what is refused is said with its place in the file.
pub fn new_world(path: &Path, scenario: Scenario, host: &Arc<Host>) -> Result<World, Failure> {
    let refused = |error| touchline_config::refused_world(path, &error);
    Ok(World::new(scenario, Arc::clone(host) as _).map_err(refused)?)
}
