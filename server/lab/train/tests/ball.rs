//! W5: the ball that is fitted to kicks of a ball that is known, and logs of kicks that cannot be used.

use std::fmt::Write;
use touchline_plugin_api::noise::NoiseKey;
use touchline_train::ball::{BallReport, fit_ball};
use touchline_train::columns::Columns;
use touchline_train::kick::Kick;
use touchline_train::table::Table;
use touchline_train::{LogProblem, ball_text};

fn kick(text: &str, columns: &str) -> Kick {
    let table = Table::read("kick.csv", text.as_bytes()).unwrap();
    Kick::read(&table, &Columns::parse(columns).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

/// A solid sphere: it slides with 3 m/s^2 to 5/7 of its speed, then rolls with 0.25 m/s^2. Closed form, no drag.
fn way_and_speed(from_m_s: f64, secs: f64) -> [f64; 2] {
    let (slides, rolls) = (3.0, 0.25);
    let slides_secs = from_m_s * (2.0 / 7.0) / slides;
    let sliding = secs.min(slides_secs);
    let way = from_m_s * sliding - 0.5 * slides * sliding * sliding;
    let rolling_from = from_m_s - slides * sliding;
    let rolling = (secs - sliding).min(rolling_from / rolls).max(0.0);
    [way + rolling_from * rolling - 0.5 * rolls * rolling * rolling, rolling_from - rolls * rolling]
}

/// What a camera with 100 images a second and a slow filter of the speed would log of a kick along a slanting line.
/// Some images are missing, and there is no clock; the ball comes back from a wall 7 m away.
fn log(from_m_s: f64, seed: u64, lag_s: f64) -> String {
    let mut noise = NoiseKey::for_owner(seed, "kick").stream();
    let mut text = String::from("position_x,position_y,velocity_x,velocity_y\n");
    let (mut shown, direction) = (0.0, [0.8, -0.6]);
    for row in 0..700 {
        let secs = f64::from(row) * 0.01 - 0.3;
        let [way, speed] = if secs < 0.0 { [0.0; 2] } else { way_and_speed(from_m_s, secs) };
        let (way, speed) = if way > 7.0 { (14.0 - way, -0.5 * speed) } else { (way, speed) };
        shown += (speed - shown) * (1.0 - (-0.01 / lag_s).exp());
        let [x, y, vx, vy] = [way, way, shown, shown];
        let at = |value: f64, axis: usize, noise: f64| 1000.0 * (value * direction[axis] + noise);
        if row % 7 == 3 {
            text.push_str("0.0,0.0,0.0,0.0\n");
            continue;
        }
        let [nx, ny] = [noise.gaussian(0.002), noise.gaussian(0.002)];
        let [nu, nv] = [noise.gaussian(0.02), noise.gaussian(0.02)];
        let [px, py] = [at(x, 0, nx) - 500.0, at(y, 1, ny) + 250.0];
        writeln!(text, "{px},{py},{},{}", at(vx, 0, nu), at(vy, 1, nv)).unwrap();
    }
    text
}

const MILLIMETRES: &str =
    "x=position_x*0.001,y=position_y*0.001,velocity_x=velocity_x*0.001,velocity_y=velocity_y*0.001";

fn assert_found(report: &BallReport) {
    let sliding = report.ball.sliding.unwrap();
    assert!((sliding.deceleration_m_s2 - 3.0).abs() < 0.15, "{report:?}");
    assert!((report.rolls_from - 5.0 / 7.0).abs() < 0.01, "{report:?}");
    assert!((report.ball.rolling_resistance_m_s2 - 0.25).abs() < 0.015, "{report:?}");
    assert_eq!(report.ball.drag_per_m, 0.0, "there is no drag to be found: {report:?}");
}

#[test]
fn the_numbers_of_a_known_ball_are_found_behind_a_slow_filter() {
    let kicks: Vec<Kick> = [2.0, 3.0, 4.0, 5.0, 6.0]
        .iter()
        .zip(1..)
        .map(|(speed, seed)| kick(&log(*speed, seed, 0.08), MILLIMETRES))
        .collect();
    let report = fit_ball(&kicks, &[]).unwrap();
    assert_found(&report);
    for kick in &report.kicks {
        assert!((kick.lag_s - 0.08).abs() < 0.02, "{kick:?}");
    }
    // Nothing is left but the noise, which a single deceleration cannot reach.
    let (own, single) = (report.held_out_rms_m_s.unwrap(), report.held_out_rms_single_m_s.unwrap());
    assert!(own < 0.03 && single > 4.0 * own, "{own}, {single}");
    assert_eq!(report.forms.len(), 4);

    let text = ball_text(&report);
    assert!(text.contains("\nsliding = { deceleration_m_s2 = ") && text.contains("fnv1a64:"), "{text}");
    assert_eq!(report, fit_ball(&kicks, &[]).unwrap(), "the same logs give the same ball");
}

#[test]
fn a_clock_will_do_in_place_of_velocities() {
    let logs = [3.0, 4.5, 6.0].map(|speed: f64| {
        let mut text = String::from("t;x;y\n");
        for row in 0..250 {
            let secs = f64::from(row) * 0.01 - 0.2;
            let [way, _] = if secs < 0.0 { [0.0; 2] } else { way_and_speed(speed, secs) };
            writeln!(text, "{secs};{};{}", 1.0 + way, -2.0).unwrap();
        }
        kick(&text, "")
    });
    let report = fit_ball(&logs[..2], &logs[2..]).unwrap();
    assert_found(&report);
    assert!(report.kicks[0].held_out_rms_m_s.is_none() && report.kicks[2].held_out_rms_m_s.is_some());
    assert!(report.held_out_rms_m_s.unwrap() < 0.05, "{report:?}");
    let alone = fit_ball(&logs[..1], &[]).unwrap();
    assert!(alone.held_out_rms_m_s.is_none() && alone.ball.sliding.is_some());
}

fn error_of(text: &str, columns: &str) -> LogProblem {
    let read = || Kick::read(&Table::read("kick.csv", text.as_bytes())?, &Columns::parse(columns).unwrap());
    let problem = *read().unwrap_err().0;
    let shown = problem.to_string();
    assert!(shown.starts_with("kick.csv:") && shown.contains("docs/errors.md"), "{shown}");
    assert!(!problem.got.is_empty() && !problem.allowed.is_empty() && !problem.hint.is_empty(), "{shown}");
    problem
}

#[test]
fn logs_that_cannot_be_used_say_why_and_where() {
    let error = error_of("x,y\n0,0\n1,1\n", "");
    assert_eq!((error.code, error.line), ("program/log-no-column", Some(1)));
    assert!(error.hint.contains("--columns velocity_x=COLUMN") && error.hint.contains("time"), "{error}");
    let error = error_of("time,y\n0,0\n1,1\n", "");
    assert!(error.what.contains("no column is the x") && error.got.contains("time, y"), "{error}");
    let error = error_of("x,y,vx\n0,0,1\n", "");
    assert_eq!((error.code, error.line), ("program/log-no-column", Some(1)));
    for (field, got) in [("nan", "nan"), ("", "nothing"), ("fast", "fast")] {
        let error = error_of(&format!("time,x,y\n0,0,0\n0.1,{field},0\n"), "");
        assert_eq!((error.code, error.line, &error.got[..]), ("program/log-not-a-number", Some(3), got));
    }
    let error = error_of("time,x,y\n0,0,0\n1,1,0\n\n0.5,2,0\n", "");
    assert_eq!((error.code, error.line), ("program/log-time-backwards", Some(5)));
    let error = error_of("time,x,y\n0,1,0\n", "");
    assert_eq!((error.code, error.line), ("program/log-too-short", Some(2)));
    let rest: String = (0..50).map(|row| format!("{},1.0,2.0\n", f64::from(row) * 0.01)).collect();
    let error = error_of(&format!("time,x,y\n{rest}"), "");
    assert!(error.what.contains("not kicked"), "{error}");
    let error = error_of(&log(4.0, 1, 0.08), "");
    assert!(error.what.contains("no ball is that fast") && error.hint.contains("*0.001"), "{error}");
}
