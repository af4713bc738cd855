//! Sensors that follow a motion datum, and numbers of sensors that can be set: R3, S.

use crate::common::teams::{TeamFactory, scripted};
use crate::common::*;
use serde_json::json;
use std::sync::Arc;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::layout::decode;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, CommandError, World};

fn sensor(follows: Option<&str>) -> SensorSpec {
    SensorSpec {
        id: "eye".into(),
        model: "test".into(),
        mount: Mount { x_m: 0.1, theta_rad: 0.25, ..Mount::default() },
        follows: follows.map(str::to_owned),
        choice: choice("pointing"),
        timing: SensorTiming::default(),
    }
}

fn scenario(sensor: SensorSpec, commands: CommandTiming, player: Option<PlayerChoice>) -> Scenario {
    let spec = RobotSpec { motion: choice("necked"), sensors: vec![sensor], commands, ..disc_robot() };
    let pose = Some(Pose2::new(0.0, 0.0, 0.5));
    let robot = RobotPlacement { name: "a".into(), team: None, spec: Arc::new(spec), pose, player };
    Scenario { robots: vec![robot], ..empty_scenario() }
}

fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TeamFactory)).unwrap()
}

/// What the sensor reads: its heading and its width.
fn read(world: &World) -> [f64; 2] {
    let frame = world.frame();
    let mut quantised = Vec::new();
    frame.read_sensor(&frame.robots[0], 0, &mut quantised).unwrap();
    [decode(quantised[0], 2e-9, true), decode(quantised[1], 2e-9, true)]
}

fn ask(world: &mut World, action: Action) -> Result<(), CommandError> {
    let outcomes = world.step(&[Command { client: 1, sequence: 0, action }]);
    outcomes.into_iter().next().unwrap().result.map(drop)
}

fn set(sensor: &str, datum: &str, value: f64) -> Action {
    Action::SetSensor { robot: 0, sensor: sensor.into(), datum: datum.into(), value }
}

/// R3, S: the heading is the body's, the mount's and the neck's, all round the circle, while the body stands.
#[test]
fn a_mount_follows_its_datum() {
    let mut world = world(scenario(sensor(Some("neck-angle")), CommandTiming::default(), None));
    ask(&mut world, Action::Drive(0, vec![0.0, 8.0])).unwrap();
    for step in 1..=200 {
        let expected = wrap_angle(0.5 + 0.25 + 8.0 * 0.01 * f64::from(step));
        assert!(wrap_angle(read(&world)[0] - expected).abs() < 1e-8, "step {step}");
        assert_eq!(world.frame().robots[0].pose, Pose2::new(0.0, 0.0, 0.5));
        world.step(&[]);
    }
    let mut fixed = self::world(scenario(sensor(None), CommandTiming::default(), None));
    ask(&mut fixed, Action::Drive(0, vec![0.0, 8.0])).unwrap();
    assert!((read(&fixed)[0] - 0.75).abs() < 1e-8);
}

/// S, W7: a sample of a sensor with a delay is turned as the neck was when it was taken.
#[test]
fn a_late_reading_shows_the_neck_as_it_was() {
    let timing = SensorTiming { delay_secs: 0.05, ..SensorTiming::default() };
    let sensor = SensorSpec { timing, ..sensor(Some("neck-angle")) };
    let mut world = world(scenario(sensor, CommandTiming::default(), None));
    ask(&mut world, Action::Drive(0, vec![0.0, 2.0])).unwrap();
    (1..50).for_each(|_| drop(world.step(&[])));
    assert!((read(&world)[0] - (0.75 + 2.0 * 0.01 * 45.0)).abs() < 1e-8);
}

#[test]
fn what_nobody_publishes_cannot_be_followed() {
    let refused =
        World::new(scenario(sensor(Some("nose")), CommandTiming::default(), None), Arc::new(TeamFactory));
    let text = refused.err().unwrap().to_string();
    assert!(text.contains("follows \"nose\"") && text.contains("way, neck-angle"), "{text}");
}

/// R3: what is set is read from the same step on, or when commands arrive; what cannot be set is refused by name.
#[test]
fn a_number_of_a_sensor_is_set_within_its_range() {
    let mut world = world(scenario(sensor(None), CommandTiming::default(), None));
    assert_eq!(read(&world)[1], 1.0);
    let before = world.state_hash();
    ask(&mut world, set("eye", "width", 0.5)).unwrap();
    assert_eq!(read(&world)[1], 0.5);
    assert_eq!(world.frame().robots[0].sensor_data, [0.3, 0.5]);
    assert_ne!(world.state_hash(), before);
    for (action, expected) in [
        (set("eye", "width", 2.1), "eye.width = 2.1 is not allowed; it is from 0.1 to 2 (rad)"),
        (set("eye", "width", f64::NAN), "eye.width = NaN is not allowed"),
        (set("eye", "zoom", 1.0), "one can set eye.tilt, eye.width"),
        (set("ear", "width", 1.0), "nothing \"ear.width\" can be set"),
    ] {
        let refused = ask(&mut world, action).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    assert_eq!(read(&world)[1], 0.5);
    ask(&mut world, Action::Reset).unwrap();
    assert_eq!(read(&world)[1], 1.0, "a reset brings it back");

    let late = CommandTiming { delay_secs: 0.03, ..CommandTiming::default() };
    let mut world = self::world(scenario(sensor(None), late, None));
    ask(&mut world, set("eye", "width", 0.5)).unwrap();
    let read: Vec<f64> = (0..4)
        .map(|_| {
            let width = read(&world)[1];
            world.step(&[]);
            width
        })
        .collect();
    assert_eq!(read, [1.0, 1.0, 1.0, 0.5]);
}

/// Y1, W7: a player sets them too, and a fork goes on bit by bit; out of its range it is the player's fault.
#[test]
fn a_player_sets_its_sensors() {
    let player = |value: f64| Some(scripted(json!({ "sets": [0, 1, value] })));
    let mut world = world(scenario(sensor(None), CommandTiming::default(), player(0.75)));
    world.step(&[]);
    assert_eq!(read(&world)[1], 0.75);
    let mut fork = world.fork();
    (0..10).for_each(|_| drop((world.step(&[]), fork.step(&[]))));
    assert_eq!(world.state_hash(), fork.state_hash());
    let mut wrong = self::world(scenario(sensor(None), CommandTiming::default(), player(9.0)));
    wrong.step(&[]);
    let fault = wrong.first_fault().unwrap();
    assert!(fault.contains("eye.width = 9 is not allowed; it is from 0.1 to 2 (rad)"), "{fault}");
    assert_eq!(read(&wrong)[1], 1.0);
}
