use super::*;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_testing::{PITCH_DT_SECS, Pitch};

fn placed(seed: u64) -> Pitch<ThrowIn> {
    let mut pitch = Pitch::new(ThrowInRules::default(), &[0], seed);
    pitch.step();
    pitch
}

/// A ball that was so high in the air rests 5 m away.
fn thrown(height_m: f64) -> Pitch<ThrowIn> {
    let mut pitch = placed(1);
    pitch.ball.vertical = Vertical { z_m: height_m, speed_m_s: 0.0 };
    pitch.ball.pose.x_m += 4.0;
    pitch.step();
    assert_eq!(pitch.outcome, None, "a ball in the air does not rest");
    pitch.ball.vertical = Vertical::FLOOR;
    pitch.ball.pose.x_m -= 1.0;
    pitch.ball.pose.y_m += 4.0;
    pitch.step();
    pitch
}

/// CH27: the ball lies before the robot, drawn, and the robot looks along +x.
#[test]
fn the_ball_lies_before_the_robot() {
    for seed in 0..40 {
        let Pitch { ball, robots, .. } = placed(seed);
        assert_eq!(robots[0].pose, Pose2::new(-15.0, 0.0, 0.0));
        assert!((ball.pose.x_m + 14.4).abs() <= 0.1 && ball.pose.y_m.abs() <= 0.1, "{:?}", ball.pose);
    }
}

/// CH27: from the ball's place to where it rests, if it has risen 0.2 m; else nothing, and a penalty.
#[test]
fn a_flat_throw_counts_nothing() {
    let high = thrown(0.2);
    assert_eq!((high.outcome.as_deref(), high.measure("penalty")), (Some("rest"), Some(0.0)));
    assert!((high.measure("score").unwrap() - 5.0).abs() < 1e-9, "{:?}", high.measures);
    let flat = thrown(0.199);
    assert_eq!((flat.outcome.as_deref(), flat.measure("score")), (Some("flat"), Some(0.0)));
    assert_eq!((flat.measure("penalty"), flat.measure("height")), (Some(1.0), Some(0.199)));
}

/// CH27: the clock starts after 3 s, and the ball has 7 s from then; nearer than 0.4 m it starts at once.
#[test]
fn who_waits_has_not_thrown() {
    let mut pitch = placed(2);
    pitch.run(1000);
    assert_eq!((pitch.outcome.as_deref(), pitch.measure("score")), (Some("not-thrown"), Some(0.0)));
    assert!((pitch.steps as f64 * PITCH_DT_SECS - 10.0).abs() < 3.0 * PITCH_DT_SECS);
    let mut pitch = placed(2);
    pitch.robots[0].pose.x_m = pitch.ball.pose.x_m - 0.3;
    pitch.run(1000);
    assert!((pitch.steps as f64 * PITCH_DT_SECS - 7.0).abs() < 3.0 * PITCH_DT_SECS);
}

/// CH27: a robot that leaves the circle has not thrown.
#[test]
fn who_leaves_has_not_thrown() {
    let mut pitch = placed(3);
    pitch.robots[0].pose.x_m -= 2.0;
    pitch.step();
    assert_eq!((pitch.outcome.as_deref(), pitch.measure("penalty")), (Some("left"), Some(1.0)));
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<ThrowIn>("{}");
}
