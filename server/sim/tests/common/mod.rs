//! Hand-made plugins for the tests of the simulation alone, and worlds for them: no dynamic library is loaded.

#![allow(dead_code)] // Each test file uses its part.

mod laws;
pub mod teams;
mod timed;
mod worlds;

pub use laws::*;
pub use timed::*;
pub use worlds::*;

use std::marker::PhantomData;
use std::sync::Arc;
use touchline_kit::data::DataError;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::instance::{
    InProcess, MotionInstance, PlayerInstance, RefereeInstance, SensorInstance,
};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginKind, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::{Encoded, Stateless};
use touchline_sim::scenario::*;
use touchline_sim::{MakeError, PluginFactory};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// Goes at once where it is told to; `ideal` takes forward, left, turn.
pub struct Ideal;

impl Motion for Ideal {
    const NAME: &'static str = "ideal";
    const SUMMARY: &'static str = "goes at once where it is told to";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "1", 10.0, CommandPart::Forward),
                CommandDimension::symmetric("left", "1", 10.0, CommandPart::Left),
                CommandDimension::symmetric("turn", "1", 10.0, CommandPart::Turn),
            ],
            ..MotionDescription::default()
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let twist = Twist2::new(input.command[0], input.command[1], input.command[2]);
        Ok(MotionOutput::steady(twist))
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrokenParams {
    pub how: String,
    pub at: u64,
}

/// Behaves until its tenth call, then fails in the way that it is told to.
pub struct Broken(BrokenParams);

impl Motion for Broken {
    const NAME: &'static str = "broken";
    const SUMMARY: &'static str = "fails";
    type Params = BrokenParams;
    type State = u64;
    fn new(params: BrokenParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self(params))
    }
    fn description(&self) -> MotionDescription {
        MotionDescription::default()
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn advance(&self, calls: &mut u64, _: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        *calls += 1;
        let mut output = MotionOutput::steady(Twist2::new(0.1, 0.0, 0.0));
        if *calls > self.0.at {
            match self.0.how.as_str() {
                "nan" => output.twist.y_m_s = f64::NAN,
                "far" => output.twist.x_m_s = 1e30,
                "error" => return Err(Fault::new("the gearbox is gone")),
                other => return Err(Fault::new(format!("unknown way to fail: {other}"))),
            }
        }
        Ok(output)
    }
}

/// A noisy distance to the first ball, and the noisy way so far: stateless and stateful parts together.
pub struct Probe;

impl Sensor for Probe {
    const NAME: &'static str = "probe";
    const SUMMARY: &'static str = "distance to the ball and way so far";
    const TYPE: &'static str = "probe";
    type Params = NoParams;
    type State = f64;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        let fields = vec![Field::unsigned("distance", "m", 1e-4, &[]), Field::signed("way", "m", 1e-4, &[])];
        Layout { features: vec![Feature::new("probe", fields)] }
    }
    fn initial_state(&self) -> f64 {
        0.0
    }
    fn advance(&self, way: &mut f64, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        *way += input.displacement.x_m + input.noise.stream().gaussian(0.001);
        Ok(())
    }
    fn generate(&self, way: &f64, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let own = input.view.objects.get(input.robot_object as usize);
        if own.is_none_or(|own| own.number != input.robot) {
            return Err(Fault::new("another robot stands where this one should"));
        }
        let ball = input.view.balls().next().map_or(f64::INFINITY, |b| b.pose.distance_m(input.sensor_pose));
        quantised[0] =
            touchline_plugin_api::layout::encode(ball + input.noise.stream().gaussian(0.01), 1e-4, false);
        quantised[1] = touchline_plugin_api::layout::encode(*way, 1e-4, true);
        Ok(())
    }
}

/// Cannot be advanced, only read.
pub struct Brittle;

impl Sensor for Brittle {
    const NAME: &'static str = "brittle";
    const SUMMARY: &'static str = "fails when time passes";
    const TYPE: &'static str = "probe";
    type Params = NoParams;
    type State = f64;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("probe", vec![Field::unsigned("distance", "m", 1e-4, &[])])] }
    }
    fn initial_state(&self) -> f64 {
        0.0
    }
    fn advance(&self, _: &mut f64, _: &AdvanceInput<'_>) -> Result<(), Fault> {
        Err(Fault::new("broken"))
    }
    fn generate(&self, _: &f64, _: &SensorInput<'_>, _: &mut [u32]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Ends itself at its first call.
pub struct Leaving;

impl Player for Leaving {
    const NAME: &'static str = "leaving";
    const SUMMARY: &'static str = "ends itself";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![]
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        _: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        orders.end();
        Ok(())
    }
}

/// Drives by its probe and by chance; talks; kicks if it can.
pub struct Restless {
    probe: FeatureHandle,
    kicker: Option<(usize, usize)>,
}

