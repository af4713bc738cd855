use super::*;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_testing::{PITCH_DT_SECS, Pitch};

fn placed(attempt: u32, seed: u64) -> Pitch<Kick> {
    let rules = KickRules { attempt, attempts: 10, ..KickRules::default() };
    let mut pitch = Pitch::new(rules, &[0], seed);
    pitch.step();
    pitch
}

fn score(pitch: &Pitch<Kick>) -> f64 {
    pitch.measure("score").expect("it has ended")
}

/// CH22: the distances grow evenly from 3 to 12 m, in a cone of 45 degrees of the own half, with the robot 1 m behind.
#[test]
fn starts_are_in_the_cone_at_growing_distances() {
    for (seed, attempt) in (0..40).zip((0..10).cycle()) {
        let Pitch { ball, robots, .. } = placed(attempt, seed);
        let (robot, ball) = (robots[0], place_of(&ball));
        let far_m = distance_m(ball, [0.0; 2]);
        assert!((far_m - (3.0 + f64::from(attempt))).abs() < 1e-9);
        assert!(ball[0] < 0.0 && (ball[1] / ball[0]).abs() <= 2.0_f64.sqrt() - 1.0 + 1e-9);
        assert!((distance_m(ball, place_of(&robot)) - 1.0).abs() < 1e-9);
        assert!(robot.pose.bearing_rad(ball).abs() < 1e-9 && robot.pose.bearing_rad([0.0; 2]).abs() < 1e-9);
    }
    assert_eq!(placed(3, 7).ball.pose, placed(3, 7).ball.pose);
    assert_ne!(placed(3, 7).ball.pose, placed(3, 8).ball.pose);
}

/// CH22: a ball that rests outside of the circle is measured; while it rolls, nothing is over.
#[test]
fn a_resting_ball_is_measured() {
    let mut pitch = placed(0, 1);
    pitch.ball.twist = Twist2::new(0.5, 0.0, 0.0);
    pitch.ball.pose = Pose2::new(0.3 - 0.5 * PITCH_DT_SECS, -0.4, 0.0);
    pitch.step();
    assert_eq!(pitch.outcome, None);
    pitch.ball.twist = Twist2::ZERO;
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("rest"));
    assert!((score(&pitch) - 0.5).abs() < 1e-12 && pitch.measure("penalty") == Some(0.0));
    pitch.step();
    assert_eq!(pitch.measures.len(), 3, "an attempt is counted once");
}

/// CH22: the clock starts after 3 s, and the ball has 5 s from then.
#[test]
fn who_waits_has_not_kicked() {
    let mut pitch = placed(2, 1);
    pitch.run(1000);
    assert_eq!(pitch.outcome.as_deref(), Some("not-kicked"));
    assert!((pitch.steps as f64 * PITCH_DT_SECS - 8.0).abs() < 3.0 * PITCH_DT_SECS, "{} steps", pitch.steps);
    assert!((score(&pitch) - 5.0).abs() < 1e-9, "it lies where it lay");
}

/// CH22: a robot that leaves the circle ends its attempt and pays 5 m.
#[test]
fn who_leaves_pays() {
    let mut pitch = placed(0, 1);
    pitch.robots[0].pose = Pose2::new(1.0, 0.0, 0.0);
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("left"));
    assert!((score(&pitch) - 8.0).abs() < 1e-9 && pitch.measure("penalty") == Some(1.0));
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Kick>("{}");
}
