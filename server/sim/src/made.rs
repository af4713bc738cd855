//! Instances that the check of a file has made, for the world that is made of it: so no plugin is made twice.
//!
//! The check makes its instances by a [`Keeping`], and the world takes them by a [`HandingOut`]: each goes to whoever asks for the same
//! plugin with the same parameters and the same setup, and to nobody else after that. What is not there is made.

use crate::factory::{MakeError, PluginFactory};
use crate::scenario::PluginChoice;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::sensor::SensorSetup;

/// Instances that nobody has taken yet; one that never is ends with it.
#[derive(Default)]
pub struct Made {
    motions: Shelf<MotionSetup, dyn MotionInstance>,
    sensors: Shelf<SensorSetup, dyn SensorInstance>,
    players: Shelf<PlayerSetup, dyn PlayerInstance>,
    referees: Shelf<RefereeSetup, dyn RefereeInstance>,
}

/// Instances of one kind by their robots' names.
struct Shelf<S, I: ?Sized>(Mutex<BTreeMap<String, Vec<Kept<S, I>>>>);

struct Kept<S, I: ?Sized> {
    choice: PluginChoice,
    setup: S,
    instance: Arc<I>,
}

impl<S, I: ?Sized> Default for Shelf<S, I> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: Clone + PartialEq, I: ?Sized> Shelf<S, I> {
    fn keep(&self, robot: &str, choice: &PluginChoice, setup: &S, instance: &Arc<I>) {
        let kept = Kept { choice: choice.clone(), setup: setup.clone(), instance: Arc::clone(instance) };
        self.0.lock().entry(robot.to_owned()).or_default().push(kept);
    }

    fn take(&self, robot: &str, choice: &PluginChoice, setup: &S) -> Option<Arc<I>> {
        let mut shelf = self.0.lock();
        let of_robot = shelf.get_mut(robot)?;
        let place = of_robot.iter().position(|kept| kept.choice == *choice && kept.setup == *setup)?;
        Some(of_robot.swap_remove(place).instance)
    }
}

/// A factory that keeps whatever it makes.
pub struct Keeping<'a> {
    factory: &'a dyn PluginFactory,
    made: Made,
}

impl<'a> Keeping<'a> {
    /// Keeps what this factory makes.
    pub fn new(factory: &'a dyn PluginFactory) -> Self {
        Self { factory, made: Made::default() }
    }

    /// Gives all instances that were made.
    pub fn into_made(self) -> Made {
        self.made
    }
}

impl PluginFactory for Keeping<'_> {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(self.factory)
    }

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        let instance = self.factory.motion(choice, setup)?;
        self.made.motions.keep(&setup.robot, choice, setup, &instance);
        Ok(instance)
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        let instance = self.factory.sensor(choice, setup)?;
        self.made.sensors.keep(&setup.robot, choice, setup, &instance);
        Ok(instance)
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let instance = self.factory.player(choice, setup)?;
        self.made.players.keep(&setup.robot.name, choice, setup, &instance);
        Ok(instance)
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        let instance = self.factory.referee(choice, setup)?;
        self.made.referees.keep("", choice, setup, &instance);
        Ok(instance)
    }
}

/// A factory that hands out what is made already, and makes the rest.
pub(crate) struct HandingOut {
    factory: Arc<dyn PluginFactory>,
    made: Mutex<Arc<Made>>,
}

impl HandingOut {
    pub fn new(factory: Arc<dyn PluginFactory>, made: Made) -> Self {
        Self { factory, made: Mutex::new(Arc::new(made)) }
    }

    /// Ends what nobody has taken, and makes everything from now on.
    pub fn end(&self) {
        *self.made.lock() = Arc::default();
    }

    fn made(&self) -> Arc<Made> {
        Arc::clone(&self.made.lock())
    }
}

impl PluginFactory for HandingOut {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&*self.factory)
    }

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        let made = self.made().motions.take(&setup.robot, choice, setup);
        made.map_or_else(|| self.factory.motion(choice, setup), Ok)
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        let made = self.made().sensors.take(&setup.robot, choice, setup);
        made.map_or_else(|| self.factory.sensor(choice, setup), Ok)
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let made = self.made().players.take(&setup.robot.name, choice, setup);
        made.map_or_else(|| self.factory.player(choice, setup), Ok)
    }

    fn prepare_player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.factory.prepare_player(choice, setup)
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        let made = self.made().referees.take("", choice, setup);
        made.map_or_else(|| self.factory.referee(choice, setup), Ok)
    }
}
