//! A neck that turns a camera, and the width of its view, on the built server. [R3, R4, S2, C7]

use crate::client::{Client, field, number};
use crate::program::{Server, run};
use std::f64::consts::{FRAC_PI_2, PI};

/// Where worlds/neck.toml has its robot: place and heading; and where the camera sits forward of the robot's middle.
const POSE: [f64; 3] = [-1.0, 0.5, 0.3];
const FORWARD_M: f64 = 0.05;

fn server() -> Server {
    Server::start("worlds/neck.toml", &["--studio", "off", "--speed", "lockstep"])
}

/// The direction from the camera to a place against the camera's axis, and whether it is in view.
fn expected([x, y]: [f64; 2], neck_rad: f64, width_rad: f64) -> Option<f64> {
    let camera = [POSE[0] + FORWARD_M * POSE[2].cos(), POSE[1] + FORWARD_M * POSE[2].sin()];
    let turned = (y - camera[1]).atan2(x - camera[0]) - POSE[2] - neck_rad;
    let bearing = (turned + PI).rem_euclid(2.0 * PI) - PI;
    (bearing.abs() < width_rad / 2.0).then_some(bearing)
}

/// What the camera reads of the ball: the bearing, if it is seen.
fn seen(desk: &mut Client) -> Option<f64> {
    let answer = desk.ok("GET watch camera.ball");
    let words: Vec<&str> = answer.line("DATA camera.ball ").split(' ').collect();
    let [distance, bearing]: [u32; 2] = [words[4].parse().unwrap(), words[5].parse().unwrap()];
    (distance != u32::MAX).then(|| f64::from(bearing as i32) * 1e-4)
}

fn datum(desk: &mut Client, name: &str) -> f64 {
    number(desk.ok("MOTION watch").line(&format!("DATUM {name} ")), "value")
}

/// R3, S2: whatever the neck does, the bearing is the closed form of the camera's place, the body's heading and the neck's angle; the body
/// stands.
#[test]
fn the_bearing_turns_with_the_neck() {
    let server = server();
    let mut desk = Client::operator(&server);
    desk.ok("SET watch camera view-width 3.1");
    let (mut angle, mut seen_times) = (0.0f64, 0);
    for (speed, steps) in [(0.0, 1), (1.5, 40), (-2.0, 60), (9.0, 30), (-9.0, 200), (2.5, 60)] {
        desk.ok(&format!("DRIVE watch 0 0 0 {speed}"));
        desk.ok(&format!("STEP {steps}"));
        // 3 rad/s at most, and a quarter of a turn to each side.
        angle = (angle + f64::clamp(speed, -3.0, 3.0) * 0.01 * f64::from(steps)).clamp(-FRAC_PI_2, FRAC_PI_2);
        assert!((datum(&mut desk, "neck-angle") - angle).abs() < 2e-6);
        for ball in [[1.0, 0.5], [-1.0, 2.0], [0.0, -2.0], [-3.0, 0.0]] {
            desk.ok(&format!("BALL 0 {} {} 0 0", ball[0], ball[1]));
            match (expected(ball, angle, 3.1), seen(&mut desk)) {
                (None, None) => {}
                (Some(expected), Some(found)) => {
                    assert!((found - expected).abs() < 1.01e-4, "{angle} {ball:?}: {found}, {expected}");
                    seen_times += 1;
                }
                other => panic!("{angle} {ball:?}: {other:?}"),
            }
        }
    }
    assert!((6..24).contains(&seen_times), "some are in view, others are not: {seen_times}");
    let robot = desk.ok("WORLD");
    let robot = robot.line("ROBOT ");
    assert_eq!([number(robot, "x"), number(robot, "y"), number(robot, "theta")], POSE);
}

/// R3, C7: the view is as wide as it was set; DESCRIBE says what can be set, and what cannot is refused by name.
#[test]
fn a_client_sets_the_width_of_the_view() {
    let server = server();
    let mut desk = Client::operator(&server);
    let described = desk.ok("DESCRIBE watch");
    assert_eq!(field(described.line("SENSOR camera "), "follows"), "neck-angle");
    let settable = described.line("SETTABLE view-width ");
    assert_eq!((field(settable, "unit"), number(settable, "max")), ("rad", PI));
    // 0.7 rad to the left of the camera's axis.
    let ball = [
        POSE[0] + FORWARD_M * POSE[2].cos() + 2.0 * 1.0f64.cos(),
        POSE[1] + FORWARD_M * POSE[2].sin() + 2.0 * 1.0f64.sin(),
    ];
    desk.ok(&format!("BALL 0 {} {} 0 0", ball[0], ball[1]));
    for (width, in_view) in [(1.0, false), (1.39, false), (1.41, true), (3.0, true), (0.6, false)] {
        desk.ok(&format!("SET watch camera view-width {width}"));
        assert_eq!(seen(&mut desk).is_some(), in_view, "{width}");
        assert_eq!(number(desk.ok("MOTION watch").line("SETTING camera view-width"), "value"), width);
    }
    let far = desk.refused("SET watch camera view-width 4", "sim/bad-number");
    assert!(
        far.head.contains("camera.view-width = 4 is not allowed")
            && far.head.contains("it is from 0.5235987755982988 to 3.14159"),
        "{far:?}"
    );
    let unknown = desk.refused("SET watch camera zoom 1", "sim/no-such-setting");
    assert!(unknown.head.contains("one can set camera.view-width"), "{unknown:?}");
    desk.refused("SET watch camera view-width", "board/missing-parameter");
    let mut other = Client::connect(&server);
    other.refused("SET watch camera view-width 1", "board/not-yours");
}

/// C6, W7: what was set is in the recording: it runs again bit by bit.
#[test]
fn what_was_set_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("set.mcap").display().to_string();
    let options = ["--studio", "off", "--speed", "lockstep", "--record", &file];
    let server = Server::start("worlds/neck.toml", &options);
    let mut desk = Client::operator(&server);
    for width in [0.7, 1.3, 2.9] {
        desk.ok(&format!("SET watch camera view-width {width}"));
        desk.ok(&format!("DRIVE watch 0.2 0 0.1 {width}"));
        desk.ok("STEP 30");
    }
    assert_eq!(server.end_by("TERM").code, Some(0));
    let verified = run(["log", "verify", &file, "--json"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert_eq!(verified.json()["same"], true);
}
