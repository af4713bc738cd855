//! S2: what is seen of a scene worked out by hand, and whether the noise is what it claims to be.

use super::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use touchline_kit::data::{DataObject, GoalSighting, RobotSighting, Sighting};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

fn exact(field_of_view_rad: f64) -> CameraParams {
    CameraParams {
        field_of_view_rad,
        sigma_bearing_rad: 0.0,
        sigma_distance_relative: 0.0,
        ..CameraParams::default()
    }
}

fn camera(params: CameraParams) -> Camera {
    Camera::new(params, &sensor_setup()).unwrap()
}

fn look<T: DataObject>(camera: &Camera, world: &FakeWorld, mount: Mount, feature: &str) -> T {
    let layout = camera.layout();
    let mut quantised = vec![0; layout.len()];
    camera.generate(&Stateless, &world.sensor_input(0, mount), &mut quantised).unwrap();
    let index = layout.features.iter().position(|f| f.name == feature).unwrap();
    T::decode(&layout.features[index], &quantised[layout.range(index)]).unwrap()
}

fn ball(camera: &Camera, world: &FakeWorld) -> Option<Sighting> {
    look::<BallSighting>(camera, world, Mount::default(), BallSighting::FEATURE).ball
}

fn assert_near(found: Option<Sighting>, distance_m: f64, bearing_rad: f64) {
    let found = found.unwrap();
    assert!((found.distance_m - distance_m).abs() <= 0.501 * DISTANCE_SCALE_M, "{found:?}, {distance_m}");
    assert!((found.bearing_rad - bearing_rad).abs() <= 0.501 * BEARING_SCALE_RAD, "{found:?}, {bearing_rad}");
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Camera>("{}");
    check_sensor::<Camera>(
        r#"{"field_of_view_rad": 6.2832, "range_max_m": 100, "false_negative_probability": 0.5}"#,
    );
    check_sensor::<Camera>(r#"{"features": ["robots", "ball"], "max_robots": 1, "occlusion": false}"#);
    check_sensor::<Camera>(r#"{"view_width_limits_rad": [0.1, 3.2]}"#);
    check_sensor::<Camera>(r#"{"named_posts": true, "max_posts": 2}"#);
}

/// S2: a ball is in view as long as its bearing is within half of the width that is set.
#[test]
fn the_view_is_as_wide_as_it_is_set() {
    let camera = camera(CameraParams { view_width_limits_rad: Some([0.1, TAU]), ..exact(1.0) });
    assert_eq!(camera.data()[0].initial, 1.0);
    let seen = |width: f64, bearing: f64| {
        let ball = [2.0 * libm::cos(bearing), 2.0 * libm::sin(bearing)];
        let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).ball(ball, [0.0; 2]);
        let mut quantised = vec![0; camera.layout().len()];
        let data = [width];
        let input = SensorInput { data: &data, ..world.sensor_input(0, Mount::default()) };
        camera.generate(&Stateless, &input, &mut quantised).unwrap();
        let layout = camera.layout();
        let index = layout.features.iter().position(|feature| feature.name == "ball").unwrap();
        BallSighting::decode(&layout.features[index], &quantised[layout.range(index)]).unwrap().ball.is_some()
    };
    for width in [0.2, 1.0, 3.0, TAU] {
        for part in [-0.999, -0.5, 0.0, 0.5, 0.999] {
            assert!(seen(width, part * width / 2.0), "{width} {part}");
        }
        if width < TAU {
            assert!(!seen(width, 1.001 * width / 2.0) && !seen(width, -1.001 * width / 2.0), "{width}");
        }
    }
}

/// The robot stands at (1, 2) and looks along +y; the camera sits 0.5 m before its centre, turned 45 degrees to the left.
#[test]
fn a_ball_is_seen_from_the_camera_not_from_the_robot() {
    let world = FakeWorld::new().robot(Pose2::new(1.0, 2.0, FRAC_PI_2), 0).ball([0.0, 2.5], [0.0; 2]);
    let mount = Mount { x_m: 0.5, theta_rad: FRAC_PI_4, ..Mount::default() };
    let found: BallSighting = look(&camera(exact(2.0)), &world, mount, "ball");
    // The ball lies due left of the robot's heading: 90 degrees, of which the camera has turned 45.
    assert_near(found.ball, 1.0, FRAC_PI_4);
}

#[test]
fn out_of_view_or_out_of_range_is_not_seen() {
    let at = |bearing: f64, distance: f64| {
        let (x, y) = (distance * libm::cos(bearing), distance * libm::sin(bearing));
        let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).ball([x, y], [0.0; 2]);
        ball(&camera(CameraParams { range_max_m: 5.0, ..exact(1.0) }), &world)
    };
    assert_near(at(0.49, 4.9), 4.9, 0.49);
    assert_near(at(-0.49, 4.9), 4.9, -0.49);
    assert_eq!(at(0.51, 4.9), None);
    assert_eq!(at(-0.51, 4.9), None);
    assert_eq!(at(PI, 4.9), None);
    assert_eq!(at(0.0, 5.1), None);
}

#[test]
fn a_ball_behind_a_robot_is_hidden_unless_told_otherwise() {
    let world = FakeWorld::new()
        .robot(Pose2::ORIGIN, 0)
        .robot(Pose2::new(2.0, 0.0, 0.0), 1)
        .ball([4.0, 0.0], [0.0; 2]);
    assert_eq!(ball(&camera(exact(1.0)), &world), None);
    assert_near(ball(&camera(CameraParams { occlusion: false, ..exact(1.0) }), &world), 4.0, 0.0);
    // Another ball that can be seen is the nearest one.
    assert_near(ball(&camera(exact(1.0)), &world.ball([5.0, 1.0], [0.0; 2])), 26f64.sqrt(), libm::atan(0.2));
}

/// SL10: over a robot that it flies over a ball is seen, where it is above the floor.
#[test]
fn a_ball_is_seen_over_a_lower_robot() {
    let behind = |z_m| {
        let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).robot(Pose2::new(2.0, 0.0, 0.0), 1);
        world.flying_ball([4.0, 0.0], [0.0; 2], Vertical { z_m, speed_m_s: 0.0 })
    };
    assert_eq!(ball(&camera(exact(1.0)), &behind(0.3)), None);
    assert_near(ball(&camera(exact(1.0)), &behind(0.5)), 4.0, 0.0);
}

