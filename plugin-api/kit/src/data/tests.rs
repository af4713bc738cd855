//! P4: what a data object writes, it reads again, within half a count.

use super::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::layout::Feature;
use touchline_plugin_api::motion::{MotionDatum, MotionDescription};

fn round_trip<T: DataObject>(object: &T, feature: &Feature) -> T {
    let mut quantised = vec![0; feature.len()];
    object.encode(feature, &mut quantised).unwrap();
    let read = T::decode(feature, &quantised).unwrap();
    // What was read is written as the same integers: quantised once, not twice.
    let mut again = vec![0; feature.len()];
    read.encode(feature, &mut again).unwrap();
    assert_eq!(quantised, again);
    read
}

fn near(a: f64, b: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= scale * 0.500_001
}

fn near_sighting(a: Sighting, b: Sighting) -> bool {
    near(a.distance_m, b.distance_m, DISTANCE_SCALE_M)
        && near(a.bearing_rad, b.bearing_rad, BEARING_SCALE_RAD)
}

fn near_option<T>(a: Option<T>, b: Option<T>, near: impl Fn(T, T) -> bool) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => near(a, b),
        (None, None) => true,
        _ => false,
    }
}

fn sighting() -> impl Strategy<Value = Sighting> {
    (0.0..100.0, -3.2..3.2).prop_map(|(distance_m, bearing_rad)| Sighting { distance_m, bearing_rad })
}

fn goal() -> impl Strategy<Value = GoalSighting> {
    (option::of(sighting()), option::of(-3.2..3.2), option::of(-3.2..3.2)).prop_map(
        |(centre, left, right)| GoalSighting { centre, left_bearing_rad: left, right_bearing_rad: right },
    )
}

fn robot() -> impl Strategy<Value = RobotSighting> {
    (sighting(), option::of(0..4u32)).prop_map(|(sighting, team)| RobotSighting { sighting, team })
}

fn pose() -> impl Strategy<Value = Pose2> {
    (-50.0..50.0, -50.0..50.0, -3.2..3.2).prop_map(|(x, y, t)| Pose2::new(x, y, t))
}

fn twist() -> impl Strategy<Value = Twist2> {
    (-10.0..10.0, -10.0..10.0, -10.0..10.0).prop_map(|(x, y, t)| Twist2::new(x, y, t))
}

fn near_pose(a: Pose2, b: Pose2, metres: f64, radians: f64) -> bool {
    near(a.x_m, b.x_m, metres) && near(a.y_m, b.y_m, metres) && near(a.theta_rad, b.theta_rad, radians)
}

fn near_twist(a: Twist2, b: Twist2, metres: f64, radians: f64) -> bool {
    near(a.x_m_s, b.x_m_s, metres)
        && near(a.y_m_s, b.y_m_s, metres)
        && near(a.turn_rad_s, b.turn_rad_s, radians)
}

fn range() -> impl Strategy<Value = f64> {
    prop_oneof![8 => 0.0..100.0, 1 => Just(f64::INFINITY), 1 => Just(f64::NEG_INFINITY)]
}

