//! S7: the heading that is read, and whether its three errors are what they claim to be.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

const COUNT_RAD: f64 = 1e-4;

fn exact() -> CompassParams {
    CompassParams { sigma_rad: 0.0, sigma_bias_rad: 0.0, ..CompassParams::default() }
}

fn compass(params: CompassParams) -> Compass {
    Compass::new(params, &sensor_setup()).unwrap()
}

fn read(compass: &Compass, world: &FakeWorld, robot: u32, mount: Mount) -> f64 {
    let mut quantised = vec![0; compass.layout().len()];
    compass.generate(&Stateless, &world.sensor_input(robot, mount), &mut quantised).unwrap();
    CompassData::decode(&compass.layout().features[0], &quantised).unwrap().heading_rad
}

fn heading(compass: &Compass, world: &FakeWorld) -> f64 {
    read(compass, world, 0, Mount::default())
}

fn ahead() -> FakeWorld {
    FakeWorld::new().robot(Pose2::ORIGIN, 0)
}

/// Mean and variance.
fn statistics(samples: &[f64]) -> [f64; 2] {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    [mean, samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n]
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Compass>("{}");
    check_sensor::<Compass>(r#"{"sigma_disturbance_rad": 0.1, "disturbance_period_s": 0.5}"#);
}

/// Turned by the robot and by the mounting, over the end of the circle too.
#[test]
fn the_heading_is_the_sensors_in_the_world() {
    let compass = compass(exact());
    for (robot, mount, expected) in
        [(1.0, 0.0, 1.0), (1.0, FRAC_PI_2, 1.0 + FRAC_PI_2), (3.0, 1.0, 4.0 - 2.0 * PI), (-3.0, 0.5, -2.5)]
    {
        let world = FakeWorld::new().robot(Pose2::new(2.0, -1.0, robot), 0);
        let got = read(&compass, &world, 0, Mount { x_m: 0.3, theta_rad: mount, ..Mount::default() });
        assert!((got - expected).abs() <= 0.501 * COUNT_RAD, "{got}, {expected}");
    }
}

/// Within five standard errors, rounding included.
#[test]
fn the_noise_has_the_variance_that_it_claims() {
    let sigma_rad = 0.03;
    let compass = compass(CompassParams { sigma_rad, ..exact() });
    let samples: Vec<f64> = (0..20_000).map(|step| heading(&compass, &ahead().at(step, 0.0))).collect();
    let [mean, variance] = statistics(&samples);
    let (n, expected) = (samples.len() as f64, sigma_rad * sigma_rad + COUNT_RAD * COUNT_RAD / 12.0);
    assert!(mean.abs() < 5.0 * (expected / n).sqrt(), "mean {mean}");
    assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
}

/// One bias for each robot, the same at any step; over many robots it has the variance that it claims.
#[test]
fn the_bias_is_constant_and_each_robots_own() {
    let compass = compass(CompassParams { sigma_bias_rad: 0.1, ..exact() });
    let robots = 2_000;
    let world = ahead();
    let bias = |owner: u64, step: u64| {
        let input = world.sensor_input(0, Mount::default());
        let noise = NoiseKey::for_owner(owner, "robot/sensor/compass").at_step(step);
        let mut quantised = vec![0; 1];
        compass.generate(&Stateless, &SensorInput { noise, ..input }, &mut quantised).unwrap();
        CompassData::decode(&CompassData::feature(), &quantised).unwrap().heading_rad
    };
    for owner in 0..20 {
        assert!((1..50).all(|step| bias(owner, step) == bias(owner, 0)));
    }
    let biases: Vec<f64> = (0..robots).map(|owner| bias(owner, 7)).collect();
    let [mean, variance] = statistics(&biases);
    let n = robots as f64;
    assert!(mean.abs() < 5.0 * 0.1 / n.sqrt(), "mean {mean}");
    assert!((variance / 0.01 - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
    // Two robots of one world do not share theirs.
    let two = ahead().robot(Pose2::ORIGIN, 1);
    assert_ne!(read(&compass, &two, 0, Mount::default()), read(&compass, &two, 1, Mount::default()));
}

/// It changes little from one step to the next, has the same variance within a period as at its beginning, and has
/// nothing to do with what it was two periods ago.
#[test]
fn the_disturbance_is_slow_and_has_the_variance_that_it_claims() {
    let (sigma, period) = (0.1, 5.0);
    let compass =
        compass(CompassParams { sigma_disturbance_rad: sigma, disturbance_period_s: period, ..exact() });
    let at = |secs: f64| heading(&compass, &ahead().at((secs * 100.0) as u64, secs));
    // The steepest slope of the mixture of two draws, each below six deviations.
    let steepest = 2.0 * 6.0 * sigma * FRAC_PI_2 / period * 0.01 + COUNT_RAD;
    assert!((0..5_000).all(|i| {
        let secs = f64::from(i) * 0.01;
        (at(secs + 0.01) - at(secs)).abs() <= steepest
    }));
    assert_ne!(at(0.0), at(period));
    let n = 4_000;
    for part in [0.0, 0.25, 0.5, 0.9] {
        let samples: Vec<f64> = (0..n).map(|i| at((f64::from(i) + part) * period)).collect();
        let [mean, variance] = statistics(&samples);
        let n = f64::from(n);
        // Neighbours within a period share a draw: twice as many standard errors of room.
        assert!(mean.abs() < 10.0 * sigma / n.sqrt(), "mean {mean}");
        assert!((variance / (sigma * sigma) - 1.0).abs() < 10.0 * (2.0 / n).sqrt(), "variance {variance}");
        let lag = samples.windows(3).map(|w| w[0] * w[2]).sum::<f64>() / n / (sigma * sigma);
        assert!(lag.abs() < 10.0 / n.sqrt(), "correlation {lag}");
    }
}

#[test]
fn every_wrong_parameter_is_named() {
    let wrong = CompassParams {
        sigma_rad: -1.0,
        sigma_bias_rad: f64::NAN,
        sigma_disturbance_rad: 4.0,
        disturbance_period_s: 0.0,
    };
    let error = Compass::new(wrong, &sensor_setup()).err().unwrap();
    let pointers: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    let expected = ["/sigma_rad", "/sigma_bias_rad", "/sigma_disturbance_rad", "/disturbance_period_s"];
    assert_eq!(pointers, expected);
}
