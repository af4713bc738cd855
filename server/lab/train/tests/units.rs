//! Logs in other units than metres and radians are refused with their factor, and those in SI units are not.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;
use touchline_plugin_api::noise::NoiseKey;
use touchline_train::LogError;
use touchline_train::ball::fit_ball;
use touchline_train::columns::Columns;
use touchline_train::drift::windows;
use touchline_train::kick::Kick;
use touchline_train::log::{Log, Source};
use touchline_train::table::Table;

const DEGREE: f64 = 180.0 / PI;

/// A minute of a robot that drives a wavy line, with its odometry: lengths and angles in these units.
fn drive(length: f64, angle: f64, heading: fn(f64) -> f64) -> String {
    let mut text = String::from("time,cmd_v,cmd_w,x,y,theta,odom_x,odom_y,odom_theta\n");
    let (mut x, mut y, mut theta) = (0.0, 0.0, 0.0f64);
    for row in 0..1200 {
        let turn = [0.7, 0.5, 0.6, 0.8][row / 100 % 4];
        let (at, to) = ([x, y].map(|at: f64| at * length), heading(theta) * angle);
        let [a, b] = at.map(|at| at * 1.02);
        let (time, odometry) = (row as f64 * 0.05, heading(theta * 1.01) * angle);
        writeln!(text, "{time:.2},0.4,{turn},{},{},{to},{a},{b},{odometry}", at[0], at[1]).unwrap();
        x += 0.4 * 0.05 * theta.cos();
        y += 0.4 * 0.05 * theta.sin();
        theta += turn * 0.05;
    }
    text
}

fn within_half_a_turn(theta: f64) -> f64 {
    theta - TAU * (theta / TAU).round()
}

fn read(text: &str, columns: &str) -> Result<usize, LogError> {
    let source = Source { log: Table::read("run.csv", text.as_bytes())?, truth: None };
    windows(&source, &Columns::parse(columns).unwrap(), 5.0).map(|(windows, _)| windows.len())
}

fn assert_hint<T: std::fmt::Debug>(read: Result<T, LogError>, hint: &str) {
    let error = *read.unwrap_err().0;
    assert_eq!(error.code, "program/log-not-si", "{error}");
    assert!(error.hint.contains(hint), "{hint}: {error}");
    assert!(!error.got.is_empty() && !error.allowed.is_empty(), "{error}");
}

/// S1: the log of a robot in millimetres or degrees would give an odometry that is wrong by their roots.
#[test]
fn poses_in_millimetres_and_degrees_are_refused_with_their_factor() {
    let good = read(&drive(1.0, 1.0, within_half_a_turn), "").unwrap();
    let millimetres = drive(1000.0, 1.0, within_half_a_turn);
    assert_hint(read(&millimetres, ""), "--columns x=x*0.001,y=y*0.001");
    let truth = "x=x*0.001,y=y*0.001";
    assert_hint(read(&millimetres, truth), "--columns odometry_x=odom_x*0.001,odometry_y=odom_y*0.001");
    let all = format!("{truth},odometry_x=odom_x*0.001,odometry_y=odom_y*0.001");
    assert_eq!(read(&millimetres, &all).unwrap(), good);
    // What the hint says counts from the factor that was given.
    assert_hint(read(&millimetres, "x=x*2,y=y*2"), "--columns x=x*0.002,y=y*0.002");

    let all_round: fn(f64) -> f64 = |theta| theta.rem_euclid(TAU);
    for heading in [within_half_a_turn as fn(f64) -> f64, all_round, |theta| theta] {
        assert_eq!(read(&drive(1.0, 1.0, heading), "").unwrap(), good);
        let degrees = drive(1.0, DEGREE, heading);
        assert_hint(read(&degrees, ""), "--columns theta=theta*0.0174533");
        let truth = "theta=theta*0.0174533";
        assert_hint(read(&degrees, truth), "--columns odometry_theta=odom_theta*0.0174533");
        let all = format!("{truth},odometry_theta=odom_theta*0.0174533");
        assert_eq!(read(&degrees, &all).unwrap(), good);
    }
}