proptest! {
    #[test]
    fn scan(angle_min_rad in -3.2..3.2, angle_step_rad in -0.1..0.1, ranges_m in vec(range(), 0..40)) {
        let scan = LaserScan { angle_min_rad, angle_step_rad, ranges_m };
        let read = round_trip(&scan, &LaserScan::feature("180DegreeScan", scan.ranges_m.len() as u32));
        prop_assert_eq!(read.ranges_m.len(), scan.ranges_m.len());
        prop_assert!(scan.ranges_m.iter().zip(&read.ranges_m).all(|(&a, &b)| near(a, b, 0.001)));
        prop_assert!((0..scan.ranges_m.len()).all(|i| (scan.angle_rad(i) - read.angle_rad(i)).abs() < 2e-6));
    }

    #[test]
    fn odometry(pose in pose(), twist in twist(), motion_data in vec(-100.0..100.0, 0..5)) {
        let datum = |i| MotionDatum::new(&format!("wheel-{i}"), "rad/s");
        let motion = MotionDescription {
            data: (0..motion_data.len()).map(datum).collect(),
            ..MotionDescription::default()
        };
        let odometry = Odometry { pose, twist, motion_data };
        let read = round_trip(&odometry, &Odometry::feature(&motion));
        prop_assert!(near_pose(pose, read.pose, 1e-4, 1e-5) && near_twist(twist, read.twist, 1e-3, 1e-4));
        prop_assert_eq!(read.motion_data.len(), odometry.motion_data.len());
        prop_assert!(odometry.motion_data.iter().zip(&read.motion_data).all(|(&a, &b)| near(a, b, 1e-4)));
    }

    #[test]
    fn truth(pose in pose(), twist in twist(), ball in option::of((-50.0..50.0, -50.0..50.0, -9.0..9.0, -9.0..9.0))) {
        let ball = ball.map(|(x, y, vx, vy)| TrueBall { position: [x, y], velocity: [vx, vy] });
        let read = round_trip(&TruePose { pose, twist, ball }, &TruePose::feature());
        prop_assert!(near_pose(pose, read.pose, 1e-5, 1e-6) && near_twist(twist, read.twist, 1e-5, 1e-6));
        let near_ball = |a: TrueBall, b: TrueBall| {
            (0..2).all(|i| near(a.position[i], b.position[i], 1e-5) && near(a.velocity[i], b.velocity[i], 1e-5))
        };
        prop_assert!(near_option(ball, read.ball, near_ball));
    }

    #[test]
    fn ball(ball in option::of(sighting())) {
        let read = round_trip(&BallSighting { ball }, &BallSighting::feature());
        prop_assert!(near_option(ball, read.ball, near_sighting));
    }

    #[test]
    fn goals(goals in vec(goal(), 0..4)) {
        let read = round_trip(&GoalSightings { goals: goals.clone() }, &GoalSightings::feature(goals.len() as u32));
        let bearing = |a, b| near(a, b, BEARING_SCALE_RAD);
        prop_assert_eq!(goals.len(), read.goals.len());
        for (a, b) in goals.iter().zip(&read.goals) {
            prop_assert!(near_option(a.centre, b.centre, near_sighting));
            prop_assert!(near_option(a.left_bearing_rad, b.left_bearing_rad, bearing));
            prop_assert!(near_option(a.right_bearing_rad, b.right_bearing_rad, bearing));
        }
    }

    #[test]
    fn posts(posts in vec(sighting(), 0..8)) {
        let read = round_trip(&PostSightings { posts: posts.clone() }, &PostSightings::feature(8));
        prop_assert_eq!(posts.len(), read.posts.len());
        prop_assert!(posts.iter().zip(&read.posts).all(|(&a, &b)| near_sighting(a, b)));
    }

    #[test]
    fn robots(robots in vec(robot(), 0..8)) {
        let read = round_trip(&RobotSightings { robots: robots.clone() }, &RobotSightings::feature(8));
        prop_assert_eq!(robots.len(), read.robots.len());
        prop_assert!(robots.iter().zip(&read.robots).all(|(a, b)| near_sighting(a.sighting, b.sighting) && a.team == b.team));
    }

    #[test]
    fn image(width in 1..9usize, pixels in vec(0..=0xff_ffffu32, 1..40)) {
        let height = pixels.len().div_ceil(width);
        let pixels: Vec<u32> = pixels.iter().cycle().take(width * height).copied().collect();
        let image = Image { width, height, pixels };
        let feature = Image::feature("image", width as u32, height as u32);
        prop_assert_eq!(&round_trip(&image, &feature), &image);
        let rgb = image.to_rgb();
        prop_assert_eq!(rgb.len(), 3 * width * height);
        for (bytes, &pixel) in rgb.chunks(3).zip(&image.pixels) {
            let pixel_of_bytes = bytes.iter().fold(0, |pixel, &byte| pixel << 8 | u32::from(byte));
            prop_assert_eq!(pixel_of_bytes, pixel);
        }
        prop_assert_eq!(image.pixel(width - 1, height - 1), image.pixels.last().copied());
        prop_assert_eq!((image.pixel(width, 0), image.pixel(0, height)), (None, None));
    }

    #[test]
    fn lines(angle_min_rad in -3.2..3.2, angle_step_rad in 0.0..0.1, distances_m in vec(vec(0.0..100.0, 0..4), 0..20)) {
        let lines = LineCrossings { angle_min_rad, angle_step_rad, distances_m };
        let read = round_trip(&lines, &LineCrossings::feature(lines.distances_m.len() as u32, 3));
        prop_assert_eq!(read.distances_m.len(), lines.distances_m.len());
        for (a, b) in lines.distances_m.iter().zip(&read.distances_m) {
            prop_assert_eq!(a.len(), b.len());
            prop_assert!(a.iter().zip(b).all(|(&a, &b)| near(a, b, DISTANCE_SCALE_M)));
        }
        prop_assert!((0..lines.distances_m.len()).all(|i| (lines.angle_rad(i) - read.angle_rad(i)).abs() < 2e-6));
    }

    #[test]
    fn sonar(opening_angle_rad in 0.0..3.2, sonars in vec((pose(), range()), 0..20)) {
        let (mounts, ranges_m): (Vec<_>, Vec<_>) = sonars.into_iter().unzip();
        let sonar = Sonar { opening_angle_rad, mounts, ranges_m };
        let read = round_trip(&sonar, &Sonar::feature(sonar.mounts.len() as u32));
        prop_assert!(near(opening_angle_rad, read.opening_angle_rad, 1e-4));
        prop_assert_eq!((sonar.mounts.len(), sonar.ranges_m.len()), (read.mounts.len(), read.ranges_m.len()));
        prop_assert!(sonar.mounts.iter().zip(&read.mounts).all(|(&a, &b)| near_pose(a, b, 1e-3, 1e-4)));
        prop_assert!(sonar.ranges_m.iter().zip(&read.ranges_m).all(|(&a, &b)| near(a, b, 1e-3)));
    }

    #[test]
    fn compass(heading_rad in -3.2..3.2) {
        let read = round_trip(&Compass { heading_rad }, &Compass::feature());
        prop_assert!(near(heading_rad, read.heading_rad, 1e-4));
    }

    #[test]
    fn obstacles(obstacles in vec((sighting(), 0.0..5.0), 0..8)) {
        let obstacles: Vec<_> =
            obstacles.into_iter().map(|(sighting, width_m)| Obstacle { sighting, width_m }).collect();
        let read = round_trip(&Obstacles { obstacles: obstacles.clone() }, &Obstacles::feature(8));
        prop_assert_eq!(obstacles.len(), read.obstacles.len());
        let near_obstacle = |a: &Obstacle, b: &Obstacle| {
            near_sighting(a.sighting, b.sighting) && near(a.width_m, b.width_m, DISTANCE_SCALE_M)
        };
        prop_assert!(obstacles.iter().zip(&read.obstacles).all(|(a, b)| near_obstacle(a, b)));
    }

    #[test]
    fn field_pose(pose in option::of(pose())) {
        let read = round_trip(&FieldPose { pose }, &FieldPose::feature());
        prop_assert!(near_option(pose, read.pose, |a, b| near_pose(a, b, 1e-3, 1e-4)));
    }

    /// Whatever integers come from a network, decoding ends without a panic.
    #[test]
    fn any_integers_can_be_read(quantised in vec(any::<u32>(), 0..40)) {
        let _ = BallSighting::decode(&BallSighting::feature(), &quantised);
        let _ = GoalSightings::decode(&GoalSightings::feature(2), &quantised);
        let _ = PostSightings::decode(&PostSightings::feature(4), &quantised);
        let _ = RobotSightings::decode(&RobotSightings::feature(4), &quantised);
        let _ = TruePose::decode(&TruePose::feature(), &quantised);
        let _ = LaserScan::decode(&LaserScan::feature("scan", 5), &quantised);
        let _ = Image::decode(&Image::feature("image", 5, 2), &quantised);
        let _ = LineCrossings::decode(&LineCrossings::feature(3, 2), &quantised);
        let _ = Sonar::decode(&Sonar::feature(2), &quantised);
        let _ = Compass::decode(&Compass::feature(), &quantised);
        let _ = Obstacles::decode(&Obstacles::feature(3), &quantised);
        let _ = FieldPose::decode(&FieldPose::feature(), &quantised);
        let _ = Odometry::decode(&Odometry::feature(&MotionDescription::default()), &quantised);
    }
}

