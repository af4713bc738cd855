//! Typed data objects: what the shipped sensors give, as structs with units in their names. (P4)

use crate::border::{Out, put, put_list};
use crate::sensors::{TouchlineFeature, TouchlineSensors, on_sensors, reading};
use crate::status::{Failure, TouchlineStatus};
use std::mem::MaybeUninit;
use touchline_client::data::{
    BallSighting, DataObject, GoalSighting, GoalSightings, LaserScan, Odometry, PostSightings, RobotSighting,
    RobotSightings, Sighting, TruePose,
};
use touchline_client::geometry::Pose2;
use touchline_client::{Error, FeatureHandle, Sensors};

/// Something that a camera may have seen. All numbers are 0 if it has not.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineSighting {
    /// Whether it is in view.
    pub seen: bool,
    /// From the sensor, on the floor, metres.
    pub distance_m: f64,
    /// Against the sensor's x axis, radians, counter-clockwise.
    pub bearing_rad: f64,
    /// The same place from the robot's origin, also if the sensor is on a neck: forward, metres.
    pub forward_m: f64,
    /// To the left, metres.
    pub left_m: f64,
}

impl TouchlineSighting {
    pub(crate) fn new(sighting: Option<Sighting>, sensor: Pose2) -> Self {
        let Some(sighting) = sighting else { return Self::default() };
        let [forward_m, left_m] = sensor.point_to_outer(sighting.point());
        let Sighting { distance_m, bearing_rad } = sighting;
        Self { seen: true, distance_m, bearing_rad, forward_m, left_m }
    }
}

/// A goal: feature `goals`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineGoal {
    /// The middle of the goal line.
    pub centre: TouchlineSighting,
    /// Whether the left post is in view.
    pub left_seen: bool,
    /// Whether the right post is in view.
    pub right_seen: bool,
    /// The left post, against the sensor's x axis, radians.
    pub left_bearing_rad: f64,
    /// The right post, against the sensor's x axis, radians.
    pub right_bearing_rad: f64,
}

/// Another robot: feature `robots`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineOtherRobot {
    /// The direction and the distance in which it is seen.
    pub place: TouchlineSighting,
    /// The number of its team; -1: none, or not known.
    pub team_index: i32,
}

/// A fan of distances: feature `180DegreeScan` and its like.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineScan {
    /// The direction of beam 0 against the sensor's x axis, radians.
    pub angle_min_rad: f64,
    /// Beam i points to `angle_min_rad + i * angle_step_rad`.
    pub angle_step_rad: f64,
    /// How many beams there are.
    pub beam_count: usize,
}

/// What the robot believes of its own motion: feature `odometry`. Its motion data are read by `touchline_value`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineOdometry {
    /// Where it believes to be, seen from where it started, metres.
    pub x_m: f64,
    /// Metres.
    pub y_m: f64,
    /// Radians, counter-clockwise.
    pub theta_rad: f64,
    /// Its velocity forward, m/s.
    pub forward_m_s: f64,
    /// Its velocity to the left, m/s.
    pub left_m_s: f64,
    /// Its rotational velocity, rad/s.
    pub turn_rad_s: f64,
}

/// What is really so: feature `truth`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineTruth {
    /// The robot in the world, metres.
    pub x_m: f64,
    /// Metres.
    pub y_m: f64,
    /// Radians, counter-clockwise.
    pub theta_rad: f64,
    /// Its velocity forward, m/s.
    pub forward_m_s: f64,
    /// Its velocity to the left, m/s.
    pub left_m_s: f64,
    /// Its rotational velocity, rad/s.
    pub turn_rad_s: f64,
    /// Whether there is a ball; the four numbers after this are 0 if not.
    pub has_ball: bool,
    /// The first ball in the world, metres.
    pub ball_x_m: f64,
    /// Metres.
    pub ball_y_m: f64,
    /// Its velocity in the world, m/s.
    pub ball_velocity_x_m_s: f64,
    /// m/s.
    pub ball_velocity_y_m_s: f64,
}

/// Where a sensor sits; an error if it is on a neck, and nothing was read of how far that has turned it.
pub type Mounted = Result<Pose2, Failure>;

/// The data object of a feature, and where its sensor sits.
fn typed<T: DataObject>(sensors: &Sensors, feature: TouchlineFeature) -> Result<(T, Mounted), Failure> {
    let object = reading(sensors, feature)?.decode::<T>().map_err(Error::from)?;
    // There is such a sensor: it was read.
    let handle = FeatureHandle { sensor: feature.sensor as usize, feature: feature.feature as usize };
    Ok((object, sensors.mount(handle).map_err(Failure::from)))
}

/// Gives a feature's data object as one struct, which is made of it and of the sensor's place on the robot.
pub fn one<T: DataObject, S>(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    (out, name): (Out<'_, S>, &str),
    make: impl FnOnce(T, Mounted) -> Result<S, Failure>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        let (object, sensor) = typed::<T>(sensors, feature)?;
        put(out, name, make(object, sensor)?)
    })
}

