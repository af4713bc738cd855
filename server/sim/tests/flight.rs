//! Balls that fly, against closed forms, by both laws and at every length of step. (SL10)

#![allow(clippy::disallowed_methods, reason = "what is expected is worked out apart from what is tested")]

use crate::common::*;
use proptest::prelude::*;
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::view::Object;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, World};

const G: f64 = 9.81;
const RADIUS_M: f64 = 0.11;
/// Of the robots and walls of the tests.
const HEIGHT_M: f64 = 0.3;

fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TestFactory)).unwrap()
}

fn the_ball(world: &World) -> Object {
    *world.view().balls().next().unwrap()
}

fn order(action: Action) -> [Command; 1] {
    [Command { client: 1, sequence: 1, action }]
}

fn thrown(spec: BallSpec, position: [f64; 2], velocity: [f64; 2], z_m: f64, speed_m_s: f64) -> BallPlacement {
    BallPlacement { vertical: Vertical { z_m, speed_m_s }, ..ball(spec, position, velocity) }
}

fn robot(name: &str, spec: &RobotSpec, pose: Pose2) -> RobotPlacement {
    RobotPlacement {
        name: name.into(),
        team: None,
        spec: Arc::new(spec.clone()),
        pose: Some(pose),
        player: None,
    }
}

/// Height and vertical speed at a time of a ball that bounces on a floor at `floor_m`.
fn bounced(mut z_m: f64, mut speed_m_s: f64, restitution: f64, floor_m: f64, mut secs: f64) -> (f64, f64) {
    loop {
        let lands_secs = (speed_m_s + (speed_m_s * speed_m_s + 2.0 * G * (z_m - floor_m)).sqrt()) / G;
        if secs < lands_secs {
            return (z_m + speed_m_s * secs - G / 2.0 * secs * secs, speed_m_s - G * secs);
        }
        secs -= lands_secs;
        speed_m_s = restitution * (G * lands_secs - speed_m_s);
        z_m = floor_m;
        if speed_m_s < 0.1 {
            return (floor_m, 0.0);
        }
    }
}

/// SL10: each point of a flight is on the parabola, and each bounce is at its moment, so all later ones are: heights and times go down
/// as the powers of the restitution say, until a rebound is slower than 0.1 m/s.
#[test]
fn a_ball_flies_and_bounces_by_the_closed_form() {
    for (law, dt_secs) in laws_and_steps() {
        for (restitution, speed_m_s) in [(0.0, 4.9), (0.5, 3.3), (0.8, 2.6), (1.0, 2.0)] {
            let spec = BallSpec { bounce: restitution, ..FREE_BALL };
            let balls = vec![thrown(spec, [-1.0, 0.5], [2.0, -0.7], 0.0, speed_m_s)];
            let mut world = world(Scenario { physics: law, dt_secs, balls, ..empty_scenario() });
            let steps = (4.0 / dt_secs) as u64;
            for step in 1..=steps {
                world.step(&[]);
                let (ball, secs) = (the_ball(&world), step as f64 * dt_secs);
                let (z_m, rises_m_s) = bounced(0.0, speed_m_s, restitution, 0.0, secs);
                let case = format!("{law:?}, dt {dt_secs}, e {restitution}, at {secs} s");
                assert!((ball.vertical.z_m - z_m).abs() < 1e-9, "{case}: {} for {z_m} m", ball.vertical.z_m);
                // At the very moment of a bounce either speed is right.
                let is_bounce = z_m < 1e-9;
                let off = (ball.vertical.speed_m_s - rises_m_s).abs();
                assert!(is_bounce || off < 1e-8, "{case}: {off} m/s");
                assert!((ball.pose.x_m - (-1.0 + 2.0 * secs)).abs() < 1e-9, "{case}: {}", ball.pose.x_m);
                assert!((ball.pose.y_m - (0.5 - 0.7 * secs)).abs() < 1e-9, "{case}");
            }
            if restitution < 0.8 {
                assert!(the_ball(&world).vertical.is_on_floor(), "it has come to lie");
            }
        }
    }
}

