//! S1: dead reckoning worked out by hand, and whether the drift is what it claims to be.

use super::*;
use std::f64::consts::FRAC_PI_2;
use touchline_kit::data::DataObject;
use touchline_plugin_api::container::Mount;
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

fn odometer(params: OdometryParams) -> Odometer {
    Odometer::new(params, &sensor_setup()).unwrap()
}

/// Drives the same small step again and again.
fn drive(odometer: &Odometer, step: Pose2, steps: u64, owner: &str) -> Pose2 {
    let key = NoiseKey::for_owner(3, owner);
    let mut state = odometer.initial_state();
    for i in 0..steps {
        let input = AdvanceInput {
            dt_secs: 0.01,
            displacement: step,
            twist: Twist2::ZERO,
            pose: Pose2::new(7.0, 7.0, 1.0),
            motion_data: &[],
            data: &[],
            inbox: Default::default(),
            noise: key.at_step(i),
        };
        odometer.advance(&mut state, &input).unwrap();
    }
    state
}

fn read(odometer: &Odometer, state: Pose2, world: &FakeWorld) -> Odometry {
    let layout = odometer.layout();
    let mut quantised = vec![0; layout.len()];
    let input = SensorInput { motion_data: &[1.5, -2.5], ..world.sensor_input(0, Mount::default()) };
    odometer.generate(&state, &input, &mut quantised).unwrap();
    Odometry::decode(&layout.features[0], &quantised).unwrap()
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Odometer>("{}");
    check_sensor::<Odometer>(
        r#"{"sigma_velocity_m_s": 0.1, "sigma_turn_rad_s": 0.1, "turn_scale_error": -0.1}"#,
    );
}

/// A quarter of a circle of radius 1 m in 1000 steps ends at (1, 1), looking left, wherever the robot is in the world.
#[test]
fn without_noise_it_follows_the_way() {
    let step = Pose2::ORIGIN.advanced(Twist2::new(1.0, 0.0, 1.0), FRAC_PI_2 / 1000.0);
    let end = drive(&odometer(OdometryParams::exact()), step, 1000, "arc");
    assert!((end.x_m - 1.0).abs() < 1e-9 && (end.y_m - 1.0).abs() < 1e-9);
    assert!((end.theta_rad - FRAC_PI_2).abs() < 1e-9);
}

#[test]
fn a_scale_error_counts_too_much() {
    let params =
        OdometryParams { distance_scale_error: 0.1, turn_scale_error: -0.2, ..OdometryParams::exact() };
    let straight = drive(&odometer(params), Pose2::new(0.01, 0.0, 0.0), 100, "straight");
    assert!((straight.x_m - 1.1).abs() < 1e-9);
    let turn = drive(&odometer(params), Pose2::new(0.0, 0.0, 0.01), 100, "turn");
    assert!((turn.theta_rad - 0.8).abs() < 1e-9);
}

/// Unequal wheels: after 2 m straight on at 0.1 rad/m the robot believes to have turned by 0.2 rad, and to be on an arc.
#[test]
fn a_heading_bias_bends_the_way() {
    let params = OdometryParams { heading_bias_rad_per_m: 0.1, ..OdometryParams::exact() };
    let end = drive(&odometer(params), Pose2::new(0.001, 0.0, 0.0), 2000, "straight");
    assert!((end.theta_rad - 0.2).abs() < 1e-9);
    // A circle of radius 10 m.
    assert!((end.y_m - 10.0 * (1.0 - short_cos(0.2))).abs() < 1e-3, "{end:?}");
}

/// The first terms of the cosine: enough for 0.2 rad.
fn short_cos(x: f64) -> f64 {
    1.0 - x * x / 2.0 + x * x * x * x / 24.0
}

/// R4: velocities are those of the body, and the motion data come through.
#[test]
fn a_reading_tells_pose_velocity_and_motion_data() {
    let world =
        FakeWorld::new().moving_robot(Pose2::new(3.0, 4.0, FRAC_PI_2), Twist2::new(0.0, 0.75, -0.5), 0);
    let odometry = read(&odometer(OdometryParams::exact()), Pose2::new(0.5, -0.25, 0.125), &world);
    assert!(odometry.pose.distance_m(Pose2::new(0.5, -0.25, 0.0)) < 1e-4);
    assert!((odometry.pose.theta_rad - 0.125).abs() < 1e-5);
    assert_eq!(odometry.twist, Twist2::new(0.75, 0.0, -0.5));
    assert_eq!(odometry.motion_data, [1.5, -2.5]);
}