/// Gives a feature's data object as a list of structs, and what stands at its head.
///
/// # Safety
/// `items` is NULL, or points to room for `capacity` items.
pub unsafe fn list<T: DataObject, S: Copy>(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    items: *mut S,
    capacity: usize,
    len: Out<'_, usize>,
    make: impl FnOnce(T, Mounted) -> Result<Vec<S>, Failure>,
) -> TouchlineStatus {
    on_sensors(sensors, |sensors| {
        let (object, sensor) = typed::<T>(sensors, feature)?;
        let list = make(object, sensor)?;
        // SAFETY: the caller's promise.
        unsafe { put_list(&list, items, capacity, len) }
    })
}

/// The nearest ball in view: of the feature `ball`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_ball(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    ball: Option<&mut MaybeUninit<TouchlineSighting>>,
) -> TouchlineStatus {
    one(sensors, feature, (ball, "ball"), |sighting: BallSighting, sensor| {
        Ok(TouchlineSighting::new(sighting.ball, sensor?))
    })
}

/// The goals, one for each team, in the order of the world's teams: of the feature `goals`.
///
/// `*len` is how many there are; with `goals` NULL and `capacity` 0 nothing else is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_goals(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    goals: *mut TouchlineGoal,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |sightings: GoalSightings, sensor: Mounted| {
        let sensor = sensor?;
        let goal = |goal: &GoalSighting| TouchlineGoal {
            centre: TouchlineSighting::new(goal.centre, sensor),
            left_seen: goal.left_bearing_rad.is_some(),
            right_seen: goal.right_bearing_rad.is_some(),
            left_bearing_rad: goal.left_bearing_rad.unwrap_or_default(),
            right_bearing_rad: goal.right_bearing_rad.unwrap_or_default(),
        };
        Ok(sightings.goals.iter().map(goal).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, goals, capacity, len, make) }
}

/// The posts in view, nearest first: of the feature `posts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_posts(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    posts: *mut TouchlineSighting,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |sightings: PostSightings, sensor: Mounted| {
        let sensor = sensor?;
        Ok(sightings.posts.iter().map(|&post| TouchlineSighting::new(Some(post), sensor)).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, posts, capacity, len, make) }
}

/// The other robots in view, nearest first: of the feature `robots`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_other_robots(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    robots: *mut TouchlineOtherRobot,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |sightings: RobotSightings, sensor: Mounted| {
        let sensor = sensor?;
        let robot = |robot: &RobotSighting| TouchlineOtherRobot {
            place: TouchlineSighting::new(Some(robot.sighting), sensor),
            team_index: robot.team.and_then(|team| i32::try_from(team).ok()).unwrap_or(-1),
        };
        Ok(sightings.robots.iter().map(robot).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, robots, capacity, len, make) }
}

/// A scan, and its distances in metres; `INFINITY`: nothing in range, `-INFINITY`: too close to measure.
///
/// `*len` is the number of beams; with `ranges_m` NULL and `capacity` 0 only that and `scan` are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_scan(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    scan: Option<&mut MaybeUninit<TouchlineScan>>,
    ranges_m: *mut f64,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |LaserScan { angle_min_rad, angle_step_rad, ranges_m }, _| {
        put(scan, "scan", TouchlineScan { angle_min_rad, angle_step_rad, beam_count: ranges_m.len() })?;
        Ok(ranges_m)
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, ranges_m, capacity, len, make) }
}

/// Pose and velocity by the robot's own reckoning: of the feature `odometry`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_odometry(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    odometry: Option<&mut MaybeUninit<TouchlineOdometry>>,
) -> TouchlineStatus {
    one(sensors, feature, (odometry, "odometry"), |Odometry { pose, twist, .. }, _| {
        Ok(TouchlineOdometry {
            x_m: pose.x_m,
            y_m: pose.y_m,
            theta_rad: pose.theta_rad,
            forward_m_s: twist.x_m_s,
            left_m_s: twist.y_m_s,
            turn_rad_s: twist.turn_rad_s,
        })
    })
}

/// The robot's true pose and velocity, and the first ball's: of the feature `truth`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_truth(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    truth: Option<&mut MaybeUninit<TouchlineTruth>>,
) -> TouchlineStatus {
    one(sensors, feature, (truth, "truth"), |TruePose { pose, twist, ball }, _| {
        let there = ball.is_some();
        let ball = ball.unwrap_or_default();
        Ok(TouchlineTruth {
            x_m: pose.x_m,
            y_m: pose.y_m,
            theta_rad: pose.theta_rad,
            forward_m_s: twist.x_m_s,
            left_m_s: twist.y_m_s,
            turn_rad_s: twist.turn_rad_s,
            has_ball: there,
            ball_x_m: ball.position[0],
            ball_y_m: ball.position[1],
            ball_velocity_x_m_s: ball.velocity[0],
            ball_velocity_y_m_s: ball.velocity[1],
        })
    })
}
