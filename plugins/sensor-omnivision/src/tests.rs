//! S3: what is seen of scenes worked out by hand, and whether the noise is what it claims to be.

use super::*;
use crate::lines::InSector;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use touchline_kit::data::{BEARING_SCALE_RAD, DISTANCE_SCALE_M, GoalSighting, RobotSighting, Sighting};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_plugin_api::view::{NONE, Shape, ShapeKind};
use touchline_plugin_testing::{FakeWorld, check_sensor, sensor_setup};

const MOUNT: Mount = Mount { x_m: 0.0, y_m: 0.0, z_m: 0.6, theta_rad: 0.0 };

fn exact() -> OmnivisionParams {
    OmnivisionParams {
        range_max_m: 20.0,
        line_range_min_m: 0.0,
        line_range_max_m: 20.0,
        sigma_bearing_rad: 0.0,
        sigma_distance_relative: 0.0,
        sigma_elevation_rad: 0.0,
        ..OmnivisionParams::default()
    }
}

/// Four scan lines: backwards, to the right, ahead, to the left.
fn cross() -> OmnivisionParams {
    OmnivisionParams { line_rays: 4, ..exact() }
}

/// One scan line, straight ahead.
fn ahead() -> OmnivisionParams {
    OmnivisionParams { line_rays: 1, ..exact() }
}

fn sensor(params: OmnivisionParams) -> Omnivision {
    Omnivision::new(params, &SensorSetup { mount: MOUNT, ..sensor_setup() }).unwrap()
}

fn see<T: DataObject>(sensor: &Omnivision, world: &FakeWorld, mount: Mount, feature: &str) -> T {
    let layout = sensor.layout();
    let mut quantised = vec![0; layout.len()];
    sensor.generate(&Stateless, &world.sensor_input(0, mount), &mut quantised).unwrap();
    let index = layout.features.iter().position(|f| f.name == feature).unwrap();
    T::decode(&layout.features[index], &quantised[layout.range(index)]).unwrap()
}

fn ball(sensor: &Omnivision, world: &FakeWorld) -> Option<Sighting> {
    see::<BallSighting>(sensor, world, MOUNT, "ball").ball
}

fn lines(params: OmnivisionParams, world: &FakeWorld) -> Vec<Vec<f64>> {
    see::<LineCrossings>(&sensor(params), world, MOUNT, "lines").distances_m
}

#[track_caller]
fn assert_crossings(got: &[Vec<f64>], expected: &[&[f64]]) {
    let near = |a: &Vec<f64>, b: &&[f64]| {
        a.len() == b.len() && a.iter().zip(*b).all(|(a, b)| (a - b).abs() <= 0.501 * DISTANCE_SCALE_M)
    };
    let all = got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| near(a, b));
    assert!(all, "{got:?}, {expected:?}");
}

#[track_caller]
fn assert_near(found: Option<Sighting>, distance_m: f64, bearing_rad: f64) {
    let found = found.unwrap();
    assert!((found.distance_m - distance_m).abs() <= 0.501 * DISTANCE_SCALE_M, "{found:?}, {distance_m}");
    assert!((found.bearing_rad - bearing_rad).abs() <= 0.501 * BEARING_SCALE_RAD, "{found:?}, {bearing_rad}");
}

/// A robot at the origin that looks along x.
fn robot() -> FakeWorld {
    FakeWorld::new().robot(Pose2::ORIGIN, NONE)
}

#[test]
fn it_keeps_the_contract() {
    check_sensor::<Omnivision>("{}");
    check_sensor::<Omnivision>(
        r#"{"features": ["lines", "ball"], "line_rays": 7, "line_crossings": 1, "occlusion": false}"#,
    );
    check_sensor::<Omnivision>(
        r#"{"field_of_view_rad": 1.0, "false_negative_probability": 0.5, "sigma_elevation_rad": 0}"#,
    );
}