#[test]
fn of_several_balls_the_nearest_counts() {
    let world =
        FakeWorld::new().robot(Pose2::ORIGIN, 0).ball([4.0, 0.0], [0.0; 2]).ball([3.0, 0.3], [0.0; 2]);
    assert_near(ball(&camera(exact(1.0)), &world), 9.09f64.sqrt(), libm::atan(0.1));
}

/// From (2, 0) the goal line of team 1 at x = 5 is 3 m ahead, its ends 1 m to each side.
#[test]
fn a_goal_is_its_middle_and_its_two_ends() {
    let world = FakeWorld::f2000().robot(Pose2::new(2.0, 0.0, 0.0), 0);
    let goals: GoalSightings = look(&camera(exact(1.0)), &world, Mount::default(), "goals");
    assert_eq!(goals.goals[0], GoalSighting::default());
    let goal = goals.goals[1];
    assert_near(goal.centre, 3.0, 0.0);
    let post = libm::atan(1.0 / 3.0);
    assert!((goal.left_bearing_rad.unwrap() - post).abs() < BEARING_SCALE_RAD);
    assert!((goal.right_bearing_rad.unwrap() + post).abs() < BEARING_SCALE_RAD);
    // Turned to the left by 45 degrees, only the left end is left in view (18 degrees, half the view is 29).
    let world = FakeWorld::f2000().robot(Pose2::new(2.0, 0.0, FRAC_PI_4), 0);
    let goals: GoalSightings = look(&camera(exact(1.0)), &world, Mount::default(), "goals");
    let goal = goals.goals[1];
    assert_eq!((goal.centre, goal.right_bearing_rad), (None, None));
    assert!((goal.left_bearing_rad.unwrap() - (post - FRAC_PI_4)).abs() < BEARING_SCALE_RAD);
}