/// SL10: gravity is the world's.
#[test]
fn gravity_is_set() {
    let balls = vec![thrown(FREE_BALL, [0.0; 2], [0.0; 2], 1.0, 0.0)];
    let mut world = world(Scenario { gravity_m_s2: 1.62, balls, ..empty_scenario() });
    (0..50).for_each(|_| drop(world.step(&[])));
    assert!((the_ball(&world).vertical.z_m - (1.0 - 1.62 / 8.0)).abs() < 1e-9);
}

/// A robot that kicks a ball at its foot, with a speed and an elevation.
fn kicked(spec: BallSpec, speed_m_s: f64, elevation_rad: f64) -> Scenario {
    let mut kicker = equipped_robot();
    let state = &mut kicker.manipulators[0].states[1];
    state.shapes.clear();
    let kick = state.kick.as_mut().unwrap();
    (kick.speed_m_s, kick.elevation_rad) = (speed_m_s, elevation_rad);
    Scenario {
        balls: vec![ball(spec, [0.35, 0.0], [0.0; 2])],
        robots: vec![robot("kicker", &kicker, Pose2::ORIGIN)],
        ..empty_scenario()
    }
}

fn kick(aim: Aim) -> [Command; 1] {
    order(Action::Manipulate { robot: 0, manipulator: "kicker".into(), state: "kick".into(), aim })
}

/// SL10: a chip kick flies as far and as high as speed and elevation say: `v^2 sin(2 a) / g` and `v^2 sin(a)^2 / 2 g`.
#[test]
fn a_chip_kick_has_its_range_and_height() {
    for (law, dt_secs) in laws_and_steps() {
        for elevation_rad in [0.2, 0.5, 0.785, 1.1] {
            let spec = BallSpec { bounce: 1.0, ..FREE_BALL };
            let scenario = kicked(spec, 4.0, elevation_rad);
            let mut world = world(Scenario { physics: law, dt_secs, ..scenario });
            world.step(&kick(Aim::strength(0.75)));
            let (sin, cos) = elevation_rad.sin_cos();
            let (along, up) = (3.0 * cos, 3.0 * sin);
            let flight_secs = 2.0 * up / G;
            // Over two flights: where and when the second begins is seen by where it leads.
            let steps = (1.9 * flight_secs / dt_secs) as u64;
            let mut highest_m = f64::NEG_INFINITY;
            for step in 2..=steps.max(2) {
                world.step(&[]);
                let (ball, secs) = (the_ball(&world), step as f64 * dt_secs);
                let (z_m, _) = bounced(0.0, up, 1.0, 0.0, secs);
                assert!((ball.vertical.z_m - z_m).abs() < 1e-9, "{law:?}, {dt_secs}, {elevation_rad}");
                assert!((ball.pose.x_m - 0.35 - along * secs).abs() < 1e-9);
                highest_m = highest_m.max(ball.vertical.z_m + ball.vertical.speed_m_s.powi(2) / 2.0 / G);
            }
            assert!((highest_m - up * up / 2.0 / G).abs() < 1e-9, "{highest_m}");
        }
    }
}

/// SL10: what a bounce takes of the speed along the floor is Coulomb's law: all that grips, or as much as friction can.
#[test]
fn a_bounce_grips_by_coulombs_law() {
    let (elevation_rad, speed_m_s) = (std::f64::consts::FRAC_PI_4, 4.0);
    let along = speed_m_s * elevation_rad.cos();
    for (deceleration_m_s2, dt_secs) in [(8.0, 0.01), (1.0, 0.01), (8.0, 0.05), (1.0, 0.002)] {
        let sliding = Some(Sliding { deceleration_m_s2, inertia_factor: 0.4 });
        let spec = BallSpec { bounce: 0.5, sliding, ..FREE_BALL };
        let mut world = world(Scenario { dt_secs, ..kicked(spec, speed_m_s, elevation_rad) });
        world.step(&kick(Aim::strength(1.0)));
        // The first flight, and half of the second: in the air nothing else takes from it.
        (0..(1.2 * 2.0 * along / G / dt_secs) as u64).for_each(|_| drop(world.step(&[])));
        let grips = along * 0.4 / 1.4;
        let slips = deceleration_m_s2 / G * 1.5 * along;
        let left = the_ball(&world).twist.x_m_s;
        assert!((left - (along - grips.min(slips))).abs() < 1e-9, "{deceleration_m_s2}: {left} m/s");
    }
}

