//! Where am I: Monte Carlo localisation from the client's own container. (L3)

use crate::annotate::TouchlinePoint;
use crate::border::{array, optional_text, put, put_list};
use crate::client::TouchlineClient;
use crate::sensors::TouchlineSensors;
use crate::status::{Failure, TouchlineStatus, guard, last_error_of, on_client};
use parking_lot::Mutex;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use touchline_client::geometry::Pose2;
use touchline_client::localisation::table::PerceptionTable;
use touchline_client::localisation::{
    Area, BeliefParams, Estimate, LandmarkMap, Localiser, LocaliserError, SightingNoise,
};

/// Follows a robot: a set of samples, each a pose that it may have. Made by `touchline_localiser_new`, ended by
/// `touchline_localiser_free`. It may outlive its client.
pub struct TouchlineLocaliser {
    /// Whose messages of errors they are.
    client: u64,
    localiser: Mutex<Localiser>,
}

/// What is known of the world: a table that was learned, or landmarks. `touchline_localiser_options_init` fills in what is
/// said in brackets.
#[repr(C)]
#[derive(Debug)]
pub struct TouchlineLocaliserOptions {
    /// The size of this struct in the program's header: set by `touchline_localiser_options_init`.
    pub struct_size: usize,
    /// How many samples (1000).
    pub sample_count: usize,
    /// The same seed and the same readings give the same samples (1).
    pub seed: u64,
    /// The file that `touchline train perception` wrote (NULL). With a table, all below is left out.
    pub table_file: *const c_char,
    /// Where the robot may be, in the world: the corner with the smaller coordinates, metres (-6, -3).
    pub low: TouchlinePoint,
    /// The corner with the greater ones, metres (6, 3).
    pub high: TouchlinePoint,
    /// The middle of each team's goal line, in the order of the teams (NULL).
    pub goals: *const TouchlinePoint,
    /// How many (0).
    pub goal_count: usize,
    /// All posts (NULL).
    pub posts: *const TouchlinePoint,
    /// How many (0).
    pub post_count: usize,
    /// What bearings are wrong by, radians (0.03).
    pub sigma_bearing_rad: f64,
    /// What distances are wrong by, as a part of them (0.08).
    pub sigma_distance_relative: f64,
    /// What is added to that at any distance, metres (0.05).
    pub sigma_distance_m: f64,
}

impl Default for TouchlineLocaliserOptions {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            sample_count: BeliefParams::default().samples,
            seed: 1,
            table_file: std::ptr::null(),
            low: TouchlinePoint { x_m: -6.0, y_m: -3.0 },
            high: TouchlinePoint { x_m: 6.0, y_m: 3.0 },
            goals: std::ptr::null(),
            goal_count: 0,
            posts: std::ptr::null(),
            post_count: 0,
            sigma_bearing_rad: 0.03,
            sigma_distance_relative: 0.08,
            sigma_distance_m: 0.05,
        }
    }
}

/// A pose in the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlinePose {
    /// Metres.
    pub x_m: f64,
    /// Metres.
    pub y_m: f64,
    /// Radians, counter-clockwise.
    pub theta_rad: f64,
}

impl From<Pose2> for TouchlinePose {
    fn from(Pose2 { x_m, y_m, theta_rad }: Pose2) -> Self {
        Self { x_m, y_m, theta_rad }
    }
}

/// What the samples come to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineEstimate {
    /// The middle of the densest heap of samples.
    pub pose: TouchlinePose,
    /// How far they are from it: the root of the mean square, metres.
    pub spread_m: f64,
    /// The part of all samples that is there: near 1 when it is sure.
    pub share: f64,
}

impl From<Estimate> for TouchlineEstimate {
    fn from(Estimate { pose, spread_m, share }: Estimate) -> Self {
        Self { pose: pose.into(), spread_m, share }
    }
}

impl From<LocaliserError> for Failure {
    fn from(error: LocaliserError) -> Self {
        let status = match &error {
            LocaliserError::Data(_) => TouchlineStatus::WrongFormat,
            LocaliserError::NoOdometry => TouchlineStatus::NoReading,
            LocaliserError::BadParameter(_) => TouchlineStatus::BadArgument,
            LocaliserError::Perception(_) => TouchlineStatus::NotFound,
        };
        Self::new(status, error.to_string())
    }
}