/// At the middle of the field the four corner posts are equally far and the four goal posts nearer.
#[test]
fn posts_come_nearest_first() {
    let world = FakeWorld::f2000().robot(Pose2::new(0.5, 0.0, 0.0), 0);
    let posts: PostSightings = look(&camera(exact(TAU)), &world, Mount::default(), "posts");
    let expected =
        [(4.5, 1.05), (4.5, 2.5), (5.5, 1.05), (5.5, 2.5)].map(|(x, y): (f64, f64)| libm::hypot(x, y));
    for (pair, distance) in posts.posts.chunks(2).zip(expected) {
        assert!(pair.iter().all(|post| (post.distance_m - distance).abs() < DISTANCE_SCALE_M), "{pair:?}");
        assert!((pair[0].bearing_rad + pair[1].bearing_rad).abs() < 2.0 * BEARING_SCALE_RAD);
    }
    let few: PostSightings =
        look(&camera(CameraParams { max_posts: 3, ..exact(TAU) }), &world, Mount::default(), "posts");
    assert_eq!(few.posts, posts.posts[..3]);
}

#[test]
fn other_robots_are_seen_with_their_team_and_its_own_is_not() {
    let world = FakeWorld::new()
        .robot(Pose2::ORIGIN, 0)
        .robot(Pose2::new(3.0, 0.0, 0.0), 1)
        .robot(Pose2::new(0.0, 2.0, 0.0), NONE)
        .robot(Pose2::new(-5.0, 0.0, 0.0), 0);
    let robots: RobotSightings = look(&camera(exact(PI)), &world, Mount::default(), "robots");
    let [near, far] = robots.robots[..] else { panic!("{robots:?}") };
    assert_near(Some(near.sighting), 2.0, FRAC_PI_2);
    assert_eq!(near.team, None);
    assert_eq!(
        far,
        RobotSighting { sighting: Sighting { distance_m: 3.0, bearing_rad: 0.0 }, team: Some(1) }
    );
}

#[test]
fn features_can_be_left_out() {
    let params = CameraParams { features: vec![Thing::Posts, Thing::Ball], ..exact(1.0) };
    let camera = camera(params);
    let layout = camera.layout();
    let names: Vec<_> = layout.features.iter().map(|feature| feature.name.as_str()).collect();
    assert_eq!(names, ["posts", "ball"]);
    let world = FakeWorld::f2000().robot(Pose2::new(2.0, 0.0, 0.0), 0).robot(Pose2::new(3.0, 0.1, 0.0), 0);
    let posts: PostSightings = look(&camera, &world, Mount::default(), "posts");
    assert_eq!((posts.posts.len(), ball(&camera, &world)), (2, None));
}

/// Distance and bearing of 20,000 sightings, within five standard errors, rounding included.
#[test]
fn the_noise_has_the_variance_that_it_claims() {
    let params = CameraParams { sigma_bearing_rad: 0.02, sigma_distance_relative: 0.1, ..exact(1.0) };
    let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).ball([3.0, 0.0], [0.0; 2]);
    let camera = camera(params);
    let seen: Vec<_> = (0..20_000).map(|step| ball(&camera, &world.clone().at(step, 0.0)).unwrap()).collect();
    let n = seen.len() as f64;
    let check = |of: fn(&Sighting) -> f64, expected_mean: f64, sigma: f64, scale: f64| {
        let expected = sigma * sigma + scale * scale / 12.0;
        let mean = seen.iter().map(of).sum::<f64>() / n;
        let variance = seen.iter().map(|s| (of(s) - mean) * (of(s) - mean)).sum::<f64>() / n;
        assert!((mean - expected_mean).abs() < 5.0 * (expected / n).sqrt(), "mean {mean}");
        assert!(
            (variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(),
            "variance {variance}, {expected}"
        );
    };
    check(|s| s.distance_m, 3.0, 0.3, DISTANCE_SCALE_M);
    check(|s| s.bearing_rad, 0.0, 0.02, BEARING_SCALE_RAD);
    let together = seen.iter().map(|s| (s.distance_m - 3.0) * s.bearing_rad).sum::<f64>() / n / (0.3 * 0.02);
    assert!(together.abs() < 5.0 / n.sqrt(), "correlation {together}");
}