/// What becomes of a ball that flies at something from `x_m` on to `end_m`, from `bottom_m` to `top_m` high.
#[derive(Debug, PartialEq)]
enum Fate {
    Over,
    Under,
    Meets,
    /// Its lower or upper face meets it within.
    Bumps,
}

fn fate(along: f64, up: f64, [x_m, end_m]: [f64; 2], [bottom_m, top_m]: [f64; 2]) -> (Fate, f64) {
    let z = |secs: f64| up * secs - G / 2.0 * secs * secs;
    let (first, last) = (z(x_m / along), z(end_m / along));
    let highest = if (x_m..=end_m).contains(&(along * up / G)) { up * up / 2.0 / G } else { first.max(last) };
    let ball_m = 2.0 * RADIUS_M;
    // How near the nearest other fate is.
    let margin = |edges: &[f64]| edges.iter().map(|edge| edge.abs()).fold(f64::INFINITY, f64::min);
    if first >= top_m {
        let fate = if last >= top_m { Fate::Over } else { Fate::Bumps };
        (fate, margin(&[first - top_m, last - top_m]))
    } else if first + ball_m <= bottom_m {
        let fate = if highest + ball_m <= bottom_m { Fate::Under } else { Fate::Bumps };
        (fate, margin(&[first + ball_m - bottom_m, highest + ball_m - bottom_m]))
    } else {
        (Fate::Meets, margin(&[first - top_m, first + ball_m - bottom_m]))
    }
}

/// SL10: a ball clears a robot of a height, comes down on it, or meets it, as the parabola says, for a sweep of elevations.
#[test]
fn a_ball_clears_a_robot_or_meets_it() {
    let mut fates = [0; 3];
    for (law, dt_secs) in laws_and_steps() {
        for step in 0..45 {
            let elevation_rad: f64 = 0.1 + 0.03 * f64::from(step);
            let (up, along) = (4.5 * elevation_rad.sin(), 4.5 * elevation_rad.cos());
            let way = [1.0 - 0.2 - RADIUS_M, 1.0 + 0.2 + RADIUS_M];
            let flight_m = 2.0 * up * along / G;
            let (fate, margin_m) = fate(along, up, way, [-1.0, HEIGHT_M]);
            // One that comes down on the floor before is another story.
            if flight_m < way[1] || margin_m < 1e-6 {
                continue;
            }
            let spec = BallSpec { bounce: 0.9, ..FREE_BALL };
            let mut world = world(Scenario {
                physics: law,
                dt_secs,
                balls: vec![thrown(spec, [0.0; 2], [along, 0.0], 0.0, up)],
                robots: vec![robot("r", &disc_robot(), Pose2::new(1.0, 0.0, 0.0))],
                ..empty_scenario()
            });
            let secs = way[1] / along;
            (0..(secs / dt_secs).ceil() as u64).for_each(|_| drop(world.step(&[])));
            let ball = the_ball(&world);
            let case = format!("{law:?}, dt {dt_secs}, {elevation_rad} rad: {fate:?}, {ball:?}");
            match fate {
                Fate::Over => {
                    assert_eq!(ball.twist.x_m_s, along, "{case}");
                    fates[0] += 1;
                }
                Fate::Bumps => {
                    assert!(ball.twist.x_m_s == along && ball.vertical.speed_m_s > 0.0, "{case}");
                    fates[1] += 1;
                }
                Fate::Meets => {
                    assert!(ball.twist.x_m_s < 0.0, "{case}");
                    fates[2] += 1;
                }
                Fate::Under => unreachable!("it stands on the floor"),
            }
        }
    }
    assert!(fates.iter().all(|&count| count >= 10), "all were tried: {fates:?}");
}

