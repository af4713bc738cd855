//! The laws of motion, tested on worlds made at random: nothing here compares with recorded output. [W4, W5, R2]

use crate::common::*;
use proptest::prelude::*;
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::view::Object;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, EventKind, World};

fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TestFactory)).unwrap()
}

fn balls(world: &World) -> Vec<Object> {
    world.view().balls().copied().collect()
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(&[]);
    }
}

/// Mass times velocity, and angular momentum about the world's origin of solid discs.
fn momenta(balls: &[Object], specs: &[BallSpec]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (ball, spec) in balls.iter().zip(specs) {
        let (m, v, p) = (spec.mass_kg, ball.twist, ball.pose);
        sum[0] += m * v.x_m_s;
        sum[1] += m * v.y_m_s;
        let inertia = 0.4 * m * spec.radius_m * spec.radius_m;
        sum[2] += m * (p.x_m * v.y_m_s - p.y_m * v.x_m_s) + inertia * v.turn_rad_s;
    }
    sum
}

/// Two balls that will meet, off centre by `offset` of the sum of their radii.
fn meeting(masses: [f64; 2], radii: [f64; 2], speeds: [f64; 2], offset: f64, surface: Surface) -> Scenario {
    let spec = |i: usize| BallSpec { mass_kg: masses[i], radius_m: radii[i], ..FREE_BALL };
    let y = offset * (radii[0] + radii[1]);
    Scenario {
        surface,
        balls: vec![ball(spec(0), [-1.0, y], [speeds[0], 0.0]), ball(spec(1), [1.0, 0.0], [-speeds[1], 0.0])],
        ..empty_scenario()
    }
}

/// How much of its sliding a ball loses at a wall, and how its velocity across the wall changes.
fn bounce(friction: f64, velocity: [f64; 2]) -> (f64, f64) {
    let mut world = world(Scenario {
        surface: Surface::new(friction, 0.6),
        fixtures: vec![wall(0.0, -0.05, 20.0, 0.1)],
        balls: vec![ball(FREE_BALL, [-1.0, 0.5], velocity)],
        ..empty_scenario()
    });
    run(&mut world, 200);
    let ball = balls(&world)[0];
    assert!(ball.twist.y_m_s > 0.0, "it bounced");
    (velocity[0] - ball.twist.x_m_s, ball.twist.y_m_s - velocity[1])
}

