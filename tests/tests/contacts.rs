//! The shipped robots and balls of the shipped worlds where they touch: nothing here compares with recorded output. [W4, R2]

use crate::build::plugin_dir;
use crate::program::root;
use std::path::Path;
use std::sync::Arc;
use touchline_config::{load_robot, load_world};
use touchline_host::Host;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::{Outline, PhysicsLaw, RobotPlacement, Scenario};
use touchline_sim::{Action, BodyDisc, Command, EventKind, World};

/// A board along x: its middle, the y of its inner face, and the side on which the field is.
struct Board {
    x_m: f64,
    face_m: f64,
    inner: f64,
}

fn board(scenario: &Scenario) -> Board {
    let boards = scenario.fixtures.iter().filter(|fixture| fixture.solid).filter_map(|fixture| {
        let pose = fixture.primitive.pose;
        match fixture.primitive.outline {
            Outline::Rectangle { length_m, width_m } if length_m > 2.0 && pose.theta_rad == 0.0 => {
                let inner = -pose.y_m.signum();
                Some(Board { x_m: pose.x_m, face_m: pose.y_m + inner * width_m / 2.0, inner })
            }
            _ => None,
        }
    });
    boards.max_by(|a, b| a.face_m.abs().total_cmp(&b.face_m.abs())).unwrap()
}

/// W4: whatever robot drives at a ball that lies at the boards, with whatever step: the ball stays in the field, and neither the board nor a
/// circle inside of the robot is ever in it.
#[test]
fn no_shipped_robot_drives_a_ball_through_the_boards() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let entries = std::fs::read_dir(root().join("robots")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    for file in ["worlds/small-size.toml", "worlds/f2000.toml", "worlds/3v3.toml"] {
        let shipped = load_world(&root().join(Path::new(file)), &*host).unwrap();
        let Board { x_m, face_m, inner } = board(&shipped);
        let radius_m = shipped.balls[0].ball.radius_m;
        for robot in &files {
            let spec = Arc::new(load_robot(robot, &*host).unwrap_or_else(|report| panic!("{report}")));
            for (dt_secs, speed) in
                [(0.001, 1.0), (0.005, 3.0), (0.01, 1.0), (0.01, 2.0), (0.02, 2.0), (0.05, 3.0)]
            {
                let mut scenario = shipped.clone();
                scenario.dt_secs = dt_secs;
                (scenario.referee, scenario.episode) = (None, None);
                scenario.balls.truncate(1);
                scenario.balls[0].position = [x_m + 0.3, face_m + inner * radius_m];
                scenario.balls[0].velocity = [0.0, 0.0];
                let away = 0.7 + 0.37 * speed * dt_secs;
                let pose =
                    Pose2::new(x_m + 0.31, face_m + inner * away, -inner * std::f64::consts::FRAC_PI_2);
                let spec = Arc::clone(&spec);
                scenario.robots = vec![RobotPlacement {
                    name: "r".into(),
                    team: None,
                    spec,
                    pose: Some(pose),
                    player: None,
                }];
                let mut world = World::new(scenario, Arc::clone(&host) as _).unwrap();
                for step in 0..(1.5 / dt_secs) as u64 {
                    let action = Action::SetTwist(0, Twist2::new(speed, 0.0, 0.0));
                    world.step(&[Command { client: 1, sequence: step, action }]);
                    let ball = *world.view().balls().next().unwrap();
                    let deep = radius_m - (ball.pose.y_m - face_m) * inner;
                    let name = robot.file_name().unwrap().display();
                    assert!(deep < 0.001, "{file}, {name}, dt {dt_secs}, {speed} m/s: {deep} m in the board");
                }
            }
        }
    }
}

