//! Balls and robots that are the circles around their bodies, by the law `discs`. [W4]

use crate::common::*;
use crate::contacts::*;
use std::f64::consts::TAU;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;
use touchline_sim::{BodyDisc, World};

const ROUND: PhysicsLaw = PhysicsLaw::Discs { contact: ContactRule::Impulse, bounding_circles: true };
const BALL: BallSpec = BallSpec { radius_m: 0.05, mass_kg: 0.01, ..FREE_BALL };

/// Its circle reaches 0.06 m farther ahead than its corner does.
fn triangle() -> RobotSpec {
    let corners = [[0.2, 0.0], [-0.1, 0.15], [-0.1, -0.15]];
    let body = vec![primitive(Outline::Triangle { corners }, Pose2::ORIGIN)];
    RobotSpec { body, traction_m_s2: 1e4, ..disc_robot() }
}

/// How far the ball is from touching the robot's circle, metres.
fn gap_m(world: &World, disc: &BodyDisc) -> f64 {
    let centre = world.view().robot(0).unwrap().pose.point_to_outer(disc.centre);
    let [x, y] = position(world);
    libm::hypot(x - centre[0], y - centre[1]) - disc.radius_m - BALL.radius_m
}

/// W4: a ball bounces where it touches the circle, from whatever side it comes, at every length of step, whether the robot stands or drives
/// against it.
#[test]
fn a_ball_bounces_off_the_circle_around_a_body() {
    let disc = BodyDisc::of(&triangle());
    for (dt_secs, side, speed_m_s) in
        STEPS_SECS.into_iter().flat_map(|dt| (0..12).flat_map(move |side| [0.0, 0.7].map(|v| (dt, side, v))))
    {
        let (sin, cos) = libm::sincos(f64::from(side) * TAU / 12.0);
        let away = [disc.centre[0] + 0.6 * cos, disc.centre[1] + 0.6 * sin];
        let ball_m_s = if speed_m_s == 0.0 { 1.0 } else { 0.0 };
        let mut world = world(Scenario {
            physics: ROUND,
            dt_secs,
            surface: slippery(1.0),
            robots: vec![robot("r", triangle(), Pose2::ORIGIN)],
            balls: vec![ball(BALL, away, [-ball_m_s * cos, -ball_m_s * sin])],
            ..empty_scenario()
        });
        let towards = Twist2::new(speed_m_s * cos, speed_m_s * sin, 0.0);
        for _ in 0..(1.0 / dt_secs) as usize {
            world.step(&[set_twist(0, towards)]);
            let gap_m = gap_m(&world, &disc);
            assert!(
                gap_m > -1e-6,
                "dt {dt_secs}, side {side}, {speed_m_s} m/s: {:.1} mm inside",
                -1e3 * gap_m
            );
        }
        let [x, y] = velocity(&world);
        assert!(x * cos + y * sin > 0.9, "dt {dt_secs}, side {side}: it bounced, with ({x}, {y}) m/s");
    }
}

/// W4: a robot that is hit from behind gives the impulse to a ball that lies at its circle.
#[test]
fn a_ball_at_the_circle_is_hit_through_the_robot() {
    let disc = BodyDisc::of(&triangle());
    let ahead_m = disc.centre[0] + disc.radius_m + BALL.radius_m;
    let mut world = world(Scenario {
        physics: ROUND,
        surface: slippery(1.0),
        robots: vec![
            robot("between", RobotSpec { traction_m_s2: 1e-9, ..triangle() }, Pose2::ORIGIN),
            robot("comes", RobotSpec { traction_m_s2: 1e4, ..disc_robot() }, Pose2::new(-0.8, 0.0, 0.0)),
        ],
        balls: vec![ball(BALL, [ahead_m + 1e-7, 0.0], [0.0; 2])],
        ..empty_scenario()
    });
    for _ in 0..100 {
        world.step(&[set_twist(1, Twist2::new(1.0, 0.0, 0.0))]);
        assert!(gap_m(&world, &disc) > -1e-6, "{}", gap_m(&world, &disc));
    }
    assert!(velocity(&world)[0] > 1.5, "{:?}", velocity(&world));
}
