//! What a command needs before it can begin: the plugins, and a world from a file.

use super::Failure;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_host::Host;
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
pub fn load_plugins(given: &[PathBuf]) -> Arc<Host> {
    Arc::new(Host::scan(&plugin_folders(given)))
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
