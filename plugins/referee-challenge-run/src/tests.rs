use super::*;
use touchline_plugin_testing::{PITCH_DT_SECS, Pitch};

/// A robot that goes `speed_m_s` in x, to the end.
fn run(speed_m_s: f64, rules: RunRules) -> Pitch<Run> {
    let mut pitch = Pitch::new(rules, &[0], 1);
    pitch.step();
    pitch.robots[0].twist.x_m_s = speed_m_s;
    pitch.run(2000);
    pitch
}

fn score(pitch: &Pitch<Run>) -> f64 {
    pitch.measure("score").expect("it has ended")
}

/// CH20: a steady speed is measured as it is, whether the time or the far line ends the run; wheels are never in the air.
#[test]
fn a_steady_speed_is_the_score() {
    for speed_m_s in [0.3, 1.0, 2.5, 4.0] {
        let pitch = run(speed_m_s, RunRules::default());
        assert!((score(&pitch) - speed_m_s).abs() < 1e-9, "{:?}", pitch.measures);
        assert_eq!(pitch.measure("air-share"), Some(0.0));
        let limit_secs = (26.5 / speed_m_s).min(10.0);
        assert!((pitch.measure("time").unwrap() - limit_secs).abs() < 3.0 * PITCH_DT_SECS);
    }
}

/// CH20: who does not cross the line is timed 4 s after he was placed; who goes back has no speed.
#[test]
fn the_clock_starts_without_the_line() {
    for speed_m_s in [0.0, -1.0] {
        let pitch = run(speed_m_s, RunRules::default());
        assert_eq!(score(&pitch), 0.0);
        let secs = pitch.steps as f64 * PITCH_DT_SECS;
        assert!((secs - 14.0).abs() < 3.0 * PITCH_DT_SECS, "{secs} s");
    }
}

/// CH21: from 0.2 m on, the same with another line.
#[test]
fn another_line_changes_where_it_is_measured_from() {
    let pitch = run(1.0, RunRules { line_m: 0.2, start_secs: 3600.0, ..RunRules::default() });
    assert!((score(&pitch) - 1.0).abs() < 1e-9);
    let secs = pitch.steps as f64 * PITCH_DT_SECS;
    assert!((secs - 10.2).abs() < 3.0 * PITCH_DT_SECS, "{secs} s");
}

/// CH20: the share of steps with both feet in the air is added; one foot on the ground is enough for none.
#[test]
fn both_feet_off_the_ground_count() {
    let mut pitch = Pitch::<Run>::new(RunRules::default(), &[0], 1);
    pitch.step();
    pitch.robots[0].twist.x_m_s = 1.0;
    while pitch.outcome.is_none() {
        // Left, air, right, air, both: two in five.
        let [left, right] =
            [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0]][pitch.steps as usize % 5];
        pitch.motion_data[0].values[..3].copy_from_slice(&[left, right, 0.0]);
        pitch.step();
    }
    assert!((score(&pitch) - 1.4).abs() < 1e-9, "{:?}", pitch.measures);
}

/// CH20: a fall takes 2 m of the way, which is never below 0, and counts all of the 10 s.
#[test]
fn a_fall_takes_two_metres_and_all_the_time() {
    for (secs, way_m) in [(5.0, 3.0), (1.0, 0.0)] {
        let mut pitch = Pitch::<Run>::new(RunRules::default(), &[0], 1);
        pitch.step();
        pitch.robots[0].twist.x_m_s = 1.0;
        let steps = ((0.5 + secs) / PITCH_DT_SECS) as u64;
        pitch.run(steps);
        pitch.motion_data[0].values[..3].copy_from_slice(&[1.0, 1.0, 1.0]);
        pitch.step();
        assert_eq!((pitch.outcome.as_deref(), pitch.measure("penalty")), (Some("fallen"), Some(1.0)));
        assert!((score(&pitch) - way_m / 10.0).abs() < 0.1 * 3.0 * PITCH_DT_SECS, "{:?}", pitch.measures);
        assert_eq!(pitch.measure("time"), Some(10.0));
    }
}

/// P6: the rules that every referee keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Run>("{}");
}
