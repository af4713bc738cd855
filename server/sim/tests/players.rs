//! Players, what they are told, and what they do to each other: Y1, Y2, R5, mechanism 5.

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::NONE;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EventKind, World};

fn robot(name: &str, x_m: f64, spec: RobotSpec, player: Option<&str>) -> RobotPlacement {
    let player = player.map(|plugin| PlayerChoice { choice: choice(plugin), period_secs: 0.01 });
    let pose = Some(Pose2::new(x_m, 0.0, 0.0));
    RobotPlacement { name: name.into(), team: None, spec: Arc::new(spec), pose, player }
}

fn command(action: Action) -> Command {
    Command { client: 1, sequence: 0, action }
}

fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TestFactory)).unwrap()
}

/// Y2: a player that ends takes its robot with it, and the others of the same step go on seeing the world as it is.
#[test]
fn a_player_that_leaves_confuses_nobody_in_the_same_step() {
    let mut scenario = empty_scenario();
    scenario.balls = vec![ball(FREE_BALL, [0.0, 3.0], [0.0, 0.0])];
    scenario.robots = vec![
        robot("leaver", -1.0, disc_robot(), Some("leaving")),
        robot("stayer", 1.0, equipped_robot(), Some("restless")),
    ];
    let mut world = world(scenario);
    for _ in 0..5 {
        world.step(&[]);
    }
    let frame = world.frame();
    let names: Vec<&str> = frame.robots.iter().map(|robot| robot.identity.name.as_str()).collect();
    assert_eq!(names, ["stayer"]);
    assert_eq!(frame.robots[0].fault, None, "its probe found itself in every step");
}

/// Mechanism 5: which messages are lost depends on who says them when, not on how much others talk or on a reset.
#[test]
fn the_loss_of_a_message_is_its_own() {
    let heard = |chatter: bool, reset: bool| {
        let mut scenario = empty_scenario();
        scenario.radio.loss = 0.5;
        scenario.robots = ["a", "b", "c"]
            .iter()
            .zip(0..)
            .map(|(name, at)| robot(name, f64::from(at), disc_robot(), None))
            .collect();
        let mut world = world(scenario);
        if reset {
            world.step(&[command(Action::Say(0, "before".into()))]);
            world.step(&[]);
            world.step(&[command(Action::Reset)]);
        }
        let start = world.frame().step;
        let mut pattern = Vec::new();
        for _ in start..40 {
            let mut commands = vec![command(Action::Say(0, "x".into()))];
            if chatter {
                commands
                    .insert(0, Command { client: 0, sequence: 0, action: Action::Say(2, "noise".into()) });
            }
            world.step(&commands);
            let messages = world.frame().messages;
            let last = messages.iter().rev().find(|message| message.from == 0 && message.text == "x");
            pattern.push(last.map(|message| message.heard_by.clone()));
        }
        (start, pattern)
    };
    let (start, plain) = heard(false, false);
    assert!(plain.iter().flatten().any(|by| by.len() == 2) && plain.iter().flatten().any(Vec::is_empty));
    assert_eq!(heard(true, false).1, plain, "others talk as well");
    let (after, again) = heard(false, true);
    assert_eq!(again[1..], plain[(after - start) as usize + 1..], "after a reset");
}

/// Mechanism 5: what was said is heard, though who said it has gone since; by those who were in range of where it was said.
#[test]
fn what_was_said_is_heard_when_its_sender_has_gone() {
    let mut scenario = empty_scenario();
    scenario.radio.range_m = 3.0;
    scenario.robots = [("speaker", 0.0), ("near", 2.0), ("far", 5.0)]
        .map(|(name, at)| robot(name, at, disc_robot(), None))
        .into();
    let mut world = world(scenario);
    let say = Command { client: 1, sequence: 0, action: Action::Say(0, "goodbye".into()) };
    let remove = Command { client: 1, sequence: 1, action: Action::RemoveRobot(0) };
    world.step(&[say, remove]);
    let heard = world.frame().messages;
    world.step(&[]);
    assert_eq!((heard.len(), world.frame().messages.len()), (1, 1));
    assert_eq!(
        (heard[0].from, heard[0].from_name.as_str(), heard[0].text.as_str()),
        (0, "speaker", "goodbye")
    );
    assert_eq!(heard[0].heard_by, [1]);
}