fn bar(x_m: f64, z_m: [f64; 2]) -> Fixture {
    let mut bar = wall(x_m, 0.0, 0.04, 3.0);
    bar.primitive.z_m = z_m;
    bar
}

/// SL10: under a crossbar, against its face, against its underside or over it, as the parabola says.
#[test]
fn a_ball_goes_under_or_over_a_crossbar() {
    let mut fates = [0; 3];
    for (law, dt_secs) in laws_and_steps() {
        for step in 0..45 {
            let elevation_rad: f64 = 0.1 + 0.03 * f64::from(step);
            let (up, along) = (5.0 * elevation_rad.sin(), 5.0 * elevation_rad.cos());
            let way = [1.2 - 0.02 - RADIUS_M, 1.2 + 0.02 + RADIUS_M];
            let (fate, margin_m) = fate(along, up, way, [0.6, 0.7]);
            if 2.0 * up * along / G < way[1] || margin_m < 1e-6 {
                continue;
            }
            let mut world = world(Scenario {
                physics: law,
                dt_secs,
                fixtures: vec![bar(1.2, [0.6, 0.7])],
                balls: vec![thrown(FREE_BALL, [0.0; 2], [along, 0.0], 0.0, up)],
                ..empty_scenario()
            });
            (0..(way[1] / along / dt_secs).ceil() as u64).for_each(|_| drop(world.step(&[])));
            let ball = the_ball(&world);
            let case = format!("{law:?}, dt {dt_secs}, {elevation_rad} rad: {fate:?}, {ball:?}");
            match fate {
                Fate::Over | Fate::Under => assert_eq!(ball.twist.x_m_s, along, "{case}"),
                Fate::Meets => assert!((ball.twist.x_m_s + 0.5 * along).abs() < 1e-9, "{case}"),
                Fate::Bumps => continue,
            }
            fates[fate as usize] += 1;
        }
    }
    assert!(fates.iter().all(|&count| count >= 10), "all were tried: {fates:?}");
}

/// SL10: a ball that rises straight up against a bar comes down again, at the moment and with the part of its speed that are due.
#[test]
fn a_ball_bumps_its_head() {
    for (law, dt_secs) in laws_and_steps() {
        let spec = BallSpec { bounce: 0.6, ..FREE_BALL };
        let mut world = world(Scenario {
            physics: law,
            dt_secs,
            fixtures: vec![bar(0.0, [1.0, 1.1])],
            balls: vec![thrown(spec, [0.0; 2], [0.0; 2], 0.0, 5.0)],
            ..empty_scenario()
        });
        let highest_m = 1.0 - 2.0 * RADIUS_M;
        let met_m_s = (25.0 - 2.0 * G * highest_m).sqrt();
        let met_secs = (5.0 - met_m_s) / G;
        let steps = (0.3 / dt_secs) as u64;
        (0..steps).for_each(|_| drop(world.step(&[])));
        let secs = steps as f64 * dt_secs - met_secs;
        let z_m = highest_m - 0.6 * met_m_s * secs - G / 2.0 * secs * secs;
        assert!((the_ball(&world).vertical.z_m - z_m).abs() < 1e-9, "{law:?}, {dt_secs}");
    }
}

