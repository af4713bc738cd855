//! S4: obstacles and pose.

use super::*;
use touchline_kit::data::{DISTANCE_SCALE_M, FieldPose, Obstacle, Obstacles};

/// A beam for each degree, from -90 to 90.
fn half() -> LaserParams {
    LaserParams { features: vec![Content::Obstacles], ..exact(181, PI) }
}

fn read<T: DataObject>(laser: &Laser, world: &FakeWorld, feature: &str) -> T {
    let layout = laser.layout();
    let mut quantised = vec![0; layout.len()];
    laser.generate(&Stateless, &world.sensor_input(0, MOUNT), &mut quantised).unwrap();
    let index = layout.features.iter().position(|f| f.name == feature).unwrap();
    T::decode(&layout.features[index], &quantised[layout.range(index)]).unwrap()
}

fn obstacles(params: LaserParams, world: &FakeWorld) -> Vec<Obstacle> {
    read::<Obstacles>(&laser(params), world, "obstacles").obstacles
}

#[track_caller]
fn assert_obstacle(got: &Obstacle, distance_m: f64, bearing_rad: f64, width_m: f64) {
    let (sighting, limit) = (got.sighting, 0.501 * DISTANCE_SCALE_M);
    assert!(
        (sighting.distance_m - distance_m).abs() <= limit
            && wrap_angle(sighting.bearing_rad - bearing_rad).abs() < 1e-4
            && (got.width_m - width_m).abs() <= limit,
        "{got:?}, {distance_m} {bearing_rad} {width_m}"
    );
}

/// The robot at the origin; the sensor sits 0.1 m before it.
fn robot() -> FakeWorld {
    FakeWorld::new().robot(Pose2::ORIGIN, NONE)
}

fn tan_deg(degrees: f64) -> f64 {
    libm::tan(degrees.to_radians())
}