/// M3: what is learned from is asked in the same way, in whatever form it is there.
#[test]
fn what_a_motion_is_learned_from_is_in_si_units() {
    let read = |text: &str, columns: &str| {
        let log = Table::read("run.csv", text.as_bytes())?;
        Log::read(&Source { log, truth: None }, &Columns::parse(columns).unwrap()).map(|log| log.axes.len())
    };
    assert_hint(read(&drive(1000.0, 1.0, within_half_a_turn), ""), "--columns x=x*0.001,y=y*0.001");
    assert_hint(read(&drive(1.0, DEGREE, within_half_a_turn), ""), "--columns theta=theta*0.0174533");
    let rows = |header: &str, row: fn(f64, f64) -> String| {
        let rows = (0..400).map(|row_number| {
            let (time, command) = (f64::from(row_number) * 0.05, f64::from(row_number / 20 % 3) - 1.0);
            format!("{time:.2},{command},{}\n", row(time, command))
        });
        format!("{header}\n{}", rows.collect::<String>())
    };
    let way = rows("time,cmd_v,range", |time, _| format!("{}", 300.0 * time));
    assert_hint(read(&way, ""), "--columns position=range*0.001");
    let speed = rows("time,cmd_v,v", |_, command| format!("{}", 900.0 * command));
    assert_hint(read(&speed, ""), "--columns velocity_forward=v*0.001");
    let turn = rows("time,cmd_w,w", |_, command| format!("{}", 0.9 * command * DEGREE));
    assert_hint(read(&turn, ""), "--columns velocity_turn=w*0.0174533");
    // A command is a setting, in whatever unit a motor has it.
    let setting = rows("time,duty,v", |_, command| format!("{command}"));
    assert_eq!(read(&setting, "command_forward=duty*250").unwrap(), 1);
}

/// Fast robots, such as are placed by a referee, spin, or are seen twice at nearly the same time, are in SI units.
#[test]
fn fast_robots_and_bad_rows_are_no_other_units() {
    let mut noise = NoiseKey::for_owner(1, "units").stream();
    let mut text = String::from("time,x,y,theta,odom_x,odom_y,odom_theta\n");
    for row in 0..6000u32 {
        let secs = f64::from(row) * 0.01;
        // Ten metres a second, a spin of twelve radians a second, and every eight seconds somewhere else.
        let x = 10.0 * secs + f64::from(row / 800 % 5) * 7.0;
        let theta = 12.0 * secs;
        for late in [0.0, 1e-6] {
            let y = noise.gaussian(0.002);
            let shown = within_half_a_turn(theta + noise.gaussian(0.01));
            writeln!(text, "{:.6},{x},{y},{shown},{x},{y},{theta}", secs + late).unwrap();
        }
    }
    assert!(read(&text, "").is_ok(), "{:?}", read(&text, ""));
}

/// A kick along a slanting line, with a clock if it is asked for: places and velocities in these units.
fn kick(places: f64, velocities: f64, clock: bool) -> String {
    let mut text = String::from(if clock { "t,x,y,vx,vy\n" } else { "x,y,vx,vy\n" });
    for row in 0..300 {
        let secs = f64::from(row) * 0.01;
        let (way, speed) = (3.0 * secs - 0.15 * secs * secs, 3.0 - 0.3 * secs);
        let line = [1.0 + 0.8 * way, 2.0 - 0.6 * way].map(|at| at * places);
        let velocity = [0.8 * speed, -0.6 * speed].map(|at| at * velocities);
        if clock {
            write!(text, "{secs:.2},").unwrap();
        }
        writeln!(text, "{},{},{},{}", line[0], line[1], velocity[0], velocity[1]).unwrap();
    }
    text
}

fn kicked(text: &str, columns: &str) -> Result<Kick, LogError> {
    Kick::read(&Table::read("kick.csv", text.as_bytes())?, &Columns::parse(columns).unwrap())
}

