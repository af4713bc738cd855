//! The shipped robots, with their own drives, where they press against walls and against each other. Forces are worked out from what the same
//! robot does alone; nothing here compares with recorded output. [W4, R2]

use crate::build::plugin_dir;
use crate::program::root;
use std::sync::Arc;
use touchline_config::{load_robot, load_world};
use touchline_host::Host;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::view::Role;
use touchline_sim::scenario::{
    ContactRule, Fixture, Outline, PhysicsLaw, Primitive, RobotPlacement, RobotSpec, Scenario, Surface,
};
use touchline_sim::{Action, Command, World};

const LAWS: [PhysicsLaw; 2] =
    [PhysicsLaw::Rigid, PhysicsLaw::Discs { contact: ContactRule::Impulse, bounding_circles: true }];
const STEPS_SECS: [f64; 6] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05];
const ROBOTS: [&str; 6] = ["pioneer", "keeper", "small-size", "omni3", "turtlebot", "round"];

struct Place {
    host: Arc<Host>,
    scenario: Scenario,
}

impl Place {
    /// A floor with nothing on it.
    fn new() -> Self {
        let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
        let mut scenario = load_world(&root().join("worlds/f2000.toml"), &*host).unwrap();
        (scenario.referee, scenario.episode) = (None, None);
        scenario.balls.clear();
        scenario.robots.clear();
        scenario.fixtures.clear();
        // Who meets does not bounce, so that it presses soon.
        scenario.surface = Surface::new(0.0, 0.0);
        Self { host, scenario }
    }

    fn robot(&self, name: &str) -> Arc<RobotSpec> {
        let file = root().join("robots").join(format!("{name}.toml"));
        Arc::new(load_robot(&file, &*self.host).unwrap_or_else(|report| panic!("{report}")))
    }

    fn world(
        &self,
        law: PhysicsLaw,
        dt_secs: f64,
        fixtures: Vec<Fixture>,
        robots: &[(&Arc<RobotSpec>, f64)],
    ) -> World {
        let mut scenario = self.scenario.clone();
        (scenario.physics, scenario.dt_secs, scenario.fixtures) = (law, dt_secs, fixtures);
        scenario.robots = robots
            .iter()
            .enumerate()
            .map(|(number, (spec, x_m))| RobotPlacement {
                name: format!("r{number}"),
                team: None,
                spec: Arc::clone(spec),
                pose: Some(Pose2::new(*x_m, 0.0, 0.0)),
                player: None,
            })
            .collect();
        World::new(scenario, Arc::clone(&self.host) as _).unwrap()
    }
}

/// A wall across the way, whose face is at this x.
fn wall(x_m: f64) -> Fixture {
    let outline = Outline::Rectangle { length_m: 0.2, width_m: 20.0 };
    let pose = Pose2::new(x_m + 0.1, 0.0, 0.0);
    let primitive = Primitive { outline, pose, z_m: [0.0, 0.3], colour: None, surface: None };
    Fixture { name: None, primitive, role: Role::Wall, solid: true, team: None }
}

/// What is still motion, m/s: the library, in `f32`, parts those that rest by a little in each step.
fn still_m_s(law: PhysicsLaw) -> f64 {
    if law == PhysicsLaw::Rigid { 1e-3 } else { 1e-6 }
}

/// Drives the first robot along x, and leaves the others where they want to stand; calls `after` with the time and the world.
fn drive(world: &mut World, dt_secs: f64, secs: f64, speed_m_s: f64, mut after: impl FnMut(f64, &World)) {
    for step in 1..=(secs / dt_secs).round() as u64 {
        let action = Action::SetTwist(0, Twist2::new(speed_m_s, 0.0, 0.0));
        world.step(&[Command { client: 1, sequence: step, action }]);
        after(step as f64 * dt_secs, world);
    }
}

fn at(world: &World, robot: usize) -> (Pose2, Twist2) {
    let view = world.view();
    let robot = view.robots().nth(robot).unwrap();
    (robot.pose, robot.twist)
}

/// What the drive of a robot brings it in a second, as it starts on an empty floor, m/s^2.
fn acceleration_m_s2(place: &Place, spec: &Arc<RobotSpec>) -> f64 {
    let mut world = place.world(LAWS[0], 0.001, Vec::new(), &[(spec, 0.0)]);
    drive(&mut world, 0.001, 0.05, 0.5, |_, _| {});
    at(&world, 0).1.x_m_s / 0.05
}

fn reach_m(spec: &RobotSpec) -> f64 {
    touchline_sim::radius_m(spec)
}

