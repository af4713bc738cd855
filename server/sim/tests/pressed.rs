//! Balls that are pressed: against boards, posts, robots and each other, at every length of step. (W4, R2, R5)

use crate::common::*;
use crate::contacts::*;
use std::f64::consts::PI;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, World};

/// A Small Size ball.
const SMALL_BALL: BallSpec =
    BallSpec { radius_m: 0.0215, mass_kg: 0.046, rolling_resistance_m_s2: 0.3, ..FREE_BALL };

/// W4: a ball that one robot presses against another, which stands on ice, without restitution: afterwards all three go as one body with
/// the momentum that the first had, however much lighter the ball is.
#[test]
fn a_pressed_ball_goes_as_the_robots_do() {
    for (physics, dt_secs, mass_ratio) in
        laws_and_steps().flat_map(|(law, dt)| [5.0, 60.0, 2000.0].map(|ratio| (law, dt, ratio)))
    {
        let (body, half_m) = if physics == DISCS { (disc_robot(), 0.2) } else { (square_robot(1.0), 0.15) };
        let spec = |factor: f64, traction_m_s2| RobotSpec {
            mass_kg: factor * mass_ratio * SMALL_BALL.mass_kg,
            traction_m_s2,
            ..body.clone()
        };
        let free = BallSpec { rolling_resistance_m_s2: 0.0, ..SMALL_BALL };
        let reach_m = half_m + SMALL_BALL.radius_m;
        let scenario = Scenario {
            physics,
            dt_secs,
            surface: slippery(0.0),
            robots: vec![
                robot("drives", spec(1.0, 1e4), Pose2::new(-reach_m - 0.013, 0.0, 0.0)),
                robot("stands", spec(3.0, 1e-9), Pose2::new(reach_m + 1e-9, 0.0, 0.0)),
            ],
            balls: vec![ball(free, [0.0, 0.0], [0.0, 0.0])],
            ..empty_scenario()
        };
        let mut world = world(scenario);
        while velocity(&world)[0] == 0.0 {
            assert!(world.step_count() < 1000, "they never meet");
            world.step(&[set_twist(0, Twist2::new(1.0, 0.0, 0.0))]);
        }
        let expected = mass_ratio / (4.0 * mass_ratio + 1.0);
        let robots: Vec<f64> = world.view().robots().map(|robot| robot.twist.x_m_s).collect();
        for got in [velocity(&world)[0], robots[0], robots[1]] {
            assert!(
                (got - expected).abs() < 1e-6,
                "{physics:?}, dt {dt_secs}, 1:{mass_ratio}: {got} for {expected}"
            );
        }
    }
}

/// W4, R2: a robot that gains speed and pushes a ball tells what the momentum law says, at the end of every step: the force of its drive has gone
/// into both.
#[test]
fn who_pushes_a_ball_keeps_the_momentum_law() {
    for ((physics, dt_secs), e) in laws_and_steps().flat_map(|one| [(one, 0.0), (one, 0.6)]) {
        let spec = RobotSpec { motion: choice("gaining"), mass_kg: 5.0, traction_m_s2: 20.0, ..disc_robot() };
        let free = BallSpec { rolling_resistance_m_s2: 0.0, ..FREE_BALL };
        let scenario = Scenario {
            physics,
            dt_secs,
            surface: slippery(e),
            robots: vec![robot("r", spec, Pose2::ORIGIN)],
            balls: vec![ball(free, [0.2 + free.radius_m + 0.013, 0.0], [0.0; 2])],
            ..empty_scenario()
        };
        let mut world = world(scenario);
        let mass_kg = 5.0;
        for step in 1..=(0.5 / dt_secs) as usize {
            world.step(&[set_twist(0, Twist2::new(3.0, 0.0, 0.0))]);
            let robot_m_s = world.view().robot(0).unwrap().twist.x_m_s;
            let momentum = mass_kg * robot_m_s + free.mass_kg * velocity(&world)[0];
            let expected = mass_kg * GAINS_M_S2 * step as f64 * dt_secs;
            assert!(
                (momentum - expected).abs() < 1e-6 * expected,
                "{physics:?}, dt {dt_secs}, e {e}, step {step}: {momentum} for {expected}"
            );
        }
        assert!(velocity(&world)[0] > 1.0, "{physics:?}, dt {dt_secs}, e {e}: it is pushed");
    }
}

