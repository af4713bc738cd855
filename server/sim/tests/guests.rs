//! What clients' robots may make the program keep.

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::instance::{InProcess, MotionInstance, SensorInstance};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::plugin::{Fault, PluginDescription, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{Limits, PluginChoice, RobotSpec, Scenario, SensorSpec, SensorTiming};
use touchline_sim::{Action, Command, CommandError, MakeError, PluginFactory, World};

const MILLION: u32 = 1 << 20;

/// A sensor with a large reading.
struct Wide;

impl Sensor for Wide {
    const NAME: &'static str = "wide";
    const SUMMARY: &'static str = "a million integers";
    const TYPE: &'static str = "wide";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("all", vec![Field::unsigned("it", "", 1.0, &[MILLION])])] }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, _: &SensorInput<'_>, _: &mut [u32]) -> Result<(), Fault> {
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn descriptions(&self) -> Vec<PluginDescription> {
        vec![]
    }
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        TestFactory.motion(choice, setup)
    }
    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        Ok(Arc::new(InProcess::<Wide, _>::sensor(&choice.params, setup).unwrap()))
    }
}

fn robot(sensors: usize) -> Arc<RobotSpec> {
    let sensor = |number| SensorSpec {
        id: format!("eye{number}"),
        model: "eye".into(),
        mount: Mount::default(),
        follows: None,
        choice: choice("wide"),
        timing: SensorTiming::default(),
    };
    Arc::new(RobotSpec { sensors: (0..sensors).map(sensor).collect(), ..disc_robot() })
}

fn add(world: &mut World, number: u32, sensors: usize) -> Result<Option<u32>, CommandError> {
    let (name, pose) = (format!("r{number}"), Some(Pose2::new(f64::from(number), 0.0, 0.0)));
    let action = Action::AddRobot { name, team: None, spec: robot(sensors), pose, player: None };
    world.apply(&[Command { client: 7, sequence: 0, action }]).remove(0).result
}

/// A client's robot with the sensors of 64 is refused with the numbers, and so is the one too many of several that may be.
#[test]
fn what_clients_robots_sense_is_bounded() {
    let mut world = World::new(empty_scenario(), Arc::new(Factory)).unwrap();
    let refused = add(&mut world, 0, 64).unwrap_err();
    let Limits { robot_integers: limit, robots_integers, .. } = Limits::default();
    let got = 64 << 20;
    assert_eq!(
        refused,
        CommandError::TooManyIntegers { name: "r0".into(), got, limit, key: "robot_integers" }
    );
    assert!(world.frame().robots.is_empty());
    let each = (limit / MILLION) as usize;
    let most = robots_integers / limit;
    for number in 0..most {
        add(&mut world, number, each).unwrap();
    }
    let refused = add(&mut world, most, 1).unwrap_err();
    assert!(matches!(refused, CommandError::TooManyIntegers { key: "robots_integers", .. }), "{refused}");
    // One without goes, and when one has gone there is room.
    add(&mut world, most, 0).unwrap();
    let remove = Command { client: 7, sequence: 0, action: Action::RemoveRobot(0) };
    world.apply(&[remove]).remove(0).result.unwrap();
    add(&mut world, 0, each).unwrap();
}

/// A world's own table says how much that is.
#[test]
fn a_world_says_what_clients_robots_may_sense() {
    let limits = Limits { robot_integers: MILLION, robots_integers: 2 * MILLION, ..Limits::default() };
    let mut world = World::new(Scenario { limits, ..empty_scenario() }, Arc::new(Factory)).unwrap();
    let key = |refused| match refused {
        Err(CommandError::TooManyIntegers { limit, key, .. }) => (limit, key),
        other => panic!("{other:?}"),
    };
    assert_eq!(key(add(&mut world, 0, 2)), (MILLION, "robot_integers"));
    add(&mut world, 0, 1).unwrap();
    add(&mut world, 1, 1).unwrap();
    assert_eq!(key(add(&mut world, 2, 1)), (2 * MILLION, "robots_integers"));
}
