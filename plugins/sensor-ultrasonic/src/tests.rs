//! S5: what sonars hear in scenes worked out by hand, and whether the noise is what it claims to be.

use super::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use touchline_kit::rays::{FanTable, cast_fan};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::view::{NONE, ShapeKind};
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

const MOUNT: Mount = Mount { x_m: 0.0, y_m: 0.0, z_m: 0.2, theta_rad: 0.0 };

fn exact() -> UltrasonicParams {
    UltrasonicParams {
        opening_angle_rad: 0.5,
        range_min_m: 0.0,
        sigma_m: 0.0,
        sigma_range_relative: 0.0,
        ..UltrasonicParams::default()
    }
}

fn sensor(params: UltrasonicParams) -> Ultrasonic {
    Ultrasonic::new(params, &sensor_setup()).unwrap()
}

fn hear(sensor: &Ultrasonic, world: &FakeWorld, mount: Mount) -> Sonar {
    let layout = sensor.layout();
    let mut quantised = vec![0; layout.len()];
    sensor.generate(&Stateless, &world.sensor_input(0, mount), &mut quantised).unwrap();
    Sonar::decode(&layout.features[0], &quantised).unwrap()
}

/// The range of the first sonar.
fn range(params: UltrasonicParams, world: &FakeWorld) -> f64 {
    hear(&sensor(params), world, MOUNT).ranges_m[0]
}

/// A robot at the origin that looks in this direction.
fn turned(theta_rad: f64) -> FakeWorld {
    FakeWorld::new().robot(Pose2::new(0.0, 0.0, theta_rad), NONE)
}

fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 0.000_501
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Ultrasonic>("{}");
    check_sensor::<Ultrasonic>(r#"{"count": 16, "radius_m": 0.2, "max_incidence_rad": 0.4}"#);
    check_sensor::<Ultrasonic>(
        r#"{"mounts": [{"x_m": 0.1}, {"theta_rad": 1}], "opening_angle_rad": 3.1416, "dropout_probability": 0.5}"#,
    );
}

/// A wall 2 m ahead. While its foot is in the cone the range is 2 m, however the sonar is turned; then the cone's edge
/// tells.
#[test]
fn a_wall_is_as_far_as_its_nearest_point_in_the_cone() {
    for theta in [0.0, 0.1, -0.2, 0.249] {
        assert!(near(range(exact(), &turned(theta).wall([2.5, 0.0], [1.0, 8.0])), 2.0));
    }
    for theta in [0.3, -0.5, 1.0f64] {
        let expected = 2.0 / libm::cos(theta.abs() - 0.25);
        let got = range(exact(), &turned(theta).wall([2.5, 0.0], [1.0, 8.0]));
        assert!(near(got, expected), "{got}, {expected}");
    }
    assert_eq!(range(exact(), &turned(PI).wall([2.5, 0.0], [1.0, 8.0])), f64::INFINITY);
}

/// A post of 0.1 m at (1, y): in the cone, touched by its edge, out of it.
#[test]
fn a_post_beside_the_axis_is_heard_as_far_as_the_cone_reaches() {
    let with_post = |y: f64| range(exact(), &turned(0.0).post([1.0, y], 0.1));
    assert!(near(with_post(0.0), 0.9));
    assert!(near(with_post(0.2), libm::hypot(1.0, 0.2) - 0.1));
    // At y = 0.3 its nearest point is out of the cone; the edge, at 0.25 rad, enters it earlier than its middle.
    let (sin, cos) = (libm::sin(0.25), libm::cos(0.25));
    let (along, across) = (cos + 0.3 * sin, 0.3 * cos - sin);
    assert!(across > 0.0 && across < 0.1);
    assert!(near(with_post(0.3), along - (0.01 - across * across).sqrt()));
    assert_eq!(with_post(0.4), f64::INFINITY);
}

