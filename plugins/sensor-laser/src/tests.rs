//! S4: what a scan of a scene worked out by hand says, and whether the noise is what it claims to be.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

mod iconic;

const MOUNT: Mount = Mount { x_m: 0.1, y_m: 0.0, z_m: 0.2, theta_rad: 0.0 };

fn laser(params: LaserParams) -> Laser {
    Laser::new(params, &sensor_setup()).unwrap()
}

fn exact(beams: u32, field_of_view_rad: f64) -> LaserParams {
    LaserParams { beams, field_of_view_rad, sigma_m: 0.0, ..LaserParams::default() }
}

fn scan(laser: &Laser, world: &FakeWorld) -> LaserScan {
    let layout = laser.layout();
    let mut quantised = vec![0; layout.len()];
    laser.generate(&Stateless, &world.sensor_input(0, MOUNT), &mut quantised).unwrap();
    LaserScan::decode(&layout.features[0], &quantised).unwrap()
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Laser>("{}");
    check_sensor::<Laser>(r#"{"beams": 1, "field_of_view_rad": 6.2832, "sigma_m": 0.0}"#);
    check_sensor::<Laser>(r#"{"range_min_m": 0.5, "dropout_probability": 0.5, "feature": "scan"}"#);
}

/// The sensor sits 0.1 m before the robot's centre. Walls: 2 m ahead and 1 m to the left of the robot, none elsewhere.
#[test]
fn distances_are_from_the_sensor_not_from_the_robot() {
    let world =
        FakeWorld::new().wall([2.5, 0.0], [1.0, 2.0]).wall([0.0, 1.5], [3.0, 1.0]).robot(Pose2::ORIGIN, NONE);
    let scan = scan(&laser(exact(5, PI)), &world);
    let step = PI / 4.0;
    assert!((scan.angle_min_rad + FRAC_PI_2).abs() < 1e-6 && (scan.angle_step_rad - step).abs() < 1e-8);
    let inf = f64::INFINITY;
    let expected = [inf, inf, 1.9, 2f64.sqrt(), 1.0];
    for (beam, (got, expected)) in scan.ranges_m.iter().zip(expected).enumerate() {
        assert!(*got == expected || (got - expected).abs() <= 0.000_501, "beam {beam}: {got}, {expected}");
    }
}

#[test]
fn too_close_is_minus_infinity_and_too_far_is_plus_infinity() {
    let world = FakeWorld::new().wall([1.0, 0.0], [0.2, 1.0]).robot(Pose2::ORIGIN, NONE);
    let range = |range_min_m, range_max_m| {
        let params = LaserParams { range_min_m, range_max_m, ..exact(1, 1.0) };
        scan(&laser(params), &world).ranges_m[0]
    };
    assert_eq!(range(0.0, 8.0), 0.8);
    assert_eq!(range(0.9, 8.0), f64::NEG_INFINITY);
    assert_eq!(range(0.0, 0.7), f64::INFINITY);
}

#[test]
fn a_thing_lower_than_the_sensor_is_not_met() {
    let world = FakeWorld::new().robot(Pose2::ORIGIN, NONE).ball([1.0, 0.0], [0.0; 2]);
    let laser = laser(exact(1, 1.0));
    let range = |z_m| {
        let layout = laser.layout();
        let mut quantised = vec![0; layout.len()];
        let input = world.sensor_input(0, Mount { z_m, ..MOUNT });
        laser.generate(&Stateless, &input, &mut quantised).unwrap();
        LaserScan::decode(&layout.features[0], &quantised).unwrap().ranges_m[0]
    };
    assert_eq!(range(0.1), 0.79);
    assert_eq!(range(0.3), f64::INFINITY);
}

/// SL10: a ball in the air is met by a beam at its height, and by no lower and no higher one.
#[test]
fn a_ball_in_the_air_is_met_at_its_height() {
    let height = Vertical { z_m: 0.5, speed_m_s: 0.0 };
    let world = FakeWorld::new().robot(Pose2::ORIGIN, NONE).flying_ball([1.0, 0.0], [0.0; 2], height);
    let laser = laser(exact(1, 1.0));
    let range = |z_m| {
        let layout = laser.layout();
        let mut quantised = vec![0; layout.len()];
        laser.generate(&Stateless, &world.sensor_input(0, Mount { z_m, ..MOUNT }), &mut quantised).unwrap();
        LaserScan::decode(&layout.features[0], &quantised).unwrap().ranges_m[0]
    };
    assert_eq!([0.1, 0.6, 0.8].map(range), [f64::INFINITY, 0.79, f64::INFINITY]);
}

/// The variance of 36,100 ranges to a flat wall, within five standard errors of sigma^2 (plus that of rounding to 1 mm).
#[test]
fn the_noise_has_the_variance_that_it_claims() {
    let sigma_m = 0.02;
    let world = FakeWorld::new().wall([3.0, 0.0], [1.0, 8.0]).robot(Pose2::ORIGIN, NONE);
    let (noisy, ideal) = (laser(LaserParams { sigma_m, ..exact(361, 1.0) }), laser(exact(361, 1.0)));
    let truth = scan(&ideal, &world).ranges_m;
    let errors: Vec<f64> = (0..100)
        .flat_map(|step| {
            let read = scan(&noisy, &world.clone().at(step, 0.0)).ranges_m;
            read.into_iter().zip(&truth).map(|(read, truth)| read - truth).collect::<Vec<_>>()
        })
        .collect();
    let n = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let variance = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / n;
    let expected = sigma_m * sigma_m + 1e-6 / 6.0;
    assert!(mean.abs() < 5.0 * (expected / n).sqrt(), "mean {mean}");
    assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
}

#[test]
fn beams_drop_out_as_often_as_they_should() {
    let params = LaserParams { dropout_probability: 0.1, ..exact(361, 1.0) };
    let world = FakeWorld::new().wall([3.0, 0.0], [1.0, 8.0]).robot(Pose2::ORIGIN, NONE);
    let laser = laser(params);
    let dropped = |step| {
        let ranges = scan(&laser, &world.clone().at(step, 0.0)).ranges_m;
        ranges.iter().filter(|range| range.is_infinite()).count()
    };
    let n = 361.0 * 100.0;
    let share = (0..100).map(dropped).sum::<usize>() as f64 / n;
    assert!((share - 0.1).abs() < 5.0 * (0.09f64 / n).sqrt(), "{share}");
}

/// Each integer of a scan is that of its beam alone: what the rays say, then the noise of the beams before it drawn in turn,
/// then the field's own rounding; without noise and with it.
#[test]
fn a_scan_is_its_beams_one_by_one() {
    let world = FakeWorld::f2000().robot(Pose2::new(3.1, 0.4, 0.3), 0).robot(Pose2::new(4.4, 1.3, -2.0), 1);
    let world = (0..9).fold(world, |world, i| world.ball([f64::from(i) - 4.0, 1.5], [0.0; 2]));
    for (sigma_m, dropout_probability, range_min_m) in
        [(0.0, 0.0, 0.0), (0.0, 0.0, 0.9), (0.0, 0.3, 0.9), (0.3, 0.0, 0.9), (0.3, 0.3, 0.0)]
    {
        let params =
            LaserParams { sigma_m, dropout_probability, range_min_m, range_max_m: 4.0, ..exact(179, 4.0) };
        let laser = laser(params.clone());
        let input = world.sensor_input(0, MOUNT);
        let mut quantised = vec![0; laser.layout().len()];
        laser.generate(&Stateless, &input, &mut quantised).unwrap();
        let mut ranges_m = vec![0.0; 179];
        let (pose, z_m, own) = (input.sensor_pose, input.sensor_z_m, input.robot_object);
        cast_fan(&input.view, pose, &laser.table, params.range_max_m, z_m, own, &mut ranges_m);
        let mut noise = input.noise.stream();
        let mut said = |range_m: f64| {
            if range_m > 4.0 || (dropout_probability > 0.0 && noise.chance(dropout_probability)) {
                f64::INFINITY
            } else if range_m < range_min_m {
                f64::NEG_INFINITY
            } else {
                (range_m + noise.gaussian(sigma_m)).max(0.0)
            }
        };
        let field = &laser.layout().features[0].fields[2];
        let expected: Vec<u32> = ranges_m.into_iter().map(|range_m| field.encode(said(range_m))).collect();
        assert_eq!(quantised[2..], expected, "{params:?}");
    }
}

#[test]
fn the_feature_tells_its_angle_unless_it_has_a_name() {
    let name = |params: LaserParams| laser(params).layout().features[0].name.clone();
    assert_eq!(name(exact(361, PI)), "180DegreeScan");
    assert_eq!(name(exact(360, 2.0 * PI + 1e-5)), "360DegreeScan");
    assert_eq!(name(LaserParams { feature: Some("front".into()), ..exact(3, 1.0) }), "front");
}

#[test]
fn every_wrong_parameter_is_named() {
    let wrong = LaserParams {
        beams: 0,
        field_of_view_rad: 7.0,
        range_min_m: 2.0,
        range_max_m: 1.0,
        sigma_m: f64::NAN,
        dropout_probability: 1.5,
        feature: Some(String::new()),
        ..LaserParams::default()
    };
    let error = Laser::new(wrong, &sensor_setup()).err().unwrap();
    let pointers: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    let expected =
        ["/beams", "/field_of_view_rad", "/range_min_m", "/sigma_m", "/dropout_probability", "/feature"];
    assert_eq!(pointers, expected);
}