#[test]
fn it_keeps_the_contract_with_all_features() {
    check_sensor::<Laser>(r#"{"features": ["pose", "obstacles", "scan"], "field_of_view_rad": 6.2832}"#);
    check_sensor::<Laser>(r#"{"features": ["pose"]}"#);
    check_sensor::<Laser>(r#"{"features": ["obstacles"], "beams": 1, "obstacle_beams_min": 1}"#);
}

/// A panel of 0.4 m, 1.9 m before the sensor, is met by the beams from -6 to 6 degrees. The wall behind it is cut in two
/// pieces of more than 2 m: no obstacles unless that is allowed.
#[test]
fn an_obstacle_is_a_segment_that_is_no_wall() {
    let world = robot().wall([2.1, 0.0], [0.2, 0.4]).wall([5.1, 0.0], [0.2, 6.0]);
    let found = obstacles(half(), &world);
    assert_eq!(found.len(), 1);
    assert_obstacle(&found[0], 1.9, 0.0, 2.0 * 1.9 * tan_deg(6.0));
    let all = obstacles(LaserParams { obstacle_width_max_m: 10.0, ..half() }, &world);
    let [near, right, left] = &all[..] else { panic!("{all:?}") };
    assert_eq!(near, &found[0]);
    let (right, left) = if right.sighting.bearing_rad < 0.0 { (right, left) } else { (left, right) };
    // From 7 to 31 degrees on each side, 4.9 m ahead.
    let width = 4.9 * (tan_deg(31.0) - tan_deg(7.0));
    let y = 4.9 * (7..=31).map(|degrees| tan_deg(f64::from(degrees))).sum::<f64>() / 25.0;
    let (distance, bearing) = (libm::hypot(4.9, y), libm::atan(y / 4.9));
    assert_obstacle(left, distance, bearing, width);
    assert_obstacle(right, distance, -bearing, width);
}

/// A step in depth: a panel at 1.9 m that is met from -11 to 0 degrees, and one at 2.1 m, from 1 to 10 degrees. The two
/// returns at the step are 0.2033 m from each other; the gap of two beams, 0.0332 m, is allowed on top.
#[test]
fn segments_end_where_the_gap_is_too_wide() {
    let world = || robot().wall([2.1, -0.195], [0.2, 0.41]).wall([2.3, 0.205], [0.2, 0.39]);
    let with_gap = |segment_gap_m| obstacles(LaserParams { segment_gap_m, ..half() }, &world());
    let two = with_gap(0.169);
    let y_ends = [-11, 0].map(|degrees| 1.9 * tan_deg(f64::from(degrees)));
    let y_mean = (-11..=0).map(|degrees| 1.9 * tan_deg(f64::from(degrees))).sum::<f64>() / 12.0;
    assert_eq!(two.len(), 2);
    assert_obstacle(&two[0], libm::hypot(1.9, y_mean), libm::atan(y_mean / 1.9), y_ends[1] - y_ends[0]);
    let one = with_gap(0.171);
    assert_eq!(one.len(), 1);
    let ends = [[1.9, 1.9 * tan_deg(-11.0)], [2.1, 2.1 * tan_deg(10.0)]];
    let width_m = libm::hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
    assert!((one[0].width_m - width_m).abs() <= 0.501 * DISTANCE_SCALE_M, "{one:?}, {width_m}");
}

/// Seen between them, free space parts two things, however near each other they are.
#[test]
fn obstacles_come_nearest_first() {
    let world = robot().wall([2.1, 0.2], [0.2, 0.2]).wall([2.2, -0.2], [0.2, 0.2]).post([0.1, 1.0], 0.2);
    let wide = LaserParams { segment_gap_m: 1.0, ..half() };
    let three = obstacles(wide.clone(), &world);
    assert_eq!(three.len(), 3);
    assert!(three[0].sighting.bearing_rad > 1.0 && three[0].sighting.distance_m < 1.0);
    assert!(three.windows(2).all(|pair| pair[0].sighting.distance_m < pair[1].sighting.distance_m));
    assert_eq!(obstacles(LaserParams { max_obstacles: 1, ..wide }, &world), three[..1]);
}

#[test]
fn a_single_return_is_no_obstacle_unless_that_is_allowed() {
    let world = robot().post([5.1, 0.0], 0.05);
    assert_eq!(obstacles(half(), &world), []);
    let found = obstacles(LaserParams { obstacle_beams_min: 1, ..half() }, &world);
    assert_eq!(found.len(), 1);
    assert_obstacle(&found[0], 4.95, 0.0, 0.0);
}

/// What lies across the end of a full turn is one thing, and so is a room without a gap.
#[test]
fn a_ring_has_no_ends() {
    let ring = || LaserParams { features: vec![Content::Obstacles], ..exact(360, 2.0 * PI) };
    let found = obstacles(ring(), &robot().wall([-2.0, 0.0], [0.2, 0.4]));
    assert_eq!(found.len(), 1);
    assert_obstacle(&found[0], 2.0, PI, 2.0 * 2.0 * tan_deg(5.0));
    let room = [[3.0, 0.0], [-3.0, 0.0]].into_iter().fold(robot(), |world, at| world.wall(at, [0.2, 6.2]));
    let room = [[0.0, 3.0], [0.0, -3.0]].into_iter().fold(room, |world, at| world.wall(at, [6.2, 0.2]));
    assert_eq!(obstacles(ring(), &room), []);
    assert_eq!(obstacles(LaserParams { obstacle_width_max_m: 10.0, ..ring() }, &room).len(), 1);
}

/// The scan is the same with and without others beside it, and obstacles are those of just that scan.
#[test]
fn features_are_chosen_and_do_not_disturb_each_other() {
    let world = robot().wall([2.1, 0.0], [0.2, 0.4]).at(7, 0.07);
    let noisy = |features| LaserParams { features, sigma_m: 0.02, ..half() };
    let all = laser(noisy(vec![Content::Pose, Content::Scan, Content::Obstacles]));
    let alone = laser(noisy(vec![Content::Scan]));
    let scan: LaserScan = read(&all, &world, "180DegreeScan");
    assert_eq!(scan, read::<LaserScan>(&alone, &world, "180DegreeScan"));
    let found: Obstacles = read(&all, &world, "obstacles");
    assert_eq!(found.obstacles, obstacles(noisy(vec![Content::Obstacles]), &world));
    let met: Vec<f64> = (84..=96).map(|beam| scan.ranges_m[beam] * libm::cos(scan.angle_rad(beam))).collect();
    let x_m = met.iter().sum::<f64>() / met.len() as f64;
    assert!((found.obstacles[0].sighting.distance_m - x_m).abs() < 2e-3, "{found:?}, {x_m}");
    let pose: FieldPose = read(&all, &world, "pose");
    assert_eq!(pose, read::<FieldPose>(&laser(noisy(vec![Content::Pose])), &world, "pose"));
}

fn mean_and_variance(samples: &[f64]) -> [f64; 2] {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    [mean, samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n]
}

/// The mean of 13 ranges, each with its cosine, has the variance of one, times the sum of the squares, over 13^2.
#[test]
fn an_obstacles_noise_is_that_of_its_returns() {
    let sigma_m = 0.02;
    let sensor = laser(LaserParams { sigma_m, ..half() });
    let world = robot().wall([2.1, 0.0], [0.2, 0.4]);
    let distances: Vec<f64> = (0..4_000)
        .map(|step| {
            let found: Obstacles = read(&sensor, &world.clone().at(step, 0.0), "obstacles");
            assert_eq!(found.obstacles.len(), 1);
            found.obstacles[0].sighting.distance_m
        })
        .collect();
    let squares: f64 =
        (-6..=6).map(|degrees| libm::cos(f64::from(degrees).to_radians())).map(|c| c * c).sum();
    let expected = sigma_m * sigma_m * squares / 169.0 + 1e-6 / 12.0;
    let ([mean, variance], n) = (mean_and_variance(&distances), distances.len() as f64);
    // The places spread sideways too, which adds less than a tenth of a millimetre to the distance.
    assert!((mean - 1.9).abs() < 1e-4 + 5.0 * (expected / n).sqrt(), "mean {mean}");
    assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}, {expected}");
}

/// The robot's pose, not the sensor's; the errors within five standard errors.
#[test]
fn the_poses_noise_has_the_variance_that_it_claims() {
    let (sigma_pose_m, sigma_pose_rad) = (0.05, 0.03);
    let params = LaserParams { features: vec![Content::Pose], sigma_pose_m, sigma_pose_rad, ..half() };
    let sensor = laser(params.clone());
    let world = FakeWorld::new().robot(Pose2::new(1.0, -2.0, 0.5), NONE);
    let poses: Vec<Pose2> = (0..10_000)
        .map(|step| read::<FieldPose>(&sensor, &world.clone().at(step, 0.0), "pose").pose.unwrap())
        .collect();
    let check = |of: fn(&Pose2) -> f64, truth: f64, sigma: f64, count: f64| {
        let samples: Vec<f64> = poses.iter().map(of).collect();
        let ([mean, variance], n) = (mean_and_variance(&samples), samples.len() as f64);
        let expected = sigma * sigma + count * count / 12.0;
        assert!((mean - truth).abs() < 5.0 * (expected / n).sqrt(), "mean {mean}");
        assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
    };
    check(|pose| pose.x_m, 1.0, sigma_pose_m, 0.001);
    check(|pose| pose.y_m, -2.0, sigma_pose_m, 0.001);
    check(|pose| pose.theta_rad, 0.5, sigma_pose_rad, 1e-4);
    let ideal = LaserParams { sigma_pose_m: 0.0, sigma_pose_rad: 0.0, ..params };
    let pose = read::<FieldPose>(&laser(ideal), &world, "pose").pose.unwrap();
    assert!(pose.distance_m(Pose2::new(1.0, -2.0, 0.0)) < 1e-9 && (pose.theta_rad - 0.5).abs() < 1e-9);
}

#[test]
fn every_wrong_iconic_parameter_is_named() {
    let pointers = |params| -> Vec<String> {
        let error = Laser::new(params, &sensor_setup()).err().unwrap();
        error.problems.into_iter().map(|problem| problem.pointer).collect()
    };
    let wrong = LaserParams {
        features: vec![Content::Pose, Content::Pose],
        segment_gap_m: -1.0,
        obstacle_beams_min: 0,
        obstacle_width_max_m: f64::INFINITY,
        max_obstacles: 65,
        sigma_pose_m: f64::NAN,
        sigma_pose_rad: -0.1,
        ..exact(5, PI)
    };
    let expected = [
        "/features",
        "/obstacle_beams_min",
        "/max_obstacles",
        "/segment_gap_m",
        "/obstacle_width_max_m",
        "/sigma_pose_m",
        "/sigma_pose_rad",
    ];
    assert_eq!(pointers(wrong), expected);
    assert_eq!(pointers(LaserParams { features: Vec::new(), ..exact(5, PI) }), ["/features"]);
    let features = vec![Content::Scan, Content::Pose];
    assert_eq!(
        pointers(LaserParams { features, feature: Some("pose".into()), ..exact(5, PI) }),
        ["/feature"]
    );
}

/// A full turn written with few digits is a ring: what stands behind, before the last beams and the first, is one obstacle.
#[test]
fn a_turn_with_few_digits_is_closed() {
    let world = robot().wall([-2.0, 0.0], [0.2, 0.4]);
    let ring = |view_rad| {
        let params = LaserParams { features: vec![Content::Obstacles], ..exact(360, view_rad) };
        obstacles(params, &world)
    };
    let exact = ring(TAU);
    assert_eq!(exact.len(), 1, "{exact:?}");
    // As 6.283 and 6.2832.
    for view_rad in [TAU - 1.9e-4, TAU + 1.5e-5] {
        assert_eq!(ring(view_rad), exact, "{view_rad} rad");
    }
}