/// W4: a ball that robots press against a board, a post, into a corner or against each other never leaves, and nothing goes deep
/// into it.
#[test]
fn a_pressed_ball_stays() {
    press_everywhere(PhysicsLaw::Rigid);
}

/// W4: the same among discs.
#[test]
fn a_ball_that_discs_press_stays() {
    press_everywhere(DISCS);
}

fn press_everywhere(physics: PhysicsLaw) {
    let specs = carried(physics, [disc_robot(), square_robot(1.0)]);
    for dt_secs in STEPS_SECS {
        for speed in [0.5, 1.5, 3.0] {
            for ball_spec in [FREE_BALL, SMALL_BALL] {
                for mass_ratio in [5.0, 60.0] {
                    for scene in 0..5 {
                        for (spec_index, spec) in specs.iter().enumerate() {
                            let spec = RobotSpec { mass_kg: mass_ratio * ball_spec.mass_kg, ..spec.clone() };
                            press((physics, dt_secs), speed, ball_spec, scene, &spec)
                                .map_err(|error| {
                                    format!("dt {dt_secs}, {speed} m/s, ball {} m, 1:{mass_ratio}, scene {scene}, robot {spec_index}: {error}", ball_spec.radius_m)
                                })
                                .unwrap();
                        }
                    }
                }
            }
        }
    }
}

fn press(
    (physics, dt_secs): (PhysicsLaw, f64),
    speed: f64,
    ball_spec: BallSpec,
    scene: usize,
    spec: &RobotSpec,
) -> Result<(), String> {
    let r = ball_spec.radius_m;
    // A thin board at x = 1 from outside of which there is no way back.
    let boards = vec![
        wall(1.025, 0.0, 0.05, 6.0),
        wall(-3.025, 0.0, 0.05, 6.0),
        wall(-1.0, 3.025, 4.0, 0.05),
        wall(-1.0, -3.025, 4.0, 0.05),
    ];
    let (fixtures, at) = match scene {
        0 => (boards, [1.0 - r, 0.03]),
        1 => (boards, [1.0 - r - 0.013, 0.1]),
        2 => (boards, [1.0 - r, 3.0 - r]),
        3 => {
            let primitive = primitive(Outline::circle(0.05), Pose2::new(1.0, 0.0, 0.0));
            (vec![Fixture { primitive, ..wall(0.0, 0.0, 1.0, 1.0) }], [0.95 - r, 0.004])
        }
        _ => (vec![], [0.0, 0.0]),
    };
    let mut robots = vec![];
    let towards = |from: [f64; 2]| libm::atan2(at[1] - from[1], at[0] - from[0]);
    let from = match scene {
        2 => [at[0] - 0.6, at[1] - 0.6],
        1 => [at[0] - 0.6, at[1] - 0.25],
        _ => [at[0] - 0.6, at[1]],
    };
    robots.push(robot("a", spec.clone(), Pose2::new(from[0], from[1], towards(from))));
    if scene == 4 {
        robots.push(robot("b", spec.clone(), Pose2::new(0.7, 0.02, PI)));
    }
    let count = robots.len() as u32;
    let scenario = Scenario {
        physics,
        dt_secs,
        fixtures,
        robots,
        balls: vec![ball(ball_spec, at, [0.0, 0.0])],
        ..empty_scenario()
    };
    let mut world = world(scenario);
    let mut deep_steps = 0;
    for _ in 0..(1.2 / dt_secs) as usize {
        let commands: Vec<_> = (0..count).map(|n| set_twist(n, Twist2::new(speed, 0.0, 0.0))).collect();
        world.step(&commands);
        let [x, y] = position(&world);
        if scene < 3 && (x > 1.0 || y.abs() > 3.0) {
            return Err(format!("the ball is outside, at {x}, {y}"));
        }
        let in_board = if scene < 3 { (x + r - 1.0).max(y.abs() + r - 3.0) } else { 0.0 };
        let in_post = if scene == 3 { 0.05 + r - libm::hypot(x - 1.0, y) } else { 0.0 };
        let in_robots = (0..count)
            .map(|n| depth_in(spec, world.view().robot(n).unwrap().pose, [x, y], r))
            .fold(0.0, f64::max);
        let deep = in_board.max(in_post).max(in_robots);
        deep_steps = if deep > 0.1 * r { deep_steps + 1 } else { 0 };
        if deep_steps > 1 {
            return Err(format!("{deep} m deep: board {in_board}, post {in_post}, robots {in_robots}"));
        }
    }
    Ok(())
}

