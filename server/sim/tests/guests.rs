//! What clients' robots may make the program keep.

use crate::common::*;
use std::marker::PhantomData;
use std::sync::Arc;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{Limits, Outline, RobotSpec, Scenario, SensorSpec, SensorTiming};
use touchline_sim::{Action, Command, CommandError, World};

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
    let mut world = World::new(empty_scenario(), Arc::new(AllSensors::<Wide>(PhantomData))).unwrap();
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
    let mut world =
        World::new(Scenario { limits, ..empty_scenario() }, Arc::new(AllSensors::<Wide>(PhantomData)))
            .unwrap();
    let key = |refused| match refused {
        Err(CommandError::TooManyIntegers { limit, key, .. }) => (limit, key),
        other => panic!("{other:?}"),
    };
    assert_eq!(key(add(&mut world, 0, 2)), (MILLION, "robot_integers"));
    add(&mut world, 0, 1).unwrap();
    add(&mut world, 1, 1).unwrap();
    assert_eq!(key(add(&mut world, 2, 1)), (2 * MILLION, "robots_integers"));
}

/// Bodies of every kind.
fn bodies(size_m: f64) -> [Outline; 4] {
    let (length_m, width_m) = (0.5, size_m);
    [
        Outline::circle(size_m / 2.0),
        Outline::Ellipse { length_m, width_m },
        Outline::Rectangle { length_m, width_m },
        Outline::Triangle { corners: [[-0.25, 0.0], [0.25, 0.0], [0.0, size_m]] },
    ]
}

/// A room to drive from wall to wall.
fn narrow() -> Scenario {
    Scenario { fixtures: room(2.0, 2.0), ..empty_scenario() }
}

/// What is nothing to a library that counts in single precision is no body; what is just more moves, touches, and stays a number.
#[test]
fn a_body_is_one_in_single_precision() {
    let make = |outline: Outline, mass_kg: f64| {
        let mut world = World::new(narrow(), Arc::new(AllSensors::<Wide>(PhantomData))).unwrap();
        let mut spec = RobotSpec { mass_kg, ..disc_robot() };
        spec.body[0].outline = outline;
        let pose = Some(Pose2::new(0.0, 0.0, 0.0));
        let action =
            Action::AddRobot { name: "r".into(), team: None, spec: Arc::new(spec), pose, player: None };
        let made = world.apply(&[Command { client: 7, sequence: 0, action }]).remove(0).result;
        made.map(|_| world)
    };
    for size_m in [1e-300, 1e-60, 1e-46, 1e-22, 0.00009] {
        for outline in bodies(size_m) {
            assert!(matches!(make(outline, 8.0), Err(CommandError::BadRobot { .. })), "{outline:?}");
        }
    }
    for mass_kg in [1e-300, 1e-42, 1e-39, 0.0009] {
        assert!(
            matches!(make(Outline::circle(0.1), mass_kg), Err(CommandError::BadRobot { .. })),
            "{mass_kg}"
        );
    }
    for outline in bodies(0.000_101) {
        for mass_kg in [0.001, 8.0] {
            let mut world = make(outline, mass_kg).unwrap();
            let fast = Twist2 { x_m_s: 3.0, y_m_s: 1.0, turn_rad_s: 5.0 };
            let drive = Command { client: 7, sequence: 0, action: Action::SetTwist(0, fast) };
            for _ in 0..500 {
                world.step(std::slice::from_ref(&drive));
            }
            let pose = world.frame().robots[0].pose;
            assert!(pose.x_m.abs() < 1.5 && pose.y_m.abs() < 1.5, "{outline:?}, {mass_kg} kg: {pose:?}");
        }
    }
}

/// A scenario that no file made, such as a recording's, is held to the same bounds.
#[test]
fn a_scenario_is_held_to_its_bounds() {
    let refused = |change: fn(&mut Scenario)| {
        let mut scenario = narrow();
        scenario.balls = vec![ball(FREE_BALL, [0.0, 0.5], [0.0, 0.0])];
        change(&mut scenario);
        World::new(scenario, Arc::new(AllSensors::<Wide>(PhantomData))).map(drop).unwrap_err().to_string()
    };
    assert!(refused(|it| it.dt_secs = -0.01).contains("dt_s"));
    assert!(refused(|it| it.dt_secs = f64::NAN).contains("dt_s"));
    assert!(refused(|it| it.dt_secs = 1.0).contains("dt_s"));
    let thin = |it: &mut Scenario| {
        it.fixtures[2].primitive.outline = Outline::Rectangle { length_m: 1.0, width_m: 1e-50 }
    };
    assert!(refused(thin).contains("thickness_m"));
    assert!(refused(|it| it.balls[0].ball.radius_m = 0.0).contains("radius_m"));
    assert!(refused(|it| it.balls[0].ball.mass_kg = f64::INFINITY).contains("mass_kg"));
}