/// W5: places in millimetres beside velocities in metres a second would be a ball that rolls for ever.
#[test]
fn kicks_whose_ways_do_not_fit_their_speeds_are_refused() {
    for clock in [false, true] {
        let good = kicked(&kick(1.0, 1.0, clock), "").unwrap();
        let millimetres = kick(1000.0, 1.0, clock);
        assert_hint(kicked(&millimetres, ""), "--columns x=x*0.001,y=y*0.001");
        let mended = kicked(&millimetres, "x=x*0.001,y=y*0.001").unwrap();
        assert!((mended.way_m[200] - good.way_m[200]).abs() < 1e-9 && mended.speed_m_s == good.speed_m_s);
        // So short that its length alone would do.
        assert_hint(kicked(&kick(100.0, 1.0, true), ""), "--columns x=x*0.001,y=y*0.001");
        assert_hint(kicked(&kick(1.0, 1000.0, clock), ""), "*0.001");
    }
    assert_hint(kicked(&kick(1.0, 15.0, true), ""), "--columns velocity_x=vx*0.001,velocity_y=vy*0.001");
    // A clock is not needed where there are velocities: in other units it is left aside.
    let milliseconds = kick(1.0, 1.0, true);
    assert!(kicked(&milliseconds, "time=t*1000").is_ok());
    assert_hint(kicked(&kick(1000.0, 1.0, true), "time=t*1000"), "--columns x=x*0.001,y=y*0.001");
}

/// W5: fast balls, and a ball that a referee places between two kicks, are in metres.
#[test]
fn a_ball_that_is_placed_is_not_in_other_units() {
    let mut text = String::from("t,x,y\n");
    for row in 0..600 {
        let secs = f64::from(row) * 0.01;
        let way = |secs: f64, from: f64| from * secs - 0.15 * secs * secs;
        // Kicked with 10 m/s; after three seconds placed at its start, and kicked with 4 m/s.
        let x = if secs < 3.0 { way(secs, 10.0) } else { way(secs - 3.0, 4.0) };
        writeln!(text, "{secs:.2},{},1.0", x - 20.0).unwrap();
    }
    let kick = kicked(&text, "").unwrap();
    assert!((kick.speed_m_s[0] - 10.0).abs() < 0.2, "{:?}", kick.speed_m_s);
    assert!(kick.way_m.last().is_some_and(|way| (25.0..29.0).contains(way)), "{:?}", kick.way_m.last());
}

/// W5: a ball that is placed while it still rolls seems to be fast for a few rows, in slow logs and after short ways too.
#[test]
fn a_ball_that_is_placed_is_no_kick() {
    let log = |period_secs: f64, until_secs: f64, placed_secs: f64, placed_m: f64| {
        let mut text = String::from("t,x,y\n");
        for row in (0u32..).take_while(|row| f64::from(*row) * period_secs < until_secs) {
            let secs = f64::from(row) * period_secs;
            let rolls_secs = (secs - 1.0).clamp(0.0, 4.0);
            let way = 3.0 * rolls_secs - 0.3 * rolls_secs * rolls_secs;
            let x = if secs < placed_secs { way } else { placed_m };
            writeln!(text, "{secs:.3},{x:.5},0.5").unwrap();
        }
        text
    };
    for period_secs in [0.01, 0.02, 0.05] {
        let rolling =
            |text: &str| fit_ball(&[kicked(text, "").unwrap()], &[]).unwrap().ball.rolling_resistance_m_s2;
        let alone = rolling(&log(period_secs, 5.0, 5.0, 0.0));
        // It was 7.2 m away.
        for placed_m in [0.0, 4.5, 6.7, 9.0] {
            let found = rolling(&log(period_secs, 8.0, 5.0, placed_m));
            let what = format!("{placed_m} m, {period_secs} s: {found}, {alone}");
            assert!((found / alone - 1.0).abs() < 0.01, "{what}");
        }
    }
    // Taken back while it still rolls fast: its way until then is the kick's, and no run-up of what looks faster.
    let [alone, found] = [3.0, 8.0].map(|until| kicked(&log(0.05, until, 3.0, 3.5), "").unwrap());
    let way_m = |kick: &Kick| *kick.way_m.last().unwrap();
    assert!(way_m(&found) > 0.9 * way_m(&alone) && way_m(&found) <= way_m(&alone), "{found:?}");
    assert!(found.speed_m_s.iter().all(|speed| *speed < 3.1), "{found:?}");
    // Nothing but placed: no kick is made of it.
    let text = log(0.02, 8.0, 5.0, 4.5);
    let placed = text.lines().enumerate().filter(|(line, _)| *line == 0 || *line > 240);
    let error = kicked(&placed.map(|(_, line)| format!("{line}\n")).collect::<String>(), "").unwrap_err();
    assert_eq!(error.0.code, "program/log-too-short", "{error}");
}