/// W4, R2: robots that drive at each other or at a wall touch, and do not sink in: discs not at all.
#[test]
fn robots_do_not_sink_in() {
    for (physics, dt_secs) in laws_and_steps() {
        let allowed_m = if physics == DISCS { 1e-6 } else { 0.004 };
        for speed in [0.5, 2.0, 3.0] {
            for phase in [0.0, 0.3, 0.7] {
                let spec = disc_robot;
                let robots = vec![
                    robot("a", spec(), Pose2::new(-0.6 - phase * speed * dt_secs, 0.0, 0.0)),
                    robot("b", spec(), Pose2::new(0.6, 0.05, PI)),
                    robot("c", spec(), Pose2::new(0.6, 3.0, 0.0)),
                ];
                let fixtures = vec![wall(1.5, 3.0, 0.4, 2.0)];
                let mut world = world(Scenario { physics, dt_secs, robots, fixtures, ..empty_scenario() });
                let mut deepest: [f64; 2] = [0.0; 2];
                for _ in 0..(1.0 / dt_secs) as usize {
                    let commands: Vec<_> =
                        (0..3).map(|n| set_twist(n, Twist2::new(speed, 0.0, 0.0))).collect();
                    world.step(&commands);
                    let pose = |n| world.view().robot(n).unwrap().pose;
                    deepest[0] = deepest[0].max(0.4 - pose(0).distance_m(pose(1)));
                    deepest[1] = deepest[1].max(pose(2).x_m + 0.2 - 1.3);
                }
                assert!(
                    deepest[0].max(deepest[1]) < allowed_m,
                    "{physics:?}, dt {dt_secs}, {speed} m/s: {deepest:?} m deep"
                );
            }
        }
    }
}

/// W4: a robot that pushes a robot that pushes the ball to a board: the ball stays, and nobody goes deep into it.
#[test]
fn a_chain_of_robots_does_not_squeeze_the_ball_out() {
    for (physics, dt_secs) in laws_and_steps() {
        for spec in carried(physics, [disc_robot(), square_robot(20.0)]) {
            let robots = vec![
                robot("a", spec.clone(), Pose2::new(0.0, 0.0, 0.0)),
                robot("b", spec.clone(), Pose2::new(-0.6, 0.01, 0.0)),
                robot("c", spec.clone(), Pose2::new(-1.2, -0.01, 0.0)),
            ];
            let fixtures = vec![wall(1.025, 0.0, 0.05, 6.0)];
            let balls = vec![ball(FREE_BALL, [1.0 - 0.11, 0.02], [0.0; 2])];
            let mut world = world(Scenario { physics, dt_secs, robots, fixtures, balls, ..empty_scenario() });
            let mut deep_steps = 0;
            for _ in 0..(2.0 / dt_secs) as usize {
                let push = |n| set_twist(n, Twist2::new(2.0, 0.0, 0.0));
                world.step(&[push(0), push(1), push(2)]);
                let [x, y] = position(&world);
                let robots =
                    (0..3).map(|n| depth_in(&spec, world.view().robot(n).unwrap().pose, [x, y], 0.11));
                let deep = robots.fold(x + 0.11 - 1.0, f64::max);
                deep_steps = if deep > 0.011 { deep_steps + 1 } else { 0 };
                assert!(x < 1.0 && deep_steps < 2, "{physics:?}, dt {dt_secs}: {deep} m deep");
            }
        }
    }
}

/// W4, R5: a plate that comes out where a ball lies at a board pushes the robot back, and not the ball through the board.
#[test]
fn a_plate_that_comes_out_leaves_the_ball_in_the_field() {
    for (physics, dt_secs) in laws_and_steps() {
        let fixtures = vec![wall(0.465, 0.0, 0.05, 6.0)];
        let balls = vec![ball(FREE_BALL, [0.44 - 0.11, 0.0], [0.0; 2])];
        let robots = vec![robot("r", equipped_robot(), Pose2::ORIGIN)];
        let mut world = world(Scenario { physics, dt_secs, robots, fixtures, balls, ..empty_scenario() });
        let kick = Action::Manipulate {
            robot: 0,
            manipulator: "kicker".into(),
            state: "kick".into(),
            aim: Aim::strength(1.0),
        };
        world.step(&[Command { client: 1, sequence: 0, action: kick }]);
        for _ in 0..(0.5 / dt_secs) as usize {
            let [x, _] = position(&world);
            assert!(x <= 0.44 - 0.11 + 1e-6, "{physics:?}, dt {dt_secs}: the ball is at {x}");
            world.step(&[]);
        }
    }
}

