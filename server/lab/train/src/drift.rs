//! How far a real robot's odometry drifts: a log cut into windows, and where it believed to be at the end of each.

use crate::columns::{Columns, Role};
use crate::error::LogError;
use crate::log::{Source, pose_columns, pose_track};
use crate::series::{Series, Track, twist_between};
use crate::table::Table;
use crate::units;
use serde::Serialize;
use touchline_plugin_api::geometry::{Pose2, wrap_angle};

/// A time in which the truth is known without a gap.
#[derive(Clone, Debug)]
pub struct Window {
    /// The true displacement in each cycle.
    pub(crate) steps: Vec<Pose2>,
    /// Where the odometry believed to be at the end, from its own pose at the start.
    pub(crate) believed: Pose2,
}

/// The length of a cycle in which windows are driven, seconds. The noise does not depend on it.
pub(crate) const CYCLE_SECS: f64 = 0.1;

impl Window {
    /// Where the robot really was at the end, from its pose at the start.
    pub(crate) fn true_end(&self) -> Pose2 {
        self.steps.iter().fold(Pose2::ORIGIN, |pose, step| pose.compose(*step))
    }

    /// The true way forward and to the side, all in all, and how much of a turn was made, either way and on balance.
    pub(crate) fn ways(&self) -> Ways {
        let mut ways = Ways::default();
        for step in &self.steps {
            ways.way_m += (step.x_m * step.x_m + step.y_m * step.y_m).sqrt();
            ways.turned_rad += step.theta_rad.abs();
            ways.turn_rad += step.theta_rad;
        }
        ways
    }

    pub(crate) fn drift(&self, believed: Pose2) -> Drift {
        let end = self.true_end();
        Drift {
            position_m: end.distance_m(believed),
            heading_rad: wrap_angle(believed.theta_rad - end.theta_rad).abs(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ways {
    pub way_m: f64,
    pub turned_rad: f64,
    pub turn_rad: f64,
}

/// How far the odometry is off at the end of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// The distance, metres.
    pub position_m: f64,
    /// The size of the heading's error, radians.
    pub heading_rad: f64,
}

/// The middle and the ninth decile of drifts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Quantiles {
    /// Position, half of the windows, metres.
    pub position_median_m: f64,
    /// Position, nine tenths of the windows, metres.
    pub position_90_m: f64,
    /// Heading, half of the windows, radians.
    pub heading_median_rad: f64,
    /// Heading, nine tenths of the windows, radians.
    pub heading_90_rad: f64,
}

impl Quantiles {
    /// Computes medians and 90 % quantiles of some drifts.
    pub fn of(drifts: &[Drift]) -> Self {
        let quantile = |number: fn(&Drift) -> f64, part: f64| {
            let mut numbers: Vec<f64> = drifts.iter().map(number).collect();
            numbers.sort_by(f64::total_cmp);
            let index = (part * numbers.len().saturating_sub(1) as f64).round() as usize;
            numbers.get(index).copied().unwrap_or(0.0)
        };
        Self {
            position_median_m: quantile(|drift| drift.position_m, 0.5),
            position_90_m: quantile(|drift| drift.position_m, 0.9),
            heading_median_rad: quantile(|drift| drift.heading_rad, 0.5),
            heading_90_rad: quantile(|drift| drift.heading_rad, 0.9),
        }
    }

    /// How different two are: squares of the logarithms of their ratios; position counts more.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        let log_ratio = |a: f64, b: f64| {
            let log = libm::log(a.max(1e-9) / b.max(1e-9));
            log * log
        };
        log_ratio(self.position_median_m, other.position_median_m)
            + log_ratio(self.position_90_m, other.position_90_m)
            + 0.25 * log_ratio(self.heading_median_rad, other.heading_median_rad)
            + 0.25 * log_ratio(self.heading_90_rad, other.heading_90_rad)
    }
}

