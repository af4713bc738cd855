//! The shipped robots with the real plugins: twins without noise, ball guides, flaps. [R1, R5, S1-S7]

use crate::build::plugin_dir;
use crate::program::root;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use touchline_config::{load_robot, load_world};
use touchline_host::Host;
use touchline_plugin_api::container::SensorDescription;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::{Pose2, Twist2, atan2};
use touchline_sim::scenario::{CommandTiming, RobotPlacement, RobotSpec, SensorTiming};
use touchline_sim::{Action, Command, World};

fn host() -> Arc<Host> {
    static HOST: OnceLock<Arc<Host>> = OnceLock::new();
    Arc::clone(HOST.get_or_init(|| Arc::new(Host::scan(&[plugin_dir().to_owned()]))))
}

fn robot(name: &str) -> RobotSpec {
    let path = root().join(format!("robots/{name}.toml"));
    load_robot(&path, &*host()).unwrap_or_else(|report| panic!("{report}"))
}

/// Every robot that has a twin.
fn siblings() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("robots")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> =
        names.filter_map(|name| Some(name.strip_suffix("-perfect.toml")?.to_owned())).collect();
    names.sort();
    assert!(names.len() >= 9, "{names:?}");
    names
}

/// Where the ball lies from the robot, metres.
const BALL: [f64; 2] = [1.5, 0.3];

/// The field of worlds/f2000.toml without players: the robot in the middle looks at the ball and, past it, at another one.
fn still_world(spec: RobotSpec, seed: u64) -> World {
    let mut scenario =
        load_world(&root().join("worlds/f2000.toml"), &*host()).unwrap_or_else(|report| panic!("{report}"));
    let place = |name: &str, spec, x_m, y_m| RobotPlacement {
        name: name.into(),
        team: Some(0),
        spec: Arc::new(spec),
        pose: Some(Pose2::new(x_m, y_m, 0.0)),
        player: None,
    };
    scenario.seed = seed;
    scenario.referee = None;
    scenario.robots = vec![place("me", spec, 0.0, 0.0), place("other", robot("keeper"), 2.5, -0.6)];
    scenario.balls[0].position = BALL;
    World::new(scenario, host()).unwrap_or_else(|error| panic!("{error}"))
}

/// The integers of all sensors, by their names.
fn readings(world: &World) -> BTreeMap<String, Vec<u32>> {
    let frame = world.frame();
    let me = frame.robot_named("me").unwrap();
    let sensors = me.identity.description.sensors.sensors.iter().enumerate();
    let read = |(index, sensor): (usize, &SensorDescription)| {
        let mut quantised = Vec::new();
        frame.read_sensor(me, index, &mut quantised).unwrap();
        (sensor.id.clone(), quantised)
    };
    sensors.map(read).collect()
}

fn layouts(world: &World) -> Vec<SensorDescription> {
    world.frame().robot_named("me").unwrap().identity.description.sensors.sensors.clone()
}

fn advance(world: &mut World, steps: u32) {
    for _ in 0..steps {
        world.step(&[]);
    }
}

/// A value of a sensor, and how finely it is counted.
fn value(world: &World, sensor: &str, field: &str, index: usize) -> (f64, f64) {
    let description = layouts(world).into_iter().find(|description| description.id == sensor).unwrap();
    let feature = &description.layout.features[0];
    let (offset, field) = feature.field(field).unwrap();
    (field.decode(readings(world)[sensor][offset + index]), field.scale)
}

/// S, Y1: the players that are shipped get along with sensors that have nothing to be read at first, and with commands that come later.
#[test]
fn players_get_along_with_sensors_in_their_own_time() {
    let mut scenario =
        load_world(&root().join("worlds/f2000.toml"), &*host()).unwrap_or_else(|report| panic!("{report}"));
    for robot in &mut scenario.robots {
        let spec = Arc::make_mut(&mut robot.spec);
        for (index, sensor) in spec.sensors.iter_mut().enumerate() {
            let phase_secs = 0.01 * index as f64;
            sensor.timing = SensorTiming { rate_hz: Some(25.0), phase_secs, delay_secs: 0.08 };
        }
        spec.commands = CommandTiming { delay_secs: 0.05, hold_secs: Some(0.5) };
    }
    let mut world = World::new(scenario, host()).unwrap_or_else(|error| panic!("{error}"));
    let moved = |world: &World| world.robots().filter(|robot| robot.twist().x_m_s.abs() > 0.1).count();
    let mut most = 0;
    for _ in 0..300 {
        world.step(&[]);
        most = most.max(moved(&world));
    }
    assert_eq!(world.first_fault(), None);
    assert!(most > 0, "nobody moves");
}

