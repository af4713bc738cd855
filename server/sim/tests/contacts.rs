//! The laws of contact at every length of step, against closed forms and geometry worked out here. [W4, R2]

use crate::common::*;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, World};

pub fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TestFactory)).unwrap()
}

pub fn position(world: &World) -> [f64; 2] {
    let ball = world.view().balls().next().unwrap();
    [ball.pose.x_m, ball.pose.y_m]
}

pub fn velocity(world: &World) -> [f64; 2] {
    let ball = world.view().balls().next().unwrap();
    [ball.twist.x_m_s, ball.twist.y_m_s]
}

pub fn set_twist(robot: u32, twist: Twist2) -> Command {
    Command { client: 1, sequence: u64::from(robot), action: Action::SetTwist(robot, twist) }
}

pub fn robot(name: &str, spec: RobotSpec, pose: Pose2) -> RobotPlacement {
    RobotPlacement { name: name.into(), team: None, spec: Arc::new(spec), pose: Some(pose), player: None }
}

/// A ball that bounces without loss and slips.
pub fn slippery(restitution: f64) -> Surface {
    Surface::new(0.0, restitution)
}

pub fn post(radius_m: f64) -> Fixture {
    Fixture { primitive: primitive(Outline::circle(radius_m), Pose2::ORIGIN), ..wall(0.0, 0.0, 0.1, 0.1) }
}

/// What is left of a velocity after an impact on something of `mass_kg` that stands, along this normal.
pub fn bounced(
    velocity: [f64; 2],
    normal: [f64; 2],
    restitution: f64,
    ball_kg: f64,
    mass_kg: f64,
) -> [f64; 2] {
    let along = velocity[0] * normal[0] + velocity[1] * normal[1];
    let change = (1.0 + restitution) * along / (1.0 + ball_kg / mass_kg);
    [velocity[0] - change * normal[0], velocity[1] - change * normal[1]]
}

/// Where a ball that goes along x at the height `offset_m` meets a disc at the origin: the normal there.
pub fn normal_at(offset_m: f64, radii_m: f64) -> [f64; 2] {
    let y = offset_m / radii_m;
    [-(1.0 - y * y).sqrt(), y]
}

