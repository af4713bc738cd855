use super::*;
use touchline_plugin_testing::{PITCH_DT_SECS, Pitch};

const TEAMS: [u32; 4] = [0, 0, 0, 1];

fn pitch(seed: u64) -> Pitch<KeepAway> {
    let mut pitch = Pitch::new(KeepAwayRules::default(), &TEAMS, seed);
    pitch.step();
    pitch
}

/// CH23: everybody begins in the square, the ball with a keeper, the taker in the middle and held.
#[test]
fn starts_are_in_the_square() {
    for seed in 0..40 {
        let pitch = pitch(seed);
        assert!(pitch.robots.iter().all(|robot| robot.pose.x_m.abs() < 10.0 && robot.pose.y_m.abs() < 10.0));
        assert!((distance_m(place_of(&pitch.robots[0]), place_of(&pitch.ball)) - 0.4).abs() < 1e-9);
        assert!(pitch.robots[0].pose.bearing_rad(place_of(&pitch.ball)).abs() < 1e-9);
        assert!(distance_m(place_of(&pitch.robots[3]), [0.0; 2]) < 0.8);
        assert_eq!(pitch.held, [false, false, false, true]);
    }
}

/// CH23: a ball that nobody moves is out when the square's side has come to it: (20 - 2 x) / 4 minutes.
#[test]
fn the_square_shrinks_by_four_metres_a_minute() {
    let mut pitch = pitch(1);
    pitch.ball.pose = Pose2::new(9.0, 0.0, 0.0);
    pitch.run(10_000);
    assert_eq!(pitch.outcome.as_deref(), Some("out"));
    assert!((pitch.measure("score").unwrap() - 30.0).abs() < 2.0 * PITCH_DT_SECS, "{:?}", pitch.measures);
    assert!((pitch.game.values[0] - 9.0).abs() < 0.01);
    assert!(!pitch.held[3], "the taker was let go");
}

/// CH23: the square is gone after five minutes, so nobody keeps for longer.
#[test]
fn nothing_is_left_of_it_after_five_minutes() {
    let mut pitch = pitch(1);
    pitch.ball.pose = Pose2::new(0.0, 1e-3, 0.0);
    pitch.robots[3].pose = Pose2::new(30.0, 0.0, 0.0);
    pitch.run(20_000);
    assert!((pitch.measure("score").unwrap() - 300.0).abs() < 0.1, "{:?}", pitch.measures);
}

/// CH23: a taker that has come to the ball has it, and the time until then counts.
#[test]
fn the_taker_takes_what_it_touches() {
    let mut pitch = pitch(2);
    pitch.run(100);
    pitch.robots[3].pose = pitch.ball.pose;
    pitch.robots[3].pose.x_m += 0.23;
    pitch.step();
    assert_eq!(pitch.outcome, None, "it does not touch");
    pitch.robots[3].pose.x_m -= 0.02;
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("taken"));
    assert!((pitch.measure("score").unwrap() - 1.04).abs() < 3.0 * PITCH_DT_SECS, "{:?}", pitch.measures);
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<KeepAway>("{}");
}
