//! Instances of registered plugins, made here or in a process of their own.

use super::{Host, Prepared, Registered};
use crate::adapters::{Motion, Player, Referee, Sensor};
use crate::attempt::{Attempt, AttemptResult};
use crate::content;
use crate::handle::{Door, NoInstance};
use crate::isolated::{self, Isolation};
use crate::times::Identity;
use std::env::consts::DLL_SUFFIX;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

impl Host {
    /// Makes an instance of an `owner` by `create`, which gets table, identity, parameters and setup.
    fn make<T, S: serde::Serialize>(
        &self,
        kind: PluginKind,
        choice: &PluginChoice,
        owner: String,
        setup: &S,
        create: impl FnOnce(&Door<'_>, Identity, &[u8], &[u8]) -> Result<T, NoInstance>,
    ) -> Result<Arc<T>, MakeError> {
        let name = || choice.plugin.clone();
        let registered = self.plugins.get(&(kind, name()));
        let registered = registered.ok_or_else(|| {
            let known = self.plugins.keys().map(|(kind, name)| (*kind, name.as_str()));
            MakeError::no_such_plugin(kind, &choice.plugin, known)
        })?;
        let json = |value: Result<Vec<u8>, serde_json::Error>| {
            value.map_err(|error| MakeError::Failed { kind, name: name(), message: error.to_string() })
        };
        let door = self.door(registered, choice);
        let description = &registered.library.description;
        let params = match door {
            // The process is in another folder than the server.
            Ok(Door::Apart { .. }) => json(serde_json::to_vec(&with_absolute_files(description, choice)))?,
            _ => json(serde_json::to_vec(&choice.params))?,
        };
        let setup = json(serde_json::to_vec(setup))?;
        let title = format!("{kind} plugin \"{}\"", choice.plugin).into();
        let identity = Identity { title, owner, times: Arc::clone(&registered.times) };
        let made = door.and_then(|door| create(&door, identity, &params, &setup));
        made.map(Arc::new).map_err(|error| match error {
            NoInstance::Setup(error) => MakeError::Setup { kind, name: name(), error },
            NoInstance::Failed(message) => MakeError::Failed { kind, name: name(), message },
        })
    }

    /// Where an instance is made: here, or in a process of its own, which may read the files that its parameters name, and those beside
    /// them that these name.
    fn door<'a>(&'a self, registered: &'a Registered, choice: &PluginChoice) -> Result<Door<'a>, NoInstance> {
        match (registered.table, &self.isolation) {
            (Some(table), _) if !choice.isolate => Ok(Door::Here(table)),
            (_, Some(Isolation { jail, .. })) => {
                let library = &registered.library;
                let mut readable: Vec<PathBuf> = library.path.parent().map(Path::to_owned).into_iter().collect();
                for (param, file) in files(&library.description, choice) {
                    // A folder, such as `/`, would open all that lies in it.
                    if std::fs::metadata(file).is_ok_and(|found| !found.is_file()) {
                        return Err(NoInstance::Failed(format!(
                            "its parameter {param} names \"{file}\", which is no file, and a plugin in a process of its own may read files alone"
                        )));
                    }
                    readable.extend(content::named_beside(Path::new(file)));
                    readable.push(file.into());
                }
                isolated::tell_what_stays_open();
                Ok(Door::Apart { jail, library, readable })
            }
            _ => Err(NoInstance::Failed(
                "it is to run in a process of its own (isolate = true), which only the program `touchline` can start".into(),
            )),
        }
    }

    /// Whether a sensor can be one that others have: not in a process of its own, and not one that reads files, which may have changed since.
    fn may_serve_all(&self, choice: &PluginChoice) -> bool {
        let registered = self.plugins.get(&(PluginKind::Sensor, choice.plugin.clone()));
        registered.is_some_and(|registered| {
            let reads_files = files(&registered.library.description, choice).next().is_some();
            registered.table.is_some() && !choice.isolate && !reads_files && !self.is_alone
        })
    }

    /// The same player, if it was made ahead of time.
    fn prepared(&self, choice: &PluginChoice, setup: &PlayerSetup) -> Option<Arc<Player>> {
        let prepared = self.prepared.lock();
        let same = prepared.iter().find(|one| one.choice == *choice && one.setup == *setup)?;
        same.player.upgrade()
    }

    fn make_player(&self, choice: &PluginChoice, setup: &PlayerSetup) -> Result<Arc<Player>, MakeError> {
        let sensors = setup.robot.sensors.sensors.len();
        self.make(
            PluginKind::Player,
            choice,
            setup.robot.name.clone(),
            setup,
            |door, identity, params, setup| {
                // SAFETY: see above.
                unsafe { Player::create(door, identity, params, setup, sensors) }
            },
        )
    }
}

impl PluginFactory for Host {
    fn descriptions(&self) -> Vec<PluginDescription> {
        self.plugins.values().map(|registered| registered.library.description.clone()).collect()
    }