/// The ball's velocity after the step in which it first meets something.
pub fn velocity_after(scenario: Scenario, start: [f64; 2], velocity_m_s: [f64; 2]) -> [f64; 2] {
    let dt_secs = scenario.dt_secs;
    let mut world = world(Scenario { balls: vec![ball(FREE_BALL, start, velocity_m_s)], ..scenario });
    let speed = velocity_m_s[0].abs().max(velocity_m_s[1].abs());
    for _ in 0..(4.0 / speed / dt_secs).ceil() as usize {
        world.step(&[]);
        let [x, y] = velocity(&world);
        if libm::hypot(x - velocity_m_s[0], y - velocity_m_s[1]) > 1e-9 {
            return [x, y];
        }
    }
    velocity_m_s
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// W4: off the centre of a post the ball leaves as the closed form says, wherever a step begins and however long it is.
    #[test]
    fn a_post_turns_the_ball_by_the_closed_form(
        speed in 0.5..12.0f64, part in -0.95..0.95f64, phase in 0.0..1.0f64, e in 0.0..1.0f64, turn in 0.0..TAU,
    ) {
        let (radius_m, radii_m) = (0.05, 0.05 + FREE_BALL.radius_m);
        for (physics, dt_secs) in laws_and_steps() {
            let start = [-1.0 - phase * speed * dt_secs, part * radii_m];
            let (sin, cos) = libm::sincos(turn);
            let turned = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
            let normal = normal_at(start[1], radii_m);
            let expected = turned(bounced([speed, 0.0], normal, e, 0.43, f64::INFINITY));
            let scenario = Scenario { physics, dt_secs, surface: slippery(e), fixtures: vec![post(radius_m)], ..empty_scenario() };
            let got = velocity_after(scenario, turned(start), turned([speed, 0.0]));
            let off = libm::hypot(got[0] - expected[0], got[1] - expected[1]);
            prop_assert!(off < 1e-6 * speed, "{physics:?}, dt {dt_secs}: {got:?} for {expected:?}");
        }
    }

    /// W4: the same with a round robot that stands: it takes its share of the impact.
    #[test]
    fn a_robot_that_stands_turns_the_ball_by_the_closed_form(
        speed in 0.5..12.0f64, part in -0.95..0.95f64, phase in 0.0..1.0f64, e in 0.0..1.0f64,
    ) {
        let radii_m = 0.2 + FREE_BALL.radius_m;
        for (physics, dt_secs) in laws_and_steps() {
            let start = [-1.0 - phase * speed * dt_secs, part * radii_m];
            let expected = bounced([speed, 0.0], normal_at(start[1], radii_m), e, 0.43, 20.0);
            let robots = vec![robot("r", disc_robot(), Pose2::ORIGIN)];
            let scenario = Scenario { physics, dt_secs, surface: slippery(e), robots, ..empty_scenario() };
            let got = velocity_after(scenario, start, [speed, 0.0]);
            let off = libm::hypot(got[0] - expected[0], got[1] - expected[1]);
            prop_assert!(off < 1e-3 * speed, "{physics:?}, dt {dt_secs}: {got:?} for {expected:?}");
        }
    }

    /// W4: a robot with corners that drives and turns: when and where it meets the ball is found here by halving, the impulse by hand.
    #[test]
    fn a_robot_that_drives_and_turns_hits_by_the_closed_form(
        speed in 0.5..8.0f64, drive in -2.0..2.0f64, turn in -4.0..4.0f64, y in -0.2..0.2f64, phase in 0.0..1.0f64, e in 0.5..1.0f64,
        theta in -3.0..3.0f64,
    ) {
        prop_assume!(turn.abs() > 0.01);
        for (physics, dt_secs) in laws_and_steps() {
            let body = if physics == DISCS { disc_robot() } else { square_robot(20.0) };
            let spec = RobotSpec { traction_m_s2: 1e4, ..body };
            // It drives from the first step on, on a circle.
            let start = [-0.45 - phase * speed * dt_secs, y];
            let ball_at = |t: f64| [start[0] + speed * t, start[1]];
            let pose_at = |t: f64| {
                let (now, radius_m) = (theta + turn * t, drive / turn);
                let x = radius_m * (libm::sin(now) - libm::sin(theta));
                Pose2::new(x, -radius_m * (libm::cos(now) - libm::cos(theta)), now)
            };
            let depth = |t: f64| depth_in(&spec, pose_at(t), ball_at(t), 0.11);
            if depth(0.0) > -1e-3 { continue }
            let Some(after) = (1..20_000).map(|i| f64::from(i) * 2e-5).find(|&t| depth(t) > 0.0) else { continue };
            let (mut before, mut after) = (after - 2e-5, after);
            for _ in 0..40 {
                let middle = (before + after) / 2.0;
                if depth(middle) > 0.0 { after = middle } else { before = middle }
            }
            let (at, pose) = (ball_at(after), pose_at(after));
            // The normal by differences of the depth.
            let slope = |dx: f64, dy: f64| {
                let d = |s: f64| depth_in(&spec, pose, [at[0] + s * dx, at[1] + s * dy], 0.11);
                (d(-1e-6) - d(1e-6)) / 2e-6
            };
            let n = [slope(1.0, 0.0), slope(0.0, 1.0)];
            let arm = [at[0] - 0.11 * n[0] - pose.x_m, at[1] - 0.11 * n[1] - pose.y_m];
            let lever = arm[0] * n[1] - arm[1] * n[0];
            let driven = drive * (libm::cos(pose.theta_rad) * n[0] + libm::sin(pose.theta_rad) * n[1]);
            let nearing = speed * n[0] - driven - turn * lever;
            let inertia = if physics == DISCS { 20.0 * 0.2 * 0.2 / 2.0 } else { 20.0 * (0.3 * 0.3 + 0.4 * 0.4) / 12.0 };
            let impulse = -(1.0 + e) * nearing / (1.0 / 0.43 + 1.0 / 20.0 + lever * lever / inertia);
            let expected = [speed + impulse * n[0] / 0.43, impulse * n[1] / 0.43];

            // Who turns may hit it again within a long step.
            let end = dt_secs * ((after / dt_secs).floor() + 1.0);
            let ball_then = |t: f64| [at[0] + expected[0] * (t - after), at[1] + expected[1] * (t - after)];
            let is_hit_again = (1..=100).map(|i| after + (end - after) * f64::from(i) / 100.0).any(|t| {
                t > after + 1e-4 && depth_in(&spec, pose_at(t), ball_then(t), 0.11) > -1e-4 * (t - after) / dt_secs
            });
            if is_hit_again { continue }

            let robots = vec![robot("r", spec.clone(), pose_at(0.0))];
            let scenario = Scenario {
                physics, dt_secs, surface: slippery(e), robots, balls: vec![ball(FREE_BALL, start, [speed, 0.0])], ..empty_scenario()
            };
            let mut world = world(scenario);
            for _ in 0..=(after / dt_secs) as usize {
                world.step(&[set_twist(0, Twist2::new(drive, 0.0, turn))]);
            }
            let got = velocity(&world);
            let off = libm::hypot(got[0] - expected[0], got[1] - expected[1]);
            prop_assert!(off < 2e-3 * (speed + drive.abs() + turn.abs() * 0.25), "{physics:?}, dt {dt_secs}: {got:?} for {expected:?}");
        }
    }

    /// W4: Newton's restitution, head on at a wall, from a creep to a shot, at every length of step.
    #[test]
    fn a_wall_gives_back_what_is_set(speed in 0.05..12.0f64, e in 0.0..1.0f64, phase in 0.0..1.0f64) {
        for (physics, dt_secs) in laws_and_steps() {
            let scenario = Scenario {
                physics, dt_secs, surface: slippery(e), fixtures: vec![wall(0.55, 0.0, 1.0, 10.0)], ..empty_scenario()
            };
            let got = velocity_after(scenario, [-0.2 - phase * speed * dt_secs, 0.0], [speed, 0.0]);
            prop_assert!((got[0] + e * speed).abs() < 1e-6 * speed, "{physics:?}, dt {dt_secs}: {got:?}, e {e}, {speed} m/s");
        }
    }

    /// W4: friction at an impact is Coulomb's: friction times the normal impulse while it slides, and no more than brings it to roll.
    #[test]
    fn friction_at_an_impact_is_coulombs(
        speed in 0.2..12.0f64, slope in 0.1..1.2f64, friction in 0.0..1.0f64, e in 0.0..1.0f64,
    ) {
        for (physics, dt_secs) in laws_and_steps() {
            let along = [speed * libm::cos(slope), speed * libm::sin(slope)];
            let scenario = Scenario {
                physics, dt_secs, surface: Surface::new(friction, e), fixtures: vec![wall(0.55, 0.0, 1.0, 200.0)], ..empty_scenario()
            };
            let got = velocity_after(scenario, [-0.5, 0.0], along);
            let slides = friction * (1.0 + e) * along[0];
            let expected = along[1] - slides.min(along[1] * 2.0 / 7.0);
            prop_assert!((got[1] - expected).abs() < 1e-6 * speed, "{physics:?}, dt {dt_secs}: {} for {expected}", got[1]);
        }
    }

    /// W4: a free ball is never inside anything at the end of a step, and its energy never grows.
    #[test]
    fn a_free_ball_is_never_inside(
        angle in 0.0..TAU, speed in 0.1..12.0f64, friction in 0.0..1.0f64, e in 0.0..1.0f64, x in -1.0..1.0f64, y in -1.0..-0.6f64,
    ) {
        for (physics, dt_secs) in laws_and_steps() {
            let mut fixtures = room(4.0, 3.0);
            fixtures.push(post(0.05));
            let triangle = Outline::Triangle { corners: [[0.0, 0.0], [0.3, 0.1], [0.1, 0.4]] };
            fixtures.push(Fixture { primitive: primitive(triangle, Pose2::new(0.8, 0.6, 0.4)), ..wall(0.0, 0.0, 1.0, 1.0) });
            let scenario = Scenario {
                physics, dt_secs,
                surface: Surface::new(friction, e),
                fixtures,
                balls: vec![ball(FREE_BALL, [x, y], [speed * libm::cos(angle), speed * libm::sin(angle)])],
                ..empty_scenario()
            };
            let mut world = world(scenario);
            let energy = |world: &World| {
                let twist = world.view().balls().next().unwrap().twist;
                let spin = twist.turn_rad_s * FREE_BALL.radius_m;
                twist.x_m_s * twist.x_m_s + twist.y_m_s * twist.y_m_s + 0.4 * spin * spin
            };
            let mut before = energy(&world);
            for _ in 0..(1.0 / dt_secs) as usize {
                world.step(&[]);
                let [x, y] = position(&world);
                let deep = (x.abs() + 0.11 - 2.0).max(y.abs() + 0.11 - 1.5).max(0.16 - libm::hypot(x, y));
                prop_assert!(deep < 1e-6, "{physics:?}, dt {dt_secs}: {deep} m deep");
                let now = energy(&world);
                prop_assert!(now <= before * (1.0 + 1e-12), "{physics:?}, dt {dt_secs}: energy {before} to {now}");
                before = now;
            }
        }
    }

    /// W4: a world that is turned as a whole does the same, turned.
    #[test]
    fn a_turned_world_does_the_same(
        by in -PI..PI, angle in 0.0..TAU, speed in 0.5..6.0f64, y in -1.0..-0.5f64, dt_index in 0..6usize,
    ) {
        let dt_secs = STEPS_SECS[dt_index];
        let run = |physics, by: f64| {
            let whole = Pose2::new(0.0, 0.0, by);
            let turned = |x: f64, y: f64| whole.point_to_outer([x, y]);
            let at = |outline, x, y, heading: f64| Fixture {
                primitive: primitive(outline, Pose2::new(turned(x, y)[0], turned(x, y)[1], heading + by)),
                ..wall(0.0, 0.0, 0.1, 0.1)
            };
            let side = |length_m| Outline::Rectangle { length_m, width_m: 0.1 };
            let mut fixtures: Vec<_> = [-1.0, 1.0]
                .into_iter()
                .flat_map(|end| [at(side(4.2), 0.0, end * 1.55, 0.0), at(side(3.2), end * 2.05, 0.0, FRAC_PI_2)])
                .collect();
            fixtures.push(at(Outline::circle(0.1), 0.0, 0.0, 0.0));
            let place = turned(1.0, 0.7);
            let body = if physics == DISCS { disc_robot() } else { square_robot(5.0) };
            let scenario = Scenario {
                physics,
                dt_secs,
                surface: Surface::new(0.3, 0.7),
                fixtures,
                balls: vec![ball(FREE_BALL, turned(0.3, y), turned(speed * libm::cos(angle), speed * libm::sin(angle)))],
                robots: vec![robot("r", body, Pose2::new(place[0], place[1], 0.2 + by))],
                ..empty_scenario()
            };
            let mut world = world(scenario);
            (0..(0.5 / dt_secs) as usize).for_each(|_| drop(world.step(&[set_twist(0, Twist2::new(-0.7, 0.0, 1.0))])));
            whole.point_to_inner(position(&world))
        };
        for physics in [PhysicsLaw::Rigid, DISCS] {
            let (one, other) = (run(physics, 0.0), run(physics, by));
            let off = libm::hypot(one[0] - other[0], one[1] - other[1]);
            prop_assert!(off < 1e-6, "{physics:?}, turned by {by}, dt {dt_secs}: {one:?} {other:?}");
        }
    }

    /// W4: what happens in a mirror is the mirror image.
    #[test]
    fn the_mirror_shows_the_same(angle in 0.0..TAU, speed in 0.5..8.0f64, y in -1.0..-0.5f64, dt_index in 0..6usize) {
        let run = |physics, mirror: f64| {
            let mut fixtures = room(4.0, 3.0);
            fixtures.push(post(0.1));
            let velocity = [speed * libm::cos(angle), mirror * speed * libm::sin(angle)];
            let scenario = Scenario {
                physics,
                dt_secs: STEPS_SECS[dt_index],
                fixtures,
                balls: vec![ball(FREE_BALL, [0.3, mirror * y], velocity)],
                robots: vec![robot("r", disc_robot(), Pose2::new(1.0, mirror * 0.7, 0.0))],
                ..empty_scenario()
            };
            let mut world = world(scenario);
            (0..(0.5 / STEPS_SECS[dt_index]) as usize).for_each(|_| drop(world.step(&[])));
            position(&world)
        };
        for physics in [PhysicsLaw::Rigid, DISCS] {
            let (one, other) = (run(physics, 1.0), run(physics, -1.0));
            prop_assert!((one[0] - other[0]).abs() < 1e-9 && (one[1] + other[1]).abs() < 1e-9, "{physics:?}: {one:?} {other:?}");
        }
    }
}