/// From (1, 0.5) the near edges of the halfway line, both goal lines and both side lines are where they must be: the
/// lines are 5 cm wide.
#[test]
fn lines_are_met_at_their_near_edges() {
    let at = |theta| FakeWorld::f2000().robot(Pose2::new(1.0, 0.5, theta), 0);
    assert_crossings(&lines(cross(), &at(0.0)), &[&[0.975, 5.975], &[2.975], &[3.975], &[1.975]]);
    assert_crossings(&lines(cross(), &at(FRAC_PI_2)), &[&[2.975], &[3.975], &[1.975], &[0.975, 5.975]]);
    // The same by the mounting: it sits 0.5 m before the centre and looks backwards.
    let mount = Mount { x_m: 0.5, theta_rad: PI, ..MOUNT };
    let seen: LineCrossings = see(&sensor(cross()), &at(0.0), mount, "lines");
    assert_crossings(&seen.distances_m, &[&[3.475], &[1.975], &[1.475, 6.475], &[2.975]]);
    assert!((seen.angle_rad(0) + PI).abs() < 1e-6 && (seen.angle_rad(3) - FRAC_PI_2).abs() < 1e-6);
}

#[test]
fn crossings_end_at_the_range_and_at_the_number_asked_for() {
    let world = || (1..6).fold(robot(), |world, i| world.line([f64::from(i), 0.0], [0.1, 2.0]));
    let three = OmnivisionParams { line_crossings: 3, ..ahead() };
    assert_crossings(&lines(three.clone(), &world()), &[&[0.95, 1.95, 2.95]]);
    assert_crossings(
        &lines(OmnivisionParams { line_range_min_m: 1.0, line_range_max_m: 2.9, ..three.clone() }, &world()),
        &[&[1.95]],
    );
    assert_crossings(&lines(three.clone(), &robot()), &[&[]]);
    // It stands on one line: that has no near edge.
    assert_crossings(&lines(three, &robot().line([0.0, 0.0], [0.1, 2.0])), &[&[]]);
}

/// A line, one that begins within it and goes on along the ray, one that begins where that ends: one way in. Then a gap.
#[test]
fn lines_that_touch_are_one() {
    let world = robot()
        .line([2.0, 0.0], [0.1, 4.0])
        .line([3.0, 0.0], [2.0, 0.1])
        .line([4.05, 0.0], [0.1, 4.0])
        .line([5.0, 0.0], [0.1, 4.0]);
    assert_crossings(&lines(ahead(), &world), &[&[1.95, 4.95]]);
}

/// SL10: over a robot that it flies over a ball is seen, where it is above the floor.
#[test]
fn a_ball_is_seen_over_a_lower_robot() {
    let behind = |z_m| {
        let world = robot().robot(Pose2::new(2.0, 0.0, 0.0), 1);
        world.flying_ball([4.0, 0.0], [0.0; 2], Vertical { z_m, speed_m_s: 0.0 })
    };
    assert_eq!(ball(&sensor(exact()), &behind(0.3)), None);
    let seen = ball(&sensor(exact()), &behind(0.5)).unwrap();
    assert!((seen.distance_m - 4.0).abs() < 0.01 && seen.bearing_rad.abs() < 0.01, "{seen:?}");
}

/// The eye is 0.6 m high. A robot of 0.5 m stands from 1.75 to 2.25 m ahead: over its far edge the eye sees the floor
/// from 2.25 * 0.6 / (0.6 - 0.5) = 13.5 m on; over a ball of 0.22 m that ends at 2.11 m from 3.332 m on.
#[test]
fn what_is_taller_than_the_sight_ray_hides_a_line() {
    let line = |world: FakeWorld, x: f64| world.line([x + 0.025, 0.0], [0.05, 4.0]);
    let sees = |world: FakeWorld, x: f64| !lines(ahead(), &line(world, x))[0].is_empty();
    let behind_robot = || robot().robot(Pose2::new(2.0, 0.0, PI), NONE);
    assert!(sees(robot(), 4.0) && sees(behind_robot(), 1.0));
    assert!(!sees(behind_robot(), 4.0) && !sees(behind_robot(), 13.4));
    assert!(sees(behind_robot(), 13.6));
    let behind_ball = || robot().ball([2.0, 0.0], [0.0; 2]);
    assert!(!sees(behind_ball(), 3.3) && sees(behind_ball(), 3.35));
    // A thing from 0.4 to 0.5 m height, 1.9 to 2.1 m ahead: the eye sees under it, not through it, and over it.
    let post = FakeWorld::new().post([2.0, 0.0], 0.1).view().shapes[0];
    let behind_bridge = || robot().fixture(Shape { z_bottom_m: 0.4, z_top_m: 0.5, ..post });
    assert!(sees(behind_bridge(), 2.5) && !sees(behind_bridge(), 6.0) && sees(behind_bridge(), 15.0));
    let blind = OmnivisionParams { occlusion: false, ..ahead() };
    assert_crossings(&lines(blind, &line(behind_robot(), 4.0)), &[&[4.0]]);
}