/// W4: thirty balls that meet in a narrow room keep out of each other and of the walls, and lose energy only.
#[test]
fn many_balls_meet_in_a_room() {
    for (physics, dt_secs) in laws_and_steps() {
        let at = |n: usize| [f64::from((n % 6) as u32) * 0.3 - 0.75, f64::from((n / 6) as u32) * 0.3 - 0.6];
        let speed = |n: usize| libm::sincos(n as f64 * 2.4);
        let balls = (0..30).map(|n| ball(FREE_BALL, at(n), [3.0 * speed(n).0, 3.0 * speed(n).1])).collect();
        let mut world =
            world(Scenario { physics, dt_secs, fixtures: room(2.0, 1.6), balls, ..empty_scenario() });
        let energy = |world: &World| -> f64 {
            let moving = |ball: &touchline_plugin_api::view::Object| {
                let (twist, spin) = (ball.twist, ball.twist.turn_rad_s * 0.11);
                twist.x_m_s * twist.x_m_s + twist.y_m_s * twist.y_m_s + spin * spin / 2.0
            };
            world.view().balls().map(moving).sum()
        };
        let mut before = energy(&world);
        for _ in 0..(0.4 / dt_secs) as usize {
            world.step(&[]);
            let places: Vec<[f64; 2]> = world.view().balls().map(|b| [b.pose.x_m, b.pose.y_m]).collect();
            for (index, [x, y]) in places.iter().enumerate() {
                let deep = (x.abs() + 0.11 - 1.0).max(y.abs() + 0.11 - 0.8);
                assert!(deep < 1e-3, "{physics:?}, dt {dt_secs}: {deep} m in a wall");
                for [u, v] in &places[..index] {
                    let apart = libm::hypot(x - u, y - v);
                    assert!(apart > 0.22 - 1e-3, "{physics:?}, dt {dt_secs}: two balls are {apart} m apart");
                }
            }
            let now = energy(&world);
            assert!(now <= before * (1.0 + 1e-9), "{physics:?}, dt {dt_secs}: energy {before} to {now}");
            before = now;
        }
    }
}

/// W4: in a crowd of robots that drive about at full speed no ball leaves the room, and none is deep in a robot for more than a step.
#[test]
fn a_crowd_keeps_its_balls() {
    for (physics, dt_secs) in laws_and_steps() {
        let spec = if physics == DISCS { disc_robot() } else { square_robot(20.0) };
        let robots = (0..6).map(|n| {
            let pose = Pose2::new(f64::from(n % 3) - 1.0, f64::from(n / 3) * 1.2 - 0.6, f64::from(n));
            robot(&format!("r{n}"), spec.clone(), pose)
        });
        let balls =
            (0..3).map(|n| ball(FREE_BALL, [f64::from(n) * 0.8 - 0.8, 0.0], [8.0, f64::from(n) - 1.0]));
        let (robots, balls) = (robots.collect(), balls.collect());
        let mut world =
            world(Scenario { physics, dt_secs, robots, balls, fixtures: room(3.6, 2.6), ..empty_scenario() });
        let mut deep_steps = [0; 3];
        for step in 0..(4.0 / dt_secs) as u32 {
            let turn = |n: u32| 3.0 * libm::sin(f64::from(step) * dt_secs * 2.0 + f64::from(n) * 1.7);
            let commands: Vec<_> = (0..6).map(|n| set_twist(n, Twist2::new(2.0, 0.0, turn(n)))).collect();
            world.step(&commands);
            let view = world.view();
            for (number, ball) in view.balls().enumerate() {
                let at = [ball.pose.x_m, ball.pose.y_m];
                assert!(
                    at[0].abs() < 1.8 && at[1].abs() < 1.3,
                    "{physics:?}, dt {dt_secs}, step {step}: a ball is at {at:?}"
                );
                let depth = |n| depth_in(&spec, view.robot(n).unwrap().pose, at, 0.11);
                let deep = (0..6).map(depth).fold((at[0].abs() - 1.69).max(at[1].abs() - 1.19), f64::max);
                deep_steps[number] = if deep > 0.011 { deep_steps[number] + 1 } else { 0 };
                assert!(
                    deep_steps[number] < 2,
                    "{physics:?}, dt {dt_secs}, step {step}: ball {number} is {deep} m deep"
                );
            }
        }
    }
}
