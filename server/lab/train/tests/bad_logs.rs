//! Logs that cannot be used: each error says the file, the line, what was got, what is allowed, and what to try.

use touchline_train::LogProblem;
use touchline_train::columns::Columns;
use touchline_train::drift::windows;
use touchline_train::log::{Log, Source};
use touchline_train::motion::{MotionOptions, train_motion};
use touchline_train::table::Table;

fn error_of(text: &[u8], columns: &str) -> LogProblem {
    let read = || {
        let log = Table::read("run.csv", text)?;
        let log = Log::read(&Source { log, truth: None }, &Columns::parse(columns).unwrap())?;
        train_motion(&[log], &[], &MotionOptions::default())
    };
    let problem = *read().unwrap_err().0;
    let text = problem.to_string();
    assert!(text.starts_with("run.csv:") && text.contains("docs/errors.md"), "{text}");
    assert!(!problem.got.is_empty() && !problem.allowed.is_empty() && !problem.hint.is_empty(), "{text}");
    problem
}

#[test]
fn missing_columns_are_named_with_those_that_are_there() {
    let error = error_of(b"stamp,velocity_command,range\n0,0,0\n", "");
    // "stamp" is known as time; then there is one row only.
    assert_eq!(error.code, "program/log-too-short");
    let error = error_of(b"when,velocity_command,range\n0,0,0\n1,1,1\n", "");
    assert_eq!((error.code, error.line), ("program/log-no-column", Some(1)));
    assert!(
        error.got.contains("when, velocity_command, range") && error.hint.contains("--columns time=COLUMN")
    );
    let error = error_of(b"time,range\n0,0\n1,1\n", "");
    assert!(error.what.contains("command forward") && error.hint.contains("command_forward=COLUMN"));
    let error = error_of(b"time,velocity_command\n0,0\n1,1\n", "");
    assert!(error.what.contains("where the robot was") && error.hint.contains("--truth"));
    let error = error_of(b"time,velocity_command,x,y\n0,0,0,0\n1,1,1,1\n", "");
    assert!(error.what.contains("theta"), "{error}");
    let error = error_of(b"time,velocity_command,range\n0,0,0\n1,1,1\n", "position=rang");
    assert!(error.what.contains("\"rang\""), "{error}");
}

#[test]
fn what_is_no_number_has_its_line() {
    for (field, got) in [("nan", "nan"), ("inf", "inf"), ("", "nothing"), ("fast", "fast")] {
        let text = format!("time,velocity_command,range\n0,0,0\n0.1,0.5,{field}\n");
        let error = error_of(text.as_bytes(), "");
        assert_eq!((error.code, error.line), ("program/log-not-a-number", Some(3)));
        assert_eq!(error.got, got);
        assert!(error.what.contains("range"));
    }
}

/// A row that is shorter or longer than the head holds numbers of other columns: it is refused, however the columns are parted. (M3)
#[test]
fn a_row_of_another_length_has_its_line() {
    for (text, line, got) in [
        ("time,velocity_command,range\n0,0,0\n0.1\n", 3, "a row of 1 fields"),
        ("time;velocity_command;range\n0;0;0\n\n0.1;0;0;7\n", 4, "a row of 4 fields"),
        ("time\tvelocity_command\trange\n0\t0\t0\n0.1\t0\n", 3, "a row of 2 fields"),
        ("# a robot\ntime velocity_command range\n0 0 0\n0.1 0 0 7\n", 4, "a row of 4 fields"),
        ("0 0 0\n0.1 0\n", 2, "a row of 2 fields"),
    ] {
        let error = error_of(text.as_bytes(), "");
        assert_eq!((error.code, error.line), ("program/log-not-read", Some(line)), "{error}");
        assert_eq!(error.got, got, "{text}");
    }
    // A delimiter at the end of each line, or of the head, is no field.
    for text in ["a,b\n1,2,\n3,4\n", "a,b,\n1,2\n3,4\n", "a\tb\n1\t2\t\n3\t4\t\n"] {
        let table = Table::read("log", text.as_bytes()).unwrap();
        assert_eq!((table.rows(), table.number(1, 1, 1.0).unwrap()), (2, 4.0), "{text}");
    }
    // Pairs in another order are other columns.
    let error = error_of(b"time,0,cmd_v,1,range,2\ntime,0.1,range,2,cmd_v,1\n", "");
    assert_eq!((error.code, error.line, &error.got[..]), ("program/log-not-read", Some(2), "range"));
}