/// A shape of any kind, about as large as its distance from the origin.
fn any_shape(draw: &mut Noise, kind_code: u32) -> Shape {
    let post = FakeWorld::new().post([0.0, 0.0], 0.1).view().shapes[0];
    let (x_m, y_m) = (draw.uniform(-2.0, 2.0), draw.uniform(-2.0, 2.0));
    let (sin, cos) = sin_cos(draw.uniform(-3.0, 3.0));
    let (half_x_m, half_y_m) = (draw.uniform(0.1, 1.0), draw.uniform(0.1, 1.0));
    let corner_b = [x_m + draw.uniform(-1.0, 1.0), y_m + draw.uniform(-1.0, 1.0)];
    let corner_c = [x_m + draw.uniform(-1.0, 1.0), y_m + draw.uniform(-1.0, 1.0)];
    let radius_m = 1.5;
    Shape { x_m, y_m, cos, sin, half_x_m, half_y_m, corner_b, corner_c, radius_m, kind_code, ..post }
}

/// Rectangles, ellipses and triangles in all places: a point of the ray is in the shape exactly if it is in the span.
#[test]
fn a_span_is_where_the_ray_is_in_the_shape() {
    let mut draw = NoiseKey::for_owner(3, "spans").stream();
    let mut met = [0; 3];
    for i in 0..3_000u32 {
        let shape = any_shape(&mut draw, i % 3);
        let (sin, cos) = sin_cos(draw.uniform(-3.0, 3.0));
        let span = lines::span(&shape, [0.0; 2], [cos, sin]);
        met[(i % 3) as usize] += u32::from(span.is_some());
        for step in 0..200 {
            let t = f64::from(step) * 0.02;
            let is_in = span.is_some_and(|[enter, leave]| enter <= t && t <= leave);
            let is_edge = span.is_some_and(|[enter, leave]| (t - enter).abs().min((t - leave).abs()) < 1e-9);
            assert!(is_edge || is_in == shape.contains([t * cos, t * sin]), "{shape:?} {span:?} {t}");
        }
    }
    assert!(met.iter().all(|&met| met > 50), "{met:?}");
}

