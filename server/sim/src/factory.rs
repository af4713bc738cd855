//! Where the simulation gets its plugins from: the host in the program, a hand-made list in tests.

use std::sync::Arc;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind, SetupError};
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::sensor::SensorSetup;

use crate::brief;
use crate::scenario::PluginChoice;

/// Makes instances by name. By itself it knows no plugin of any kind; one that lies over another does what that one does, but for what it
/// does itself.
pub trait PluginFactory: Send + Sync {
    /// The factory over which this one lies.
    fn below(&self) -> Option<&dyn PluginFactory> {
        None
    }

    /// All plugins that can be made, sorted by kind and name.
    fn descriptions(&self) -> Vec<PluginDescription> {
        self.below().map_or_else(Vec::new, PluginFactory::descriptions)
    }

    /// What was tried to find a plugin of this name, a line each, for the error message of one that is missing.
    fn attempts(&self, kind: PluginKind, name: &str) -> Vec<String> {
        self.below().map_or_else(Vec::new, |below| below.attempts(kind, name))
    }

    /// Whether it makes stand-ins for plugins that are not here: such a motion model publishes nothing, and nothing follows it.
    fn makes_stand_ins(&self) -> bool {
        self.below().is_some_and(PluginFactory::makes_stand_ins)
    }

    /// Holds parameters against the schema that their plugin gives. The check of a file does so itself; a player that is chosen while a
    /// world runs is asked about here, before it is made. A plugin that is not there is refused where it is made.
    ///
    /// # Errors
    /// [`MakeError::Setup`] with the parameters that do not fit.
    fn check_params(&self, kind: PluginKind, choice: &PluginChoice) -> Result<(), MakeError> {
        self.below().map_or(Ok(()), |below| below.check_params(kind, choice))
    }

    /// Makes a motion model.
    ///
    /// # Errors
    /// When there is none of this name, or its parameters are wrong.
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        self.below()
            .map_or_else(|| Err(unknown(PluginKind::Motion, choice)), |below| below.motion(choice, setup))
    }

    /// Makes a sensor.
    ///
    /// # Errors
    /// When there is none of this name, or its parameters are wrong.
    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        self.below()
            .map_or_else(|| Err(unknown(PluginKind::Sensor, choice)), |below| below.sensor(choice, setup))
    }

    /// Makes a player.
    ///
    /// # Errors
    /// When there is none of this name, or its parameters are wrong.
    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.below()
            .map_or_else(|| Err(unknown(PluginKind::Player, choice)), |below| below.player(choice, setup))
    }

    /// Makes a player ahead of time: as long as it is kept, [`PluginFactory::player`] gives the same one for the same choice and setup, if
    /// making one takes long.
    ///
    /// # Errors
    /// As [`PluginFactory::player`].
    fn prepare_player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.player(choice, setup)
    }

    /// Makes a referee.
    ///
    /// # Errors
    /// When there is none of this name, or its parameters are wrong.
    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        self.below()
            .map_or_else(|| Err(unknown(PluginKind::Referee, choice)), |below| below.referee(choice, setup))
    }
}

fn unknown(kind: PluginKind, choice: &PluginChoice) -> MakeError {
    MakeError::no_such_plugin(kind, &choice.plugin, std::iter::empty())
}

/// An instance cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeError {
    /// There is no plugin of that name.
    #[error("no {kind} plugin \"{name}\"; there are: {}", if .known.is_empty() { "none" } else { .known })]
    NoSuchPlugin {
        /// The kind that was looked for.
        kind: PluginKind,
        /// The name that was looked for.
        name: String,
        /// Those of this kind that there are, with commas between them.
        known: String,
    },
    /// The plugin does not accept its parameters.
    #[error("{kind} plugin \"{name}\": {error}")]
    Setup {
        /// Kind of the plugin.
        kind: PluginKind,
        /// Name of the plugin.
        name: String,
        /// The plugin's error, with the parameter's name.
        error: SetupError,
    },
    /// The plugin failed while it was made.
    #[error("{kind} plugin \"{name}\": {message}")]
    Failed {
        /// Kind of the plugin.
        kind: PluginKind,
        /// Name of the plugin.
        name: String,
        /// Message of the panic or failure.
        message: String,
    },
}

impl MakeError {
    /// A plugin says what is wrong with its parameters or its robot: for `map_err`.
    pub fn setup(kind: PluginKind, choice: &PluginChoice) -> impl FnOnce(SetupError) -> Self {
        let name = choice.plugin.clone();
        move |error| Self::Setup { kind, name, error }
    }

    /// There is no plugin of that name among those `known`.
    pub fn no_such_plugin<'a>(
        kind: PluginKind,
        name: &str,
        known: impl Iterator<Item = (PluginKind, &'a str)>,
    ) -> Self {
        let known: Vec<&str> = known.filter(|(of, _)| *of == kind).map(|(_, name)| name).collect();
        Self::NoSuchPlugin { kind, name: brief::word(name).into(), known: known.join(", ") }
    }
}