#[test]
fn things_are_missed_as_often_as_they_should() {
    let camera = camera(CameraParams { false_negative_probability: 0.2, ..exact(1.0) });
    let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).ball([3.0, 0.0], [0.0; 2]);
    let n = 10_000u64;
    let missed = (0..n).filter(|&step| ball(&camera, &world.clone().at(step, 0.0)).is_none()).count();
    let share = missed as f64 / n as f64;
    assert!((share - 0.2).abs() < 5.0 * (0.16 / n as f64).sqrt(), "{share}");
}

#[test]
fn every_wrong_parameter_is_named() {
    let wrong = CameraParams {
        field_of_view_rad: 0.0,
        view_width_limits_rad: Some([0.1, f64::NAN]),
        range_max_m: f64::INFINITY,
        features: vec![Thing::Ball, Thing::Ball],
        max_posts: 0,
        named_posts: false,
        max_robots: 33,
        sigma_bearing_rad: -1.0,
        sigma_distance_relative: f64::NAN,
        false_negative_probability: 2.0,
        occlusion: true,
    };
    let error = Camera::new(wrong, &sensor_setup()).err().unwrap();
    let pointers: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    let expected = [
        "/field_of_view_rad",
        "/view_width_limits_rad",
        "/range_max_m",
        "/features",
        "/max_posts",
        "/max_robots",
        "/sigma_bearing_rad",
        "/sigma_distance_relative",
        "/false_negative_probability",
    ];
    assert_eq!(pointers, expected);
}

/// S2: the posts that are seen are named, if the file asks for it, and are where their fixtures are.
#[test]
fn posts_have_the_names_of_their_fixtures() {
    let world = FakeWorld::f2000().robot(Pose2::new(3.0, 0.3, 0.2), 0);
    let camera = camera(CameraParams { named_posts: true, max_posts: 6, ..exact(TAU) });
    let layout = camera.layout();
    let mut quantised = vec![0; layout.len()];
    camera.generate(&Stateless, &world.sensor_input(0, Mount::default()), &mut quantised).unwrap();
    let index = layout.features.iter().position(|feature| feature.name == PostSightings::FEATURE).unwrap();
    let (feature, quantised) = (&layout.features[index], &quantised[layout.range(index)]);
    let posts = PostSightings::decode(feature, quantised).unwrap().posts;
    let fixtures = PostSightings::fixtures(feature, quantised).unwrap();
    let (view, names) = (world.view(), world.fixture_names());
    assert_eq!((posts.len(), fixtures.len()), (4, 4));
    for (post, &fixture) in posts.iter().zip(&fixtures) {
        let shape = &view.fixtures()[fixture as usize];
        let distance_m = libm::hypot(shape.x_m - 3.0, shape.y_m - 0.3);
        assert_near(Some(*post), distance_m, wrap_angle(libm::atan2(shape.y_m - 0.3, shape.x_m - 3.0) - 0.2));
        assert!(names[fixture as usize].starts_with("pole-"), "{names:?}");
    }
    assert!(fixtures.iter().enumerate().all(|(i, fixture)| !fixtures[..i].contains(fixture)));
}