    fn attempts(&self, _kind: PluginKind, _name: &str) -> Vec<String> {
        let bad = self.attempts.iter().filter(|attempt| match attempt.result {
            AttemptResult::Loaded(_) => false,
            AttemptResult::Refused(_) => true,
            // Any other library may lie there, such as that of a client; a plugin's says by its name what it should be.
            AttemptResult::NotAPlugin => is_named_like_a_plugin(&attempt.path),
        });
        let mut lines: Vec<String> = bad.map(ToString::to_string).collect();
        for folder in &self.folders {
            let here = |attempt: &&Attempt| attempt.path == *folder || attempt.path.parent() == Some(folder);
            if !self.attempts.iter().any(|attempt| here(&attempt)) {
                lines.push(format!("{}: no file ends in {DLL_SUFFIX}", folder.display()));
            }
        }
        lines
    }

    fn check_params(&self, kind: PluginKind, choice: &PluginChoice) -> Result<(), MakeError> {
        let registered = self.plugins.get(&(kind, choice.plugin.clone()));
        registered
            .map_or(Ok(()), |registered| registered.rules.check(&registered.library.description, choice))
    }

    // In all four: only tables that passed `adopt` are registered, whose caller made the promise.

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        let made = self.make(
            PluginKind::Motion,
            choice,
            setup.robot.clone(),
            setup,
            |door, identity, params, setup| {
                // SAFETY: see above.
                unsafe { Motion::create(door, identity, params, setup) }
            },
        );
        Ok(made?)
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        let may_serve_all = self.may_serve_all(choice);
        let alike = if may_serve_all { self.shared.lock().find(choice, setup) } else { None };
        if let Some(sensor) = alike {
            return Ok(sensor);
        }
        let owner = format!("{}, sensor {}", setup.robot, setup.id);
        let made = self.make(PluginKind::Sensor, choice, owner, setup, |door, identity, params, told| {
            // SAFETY: see above.
            let mut sensor = unsafe { Sensor::create(door, identity, params, told) }?;
            if may_serve_all && sensor.serves_all() {
                sensor.belongs_to(format!("robots like {}, sensor {}", setup.robot, setup.id));
            }
            Ok(sensor)
        })?;
        if may_serve_all && made.serves_all() {
            self.shared.lock().keep(choice, setup, &made);
        }
        Ok(made)
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        match self.prepared(choice, setup) {
            Some(player) => Ok(player),
            None => Ok(self.make_player(choice, setup)?),
        }
    }

    fn prepare_player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let player = self.make_player(choice, setup)?;
        let mut prepared = self.prepared.lock();
        prepared.retain(|one| one.player.strong_count() > 0);
        let (choice, setup) = (choice.clone(), setup.clone());
        prepared.push(Prepared { choice, setup, player: Arc::downgrade(&player) });
        Ok(player)
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        let made = self.make(
            PluginKind::Referee,
            choice,
            "the world".into(),
            setup,
            |door, identity, params, setup| {
                // SAFETY: see above.
                unsafe { Referee::create(door, identity, params, setup) }
            },
        );
        Ok(made?)
    }
}

/// The files that are named in parameters, by parameter.
fn files<'a>(
    description: &'a PluginDescription,
    choice: &'a PluginChoice,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let files =
        description.path_params().filter_map(|param| Some((param, choice.params.get(param)?.as_str()?)));
    files.filter(|(_, file)| !file.is_empty())
}

/// The parameters, with files named from the top.
fn with_absolute_files(description: &PluginDescription, choice: &PluginChoice) -> serde_json::Value {
    let mut params = choice.params.clone();
    for (param, file) in files(description, choice) {
        // A folder whose name is no text has none in JSON either.
        let absolute = std::path::absolute(file).ok().and_then(|path| path.to_str().map(str::to_owned));
        if let Some((value, absolute)) = params.get_mut(param).zip(absolute) {
            *value = absolute.into();
        }
    }
    params
}

/// Whether a library's name says a kind, as in `libtouchline_motion_omni.so` and `libsensor_sonar.so`.
fn is_named_like_a_plugin(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        PluginKind::ALL.iter().any(|kind| word.strip_prefix("lib").unwrap_or(word) == kind.as_str())
    })
}