/// R1: whatever the step and the seed, a twin in a still world counts the same; its sibling does not.
#[test]
fn a_perfect_twin_has_no_noise() {
    for name in siblings() {
        let mut sibling = still_world(robot(&name), 1);
        let mut twin = still_world(robot(&format!("{name}-perfect")), 1);
        // From the first step on the physics keeps poses in f32: that can flip a pixel that has an edge in its middle.
        advance(&mut sibling, 1);
        advance(&mut twin, 1);
        assert_eq!(layouts(&sibling).len(), layouts(&twin).len(), "{name}");
        for (own, other) in layouts(&twin).iter().zip(layouts(&sibling)) {
            assert_eq!((&own.id, &own.plugin, own.mount), (&other.id, &other.plugin, other.mount), "{name}");
            assert_eq!(own.layout, other.layout, "{name}: {}", own.id);
        }
        let first = readings(&twin);
        advance(&mut twin, 1);
        assert!(readings(&twin) == first, "{name}: the next step");
        advance(&mut twin, 57);
        assert!(readings(&twin) == first, "{name}: a later step");
        let mut other = still_world(robot(&format!("{name}-perfect")), 2);
        advance(&mut other, 1);
        assert!(readings(&other) == first, "{name}: another seed");
        assert!(readings(&sibling) != first, "{name}: this world shows no noise at all");
    }
}

/// R1: what a twin counts is the truth, worked out by hand: the ball, the goal's back wall ahead, and the way so far.
#[test]
fn a_perfect_twin_counts_the_truth() {
    for name in siblings() {
        let mut world = still_world(robot(&format!("{name}-perfect")), 7);
        for sensor in layouts(&world) {
            let near = |field: &str, index: usize, expected: f64| {
                let (got, scale) = value(&world, &sensor.id, field, index);
                assert!(
                    (got - expected).abs() <= 0.51 * scale,
                    "{name}, {}: {field} is {got}, not {expected}",
                    sensor.id
                );
            };
            let [x, y] = [BALL[0] - sensor.mount.x_m, BALL[1] - sensor.mount.y_m];
            match (sensor.plugin.as_str(), sensor.layout.features[0].name.as_str()) {
                ("camera" | "omnivision", "ball") => {
                    near("distance", 0, (x * x + y * y).sqrt());
                    near("bearing", 0, atan2(y, x));
                }
                ("laser", _) => {
                    let beams = sensor.layout.features[0].field("ranges").unwrap().1.len();
                    near("ranges", beams / 2, 5.5 - sensor.mount.x_m);
                }
                _ => {}
            }
        }
        // The way, on an arc: with its own errors a robot would be some centimetres off after a metre.
        let number = world.frame().robot_named("me").unwrap().identity.number;
        // A second and a half: the slowest one has a top speed of 0.21 m/s.
        for sequence in 0..160 {
            let twist = Twist2::new(0.5, 0.0, 0.5);
            let action = Action::SetTwist(number, twist);
            world.step(&[Command { client: 1, sequence, action }]);
        }
        let pose = world.frame().robot_named("me").unwrap().pose;
        assert!(pose.x_m > 0.2 && pose.theta_rad > 0.1, "{name} drove: {pose:?}");
        for (field, truth) in [("x", pose.x_m), ("y", pose.y_m), ("theta", pose.theta_rad)] {
            let (got, _) = value(&world, "odometry", field, 0);
            // The physics keeps poses in f32 and adds steps up in another way.
            assert!((got - truth).abs() < 1e-3, "{name}: {field} is {got}, not {truth}");
        }
    }
}

/// A catcher with the ball at its front, in an empty room.
struct Catcher {
    world: World,
    number: u32,
    sequence: u64,
}

impl Catcher {
    fn new(pose: Pose2) -> Self {
        let path = root().join("worlds/empty.toml");
        let mut scenario = load_world(&path, &*host()).unwrap_or_else(|report| panic!("{report}"));
        scenario.balls[0].position = pose.point_to_outer([TOUCHES_M, 0.0]);
        scenario.robots = vec![RobotPlacement {
            name: "me".into(),
            team: Some(0),
            spec: Arc::new(robot("catcher")),
            pose: Some(pose),
            player: None,
        }];
        let world = World::new(scenario, host()).unwrap_or_else(|error| panic!("{error}"));
        let number = world.frame().robot_named("me").unwrap().identity.number;
        Self { world, number, sequence: 0 }
    }

    fn order(&mut self, action: Action) {
        self.sequence += 1;
        for outcome in self.world.step(&[Command { client: 1, sequence: self.sequence, action }]) {
            outcome.result.unwrap();
        }
    }

    fn switch(&mut self, manipulator: &str, state: &str) {
        let (manipulator, state) = (manipulator.into(), state.into());
        self.order(Action::Manipulate { robot: self.number, manipulator, state, aim: Aim::strength(1.0) });
    }