/// Fills in the options that are usual. Call it as `touchline_localiser_options_init(&options, sizeof options)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_localiser_options_init(
    options: *mut TouchlineLocaliserOptions,
    struct_size: usize,
) -> TouchlineStatus {
    guard(0, || {
        if options.is_null() {
            return Err(Failure::null("options"));
        }
        let struct_size = known_size(struct_size)?;
        let usual = TouchlineLocaliserOptions { struct_size, ..TouchlineLocaliserOptions::default() };
        // SAFETY: the caller's struct has `struct_size` bytes, and no more are written.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const usual).cast::<u8>(), options.cast(), struct_size)
        };
        Ok(())
    })
}

/// How much of a program's struct this library knows: an older program's is shorter, a newer one's longer.
fn known_size(struct_size: usize) -> Result<usize, Failure> {
    if !(size_of::<usize>()..=4096).contains(&struct_size) {
        let message =
            "options.struct_size is not set: call touchline_localiser_options_init(&options, sizeof options)";
        return Err(Failure::new(TouchlineStatus::BadArgument, message));
    }
    Ok(struct_size.min(size_of::<TouchlineLocaliserOptions>()))
}

/// Makes a localiser for the client's robot, which knows nothing yet of where it is.
///
/// `*localiser` is then the caller's, and NULL if this fails: the robot has not the table's features (or none that sees
/// the landmarks), or no odometry, or the file is no table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_localiser_new(
    client: Option<&TouchlineClient>,
    options: *const TouchlineLocaliserOptions,
    localiser: Option<&mut MaybeUninit<*mut TouchlineLocaliser>>,
) -> TouchlineStatus {
    on_client(client, |client| {
        let localiser = localiser.ok_or_else(|| Failure::null("localiser"))?;
        localiser.write(std::ptr::null_mut());
        if options.is_null() {
            return Err(Failure::null("options"));
        }
        let mut given = TouchlineLocaliserOptions::default();
        // SAFETY: every version of the struct begins with its size, and has so many bytes.
        unsafe {
            let bytes = known_size(options.cast::<usize>().read())?;
            std::ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut given).cast(), bytes);
        }
        let catalogue = &client.client.description().sensors;
        let params = BeliefParams { samples: given.sample_count, ..BeliefParams::default() };
        // SAFETY: the caller's text ends in NUL.
        let made = match unsafe { optional_text(given.table_file, "table_file") }? {
            Some(path) => Localiser::with_table(catalogue, read_table(path)?, params, given.seed),
            // SAFETY: the caller's arrays are as long as is said.
            None => Localiser::with_map(catalogue, &unsafe { map_of(&given) }?, params, given.seed),
        };
        let made = TouchlineLocaliser { client: client.id, localiser: Mutex::new(made?) };
        localiser.write(Box::into_raw(Box::new(made)));
        Ok(())
    })
}

fn read_table(path: &str) -> Result<PerceptionTable, Failure> {
    let bad = |error: &dyn std::fmt::Display| {
        Failure::new(TouchlineStatus::BadArgument, format!("table_file: {path}: {error}"))
    };
    let bytes = std::fs::read(path).map_err(|error| bad(&error))?;
    PerceptionTable::from_bytes_of_any(&bytes).map_err(|error| bad(&error))
}

/// # Safety
/// The arrays are as long as is said.
unsafe fn map_of(options: &TouchlineLocaliserOptions) -> Result<LandmarkMap, Failure> {
    // SAFETY: the caller's promise.
    let (goals, posts) = unsafe {
        (
            array(options.goals, options.goal_count, "goals")?,
            array(options.posts, options.post_count, "posts")?,
        )
    };
    let sigmas = [options.sigma_bearing_rad, options.sigma_distance_relative, options.sigma_distance_m];
    if !sigmas.iter().all(|sigma| sigma.is_finite() && *sigma >= 0.0) {
        return Err(Failure::new(TouchlineStatus::BadArgument, "a sigma is below 0 or not finite"));
    }
    let places = |points: &[TouchlinePoint]| points.iter().map(|point| [point.x_m, point.y_m]).collect();
    Ok(LandmarkMap {
        area: Area { low: [options.low.x_m, options.low.y_m], high: [options.high.x_m, options.high.y_m] },
        goals: places(goals),
        posts: places(posts),
        noise: SightingNoise {
            sigma_bearing_rad: options.sigma_bearing_rad,
            sigma_distance_relative: options.sigma_distance_relative,
            sigma_distance_m: options.sigma_distance_m,
        },
    })
}