/// W5: a camera sees a ball elsewhere in one image or two: no kick is learned from that, whichever way it is and whether or not the
/// log has velocities.
#[test]
fn a_ghost_of_a_camera_is_no_kick() {
    let start_row = 50;
    let log = |velocities: bool, ghosts: &[(u32, f64, f64)]| {
        let mut text = String::from(if velocities { "t,x,y,vx,vy\n" } else { "t,x,y\n" });
        for row in 0..300 {
            let secs = f64::from(row) * 0.02;
            let rolls_secs = (secs - f64::from(start_row) * 0.02).max(0.0);
            let way = 2.5 * rolls_secs - 0.25 * rolls_secs * rolls_secs;
            let speed = if row < start_row { 0.0 } else { 2.5 - 0.5 * rolls_secs };
            let [mut x, mut y, mut vx, mut vy] =
                [1.0 + 0.8 * way, 2.0 - 0.6 * way, 0.8 * speed, -0.6 * speed];
            for (_, off_m, angle) in ghosts.iter().filter(|(ghost, ..)| start_row + ghost == row) {
                let off = [off_m * angle.cos(), off_m * angle.sin()];
                (x, y) = (x + off[0], y + off[1]);
                (vx, vy) = (vx + off[0] / 0.08, vy + off[1] / 0.08);
            }
            let velocity = if velocities { format!(",{vx},{vy}") } else { String::new() };
            writeln!(text, "{secs:.2},{x},{y}{velocity}").unwrap();
        }
        text
    };
    for (velocities, degrees) in
        [false, true].into_iter().flat_map(|it| (0..360).step_by(20).map(move |d| (it, d)))
    {
        let angle = f64::from(degrees) / DEGREE;
        let ghosts = [(20, 0.5, angle), (70, 1.4, angle + 1.9), (71, 1.4, angle + 1.9)];
        let kick = kicked(&log(velocities, &ghosts), "").unwrap();
        let what = format!("{velocities}, {degrees} degrees: {kick:?}");
        // Nothing of a ghost is in it: along its whole way the ball is as fast as it was, but where it starts.
        let far = kick.way_m.iter().zip(&kick.speed_m_s).filter(|(way, _)| **way > 0.2);
        let speeds = far.map(|(way, speed)| (speed - (2.5f64 * 2.5 - way).max(0.0).sqrt()).abs());
        assert!(speeds.fold(0.0, f64::max) < 0.1, "{what}");
        assert!(kick.way_m.last().is_some_and(|way| (6.0..6.3).contains(way)), "{what}");
        let slows = fit_ball(&[kick], &[]).unwrap().ball.rolling_resistance_m_s2;
        assert!((slows / 0.5 - 1.0).abs() < 0.1, "{slows}: {what}");
    }
}

/// W5: what no form of ball describes is not written.
#[test]
fn a_first_guess_is_no_result() {
    // Where every form says that a ball has come to rest long ago.
    let way_m: Vec<f64> = (0..100).map(|row| if row == 0 { 0.0 } else { 200.0 + f64::from(row) }).collect();
    let speed_m_s = way_m.iter().map(|way| 4.0 - 0.002 * way).collect();
    let kick = Kick { file: "kick.csv".into(), digest: "a".into(), way_m, speed_m_s };
    assert_hint(fit_ball(&[kick], &[]), "*0.001");
}
