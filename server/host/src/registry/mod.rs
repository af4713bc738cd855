//! All plugins that were found, by kind and name: the libraries looked at, tried and loaded.

mod factory;
mod shared;

use crate::adapters::Player;
use crate::attempt::{Attempt, AttemptResult, Refusal};
use crate::calls::{Label, seen};
use crate::isolated::{Isolation, Which, no_process, try_all, try_one};
use crate::library::Library;
use crate::load::{Plugin, Tried, adopt, load_tried};
use crate::loaded::{self, Stamp, identify};
use crate::params::Rules;
use crate::times::{PluginTime, Times};
use parking_lot::Mutex;
use shared::SharedSensors;
use std::collections::BTreeMap;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use touchline_plugin_api::abi::Table;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::motion::{MotionDescription, MotionSetup};
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// The plugins of this program.
#[derive(Default)]
pub struct Host {
    plugins: BTreeMap<(PluginKind, String), Registered>,
    attempts: Vec<Attempt>,
    folders: Vec<PathBuf>,
    isolation: Option<Isolation>,
    prepared: Mutex<Vec<Prepared>>,
    shared: Mutex<SharedSensors>,
    /// One library is looked at: two instances of it are two.
    is_alone: bool,
}

/// A player that was made ahead of time, as long as somebody keeps it.
struct Prepared {
    choice: PluginChoice,
    setup: PlayerSetup,
    player: Weak<Player>,
}

struct Registered {
    library: Arc<Library>,
    /// None if the library is not loaded in this program.
    table: Option<&'static Table>,
    times: Arc<Times>,
    rules: Rules,
}

impl Host {
    /// Looks at every dynamic library directly in the folders: folder by folder, by name.
    ///
    /// Of two plugins of one kind and name the first is used. A folder that is named twice is searched once.
    pub fn scan(folders: &[PathBuf]) -> Self {
        Self::scan_by(folders, None)
    }

    /// As [`scan`](Self::scan), but each library is first loaded in a process of its own, whose end costs nothing; and those plugins that are
    /// to be kept apart are never loaded here.
    pub fn scan_tried(folders: &[PathBuf], isolation: Isolation) -> Self {
        Self::scan_by(folders, Some(isolation))
    }

    fn scan_by(folders: &[PathBuf], isolation: Option<Isolation>) -> Self {
        let mut host = Self { isolation, ..Self::default() };
        let mut searched = Vec::new();
        for folder in folders {
            let identity = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
            if !searched.contains(&identity) {
                searched.push(identity);
                host.scan_folder(folder);
            }
        }
        host
    }

    /// The plugin of one file alone, without a look at its name; tried and kept apart as this one's are.
    ///
    /// # Errors
    /// What became of the file, if it was not loaded.
    pub fn of_file(&self, path: &Path) -> Result<Self, Box<Attempt>> {
        Self::alone(self.isolation.clone(), path)
    }

    /// As [`of_file`](Self::of_file), but nothing of the library runs in this process, if libraries are tried.
    ///
    /// # Errors
    /// What became of the file, if it was not loaded.
    pub fn of_file_apart(&self, path: &Path) -> Result<Self, Box<Attempt>> {
        let apart = |isolation: &Isolation| Isolation { which: Which::All, ..isolation.clone() };
        Self::alone(self.isolation.as_ref().map(apart), path)
    }

    fn alone(isolation: Option<Isolation>, path: &Path) -> Result<Self, Box<Attempt>> {
        let mut host = Self { isolation, is_alone: true, ..Self::default() };
        let found = identify(path);
        let tried = host.try_files(path.parent().unwrap_or(path), &[path.to_owned()]).pop();
        let result = host.take_in(path, found, tried);
        if let AttemptResult::Loaded(_) = result {
            host.note(path, result);
            return Ok(host);
        }
        Err(Box::new(Attempt { path: path.to_owned(), result }))
    }

    /// What becomes of files in a process of its own; nothing if no library is tried.
    fn try_files(&self, folder: &Path, paths: &[PathBuf]) -> Vec<AttemptResult> {
        let Some(isolation) = &self.isolation else { return Vec::new() };
        try_all(&isolation.jail, folder, paths).unwrap_or_else(|error| {
            warn_of_no_trial(&error);
            // What must not be loaded here is refused: of one folder that is all or nothing.
            let refused = paths.iter().filter(|path| isolation.is_for(path)).map(|_| no_process(&error));
            refused.collect()
        })
    }

    /// Loads a file that was tried with this result, or was not; as it was found before that.
    fn take_in(
        &mut self,
        path: &Path,
        found: Option<(PathBuf, Stamp)>,
        tried: Option<AttemptResult>,
    ) -> AttemptResult {
        let is_apart = self.isolation.as_ref().is_some_and(|isolation| isolation.is_for(path));
        let before = match (&tried, &found) {
            (Some(AttemptResult::Loaded(description)), Some(found)) => {
                Some(Tried { found: found.clone(), description: description.clone() })
            }
            _ => None,
        };
        let library = |description| Library { path: path.to_owned(), description, found };
        match tried {
            Some(AttemptResult::Loaded(description)) if is_apart => self.register(library(description), None),
            Some(AttemptResult::Loaded(_)) | None => match load_by_name(path, before) {
                Ok(Some(plugin)) => self.register(library(plugin.description), Some(plugin.table)),
                Ok(None) => AttemptResult::NotAPlugin,
                Err(refusal) => AttemptResult::Refused(refusal),
            },
            Some(other) => other,
        }
    }

