//! The errors of a real robot's odometry, fitted so that the simulated one drifts as far. (S1)
//!
//! The log is cut into windows. In each of them the true way is known, and where the odometry believed to be at its end: the
//! distance between the two is the drift. The same true ways are driven by the simulated odometry, a few times each, and its
//! parameters are chosen so that the drifts have the same middle and the same ninth decile.
//!
//! Systematic errors (scales, a bias of the heading) come from least squares; the noise from the mean squares of what these
//! leave, and then from the simulation: two factors, for distance and heading, are searched until the quantiles meet.

use crate::columns::{Columns, Role};
use crate::error::LogError;
use crate::log::{Source, pose_columns};
use crate::series::{Series, Track, twist_between};
use crate::table::Table;
use serde::Serialize;
use std::sync::Arc;
use touchline_kit::data::{DataObject, Odometry};
use touchline_plugin_api::geometry::{Pose2, Twist2, wrap_angle};
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::sensor::{AdvanceInput, SensorInput};
use touchline_plugin_api::view::{NONE, WorldView};

/// The parameters of the plugin `odometry` that are fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the plugin's README says what they mean")]
pub struct OdometryErrors {
    pub sigma_distance_m_per_sqrt_m: f64,
    pub sigma_heading_rad_per_sqrt_rad: f64,
    pub sigma_heading_rad_per_sqrt_m: f64,
    pub distance_scale_error: f64,
    pub turn_scale_error: f64,
    pub heading_bias_rad_per_m: f64,
}

/// Makes the sensor with these parameters.
pub type MakeSensor<'a> = &'a dyn Fn(&OdometryErrors) -> Result<Arc<dyn SensorInstance>, String>;

/// Why the odometry's parameters cannot be fitted.
#[derive(Debug, thiserror::Error)]
pub enum OdometryFailure {
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The odometry plugin cannot be made, or fails.
    #[error("the plugin \"odometry\": {0}")]
    Plugin(String),
}

/// A time in which the truth is known without a gap.
#[derive(Clone, Debug)]
pub struct Window {
    /// The true displacement in each cycle.
    steps: Vec<Pose2>,
    /// Where the odometry believed to be at the end, from its own pose at the start.
    believed: Pose2,
}

/// The length of a cycle in which windows are driven, seconds. The noise does not depend on it.
const CYCLE_SECS: f64 = 0.1;

impl Window {
    /// Where the robot really was at the end, from its pose at the start.
    fn true_end(&self) -> Pose2 {
        self.steps.iter().fold(Pose2::ORIGIN, |pose, step| pose.compose(*step))
    }

    /// The true way forward and to the side, all in all, and how much of a turn was made, either way and on balance.
    fn ways(&self) -> Ways {
        let mut ways = Ways::default();
        for step in &self.steps {
            ways.way_m += (step.x_m * step.x_m + step.y_m * step.y_m).sqrt();
            ways.turned_rad += step.theta_rad.abs();
            ways.turn_rad += step.theta_rad;
        }
        ways
    }