/// SL10: a robot's top is a floor: a ball bounces there and stays; when the robot goes away it falls.
#[test]
fn a_ball_lies_on_a_robot_until_it_goes() {
    for (law, dt_secs) in laws_and_steps() {
        let spec = BallSpec { bounce: 0.5, ..FREE_BALL };
        let mut world = world(Scenario {
            physics: law,
            dt_secs,
            balls: vec![thrown(spec, [0.05, 0.0], [0.0; 2], 0.8, 0.0)],
            robots: vec![robot("r", &disc_robot(), Pose2::ORIGIN)],
            ..empty_scenario()
        });
        for step in 1..=(1.5 / dt_secs) as u64 {
            world.step(&[]);
            let (z_m, _) = bounced(0.8, 0.0, 0.5, HEIGHT_M, step as f64 * dt_secs);
            assert!((the_ball(&world).vertical.z_m - z_m).abs() < 1e-9, "{law:?}, dt {dt_secs}");
        }
        assert_eq!(the_ball(&world).vertical, Vertical { z_m: HEIGHT_M, speed_m_s: 0.0 });
        let away = order(Action::SetTwist(0, Twist2::new(1.0, 0.0, 0.0)));
        (0..(1.5 / dt_secs) as u64).for_each(|_| drop(world.step(&away)));
        assert!(the_ball(&world).vertical.is_on_floor(), "{law:?}, dt {dt_secs}");
        assert!((the_ball(&world).pose.x_m - 0.05).abs() < 1e-9, "it fell straight down");
    }
}

/// SL10: a robot passes under a bar that is higher than it is, and not under one that is lower; so does a ball on the floor.
#[test]
fn who_is_lower_passes_under_a_bar() {
    for (law, dt_secs) in laws_and_steps() {
        for (bottom_m, passes) in [(0.31, true), (0.25, false)] {
            let mut world = world(Scenario {
                physics: law,
                dt_secs,
                fixtures: vec![bar(1.0, [bottom_m, 0.5])],
                balls: vec![ball(FREE_BALL, [0.0, 1.0], [1.5, 0.0])],
                robots: vec![robot("r", &disc_robot(), Pose2::ORIGIN)],
                ..empty_scenario()
            });
            let on = order(Action::SetTwist(0, Twist2::new(1.0, 0.0, 0.0)));
            (0..(2.0 / dt_secs) as u64).for_each(|_| drop(world.step(&on)));
            let robot = world.view().robots().next().unwrap().pose.x_m;
            assert_eq!(robot > 1.5, passes, "{law:?}, dt {dt_secs}, {bottom_m} m: it is at {robot} m");
            assert!((the_ball(&world).pose.x_m - 3.0).abs() < 1e-9, "the ball is lower");
        }
    }
}

/// R5: a ball above a manipulator's reach is neither kicked nor held, and no robot has it.
#[test]
fn a_ball_above_a_robots_reach_is_not_kicked() {
    for (z_m, is_kicked) in [(0.05, true), (0.5, false)] {
        let mut scenario = kicked(FREE_BALL, 4.0, 0.0);
        scenario.balls[0].vertical.z_m = z_m;
        let mut world = world(scenario);
        assert_eq!(world.frame().robots[0].manipulators[0].has_ball == 1, is_kicked);
        world.step(&kick(Aim::strength(1.0)));
        let ball = the_ball(&world);
        assert_eq!(ball.twist.x_m_s, if is_kicked { 4.0 } else { 0.0 }, "at {z_m} m");
    }
}

/// R5: direction and elevation are the command's where the robot file leaves them to it, as far as it says; otherwise they are refused.
#[test]
fn a_kick_takes_direction_and_elevation_where_it_may() {
    let aim = Aim::strength(1.0);
    let mut scenario = kicked(FREE_BALL, 4.0, 0.0);
    let refused = |scenario: &Scenario, aim| world(scenario.clone()).step(&kick(aim))[0].result.is_err();
    assert!(refused(&scenario, aim.elevated(0.5)) && refused(&scenario, aim.directed(0.1)));
    assert!(!refused(&scenario, aim));
    let spec = Arc::make_mut(&mut scenario.robots[0].spec);
    let may = spec.manipulators[0].states[1].kick.as_mut().unwrap();
    (may.direction_range_rad, may.elevation_range_rad) = (Some([-0.3, 0.3]), Some([0.0, 1.0]));
    assert!(refused(&scenario, aim.elevated(1.1)) && refused(&scenario, aim.elevated(f64::NAN)));
    assert!(refused(&scenario, aim.directed(-0.4)));
    let mut world = world(scenario);
    world.step(&kick(aim.elevated(0.8).directed(-0.25)));
    let (ball, along, up) = (the_ball(&world), 4.0 * 0.8_f64.cos(), 4.0 * 0.8_f64.sin() - G * 0.01);
    let expected = [along * 0.25_f64.cos(), -along * 0.25_f64.sin(), up];
    let got = [ball.twist.x_m_s, ball.twist.y_m_s, ball.vertical.speed_m_s];
    assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?}, {expected:?}");
}

