use super::*;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_testing::Pitch;

/// A keeper that does not move, and a ball without friction that was shot.
fn shot(seed: u64) -> Pitch<Goalie> {
    let mut pitch = Pitch::new(GoalieRules::default(), &[0], seed);
    while pitch.ball.twist == Twist2::ZERO {
        pitch.step();
    }
    pitch
}

fn came_to(pitch: &Pitch<Goalie>) -> (Option<&str>, Option<f64>) {
    (pitch.outcome.as_deref(), pitch.measure("score"))
}

/// CH25: with nobody in the way every shot is a goal, from wherever it is drawn.
#[test]
fn every_shot_is_on_target() {
    for seed in 0..200 {
        let mut pitch = shot(seed);
        pitch.run(2000);
        assert_eq!(came_to(&pitch), (Some("goal"), Some(0.0)), "seed {seed}");
    }
}

/// CH25: a ball that is turned back is saved; a keeper that leaves its area has let it in.
#[test]
fn a_save_counts_and_leaving_the_area_does_not() {
    let mut left = shot(1);
    left.robots[0].pose.x_m = 13.0;
    left.step();
    assert_eq!(came_to(&left), (Some("left"), Some(0.0)));

    let mut saved = shot(1);
    saved.ball.twist.x_m_s = -1.0;
    saved.step();
    assert_eq!(came_to(&saved), (Some("saved"), Some(1.0)));
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Goalie>("{}");
}
