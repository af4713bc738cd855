use super::*;
use touchline_kit::challenge::distance_m;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_testing::{PITCH_DT_SECS, Pitch};

fn pushed(seed: u64) -> Pitch<RollingBall> {
    let mut pitch = Pitch::new(RollingBallRules::default(), &[0], seed);
    while pitch.game.phase != STARTED {
        pitch.step();
    }
    pitch
}

/// CH26: the ball comes from 1 to 4 m, at up to 90 degrees, after 5 s, and passes the robot's feet.
#[test]
fn the_ball_passes_the_robot() {
    for seed in 0..100 {
        let pitch = pushed(seed);
        assert!((pitch.steps as f64 * PITCH_DT_SECS - 5.0).abs() < 3.0 * PITCH_DT_SECS);
        let (from, feet) = (place_of(&pitch.ball), [-12.0 + 0.15, 0.0]);
        let far_m = distance_m(from, feet);
        assert!((0.9..4.1).contains(&far_m) && from[0] > feet[0] - 0.1, "{from:?}");
        let speed_m_s = speed_m_s(&pitch.ball);
        assert!((speed_m_s / 2.0 - far_m).abs() < 0.1);
        // From the place towards which it is pushed it is no farther than what is drawn.
        let Twist2 { x_m_s, y_m_s, .. } = pitch.ball.twist;
        let past_m = ((feet[0] - from[0]) * y_m_s - (feet[1] - from[1]) * x_m_s).abs() / speed_m_s;
        assert!(past_m <= 0.05 * 2.0_f64.sqrt() + 1e-9, "{past_m}");
    }
}

/// CH26: what counts is how far forward the ball rests less how far to the side; behind the start nothing is forward.
#[test]
fn forward_less_sideways_is_the_score() {
    for ([x_m, y_m], score) in [([-7.0, 0.75], 4.25), ([-7.0, -2.0], 3.0), ([-13.0, 2.0], -2.0)] {
        let mut pitch = pushed(3);
        pitch.ball.pose = Pose2::new(x_m, y_m, 0.0);
        pitch.ball.twist = Twist2::ZERO;
        pitch.step();
        assert_eq!(pitch.outcome, None, "a ball that stands for a step does not rest");
        pitch.run(10);
        assert_eq!(pitch.outcome.as_deref(), Some("rest"));
        assert!((pitch.measure("score").unwrap() - score).abs() < 1e-9, "{:?}", pitch.measures);
        assert_eq!(pitch.measure("penalty"), Some(0.0));
    }
}

/// CH26: the robot may go 1.5 m forward; a fall costs 3 m.
#[test]
fn going_too_far_and_falling_end_it() {
    let mut pitch = pushed(4);
    pitch.ball.pose = Pose2::new(-8.0, 1.0, 0.0);
    pitch.ball.twist = Twist2::new(1.0, 0.0, 0.0);
    pitch.robots[0].pose.x_m = -10.4;
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("left"));

    let mut pitch = pushed(4);
    pitch.ball.pose = Pose2::new(-7.0, 0.0, 0.0);
    pitch.ball.twist = Twist2::ZERO;
    pitch.motion_data[0].values[0] = 1.0;
    pitch.step();
    assert_eq!((pitch.outcome.as_deref(), pitch.measure("penalty")), (Some("fallen"), Some(1.0)));
    assert!((pitch.measure("score").unwrap() - 2.0).abs() < 1e-9, "{:?}", pitch.measures);
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<RollingBall>("{}");
}
