//! S7: what presses a bumper, and where.

use super::*;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

fn bumper(params: BumperParams) -> Bumper {
    Bumper::new(params, &sensor_setup()).unwrap()
}

fn pressed(bumper: &Bumper, world: &FakeWorld) -> Vec<bool> {
    let mut quantised = vec![0; bumper.layout().len()];
    let mount = Mount { z_m: 0.05, ..Mount::default() };
    bumper.generate(&Stateless, &world.sensor_input(0, mount), &mut quantised).unwrap();
    BumperData::decode(&bumper.layout().features[0], &quantised).unwrap().pressed
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Bumper>("{}");
    check_sensor::<Bumper>(r#"{"parts": 6, "arc_rad": 6.283, "false_negative_probability": 0.5}"#);
}

/// By hand: the wall's near side is at 0.255 m; a bumper of 0.25 m radius presses it with 6 mm of play, not with 4.
#[test]
fn a_wall_presses_the_part_that_meets_it_when_it_is_near_enough() {
    let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).wall([0.305, 0.0], [0.1, 4.0]);
    let params =
        BumperParams { parts: 3, radius_m: 0.25, arc_rad: std::f64::consts::PI, ..BumperParams::default() };
    let near = bumper(BumperParams { travel_m: 0.006, ..params.clone() });
    assert_eq!(pressed(&near, &world), [false, true, false]);
    let far = bumper(BumperParams { travel_m: 0.004, ..params });
    assert_eq!(pressed(&far, &world), [false; 3]);
}

/// A ball at the left presses the left part; the robot's own body presses none.
#[test]
fn the_side_tells_where_it_was_touched() {
    let params = BumperParams {
        parts: 4,
        radius_m: 0.25,
        arc_rad: std::f64::consts::TAU,
        travel_m: 0.01,
        ..BumperParams::default()
    };
    let bumper = bumper(params);
    let alone = FakeWorld::new().robot(Pose2::ORIGIN, 0);
    assert_eq!(pressed(&bumper, &alone), [false; 4]);
    // Parts point to the rear right, the front right, the front left and the rear left.
    let at = |angle: f64| {
        let (sin, cos) = touchline_plugin_api::geometry::sin_cos(angle);
        let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).ball([0.36 * cos, 0.36 * sin], [0.0; 2]);
        pressed(&bumper, &world)
    };
    assert_eq!(at(0.8), [false, false, true, false]);
    assert_eq!(at(-2.4), [true, false, false, false]);
}

/// The share of missed presses is what it claims to be: within five standard errors.
#[test]
fn presses_are_missed_as_often_as_said() {
    let bumper =
        bumper(BumperParams { radius_m: 0.25, false_negative_probability: 0.2, ..BumperParams::default() });
    let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).wall([0.3, 0.0], [0.1, 4.0]);
    let mount = Mount { z_m: 0.05, ..Mount::default() };
    let mut input = world.sensor_input(0, mount);
    let mut missed = 0.0;
    for step in 0..4000 {
        input.noise = input.noise.at_step(step);
        let mut quantised = vec![0; bumper.layout().len()];
        bumper.generate(&Stateless, &input, &mut quantised).unwrap();
        missed += f64::from(u8::from(!BumperData::decode(&bumper.feature, &quantised).unwrap().pressed[0]));
    }
    let sigma = (4000.0_f64 * 0.2 * 0.8).sqrt();
    assert!((missed - 800.0).abs() < 5.0 * sigma, "{missed}");
}

#[test]
fn wrong_parameters_are_all_named() {
    let wrong = BumperParams { parts: 0, radius_m: -1.0, travel_m: f64::NAN, ..BumperParams::default() };
    assert_eq!(wrong.check().unwrap_err().problems.len(), 3);
}
