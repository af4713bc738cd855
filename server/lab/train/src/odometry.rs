//! The errors of a real robot's odometry, fitted so that the simulated one drifts as far. (S1)
//!
//! The log is cut into windows. In each of them the true way is known, and where the odometry believed to be at its end: the
//! distance between the two is the drift. The same true ways are driven by the simulated odometry, a few times each, and its
//! parameters are chosen so that the drifts have the same middle and the same ninth decile.
//!
//! Systematic errors (scales, a bias of the heading) come from least squares; the noise from the mean squares of what these
//! leave, and then from the simulation: two factors, for distance and heading, are searched until the quantiles meet.

use crate::drift::{CYCLE_SECS, Drift, Quantiles, Window};
use crate::error::LogError;
use serde::Serialize;
use std::sync::Arc;
use touchline_kit::data::{DataObject, Odometry};
use touchline_plugin_api::geometry::{Pose2, Twist2, wrap_angle};
use touchline_plugin_api::instance::SensorInstance;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::radio::Inbox;
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

/// How many sensors [`fit_odometry`] makes: one for each errors that it tries, and the last.
pub const TRIALS: usize = 3 * 5 * 5 + 1;

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
                    inbox: Inbox::default(),
                    noise: key.at_step(step),
                };
                sensor.advance(&mut state, &input).map_err(|error| plugin(&error))?;
            }
            // What it has integrated is all that it reads: there is nothing in this world.
            let input = SensorInput {
                view: WorldView::new(0, 0.0, &[], &[]),
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