/// W4: a robot that wants to stand stands as long as its tyres hold what pushes it.
#[test]
fn who_is_held_by_his_tyres_is_not_pushed_away() {
    let place = Place::new();
    let mut tried = 0;
    for (name, other) in ROBOTS.iter().flat_map(|name| ROBOTS.map(|other| (*name, other))) {
        let (one, second) = (place.robot(name), place.robot(other));
        if one.mass_kg * one.traction_m_s2 > 0.9 * second.mass_kg * second.traction_m_s2 {
            continue;
        }
        tried += 1;
        for (law, dt_secs) in LAWS.iter().flat_map(|law| STEPS_SECS.map(|dt_secs| (*law, dt_secs))) {
            let apart_m = reach_m(&one) + reach_m(&second) + 0.02;
            let mut world = place.world(law, dt_secs, Vec::new(), &[(&one, 0.0), (&second, apart_m)]);
            let mut stood = Pose2::ORIGIN;
            drive(&mut world, dt_secs, 2.0, 0.3, |secs, world| {
                let (pose, twist) = at(world, 1);
                if secs <= 1.5 {
                    stood = pose;
                    return;
                }
                let moved_m = (pose.x_m - stood.x_m).hypot(pose.y_m - stood.y_m);
                let speed_m_s = twist.x_m_s.hypot(twist.y_m_s);
                assert!(
                    moved_m < 1e-4 && speed_m_s < still_m_s(law),
                    "{name} against {other}, {law:?}, {dt_secs} s: {moved_m} m, {speed_m_s} m/s"
                );
            });
            // It is pushed all the time: else there was nothing to hold.
            let gap_m = at(&world, 1).0.x_m - at(&world, 0).0.x_m;
            assert!(gap_m < apart_m, "{name} has not come to {other}");
            assert!(at(&world, 0).1.x_m_s.abs() < still_m_s(law), "{name} against {other} stands");
        }
    }
    assert!(tried >= 10, "{tried} pairs");
}

/// W4: who pushes one whose tyres do not hold accelerates both with what his tyres hold, less what the other's hold against it; no faster than he
/// would alone.
#[test]
fn who_is_not_held_is_pushed_by_the_sum_of_forces() {
    let place = Place::new();
    for name in ROBOTS {
        let one = place.robot(name);
        let (push_n, alone_m_s2) = (one.mass_kg * one.traction_m_s2, acceleration_m_s2(&place, &one));
        for (mass_kg, share) in [(5.0, 0.5), (40.0, 0.3), (40.0, 0.9), (one.mass_kg, 0.75)] {
            let mut spec = (*place.robot("round")).clone();
            (spec.mass_kg, spec.traction_m_s2) = (mass_kg, share * push_n / mass_kg);
            let second = Arc::new(spec);
            let expected_m_s2 = alone_m_s2.min((1.0 - share) * push_n / (one.mass_kg + mass_kg));
            for (law, dt_secs) in LAWS.iter().flat_map(|law| STEPS_SECS.map(|dt_secs| (*law, dt_secs))) {
                let apart_m = reach_m(&one) + reach_m(&second) + 0.001;
                let mut world = place.world(law, dt_secs, Vec::new(), &[(&one, 0.0), (&second, apart_m)]);
                // It comes slowly; then it pushes.
                drive(&mut world, dt_secs, 2.0, 0.2, |_, _| {});
                let before_m_s = at(&world, 1).1.x_m_s;
                drive(&mut world, dt_secs, 0.2, 5.0, |_, _| {});
                let reached = (at(&world, 1).1.x_m_s - before_m_s) / 0.2;
                assert!(
                    (reached / expected_m_s2 - 1.0).abs() < 0.01,
                    "{name} against {mass_kg} kg and {share}, {law:?}, {dt_secs} s: {reached} of {expected_m_s2} m/s^2"
                );
            }
        }
    }
}

/// W4, R2: who drives against a wall comes to stand there, and starts back at once with all its acceleration.
#[test]
fn who_drives_against_a_wall_stands_and_starts_back_at_once() {
    let place = Place::new();
    for name in ROBOTS {
        let spec = place.robot(name);
        let gain_m_s2 = acceleration_m_s2(&place, &spec);
        for (law, dt_secs) in LAWS.iter().flat_map(|law| STEPS_SECS.map(|dt_secs| (*law, dt_secs))) {
            for speed_m_s in [0.3, 2.0] {
                let mut world = place.world(law, dt_secs, vec![wall(reach_m(&spec) + 0.3)], &[(&spec, 0.0)]);
                drive(&mut world, dt_secs, 6.0, speed_m_s, |secs, world| {
                    let twist = at(world, 0).1;
                    assert!(
                        secs < 5.0 || twist.x_m_s.abs() < still_m_s(law),
                        "{name}, {law:?}, {dt_secs} s, {speed_m_s} m/s, after {secs} s: {} m/s",
                        twist.x_m_s
                    );
                });
                drive(&mut world, dt_secs, 0.1, -5.0, |_, _| {});
                let (reached, expected) = (at(&world, 0).1.x_m_s, -0.1 * gain_m_s2);
                assert!(
                    (reached / expected - 1.0).abs() < 1e-4,
                    "{name}, {law:?}, {dt_secs} s: {reached} of {expected} m/s back"
                );
            }
        }
    }
}