    /// Drives for a while, and gives the ball's largest distances from where it lies at the front.
    fn drive(&mut self, forward_m_s: f64, turn_rad_s: f64, secs: f64) -> [f64; 2] {
        let mut off_m = [0.0f64; 2];
        for _ in 0..(secs / 0.01) as u32 {
            self.order(Action::SetTwist(self.number, Twist2::new(forward_m_s, 0.0, turn_rad_s)));
            let [x, y] = self.ball();
            off_m = [off_m[0].max((x - TOUCHES_M).abs()), off_m[1].max(y.abs())];
        }
        off_m
    }

    /// The ball in the robot's frame, metres.
    fn ball(&self) -> [f64; 2] {
        let frame = self.world.frame();
        let ball = frame.view().balls().next().unwrap().pose;
        frame.robot_named("me").unwrap().pose.point_to_inner([ball.x_m, ball.y_m])
    }
}

/// Where a ball lies that touches the front: the radii of the catcher and of the ball, and a hair, metres.
const TOUCHES_M: f64 = 0.225 + 0.110 + 0.001;

/// R5: the guides take the ball round a quarter of a circle on which the bare front loses it, to either side.
#[test]
fn ball_guides_steer_a_ball() {
    for side in [1.0, -1.0] {
        let mut catcher = Catcher::new(Pose2::new(-1.0, -side * 0.8, 0.0));
        let off_m = catcher.drive(0.4, side * 0.4, 4.0);
        assert!(off_m[0] < 0.03 && off_m[1] < 0.03, "with guides the ball went off by {off_m:?} m");

        let mut bare = Catcher::new(Pose2::new(-1.0, -side * 0.8, 0.0));
        bare.switch("guides", "in");
        let off_m = bare.drive(0.4, side * 0.4, 4.0);
        assert!(off_m[1] > 0.3, "without guides the ball should be lost: {off_m:?} m");
    }
}

/// R5: the closed flap brakes and backs up with the ball; the open one lets it roll on.
#[test]
fn a_closed_flap_holds_the_ball() {
    for (state, is_kept) in [("closed", true), ("open", false)] {
        let mut catcher = Catcher::new(Pose2::new(-1.5, 0.0, 0.0));
        catcher.switch("flap", state);
        catcher.drive(0.8, 0.0, 1.5);
        let [forward, backward] = [catcher.drive(0.0, 0.0, 1.0), catcher.drive(-0.6, 0.0, 1.5)];
        let [x, y] = catcher.ball();
        if is_kept {
            assert!(forward[0] < 0.03 && backward[0] < 0.03 && y.abs() < 0.02, "{forward:?}, {backward:?}");
        } else {
            assert!(x > TOUCHES_M + 0.5, "{x}");
        }
    }
}

/// R5: a flap that was closed before the ball came pushes it ahead, farther from the robot than its front would.
#[test]
fn a_closed_flap_pushes_a_ball_before_it() {
    let mut catcher = Catcher::new(Pose2::new(-1.8, 0.0, 0.0));
    catcher.order(Action::PlaceBall {
        ball: 0,
        position: [-1.0, 0.0],
        velocity: [0.0; 2],
        vertical: Vertical::FLOOR,
    });
    catcher.switch("flap", "closed");
    catcher.drive(0.6, 0.0, 2.5);
    let [x, y] = catcher.ball();
    let before_flap_m = 0.475 + 0.110;
    assert!(x > before_flap_m - 0.005 && y.abs() < 0.05, "{x}, {y}");
    let ball = catcher.world.frame().view().balls().next().unwrap().pose;
    assert!(ball.x_m > -0.3, "it was pushed along: {ball:?}");
}

/// The league's robots fit into a cylinder of 0.18 m, whatever their manipulators do.
#[test]
fn robots_of_the_small_size_league_are_no_larger_than_its_rules_allow() {
    for name in ["small-size", "small-size-chip", "small-size-perfect"] {
        let world = still_world(robot(name), 1);
        let radius_m = world.frame().robot_named("me").unwrap().identity.description.radius_m;
        assert!((0.08..=0.09 + 1e-9).contains(&radius_m), "{name}: {radius_m} m");
    }
}

/// The shared vision of the Small Size league sees everybody.
#[test]
fn the_cameras_above_leave_nobody_out() {
    let scenario = load_world(&root().join("worlds/small-size.toml"), &*host()).unwrap();
    let others = scenario.robots.len() - 1;
    let world = World::new(scenario, host()).unwrap();
    let frame = world.frame();
    let one = frame.robot_named("blue-1").unwrap();
    let rows = |sensor: &SensorDescription| {
        let robots = sensor.layout.features.iter().find(|feature| feature.name == "robots")?;
        robots.fields.iter().find(|field| field.name == "distance").map(|field| field.shape[0] as usize)
    };
    let seen = one.identity.description.sensors.sensors.iter().find_map(rows).unwrap();
    assert!(seen >= others.max(21), "{seen} of {others}, and of two teams of eleven");
}