/// A robot with a flat front, 60 times as heavy as its ball.
pub fn square_robot(mass_kg: f64) -> RobotSpec {
    let outline = Outline::Rectangle { length_m: 0.3, width_m: 0.4 };
    RobotSpec { body: vec![primitive(outline, Pose2::ORIGIN)], mass_kg, ..disc_robot() }
}

/// How deep a ball is in a robot whose body is one rectangle or disc, metres.
pub fn depth_in(spec: &RobotSpec, pose: Pose2, ball: [f64; 2], radius_m: f64) -> f64 {
    let [x, y] = pose.point_to_inner(ball);
    match spec.body[0].outline {
        Outline::Rectangle { length_m, width_m } => {
            let (dx, dy) = (x.abs() - length_m / 2.0, y.abs() - width_m / 2.0);
            let outside = libm::hypot(dx.max(0.0), dy.max(0.0));
            radius_m - if outside > 0.0 { outside } else { dx.max(dy) }
        }
        _ => radius_m + 0.2 - libm::hypot(x, y),
    }
}

/// R2: told to turn at 4 rad/s a robot turns 4 rad in a second, at every length of step, and everybody says so.
#[test]
fn a_turn_is_exact() {
    for (physics, dt_secs) in laws_and_steps().chain([(PhysicsLaw::Rigid, 0.1), (DISCS, 0.1)]) {
        for twist in [Twist2::new(0.0, 0.0, 4.0), Twist2::new(1.0, 0.0, 3.0), Twist2::new(0.5, -0.4, -2.5)] {
            let spec = RobotSpec { traction_m_s2: 1e4, ..disc_robot() };
            let robots = vec![robot("r", spec, Pose2::ORIGIN)];
            let mut world = world(Scenario { physics, dt_secs, robots, ..empty_scenario() });
            let steps = (1.0 / dt_secs).round() as usize;
            for _ in 0..steps {
                world.step(&[set_twist(0, twist)]);
            }
            let expected = Pose2::ORIGIN.advanced(twist, steps as f64 * dt_secs);
            let frame = world.frame();
            let (pose, told) = (frame.robots[0].pose, frame.robots[0].twist);
            let turned = (pose.theta_rad - expected.theta_rad).abs();
            assert!(
                pose.distance_m(expected) < 1e-9 && turned.min(TAU - turned) < 1e-9,
                "{physics:?}, dt {dt_secs}: {pose:?} for {expected:?}"
            );
            let off = (told.x_m_s - twist.x_m_s).abs()
                + (told.y_m_s - twist.y_m_s).abs()
                + (told.turn_rad_s - twist.turn_rad_s).abs();
            assert!(off < 1e-9, "{physics:?}, dt {dt_secs}: told {told:?} for {twist:?}");
        }
    }
}

