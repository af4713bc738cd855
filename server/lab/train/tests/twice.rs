//! A log is not given twice: neither to learn from, nor to learn from and for the test.

use std::slice::from_ref;
use touchline_train::columns::Columns;
use touchline_train::kick::Kick;
use touchline_train::log::{Log, Source};
use touchline_train::motion::{MotionOptions, train_motion};
use touchline_train::table::Table;
use touchline_train::{LogError, ball::fit_ball};

/// A kick of this speed in a file of this name.
fn kick(file: &str, from_m_s: f64) -> Kick {
    let row = |row: u32| {
        let secs = f64::from(row) * 0.02;
        format!("{secs},{},0\n", from_m_s * secs - 0.15 * secs * secs)
    };
    let text = format!("t,x,y\n{}", (0..200).map(row).collect::<String>());
    Kick::read(&Table::read(file, text.as_bytes()).unwrap(), &Columns::default()).unwrap()
}

fn log(file: &str, gain: f64) -> Log {
    let row = |row: u32| {
        let command = f64::from(row / 20 % 3) - 1.0;
        format!("{},{command},{}\n", f64::from(row) * 0.1, gain * command)
    };
    let text = format!("t,cmd_v,v\n{}", (0..600).map(row).collect::<String>());
    let log = Table::read(file, text.as_bytes()).unwrap();
    Log::read(&Source { log, truth: None }, &Columns::default()).unwrap()
}

fn assert_names_both<T: std::fmt::Debug>(read: Result<T, LogError>) {
    let error = read.unwrap_err();
    assert_eq!(error.0.code, "program/log-twice", "{error}");
    let text = error.to_string();
    assert!(text.starts_with("copy.csv:") && text.contains("the same bytes as run.csv"), "{text}");
}

/// W5: what a ball is tested on it has not learned from.
#[test]
fn a_kick_is_not_its_own_test() {
    let (run, copy, other) = (kick("run.csv", 3.0), kick("copy.csv", 3.0), kick("other.csv", 4.0));
    assert_names_both(fit_ball(&[run.clone(), other.clone()], from_ref(&copy)));
    assert_names_both(fit_ball(&[run.clone(), other.clone(), copy], &[]));
    assert!(fit_ball(&[run], &[other]).is_ok());
}

/// M3: what a model is tested on it has not learned from.
#[test]
fn a_drive_is_not_its_own_test() {
    let options =
        MotionOptions { hidden: 1, cycles: [50, 50], slow_secs: Some(1.0), ..MotionOptions::default() };
    let (run, copy, other) = (log("run.csv", 0.8), log("copy.csv", 0.8), log("other.csv", 0.9));
    let train = |logs: &[Log], tests: &[Log]| train_motion(logs, tests, &options);
    assert_names_both(train(from_ref(&run), from_ref(&copy)));
    assert_names_both(train(&[run.clone(), other.clone(), copy], &[]));
    assert!(train(&[run], &[other]).is_ok());
}
