//! Instances of registered plugins, made here or in a process of their own.

use super::{Host, Prepared, Registered};
use crate::adapters::{Motion, Player, Referee, Sensor};
use crate::attempt::{Attempt, AttemptResult};
use crate::handle::{Door, NoInstance};
use crate::isolated::Isolation;
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
        let params = json(serde_json::to_vec(&choice.params))?;
        let setup = json(serde_json::to_vec(setup))?;
        let title = format!("{kind} plugin \"{}\"", choice.plugin).into();
        let identity = Identity { title, owner, times: Arc::clone(&registered.times) };
        let made = self.door(registered, choice).and_then(|door| create(&door, identity, &params, &setup));
        made.map(Arc::new).map_err(|error| match error {
            NoInstance::Setup(error) => MakeError::Setup { kind, name: name(), error },
            NoInstance::Failed(message) => MakeError::Failed { kind, name: name(), message },
        })
    }

    /// Where an instance is made: here, or in a process of its own, which may read the files that its parameters name.
    fn door<'a>(&'a self, registered: &'a Registered, choice: &PluginChoice) -> Result<Door<'a>, NoInstance> {
        match (registered.table, &self.isolation) {
            (Some(table), _) if !choice.isolate => Ok(Door::Here(table)),
            (_, Some(Isolation { jail, .. })) => {
                let params = registered.description.path_params();
                let files = params.filter_map(|param| choice.params.get(param)?.as_str());
                let files = files.filter(|file| !file.is_empty()).map(PathBuf::from);
                let folder = registered.path.parent().map(Path::to_owned);
                Ok(Door::Apart { jail, path: &registered.path, readable: folder.into_iter().chain(files).collect() })
            }
            _ => Err(NoInstance::Failed(
                "it is to run in a process of its own (isolate = true), which only the program `touchline` can start".into(),
            )),
        }
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
        self.plugins.values().map(|registered| registered.description.clone()).collect()
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
        let owner = format!("{}, sensor {}", setup.robot, setup.id);
        let made = self.make(PluginKind::Sensor, choice, owner, setup, |door, identity, params, setup| {
            // SAFETY: see above.
            unsafe { Sensor::create(door, identity, params, setup) }
        });
        Ok(made?)
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

/// Whether a library's name says a kind, as in `libtouchline_motion_omni.so` and `libsensor_sonar.so`.
fn is_named_like_a_plugin(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        PluginKind::ALL.iter().any(|kind| word.strip_prefix("lib").unwrap_or(word) == kind.as_str())
    })
}