/// The number that a name ends with is on the shirt, whoever else comes or goes.
#[test]
fn a_shirt_has_the_number_of_the_name() {
    let mut scenario = empty_scenario();
    let names = ["left-3", "left-7", "rosie", "r4294967295"];
    scenario.robots =
        names.iter().zip(0..).map(|(name, at)| robot(name, f64::from(at), disc_robot(), None)).collect();
    let mut world = world(scenario);
    let shirts = |world: &World| world.view().robots().map(|robot| robot.shirt).collect::<Vec<_>>();
    assert_eq!(shirts(&world), [3, 7, NONE, NONE]);
    world.step(&[Command { client: 1, sequence: 0, action: Action::RemoveRobot(0) }]);
    assert_eq!(shirts(&world), [7, NONE, NONE]);
}

/// A robot cannot fill the others' memory.
#[test]
fn a_step_takes_so_many_messages_and_no_more() {
    let mut scenario = empty_scenario();
    scenario.robots = vec![robot("a", 0.0, disc_robot(), None)];
    let mut world = world(scenario);
    let say = |sequence| Command { client: 1, sequence, action: Action::Say(0, "again".into()) };
    let outcomes = world.step(&(0..20).map(say).collect::<Vec<_>>());
    assert_eq!(outcomes.iter().filter(|outcome| outcome.result.is_err()).count(), 4);
}

/// C9: what is published is JSON, and bounded.
#[test]
fn annotations_are_checked() {
    let mut scenario = empty_scenario();
    scenario.robots = vec![robot("a", 0.0, disc_robot(), None)];
    let mut world = world(scenario);
    let mut put = |key: &str, value: &str| {
        let action = Action::Annotate { robot: 0, key: key.into(), value: value.into() };
        world.apply(&[command(action)]).remove(0).result
    };
    assert!(put("bad", "{x}").unwrap_err().to_string().contains("no JSON"));
    for number in 0..touchline_sim::MAX_ANNOTATIONS {
        put(&number.to_string(), "1").unwrap();
    }
    assert!(put("more", "1").is_err());
    put("0", "[2]").unwrap();
    // What it has so far, and one long value.
    let digits: usize = (0..touchline_sim::MAX_ANNOTATIONS).map(|number| number.to_string().len()).sum();
    let room = touchline_sim::MAX_ANNOTATION_BYTES - digits - (touchline_sim::MAX_ANNOTATIONS - 1);
    put("0", &format!("\"{}\"", "x".repeat(room - 1))).unwrap_err();
    put("0", &format!("\"{}\"", "x".repeat(room - 2))).unwrap();
    put("0", "1").unwrap();
}

/// C5, W6: a change made while time stands is a new Frame, though its step is the same.
#[test]
fn a_change_while_time_stands_has_a_revision_of_its_own() {
    let mut scenario = empty_scenario();
    scenario.robots = vec![robot("a", 0.0, disc_robot(), None)];
    let mut world = world(scenario);
    let before = world.frame();
    let hash = world.state_hash();
    world.apply(&[command(Action::PlaceRobot(0, Pose2::new(1.0, 1.0, 0.0)))]);
    let after = world.frame();
    assert_eq!((before.run, before.step), (after.run, after.step));
    assert!(after.revision > before.revision);
    assert_eq!(after.robots[0].pose.x_m, 1.0);
    assert_ne!(world.state_hash(), hash);
    let snapshot = world.snapshot();
    world.step(&[]);
    let last = world.frame().revision;
    world.restore(&snapshot);
    assert!(world.frame().revision > last, "a rewound world is not an old Frame");
}

