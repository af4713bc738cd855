//! The grid of a world of many: who looks round sees it, whoever asks. [P3]

use crate::common::*;
use std::marker::PhantomData;
use std::sync::Arc;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::grid::FEW;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{RobotPlacement, RobotSpec, Scenario, SensorSpec, SensorTiming};
use touchline_sim::{Action, Command, World};

/// How many grids there are, and whether those whom a disc of half a metre around it touches are among those that are near.
struct Neighbours;

impl Sensor for Neighbours {
    const NAME: &'static str = "neighbours";
    const SUMMARY: &'static str = "who is near";
    const TYPE: &'static str = "neighbours";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        let fields = ["grids", "asked", "missed"].map(|name| Field::unsigned(name, "1", 1.0, &[]));
        Layout { features: vec![Feature::new("neighbours", fields.to_vec())] }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        const REACH_M: f64 = 0.5;
        let Pose2 { x_m, y_m, .. } = input.robot_pose;
        let near: Vec<u32> = input.view.near([x_m, y_m], REACH_M).collect();
        let touches = |&(index, object): &(u32, &touchline_plugin_api::view::Object)| {
            object.pose.distance_m(input.robot_pose) <= REACH_M + object.radius_m && !near.contains(&index)
        };
        quantised[0] = input.view.grid.frame.len() as u32;
        quantised[1] = near.len() as u32;
        quantised[2] = (0..).zip(input.view.objects).filter(touches).count() as u32;
        Ok(())
    }
}

/// So many robots in rows, a metre apart.
fn crowd(count: u32) -> World {
    let sensor = SensorSpec {
        id: "eye".into(),
        model: "eye".into(),
        mount: Mount::default(),
        follows: None,
        choice: choice("neighbours"),
        timing: SensorTiming::default(),
    };
    let spec = Arc::new(RobotSpec { sensors: vec![sensor], ..disc_robot() });
    let place = |number: u32| RobotPlacement {
        name: format!("r{number}"),
        team: None,
        spec: Arc::clone(&spec),
        pose: Some(Pose2::new(f64::from(number % 10), f64::from(number / 10), 0.0)),
        player: None,
    };
    let scenario = Scenario { robots: (0..count).map(place).collect(), ..empty_scenario() };
    World::new(scenario, Arc::new(AllSensors::<Neighbours>(PhantomData))).unwrap()
}

/// Grids, asked, missed: as an agent reads them, and as a client does.
fn read(world: &World, robot: u32) -> [u32; 3] {
    let (mut as_agent, mut as_client) = ([0; 3], Vec::new());
    world.robot(robot).unwrap().read(0, &mut as_agent).unwrap();
    let frame = world.frame();
    frame.read_sensor(frame.robot(robot).unwrap(), 0, &mut as_client).unwrap();
    assert_eq!(as_agent[..], as_client[..]);
    as_agent
}

#[test]
fn who_looks_round_among_many_has_a_grid_whoever_asks() {
    let few = crowd(FEW as u32 - 1);
    assert_eq!(read(&few, 5), [0, FEW as u32, 0], "everybody, and the fixtures");
    let mut many = crowd(FEW as u32 + 44);
    let [grids, asked, missed] = read(&many, 55);
    assert_eq!((grids, missed), (1, 0));
    assert!((2..40).contains(&asked), "{asked}");
    // It follows those who move, who come and who go.
    let place = |robot: u32, x_m: f64, y_m: f64| {
        let action = Action::PlaceRobot(robot, Pose2::new(x_m, y_m, 0.0));
        Command { client: 1, sequence: u64::from(robot), action }
    };
    many.apply(&[place(0, 5.0, 5.6), place(99, 50.0, 5.0)]);
    assert_eq!(read(&many, 55)[2], 0);
    many.step(&[Command { client: 1, sequence: 0, action: Action::RemoveRobot(54) }]);
    assert_eq!(read(&many, 55)[2], 0);
    assert_eq!(read(&many.fork(), 56)[2], 0);
}
