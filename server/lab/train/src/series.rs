//! Columns over time: read, checked, and looked up between the rows.

use crate::columns::{Columns, Role};
use crate::error::LogError;
use crate::table::Table;
use std::f64::consts::TAU;
use touchline_plugin_api::geometry::{Pose2, Twist2, wrap_angle};

/// A gap in a log is longer than this many of its usual intervals, and than [`GAP_SECS`].
const GAP_INTERVALS: f64 = 5.0;
/// No gap is shorter, seconds.
const GAP_SECS: f64 = 0.5;
/// Rows of a clock that counts seconds are usually not farther apart.
const MAX_INTERVAL_SECS: f64 = 10.0;
/// No robot is logged for longer without a gap: 10^7 of the shortest cycles that are chosen by default.
const MAX_UNBROKEN_SECS: f64 = 2e5;
/// Three thousand years; far beyond it a cycle more or less is lost in rounding.
const MAX_TIME_SECS: f64 = 1e11;
/// No jump of a position is shorter, metres (radians for a heading).
const JUMP: f64 = 0.1;

/// Some columns of a log, a row for each instant.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Seconds, strictly increasing.
    pub times: Vec<f64>,
    /// A row for each time.
    pub rows: Vec<Vec<f64>>,
}

impl Series {
    /// Reads the time and some columns. Of several rows with the same time the first one counts.
    ///
    /// # Errors
    /// When a number is missing or time runs backwards, with the line; when fewer than two instants are there, or the clock counts no
    /// seconds.
    pub fn read(table: &Table, columns: &Columns, wanted: &[(usize, f64)]) -> Result<Self, LogError> {
        let (time, factor) = columns.need(Role::Time, table)?;
        let mut series = Self::default();
        for row in 0..table.rows() {
            let now = table.number(row, time, factor)?;
            let values = wanted.iter().map(|&(column, factor)| table.number(row, column, factor));
            let values = values.collect::<Result<Vec<f64>, _>>()?;
            match series.times.last() {
                Some(&last) if now < last => {
                    let what = "time runs backwards";
                    return Err(LogError::new(
                        "program/log-time-backwards",
                        &table.file,
                        Some(table.line(row)),
                        what,
                    )
                    .got(format!("{now} s after {last} s"))
                    .allowed("rows in the order of time; rows of the same time are taken once")
                    .hint("sort the rows by time, or give each run as a log of its own"));
                }
                Some(&last) if now == last => {}
                _ => {
                    series.times.push(now);
                    series.rows.push(values);
                }
            }
        }
        if series.times.len() < 2 {
            let what = "the log has one instant only";
            return Err(LogError::new("program/log-too-short", &table.file, Some(table.line(0)), what)
                .got(format!("{} rows, all at one time", table.rows()))
                .allowed("at least some seconds of rows")
                .hint("check which column is the time: --columns time=COLUMN"));
        }
        series.refuse_other_units(table, &table.names[time], factor)?;
        Ok(series)
    }

    /// A clock in other units would be years of driving, and be cut into cycles for as long.
    fn refuse_other_units(&self, table: &Table, column: &str, factor: f64) -> Result<(), LogError> {
        let interval = self.interval_secs();
        let longest = longest_secs(interval);
        let steps = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        let unbroken: f64 = steps.filter(|&dt| dt <= longest).sum();
        let farthest = self.times.iter().fold(0.0, |most: f64, time| most.max(time.abs()));
        if interval <= MAX_INTERVAL_SECS && unbroken <= MAX_UNBROKEN_SECS && farthest <= MAX_TIME_SECS {
            return Ok(());
        }
        // The largest in which rows come more than once a second, and the clock shows a time.
        let may_be = |unit: f64| interval * unit < 1.0 && farthest * unit <= MAX_TIME_SECS;
        let unit = [1e-3, 1e-6, 1e-9].into_iter().find(|&unit| may_be(unit)).unwrap_or(1e-9);
        let what = format!("the time in \"{column}\" does not count seconds");
        Err(LogError::new("program/log-not-seconds", &table.file, None, what)
            .got(format!(
                "rows {interval} s apart, {unbroken} s without a gap, and a clock that shows {farthest} s"
            ))
            .allowed(format!(
                "{MAX_INTERVAL_SECS} s at most from row to row, {MAX_UNBROKEN_SECS} s without a gap, and {MAX_TIME_SECS:e} s on the clock"
            ))
            .hint(format!("say what it counts: --columns time={column}*{:e}", factor * unit)))
    }