/// Runs a function that has a localiser.
fn on_localiser(
    localiser: Option<&TouchlineLocaliser>,
    body: impl FnOnce(&mut Localiser) -> Result<(), Failure>,
) -> TouchlineStatus {
    let id = localiser.map_or(0, |localiser| localiser.client);
    guard(id, || {
        let localiser = localiser.ok_or_else(|| Failure::null("localiser"))?;
        body(&mut localiser.localiser.lock())
    })
}

/// Moves the samples by what odometry says since the last update, and weighs them by what the sensors see.
///
/// `estimate` may be NULL. The sensors must hold `odometry` and should hold what the table or the map knows; what they do
/// not hold says nothing.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_localiser_update(
    localiser: Option<&TouchlineLocaliser>,
    sensors: Option<&TouchlineSensors>,
    estimate: Option<&mut MaybeUninit<TouchlineEstimate>>,
) -> TouchlineStatus {
    on_localiser(localiser, |localiser| {
        let sensors = &sensors.ok_or_else(|| Failure::null("sensors"))?.sensors;
        let new = localiser.update(|handle| sensors.get(handle))?;
        if let Some(estimate) = estimate {
            estimate.write(new.into());
        }
        Ok(())
    })
}

/// What the samples come to.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_localiser_estimate(
    localiser: Option<&TouchlineLocaliser>,
    estimate: Option<&mut MaybeUninit<TouchlineEstimate>>,
) -> TouchlineStatus {
    on_localiser(localiser, |localiser| put(estimate, "estimate", localiser.estimate().into()))
}

/// All samples.
///
/// `*len` is how many there are; with `samples` NULL and `capacity` 0 nothing else is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_localiser_samples(
    localiser: Option<&TouchlineLocaliser>,
    samples: *mut TouchlinePose,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    on_localiser(localiser, |localiser| {
        let list: Vec<TouchlinePose> = localiser.belief().samples().iter().map(TouchlinePose::from).collect();
        // SAFETY: the caller's array has room for `capacity` of them.
        unsafe { put_list(&list, samples, capacity, len) }
    })
}

/// Forgets where the robot was: it may be anywhere.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_localiser_start_anywhere(
    localiser: Option<&TouchlineLocaliser>,
) -> TouchlineStatus {
    on_localiser(localiser, |localiser| {
        localiser.start_anywhere();
        Ok(())
    })
}

/// Starts at a known pose, give or take these standard deviations in metres and radians.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_localiser_start_around(
    localiser: Option<&TouchlineLocaliser>,
    pose: TouchlinePose,
    sigma_m: f64,
    sigma_rad: f64,
) -> TouchlineStatus {
    on_localiser(localiser, |localiser| {
        let numbers = [pose.x_m, pose.y_m, pose.theta_rad, sigma_m, sigma_rad];
        if !numbers.iter().all(|number| number.is_finite()) || sigma_m < 0.0 || sigma_rad < 0.0 {
            let message = "a number of the pose or the deviations is not finite, or a deviation is below 0";
            return Err(Failure::new(TouchlineStatus::BadArgument, message));
        }
        localiser.start_around(Pose2::new(pose.x_m, pose.y_m, pose.theta_rad), sigma_m, sigma_rad);
        Ok(())
    })
}

/// `touchline_last_error` of the client for which the localiser was made, though it may be closed. It is kept as long as
/// that of `touchline_sensors_last_error`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_localiser_last_error(localiser: Option<&TouchlineLocaliser>) -> *const c_char {
    last_error_of(localiser.map_or(0, |localiser| localiser.client))
}

/// Ends a localiser. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_localiser_free(localiser: Option<Box<TouchlineLocaliser>>) {
    drop(localiser);
}
