use super::*;
use touchline_plugin_testing::{PITCH_DT_SECS, Pitch};

/// Everybody placed and the clock started.
fn started(seed: u64) -> Pitch<Passing> {
    let mut pitch = Pitch::new(PassingRules::default(), &[0; 4], seed);
    pitch.step();
    pitch.step();
    assert_eq!(pitch.game.phase, STARTED);
    pitch
}

/// Puts the ball before a robot, which kicks it.
fn kick(pitch: &mut Pitch<Passing>, robot: usize) {
    let at = pitch.robots[robot].pose;
    (pitch.ball.pose, pitch.ball.twist) = (Pose2::new(at.x_m + 0.3, at.y_m, 0.0), Default::default());
    pitch.step();
    pitch.ball.twist.x_m_s = 3.0;
    pitch.step();
    pitch.ball.twist.x_m_s = 0.0;
}

fn shoot_in(pitch: &mut Pitch<Passing>) {
    pitch.ball.pose = Pose2::new(15.2, 0.5, 0.0);
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("goal"));
}

/// CH24: robots are at least 3 m apart in x, the ball lies before the first, and the same seed places the same.
#[test]
fn starts_are_drawn_and_apart() {
    for seed in 0..40 {
        let pitch = started(seed);
        for pair in pitch.robots.windows(2) {
            assert!(pair[1].pose.x_m - pair[0].pose.x_m >= 3.0);
            assert!(pair[0].pose.y_m.abs() <= 3.0);
        }
        assert!((pitch.ball.pose.x_m - pitch.robots[0].pose.x_m - 0.4).abs() < 1e-12);
        assert_eq!(pitch.robots[3].pose, started(seed).robots[3].pose);
    }
    assert_ne!(started(1).robots[0].pose, started(2).robots[0].pose);
}

/// CH24: a goal after four touches counts its time; the clock runs from the start.
#[test]
fn a_goal_after_four_touches_is_its_time() {
    let mut pitch = started(1);
    (0..4).for_each(|robot| kick(&mut pitch, robot));
    pitch.run(500);
    let secs = (pitch.steps - 2) as f64 * PITCH_DT_SECS;
    shoot_in(&mut pitch);
    assert_eq!(pitch.measure("passes"), Some(3.0));
    assert!((pitch.measure("score").unwrap() - secs).abs() < 2.0 * PITCH_DT_SECS, "{:?}", pitch.measures);
}

/// CH24: what is not whole counts 85 less the passes less a goal, whichever way it ends.
#[test]
fn half_a_chain_counts_what_was_done() {
    let mut pitch = started(2);
    (0..2).for_each(|robot| kick(&mut pitch, robot));
    shoot_in(&mut pitch);
    assert_eq!(pitch.measure("score"), Some(85.0 - 1.0 - 1.0));

    let mut pitch = started(2);
    (0..3).for_each(|robot| kick(&mut pitch, robot));
    pitch.ball.pose.y_m = 10.5;
    pitch.step();
    assert_eq!((pitch.outcome.as_deref(), pitch.measure("score")), (Some("out"), Some(83.0)));

    let mut pitch = started(2);
    pitch.run(5000);
    assert_eq!((pitch.outcome.as_deref(), pitch.measure("score")), (Some("time"), Some(85.0)));
    assert!((pitch.steps as f64 * PITCH_DT_SECS - 80.0).abs() < 3.0 * PITCH_DT_SECS);
}

/// CH24: a ball that goes less than 2.5 m is no pass; two robots beside each other do not touch.
#[test]
fn short_passes_and_crowds_do_not_count() {
    let mut pitch = started(3);
    kick(&mut pitch, 0);
    pitch.robots[1].pose = pitch.robots[0].pose;
    pitch.robots[1].pose.x_m += 1.5;
    kick(&mut pitch, 1);
    shoot_in(&mut pitch);
    assert_eq!(pitch.measure("passes"), Some(0.0));

    let mut pitch = started(3);
    pitch.robots[1].pose = pitch.robots[0].pose;
    pitch.robots[1].pose.y_m += 0.5;
    kick(&mut pitch, 0);
    kick(&mut pitch, 2);
    shoot_in(&mut pitch);
    assert_eq!(pitch.measure("passes"), Some(0.0), "nobody was alone at the first touch");
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Passing>("{}");
}