    /// The usual interval between rows, seconds: the median.
    pub fn interval_secs(&self) -> f64 {
        let mut intervals: Vec<f64> = self.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        intervals.sort_by(f64::total_cmp);
        intervals[intervals.len() / 2]
    }

    /// The last row that is not later than `time`; `None` before the first.
    pub fn held(&self, time: f64) -> Option<&[f64]> {
        let after = self.times.partition_point(|&t| t <= time);
        Some(&self.rows[after.checked_sub(1)?])
    }

    /// The row before or at `time`, and how far it is to the next one, from 0 to 1.
    fn between(&self, time: f64) -> (usize, f64) {
        let before = self.times.partition_point(|&t| t <= time).clamp(1, self.times.len() - 1) - 1;
        let (start, end) = (self.times[before], self.times[before + 1]);
        (before, ((time - start) / (end - start)).clamp(0.0, 1.0))
    }
}

/// A longer time between two rows is a gap, where they usually have this interval.
fn longest_secs(interval_secs: f64) -> f64 {
    GAP_SECS.max(GAP_INTERVALS * interval_secs)
}

/// Where a robot was, over time.
#[derive(Clone, Debug)]
pub enum Track {
    /// Poses in the plane: x, y, heading.
    Poses(Series),
    /// The way along each axis from the start.
    Ways(Series),
}

impl Track {
    /// Poses, with headings that do not jump at half a turn.
    pub fn poses(mut series: Series) -> Self {
        let mut last = 0.0;
        for row in &mut series.rows {
            row[2] = last + wrap_angle((row[2] - last) % TAU);
            last = row[2];
        }
        Self::Poses(series)
    }

    /// Velocities, summed up: between two rows each goes in a straight line.
    pub fn of_velocities(mut series: Series) -> Self {
        let mut way = vec![0.0; series.rows[0].len()];
        let mut last = series.rows[0].clone();
        for (row, pair) in (1..).zip(series.times.windows(2)) {
            let now = series.rows[row].clone();
            for ((way, a), b) in way.iter_mut().zip(&last).zip(&now) {
                *way += 0.5 * (a + b) * (pair[1] - pair[0]);
            }
            series.rows[row].clone_from(&way);
            last = now;
        }
        series.rows[0].fill(0.0);
        Self::Ways(series)
    }

    /// Velocity settings, each held until the next, as the poses to which they lead.
    pub fn of_held_twists(mut series: Series) -> Self {
        let mut pose = Pose2::ORIGIN;
        let mut heading = 0.0;
        for row in 0..series.rows.len() {
            let twist = &series.rows[row];
            let twist = Twist2::new(twist[0], twist[1], twist[2]);
            series.rows[row] = vec![pose.x_m, pose.y_m, heading];
            if let Some(next) = series.times.get(row + 1) {
                let step = twist.displacement(next - series.times[row]);
                pose = pose.compose(step);
                heading += step.theta_rad;
            }
        }
        Self::Poses(series)
    }

    fn series(&self) -> &Series {
        match self {
            Self::Poses(series) | Self::Ways(series) => series,
        }
    }

    /// The usual interval between rows, seconds.
    pub fn interval_secs(&self) -> f64 {
        self.series().interval_secs()
    }

    /// Where it was at a time, between the rows on a straight line.
    pub fn at(&self, time: f64) -> Vec<f64> {
        let series = self.series();
        let (before, part) = series.between(time);
        let (a, b) = (&series.rows[before], &series.rows[before + 1]);
        a.iter().zip(b).map(|(a, b)| a + part * (b - a)).collect()
    }

    /// The pose at a time; for ways the axes are taken for x, y, heading.
    pub fn pose_at(&self, time: f64) -> Pose2 {
        let row = self.at(time);
        let number = |index: usize| row.get(index).copied().unwrap_or(0.0);
        Pose2::new(number(0), number(1), number(2))
    }

