//! M3: the plugin does what the model says, cycle by cycle, and stays within what was learned.

use super::*;
use std::collections::BTreeMap;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_testing::check_motion;

/// A robot that takes over half of the difference to its setting in each cycle of 0.1 s, forward and turning.
fn first_order() -> LearnedModel {
    let rows = |axis: usize| {
        // Two axes: one velocity, two settings, two slow averages of each.
        let mut row = vec![0.0; 10];
        row[axis] = -0.5;
        row[2 + axis] = 0.5;
        row
    };
    LearnedModel {
        dt_s: 0.1,
        axes: vec![Axis::Forward, Axis::Turn],
        velocities: 1,
        commands: 2,
        slow_s: 2.0,
        command_range: vec![[-0.5, 1.0], [-2.0, 2.0]],
        velocity_range: vec![[-0.5, 0.9], [-2.0, 2.0]],
        command_scale: vec![1.0, 2.0],
        velocity_scale: vec![1.0, 2.0],
        linear: vec![rows(0), rows(1)],
        hidden: Vec::new(),
        hidden_bias: Vec::new(),
        output: vec![Vec::new(), Vec::new()],
        source: BTreeMap::new(),
    }
}

/// The same with hidden units, and looking at everything.
fn curved() -> LearnedModel {
    let number = |i: usize| (i * 37 % 19) as f64 / 19.0 - 0.5;
    let row = |from: usize| (from..from + 10).map(|i| 0.3 * number(i)).collect::<Vec<f64>>();
    LearnedModel {
        hidden: (0..3).map(|unit| row(unit * 10)).collect(),
        hidden_bias: vec![0.1, -0.2, 0.3],
        output: vec![vec![0.2, -0.1, 0.1], vec![-0.2, 0.3, 0.1]],
        ..first_order()
    }
}

fn learned(model: LearnedModel) -> Learned {
    Learned::new(model, &MotionSetup { robot: "r".into(), dt_secs: 0.01 }).unwrap()
}

/// Drives freely with one command; gives the displacements.
fn drive(model: &Learned, command: [f64; 2], dt_secs: f64, cycles: usize) -> Vec<Pose2> {
    let mut state = model.initial_state();
    let (mut achieved, mut twist) = (Twist2::ZERO, Twist2::ZERO);
    let run = (0..cycles).map(|_| {
        let noise = NoiseKey::default();
        let input = MotionInput { dt_secs, command: &command, data: &[], achieved, twist, noise };
        let output = model.advance(&mut state, &input).unwrap();
        (achieved, twist) = (output.twist, output.end_twist);
        achieved.displacement(dt_secs)
    });
    run.collect()
}

#[test]
fn it_keeps_the_contract() {
    check_motion::<Learned>(&serde_json::to_string(&first_order()).unwrap());
    check_motion::<Learned>(&serde_json::to_string(&curved()).unwrap());
}

/// 0.4, 0.6, 0.7, ... m/s: half of the rest to 0.8 m/s in each cycle of the model.
#[test]
fn it_does_what_the_model_says() {
    let way = drive(&learned(first_order()), [0.8, 0.0], 0.1, 4);
    for (step, expected) in way.iter().zip([0.04, 0.06, 0.07, 0.075]) {
        assert!((step.x_m - expected).abs() < 1e-12, "{step:?}");
    }
}

/// The way does not depend on the length of the simulation's cycles.
#[test]
fn shorter_and_longer_cycles_go_as_far() {
    let model = learned(curved());
    let end = |dt_secs: f64, cycles: usize| {
        drive(&model, [0.8, 0.5], dt_secs, cycles)
            .iter()
            .fold(Pose2::ORIGIN, |pose, step| pose.compose(*step))
    };
    let (short, same, long) = (end(0.01, 200), end(0.1, 20), end(0.2, 10));
    assert!(short.distance_m(same) < 1e-9, "{short:?} {same:?}");
    // Two velocities in one cycle make one arc of their mean.
    assert!(same.distance_m(long) < 5e-3, "{same:?} {long:?}");
    assert!((short.theta_rad - long.theta_rad).abs() < 1e-9);
}

#[test]
fn settings_and_velocities_are_held_to_what_was_learned() {
    let model = learned(first_order());
    let end = |command| *drive(&model, command, 0.1, 50).last().unwrap();
    assert!((end([1e12, 0.0]).x_m - 0.09).abs() < 1e-9);
    assert!((end([-1e12, 0.0]).x_m + 0.05).abs() < 1e-9);
    let ranges: Vec<_> =
        model.description().dimensions.iter().map(|d| (d.name.clone(), d.min, d.max)).collect();
    assert_eq!(ranges, [("forward".into(), -0.5, 1.0), ("turn".into(), -2.0, 2.0)]);
}

/// A robot that was never told to move stands, with whatever weights.
#[test]
fn it_does_not_creep() {
    assert!(drive(&learned(curved()), [0.0, 0.0], 0.01, 500).iter().all(|step| *step == Pose2::ORIGIN));
}

/// A wall in front: the model's velocity is gone, and the robot starts from rest.
#[test]
fn a_blocked_robot_starts_from_rest() {
    let model = learned(first_order());
    let mut state = model.initial_state();
    let mut step = |achieved: Twist2| {
        let command = [0.8, 0.0];
        let noise = NoiseKey::default();
        let input =
            MotionInput { dt_secs: 0.1, command: &command, data: &[], achieved, twist: achieved, noise };
        model.advance(&mut state, &input).unwrap().twist
    };
    let mut last = Twist2::ZERO;
    for _ in 0..20 {
        last = step(last);
    }
    assert!((last.x_m_s - 0.8).abs() < 1e-3);
    assert!((step(Twist2::ZERO).x_m_s - 0.4).abs() < 1e-2, "half of the way from rest");
}
