//! What friction, tyres and balls do within a step, at whatever moment of it something is met: closed forms at every length of step. [W4, W5, R2]

use crate::common::*;
use crate::contacts::*;
use crate::discs::*;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::World;
use touchline_sim::scenario::*;

const BALL: BallSpec = FREE_BALL;

/// A robot that goes as it is thrown: nothing brings force to the ground.
fn thrown(body: Vec<Primitive>, mass_kg: f64) -> RobotSpec {
    RobotSpec { body, traction_m_s2: 1e-9, ..coasting(mass_kg) }
}

/// The velocity of a point of the robot's frame in the world, m/s.
fn velocity_of(world: &World, robot: u32, point: [f64; 2]) -> [f64; 2] {
    let robot = world.view().robot(robot).unwrap();
    let Twist2 { x_m_s, y_m_s, turn_rad_s } = robot.twist;
    let [x, y] = turned(point, robot.pose.theta_rad);
    [x_m_s - turn_rad_s * y, y_m_s + turn_rad_s * x]
}

/// W4: a robot's body may be a triangle; its mass is spread over it evenly, as over all shapes.
#[test]
fn a_triangle_turns_as_its_mass_lies() {
    let corners = [[0.1, 0.0], [-0.1, 0.12], [-0.1, -0.12]];
    let body = vec![primitive(Outline::Triangle { corners }, Pose2::ORIGIN)];
    let robots = vec![robot("a", thrown(body, 2.0), Pose2::ORIGIN)];
    let balls = vec![ball(BALL, [-0.3, 0.06], [3.0, 0.0])];
    let mut world = world(Scenario { robots, balls, ..by(PhysicsLaw::Rigid, 0.01, 0.0, 1.0) });
    let turn = |world: &World| twist(world, 0).turn_rad_s;
    (0..20).for_each(|_| drop(world.step(&[])));
    assert!(turn(&world) < -0.1, "the ball has met it: {}", turn(&world));
    // The push along x at y = 0.06 m has given the centre of mass this much.
    let impulse = 2.0 * velocity_of(&world, 0, [-0.1 / 3.0, 0.0])[0];
    let moment = -0.06 * impulse / turn(&world);
    let [long, short] = [0.2 * 0.2 + 0.12 * 0.12, 0.24 * 0.24];
    let expected = 2.0 * (2.0 * long + short) / 36.0;
    assert!((moment / expected - 1.0).abs() < 1e-4, "{moment} kg m^2, and not {expected}");
}

/// W4: what a ball gives a robot that stands is there at the end of the step, and points where the ball has lost it: momentum is kept, wherever
/// in the step they meet.
#[test]
fn a_ball_gives_a_robot_what_it_loses() {
    for (law, dt_secs) in laws_and_steps() {
        for phase in [0.05, 0.35, 0.65, 0.95] {
            for offset_m in [-0.2, 0.1, 0.25] {
                let spec = RobotSpec { traction_m_s2: 6.0, ..coasting(2.0) };
                let start = -libm::sqrt(0.31 * 0.31 - offset_m * offset_m) - 6.0 * dt_secs * (1.0 + phase);
                let robots = vec![robot("a", spec, Pose2::ORIGIN)];
                let balls = vec![ball(BALL, [start, offset_m], [6.0, 0.0])];
                let mut world = world(Scenario { robots, balls, ..by(law, dt_secs, 0.5, 0.6) });
                (0..2).for_each(|_| drop(world.step(&[])));
                let ([x, y], [u, v]) = (velocity_of(&world, 0, [0.0; 2]), velocity(&world));
                assert!(x > 0.3, "they have met");
                let off = [2.0 * x + BALL.mass_kg * (u - 6.0), 2.0 * y + BALL.mass_kg * v];
                assert!(
                    libm::hypot(off[0], off[1]) < 1e-6 * 6.0 * BALL.mass_kg,
                    "{law:?}, dt {dt_secs}, phase {phase}, {offset_m} m: {off:?} kg m/s too much"
                );
            }
        }
    }
}