    /// The spans of time without gap and without jump, and how many gaps and jumps there were.
    ///
    /// `fastest` is the highest speed that is believed, m/s and rad/s.
    pub fn spans(&self, fastest: [f64; 2]) -> Spans {
        let series = self.series();
        let longest = longest_secs(series.interval_secs());
        let mut spans = Spans { spans: vec![[series.times[0]; 2]], gaps: 0, jumps: 0 };
        for row in 1..series.times.len() {
            let dt = series.times[row] - series.times[row - 1];
            let (a, b) = (&series.rows[row - 1], &series.rows[row]);
            let jumped = |change: f64, fastest: f64| change > JUMP && change > fastest * dt;
            let jump = match self {
                Self::Poses(_) => {
                    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                    jumped((dx * dx + dy * dy).sqrt(), fastest[0]) || jumped((b[2] - a[2]).abs(), fastest[1])
                }
                Self::Ways(_) => {
                    a.iter().zip(b).any(|(a, b)| jumped((b - a).abs(), fastest[0].max(fastest[1])))
                }
            };
            if dt > longest || jump {
                spans.gaps += usize::from(dt > longest);
                spans.jumps += usize::from(jump);
                spans.spans.push([series.times[row]; 2]);
            } else if let Some(span) = spans.spans.last_mut() {
                span[1] = series.times[row];
            }
        }
        spans
    }
}

/// Where a track can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Spans {
    /// First and last instant of each, seconds.
    pub spans: Vec<[f64; 2]>,
    /// Too long between two rows.
    pub gaps: usize,
    /// Too far between two rows.
    pub jumps: usize,
}

/// The constant velocity that leads from one pose to another: the inverse of [`Twist2::displacement`].
pub fn twist_between(from: Pose2, to: Pose2, dt_secs: f64) -> Twist2 {
    let step = from.relative(to);
    let half = 0.5 * step.theta_rad;
    // half / tan(half)
    let c =
        if half.abs() < 1e-6 { 1.0 - half * half / 3.0 } else { half * libm::cos(half) / libm::sin(half) };
    let (x, y) = (c * step.x_m + half * step.y_m, c * step.y_m - half * step.x_m);
    Twist2::new(x / dt_secs, y / dt_secs, step.theta_rad / dt_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M3: velocities from poses are those that make the poses.
    #[test]
    fn the_twist_between_two_poses_leads_from_one_to_the_other() {
        for twist in [Twist2::new(0.5, -0.25, 1.5), Twist2::new(1.0, 0.5, 0.0), Twist2::new(-1.0, 0.0, -3.0)]
        {
            let from = Pose2::new(1.0, 2.0, 3.0);
            let got = twist_between(from, from.advanced(twist, 0.5), 0.5);
            for (got, expected) in
                [(got.x_m_s, twist.x_m_s), (got.y_m_s, twist.y_m_s), (got.turn_rad_s, twist.turn_rad_s)]
            {
                assert!((got - expected).abs() < 1e-9, "{got} {expected}");
            }
        }
    }

    #[test]
    fn a_jump_and_a_gap_part_a_track() {
        let times = vec![0.0, 0.1, 0.2, 0.3, 0.4, 2.4, 2.5];
        let rows = [0.0, 0.1, 0.2, 0.9, 1.0, 1.1, 1.2].map(|x| vec![x, 0.0, 0.0]).to_vec();
        let spans = Track::poses(Series { times, rows }).spans([2.0, 2.0]);
        assert_eq!((spans.gaps, spans.jumps), (1, 1));
        assert_eq!(spans.spans, [[0.0, 0.2], [0.3, 0.4], [2.4, 2.5]]);
    }

    /// A heading that goes through half a turn goes on.
    #[test]
    fn headings_are_unwound() {
        let rows = [3.0, -3.1, -2.9].map(|theta| vec![0.0, 0.0, theta]).to_vec();
        let track = Track::poses(Series { times: vec![0.0, 1.0, 2.0], rows });
        assert!((track.at(1.0)[2] - (TAU - 3.1)).abs() < 1e-9);
        assert!((track.at(0.5)[2] - 0.5 * (3.0 + TAU - 3.1)).abs() < 1e-9);
    }
}
