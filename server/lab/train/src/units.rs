//! Whether the lengths and angles of a log are metres and radians: others would be learned from all the same.
//!
//! Single rows say nothing: robots are placed elsewhere, and cameras see ghosts. So it counts how fast the robot usually is, and for
//! headings how far they step where they have gone round.

use crate::columns::Role;
use crate::error::LogError;
use crate::series::Series;
use crate::table::Table;
use std::f64::consts::TAU;

/// No robot is faster, but in one row of twenty, m/s.
const FASTEST_M_S: f64 = 50.0;
/// No robot turns faster, but in one row of twenty, rad/s.
const FASTEST_TURN_RAD_S: f64 = 50.0;
/// No robot turns faster half of the time, rad/s.
const USUAL_TURN_RAD_S: f64 = 20.0;
/// Each row is compared with the first one that is so much later: of two that come nearly together the speed is all noise, seconds.
const APART_SECS: f64 = 0.1;
/// By so much a heading in degrees steps where it has gone round; it has turned on meanwhile.
const ROUND_DEGREES: std::ops::Range<f64> = 330.0..390.0;
/// Millimetres and degrees in SI units.
const MILLIMETRE_M: f64 = 0.001;
const DEGREE_RAD: f64 = 0.017_453_3;

/// A column in use, with its factor, and what it is used for.
pub(crate) type Used = (Role, (usize, f64));

/// Refuses poses that are not in metres and radians; the columns are x, y, heading, as in the rows of the series.
pub(crate) fn refuse_poses(table: &Table, series: &Series, used: [Used; 3]) -> Result<(), LogError> {
    let far = |a: &[f64], b: &[f64]| {
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        (x * x + y * y).sqrt()
    };
    refuse_lengths(table, &used[..2], rates(series, far))?;
    let mut steps = series.rows.windows(2).map(|pair| [pair[0][2], pair[1][2]]);
    if let Some([from, to]) = steps.find(|[from, to]| ROUND_DEGREES.contains(&(to - from).abs())) {
        return Err(no_radians(table, used[2], format!("a step from {from} to {to}")));
    }
    // Within one turn they are radians, and a fast robot often goes round: nothing is asked of these steps.
    let mut headings: Vec<f64> = series.rows.iter().map(|row| row[2]).collect();
    if quantile(&mut headings, 0.975) - quantile(&mut headings, 0.025) <= TAU {
        return Ok(());
    }
    refuse_turns(table, used[2], rates(series, |a, b| (b[2] - a[2]).abs()))
}

/// Refuses a way that is not in metres.
pub(crate) fn refuse_way(table: &Table, series: &Series, used: Used) -> Result<(), LogError> {
    refuse_lengths(table, &[used], rates(series, |a, b| (b[0] - a[0]).abs()))
}

/// Refuses velocities that are not in metres and radians a second; the columns are those of the rows of the series.
pub(crate) fn refuse_velocities(table: &Table, series: &Series, used: &[Used]) -> Result<(), LogError> {
    for (index, used) in used.iter().enumerate() {
        let speeds = series.rows.iter().map(|row| row[index].abs()).collect();
        match used.0 {
            Role::VelocityTurn | Role::OdometryTurn => refuse_turns(table, *used, speeds)?,
            _ => refuse_lengths(table, &[*used], speeds)?,
        }
    }
    Ok(())
}

/// How fast something changes, a number for each row.
fn rates(series: &Series, change: impl Fn(&[f64], &[f64]) -> f64) -> Vec<f64> {
    let (mut later, mut rates) = (0, Vec::with_capacity(series.rows.len()));
    for (row, time) in series.times.iter().enumerate() {
        later = later.max(row + 1);
        while series.times.get(later).is_some_and(|then| then - time < APART_SECS) {
            later += 1;
        }
        let Some(then) = series.times.get(later) else { break };
        rates.push(change(&series.rows[row], &series.rows[later]) / (then - time));
    }
    rates
}

/// What so many of the numbers are below; 0 of none.
fn quantile(numbers: &mut [f64], part: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get((part * numbers.len().saturating_sub(1) as f64) as usize).copied().unwrap_or(0.0)
}

fn refuse_lengths(table: &Table, used: &[Used], mut speeds: Vec<f64>) -> Result<(), LogError> {
    let fast = quantile(&mut speeds, 0.95);
    if fast <= FASTEST_M_S {
        return Ok(());
    }
    Err(no_metres(table, used, format!("more than {fast:.1} m/s in one row of twenty"))
        .allowed(format!("at most {FASTEST_M_S} m/s in nineteen rows of twenty")))
}

fn refuse_turns(table: &Table, used: Used, mut speeds: Vec<f64>) -> Result<(), LogError> {
    let (usual, fast) = (quantile(&mut speeds, 0.5), quantile(&mut speeds, 0.95));
    if usual <= USUAL_TURN_RAD_S && fast <= FASTEST_TURN_RAD_S {
        return Ok(());
    }
    let got = format!("more than {usual:.1} rad/s half of the time, {fast:.1} rad/s in one row of twenty");
    Err(no_radians(table, used, got))
}

/// The error for lengths in other units; what is allowed is still to be said.
pub(crate) fn no_metres(table: &Table, used: &[Used], got: String) -> LogError {
    let option = option(table, used, MILLIMETRE_M);
    not_si(table, used, got).hint(format!("if it is in millimetres: {option}; in centimetres *0.01"))
}

fn no_radians(table: &Table, used: Used, got: String) -> LogError {
    not_si(table, &[used], got)
        .allowed(format!(
            "at most {USUAL_TURN_RAD_S} rad/s half of the time, {FASTEST_TURN_RAD_S} rad/s in nineteen rows of twenty, and no step by 360"
        ))
        .hint(format!("if it is in degrees: {}", option(table, &[used], DEGREE_RAD)))
}

fn not_si(table: &Table, used: &[Used], got: String) -> LogError {
    let names: Vec<String> = used.iter().map(|used| format!("\"{}\"", table.names[used.1.0])).collect();
    let are = if used.len() == 1 { "is" } else { "are" };
    let what = format!("{} {are} not in SI units", names.join(" and "));
    LogError::new("program/log-not-si", &table.file, None, what).got(got)
}

/// The option that takes the columns for other units.
fn option(table: &Table, used: &[Used], unit: f64) -> String {
    let one = |(role, (column, factor)): &Used| {
        format!("{}={}*{}", role.as_str(), table.names[*column], factor * unit)
    };
    format!("--columns {}", used.iter().map(one).collect::<Vec<_>>().join(","))
}