    fn drift(&self, believed: Pose2) -> Drift {
        let end = self.true_end();
        Drift {
            position_m: end.distance_m(believed),
            heading_rad: wrap_angle(believed.theta_rad - end.theta_rad).abs(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    way_m: f64,
    turned_rad: f64,
    turn_rad: f64,
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
    fn distance(&self, other: &Self) -> f64 {
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

/// Result of fitting the odometry's errors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OdometryReport {
    /// Paths of the logs.
    pub logs: Vec<String>,
    /// The length of a window, seconds.
    pub horizon_s: f64,
    /// How many windows; they overlap by half.
    pub windows: usize,
    /// Gaps and jumps of the truth, which no window goes across.
    pub interruptions: [usize; 2],
    /// Fitted parameters of the plugin `odometry`.
    pub params: OdometryErrors,
    /// The drift of the real odometry.
    pub log: Quantiles,
    /// The drift of the simulated odometry over the same ways, with other random numbers than those of the fit.
    pub simulated: Quantiles,
    /// Seed that the run was made with.
    pub seed: u64,
}

/// Windows of a log; and gaps and jumps.
///
/// # Errors
/// When a column is missing or a number in it is wrong, or no window is long enough.
pub fn windows(
    source: &Source,
    columns: &Columns,
    horizon_secs: f64,
) -> Result<(Vec<Window>, [usize; 2]), LogError> {
    let truth_table = source.truth.as_ref().unwrap_or(&source.log);
    let Some(wanted) = pose_columns(truth_table, columns, [Role::X, Role::Y, Role::Theta])? else {
        columns.need(Role::X, truth_table)?;
        return Ok((Vec::new(), [0, 0]));
    };
    let truth = Track::poses(Series::read(truth_table, columns, &wanted)?);
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
        return Ok(Track::poses(Series::read(table, columns, &wanted)?));
    }
    let forward = columns.need(Role::OdometryForward, table)?;
    let turn = columns.need(Role::OdometryTurn, table)?;
    let left = columns.find(Role::OdometryLeft, table)?;
    let mut wanted = vec![forward, turn];
    wanted.extend(left);
    let mut series = Series::read(table, columns, &wanted)?;
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

/// Fits the parameters to windows, which may come from several logs.
///
/// # Errors
/// When the plugin fails.
pub fn fit_odometry(
    logs: Vec<String>,
    windows: &[Window],
    interruptions: [usize; 2],
    horizon_s: f64,
    seed: u64,
    make: MakeSensor<'_>,
) -> Result<OdometryReport, OdometryFailure> {
    let log = Quantiles::of(&windows.iter().map(|window| window.drift(window.believed)).collect::<Vec<_>>());
    let start = from_ticks(windows);
    let scaled = |[distance, heading]: [f64; 2]| OdometryErrors {
        sigma_distance_m_per_sqrt_m: (start.sigma_distance_m_per_sqrt_m * distance).min(1.0),
        sigma_heading_rad_per_sqrt_rad: (start.sigma_heading_rad_per_sqrt_rad * heading).min(1.0),
        sigma_heading_rad_per_sqrt_m: (start.sigma_heading_rad_per_sqrt_m * heading).min(1.0),
        ..start
    };
    let (mut best, mut least) = ([1.0, 1.0], f64::INFINITY);
    let (mut centre, mut step) = ([1.0, 1.0], 1.6);
    for _ in 0..3 {
        for distance in -2..=2 {
            for heading in -2..=2 {
                let factors = [
                    centre[0] * libm::pow(step, f64::from(distance)),
                    centre[1] * libm::pow(step, f64::from(heading)),
                ];
                let drifts = simulate(windows, &scaled(factors), 3, seed, make)?;
                let distance = Quantiles::of(&drifts).distance(&log);
                if distance < least {
                    (best, least) = (factors, distance);
                }
            }
        }
        (centre, step) = (best, libm::sqrt(step));
    }
    let params = scaled(best);
    let simulated = Quantiles::of(&simulate(windows, &params, 20, seed.wrapping_add(1), make)?);
    Ok(OdometryReport {
        logs,
        horizon_s,
        windows: windows.len(),
        interruptions,
        params,
        log,
        simulated,
        seed,
    })
}

/// Systematic errors by least squares, noise by the mean squares of the rest.
fn from_ticks(windows: &[Window]) -> OdometryErrors {
    // Sums of products, to solve error = turn_scale * turn + bias * way.
    let (mut tt, mut tw, mut ww, mut te, mut we) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let heading_error = |window: &Window| wrap_angle(window.believed.theta_rad - window.true_end().theta_rad);
    let (mut true_square, mut product) = (0.0, 0.0);
    for window in windows {
        let (ways, error) = (window.ways(), heading_error(window));
        tt += ways.turn_rad * ways.turn_rad;
        tw += ways.turn_rad * ways.way_m;
        ww += ways.way_m * ways.way_m;
        te += ways.turn_rad * error;
        we += ways.way_m * error;
        let [true_m, believed_m] = straight(window);
        true_square += true_m * true_m;
        product += true_m * believed_m;
    }
    let determinant = tt * ww - tw * tw;
    let (turn_scale, bias) = if determinant > 1e-9 * (tt * ww) && determinant > 0.0 {
        ((te * ww - we * tw) / determinant, (we * tt - te * tw) / determinant)
    } else {
        (0.0, 0.0)
    };
    let scale = if true_square > 0.0 { product / true_square - 1.0 } else { 0.0 };
    let (turn_scale, bias, scale) =
        (turn_scale.clamp(-0.5, 0.5), bias.clamp(-1.0, 1.0), scale.clamp(-0.5, 0.5));
    let (mut way_sum, mut turned_sum, mut heading_rest, mut distance_rest) = (0.0, 0.0, 0.0, 0.0);
    for window in windows {
        let ways = window.ways();
        let error = heading_error(window) - turn_scale * ways.turn_rad - bias * ways.way_m;
        heading_rest += error * error;
        let [true_m, believed_m] = straight(window);
        let error = believed_m - (1.0 + scale) * true_m;
        distance_rest += error * error;
        way_sum += ways.way_m;
        turned_sum += ways.turned_rad;
    }
    // Half of the heading's noise is put down to turns, half to the way: windows tell the two apart badly.
    let sigma = |rest: f64, by: f64| if by > 0.0 { (rest / by).sqrt() } else { 0.0 };
    OdometryErrors {
        sigma_distance_m_per_sqrt_m: sigma(distance_rest, way_sum).clamp(1e-4, 1.0),
        sigma_heading_rad_per_sqrt_rad: sigma(0.5 * heading_rest, turned_sum).clamp(1e-4, 1.0),
        sigma_heading_rad_per_sqrt_m: sigma(0.5 * heading_rest, way_sum).clamp(1e-4, 1.0),
        distance_scale_error: scale,
        turn_scale_error: turn_scale,
        heading_bias_rad_per_m: bias,
    }
}

/// How far the end of a window is from its start: really, and as believed.
fn straight(window: &Window) -> [f64; 2] {
    [window.true_end(), window.believed].map(|pose| pose.distance_m(Pose2::ORIGIN))
}

/// Drives the windows with the simulated odometry, each of them several times.
fn simulate(
    windows: &[Window],
    errors: &OdometryErrors,
    repeats: u64,
    seed: u64,
    make: MakeSensor<'_>,
) -> Result<Vec<Drift>, OdometryFailure> {
    let plugin = |error: &dyn std::fmt::Display| OdometryFailure::Plugin(error.to_string());
    let sensor = make(errors).map_err(OdometryFailure::Plugin)?;
    let mut quantised = vec![0; sensor.layout().len()];
    let feature = sensor.layout().features.first().cloned();
    let feature = feature.ok_or_else(|| OdometryFailure::Plugin("a sensor without features".into()))?;
    let mut drifts = Vec::with_capacity(windows.len() * repeats as usize);
    for repeat in 0..repeats {
        for (number, window) in windows.iter().enumerate() {
            let key = NoiseKey::for_owner(seed, "train/odometry").split(repeat << 32 | number as u64);
            let mut state = sensor.initial_state().map_err(|error| plugin(&error))?;
            for (step, displacement) in (0..).zip(&window.steps) {
                let input = AdvanceInput {
                    dt_secs: CYCLE_SECS,
                    displacement: *displacement,
                    twist: Twist2::ZERO,
                    pose: Pose2::ORIGIN,
                    motion_data: &[],
                    data: &[],
                    noise: key.at_step(step),
                };
                sensor.advance(&mut state, &input).map_err(|error| plugin(&error))?;
            }
            // What it has integrated is all that it reads: there is nothing in this world.
            let input = SensorInput {
                view: WorldView { step: 0, time_secs: 0.0, objects: &[], shapes: &[] },
                robot: 0,
                robot_object: NONE,
                robot_pose: Pose2::ORIGIN,
                robot_twist: Twist2::ZERO,
                sensor_pose: Pose2::ORIGIN,
                sensor_z_m: 0.0,
                motion_data: &[],
                data: &[],
                noise: key,
            };
            sensor.generate(&state, &input, &mut quantised).map_err(|error| plugin(&error))?;
            let read = Odometry::decode(&feature, &quantised).map_err(|error| plugin(&error))?;
            drifts.push(window.drift(read.pose));
        }
    }
    Ok(drifts)
}