impl Player for Restless {
    const NAME: &'static str = "restless";
    const SUMMARY: &'static str = "drives about";
    type Params = NoParams;
    type State = Encoded<Vec<f64>>;
    fn new(_: NoParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let probe = setup
            .robot
            .sensors
            .find(&touchline_plugin_api::container::Query::feature("probe"))
            .map_err(|error| SetupError::new(error.to_string()))?;
        Ok(Self { probe, kicker: setup.robot.manipulator("kicker", "kick") })
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![self.probe]
    }
    fn initial_state(&self) -> Self::State {
        Encoded(vec![])
    }
    fn sense_and_act(
        &self,
        seen: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let Some(reading) = input.readings.get(self.probe) else { return Ok(()) };
        let missing = |name: &str| {
            let error = DataError::MissingField { feature: "probe".into(), field: name.into() };
            Fault::new(error.to_string())
        };
        let distance = reading.value("distance").ok_or_else(|| missing("distance"))?;
        seen.push(distance);
        if seen.len() > 8 {
            seen.remove(0);
        }
        let mean = seen.iter().sum::<f64>() / seen.len() as f64;
        let mut noise = input.noise.stream();
        orders.drive_twist(Twist2::new((1.0 + mean).min(2.0), noise.uniform(-1.0, 1.0), noise.gaussian(2.0)));
        if noise.chance(0.05) {
            orders.say("hello");
        }
        if let Some((manipulator, state)) = self.kicker.filter(|_| input.manipulators[0].ready_in_secs == 0.0)
        {
            orders.manipulate(manipulator, state, 1.0);
        }
        Ok(())
    }
}

/// Counts touches of the ball into the clock, and resets the objects every thousandth step.
pub struct Counting;

impl Referee for Counting {
    const NAME: &'static str = "counting";
    const SUMMARY: &'static str = "counts";
    type Params = NoParams;
    type State = u64;
    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn judge(&self, steps: &mut u64, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        *steps += 1;
        let mut game = input.game.to_state();
        game.clock_secs = input.view.time_secs;
        game.teams[0].score += input.contacts.iter().filter(|contact| contact.began == 1).count() as i64;
        orders.set_game(&game);
        for line in input.commands.lines() {
            orders.announce(line);
        }
        if (*steps).is_multiple_of(1000) {
            orders.reset_objects();
        }
        Ok(())
    }
}

/// Pays the first robot for touches, and ends an episode by chance, every fiftieth step or so.
pub struct Paying;

impl Referee for Paying {
    const NAME: &'static str = "paying";
    const SUMMARY: &'static str = "pays";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        orders.reward(0, 0.25 + input.contacts.len() as f64);
        if input.noise.stream().chance(0.02) {
            orders.end_episode("luck");
        }
        Ok(())
    }
}

pub struct TestFactory;

fn unknown(kind: PluginKind, choice: &PluginChoice) -> MakeError {
    MakeError::no_such_plugin(kind, &choice.plugin, std::iter::empty())
}

impl PluginFactory for TestFactory {
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Motion, choice);
        match choice.plugin.as_str() {
            "ideal" => Ok(Arc::new(InProcess::<Ideal, _>::motion(&choice.params, setup).map_err(wrong)?)),
            "coasting" => {
                Ok(Arc::new(InProcess::<Coasting, _>::motion(&choice.params, setup).map_err(wrong)?))
            }
            "gaining" => Ok(Arc::new(InProcess::<Gaining, _>::motion(&choice.params, setup).map_err(wrong)?)),
            "broken" => Ok(Arc::new(InProcess::<Broken, _>::motion(&choice.params, setup).map_err(wrong)?)),
            _ => Err(unknown(PluginKind::Motion, choice)),
        }
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Sensor, choice);
        match choice.plugin.as_str() {
            "probe" => Ok(Arc::new(InProcess::<Probe, _>::sensor(&choice.params, setup).map_err(wrong)?)),
            "witness" => Ok(Arc::new(InProcess::<Witness, _>::sensor(&choice.params, setup).map_err(wrong)?)),
            "brittle" => Ok(Arc::new(InProcess::<Brittle, _>::sensor(&choice.params, setup).map_err(wrong)?)),
            _ => Err(unknown(PluginKind::Sensor, choice)),
        }
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Player, choice);
        match choice.plugin.as_str() {
            "leaving" => Ok(Arc::new(InProcess::<Leaving, _>::player(&choice.params, setup).map_err(wrong)?)),
            "reporting" => {
                Ok(Arc::new(InProcess::<Reporting, _>::player(&choice.params, setup).map_err(wrong)?))
            }
            "restless" => {
                Ok(Arc::new(InProcess::<Restless, _>::player(&choice.params, setup).map_err(wrong)?))
            }
            _ => Err(unknown(PluginKind::Player, choice)),
        }
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Referee, choice);
        match choice.plugin.as_str() {
            "counting" => {
                Ok(Arc::new(InProcess::<Counting, _>::referee(&choice.params, setup).map_err(wrong)?))
            }
            "throwing" => {
                Ok(Arc::new(InProcess::<Throwing, _>::referee(&choice.params, setup).map_err(wrong)?))
            }
            "paying" => Ok(Arc::new(InProcess::<Paying, _>::referee(&choice.params, setup).map_err(wrong)?)),
            _ => Err(unknown(PluginKind::Referee, choice)),
        }
    }
}

pub fn choice(plugin: &str) -> PluginChoice {
    PluginChoice::new(plugin, serde_json::json!({}))
}

/// Makes all sensors of one kind, and the rest as [`TestFactory`] does.
pub struct AllSensors<S>(pub PhantomData<S>);

impl<S: Sensor<Params = NoParams>> PluginFactory for AllSensors<S> {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        Ok(Arc::new(InProcess::<S, _>::sensor(&choice.params, setup).unwrap()))
    }
}