/// W4: energy does not grow where a ball meets a robot that slides and spins, and nobody loses more than the step makes of it.
#[test]
fn a_robot_that_slides_and_spins_gives_no_energy_away() {
    let boxes = vec![primitive(Outline::Rectangle { length_m: 0.3, width_m: 0.4 }, Pose2::ORIGIN)];
    let disc = disc_robot().body;
    for (law, dt_secs) in laws_and_steps() {
        let (body, moment_m2) = if law == DISCS { (&disc, 0.02) } else { (&boxes, 0.25 / 12.0) };
        for shot in 0..12 {
            let angle = f64::from(shot) * 0.55;
            let way = turned([-6.0, 0.0], angle);
            let side = turned([0.0, 0.03 * f64::from(shot % 5 - 2)], angle);
            let start = turned([0.45 + 6.0 * dt_secs * (1.0 + f64::from(shot) / 13.0), 0.0], angle);
            let spec = thrown(body.clone(), 5.0);
            let scenario = Scenario {
                robots: vec![robot("a", spec, Pose2::ORIGIN)],
                balls: vec![ball(BALL, [start[0] + side[0], start[1] + side[1]], way)],
                referee: Some(throwing(&[Twist2::new(0.8, -0.4, 6.0)])),
                ..by(law, dt_secs, 0.0, 1.0)
            };
            let mut world = world(scenario);
            world.step(&[]);
            let energy = |world: &World| {
                let [u, v] = velocity(world);
                energy(world, 1, |_| (5.0, moment_m2)) + BALL.mass_kg * (u * u + v * v) / 2.0
            };
            let mut before = energy(&world);
            for step in 0..(0.2 / dt_secs) as usize + 2 {
                world.step(&[]);
                let now = energy(&world);
                assert!(
                    now < before * (1.0 + 1e-6),
                    "{law:?}, dt {dt_secs}, shot {shot}, step {step}: {before} to {now} J"
                );
                before = now;
            }
        }
    }
}

/// R2: the centre of mass of a robot that nothing holds goes straight, wherever in its frame it is.
#[test]
fn what_slides_goes_straight_by_its_centre_of_mass() {
    let part =
        |x_m: f64| primitive(Outline::Rectangle { length_m: 0.1, width_m: 0.2 }, Pose2::new(x_m, 0.0, 0.0));
    for dt_secs in STEPS_SECS {
        let scenario = Scenario {
            robots: vec![robot("a", thrown(vec![part(0.05), part(0.15)], 2.5), Pose2::ORIGIN)],
            referee: Some(throwing(&[Twist2::new(1.0, 0.0, 8.0)])),
            ..by(PhysicsLaw::Rigid, dt_secs, 0.0, 1.0)
        };
        let mut world = world(scenario);
        world.step(&[]);
        let first = velocity_of(&world, 0, [0.1, 0.0]);
        for _ in 0..(0.5 / dt_secs) as usize {
            world.step(&[]);
            let now = velocity_of(&world, 0, [0.1, 0.0]);
            let off = libm::hypot(now[0] - first[0], now[1] - first[1]);
            assert!(off < 1e-5, "dt {dt_secs}: {first:?} became {now:?}");
        }
    }
}

/// W5: a ball that bounces slides from the moment of its bounce on, wherever in a step that is: it comes back as far as the closed form says.
#[test]
fn friction_acts_before_and_after_a_bounce_as_long_as_each_takes() {
    let (slows_m_s2, speed_m_s) = (3.0, 2.0);
    let sliding = Some(Sliding { deceleration_m_s2: slows_m_s2, inertia_factor: 2.0 / 3.0 });
    let spec = BallSpec { sliding, ..BALL };
    for (law, dt_secs) in laws_and_steps() {
        for phase in [0.05, 0.35, 0.65, 0.95] {
            // It rolls without loss until it meets the wall at 0.11 m from its middle.
            let meets_secs = dt_secs * (1.0 + phase);
            let balls = vec![ball(spec, [0.0, -0.11 - speed_m_s * meets_secs], [1.0, speed_m_s])];
            let fixtures = vec![wall(0.0, 0.05, 10.0, 0.1)];
            let mut world = world(Scenario { fixtures, balls, ..by(law, dt_secs, 0.0, 0.6) });
            let steps = (0.3 / dt_secs) as usize;
            (0..steps).for_each(|_| drop(world.step(&[])));
            // It still turns towards the wall, so it slides straight away from it, and slower and slower, for 0.43 s.
            let (secs, all_secs) = (steps as f64 * dt_secs - meets_secs, steps as f64 * dt_secs);
            let y_m = -0.11 - 0.6 * speed_m_s * secs + slows_m_s2 * secs * secs / 2.0;
            let ([x, y], [u, v]) = (position(&world), velocity(&world));
            let off = libm::hypot(x - all_secs, y - y_m);
            assert!(off < 1e-9, "{law:?}, dt {dt_secs}, phase {phase}: {off} m off");
            let off = (u - 1.0).abs().max((v + 0.6 * speed_m_s - slows_m_s2 * secs).abs());
            assert!(off < 1e-9, "{law:?}, dt {dt_secs}, phase {phase}: {off} m/s off");
        }
    }
}