/// What a ray passes by is left out without a closer look; whatever is met has the same bits with and without that, from
/// afar, from within, from a corner's or an edge's immediate neighbourhood, and along rays that graze a corner.
#[test]
fn leaving_out_what_is_passed_by_changes_no_bit() {
    let mut draw = NoiseKey::for_owner(4, "sectors").stream();
    let (mut met, mut rays) = (0, 0);
    for i in 0..6_000u32 {
        let shape = any_shape(&mut draw, i % 3);
        let corners = match shape.kind() {
            ShapeKind::Triangle => vec![[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c],
            _ => shape.rectangle_corners().to_vec(),
        };
        let [a, b] = [corners[0], corners[1]];
        let near_m = [1e-12, 1e-9, 1e-6, 1e-3][(i / 12 % 4) as usize];
        let mut off_m = || draw.uniform(-near_m, near_m);
        let origin = match i / 3 % 4 {
            0 => [0.0, 0.0],
            1 => [a[0] + off_m(), a[1] + off_m()],
            2 => [0.3 * a[0] + 0.7 * b[0] + off_m(), 0.3 * a[1] + 0.7 * b[1] + off_m()],
            _ => [shape.x_m + 1e-3, shape.y_m - 1e-3],
        };
        let in_sector = InSector::new(&shape, origin);
        let anywhere = (0..8).map(|_| draw.uniform(-3.2, 3.2)).collect::<Vec<_>>();
        let at_corners = corners.iter().flat_map(|[x, y]| {
            let bearing_rad = libm::atan2(y - origin[1], x - origin[0]);
            [-1e-5, -1e-7, -1e-15, 0.0, 1e-15, 1e-7, 1e-5, PI].map(|off_rad| bearing_rad + off_rad)
        });
        for angle_rad in anywhere.iter().copied().chain(at_corners) {
            let (sin, cos) = sin_cos(angle_rad);
            let expected = lines::span(&shape, origin, [cos, sin]);
            let bits = |span: Option<[f64; 2]>| span.map(|ends| ends.map(f64::to_bits));
            assert_eq!(
                bits(in_sector.span(origin, [cos, sin])),
                bits(expected),
                "{shape:?} {origin:?} {angle_rad}"
            );
            met += u32::from(expected.is_some());
            rays += 1;
        }
    }
    assert!(met > rays / 4 && met < rays * 3 / 4, "{met} of {rays}");
}

#[test]
fn a_ball_is_seen_all_round_unless_something_hides_it() {
    let sensor = sensor(exact());
    let with_ball = |x, y| robot().ball([x, y], [0.0; 2]);
    assert_near(ball(&sensor, &with_ball(-3.0, 0.0)), 3.0, PI);
    assert_near(ball(&sensor, &with_ball(0.0, -2.0)), 2.0, -FRAC_PI_2);
    let hidden = with_ball(-3.0, 0.0).robot(Pose2::new(-1.5, 0.0, 0.0), 1);
    assert_eq!(ball(&sensor, &hidden), None);
    // Of two others the nearer one counts.
    let others = hidden.ball([4.0, 0.0], [0.0; 2]).ball([0.0, 3.5], [0.0; 2]);
    assert_near(ball(&sensor, &others), 3.5, FRAC_PI_2);
    let see_through = Omnivision::new(
        OmnivisionParams { occlusion: false, ..exact() },
        &SensorSetup { mount: MOUNT, ..sensor_setup() },
    );
    assert_near(ball(&see_through.unwrap(), &others), 3.0, PI);
}

/// From (2, 0) the goal line of team 1 at x = 5 is 3 m ahead, that of team 0 is 7 m behind; their ends are 1 m to each
/// side.
#[test]
fn both_goals_are_seen_at_once() {
    let world = FakeWorld::f2000().robot(Pose2::new(2.0, 0.0, 0.0), 0);
    let goals: GoalSightings = see(&sensor(exact()), &world, MOUNT, "goals");
    let [own, other] = goals.goals[..] else { panic!("{goals:?}") };
    assert_near(other.centre, 3.0, 0.0);
    let bearing =
        |got: Option<f64>, expected: f64| assert!((got.unwrap() - expected).abs() < BEARING_SCALE_RAD);
    bearing(other.left_bearing_rad, libm::atan(1.0 / 3.0));
    bearing(other.right_bearing_rad, -libm::atan(1.0 / 3.0));
    assert_near(own.centre, 7.0, PI);
    bearing(own.left_bearing_rad, libm::atan(1.0 / 7.0) - PI);
    bearing(own.right_bearing_rad, PI - libm::atan(1.0 / 7.0));
    // With a narrow view only the one ahead, and no thing that is farther than the range.
    let narrow = OmnivisionParams { field_of_view_rad: 1.0, ..exact() };
    let goals: GoalSightings = see(&sensor(narrow), &world, MOUNT, "goals");
    assert_eq!(goals.goals[0], GoalSighting::default());
    assert_near(goals.goals[1].centre, 3.0, 0.0);
    let near = OmnivisionParams { range_max_m: 6.9, ..exact() };
    let goals: GoalSightings = see(&sensor(near), &world, MOUNT, "goals");
    assert_eq!(goals.goals[0], GoalSighting::default());
}

/// A full turn written with few digits has its scan lines where an exact one has them, and sees what is exactly behind.
#[test]
fn a_turn_with_few_digits_is_closed() {
    let world = FakeWorld::f2000().robot(Pose2::new(1.0, 0.5, 0.0), 0).ball([-1.0, 0.5], [0.0; 2]);
    let exact = lines(cross(), &world);
    // As 6.283 and 6.2832.
    for field_of_view_rad in [TAU - 1.9e-4, TAU + 1.5e-5] {
        let params = OmnivisionParams { field_of_view_rad, ..cross() };
        assert_eq!(lines(params.clone(), &world), exact, "{field_of_view_rad} rad");
        assert!(ball(&sensor(params), &world).is_some(), "{field_of_view_rad} rad");
    }
}

#[test]
fn posts_and_robots_come_nearest_first() {
    let world = FakeWorld::f2000()
        .robot(Pose2::new(0.5, 0.0, FRAC_PI_4), 0)
        .robot(Pose2::new(-2.5, 0.0, 0.0), 1)
        .robot(Pose2::new(0.5, 2.0, 0.0), NONE);
    let posts: PostSightings = see(&sensor(exact()), &world, MOUNT, "posts");
    let expected =
        [(4.5, 1.05), (4.5, 2.5), (5.5, 1.05), (5.5, 2.5)].map(|(x, y): (f64, f64)| libm::hypot(x, y));
    assert_eq!(posts.posts.len(), 8);
    for (pair, distance) in posts.posts.chunks(2).zip(expected) {
        assert!(pair.iter().all(|post| (post.distance_m - distance).abs() < DISTANCE_SCALE_M), "{pair:?}");
    }
    let few = OmnivisionParams { max_posts: 3, max_robots: 1, ..exact() };
    assert_eq!(see::<PostSightings>(&sensor(few.clone()), &world, MOUNT, "posts").posts, posts.posts[..3]);
    let robots: RobotSightings = see(&sensor(exact()), &world, MOUNT, "robots");
    let [near, far] = robots.robots[..] else { panic!("{robots:?}") };
    assert_near(Some(near.sighting), 2.0, FRAC_PI_4);
    assert_near(Some(far.sighting), 3.0, PI - FRAC_PI_4);
    assert_eq!((near.team, far.team), (None, Some(1)));
    let nearest: RobotSightings = see(&sensor(few), &world, MOUNT, "robots");
    assert_eq!(nearest.robots, [RobotSighting { sighting: near.sighting, team: None }]);
}

/// P5: what it sees can be read in place of what a camera sees. What is left out is not there, and who leaves out
/// others reads the same.
#[test]
fn features_are_a_cameras_and_can_be_left_out() {
    let all = sensor(OmnivisionParams { sigma_bearing_rad: 0.1, ..exact() });
    let cameras = [
        BallSighting::feature(),
        GoalSightings::feature(2),
        PostSightings::feature(8),
        RobotSightings::feature(8),
    ];
    let features = all.layout().features;
    assert!(cameras.iter().zip(&features).all(|(camera, own)| camera.same_format(own)));
    assert!(features[4].same_format(&LineCrossings::feature(72, 3)));
    let few = sensor(OmnivisionParams {
        features: vec![Thing::Posts, Thing::Ball],
        sigma_bearing_rad: 0.1,
        ..exact()
    });
    let names: Vec<_> = few.layout().features.into_iter().map(|feature| feature.name).collect();
    assert_eq!(names, ["posts", "ball"]);
    let world = FakeWorld::f2000().robot(Pose2::ORIGIN, 0).ball([2.0, 1.0], [0.0; 2]);
    assert_eq!(ball(&few, &world), ball(&all, &world));
    let posts = |sensor| see::<PostSightings>(sensor, &world, MOUNT, "posts");
    assert_eq!(posts(&few), posts(&all));
}

/// Mean and variance of errors, within five standard errors.
#[track_caller]
fn assert_normal(errors: &[f64], sigma: f64, count: f64) {
    let n = errors.len() as f64;
    let expected = sigma * sigma + count * count / 12.0;
    let mean = errors.iter().sum::<f64>() / n;
    let variance = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / n;
    assert!((mean.abs()) < 5.0 * (expected / n).sqrt(), "mean {mean}");
    assert!((variance / expected - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}, {expected}");
}

/// 3 m away and 0.6 m high, 0.01 rad below the horizon are 0.01 * (9 + 0.36) / 0.6 = 0.156 m; the other part is 4 % of
/// 3 m = 0.12 m. At 1 m the two are 0.0227 m and 0.04 m.
#[test]
fn the_noise_has_the_variance_that_it_claims() {
    let params = OmnivisionParams {
        features: vec![Thing::Ball, Thing::Lines],
        sigma_bearing_rad: 0.02,
        sigma_distance_relative: 0.04,
        sigma_elevation_rad: 0.01,
        ..cross()
    };
    let world =
        robot().ball([0.0, 3.0], [0.0; 2]).line([3.05, 0.0], [0.1, 8.0]).line([-1.05, 0.0], [0.1, 8.0]);
    let sensor = sensor(params);
    let n = 20_000;
    let balls: Vec<Sighting> =
        (0..n).map(|step| ball(&sensor, &world.clone().at(step, 0.0)).unwrap()).collect();
    let errors = |of: &dyn Fn(&Sighting) -> f64| balls.iter().map(of).collect::<Vec<_>>();
    let far_m = libm::hypot(0.156, 0.12);
    assert_normal(&errors(&|seen| seen.distance_m - 3.0), far_m, DISTANCE_SCALE_M);
    assert_normal(&errors(&|seen| seen.bearing_rad - FRAC_PI_2), 0.02, BEARING_SCALE_RAD);
    let crossings: Vec<LineCrossings> =
        (0..n).map(|step| see(&sensor, &world.clone().at(step, 0.0), MOUNT, "lines")).collect();
    let errors = |ray: usize, true_m: f64| {
        crossings.iter().map(|seen| seen.distances_m[ray][0] - true_m).collect::<Vec<_>>()
    };
    assert_normal(&errors(2, 3.0), far_m, DISTANCE_SCALE_M);
    assert_normal(&errors(0, 1.0), libm::hypot(0.01 * 1.36 / 0.6, 0.04), DISTANCE_SCALE_M);
    let pairs = errors(0, 1.0).into_iter().zip(errors(2, 3.0));
    let together = pairs.map(|(a, b)| a * b).sum::<f64>() / n as f64 / (far_m * 0.046);
    assert!(together.abs() < 5.0 / (n as f64).sqrt(), "correlation {together}");
}

#[test]
fn things_and_crossings_are_missed_as_often_as_they_should() {
    let sensor = sensor(OmnivisionParams { false_negative_probability: 0.2, ..cross() });
    let world = robot().ball([0.0, 3.0], [0.0; 2]).line([3.0, 0.0], [0.1, 8.0]);
    let n = 10_000u64;
    let share = |is_missed: &dyn Fn(&FakeWorld) -> bool| {
        let missed = (0..n).filter(|&step| is_missed(&world.clone().at(step, 0.0))).count();
        missed as f64 / n as f64
    };
    let limit = 5.0 * (0.16 / n as f64).sqrt();
    assert!((share(&|world| ball(&sensor, world).is_none()) - 0.2).abs() < limit);
    let no_crossing =
        |world: &FakeWorld| see::<LineCrossings>(&sensor, world, MOUNT, "lines").distances_m[2].is_empty();
    assert!((share(&no_crossing) - 0.2).abs() < limit);
}

#[test]
fn every_wrong_parameter_is_named() {
    let wrong = OmnivisionParams {
        features: vec![Thing::Ball, Thing::Ball],
        field_of_view_rad: 0.0,
        range_max_m: f64::INFINITY,
        max_posts: 0,
        max_robots: 33,
        line_rays: 721,
        line_crossings: 17,
        line_range_min_m: 2.0,
        line_range_max_m: 0.0,
        sigma_bearing_rad: -1.0,
        sigma_distance_relative: f64::NAN,
        sigma_elevation_rad: -1.0,
        false_negative_probability: 2.0,
        occlusion: true,
    };
    let pointers = |params, mount| -> Vec<String> {
        let error = Omnivision::new(params, &SensorSetup { mount, ..sensor_setup() }).err().unwrap();
        error.problems.into_iter().map(|problem| problem.pointer).collect()
    };
    let expected = [
        "/features",
        "/field_of_view_rad",
        "/max_posts",
        "/max_robots",
        "/line_rays",
        "/line_crossings",
        "/line_range_min_m",
        "/range_max_m",
        "/line_range_max_m",
        "/sigma_bearing_rad",
        "/sigma_distance_relative",
        "/sigma_elevation_rad",
        "/false_negative_probability",
    ];
    assert_eq!(pointers(wrong, MOUNT), expected);
    // On the floor there is no angle below the horizon.
    assert_eq!(pointers(OmnivisionParams::default(), Mount::default()), ["/sigma_elevation_rad"]);
}
