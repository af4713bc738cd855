//! M3: what is learned from the logs of robots that are known exactly.

use std::fmt::Write;
use touchline_plugin_api::noise::NoiseKey;
use touchline_train::columns::Columns;
use touchline_train::log::{Log, Source};
use touchline_train::model_text;
use touchline_train::motion::{MotionOptions, MotionReport, train_motion, train_motion_with};
use touchline_train::table::Table;

/// Settings that are held for half a second to two, between -1 and 1.
fn commands(cycles: usize) -> Vec<f64> {
    let mut draw = NoiseKey::for_owner(5, "commands").stream();
    let mut commands = Vec::new();
    while commands.len() < cycles {
        let command = if draw.chance(0.2) { 0.0 } else { draw.uniform(-1.0, 1.0) };
        let held = draw.uniform(5.0, 20.0) as usize;
        commands.extend(std::iter::repeat_n(command, held));
    }
    commands.truncate(cycles);
    commands
}

/// The log of a first-order robot (0.3 s), cycles of 0.1 s, with what its motor makes of a setting; noise of 2 mm/s.
fn log_of(motor: fn(f64) -> f64, cycles: usize) -> Log {
    let mut noise = NoiseKey::for_owner(6, "noise").stream();
    let mut text = String::from("time,velocity_command,position\n");
    let (mut velocity, mut position) = (0.0, 0.0);
    for (cycle, command) in commands(cycles).into_iter().enumerate() {
        writeln!(text, "{:.1},{command},{}", cycle as f64 * 0.1, position + noise.gaussian(2e-4)).unwrap();
        velocity += (motor(command) - velocity) * 0.28;
        position += velocity * 0.1;
    }
    let log = Table::read("synthetic.csv", text.as_bytes()).unwrap();
    Log::read(&Source { log, truth: None }, &Columns::default()).unwrap()
}

fn options() -> MotionOptions {
    // As small as it can be and still show the law: this runs without an optimiser.
    MotionOptions {
        hidden: 8,
        slow_secs: Some(2.0),
        dt_secs: Some(0.1),
        memory_secs: 0.1,
        cycles: [600, 3000],
        ..MotionOptions::default()
    }
}

/// How far it is is told in order, from nothing to all of it, and changes nothing.
#[test]
fn the_training_says_how_far_it_is() {
    let log = [log_of(|u| 0.8 * u, 400)];
    let mut told = Vec::new();
    let (model, _) =
        train_motion_with(&log, &[], &options(), &mut |done, all| told.push((done, all))).unwrap();
    let all = told[0].1;
    assert_eq!(told, (0..=all).map(|done| (done, all)).collect::<Vec<_>>());
    assert_eq!(model_text(&model), model_text(&train_motion(&log, &[], &options()).unwrap().0));
}

/// What is looked back at is told as it is, also where more was asked for than a model can have.
#[test]
fn the_memory_that_was_used_is_told() {
    let log = [log_of(|u| 0.8 * u, 400)];
    for (asked_secs, used_secs) in [(0.0, 0.0), (0.25, 0.3), (1.5, 1.5), (9.0, 1.5)] {
        let options = MotionOptions { memory_secs: asked_secs, cycles: [10, 10], ..options() };
        let (_, report) = train_motion(&log, &[], &options).unwrap();
        assert!((report.memory_s - used_secs).abs() < 1e-9, "{asked_secs}: {}", report.memory_s);
    }
}

fn report(motor: fn(f64) -> f64) -> MotionReport {
    train_motion(&[log_of(motor, 1500)], &[], &options()).unwrap().1
}

/// A motor with a dead zone that is soon at its limit: no first-order model can say that, a network can.
#[test]
fn the_network_is_better_where_the_robot_is_not_linear() {
    let report =
        report(|u| if u.abs() < 0.3 { 0.0 } else { (2.0 * (u - 0.3 * u.signum())).clamp(-0.5, 0.5) });
    let [axis] = &report.axes[..] else { panic!("one axis") };
    assert!(axis.learned.rollout < 0.7 * axis.best_first_order.rollout, "{axis:?}");
    assert!(axis.learned.free_run < 0.7 * axis.best_first_order.free_run, "{axis:?}");
    assert!(axis.learned.one_step < axis.best_first_order.one_step, "{axis:?}");
}

/// A robot that is first-order: the fit finds its numbers, and the network is not much worse.
#[test]
fn the_network_is_not_much_worse_where_the_robot_is_linear() {
    let report = report(|u| 0.8 * u);
    let [axis] = &report.axes[..] else { panic!("one axis") };
    assert!((axis.first_order.gain - 0.8).abs() < 0.02, "{axis:?}");
    assert!((axis.first_order.tau_s - 0.304).abs() < 0.03, "{axis:?}");
    assert!(axis.learned.rollout < 1.2 * axis.best_first_order.rollout + 1e-4, "{axis:?}");
}

/// The same log, options and seed: the same model to the last bit; and its text says the same.
#[test]
fn training_is_reproducible() {
    let log = [log_of(|u| u, 400)];
    let (a, _) = train_motion(&log, &[], &options()).unwrap();
    let (b, _) = train_motion(&log, &[], &options()).unwrap();
    assert_eq!(a, b);
    assert!(a.network().is_ok());
    assert_eq!(model_text(&a), model_text(&b));
    assert!(model_text(&a).contains("[motion]\nplugin = \"learned\""));
    let (other, _) = train_motion(&log, &[], &MotionOptions { seed: 2, ..options() }).unwrap();
    assert_ne!(a.hidden, other.hidden);
}

/// Nothing of the test part reaches the weights: another end of the log gives the same network.
#[test]
fn the_test_part_is_not_learned_from() {
    let log = |end: f64| {
        let mut text = String::from("t,cmd_v,v\n");
        for (cycle, command) in commands(600).into_iter().enumerate() {
            let late = if cycle >= 425 { end } else { 1.0 };
            writeln!(text, "{:.1},{command},{}", cycle as f64 * 0.1, command * late).unwrap();
        }
        let log = Table::read("a.csv", text.as_bytes()).unwrap();
        Log::read(&Source { log, truth: None }, &Columns::default()).unwrap()
    };
    let (a, _) = train_motion(&[log(1.0)], &[], &options()).unwrap();
    let (b, report) = train_motion(&[log(-3.0)], &[], &options()).unwrap();
    assert_eq!((&a.linear, &a.hidden, &a.output), (&b.linear, &b.hidden, &b.output));
    assert!(report.axes[0].learned.free_run > 0.5, "the test part was really another one");
}

/// A robot that drives against its command is a column with the wrong sign.
#[test]
fn a_column_with_the_wrong_sign_is_named() {
    let error = train_motion(&[log_of(|u| -u, 400)], &[], &options()).unwrap_err();
    assert!(error.to_string().contains("against its forward command"), "{error}");
    assert!(error.to_string().contains("--columns ROLE=COLUMN*-1"), "{error}");
}
