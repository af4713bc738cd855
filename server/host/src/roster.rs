//! The program's plugins with library files beside them.
//!
//! A library file is a plugin of its own under the name that it is given, so two versions of one player can meet, and no other file of
//! its folder takes any part.

use crate::content;
use crate::registry::Host;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// A [`PluginFactory`] with library files beside the program's plugins.
pub struct Roster {
    host: Arc<Host>,
    libraries: BTreeMap<String, Library>,
}

/// A library file that was tried.
struct Library {
    path: PathBuf,
    /// The plugin in it, or why there is none.
    plugin: Result<(Host, PluginDescription), String>,
}

impl Roster {
    /// Loads the library files, by the names that they shall have.
    pub fn new(host: Arc<Host>, files: Vec<(String, PathBuf)>) -> Self {
        let load = |(name, path): (String, PathBuf)| {
            let plugin = match host.of_file(&path) {
                Ok(host) => match host.descriptions().pop() {
                    Some(description) => Ok((host, description)),
                    None => Err(format!("{}: it holds no plugin", path.display())),
                },
                Err(attempt) => Err(attempt.to_string()),
            };
            (name, Library { path, plugin })
        };
        let libraries = files.into_iter().map(load).collect();
        Self { host, libraries }
    }

    /// What is in a library file, by the name that it was given.
    ///
    /// # Errors
    /// Why there is no plugin.
    pub fn library(&self, name: &str) -> Result<&PluginDescription, String> {
        let library = self.libraries.get(name).ok_or_else(|| format!("{name}: no such library file"))?;
        library.plugin.as_ref().map(|(_, description)| description).map_err(Clone::clone)
    }

    /// A plugin's version, and a text for all that its decisions depend on beside the world: its version, a number for its library
    /// file, its parameters; a file that a parameter names counts by what is in it, wherever it lies, and with it those beside it that it names.
    pub fn identity(&self, kind: PluginKind, choice: &PluginChoice) -> Option<(String, String)> {
        let name = choice.plugin.as_str();
        let (path, description) = match self.libraries.get(name) {
            Some(Library { path, plugin }) => (path.as_path(), plugin.as_ref().ok()?.1.clone()),
            None => {
                let known = self.host.descriptions();
                let found = known.into_iter().find(|plugin| plugin.kind == kind && plugin.name == name)?;
                (self.host.path_of(kind, name)?, found)
            }
        };
        let code = content::of_file(path);
        let mut params = choice.params.clone();
        for parameter in description.path_params() {
            if let Some(value) = params.get_mut(parameter)
                && let Some(path) = value.as_str().filter(|path| !path.is_empty())
            {
                *value = content::with_named(Path::new(path)).into();
            }
        }
        let version = description.version;
        let text = format!("{kind}/{} {version} {code} {params}\n", description.name);
        Some((version, text))
    }
}

impl PluginFactory for Roster {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&*self.host)
    }

    fn descriptions(&self) -> Vec<PluginDescription> {
        let named = self.libraries.iter().filter_map(|(name, library)| {
            let (_, description) = library.plugin.as_ref().ok()?;
            Some(PluginDescription { name: name.clone(), ..description.clone() })
        });
        self.host.descriptions().into_iter().chain(named).collect()
    }

    fn attempts(&self, kind: PluginKind, name: &str) -> Vec<String> {
        match self.libraries.get(name) {
            Some(library) => library.plugin.as_ref().err().cloned().into_iter().collect(),
            None => PluginFactory::attempts(&*self.host, kind, name),
        }
    }

    fn check_params(&self, kind: PluginKind, choice: &PluginChoice) -> Result<(), MakeError> {
        match self.libraries.get(&choice.plugin) {
            Some(Library { plugin: Ok((host, description)), .. }) => {
                let own = PluginChoice { plugin: description.name.clone(), ..choice.clone() };
                host.check_params(kind, &own).map_err(|error| called(&choice.plugin, error))
            }
            // What is wrong with the file is said where a player is made of it.
            Some(_) => Ok(()),
            None => self.host.check_params(kind, choice),
        }
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let Some(library) = self.libraries.get(&choice.plugin) else {
            return self.host.player(choice, setup);
        };
        let (host, description) = library.plugin.as_ref().map_err(|why| MakeError::Failed {
            kind: PluginKind::Player,
            name: choice.plugin.clone(),
            message: why.clone(),
        })?;
        let own = PluginChoice { plugin: description.name.clone(), ..choice.clone() };
        host.player(&own, setup).map_err(|error| called(&choice.plugin, error))
    }
}

/// A message about a library's plugin calls it as the file does that named it.
fn called(name: &str, error: MakeError) -> MakeError {
    let name = name.to_owned();
    match error {
        MakeError::NoSuchPlugin { kind, known, .. } => MakeError::NoSuchPlugin { kind, name, known },
        MakeError::Setup { kind, error, .. } => MakeError::Setup { kind, name, error },
        MakeError::Failed { kind, message, .. } => MakeError::Failed { kind, name, message },
    }
}
