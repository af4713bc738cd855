//! What holds in worlds of discs and not beside the library: robots meet each other and the fixtures by the closed form, at every length of
//! step. [W4, R2, W7]

use crate::common::*;
use crate::contacts::*;
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, World};

const RADIUS_M: f64 = 0.2;

/// A disc of this mass that goes at once where it is told to, and coasts when it is told nothing.
pub fn coasting(mass_kg: f64) -> RobotSpec {
    RobotSpec { motion: choice("coasting"), mass_kg, traction_m_s2: 1e5, ..disc_robot() }
}

/// The same without tyres that hold it where somebody presses against it.
fn undriven(spec: RobotSpec) -> RobotSpec {
    RobotSpec { traction_m_s2: 1e-9, ..spec }
}

fn discs(dt_secs: f64, friction: f64, restitution: f64) -> Scenario {
    by(DISCS, dt_secs, friction, restitution)
}

pub fn by(physics: PhysicsLaw, dt_secs: f64, friction: f64, restitution: f64) -> Scenario {
    Scenario { physics, dt_secs, surface: Surface::new(friction, restitution), ..empty_scenario() }
}

pub fn twist(world: &World, robot: u32) -> Twist2 {
    world.view().robot(robot).unwrap().twist
}

pub fn place(world: &World, robot: u32) -> [f64; 2] {
    let pose = world.view().robot(robot).unwrap().pose;
    [pose.x_m, pose.y_m]
}

pub fn turned([x, y]: [f64; 2], by: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(by);
    [cos * x - sin * y, sin * x + cos * y]
}

/// Steps until robot 0 has another velocity than it was told, with these velocities of the world, and gives all velocities then.
pub fn after_impact(scenario: Scenario, velocities: &[[f64; 2]]) -> Vec<Twist2> {
    let headings: Vec<f64> = scenario.robots.iter().map(|robot| robot.pose.unwrap().theta_rad).collect();
    let mut world = world(scenario);
    let orders: Vec<_> = (0..)
        .zip(velocities.iter().zip(&headings))
        .map(|(number, (&velocity, &heading))| {
            let [x, y] = turned(velocity, -heading);
            set_twist(number, Twist2::new(x, y, 0.0))
        })
        .collect();
    for _ in 0..5000 {
        world.step(&orders);
        let now = twist(&world, 0);
        if libm::hypot(now.x_m_s - velocities[0][0], now.y_m_s - velocities[0][1]) > 1e-9 {
            break;
        }
    }
    (0..velocities.len() as u32).map(|number| twist(&world, number)).collect()
}

