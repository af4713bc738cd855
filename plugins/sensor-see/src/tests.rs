//! What is seen, by closed forms of that server's quantisation.

use super::*;
use std::f64::consts::FRAC_PI_2;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

fn read(params: SeeParams, world: &FakeWorld) -> impl Fn(&str) -> Vec<f64> + use<> {
    let sensor = See::new(params, &sensor_setup()).unwrap();
    let data: Vec<f64> = sensor.data().iter().map(|datum| datum.initial).collect();
    let input = SensorInput { data: &data, motion_data: &[], ..world.sensor_input(0, Mount::default()) };
    let feature = sensor.layout().features.remove(0);
    let mut quantised = vec![0; feature.len()];
    sensor.generate(&Stateless, &input, &mut quantised).unwrap();
    move |name| {
        let (start, field) = feature.field(name).unwrap();
        quantised[start..start + field.len()].iter().map(|&count| field.decode(count)).collect()
    }
}

/// exp(rint(ln(d) / step) * step), in tenths of a metre; the error of the focus, which is the player's own place, counts half, and so does that of the distance.
fn quantised(distance: f64, step: f64) -> f64 {
    let logarithmic = libm::exp((libm::log(distance) / step).round() * step);
    (logarithmic * 10.0).round() / 10.0
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<See>("{}");
    check_sensor::<See>(r#"{"gaussian": true, "view_angle_rad": 3.0}"#);
}

/// The right goal, the ball and a mate ahead: distances by the logarithm's steps, directions in whole degrees, counter-clockwise.
#[test]
fn distances_are_quantised_by_their_logarithm() {
    let world = FakeWorld::new()
        .robot(Pose2::new(20.0, 0.0, 0.0), 0)
        .moving_robot(Pose2::new(30.0, 1.0, FRAC_PI_2), Twist2::new(0.0, 2.0, 0.0), 0)
        .robot(Pose2::new(-20.0, 0.0, 0.0), 1)
        .ball([28.0, -2.0], [-10.0, 0.0]);
    let seen = read(SeeParams::default(), &world);
    let goal = landmarks(14.02).iter().position(|landmark| landmark.name == "g r").unwrap();
    let near = |got: f64, wanted: f64| assert!((got - wanted).abs() < 1e-6, "{got} for {wanted}");
    near(seen("landmark_distance")[goal], quantised(32.5, 0.01));
    near(seen("landmark_direction")[goal], 0.0);
    near(seen("ball_distance")[0], quantised(libm::hypot(8.0, 2.0), 0.1));
    near(seen("ball_direction")[0], -14f64.to_radians());
    near(seen("player_distance")[0], quantised(libm::hypot(10.0, 1.0), 0.1));
    near(seen("player_direction")[0], 6f64.to_radians());
    near(seen("player_body_direction")[0], FRAC_PI_2);
    assert_eq!((seen("player_known")[0], seen("player_team")[0], seen("player_unum")[0]), (4.0, 0.0, 2.0));
    // The one behind is not seen.
    assert_eq!(seen("player_known")[1], 0.0);
    assert_eq!(seen("player_distance")[1], f64::INFINITY);
    // The right goal line is met straight ahead.
    near(seen("line_distance")[1], quantised(32.5, 0.01));
    assert_eq!(seen("line_distance")[0], f64::INFINITY);
}

/// Near and behind: a player is felt, and nothing of who it is.
#[test]
fn who_is_near_and_not_in_view_is_felt() {
    let world = FakeWorld::new()
        .robot(Pose2::new(0.0, 0.0, 0.0), 0)
        .robot(Pose2::new(-2.0, 0.0, 0.0), 1)
        .ball([-3.5, 0.0], [0.0; 2]);
    let seen = read(SeeParams::default(), &world);
    assert_eq!(seen("player_known")[0], 1.0);
    assert!(seen("player_team")[0].is_infinite() && seen("player_unum")[0].is_infinite());
    assert!(seen("ball_distance")[0].is_infinite(), "farther than visible_distance");
}

/// Up to unum_far_length numbers are always known, from unum_too_far_length on never, and between in proportion.
#[test]
fn numbers_are_missed_in_proportion_to_the_distance() {
    let known_at = |distance_m: f64| {
        let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).robot(Pose2::new(distance_m, 0.0, 0.0), 1);
        let sensor = See::new(SeeParams::default(), &sensor_setup()).unwrap();
        let data: Vec<f64> = sensor.data().iter().map(|datum| datum.initial).collect();
        let start = sensor.layout().features[0].field("player_known").unwrap().0;
        let mut known = 0;
        for step in 0..2000 {
            let world = world.clone().at(step, 0.0);
            let input =
                SensorInput { data: &data, motion_data: &[], ..world.sensor_input(0, Mount::default()) };
            let mut quantised = vec![0; sensor.layout().len()];
            sensor.generate(&Stateless, &input, &mut quantised).unwrap();
            known += u32::from(quantised[start] == 4);
        }
        f64::from(known) / 2000.0
    };
    assert_eq!(known_at(15.0), 1.0);
    assert_eq!(known_at(45.0), 0.0);
    // 30 m is told as exp(3.4) = 30.0: half of the way. Five standard errors of 2000 draws.
    assert!((known_at(30.0) - 0.5).abs() < 5.0 * (0.25f64 / 2000.0).sqrt());
}

#[test]
fn every_wrong_parameter_is_named() {
    let params = SeeParams { view_angle_rad: -1.0, ..SeeParams::default() };
    let error = See::new(params, &sensor_setup()).err().unwrap();
    assert_eq!(error.problems[0].pointer, "/view_angle_rad");
}

/// Who comes after somebody who was sent off keeps the number on the shirt; a shirt without one tells none.
#[test]
fn the_number_is_that_on_the_shirt() {
    let world = FakeWorld::new()
        .robot(Pose2::ORIGIN, 0)
        .robot(Pose2::new(8.0, 1.0, 0.0), 0)
        .wearing(7)
        .robot(Pose2::new(8.0, -1.0, 0.0), 0)
        .wearing(NONE);
    let seen = read(SeeParams::default(), &world);
    assert_eq!(seen("player_known")[..2], [4.0, 4.0]);
    assert_eq!(seen("player_unum")[..2], [7.0, f64::INFINITY]);
}