/// Windows of a log; and gaps and jumps.
///
/// # Errors
/// When a column is missing, a number in it is wrong, or it is not in metres and radians, or no window is long enough.
pub fn windows(
    source: &Source,
    columns: &Columns,
    horizon_secs: f64,
) -> Result<(Vec<Window>, [usize; 2]), LogError> {
    let truth_table = source.truth.as_ref().unwrap_or(&source.log);
    let poses = [Role::X, Role::Y, Role::Theta];
    let Some(wanted) = pose_columns(truth_table, columns, poses)? else {
        columns.need(Role::X, truth_table)?;
        return Ok((Vec::new(), [0, 0]));
    };
    let truth = pose_track(truth_table, columns, poses, wanted)?;
    let odometry = odometry_track(&source.log, columns)?;
    let fastest = fastest(&odometry);
    let (true_spans, own_spans) = (truth.spans(fastest), odometry.spans([f64::INFINITY; 2]));
    let cycles = (horizon_secs / CYCLE_SECS).round().max(1.0) as usize;
    let length = cycles as f64 * CYCLE_SECS;
    let mut windows = Vec::new();
    for a in &true_spans.spans {
        for b in &own_spans.spans {
            let (mut start, end) = (a[0].max(b[0]), a[1].min(b[1]));
            while start + length <= end {
                let pose = |cycle: usize| truth.pose_at(start + cycle as f64 * CYCLE_SECS);
                windows.push(Window {
                    steps: (0..cycles).map(|cycle| pose(cycle).relative(pose(cycle + 1))).collect(),
                    believed: odometry.pose_at(start).relative(odometry.pose_at(start + length)),
                });
                start += 0.5 * length;
            }
        }
    }
    if windows.is_empty() {
        let what = format!("no time of {horizon_secs} s has odometry and truth without a gap");
        let longest = true_spans.spans.iter().map(|span| span[1] - span[0]).fold(0.0, f64::max);
        return Err(LogError::new("program/log-too-short", &source.log.file, None, what)
            .got(format!(
                "{longest:.1} s at most, with {} gaps and {} jumps",
                true_spans.gaps, true_spans.jumps
            ))
            .allowed(format!("at least {horizon_secs} s in one piece"))
            .hint("record for longer, or take a shorter time: --horizon SECONDS"));
    }
    Ok((windows, [true_spans.gaps, true_spans.jumps]))
}

/// The poses by odometry: as they stand in the log, or from its velocities.
fn odometry_track(table: &Table, columns: &Columns) -> Result<Track, LogError> {
    let poses = [Role::OdometryX, Role::OdometryY, Role::OdometryTheta];
    if let Some(wanted) = pose_columns(table, columns, poses)? {
        return pose_track(table, columns, poses, wanted);
    }
    let forward = columns.need(Role::OdometryForward, table)?;
    let turn = columns.need(Role::OdometryTurn, table)?;
    let left = columns.find(Role::OdometryLeft, table)?;
    let mut used = vec![(Role::OdometryForward, forward), (Role::OdometryTurn, turn)];
    used.extend(left.map(|column| (Role::OdometryLeft, column)));
    let wanted: Vec<_> = used.iter().map(|(_, column)| *column).collect();
    let mut series = Series::read(table, columns, &wanted)?;
    units::refuse_velocities(table, &series, &used)?;
    for row in &mut series.rows {
        *row = vec![row[0], row.get(2).copied().unwrap_or(0.0), row[1]];
    }
    Ok(Track::of_held_twists(series))
}

/// Twice the highest speeds by odometry, with something on top: what the truth may show.
fn fastest(odometry: &Track) -> [f64; 2] {
    let (mut speed, mut turn) = (0.0f64, 0.0f64);
    for span in odometry.spans([f64::INFINITY; 2]).spans {
        let mut time = span[0];
        while time + CYCLE_SECS <= span[1] {
            let twist =
                twist_between(odometry.pose_at(time), odometry.pose_at(time + CYCLE_SECS), CYCLE_SECS);
            speed = speed.max((twist.x_m_s * twist.x_m_s + twist.y_m_s * twist.y_m_s).sqrt());
            turn = turn.max(twist.turn_rad_s.abs());
            time += CYCLE_SECS;
        }
    }
    [2.0 * speed + 0.3, 2.0 * turn + 1.0]
}
