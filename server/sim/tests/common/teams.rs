//! Plugins for necks, teams' players and the radio.

use super::{TestFactory, choice};
use std::sync::Arc;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{InProcess, MotionInstance, PlayerInstance, SensorInstance};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDatum, MotionDescription, MotionInput, MotionOutput,
    MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginKind, SetupError};
use touchline_plugin_api::radio::Channel;
use touchline_plugin_api::sensor::{Sensor, SensorDatum, SensorInput, SensorSetup};
use touchline_plugin_api::state::{Encoded, Stateless};
use touchline_sim::scenario::{PlayerChoice, PluginChoice, Sees, TeamPlayer};
use touchline_sim::{MakeError, PluginFactory};

/// Drives forward as told, and turns its neck as told without limits; counts its way.
pub struct Necked;

impl Motion for Necked {
    const NAME: &'static str = "necked";
    const SUMMARY: &'static str = "drives and turns its neck";
    type Params = super::NoParams;
    type State = Stateless;
    fn new(_: super::NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", 2.0, CommandPart::Forward),
                CommandDimension::symmetric("neck", "rad/s", 9.0, CommandPart::Other),
            ],
            data: vec![MotionDatum::new("way", "m"), MotionDatum::new("neck-angle", "rad")],
            ..MotionDescription::default()
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let twist = touchline_plugin_api::geometry::Twist2::new(input.command[0], 0.0, 0.0);
        let mut output = MotionOutput::steady(twist);
        output.data[0] = input.data[0] + input.command[0].abs() * input.dt_secs;
        output.data[1] = input.data[1] + input.command[1] * input.dt_secs;
        Ok(output)
    }
}

/// Reads its own heading in the world, and the number that can be set.
pub struct Pointing;

impl Sensor for Pointing {
    const NAME: &'static str = "pointing";
    const SUMMARY: &'static str = "where it points to";
    const TYPE: &'static str = "pointing";
    type Params = super::NoParams;
    type State = Stateless;
    fn new(_: super::NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        let field = |name: &str| Field::signed(name, "rad", 2e-9, &[]);
        Layout { features: vec![Feature::new("pointing", vec![field("heading"), field("width")])] }
    }
    fn data(&self) -> Vec<SensorDatum> {
        let datum = |name: &str, initial| SensorDatum {
            name: name.into(),
            unit: "rad".into(),
            initial,
            min: 0.1,
            max: 2.0,
        };
        vec![datum("tilt", 0.3), datum("width", 1.0)]
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let encode = |value| touchline_plugin_api::layout::encode(value, 2e-9, true);
        (quantised[0], quantised[1]) = (encode(input.sensor_pose.theta_rad), encode(input.data[1]));
        Ok(())
    }
}

/// What a scripted player does, and when.
#[derive(Clone, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
pub struct Script {
    /// On which channel it says something at each call.
    pub says: Vec<Channel>,
    /// The speed that it drives at.
    pub drives: Option<f64>,
    /// Sensor, datum, value, set at each call.
    pub sets: Option<(usize, usize, f64)>,
    /// Whose player it exchanges, for this plugin with this script, at its call of this number.
    pub exchanges: Option<(u32, String, serde_json::Value, u64)>,
    /// The robot that it puts at (3 m, 4 m), at each call.
    pub places: Option<u32>,
    /// Whether it tells in an annotation what it hears.
    pub tells: bool,
}

/// Does what its script says, and counts its calls.
pub struct Scripted(Script);

impl Player for Scripted {
    const NAME: &'static str = "scripted";
    const SUMMARY: &'static str = "does what it is told";
    type Params = Script;
    type State = Encoded<(u64, Vec<String>)>;
    fn new(script: Script, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self(script))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![]
    }
    fn initial_state(&self) -> Self::State {
        Encoded::default()
    }
    fn sense_and_act(
        &self,
        state: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let (calls, heard) = &mut **state;
        *calls += 1;
        let script = &self.0;
        for channel in &script.says {
            orders.say_on(*channel, &format!("on {}", channel.as_str()));
        }
        if let Some(speed) = script.drives {
            orders.drive(&[speed, 0.0]);
        }
        if let Some((sensor, datum, value)) = script.sets {
            orders.set_sensor(sensor, datum, value);
        }
        if let Some((robot, plugin, params, _)) = script.exchanges.as_ref().filter(|of| of.3 == *calls) {
            orders.exchange_player(*robot, plugin, params, None);
        }
        if let Some(robot) = script.places {
            orders.place_robot(robot, Pose2::new(3.0, 4.0, 0.0));
        }
        for message in input.inbox.messages() {
            let bearing = message.bearing_rad.map_or("none".into(), |bearing| format!("{bearing:.9}"));
            heard.push(format!("{} {:?} {} {bearing}", message.from, message.sender, message.text));
        }
        if script.tells {
            orders.annotate("heard", &serde_json::json!(heard));
            orders.annotate("sees", &serde_json::json!([input.view.objects.len(), input.motion_data.len()]));
        }
        Ok(())
    }
}

/// The test's factory, with these plugins as well.
pub struct TeamFactory;

impl PluginFactory for TeamFactory {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        if choice.plugin != "necked" {
            return TestFactory.motion(choice, setup);
        }
        let wrong = MakeError::setup(PluginKind::Motion, choice);
        Ok(Arc::new(InProcess::<Necked, _>::motion(&choice.params, setup).map_err(wrong)?))
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        if choice.plugin != "pointing" {
            return TestFactory.sensor(choice, setup);
        }
        let wrong = MakeError::setup(PluginKind::Sensor, choice);
        Ok(Arc::new(InProcess::<Pointing, _>::sensor(&choice.params, setup).map_err(wrong)?))
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        if choice.plugin != "scripted" {
            return TestFactory.player(choice, setup);
        }
        let wrong = MakeError::setup(PluginKind::Player, choice);
        Ok(Arc::new(InProcess::<Scripted, _>::player(&choice.params, setup).map_err(wrong)?))
    }
}

/// A scripted player, asked in each step.
pub fn scripted(script: serde_json::Value) -> PlayerChoice {
    PlayerChoice { choice: PluginChoice { params: script, ..choice("scripted") }, period_secs: 0.01 }
}

/// The same for a team.
pub fn coach(name: &str, sees: Sees, script: serde_json::Value) -> TeamPlayer {
    TeamPlayer { name: name.into(), player: scripted(script), sees, is_trainer: false }
}
