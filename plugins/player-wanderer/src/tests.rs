use super::*;
use crate::steer::{Course, Drive};
use crate::whereabouts::paired;
use touchline_kit::data::{DataObject, LaserScan, Odometry};
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_plugin_testing::{FakeRobot, FakeWorld};
use touchline_skills::localisation::Seen;

const DRIVE: Drive = Drive { speed_m_s: 0.5, turn_rad_s: 1.0, radius_m: 0.2, clearance_m: 0.5 };

fn stream() -> Noise {
    NoiseKey::for_owner(1, "wanderer").stream()
}

fn steer(course: &mut Course, obstacles: &[[f64; 2]]) -> Twist2 {
    DRIVE.steer(course, obstacles, 0.1, &mut stream())
}

/// Y1: with nothing in the way it drives, and faster the more room there is.
#[test]
fn it_drives_where_there_is_room() {
    let mut course = Course::default();
    let free = steer(&mut course, &[]);
    assert_eq!((free.x_m_s, free.y_m_s), (0.5, 0.0));
    let near = steer(&mut course, &[[1.0, 0.0]]);
    assert!(near.x_m_s > 0.0 && near.x_m_s < 0.5, "{near:?}");
}

/// Y1: it turns to the freer side, and goes on turning until there is room.
#[test]
fn it_turns_away_from_what_is_near() {
    for side in [1.0, -1.0] {
        let mut course = Course::default();
        let wall = [[0.5, 0.0], [0.4, 0.3 * side], [0.6, 0.6 * side]];
        let twist = steer(&mut course, &wall);
        assert!(twist.x_m_s == 0.0 && twist.turn_rad_s == -side, "{twist:?}");
        // A little more room than it needs to begin is not enough to go on.
        assert_eq!(steer(&mut course, &[[0.85, 0.0]]).x_m_s, 0.0);
        assert!(steer(&mut course, &[[1.2, 0.0]]).x_m_s > 0.0);
    }
}

/// Y1: what is beside or behind it does not stop it.
#[test]
fn it_passes_what_is_beside_it() {
    let mut course = Course::default();
    assert!(steer(&mut course, &[[0.1, 0.4], [-0.3, 0.0], [1.0, -0.3]]).x_m_s > 0.3);
}

/// P6: the rules that every player plugin keeps; the setup's robot has what is needed for both ways.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_player::<Wanderer>("{}");
    touchline_plugin_testing::check_player::<Wanderer>(r#"{"localise": true, "samples": 50}"#);
}

#[test]
fn what_it_lacks_is_named() {
    let error = Wanderer::new(WandererParams::default(), &PlayerSetup::default()).err().expect("no sensors");
    assert!(error.to_string().contains("laser"), "{error}");
    let params = WandererParams { samples: 0, clearance_m: f64::NAN, ..WandererParams::default() };
    assert_eq!(params.check().unwrap_err().problems.len(), 2);
}

/// L3: a row of the goal sensor is its team's, whichever teams have goals; which of several goals of a team was seen is not known.
#[test]
fn a_goal_is_taken_for_its_own_team_s() {
    let (near, far) = (Some(Seen::at([1.0, 0.0])), Some(Seen::at([3.0, 0.5])));
    let both = [(1, [5.0, 0.0]), (0, [-5.0, 0.0])];
    assert_eq!(paired(&both, &[near, far]), (vec![[-5.0, 0.0], [5.0, 0.0]], vec![near, far]));
    assert_eq!(paired(&both[..1], &[near, far]), (vec![[5.0, 0.0]], vec![far]));
    let three = [(0, [-5.0, 0.0]), (0, [0.0, 5.0]), (1, [5.0, 0.0])];
    assert_eq!(paired(&three, &[near, far]), (vec![[5.0, 0.0]], vec![far]));
    assert_eq!(paired(&[(7, [5.0, 0.0])], &[near, None]), (vec![], vec![]));
}

/// S: what a camera on a neck sees lies where the neck has turned it.
#[test]
fn a_neck_turns_what_is_seen() {
    let mut robot = FakeRobot::new();
    // Any datum will do: the camera is the third sensor, the odometry, which shows the data, the first.
    robot.description.sensors.sensors[2].follows = Some("wheel-left".into());
    let catalogue = &robot.description.sensors;
    let eyes = Eyes::new(catalogue, true).unwrap();
    let world = FakeWorld::f2000().robot(Pose2::new(1.0, 0.5, 0.3), 0).ball([2.0, 1.5], [0.0; 2]);
    let seen = |turn_rad: f64| {
        let mut read = robot.read(&world, 0);
        let feature = &catalogue.sensors[0].layout.features[0];
        let odometry = Odometry { motion_data: vec![turn_rad, 0.0], ..Odometry::default() };
        odometry.encode(feature, &mut read.quantised[..feature.len()]).unwrap();
        eyes.goals(&read.readings(catalogue))[1].expect("all is seen").point
    };
    let turn = Pose2::new(0.0, 0.0, 1.0);
    let ([x, y], [ahead_x, ahead_y]) = (seen(1.0), turn.point_to_outer(seen(0.0)));
    assert!((x - ahead_x).abs() < 1e-6 && (y - ahead_y).abs() < 1e-6, "{x} {y}");
}

/// Y1: a beam's place has the bits of its own angle and of the mount, also where a scan begins elsewhere than the one before.
#[test]
fn a_beam_ends_where_it_points() {
    let mut robot = FakeRobot::new();
    robot.description.sensors.sensors[1].mount = Mount { x_m: 0.1, y_m: -0.05, z_m: 0.2, theta_rad: 0.4 };
    let catalogue = &robot.description.sensors;
    let eyes = Eyes::new(catalogue, false).unwrap();
    let handle = eyes.handles()[0];
    let sensor = catalogue.sensor(handle);
    let feature = catalogue.feature(handle);
    let start = catalogue.sensors[..handle.sensor].iter().map(|sensor| sensor.layout.len()).sum::<usize>();
    let ranges_m: Vec<f64> = (0..181)
        .map(|beam| match beam % 7 {
            0 => f64::INFINITY,
            1 => f64::NEG_INFINITY,
            _ => 0.1 * f64::from(beam),
        })
        .collect();
    for (angle_min_rad, angle_step_rad) in [(-1.57, 0.017), (-1.2, 0.015), (-1.57, 0.017)] {
        let scan = LaserScan { angle_min_rad, angle_step_rad, ranges_m: ranges_m.clone() };
        let mut read = robot.read(&FakeWorld::f2000().robot(Pose2::ORIGIN, 0), 0);
        let quantised = &mut read.quantised[start..start + feature.len()];
        scan.encode(feature, quantised).unwrap();
        let scan = LaserScan::decode(feature, quantised).unwrap();
        let places = scan.ranges_m.iter().enumerate().filter(|(_, range_m)| **range_m != f64::INFINITY);
        let expected: Vec<[f64; 2]> = places
            .map(|(beam, &range_m)| {
                let (sin, cos) = sin_cos(scan.angle_rad(beam));
                let range_m = range_m.max(0.0);
                sensor.mount.pose().point_to_outer([range_m * cos, range_m * sin])
            })
            .collect();
        let bits =
            |points: &[[f64; 2]]| points.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&eyes.obstacles(&read.readings(catalogue))), bits(&expected));
    }
    let failed = robot.read(&FakeWorld::f2000().robot(Pose2::ORIGIN, 0), 0).all_failed();
    assert!(eyes.obstacles(&failed.readings(catalogue)).is_empty());
}
