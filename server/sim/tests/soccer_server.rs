//! The Soccer Server's rule of contact, with numbers worked out from its description (spec/rcss.md, section 6): who overlaps after the move
//! is pushed apart about the middle of the pair until they just touch, up to ten rounds, several pushes averaged; then the velocity of who has
//! collided is multiplied with -0.1. [W4]

use crate::common::*;
use crate::contacts::*;
use std::f64::consts::PI;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;
use touchline_sim::{EventKind, World};

/// A cycle of the Soccer Server, robots of 0.2 m radius that keep their velocity.
fn scenario() -> Scenario {
    let physics = PhysicsLaw::Discs { contact: ContactRule::SoccerServer, bounding_circles: false };
    Scenario { physics, dt_secs: 0.1, surface: Surface::new(0.3, 1.0), ..empty_scenario() }
}

fn coasting(mass_kg: f64) -> RobotSpec {
    RobotSpec { motion: choice("coasting"), mass_kg, traction_m_s2: 1e5, ..disc_robot() }
}

fn state(world: &World, number: u32) -> ([f64; 2], [f64; 2]) {
    let robot = world.view().robot(number).unwrap();
    ([robot.pose.x_m, robot.pose.y_m], [robot.twist.x_m_s, robot.twist.y_m_s])
}

fn close(got: [f64; 2], expected: [f64; 2]) {
    let off = libm::hypot(got[0] - expected[0], got[1] - expected[1]);
    assert!(off < 1e-9, "{got:?} for {expected:?}");
}

/// W4: velocities decay, or grow, within a cycle; it is what they are after it that is multiplied with -0.1: 3.5 m/s^2 for 0.1 s.
#[test]
fn who_collides_goes_back_with_a_tenth_of_what_it_has_in_the_end() {
    let gaining = RobotSpec { motion: choice("gaining"), traction_m_s2: 20.0, ..disc_robot() };
    let robots =
        vec![robot("a", gaining, Pose2::new(-0.41, 0.0, 0.0)), robot("b", coasting(20.0), Pose2::ORIGIN)];
    let mut world = world(Scenario { robots, ..scenario() });
    world.step(&[set_twist(0, Twist2::new(3.0, 0.0, 0.0))]);
    close(state(&world, 0).1, [-0.1 * GAINS_M_S2 * 0.1, 0.0]);
}

/// W4: one comes to -0.15 m, the other stands at 0.15 m: they are 0.1 m too near, so each gives way by 0.05 m, however heavy it is, and goes back with a
/// tenth of its 1 m/s.
#[test]
fn two_that_overlap_part_about_their_middle() {
    for heading in [0.0, 2.0, PI] {
        let robots = vec![
            robot("a", coasting(20.0), Pose2::new(-0.25, 0.0, heading)),
            robot("b", coasting(1200.0), Pose2::new(0.15, 0.0, 1.0)),
        ];
        let mut world = world(Scenario { robots, ..scenario() });
        world.step(&[set_twist(0, Twist2::new(libm::cos(heading), -libm::sin(heading), 0.0))]);
        close(state(&world, 0).0, [-0.2, 0.0]);
        close(state(&world, 0).1, [-0.1, 0.0]);
        close(state(&world, 1).0, [0.2, 0.0]);
        close(state(&world, 1).1, [0.0, 0.0]);
        let is_contact = |kind: &EventKind| *kind == EventKind::Contact { a: "a".into(), b: "b".into() };
        assert!(world.events().any(|event| is_contact(&event.kind)));
    }
}

/// W4: a ball between two robots, 0.06 m too near to both: the mean of its two pushes is nothing, each robot gives way by half of what is
/// left in each of ten rounds.
#[test]
fn several_pushes_are_averaged_and_rounds_end() {
    let robots = vec![
        robot("a", coasting(20.0), Pose2::new(0.0, 0.25, 0.0)),
        robot("b", coasting(20.0), Pose2::new(0.0, -0.25, 0.0)),
    ];
    let balls = vec![ball(FREE_BALL, [-0.4, 0.0], [4.0, 0.0])];
    let mut world = world(Scenario { robots, balls, ..scenario() });
    world.step(&[]);
    close(position(&world), [0.0, 0.0]);
    close(velocity(&world), [-0.4, 0.0]);
    let away_m = 0.06 * (1.0 - 1.0 / 1024.0);
    close(state(&world, 0).0, [0.0, 0.25 + away_m]);
    close(state(&world, 1).0, [0.0, -0.25 - away_m]);
}

/// W4: who meets at an angle parts along the line between their middles: 3-4-5, 0.15 m too near.
#[test]
fn they_part_along_the_line_between_their_middles() {
    let robots = vec![
        robot("a", coasting(20.0), Pose2::new(-0.5, 0.0, 0.0)),
        robot("b", coasting(20.0), Pose2::new(0.15, 0.2, 0.0)),
    ];
    let mut world = world(Scenario { robots, ..scenario() });
    world.step(&[set_twist(0, Twist2::new(5.0, 0.0, 0.0))]);
    close(state(&world, 0).0, [-0.6 * 0.075, -0.8 * 0.075]);
    close(state(&world, 0).1, [-0.5, 0.0]);
    close(state(&world, 1).0, [0.15 + 0.6 * 0.075, 0.2 + 0.8 * 0.075]);
}

/// W4: bodies that pass through each other within a cycle do not collide; posts turn a ball at the moment when it meets them, without loss.
#[test]
fn only_places_after_the_move_count_and_posts_reflect() {
    let post = Fixture {
        primitive: primitive(Outline::circle(0.06), Pose2::new(1.0, 0.0, 0.0)),
        ..wall(0.0, 0.0, 1.0, 1.0)
    };
    let robots = vec![robot("a", coasting(20.0), Pose2::new(0.0, 3.0, 0.0))];
    let balls = vec![ball(FREE_BALL, [-0.5, 3.0], [10.0, 0.0]), ball(FREE_BALL, [0.33, 0.0], [10.0, 0.0])];
    let mut world = world(Scenario { robots, balls, fixtures: vec![post], ..scenario() });
    world.step(&[]);
    let balls: Vec<_> = world.view().balls().copied().collect();
    close([balls[0].pose.x_m, balls[0].pose.y_m], [0.5, 3.0]);
    close([balls[0].twist.x_m_s, balls[0].twist.y_m_s], [10.0, 0.0]);
    // 0.5 m to where it touches, and 0.5 m back.
    close([balls[1].pose.x_m, balls[1].pose.y_m], [0.33, 0.0]);
    close([balls[1].twist.x_m_s, balls[1].twist.y_m_s], [-10.0, 0.0]);
}

/// SL10: a ball over a robot does not overlap it, whatever the plane says.
#[test]
fn a_ball_over_a_robot_does_not_collide() {
    let robots = vec![robot("a", coasting(20.0), Pose2::ORIGIN)];
    for (z_m, is_over) in [(0.5, true), (0.1, false)] {
        let mut flying = ball(BallSpec { bounce: 0.0, ..FREE_BALL }, [-0.35, 0.0], [1.0, 0.0]);
        flying.vertical.z_m = z_m;
        let mut world = world(Scenario { robots: robots.clone(), balls: vec![flying], ..scenario() });
        world.step(&[]);
        assert_eq!(velocity(&world)[0] > 0.0, is_over, "{:?}", world.view().balls().next());
        close(state(&world, 0).0, if is_over { [0.0; 2] } else { state(&world, 0).0 });
    }
}
