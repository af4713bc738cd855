//! Plugins by hand: the loader is tested without a dynamic library.

#![allow(dead_code, reason = "each test uses a part of it")]

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::instance::{
    InProcess, MotionInstance, PlayerInstance, RefereeInstance, SensorInstance,
};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{
    Motion, MotionDatum, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginDescription, PluginKind, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory};

/// Parameters of every kind that a schema knows.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaserParams {
    /// The nearest distance, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    range_min_m: f64,
    /// The farthest distance, metres.
    #[schemars(range(min = 0.0, max = 100.0))]
    range_max_m: f64,
    /// How many beams.
    #[serde(default = "beams")]
    #[schemars(range(min = 1, max = 1080))]
    beam_count: u32,
    /// How it errs.
    #[serde(default)]
    noise: Noise,
}

fn beams() -> u32 {
    361
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Noise {
    /// Not at all.
    #[default]
    None,
    /// Like the data sheet.
    Gaussian,
}

struct Laser;

impl Sensor for Laser {
    const NAME: &'static str = "laser";
    const SUMMARY: &'static str = "Measures distances.";
    const TYPE: &'static str = "laser";
    type Params = LaserParams;
    type State = Stateless;

    fn new(params: LaserParams, _: &SensorSetup) -> Result<Self, SetupError> {
        let mut error = SetupError::default();
        let is_range = params.range_min_m < params.range_max_m;
        error.require(is_range, "range_max_m", "must exceed range_min_m");
        error.into_result().map(|()| Self)
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

/// Anything goes.
struct Any;

impl Sensor for Any {
    const NAME: &'static str = "any";
    const SUMMARY: &'static str = "Takes any parameters.";
    const TYPE: &'static str = "any";
    type Params = Map<String, Value>;
    type State = Stateless;

    fn new(_: Self::Params, _: &SensorSetup) -> Result<Self, SetupError> {
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

impl Motion for Any {
    const NAME: &'static str = "any";
    const SUMMARY: &'static str = "Takes any parameters.";
    type Params = Map<String, Value>;
    type State = Stateless;

    fn new(_: Self::Params, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription {
            data: vec![MotionDatum::new("neck-angle", "rad")],
            ..MotionDescription::default()
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, _: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        Ok(MotionOutput::default())
    }
}

impl Player for Any {
    const NAME: &'static str = "any";
    const SUMMARY: &'static str = "Takes any parameters, and a robot with a sensor.";
    type Params = Map<String, Value>;
    type State = Stateless;

    fn new(_: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError> {
        match setup.robot.sensors.sensors.is_empty() && setup.team_robots.is_empty() {
            true => Err(SetupError::new("the robot has no sensor")),
            false => Ok(Self),
        }
    }
    fn wants(&self) -> Vec<touchline_plugin_api::container::FeatureHandle> {
        Vec::new()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(&self, _: &mut Stateless, _: &PlayerInput<'_>, _: &mut Orders) -> Result<(), Fault> {
        Ok(())
    }
}

impl Referee for Any {
    const NAME: &'static str = "any";
    const SUMMARY: &'static str = "Takes any parameters, and two teams.";
    type Params = Map<String, Value>;
    type State = Stateless;

    fn new(_: Self::Params, setup: &RefereeSetup) -> Result<Self, SetupError> {
        match setup.teams.len() {
            2 => Ok(Self),
            n => Err(SetupError::new(format!("needs two teams, this world has {n}"))),
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, _: &RefereeInput<'_>, _: &mut Orders) -> Result<(), Fault> {
        Ok(())
    }
}

/// The plugins' names as in the shipped files; they take any parameters.
pub struct Fakes {
    /// Whether the laser has [`LaserParams`], and bad plugins are there as well.
    pub strict_laser: bool,
}

impl PluginFactory for Fakes {
    fn descriptions(&self) -> Vec<PluginDescription> {
        let lists: [(PluginKind, &[&str]); 4] = [
            (PluginKind::Motion, &["differential", "learned", "omni", "soccer"]),
            (
                PluginKind::Sensor,
                &[
                    "bumper",
                    "camera",
                    "compass",
                    "half-field",
                    "hear",
                    "image",
                    "keepaway",
                    "laser",
                    "odometry",
                    "omnivision",
                    "see",
                    "sense-body",
                    "truth",
                    "ultrasonic",
                ],
            ),
            (PluginKind::Player, &["coach", "goalkeeper", "onnx", "soccer", "striker", "wanderer"]),
            (PluginKind::Referee, &["f2000", "goalkeeper", "soccer", "told"]),
        ];
        let mut descriptions = Vec::new();
        for (kind, names) in lists {
            for name in names {
                descriptions.push(if self.strict_laser && *name == "laser" {
                    PluginDescription::new::<LaserParams>(kind, name, "0.1.0", Laser::SUMMARY)
                } else {
                    PluginDescription::new::<Map<String, Value>>(
                        kind,
                        name,
                        "0.1.0",
                        <Any as Motion>::SUMMARY,
                    )
                });
            }
        }
        if self.strict_laser {
            for name in ["crashing", "schemaless"] {
                let kind = PluginKind::Motion;
                descriptions
                    .push(PluginDescription::new::<Map<String, Value>>(kind, name, "0.1.0", "Is bad."));
            }
            descriptions.last_mut().unwrap().params_schema = serde_json::json!({ "type": 3 });
        }
        descriptions
    }

    fn attempts(&self, kind: PluginKind, name: &str) -> Vec<String> {
        vec![
            format!("plugins/{kind}-{name}.so   no such file"),
            "plugins/broken.so   not a dynamic library".into(),
        ]
    }

    fn motion(&self, c: &PluginChoice, setup: &MotionSetup) -> Result<Arc<dyn MotionInstance>, MakeError> {
        if c.plugin == "crashing" {
            let (kind, name) = (PluginKind::Motion, c.plugin.clone());
            return Err(MakeError::Failed { kind, name, message: "panicked: out of luck".into() });
        }
        let made = InProcess::<Any, MotionDescription>::motion(&c.params, setup);
        Ok(Arc::new(made.map_err(MakeError::setup(PluginKind::Motion, c))?))
    }

    fn sensor(&self, c: &PluginChoice, setup: &SensorSetup) -> Result<Arc<dyn SensorInstance>, MakeError> {
        let error = MakeError::setup(PluginKind::Sensor, c);
        if self.strict_laser && c.plugin == "laser" {
            let made = InProcess::<Laser, _>::sensor(&c.params, setup);
            return Ok(Arc::new(made.map_err(error)?));
        }
        Ok(Arc::new(InProcess::<Any, _>::sensor(&c.params, setup).map_err(error)?))
    }

    fn player(&self, c: &PluginChoice, setup: &PlayerSetup) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let made = InProcess::<Any, Vec<usize>>::player(&c.params, setup);
        Ok(Arc::new(made.map_err(MakeError::setup(PluginKind::Player, c))?))
    }

    fn referee(&self, c: &PluginChoice, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        let made = InProcess::<Any, GameDescription>::referee(&c.params, setup);
        Ok(Arc::new(made.map_err(MakeError::setup(PluginKind::Referee, c))?))
    }
}

/// A problem's line and column exist in the text.
pub fn assert_place(problem: &touchline_config::Problem, text: &str) {
    let mut lines = text.split('\n');
    let line = lines.nth(problem.line as usize - 1);
    let line = line.unwrap_or_else(|| panic!("no such line: {problem}\nin: {text:?}"));
    assert!((1..=line.chars().count() + 1).contains(&(problem.column as usize)), "no such column: {problem}");
}