/// R2: a robot whose middle is not its centre of mass turns about what its motion model says.
#[test]
fn a_robot_turns_about_its_origin() {
    let behind = primitive(Outline::Rectangle { length_m: 0.2, width_m: 0.3 }, Pose2::new(-0.1, 0.02, 0.3));
    let spec = RobotSpec { body: vec![behind], traction_m_s2: 1e4, ..disc_robot() };
    let mut world = world(Scenario { robots: vec![robot("r", spec, Pose2::ORIGIN)], ..empty_scenario() });
    for _ in 0..100 {
        world.step(&[set_twist(0, Twist2::new(0.0, 0.0, FRAC_PI_2))]);
    }
    let pose = world.view().robot(0).unwrap().pose;
    assert!(pose.distance_m(Pose2::ORIGIN) < 1e-9 && (pose.theta_rad - FRAC_PI_2).abs() < 1e-9, "{pose:?}");
}

/// W4: how surfaces combine is what they say.
#[test]
fn surfaces_combine_as_they_say() {
    let cases = [
        (Combine::Mean, Combine::Mean, 0.5),
        (Combine::Product, Combine::Mean, 0.16),
        (Combine::Mean, Combine::Greater, 0.8),
        (Combine::Own, Combine::Greater, 0.2),
        (Combine::Greater, Combine::Own, 0.8),
        (Combine::Own, Combine::Own, 0.2),
    ];
    for (wall_rule, ball_rule, expected) in cases {
        let own = |restitution, restitution_rule| {
            Some(Surface { restitution_rule, ..Surface::new(0.0, restitution) })
        };
        let mut board = wall(0.55, 0.0, 1.0, 10.0);
        board.primitive.surface = own(0.2, wall_rule);
        let spec = BallSpec { surface: own(0.8, ball_rule), ..FREE_BALL };
        let mut world = world(Scenario {
            fixtures: vec![board],
            balls: vec![ball(spec, [-0.2, 0.0], [1.0, 0.0])],
            ..empty_scenario()
        });
        (0..60).for_each(|_| drop(world.step(&[])));
        let got = -velocity(&world)[0];
        assert!((got - expected).abs() < 1e-9, "{wall_rule:?} and {ball_rule:?}: {got}");
    }
}