/// Scenes of all kinds of shapes in all kinds of places. The distance is exact: no ray of a dense fan ends nearer, and
/// a point of a shape is really there.
#[test]
fn the_distance_is_exact() {
    let mut draw = touchline_plugin_api::noise::NoiseKey::for_owner(5, "scenes").stream();
    let table = FanTable::centred(0.5, 501).unwrap();
    let (mut echoes, mut straight) = (0, 0);
    for _ in 0..2_000 {
        let mut world = FakeWorld::new();
        for kind_code in [0, 1, 2] {
            let (x, y) = (draw.uniform(-3.0, 3.0), draw.uniform(-3.0, 3.0));
            let (sin, cos) = sin_cos(draw.uniform(-3.0, 3.0));
            let (half_x_m, half_y_m) = (draw.uniform(0.02, 1.0), draw.uniform(0.02, 1.0));
            let corner = |dx: f64, dy: f64| [x + dx, y + dy];
            let corner_b = corner(draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0));
            let corner_c = corner(draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0));
            let post = FakeWorld::new().post([0.0, 0.0], 0.1).view().shapes[0];
            let shape = Shape {
                x_m: x,
                y_m: y,
                cos,
                sin,
                half_x_m,
                half_y_m,
                corner_b,
                corner_c,
                radius_m: 1.5,
                kind_code,
                ..post
            };
            world = world.fixture(shape);
        }
        let view = world.view();
        let pose = Pose2::new(0.0, 0.0, draw.uniform(-3.0, 3.0));
        let cone = Cone::new(pose, 0.5);
        let echo = view.shapes.iter().filter_map(|shape| cone.nearest(shape));
        let echo = echo.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
        let mut fan = vec![0.0; table.len()];
        cast_fan(&view, pose, &table, 20.0, 0.2, NONE, &mut fan);
        let fan_m = fan.into_iter().fold(f64::INFINITY, f64::min);
        let Some(echo) = echo else {
            assert_eq!(fan_m, f64::INFINITY);
            continue;
        };
        echoes += 1;
        straight += usize::from(echo.cos_incidence == 1.0);
        assert!(echo.distance_m <= fan_m + 1e-9, "{echo:?}, a ray ends at {fan_m}");
        let off_axis_rad = pose.bearing_rad(echo.direction).abs();
        assert!(off_axis_rad <= 0.25 + 1e-9, "{echo:?} is {off_axis_rad} rad off the axis");
        // On the edge of a shape: that has points a hair's breadth from there, in some direction.
        let [x, y] = echo.direction.map(|part| echo.distance_m * part);
        let is_there = (0..720).any(|i| {
            let (sin, cos) = sin_cos(f64::from(i) * TAU / 720.0);
            view.shapes.iter().any(|shape| shape.contains([x + 1e-8 * cos, y + 1e-8 * sin]))
        });
        assert!(is_there, "{echo:?}: nothing is there");
    }
    // The scenes are worth something only if both cases are many.
    assert!(straight > 200 && echoes - straight > 200, "{straight} of {echoes}");
}

/// An ellipse with half axes 2 and 1, seen along its axes and from far beside: there the nearest point is known.
#[test]
fn an_ellipse_is_no_circle() {
    let post = FakeWorld::new().post([0.0, 0.0], 0.1).view().shapes[0];
    let ellipse = Shape { half_x_m: 2.0, half_y_m: 1.0, radius_m: 2.0, ..post };
    assert_eq!(ellipse.kind(), ShapeKind::Ellipse);
    let distance_m = |pose: Pose2| Cone::new(pose, 0.2).nearest(&ellipse).unwrap().distance_m;
    assert!((distance_m(Pose2::new(5.0, 0.0, PI)) - 3.0).abs() < 1e-12);
    assert!((distance_m(Pose2::new(0.0, 5.0, -FRAC_PI_2)) - 4.0).abs() < 1e-12);
    // The normal at (sqrt 2, sqrt 1/2) has the direction (1, 2); go 3 m along it.
    let (x, y, root) = (2f64.sqrt(), 0.5f64.sqrt(), 5f64.sqrt());
    let pose = Pose2::new(x + 3.0 / root, y + 6.0 / root, libm::atan2(-2.0, -1.0));
    assert!((distance_m(pose) - 3.0).abs() < 1e-9);
}