fn assert_sigma(samples: &[f64], mean: f64, sigma: f64) {
    let n = samples.len() as f64;
    let found = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n;
    assert!((found - mean).abs() < 5.0 * sigma / n.sqrt(), "mean {found}, expected {mean}");
    let ratio = variance / (sigma * sigma);
    assert!((ratio - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance is {ratio} times what it claims");
}

/// The drift after a way of 4 m and after a turn of 2.25 rad, over 2000 runs, within five standard errors.
#[test]
fn the_drift_has_the_variance_that_it_claims() {
    let runs = |params, step, steps, what: fn(Pose2) -> f64| -> Vec<f64> {
        let odometer = odometer(params);
        (0..2000).map(|run| what(drive(&odometer, step, steps, &format!("run-{run}")))).collect()
    };
    let exact = OdometryParams::exact();
    let way = OdometryParams { sigma_distance_m_per_sqrt_m: 0.05, ..exact };
    assert_sigma(&runs(way, Pose2::new(0.04, 0.0, 0.0), 100, |pose| pose.x_m), 4.0, 0.05 * 2.0);
    let drift = OdometryParams { sigma_heading_rad_per_sqrt_m: 0.05, ..exact };
    assert_sigma(&runs(drift, Pose2::new(0.04, 0.0, 0.0), 100, |pose| pose.theta_rad), 0.0, 0.05 * 2.0);
    let turn = OdometryParams { sigma_heading_rad_per_sqrt_rad: 0.05, ..exact };
    assert_sigma(&runs(turn, Pose2::new(0.0, 0.0, 0.0225), 100, |pose| pose.theta_rad), 2.25, 0.05 * 1.5);
}

/// Half as long steps over the same way give the same drift: the noise belongs to the way, not to the step.
#[test]
fn the_drift_does_not_depend_on_the_step() {
    let params = OdometryParams { sigma_distance_m_per_sqrt_m: 0.05, ..OdometryParams::exact() };
    let odometer = odometer(params);
    let end = |run| drive(&odometer, Pose2::new(0.02, 0.0, 0.0), 200, &format!("run-{run}")).x_m;
    assert_sigma(&(0..2000).map(end).collect::<Vec<_>>(), 4.0, 0.05 * 2.0);
}

/// Each reading of a velocity; the rounding to 1 mm/s adds a twelfth of its square.
#[test]
fn the_velocity_has_the_variance_that_it_claims() {
    let params = OdometryParams { sigma_velocity_m_s: 0.1, sigma_turn_rad_s: 0.2, ..OdometryParams::exact() };
    let (odometer, world) = (odometer(params), FakeWorld::new().robot(Pose2::ORIGIN, 0));
    let twists: Vec<Twist2> =
        (0..5000).map(|step| read(&odometer, Pose2::ORIGIN, &world.clone().at(step, 0.0)).twist).collect();
    let of = |part: fn(&Twist2) -> f64| twists.iter().map(part).collect::<Vec<_>>();
    assert_sigma(&of(|twist| twist.x_m_s), 0.0, 0.1);
    assert_sigma(&of(|twist| twist.y_m_s), 0.0, 0.1);
    assert_sigma(&of(|twist| twist.turn_rad_s), 0.0, 0.2);
}

#[test]
fn every_wrong_parameter_is_named() {
    let wrong = OdometryParams {
        sigma_distance_m_per_sqrt_m: -1.0,
        sigma_turn_rad_s: f64::INFINITY,
        turn_scale_error: 2.0,
        ..OdometryParams::default()
    };
    let error = Odometer::new(wrong, &sensor_setup()).err().unwrap();
    let pointers: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(pointers, ["/sigma_distance_m_per_sqrt_m", "/sigma_turn_rad_s", "/turn_scale_error"]);
}
