//! Fixtures that hang above robots' bodies and not above all that they carry. [W4]

use crate::common::*;
use crate::contacts::*;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_sim::scenario::*;

/// A low body that carries a mast from 0.5 to 1.2 m above the floor.
fn with_mast() -> RobotSpec {
    let mast = Primitive { z_m: [0.5, 1.2], ..primitive(Outline::circle(0.05), Pose2::ORIGIN) };
    let state = ManipulatorState {
        name: "up".into(),
        shapes: vec![mast],
        kick: None,
        hold: None,
        returns_after_secs: None,
    };
    let manipulators = vec![ManipulatorSpec { name: "mast".into(), states: vec![state] }];
    RobotSpec { manipulators, ..disc_robot() }
}

/// Where a robot comes to that drives under a bar for three seconds, alone or while another one stands at some wall far away.
fn reached_m(spec: &RobotSpec, bar_z_m: [f64; 2], is_alone: bool) -> f64 {
    let mut bar = wall(1.0, 0.0, 0.02, 2.0);
    bar.primitive.z_m = bar_z_m;
    let mut robots = vec![robot("drives", spec.clone(), Pose2::ORIGIN)];
    if !is_alone {
        robots.push(robot("stands", disc_robot(), Pose2::new(-5.2, 5.0, 0.0)));
    }
    let fixtures = vec![bar, wall(-5.45, 5.0, 0.1, 2.0)];
    let mut world = world(Scenario { fixtures, robots, ..empty_scenario() });
    for _ in 0..300 {
        world.step(&[set_twist(0, Twist2::new(1.0, 0.0, 0.0))]);
    }
    world.view().robot(0).unwrap().pose.x_m
}

/// W4: a mast is stopped by a bar at its height, whatever robots far away do; below and above it the robot passes.
#[test]
fn a_mast_is_stopped_by_what_hangs_at_its_height() {
    for is_alone in [true, false] {
        let stopped_m = reached_m(&with_mast(), [0.9, 1.0], is_alone);
        assert!((stopped_m - 0.94).abs() < 0.01, "alone: {is_alone}: it came to {stopped_m} m");
        let between_m = reached_m(&with_mast(), [0.35, 0.45], is_alone);
        assert!(between_m > 2.0, "alone: {is_alone}: between body and mast it came to {between_m} m");
        let below_m = reached_m(&disc_robot(), [0.9, 1.0], is_alone);
        assert!(below_m > 2.0, "alone: {is_alone}: without a mast it came to {below_m} m");
    }
}