    fn scan_folder(&mut self, folder: &Path) {
        self.folders.push(folder.to_owned());
        let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let mut paths: Vec<PathBuf> = match entries {
            Ok(entries) => entries.iter().map(fs::DirEntry::path).collect(),
            Err(error) => {
                self.note(folder, AttemptResult::Refused(Refusal::Unreadable(error.to_string())));
                return;
            }
        };
        paths.retain(|path| path.file_name().is_some_and(|n| n.to_string_lossy().ends_with(DLL_SUFFIX)));
        paths.sort_unstable();
        let found: Vec<_> = paths.iter().map(|path| identify(path)).collect();
        let mut tried = self.try_files(folder, &paths).into_iter();
        for (path, found) in paths.into_iter().zip(found) {
            let tried = tried.next();
            let result = self.take_in(&path, found, tried);
            self.note(&path, result);
        }
    }

    fn register(&mut self, library: Library, table: Option<&'static Table>) -> AttemptResult {
        let description = library.description.clone();
        let key = (description.kind, description.name.clone());
        if let Some(first) = self.plugins.get(&key) {
            let first = first.library.path.display().to_string();
            return AttemptResult::Refused(Refusal::Duplicate { kind: key.0, name: key.1, first });
        }
        let (library, times, rules) = (Arc::new(library), Arc::default(), Rules::default());
        self.plugins.insert(key, Registered { library, table, times, rules });
        AttemptResult::Loaded(description)
    }

    fn note(&mut self, path: &Path, result: AttemptResult) {
        self.attempts.push(Attempt { path: path.to_owned(), result });
    }

    /// Adds a plugin that is part of this program, as if it had been found at `path`: for tests and measurements.
    ///
    /// # Safety
    /// The table's functions keep the promises of [`Table`].
    pub unsafe fn add_linked(&mut self, path: &Path, table: &'static Table) -> &Attempt {
        // SAFETY: the caller's promise.
        let result = match unsafe { adopt(table) } {
            Ok(plugin) => self.register(linked(path, plugin.description), Some(plugin.table)),
            Err(refusal) => AttemptResult::Refused(refusal),
        };
        let index = self.attempts.len();
        self.note(path, result);
        &self.attempts[index]
    }

    /// Checks one file as [`check_file`](Self::check_file), in a process of its own if libraries are tried.
    pub fn check_apart(&self, path: &Path) -> Attempt {
        let Some(isolation) = &self.isolation else { return Self::check_file(path) };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        match try_one(&isolation.jail, &path) {
            Ok(result) => Attempt { path, result },
            Err(error) => {
                warn_of_no_trial(&error);
                Self::check_file(&path)
            }
        }
    }

    /// Checks one file and loads it if it is a plugin, without a look at its name.
    ///
    /// A sensor or motion model is made on trial with its default parameters, if it has them, for what it says of itself.
    pub fn check_file(path: &Path) -> Attempt {
        let result = match load_by_name(path, None) {
            Ok(Some(plugin)) => Self::on_trial(path, plugin),
            Ok(None) => AttemptResult::NotAPlugin,
            Err(refusal) => AttemptResult::Refused(refusal),
        };
        Attempt { path: path.to_owned(), result }
    }

    fn on_trial(path: &Path, plugin: Plugin) -> AttemptResult {
        let (kind, name) = (plugin.description.kind, plugin.description.name.clone());
        let choice = PluginChoice::new(name, serde_json::json!({}));
        let (robot, dt_secs) = ("robot-0".to_owned(), 0.01);
        let mut host = Self::default();
        let result = host.register(linked(path, plugin.description), Some(plugin.table));
        let made = match kind {
            PluginKind::Sensor => {
                let setup = SensorSetup {
                    robot,
                    id: "it".into(),
                    model: String::new(),
                    mount: Mount::default(),
                    dt_secs,
                    motion: MotionDescription::default(),
                    teams: Vec::new(),
                    team: None,
                    fixtures: Vec::new(),
                };
                host.sensor(&choice, &setup).map(drop)
            }
            PluginKind::Motion => host.motion(&choice, &MotionSetup { robot, dt_secs }).map(drop),
            // These depend on the robot or the teams.
            PluginKind::Player | PluginKind::Referee => Ok(()),
        };
        match made {
            Err(MakeError::Failed { message, .. }) => AttemptResult::Refused(Refusal::BadInstance(message)),
            _ => result,
        }
    }

    /// All files that were looked at, in the order in which they were, and what became of each.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The file that a plugin came from.
    pub fn path_of(&self, kind: PluginKind, name: &str) -> Option<&Path> {
        self.plugins.get(&(kind, name.to_owned())).map(|registered| registered.library.path.as_path())
    }

    /// A file whose plugin is in use here, and which is another file now.
    pub fn changed_file(&self) -> Option<&Path> {
        let libraries = self.plugins.values().map(|registered| &registered.library);
        let mut changed =
            libraries.filter(|library| library.has_changed() || loaded::has_changed(&library.path));
        changed.next().map(|library| library.path.as_path())
    }

    /// How long each plugin's calls took, by kind and name; those that were never called as well.
    pub fn plugin_times(&self) -> Vec<PluginTime> {
        self.plugins.iter().map(|((kind, name), registered)| registered.times.read(*kind, name)).collect()
    }
}

/// The library of a plugin that is there already, whatever lies at `path`.
fn linked(path: &Path, description: PluginDescription) -> Library {
    Library { path: path.to_owned(), description, found: None }
}

/// Loads a library; if that ends the program, although it went well where it was tried, the file is named.
fn load_by_name(path: &Path, tried: Option<Tried>) -> Result<Option<Plugin>, Refusal> {
    let label = Label::known(format!("the library {}", path.display()));
    seen(&label, || load_tried(path, tried))
}

fn warn_of_no_trial(error: &std::io::Error) {
    tracing::warn!(
        "libraries are loaded without being tried first, for there is no process for that: {error}"
    );
}