#[test]
fn another_format_is_refused() {
    let posts = PostSightings { posts: vec![Sighting::default(); 3] };
    let small = PostSightings::feature(2);
    assert!(matches!(posts.encode(&small, &mut vec![0; small.len()]), Err(DataError::WrongLength { .. })));
    assert!(matches!(PostSightings::decode(&small, &[0; 3]), Err(DataError::WrongLength { .. })));
    let image = Image { width: 2, height: 3, pixels: vec![0; 6] };
    assert!(matches!(
        image.encode(&Image::feature("image", 3, 2), &mut [0; 6]),
        Err(DataError::WrongLength { .. })
    ));
    let scan = LaserScan::feature("image", 6);
    assert!(matches!(Image::decode(&scan, &vec![0; scan.len()]), Err(DataError::MissingField { .. })));
    let lines = LineCrossings { distances_m: vec![vec![1.0; 2]; 3], ..LineCrossings::default() };
    for small in [LineCrossings::feature(2, 2), LineCrossings::feature(3, 1)] {
        assert!(matches!(
            lines.encode(&small, &mut vec![0; small.len()]),
            Err(DataError::WrongLength { .. })
        ));
    }
    let foreign = BallSighting::feature();
    assert!(matches!(LaserScan::decode(&foreign, &[0; 2]), Err(DataError::MissingField { .. })));
}