/// W7: a snapshot in mid-air goes on as the original does, and a ball in the air is in the state's hash.
#[test]
fn a_snapshot_in_the_air_goes_on() {
    let mut one = world(Scenario {
        fixtures: room(4.0, 3.0),
        balls: vec![thrown(FREE_BALL, [0.0; 2], [3.0, 1.0], 0.0, 4.0)],
        robots: vec![robot("r", &equipped_robot(), Pose2::new(1.2, 0.3, 0.5))],
        ..empty_scenario()
    });
    (0..20).for_each(|_| drop(one.step(&[])));
    let (snapshot, hash) = (one.snapshot(), one.state_hash());
    let place =
        |vertical| order(Action::PlaceBall { ball: 0, position: [0.0; 2], velocity: [0.0; 2], vertical });
    let mut two = one.fork();
    let mut hashes = Vec::new();
    for z_m in [0.0, 0.5, 0.6] {
        two.apply(&place(Vertical { z_m, speed_m_s: 0.0 }));
        hashes.push(two.state_hash());
    }
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    two.restore(&snapshot);
    assert_eq!(two.state_hash(), hash);
    for _ in 0..300 {
        one.step(&[]);
        two.step(&[]);
        assert_eq!(one.state_hash(), two.state_hash());
    }
}

/// W4: what is no place and no speed is refused.
#[test]
fn a_ball_is_not_put_below_the_floor() {
    let mut world = world(Scenario { balls: vec![ball(FREE_BALL, [0.0; 2], [0.0; 2])], ..empty_scenario() });
    for (z_m, speed_m_s) in [(-0.1, 0.0), (f64::NAN, 0.0), (101.0, 0.0), (0.0, f64::NAN), (0.0, 51.0)] {
        let vertical = Vertical { z_m, speed_m_s };
        let place = Action::PlaceBall { ball: 0, position: [0.0; 2], velocity: [0.0; 2], vertical };
        assert!(world.step(&order(place))[0].result.is_err(), "{vertical:?}");
    }
}