/// An empty field between tabs keeps its place, in a column that is not used. (M3)
#[test]
fn an_empty_field_between_tabs_shifts_nothing() {
    let learned = |first_note: &str| {
        let mut text = String::from("time\tnote\tcmd_v\tposition\tround\n");
        let (mut velocity, mut position) = (0.0, 0.0);
        for row in 0..600 {
            let command = if row / 20 % 2 == 0 { 0.5 } else { -0.25 };
            let (time, note) = (f64::from(row) * 0.1, if row % 3 == 0 { first_note } else { "1" });
            text += &format!("{time:.1}\t{note}\t{command}\t{position:.5}\t{position:.3}\n");
            velocity += (command - velocity) * 0.3;
            position += velocity * 0.1;
        }
        let log = Table::read("run.tsv", text.as_bytes()).unwrap();
        let log = Log::read(&Source { log, truth: None }, &Columns::default()).unwrap();
        let options =
            MotionOptions { hidden: 1, cycles: [100, 100], slow_secs: Some(1.0), ..Default::default() };
        train_motion(&[log], &[], &options).unwrap().1.axes
    };
    assert_eq!(learned("-"), learned(""));
}

#[test]
fn time_that_runs_backwards_has_its_line() {
    let error = error_of(b"time,velocity_command,range\n0,0,0\n1,0.5,0.1\n\n0.5,0.5,0.2\n", "");
    assert_eq!((error.code, error.line), ("program/log-time-backwards", Some(5)));
    assert_eq!(error.got, "0.5 s after 1 s");
    assert!(!error.hint.is_empty());
}

/// A clock in milliseconds, microseconds or nanoseconds, taken for seconds, would be days and years of driving. (M3)
#[test]
fn a_clock_that_does_not_count_seconds_is_refused() {
    let log = |rows: u64, of_row: &dyn Fn(u64) -> u64| {
        let rows = (0..rows).map(|row| format!("{},{},0,0,0,0,0,0\n", of_row(row), row / 10 % 2));
        format!("timestamp,cmd_v,x,y,theta,odom_x,odom_y,odom_theta\n{}", rows.collect::<String>())
    };
    const SINCE_1970_US: u64 = 1_700_000_000_000_000;
    for (rows, of_row, unit) in [
        (100, &(|row: u64| row * 20) as &dyn Fn(u64) -> u64, "1e-3"),
        (100, &|row: u64| row * 20_000, "1e-6"),
        (100, &|row: u64| 1_700_000_000_000_000_000 + row * 20_000_000, "1e-9"),
        // Three rows within some microseconds: the usual interval says nothing, and the next cycle is lost in rounding.
        (100, &|row: u64| SINCE_1970_US + row / 3 * 20_000 + row % 3 * 2, "1e-6"),
        // Slow enough for a clock in seconds, but days of it.
        (25_000, &|row: u64| row * 9, "1e-3"),
    ] {
        let text = log(rows, of_row);
        let error = error_of(text.as_bytes(), "");
        assert_eq!((error.code, error.line), ("program/log-not-seconds", None), "{error}");
        assert!(error.hint.contains(&format!("--columns time=timestamp*{unit}")), "{error}");
        let source = Source { log: Table::read("run.csv", text.as_bytes()).unwrap(), truth: None };
        let error = windows(&source, &Columns::default(), 1.0).unwrap_err().0;
        assert_eq!(error.code, "program/log-not-seconds", "{error}");
    }
    // What the hint says helps, and the factor that was given counts.
    let text = log(100, &|row: u64| row * 20_000);
    assert_eq!(error_of(text.as_bytes(), "time=timestamp*1e-6").code, "program/log-too-short");
    let hint = error_of(text.as_bytes(), "time=timestamp*1e-3").hint;
    assert!(hint.contains("time=timestamp*1e-6"), "{hint}");
    // A week in two pieces, a row each second.
    let text = log(100, &|row: u64| row + row / 50 * 600_000);
    assert_eq!(error_of(text.as_bytes(), "").code, "program/log-too-short");
}