/// Impulses along and across the normal, on something that nears with `[normal, tangent]` and slides: Newton's and Coulomb's laws for homogeneous discs, whose
/// rim is three times as easily moved as their middle.
pub fn impulses([normal, tangent]: [f64; 2], per_mass: f64, friction: f64, restitution: f64) -> [f64; 2] {
    let along = -(1.0 + restitution) * normal / per_mass;
    [along, (-tangent / (3.0 * per_mass)).clamp(-friction * along, friction * along)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// W4: two discs that meet anywhere on their rims: momentum, restitution, friction and spin by the closed form, whatever their masses, the step and
    /// where it begins, and the direction in the world.
    #[test]
    fn two_robots_meet_by_the_closed_form(
        speed in 0.2..3.0f64, other_speed in -0.1..2.0f64, part in -0.95..0.95f64, phase in 0.0..1.0f64, e in 0.0..1.0f64, friction in 0.0..0.8f64,
        turn in 0.0..TAU, heading in -3.0..3.0f64, ratio in 1.0..60.0f64,
    ) {
        for (physics, dt_secs) in laws_and_steps() {
            let (masses, y) = ([20.0, 20.0 * ratio], part * 2.0 * RADIUS_M);
            let normal = normal_at(y, 2.0 * RADIUS_M);
            let apart_m = -normal[0] * 2.0 * RADIUS_M + (speed + other_speed) * dt_secs * (2.5 + phase);
            let velocities = [[speed, 0.0], [-other_speed, 0.0]];
            let nearing = speed + other_speed;
            let sideways = [-normal[1], normal[0]];
            let relative = [nearing * normal[0], nearing * sideways[0]];
            let per_mass = 1.0 / masses[0] + 1.0 / masses[1];
            let [along, across] = impulses(relative, per_mass, friction, e);
            let impulse = [0, 1].map(|axis| along * normal[axis] + across * sideways[axis]);
            // The impulse at the rim turns both discs the same way: -r n x (n along + t across), on m r^2 / 2.
            let spins = masses.map(|mass| -2.0 * across / (mass * RADIUS_M));
            let expected = [
                [speed + impulse[0] / masses[0], impulse[1] / masses[0]],
                [-other_speed - impulse[0] / masses[1], -impulse[1] / masses[1]],
            ];
            let at = |x: f64, y: f64, heading: f64| { let [x, y] = turned([x, y], turn); Pose2::new(x, y, heading) };
            let robots = vec![
                robot("a", coasting(masses[0]), at(-apart_m, y, heading)),
                robot("b", coasting(masses[1]), at(0.0, 0.0, 1.0 - heading)),
            ];
            let scenario = Scenario { robots, ..by(physics, dt_secs, friction, e) };
            let got = after_impact(scenario, &velocities.map(|velocity| turned(velocity, turn)));
            for ((got, expected), spin) in got.iter().zip(expected).zip(spins) {
                let expected = turned(expected, turn);
                let off = libm::hypot(got.x_m_s - expected[0], got.y_m_s - expected[1]);
                prop_assert!(off < 1e-6 * speed.max(1.0), "{physics:?}, dt {dt_secs}: {got:?} for {expected:?}");
                prop_assert!((got.turn_rad_s - spin).abs() < 1e-5, "{physics:?}, dt {dt_secs}: {got:?} turns, {spin} expected");
            }
            let momentum = |twists: [[f64; 2]; 2]| [0, 1].map(|axis| masses[0] * twists[0][axis] + masses[1] * twists[1][axis]);
            let (before, after) = (momentum(velocities.map(|v| turned(v, turn))), momentum([0, 1].map(|n| [got[n].x_m_s, got[n].y_m_s])));
            // By the law `rigid` a mass is the library's, in `f32`.
            let slack = if physics == DISCS { 1e-9 } else { 1e-6 };
            prop_assert!(libm::hypot(before[0] - after[0], before[1] - after[1]) < slack * masses[1] * speed.max(1.0));
        }
    }

    /// W4: a disc against a wall, at any angle, by the closed form.
    #[test]
    fn a_robot_meets_a_wall_by_the_closed_form(
        speed in 0.2..4.0f64, slope in -1.2..1.2f64, phase in 0.0..1.0f64, e in 0.0..1.0f64, friction in 0.0..0.8f64, heading in -3.0..3.0f64,
        ratio in 1.0..60.0f64,
    ) {
        for (physics, dt_secs) in laws_and_steps() {
            let along = [speed * libm::cos(slope), speed * libm::sin(slope)];
            let [normal, across] = impulses([-along[0], along[1]], 1.0, friction, e);
            let expected = [along[0] - normal, along[1] + across];
            let start = -RADIUS_M - along[0] * dt_secs * (2.5 + phase);
            let robots = vec![robot("a", coasting(ratio), Pose2::new(start, 0.0, heading))];
            let fixtures = vec![wall(0.5, 0.0, 1.0, 200.0)];
            let got = after_impact(Scenario { robots, fixtures, ..by(physics, dt_secs, friction, e) }, &[along])[0];
            let off = libm::hypot(got.x_m_s - expected[0], got.y_m_s - expected[1]);
            prop_assert!(off < 1e-6 * speed, "{physics:?}, dt {dt_secs}: {got:?} for {expected:?}");
            prop_assert!((got.turn_rad_s - 2.0 * across / RADIUS_M).abs() < 1e-5, "{physics:?}, dt {dt_secs}: {got:?}");
        }
    }

    /// W4, R2: a disc on an arc meets a wall where the arc does.
    #[test]
    fn a_robot_on_an_arc_meets_a_wall_where_the_arc_does(
        speed in 0.3..3.0f64, turn in 0.3..4.0f64, phase in 0.0..1.0f64, e in 0.2..1.0f64, depth in 0.001..0.9f64,
    ) {
        for (physics, dt_secs) in laws_and_steps() {
            // From heading -pi/2 on a circle to the left; its top is at x = radius_m, and the wall cuts that off.
            let radius_m = speed / turn;
            let wall_at = radius_m * (1.0 - depth * 0.5);
            let meets_rad = libm::acos(wall_at / radius_m);
            let secs = (PI / 2.0 - meets_rad) / turn;
            if secs < 4.0 * dt_secs { continue }
            let back_rad = turn * dt_secs * phase;
            let pose = Pose2::new(radius_m * libm::cos(-PI / 2.0 - back_rad), radius_m * libm::sin(-PI / 2.0 - back_rad), -back_rad);
            let robots = vec![robot("a", coasting(20.0), pose)];
            let fixtures = vec![wall(wall_at + RADIUS_M + 0.5, 0.0, 1.0, 200.0)];
            let mut world = world(Scenario { robots, fixtures, ..by(physics, dt_secs, 0.0, e) });
            let whole_steps = (secs + dt_secs * phase) / dt_secs;
            // At the end of a step rounding decides whether it is this one or the next.
            if (whole_steps - whole_steps.round()).abs() < 1e-3 { continue }
            let steps = whole_steps.floor() as usize + 1;
            for _ in 0..steps {
                world.step(&[set_twist(0, Twist2::new(speed, 0.0, turn))]);
            }
            // At the angle -meets_rad on the circle it goes with the tangent there.
            let at = [libm::sin(meets_rad) * speed, libm::cos(meets_rad) * speed];
            // The library looks along chords: an arc that only just comes to the wall is none of its business.
            let least = if physics == DISCS { 0.02 } else { f64::max(0.02, speed * turn * dt_secs) };
            let bounces = if at[0] > least { e } else { continue };
            let got = twist(&world, 0);
            let off = libm::hypot(got.x_m_s + bounces * at[0], got.y_m_s - at[1]);
            prop_assert!(off < 1e-4 * speed, "{physics:?}, dt {dt_secs}: {got:?} for {at:?}");
        }
    }

    /// W4: what robots do in a world that is turned as a whole, or in a mirror, is the same turned and mirrored.
    #[test]
    fn turned_and_mirrored_worlds_of_robots_do_the_same(by in -PI..PI, angle in 0.0..TAU, dt_index in 0..6usize, e in 0.3..1.0f64) {
        let off_m = turned_and_mirrored(DISCS, STEPS_SECS[dt_index], by, angle, e);
        prop_assert!(off_m < 1e-5, "{off_m} m");
    }
}

/// How far robots that meet each other, walls and a post come from where they should in the same world, turned and mirrored, metres.
pub fn turned_and_mirrored(physics: PhysicsLaw, dt_secs: f64, by: f64, angle: f64, e: f64) -> f64 {
    let straight = three_that_meet(physics, dt_secs, [0.0, 1.0], angle, e);
    let others = [[by, 1.0], [0.0, -1.0]].map(|frame| three_that_meet(physics, dt_secs, frame, angle, e));
    let off = |other: &Vec<[f64; 2]>| {
        let places = straight.iter().zip(other);
        places.map(|(one, other)| libm::hypot(one[0] - other[0], one[1] - other[1])).fold(0.0, f64::max)
    };
    others.iter().map(off).fold(0.0, f64::max)
}

fn three_that_meet(
    physics: PhysicsLaw,
    dt_secs: f64,
    [turn_by, mirror]: [f64; 2],
    angle: f64,
    e: f64,
) -> Vec<[f64; 2]> {
    let at = |x: f64, y: f64, heading: f64| {
        let [x, y] = turned([x, mirror * y], turn_by);
        Pose2::new(x, y, mirror * heading + turn_by)
    };
    let robots = vec![
        robot("a", undriven(coasting(20.0)), at(-0.6, 0.05, 0.1)),
        robot("b", undriven(coasting(5.0)), at(0.3, -0.1, angle)),
        robot("c", undriven(coasting(8.0)), at(0.25, 0.6, -1.0)),
    ];
    let post = Fixture {
        primitive: primitive(Outline::circle(0.05), at(0.7, 0.3, 0.0)),
        ..wall(0.0, 0.0, 1.0, 1.0)
    };
    let side = |x: f64, y: f64, turn: f64| {
        let pose = at(x, y, turn);
        Fixture {
            primitive: primitive(Outline::Rectangle { length_m: 3.0, width_m: 0.1 }, pose),
            ..wall(0.0, 0.0, 1.0, 1.0)
        }
    };
    let fixtures = vec![
        post,
        side(0.0, 1.1, 0.0),
        side(0.0, -1.1, 0.0),
        side(1.3, 0.0, PI / 2.0),
        side(-1.3, 0.0, PI / 2.0),
    ];
    let thrown = [[2.0, 0.2, 0.5], [1.0, 0.0, -1.0], [-0.5, 1.0, 2.0]];
    let thrown = thrown.map(|[x, y, turn]| Twist2::new(x, mirror * y, mirror * turn));
    let referee = Some(throwing(&thrown));
    let mut world = world(Scenario { robots, fixtures, referee, ..self::by(physics, dt_secs, 0.3, e) });
    (0..(0.5 / dt_secs) as usize).for_each(|_| drop(world.step(&[])));
    (0..3)
        .map(|n| {
            let [x, y] = turned(place(&world, n), -turn_by);
            [x, mirror * y]
        })
        .collect::<Vec<_>>()
}

/// How deep the robots of a room are in each other and in its walls, metres.
fn deepest(world: &World, count: u32, [length_m, width_m]: [f64; 2]) -> f64 {
    let places: Vec<[f64; 2]> = (0..count).map(|n| place(world, n)).collect();
    let in_walls =
        |[x, y]: [f64; 2]| (x.abs() + RADIUS_M - length_m / 2.0).max(y.abs() + RADIUS_M - width_m / 2.0);
    let in_robots = places.iter().enumerate().flat_map(|(index, one)| {
        places[..index].iter().map(|other| 2.0 * RADIUS_M - libm::hypot(one[0] - other[0], one[1] - other[1]))
    });
    in_robots.chain(places.iter().copied().map(in_walls)).fold(f64::NEG_INFINITY, f64::max)
}

pub fn crowd(scenario: Scenario, spec: impl Fn(u32) -> RobotSpec, size_m: [f64; 2]) -> World {
    let at = |n: u32| Pose2::new(f64::from(n % 5) * 0.6 - 1.2, f64::from(n / 5) * 0.55 - 0.85, f64::from(n));
    let robots = (0..20).map(|n| robot(&format!("r{n}"), spec(n), at(n))).collect();
    world(Scenario { robots, fixtures: room(size_m[0], size_m[1]), ..scenario })
}

/// W4: twenty robots that coast about in a room do not overlap, and their energy never grows.
#[test]
fn a_crowd_that_coasts_loses_energy_only() {
    let size_m = [3.4, 2.4];
    for (physics, dt_secs) in laws_and_steps() {
        for (e, friction) in [(1.0, 0.0), (1.0, 0.4), (0.6, 0.3), (0.0, 0.8)] {
            let mass = |n: u32| 5.0 + f64::from(n * n % 7) * 10.0;
            let scenario = by(physics, dt_secs, friction, e);
            // What the library gives is in `f32`.
            let (deep_m, slack, keeps) =
                if physics == DISCS { (1e-6, 1e-9, 0.999) } else { (0.01 + 4.0 * dt_secs, 1e-5, 0.95) };
            coast(thrown_crowd(scenario, |n| coasting(mass(n)), size_m), dt_secs, slack, |world| {
                let deep = deepest(world, 20, size_m);
                assert!(deep < deep_m, "{physics:?}, dt {dt_secs}, e {e}: {deep} m deep");
                energy(world, 20, |n| (mass(n), RADIUS_M * RADIUS_M / 2.0))
            })
            .map(|kept| {
                assert!(
                    e < 1.0 || friction > 0.0 || kept > keeps,
                    "{physics:?}, dt {dt_secs}: {kept} is left"
                )
            })
            .unwrap_or_else(|error| panic!("{physics:?}, dt {dt_secs}, e {e}: {error}"));
        }
    }
}

/// The same, thrown about by the referee; no tyre holds them.
pub fn thrown_crowd(scenario: Scenario, spec: impl Fn(u32) -> RobotSpec, size_m: [f64; 2]) -> World {
    let told = |n: u32| {
        let (sin, cos) = libm::sincos(f64::from(n) * 2.4);
        Twist2::new(2.0 * cos, 2.0 * sin, f64::from(n % 3) - 1.0)
    };
    let referee = Some(throwing(&(0..20).map(told).collect::<Vec<_>>()));
    crowd(Scenario { referee, ..scenario }, |n| undriven(spec(n)), size_m)
}

/// Lets twenty robots coast for a second that the referee throws about, and tells which part of their energy is left.
pub fn coast(
    mut world: World,
    dt_secs: f64,
    slack: f64,
    energy: impl Fn(&World) -> f64,
) -> Result<f64, String> {
    world.step(&[]);
    let (first, mut before) = (energy(&world), energy(&world));
    for step in 0..(1.0 / dt_secs) as usize {
        world.step(&[]);
        let now = energy(&world);
        if now > before * (1.0 + slack) {
            return Err(format!("step {step}: energy {before} to {now}"));
        }
        before = now;
    }
    Ok(before / first)
}

/// Of robots of these masses and moments of inertia (kg, m^2 of their masses), joules.
pub fn energy(world: &World, count: u32, inertia: impl Fn(u32) -> (f64, f64)) -> f64 {
    let of = |n: u32| {
        let (Twist2 { x_m_s, y_m_s, turn_rad_s }, (mass_kg, moment_m2)) = (twist(world, n), inertia(n));
        mass_kg * (x_m_s * x_m_s + y_m_s * y_m_s + moment_m2 * turn_rad_s * turn_rad_s) / 2.0
    };
    (0..count).map(of).sum()
}

/// W4, R2: twenty robots that all drive to the middle press against each other without overlap, and come to stand.
#[test]
fn a_crowd_that_presses_comes_to_stand() {
    let size_m = [3.4, 2.4];
    for dt_secs in [0.002, 0.01, 0.05] {
        let mut world = crowd(discs(dt_secs, 0.5, 0.0), |_| disc_robot(), size_m);
        let mut fastest: f64 = 0.0;
        for step in 0..(2.0 / dt_secs) as usize {
            let orders: Vec<_> = (0..20)
                .map(|n| {
                    let pose = world.view().robot(n).unwrap().pose;
                    let [x, y] = turned([-pose.x_m, -pose.y_m], -pose.theta_rad);
                    let share = 1.0 / libm::hypot(x, y).max(0.3);
                    set_twist(n, Twist2::new(share * x, share * y, 0.0))
                })
                .collect();
            world.step(&orders);
            let deep = deepest(&world, 20, size_m);
            assert!(deep < 1e-6, "dt {dt_secs}, step {step}: {deep} m deep");
            if step as f64 * dt_secs > 1.8 {
                let speed = |n| libm::hypot(twist(&world, n).x_m_s, twist(&world, n).y_m_s);
                fastest = (0..20).map(speed).fold(fastest, f64::max);
            }
        }
        // No faster than what its tyres bring it to in a step.
        assert!(
            fastest < f64::max(6.0 * dt_secs, 0.05),
            "dt {dt_secs}: somebody still goes at {fastest} m/s"
        );
    }
}

/// W4, R2: a robot that drives against a wall, and two against each other, stop where they touch and stay there.
#[test]
fn a_blocked_robot_stands() {
    for (physics, dt_secs) in laws_and_steps() {
        for e in [0.0, 0.3, 0.6] {
            let robots = vec![
                robot("a", disc_robot(), Pose2::new(-0.4, 0.0, 0.0)),
                robot("b", disc_robot(), Pose2::new(0.4, 0.0, PI)),
                robot("c", disc_robot(), Pose2::new(0.0, 3.0, 0.0)),
            ];
            let fixtures = vec![wall(1.0, 3.0, 0.4, 2.0)];
            let (deep_m, near_m) = if physics == DISCS { (1e-6, 1e-4) } else { (0.002, 3e-4) };
            let mut world = world(Scenario { robots, fixtures, ..by(physics, dt_secs, 0.5, e) });
            for step in 0..(6.0 / dt_secs) as usize {
                world.step(&[0, 1, 2].map(|n| set_twist(n, Twist2::new(1.0, 0.0, 0.0))));
                let gaps = [place(&world, 1)[0] - place(&world, 0)[0] - 0.4, 0.6 - place(&world, 2)[0]];
                assert!(
                    gaps.iter().all(|&gap_m| gap_m > -deep_m),
                    "{physics:?}, dt {dt_secs}, step {step}: {gaps:?}"
                );
                if step as f64 * dt_secs > 5.0 {
                    let speeds = [0, 1, 2].map(|n| twist(&world, n).x_m_s.abs());
                    assert!(
                        gaps.iter().all(|&gap_m| gap_m < near_m),
                        "{physics:?}, dt {dt_secs}, e {e}: {gaps:?}"
                    );
                    assert!(
                        speeds.iter().all(|&speed| speed < 1e-3),
                        "{physics:?}, dt {dt_secs}, e {e}: {speeds:?}"
                    );
                }
            }
        }
    }
}

/// R2: who pushes has the force of its own tyres, less what those of the pushed one hold against it: (6 - 1) / 2 m/s^2.
#[test]
fn a_robot_pushes_with_what_its_tyres_hold() {
    for dt_secs in STEPS_SECS {
        let light = RobotSpec { traction_m_s2: 1.0, ..disc_robot() };
        let robots =
            vec![robot("a", disc_robot(), Pose2::ORIGIN), robot("b", light, Pose2::new(0.4, 0.0, 0.0))];
        let mut world = world(Scenario { robots, ..discs(dt_secs, 0.5, 0.5) });
        for _ in 0..(0.3 / dt_secs).round() as usize {
            world.step(&[set_twist(0, Twist2::new(3.0, 0.0, 0.0))]);
        }
        for number in [0, 1] {
            let speed = twist(&world, number).x_m_s;
            // In the first step the pushed one stands, and holds nothing against it.
            assert!(
                (speed - 0.75).abs() < 0.5 * dt_secs + 1e-6,
                "dt {dt_secs}: robot {number} goes at {speed} m/s"
            );
        }
    }
}

/// W7, I2: a world of discs runs the same twice, from a snapshot, and as a fork.
#[test]
fn worlds_of_discs_run_the_same_again() {
    for contact in [ContactRule::Impulse, ContactRule::SoccerServer] {
        let physics = PhysicsLaw::Discs { contact, bounding_circles: false };
        let scenario = || Scenario { physics, ..busy_scenario() };
        let (mut one, mut other) = (world(scenario()), world(scenario()));
        (0..300).for_each(|_| drop(one.step(&[])));
        (0..300).for_each(|_| drop(other.step(&[])));
        assert_eq!(one.state_hash(), other.state_hash());
        let snapshot = one.snapshot();
        let mut fork = one.fork();
        (0..300).for_each(|_| drop(one.step(&[])));
        (0..300).for_each(|_| drop(fork.step(&[])));
        assert_eq!(one.state_hash(), fork.state_hash());
        other.restore(&snapshot);
        (0..300).for_each(|_| drop(other.step(&[])));
        assert_eq!(one.state_hash(), other.state_hash());
        assert_ne!(one.state_hash(), world(scenario()).state_hash());
    }
}

/// W4: a robot whose body is no disc is refused, unless the world says that the circle around it will do.
#[test]
fn a_body_that_is_no_disc_is_refused_unless_the_world_takes_its_circle() {
    let scenario = |bounding_circles| Scenario {
        physics: PhysicsLaw::Discs { contact: ContactRule::Impulse, bounding_circles },
        robots: vec![robot("r", square_robot(5.0), Pose2::ORIGIN)],
        fixtures: vec![wall(1.0, 0.0, 0.5, 4.0)],
        ..empty_scenario()
    };
    let error = World::new(scenario(false), std::sync::Arc::new(TestFactory)).err().unwrap().to_string();
    assert!(error.contains("no disc") && error.contains("0.250 m"), "{error}");
    // 0.3 m x 0.4 m: a circle of 0.25 m.
    let mut world = world(scenario(true));
    (0..300).for_each(|_| drop(world.step(&[set_twist(0, Twist2::new(1.0, 0.0, 0.0))])));
    assert!((place(&world, 0)[0] - 0.5).abs() < 1e-3, "{:?}", place(&world, 0));
}

/// W4: where bodies never meet, nobody is in the way of a robot that comes; a wall is.
#[test]
fn a_robot_finds_room_among_those_who_never_meet() {
    let scenario = |contact| Scenario {
        physics: PhysicsLaw::Discs { contact, bounding_circles: true },
        robots: vec![robot("r", disc_robot(), Pose2::ORIGIN)],
        fixtures: vec![wall(5.0, 0.0, 0.5, 4.0)],
        ..empty_scenario()
    };
    let is_made = |contact, x_m: f64| {
        let mut world = world(scenario(contact));
        let action = Action::AddRobot {
            name: "s".into(),
            team: None,
            spec: std::sync::Arc::new(disc_robot()),
            pose: Some(Pose2::new(x_m, 0.0, 0.0)),
            player: None,
        };
        world.step(&[Command { client: 1, sequence: 1, action }])[0].result.is_ok()
    };
    assert!(is_made(ContactRule::None, 0.1));
    assert!(!is_made(ContactRule::None, 5.0));
    assert!(!is_made(ContactRule::Impulse, 0.1));
}