/// A room with things of all heights, for a ball that is thrown about.
fn cluttered(law: PhysicsLaw, dt_secs: f64, ball: BallPlacement) -> Scenario {
    let box_ = |x_m, y_m, z_m| {
        let mut fixture = wall(x_m, y_m, 0.4, 0.3);
        fixture.primitive.z_m = z_m;
        fixture
    };
    let mut fixtures = room(4.0, 3.0);
    fixtures.iter_mut().for_each(|wall| wall.primitive.z_m = [0.0, 90.0]);
    let boxes = [[0.0, 0.2], [0.5, 0.6], [0.0, 0.9], [0.3, 0.8]];
    let places = [[1.0, 0.5], [-1.0, 0.6], [0.9, -0.7], [-0.8, -0.5]];
    fixtures.extend(places.into_iter().zip(boxes).map(|([x, y], z_m)| box_(x, y, z_m)));
    Scenario { physics: law, dt_secs, fixtures, balls: vec![ball], ..empty_scenario() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// SL10: energy never grows, and a ball is never below the floor nor in anything that is level with it.
    #[test]
    fn a_thrown_ball_gains_no_energy(
        velocity in [-4.0..4.0f64, -4.0..4.0f64], up in 0.0..5.0f64, bounce in 0.0..=1.0f64, step in 0usize..6,
    ) {
        for law in [PhysicsLaw::Rigid, DISCS] {
            let spec = BallSpec { bounce, ..FREE_BALL };
            let scenario = cluttered(law, STEPS_SECS[step], thrown(spec, [0.0; 2], velocity, 0.0, up));
            let fixtures = scenario.fixtures.clone();
            let mut world = world(scenario);
            let energy = |ball: &Object| {
                let squares = [ball.twist.x_m_s, ball.twist.y_m_s, ball.vertical.speed_m_s].map(|v| v * v);
                let spin = ball.twist.turn_rad_s * RADIUS_M;
                squares.iter().sum::<f64>() / 2.0 + spin * spin / 4.0 + G * ball.vertical.z_m
            };
            let mut last = energy(&the_ball(&world));
            for _ in 0..(3.0 / STEPS_SECS[step]) as u64 {
                world.step(&[]);
                let ball = the_ball(&world);
                let now = energy(&ball);
                prop_assert!(now <= last + 1e-9, "{law:?}: {last} to {now}");
                last = now;
                let low = ball.vertical.z_m;
                prop_assert!(low >= 0.0);
                for fixture in &fixtures {
                    let Primitive { pose, z_m, outline: Outline::Rectangle { length_m, width_m }, .. } = fixture.primitive
                    else { continue };
                    let out = |at: f64, middle: f64, size: f64| ((at - middle).abs() - size / 2.0).max(0.0);
                    let (x, y) = (out(ball.pose.x_m, pose.x_m, length_m), out(ball.pose.y_m, pose.y_m, width_m));
                    let is_level = low < z_m[1] - 1e-6 && low + 2.0 * RADIUS_M > z_m[0] + 1e-6;
                    prop_assert!(!is_level || x.hypot(y) > RADIUS_M - 1e-6, "{law:?}: in {z_m:?} at {ball:?}");
                }
            }
        }
    }

    /// SL10: mirrored, and turned by a quarter, all goes the same way.
    #[test]
    fn a_flight_mirrored_and_turned_is_the_same(
        velocity in [-4.0..4.0f64, -4.0..4.0f64], up in 1.0..5.0f64, step in 1usize..6,
    ) {
        let run = |of: fn([f64; 2]) -> [f64; 2], is_turned: bool| {
            let spec = BallSpec { bounce: 0.7, ..FREE_BALL };
            let mut scenario = cluttered(PhysicsLaw::Rigid, STEPS_SECS[step], thrown(spec, [0.0; 2], of(velocity), 0.0, up));
            for fixture in &mut scenario.fixtures {
                let pose = &mut fixture.primitive.pose;
                [pose.x_m, pose.y_m] = of([pose.x_m, pose.y_m]);
                if let (true, Outline::Rectangle { length_m, width_m }) = (is_turned, &mut fixture.primitive.outline) {
                    std::mem::swap(length_m, width_m);
                }
            }
            let mut world = world(scenario);
            (0..(0.8 / STEPS_SECS[step]) as u64).for_each(|_| drop(world.step(&[])));
            let ball = the_ball(&world);
            ([ball.pose.x_m, ball.pose.y_m], ball.vertical.z_m)
        };
        let (place, z_m) = run(|place| place, false);
        let mirror: fn([f64; 2]) -> [f64; 2] = |[x, y]| [x, -y];
        let turn: fn([f64; 2]) -> [f64; 2] = |[x, y]| [-y, x];
        for (of, is_turned) in [(mirror, false), (turn, true)] {
            let (other, other_z_m) = run(of, is_turned);
            let expected = of(place);
            let off = (other[0] - expected[0]).abs().max((other[1] - expected[1]).abs()).max((other_z_m - z_m).abs());
            prop_assert!(off < 1e-6, "{off} m off");
        }
    }
}