/// W4: by hand: what is left of 2 m/s along a wall that is met at 2 m/s, at frictions of none, some, enough and more than enough.
#[test]
fn a_ball_keeps_of_its_sliding_what_friction_leaves() {
    // A solid ball that rolls in the end keeps five sevenths.
    for (friction, left_m_s, tolerance_m_s) in
        [(0.0, 2.0, 1e-5), (0.1, 1.68, 1e-3), (0.3, 10.0 / 7.0, 1e-3), (1.0, 10.0 / 7.0, 1e-3)]
    {
        let (lost, _) = bounce(friction, [2.0, -2.0]);
        let left = 2.0 - lost;
        assert!((left - left_m_s).abs() < tolerance_m_s, "friction {friction}: {left} m/s are left");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// W4: momentum and angular momentum are conserved by every impact of free bodies.
    #[test]
    fn impacts_conserve_momentum_and_angular_momentum(
        masses in [0.1..5.0f64, 0.1..5.0f64], radii in [0.05..0.3f64, 0.05..0.3f64],
        speeds in [0.5..6.0f64, 0.5..6.0f64], offset in -0.9..0.9f64,
        friction in 0.0..1.0f64, restitution in 0.0..1.0f64,
    ) {
        let scenario = meeting(masses, radii, speeds, offset, Surface::new(friction, restitution));
        let specs: Vec<_> = scenario.balls.iter().map(|b| b.ball).collect();
        let mut world = world(scenario);
        let before = momenta(&balls(&world), &specs);
        run(&mut world, 200);
        let after = momenta(&balls(&world), &specs);
        // The impact did happen.
        let met = world.events().any(|event| matches!(event.kind, touchline_sim::EventKind::Contact { .. }));
        prop_assert!(met, "they did not meet");
        let size = masses[0] * speeds[0] + masses[1] * speeds[1];
        for i in 0..2 {
            prop_assert!((after[i] - before[i]).abs() < 2e-4 * size, "linear {before:?} {after:?}");
        }
        // The angular momentum of the parts is larger than its sum: lever arms of a metre.
        prop_assert!((after[2] - before[2]).abs() < 5e-3 * size, "angular {before:?} {after:?}");
    }

    /// W4: Newton's law of impact: the relative speed after a central impact is restitution times that before.
    #[test]
    fn central_impacts_restore_what_is_set(
        masses in [0.2..3.0f64, 0.2..3.0f64], speeds in [1.0..5.0f64, 1.0..5.0f64], restitution in 0.0..1.0f64,
    ) {
        let scenario = meeting(masses, [0.11, 0.11], speeds, 0.0, Surface::new(0.0, restitution));
        let mut world = world(scenario);
        run(&mut world, 150);
        let after = balls(&world);
        let apart = after[1].twist.x_m_s - after[0].twist.x_m_s;
        let expected = restitution * (speeds[0] + speeds[1]);
        prop_assert!((apart - expected).abs() < 0.03 * (speeds[0] + speeds[1]), "{apart} against {expected}");
    }

    /// W4: friction takes from the sliding what Coulomb's law says, and no more than brings the contact point to rest: two
    /// sevenths of it for a solid ball.
    #[test]
    fn friction_slows_the_sliding(friction in 0.0..1.0f64, speed in 1.0..4.0f64, slope in 0.3..1.2f64) {
        let velocity = [speed * libm::cos(slope), -speed * libm::sin(slope)];
        let (lost, normal) = bounce(friction, velocity);
        let (slips, rolls) = (friction * normal, velocity[0] * 2.0 / 7.0);
        let tolerance = 1e-3 * speed;
        prop_assert!(lost > slips.min(rolls) - tolerance, "lost {lost} only of {}", velocity[0]);
        prop_assert!(lost < slips.min(rolls) + tolerance, "lost {lost} of {}", velocity[0]);
    }

    /// W4: no tunnelling: a ball at 12 m/s stays on its side of a wall of 5 cm, wherever it starts.
    #[test]
    fn a_fast_ball_does_not_tunnel(start in 0.5..1.5f64, angle in -0.5..0.5f64, dt_secs in 0.005..0.02f64) {
        let velocity = [12.0 * libm::cos(angle), 12.0 * libm::sin(angle)];
        let mut world = world(Scenario {
            dt_secs,
            fixtures: vec![wall(0.0, 0.0, 0.05, 40.0)],
            balls: vec![ball(FREE_BALL, [-start, 0.0], velocity)],
            ..empty_scenario()
        });
        run(&mut world, 100);
        let ball = balls(&world)[0];
        prop_assert!(ball.pose.x_m < 0.0 && ball.twist.x_m_s < 0.0, "{:?} {:?}", ball.pose, ball.twist);
    }

    /// W5: the way that a ball rolls is the closed form `v^2 / 2c`, whatever the step.
    #[test]
    fn a_ball_rolls_as_far_as_the_closed_form(speed in 0.5..6.0f64, c in 0.2..2.0f64, dt_secs in 0.002..0.02f64) {
        let spec = BallSpec { rolling_resistance_m_s2: c, ..FREE_BALL };
        let balls_ = vec![ball(spec, [0.0, 0.0], [speed, 0.0])];
        let mut world = world(Scenario { dt_secs, balls: balls_, ..empty_scenario() });
        run(&mut world, (speed / c / dt_secs) as usize + 10);
        let ball = balls(&world)[0];
        let expected = speed * speed / (2.0 * c);
        prop_assert!(ball.twist.x_m_s.abs() < 1e-6, "it stopped");
        // The last, partial step may be off by its own length at most.
        prop_assert!((ball.pose.x_m - expected).abs() < 1e-3 * expected + c * dt_secs * dt_secs, "{} {expected}", ball.pose.x_m);
    }

    /// W5: with drag alone, `v(t) = v0 / (1 + k v0 t)` and `x(t) = ln(1 + k v0 t) / k`.
    #[test]
    fn drag_follows_its_closed_form(speed in 1.0..10.0f64, k in 0.01..0.5f64) {
        let spec = BallSpec { drag_per_m: k, ..FREE_BALL };
        let mut world = world(Scenario { balls: vec![ball(spec, [0.0, 0.0], [speed, 0.0])], ..empty_scenario() });
        run(&mut world, 200);
        let (t, ball) = (2.0, balls(&world)[0]);
        let (v, x) = (speed / (1.0 + k * speed * t), libm::log1p(k * speed * t) / k);
        prop_assert!((ball.twist.x_m_s - v).abs() < 1e-3 * v && (ball.pose.x_m - x).abs() < 1e-3 * x);
    }

    /// W5: resistance and drag together lose the energy that their law says: `v dv = -(c + k v^2) dx`.
    #[test]
    fn resistance_and_drag_together_stop_the_ball_where_they_must(
        speed in 1.0..8.0f64, c in 0.2..1.0f64, k in 0.01..0.3f64,
    ) {
        let spec = BallSpec { rolling_resistance_m_s2: c, drag_per_m: k, ..FREE_BALL };
        let mut world = world(Scenario { balls: vec![ball(spec, [0.0, 0.0], [speed, 0.0])], ..empty_scenario() });
        run(&mut world, (speed / c / 0.01) as usize + 10);
        let expected = libm::log1p(k * speed * speed / c) / (2.0 * k);
        let ball = balls(&world)[0];
        prop_assert!((ball.pose.x_m - expected).abs() < 2e-3 * expected + 1e-3, "{} {expected}", ball.pose.x_m);
    }
}

fn robot_at(pose: Pose2) -> RobotPlacement {
    let spec = Arc::new(disc_robot());
    RobotPlacement { name: format!("at {pose:?}"), team: None, spec, pose: Some(pose), player: None }
}

fn twist(robot: u32, twist: Twist2) -> Command {
    Command { client: 1, sequence: 0, action: Action::SetTwist(robot, twist) }
}

/// R2: with nothing in its way a robot goes exactly where its motion model says.
#[test]
fn a_free_robot_goes_where_its_motion_model_says() {
    let mut world = world(Scenario { robots: vec![robot_at(Pose2::ORIGIN)], ..empty_scenario() });
    let wanted = Twist2::new(1.0, 0.3, 1.5);
    // Slow start: the tyres allow 0.06 m/s a step.
    for i in 1..=40 {
        let part = f64::from(i) / 40.0;
        world.step(&[twist(0, Twist2::new(part, 0.3 * part, 1.5 * part))]);
    }
    let start = world.view().robot(0).unwrap().pose;
    run(&mut world, 200);
    let expected = start.advanced(wanted, 2.0);
    let got = world.view().robot(0).unwrap().pose;
    // The library turns by `atan(w dt)` in a step: 0.01 % too little here.
    let turned = (got.theta_rad - expected.theta_rad).abs();
    assert!(got.distance_m(expected) < 5e-4 && turned < 5e-4, "{got:?} {expected:?}");
}

/// R2: the physics has the last word: a blocked robot pushes, and does not move.
#[test]
fn a_blocked_robot_does_not_move() {
    let mut world = world(Scenario {
        fixtures: vec![wall(0.35, 0.0, 0.1, 10.0)],
        robots: vec![robot_at(Pose2::ORIGIN)],
        ..empty_scenario()
    });
    world.step(&[twist(0, Twist2::new(1.0, 0.0, 0.0))]);
    run(&mut world, 300);
    let frame = world.frame();
    assert!((frame.robots[0].pose.x_m - 0.1).abs() < 0.01, "{:?}", frame.robots[0].pose);
    assert!(frame.robots[0].twist.x_m_s.abs() < 0.05, "{:?}", frame.robots[0].twist);
}

/// W4: with so many bodies that the physics looks after them in another way, who touches goes on touching, and who comes
/// later meets the others.
#[test]
fn a_crowd_that_comes_later_is_solid() {
    let mut world = world(Scenario {
        fixtures: vec![wall(0.35, 0.0, 0.1, 10.0)],
        robots: vec![robot_at(Pose2::ORIGIN)],
        ..empty_scenario()
    });
    world.step(&[twist(0, Twist2::new(1.0, 0.0, 0.0))]);
    run(&mut world, 300);
    let contacts = |world: &World| {
        world.events().filter(|event| matches!(event.kind, EventKind::Contact { .. })).count()
    };
    let before = contacts(&world);
    assert!(before > 0, "the robot and the wall");
    let add = |number: u32| Action::AddRobot {
        name: format!("guest-{number}"),
        team: None,
        spec: Arc::new(disc_robot()),
        pose: Some(Pose2::new(-2.0 - f64::from(number / 20), f64::from(number % 20), 0.0)),
        player: None,
    };
    let commands = (0..200).map(|n| Command { client: 1, sequence: u64::from(n), action: add(n) });
    world.step(&commands.collect::<Vec<_>>());
    assert_eq!(world.frame().robots.len(), 201);
    run(&mut world, 100);
    assert_eq!(contacts(&world), before, "no contact began anew");
    let pressed = world.frame().robots[0].pose;
    assert!((pressed.x_m - 0.1).abs() < 0.01, "{pressed:?}");
    // The first guest drives into the one a metre behind it, the second one to the wall.
    world.step(&[twist(1, Twist2::new(-1.0, 0.0, 0.0)), twist(2, Twist2::new(1.0, 0.0, 0.0))]);
    run(&mut world, 80);
    assert_eq!(contacts(&world), before + 1);
    run(&mut world, 300);
    let at_wall = world.frame().robots[2].pose;
    assert!((at_wall.x_m - 0.1).abs() < 0.01, "{at_wall:?}");
}

/// Tyres have a limit: two equal robots that push against each other stand.
#[test]
fn equal_robots_push_each_other_to_a_stand() {
    let robots = vec![robot_at(Pose2::ORIGIN), robot_at(Pose2::new(0.5, 0.0, std::f64::consts::PI))];
    let mut world = world(Scenario { robots, ..empty_scenario() });
    world.step(&[twist(0, Twist2::new(1.0, 0.0, 0.0)), twist(1, Twist2::new(1.0, 0.0, 0.0))]);
    run(&mut world, 300);
    let frame = world.frame();
    let middle = (frame.robots[0].pose.x_m + frame.robots[1].pose.x_m) / 2.0;
    assert!((middle - 0.25).abs() < 0.03, "middle {middle}");
    let gap = frame.robots[1].pose.x_m - frame.robots[0].pose.x_m;
    assert!((gap - 0.4).abs() < 0.02, "gap {gap}");
}

/// R5: a charged kicker gives the ball the set speed on top of the robot's own, and needs its time to recharge.
#[test]
fn a_kick_has_the_set_speed_and_a_recharge_time() {
    let robot = RobotPlacement { spec: Arc::new(equipped_robot()), ..robot_at(Pose2::ORIGIN) };
    let mut world = world(Scenario {
        robots: vec![robot],
        balls: vec![ball(FREE_BALL, [0.34, 0.0], [0.0, 0.0])],
        ..empty_scenario()
    });
    let kick = |strength| Command {
        client: 1,
        sequence: 0,
        action: Action::Manipulate {
            robot: 0,
            manipulator: "kicker".into(),
            state: "kick".into(),
            aim: Aim::strength(strength),
        },
    };
    assert_eq!(world.frame().robots[0].manipulators[0].has_ball, 1);
    assert!(world.step(&[kick(0.5)])[0].result.is_ok());
    assert!((balls(&world)[0].twist.x_m_s - 2.0).abs() < 1e-3);
    assert_eq!(world.frame().robots[0].manipulators[0].state, 1, "the plate is out");
    run(&mut world, 20);
    let status = world.frame().robots[0].manipulators[0];
    assert_eq!(status.state, 0, "it went back by itself");
    assert!(status.ready_in_secs > 0.5);
    // Not charged: the plate comes out, the ball is not accelerated.
    let place =
        Action::PlaceBall { ball: 0, position: [0.36, 0.0], velocity: [0.0, 0.0], vertical: Vertical::FLOOR };
    world.step(&[Command { client: 1, sequence: 0, action: place }]);
    world.step(&[kick(1.0)]);
    assert!(balls(&world)[0].twist.x_m_s < 1.0);
    run(&mut world, 100);
    world.step(&[Command {
        client: 1,
        sequence: 0,
        action: Action::PlaceBall {
            ball: 0,
            position: [0.36, 0.0],
            velocity: [0.0, 0.0],
            vertical: Vertical::FLOOR,
        },
    }]);
    world.step(&[kick(1.0)]);
    assert!((balls(&world)[0].twist.x_m_s - 4.0).abs() < 1e-3, "charged again");
    assert!(world.step(&[kick(1.5)])[0].result.is_err(), "strength is at most 1");
}

/// Where a robot goes that says nothing of its place.
fn free_place(fixtures: Vec<Fixture>) -> Pose2 {
    let robots = vec![RobotPlacement { pose: None, ..robot_at(Pose2::ORIGIN) }];
    world(Scenario { fixtures, robots, ..empty_scenario() }).frame().robots[0].pose
}

/// C6: one wall, a post or two of them are no room: there is place beside them.
#[test]
fn a_few_fixtures_leave_room() {
    let post = |x_m: f64, y_m: f64| wall(x_m, y_m, 0.1, 0.1);
    let box_of_four = vec![post(0.7, 0.7), post(-0.7, 0.7), post(0.7, -0.7), post(-0.7, -0.7)];
    let few =
        [vec![], vec![wall(2.0, 0.0, 0.1, 4.0)], vec![post(0.0, 0.0)], vec![post(-3.0, 2.0)], box_of_four];
    for fixtures in few {
        let count = fixtures.len();
        let pose = free_place(fixtures);
        assert!((0.9..2.1).contains(&pose.distance_m(Pose2::ORIGIN)), "{count} fixtures: {pose:?}");
    }
    // On the near side of the wall, and of a corner of two.
    assert!(free_place(vec![wall(1.1, 0.0, 0.1, 4.0)]).x_m < 1.0);
    let corner = free_place(vec![wall(-1.1, 0.0, 0.1, 9.0), wall(0.0, 1.1, 9.0, 0.1)]);
    assert!(corner.x_m > -1.0 && corner.y_m < 1.0, "{corner:?}");
}

/// C6: in a room, however narrow, the free place is within its walls; if there is none, that is said.
#[test]
fn a_room_keeps_its_robots() {
    let corridor = free_place(room(8.0, 1.3));
    assert!(corridor.y_m.abs() < 0.65 && corridor.x_m.abs() < 4.0, "{corridor:?}");
    let full: Vec<_> = (0..200)
        .map(|number| RobotPlacement { name: format!("r{number}"), pose: None, ..robot_at(Pose2::ORIGIN) })
        .collect();
    let scenario = Scenario { fixtures: room(4.0, 4.0), robots: full, ..empty_scenario() };
    let Err(error) = World::new(scenario, Arc::new(TestFactory)) else { panic!("200 robots fit in 16 m^2") };
    let text = error.to_string();
    assert!(text.contains("no free place for robot \"r"), "{text}");
    assert_eq!(text.matches("robot").count(), 1, "{text}");
}

/// P3: in a world's view solid fixtures come before painted ones, whatever the order of the file: a sight line stops looking at the
/// last of them, and landmarks are found among their like.
#[test]
fn solid_fixtures_come_first_in_the_view() {
    use touchline_kit::visibility::is_occluded;
    use touchline_plugin_api::view::Role;
    let painted = |role| Fixture { role, solid: false, ..wall(0.0, 0.0, 0.1, 4.0) };
    let post = Fixture { role: Role::Pole, ..wall(3.0, 2.0, 0.1, 0.1) };
    let fixtures =
        vec![painted(Role::Line), painted(Role::Goal), wall(1.0, 0.0, 0.1, 2.0), painted(Role::Area), post];
    let world = world(Scenario { fixtures, ..empty_scenario() });
    let view = world.view();
    assert!(view.shapes.is_sorted_by_key(touchline_plugin_api::view::Shape::fixture_order));
    assert!(is_occluded(&view, [0.0, 0.0], [2.0, 0.0], 0.1, &[]), "the wall hides");
    assert!(!is_occluded(&view, [0.0, 0.0], [0.5, 0.0], 0.1, &[]), "what is painted does not");
    let found =
        [Role::Line, Role::Goal, Role::Area, Role::Wall, Role::Pole].map(|role| view.landmarks(role).count());
    assert_eq!(found, [1; 5]);
}