/// The wall is met under 0.8 - 0.25 = 0.55 rad at the nearest: heard if that is allowed, else not, and what stands
/// behind it is not heard either. A thing before it is.
#[test]
fn a_surface_that_is_met_too_slantingly_is_a_mirror() {
    let params = |max_incidence_rad| UltrasonicParams { max_incidence_rad, ..exact() };
    let world = || turned(0.8).wall([2.5, 0.0], [1.0, 8.0]);
    let expected = 2.0 / libm::cos(0.55);
    assert!(near(range(params(0.56), &world()), expected));
    assert_eq!(range(params(0.54), &world()), f64::INFINITY);
    let direction = 0.8f64;
    let at = |distance: f64| [distance * libm::cos(direction), distance * libm::sin(direction)];
    assert_eq!(range(params(0.54), &world().post(at(4.5), 0.1)), f64::INFINITY);
    assert!(near(range(params(0.54), &world().post(at(1.0), 0.1)), 0.9));
    // Behind the slanting wall's plane, but beside its end: the wall mirrors only where it is.
    let short = || turned(0.8).wall([2.5, -4.0], [1.0, 12.0]);
    assert_eq!(range(params(0.54), &short()), f64::INFINITY);
    let beside = [4.0 * libm::cos(1.0), 4.0 * libm::sin(1.0)];
    assert!(near(range(params(0.54), &short().post(beside, 0.1)), 3.9));
}

/// Straight on, from below, from within, too near and too far.
#[test]
fn ranges_end_at_both_ends() {
    let world = || turned(0.0).wall([1.0, 0.0], [0.2, 1.0]);
    let params = |range_min_m, range_max_m| UltrasonicParams { range_min_m, range_max_m, ..exact() };
    assert!(near(range(params(0.0, 5.0), &world()), 0.9));
    assert_eq!(range(params(1.0, 5.0), &world()), f64::NEG_INFINITY);
    assert_eq!(range(params(0.0, 0.8), &world()), f64::INFINITY);
    assert_eq!(range(exact(), &turned(0.0).wall([0.0, 0.0], [1.0, 1.0])), 0.0);
    let ball = turned(0.0).ball([1.0, 0.0], [0.0; 2]);
    let at_height = |z_m| hear(&sensor(exact()), &ball, Mount { z_m, ..MOUNT }).ranges_m[0];
    assert!(near(at_height(0.1), 0.89));
    assert_eq!(at_height(0.3), f64::INFINITY);
    let height = Vertical { z_m: 0.3, speed_m_s: 0.0 };
    let ball = turned(0.0).flying_ball([1.0, 0.0], [0.0; 2], height);
    let at_height = |z_m| hear(&sensor(exact()), &ball, Mount { z_m, ..MOUNT }).ranges_m[0];
    assert_eq!(at_height(0.1), f64::INFINITY, "it flies over the sound");
    assert!(near(at_height(0.4), 0.89));
}

/// The robot looks along +y; the sensor sits 0.1 m before its centre.
#[test]
fn a_ring_hears_on_all_sides() {
    let world = FakeWorld::new()
        .wall([0.0, 3.0], [8.0, 1.0])
        .wall([-2.0, 0.0], [1.0, 2.0])
        .robot(Pose2::new(0.0, 0.0, FRAC_PI_2), NONE);
    let params = UltrasonicParams { count: Some(4), radius_m: Some(0.2), ..exact() };
    let sonar = hear(&sensor(params), &world, Mount { x_m: 0.1, ..MOUNT });
    let places = [(0.2, 0.0, 0.0), (0.0, 0.2, FRAC_PI_2), (-0.2, 0.0, PI), (0.0, -0.2, -FRAC_PI_2)];
    for (mount, (x, y, theta)) in sonar.mounts.iter().zip(places) {
        let turn = touchline_plugin_api::geometry::wrap_angle(mount.theta_rad - theta);
        assert!(near(mount.x_m, x) && near(mount.y_m, y) && turn.abs() <= 1e-4, "{mount:?}");
    }
    assert!((sonar.opening_angle_rad - 0.5).abs() <= 1e-4);
    let inf = f64::INFINITY;
    for (got, expected) in sonar.ranges_m.iter().zip([2.5 - 0.1 - 0.2, 1.5 - 0.2, inf, inf]) {
        assert!(near(*got, expected), "{got}, {expected}");
    }
}