/// I2: two worlds that will go on differently have different hashes, even if all bodies stand alike.
#[test]
fn the_hash_knows_of_what_is_in_the_air() {
    let mut scenario = empty_scenario();
    scenario.robots = vec![robot("a", 0.0, disc_robot(), None), robot("b", 1.0, disc_robot(), None)];
    let mut one = world(scenario);
    let mut other = one.fork();
    one.apply(&[command(Action::Say(0, "left".into()))]);
    other.apply(&[command(Action::Say(0, "right".into()))]);
    assert_ne!(one.state_hash(), other.state_hash());
}

fn dribbler(force_n: f64) -> RobotSpec {
    let zone = Zone { pose: Pose2::new(0.32, 0.0, 0.0), size_m: [0.12, 0.2], height_m: 0.1 };
    let state = |name: &str, hold| ManipulatorState {
        name: name.into(),
        shapes: vec![],
        kick: None,
        hold,
        returns_after_secs: None,
    };
    let states = vec![state("off", None), state("on", Some(Hold { zone, force_n }))];
    RobotSpec { manipulators: vec![ManipulatorSpec { name: "dribbler".into(), states }], ..disc_robot() }
}

fn dribbling(force_n: f64, state: &str, drive: [f64; 3]) -> (f64, touchline_sim::Frame) {
    let mut scenario = empty_scenario();
    let spec = dribbler(force_n);
    let ball_at = 0.2 + FREE_BALL.radius_m + 0.005;
    scenario.balls = vec![ball(FREE_BALL, [ball_at, 0.0], [0.0, 0.0])];
    scenario.robots = vec![robot("a", 0.0, spec, None)];
    let mut world = world(scenario);
    let (manipulator, state) = ("dribbler".into(), state.to_string());
    world.step(&[command(Action::Manipulate { robot: 0, manipulator, state, aim: Aim::strength(1.0) })]);
    world.step(&[command(Action::Drive(0, drive.to_vec()))]);
    for _ in 0..100 {
        world.step(&[]);
    }
    let frame = world.frame();
    let ball = frame.view().balls().next().unwrap().pose;
    let [x, y] = frame.robots[0].pose.point_to_inner([ball.x_m, ball.y_m]);
    (libm::hypot(x - 0.32, y), frame)
}

/// R5: a dribbler keeps the ball while its force suffices, and loses it where more would be needed.
#[test]
fn a_dribbler_holds_the_ball_within_its_force() {
    // Backwards, and round a curve, where a ball that is only pushed stays behind.
    for drive in [[-0.5, 0.0, 0.0], [0.5, 0.0, 1.5]] {
        let (off_m, frame) = dribbling(10.0, "on", drive);
        assert!(off_m < 0.06, "{drive:?}: {off_m} m from its place");
        assert_eq!(frame.robots[0].manipulators[0].has_ball, 1);
        let (off_m, _) = dribbling(10.0, "off", drive);
        assert!(off_m > 0.1, "{drive:?}: held by nothing, {off_m} m");
    }
    // Round a curve of 3 rad/s at 0.32 m the ball needs m w^2 r = 1.2 N.
    let (off_m, frame) = dribbling(0.2, "on", [0.0, 0.0, 3.0]);
    assert!(off_m > 0.1, "{off_m} m");
    assert_eq!(frame.robots[0].manipulators[0].has_ball, 0);
    assert!(dribbling(5.0, "on", [0.0, 0.0, 3.0]).0 < 0.06);
}

/// A sensor that was stopped says so to whoever reads it, as it does to the players.
#[test]
fn nobody_reads_a_sensor_that_failed() {
    let mut scenario = empty_scenario();
    let mut spec = equipped_robot();
    spec.sensors[0].choice = choice("brittle");
    scenario.robots = vec![robot("a", 0.0, spec, None)];
    let mut world = world(scenario);
    world.step(&[]);
    let frame = world.frame();
    let fault = frame.read_sensor(&frame.robots[0], 0, &mut Vec::new()).unwrap_err();
    assert_eq!(fault.to_string(), "stopped at step 1: broken");
    assert!(world.events().any(|event| matches!(event.kind, EventKind::Fault { .. })));
}
