//! Stand-ins for plugins that a recording had and that are not here: so its world can be made, and its robots be seen.

use std::sync::Arc;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::instance::{
    InProcess, MotionInstance, PlayerInstance, RefereeInstance, SensorFace, SensorInstance,
};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// A factory that gives a stand-in for each plugin that another factory cannot make: one that does nothing.
pub struct Puppets(pub Arc<dyn PluginFactory>);

struct Puppet;

impl Motion for Puppet {
    const NAME: &'static str = "puppet";
    const SUMMARY: &'static str = "stands still";
    type Params = serde_json::Value;
    type State = Stateless;
    fn new(_: serde_json::Value, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription::default()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, _: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        Ok(MotionOutput::default())
    }
}

impl Sensor for Puppet {
    const NAME: &'static str = "puppet";
    const SUMMARY: &'static str = "perceives nothing";
    const TYPE: &'static str = "puppet";
    type Params = serde_json::Value;
    type State = Stateless;
    fn new(_: serde_json::Value, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        Layout::default()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, _: &SensorInput<'_>, _: &mut [u32]) -> Result<(), Fault> {
        Ok(())
    }
}

impl Player for Puppet {
    const NAME: &'static str = "puppet";
    const SUMMARY: &'static str = "does nothing";
    type Params = serde_json::Value;
    type State = Stateless;
    fn new(_: serde_json::Value, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        Vec::new()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(&self, _: &mut Stateless, _: &PlayerInput<'_>, _: &mut Orders) -> Result<(), Fault> {
        Ok(())
    }
}

impl Referee for Puppet {
    const NAME: &'static str = "puppet";
    const SUMMARY: &'static str = "says nothing";
    type Params = serde_json::Value;
    type State = Stateless;
    fn new(_: serde_json::Value, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, _: &RefereeInput<'_>, _: &mut Orders) -> Result<(), Fault> {
        Ok(())
    }
}

/// What a stand-in says when it cannot be made, which it always can.
fn never<T>(made: Result<T, SetupError>, or: MakeError) -> Result<T, MakeError> {
    made.map_err(|_| or)
}

impl PluginFactory for Puppets {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&*self.0)
    }

    fn makes_stand_ins(&self) -> bool {
        true
    }

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        self.0.motion(choice, setup).or_else(|error| {
            let puppet = never(InProcess::<Puppet, MotionDescription>::motion(&choice.params, setup), error)?;
            Ok(Arc::new(puppet) as _)
        })
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        self.0.sensor(choice, setup).or_else(|error| {
            let puppet = never(InProcess::<Puppet, SensorFace>::sensor(&choice.params, setup), error)?;
            Ok(Arc::new(puppet) as _)
        })
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.0.player(choice, setup).or_else(|error| {
            let puppet = never(InProcess::<Puppet, Vec<usize>>::player(&choice.params, setup), error)?;
            Ok(Arc::new(puppet) as _)
        })
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        self.0.referee(choice, setup).or_else(|error| {
            let puppet = never(InProcess::<Puppet, GameDescription>::referee(&choice.params, setup), error)?;
            Ok(Arc::new(puppet) as _)
        })
    }
}