#[test]
fn sonars_stand_on_an_arc_or_where_they_are_put() {
    let headings = |params: UltrasonicParams| {
        params.places().iter().map(|place| (place.theta_rad * 1e6).round() / 1e6).collect::<Vec<_>>()
    };
    let ring = |count, arc_rad| UltrasonicParams { count: Some(count), arc_rad: Some(arc_rad), ..exact() };
    assert_eq!(headings(exact()), [0.0]);
    assert_eq!(headings(ring(1, 1.0)), [0.0]);
    assert_eq!(headings(ring(3, 1.0)), [-0.5, 0.0, 0.5]);
    let quarter = (FRAC_PI_2 * 1e6).round() / 1e6;
    assert_eq!(headings(ring(4, TAU + 1e-4))[1], quarter);
    let mounts = vec![Pose2::new(0.1, 0.2, 0.3), Pose2::new(-0.1, 0.0, FRAC_PI_4)];
    assert_eq!(UltrasonicParams { mounts: Some(mounts.clone()), ..exact() }.places(), mounts);
}

/// The variance of 20,000 ranges, within five standard errors of both parts (plus that of rounding to 1 mm).
#[test]
fn the_noise_has_the_variance_that_it_claims() {
    let params = UltrasonicParams { sigma_m: 0.02, sigma_range_relative: 0.01, ..exact() };
    let (sensor, world) = (sensor(params), turned(0.0).wall([3.5, 0.0], [1.0, 8.0]));
    let n = 20_000;
    let errors: Vec<f64> =
        (0..n).map(|step| hear(&sensor, &world.clone().at(step, 0.0), MOUNT).ranges_m[0] - 3.0).collect();
    let n = n as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let variance = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / n;
    let expected = 0.02 * 0.02 + 0.03 * 0.03 + 1e-6 / 12.0;
    assert!(mean.abs() < 5.0 * (expected / n).sqrt(), "mean {mean}");
    assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
}

#[test]
fn echoes_are_lost_as_often_as_they_should() {
    let params = UltrasonicParams { count: Some(16), dropout_probability: 0.1, ..exact() };
    let walls = [(3.0, 0.0), (-3.0, 0.0), (0.0, 3.0), (0.0, -3.0)];
    let world = walls.iter().fold(turned(0.0), |world, &(x, y)| {
        world.wall([x, y], if x == 0.0 { [6.0, 0.2] } else { [0.2, 6.0] })
    });
    let sensor = sensor(params);
    let lost = |step| {
        let sonar = hear(&sensor, &world.clone().at(step, 0.0), MOUNT);
        sonar.ranges_m.iter().filter(|range| range.is_infinite()).count()
    };
    let n = 16.0 * 1_000.0;
    let share = (0..1_000).map(lost).sum::<usize>() as f64 / n;
    assert!((share - 0.1).abs() < 5.0 * (0.09f64 / n).sqrt(), "{share}");
}

#[test]
fn every_wrong_parameter_is_named() {
    let wrong = UltrasonicParams {
        mounts: Some(Vec::new()),
        count: Some(65),
        radius_m: Some(-1.0),
        arc_rad: Some(7.0),
        opening_angle_rad: 4.0,
        range_min_m: 2.0,
        range_max_m: 1.0,
        sigma_m: f64::NAN,
        sigma_range_relative: -0.1,
        max_incidence_rad: 2.0,
        dropout_probability: 1.5,
    };
    let pointers = |params: UltrasonicParams| -> Vec<String> {
        let error = Ultrasonic::new(params, &sensor_setup()).err().unwrap();
        error.problems.into_iter().map(|problem| problem.pointer).collect()
    };
    let expected = [
        "/mounts",
        "/count",
        "/radius_m",
        "/arc_rad",
        "/opening_angle_rad",
        "/range_min_m",
        "/sigma_m",
        "/sigma_range_relative",
        "/max_incidence_rad",
        "/dropout_probability",
    ];
    assert_eq!(pointers(wrong), expected);
    let mounts = |mounts| UltrasonicParams { mounts: Some(mounts), ..exact() };
    assert_eq!(pointers(mounts(Vec::new())), ["/mounts"]);
    assert_eq!(pointers(mounts(vec![Pose2::new(0.0, f64::NAN, 0.0)])), ["/mounts"]);
}