/// G1: in the shipped world a kick of a team that may not move is refused before the physics, through the built referee, and told; once play
/// is on it is not.
#[test]
fn a_kick_before_the_whistle_is_none() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let scenario = load_world(&root().join("worlds/refused-kick.toml"), &*host).unwrap();
    let mut world = World::new(scenario, host).unwrap();
    let order = |action| Command { client: 1, sequence: 1, action };
    let kick = || {
        let (manipulator, state) = ("kicker".to_owned(), "kick".to_owned());
        order(Action::Manipulate { robot: 0, manipulator, state, aim: Aim::strength(1.0) })
    };
    let speed = |world: &World| world.view().balls().next().unwrap().twist.x_m_s;
    let refused = |world: &World| world.events().filter(|event| event.kind.word() == "kick-refused").count();
    world.step(&[]);
    assert_eq!(world.game().phase_name(), "stopped");
    world.step(&[kick()]);
    assert_eq!((speed(&world), refused(&world)), (0.0, 1));
    // The whistle: it is yellow's kick-off, until that time is over.
    world.step(&[order(Action::Referee("START".into()))]);
    (0..100).for_each(|_| drop(world.step(&[])));
    assert_eq!(world.game().restart_name(), Some(("kick-off", Some(1))));
    world.step(&[kick()]);
    assert_eq!((speed(&world), refused(&world)), (0.0, 2));
    (0..150).for_each(|_| drop(world.step(&[])));
    assert_eq!(world.game().phase_name(), "play");
    world.step(&[kick()]);
    assert!(speed(&world) > 3.0, "{}", speed(&world));
    assert_eq!(refused(&world), 2);
}

/// W4, W7: the shipped world of discs is played: the ball goes about, no robot is ever in another or in a board, and all happens the same again.
#[test]
fn the_world_of_discs_is_played() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let shipped = load_world(&root().join("worlds/discs.toml"), &*host).unwrap();
    assert!(matches!(shipped.physics, PhysicsLaw::Discs { .. }));
    let radius_m = BodyDisc::of(&shipped.robots[0].spec).radius_m;
    let mut worlds = [(); 2].map(|()| World::new(shipped.clone(), Arc::clone(&host) as _).unwrap());
    let (mut way_m, mut last) = (0.0, [0.0; 2]);
    for step in 0..1500 {
        worlds.iter_mut().for_each(|world| drop(world.step(&[])));
        let view = worlds[0].view();
        let ball = view.balls().next().unwrap().pose;
        way_m += (ball.x_m - last[0]).abs() + (ball.y_m - last[1]).abs();
        last = [ball.x_m, ball.y_m];
        let places: Vec<Pose2> = view.robots().map(|robot| robot.pose).collect();
        for (index, one) in places.iter().enumerate() {
            let in_boards = (one.x_m.abs() + radius_m - 6.0).max(one.y_m.abs() + radius_m - 3.0);
            let in_others = places[..index]
                .iter()
                .map(|other| 2.0 * radius_m - one.distance_m(*other))
                .fold(-1.0, f64::max);
            let deep_m = in_boards.max(in_others);
            assert!(deep_m < 1e-6, "step {step}: robot {index} is {deep_m} m deep in something");
        }
    }
    assert!(way_m > 2.0, "the ball went {way_m} m");
    assert_eq!(worlds[0].state_hash(), worlds[1].state_hash());
}

/// G1: the league's referee names the post that a ball hits, as the world file does, and so does the world's own event.
#[test]
fn a_ball_hits_the_post_that_the_world_file_names() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let mut scenario = load_world(&root().join("worlds/f2000.toml"), &*host).unwrap();
    scenario.robots.clear();
    (scenario.balls[0].position, scenario.balls[0].velocity) = ([4.0, -1.05], [3.0, 0.0]);
    let mut world = World::new(scenario, host).unwrap();
    (0..60).for_each(|_| drop(world.step(&[])));
    let kinds: Vec<_> = world.events().map(|event| event.kind.clone()).collect();
    let contact = EventKind::Contact { a: "post-yellow-left".into(), b: "ball-0".into() };
    assert_eq!(kinds.iter().filter(|&kind| *kind == contact).count(), 1, "{kinds:?}");
    let is_post = |kind: &&EventKind| kind.word() == "post";
    let posts: Vec<_> = kinds.iter().filter(is_post).collect();
    let named = |kind: &EventKind| matches!(kind, EventKind::Game { text, .. } if text == "post-yellow-left");
    assert!(posts.len() == 1 && named(posts[0]), "{kinds:?}");
}