#[test]
fn a_log_of_one_row_and_an_empty_one_are_refused() {
    assert_eq!(error_of(b"", "").what, "the log is empty");
    assert_eq!(error_of(b" \n\n", "").what, "the log is empty");
    assert_eq!(error_of(b"time,velocity_command,range\n", "").what, "the log has no rows");
    let error = error_of(b"time,velocity_command,range\n0,0,0\n", "");
    assert_eq!((error.code, error.line), ("program/log-too-short", Some(2)));
    let error = error_of(b"time,velocity_command,range\n0,0,0\n1,0.5,0.1\n2,0,0.2\n", "");
    assert!(error.what.contains("too short"), "{error}");
    let error = error_of(b"time,velocity_command,range\n0,1,0\n1,1,0.1\n2,1,0.2\n", "");
    assert!(error.what.contains("never changes"), "{error}");
}

/// A range to something ahead falls as the robot drives on: taken for a position, it goes against the command. (M3)
#[test]
fn a_column_with_the_wrong_sign_is_refused() {
    let mut text = "time,velocity_command,range\n".to_owned();
    let (mut range, mut velocity) = (9.0, 0.0);
    for row in 0..600 {
        let command = if row / 20 % 2 == 0 { 0.5 } else { -0.5 };
        velocity += (command - velocity) * 0.3;
        range -= velocity * 0.1;
        text += &format!("{:.1},{command},{range}\n", f64::from(row) * 0.1);
    }
    let error = error_of(text.as_bytes(), "");
    assert_eq!((error.code, error.line), ("program/log-no-column", None));
    assert_eq!(error.what, "the robot moves against its forward command");
    assert!(error.got.contains("a gain of -") && error.hint.contains("COLUMN*-1"), "{error}");
}

#[test]
fn what_is_no_text_is_told_apart() {
    assert!(error_of(b"#ROSBAG V2.0\n\x00\xff", "").got.contains("ROS bag"));
    let error = error_of(b"time,velocity_command,range\n\xff\xfe\n", "");
    assert_eq!((error.code, error.line), ("program/log-not-read", Some(2)));
    let text = Table::read("run.csv.gz", b"\x1f\x8b\x08broken").unwrap_err().to_string();
    assert!(text.contains("cannot be unpacked"), "{text}");
}

/// The forms of text that robots' logs have.
#[test]
fn many_forms_of_logs_are_read() {
    let names = |text: &str| {
        let table = Table::read("log", text.as_bytes()).unwrap();
        (table.names.clone(), table.rows(), table.number(0, 1, 2.0).unwrap())
    };
    let (header, rows, number) = names("t;u\n0;0.5\n1;1\n");
    assert_eq!((header, rows, number), (vec!["t".into(), "u".into()], 2, 1.0));
    // Columns parted by spaces, named in a remark.
    let spaced =
        "# Made by hand\n# Time [s]   forward velocity [m/s]  angular velocity[rad/s]\n1.0 \t 0.5 \t 0.25\n";
    let (header, rows, number) = names(spaced);
    assert_eq!(header, ["Time", "forward velocity", "angular velocity"]);
    assert_eq!((rows, number), (1, 1.0));
    // Pairs of name and value, below the head line of a terminal program.
    let (header, rows, number) = names("=~=~= log =~=~=\nt,100,PWM,7\nt,200,PWM,8\n");
    assert_eq!((header, rows, number), (vec!["t".into(), "PWM".into()], 2, 14.0));
    // No names at all: numbers from 1.
    assert_eq!(names("0 1 2\n1 2 3\n").0, ["1", "2", "3"]);
}

#[test]
fn wrong_columns_options_say_what_is_allowed() {
    assert!(Columns::parse("time").unwrap_err().contains("ROLE=COLUMN"));
    assert!(Columns::parse("speed=v").unwrap_err().contains("command_forward"));
    assert!(Columns::parse("time=a,time=b").unwrap_err().contains("twice"));
    assert!(Columns::parse("time=stamp*1e-9,x=a*b").is_ok());
}
