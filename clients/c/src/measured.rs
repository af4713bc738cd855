//! More typed data objects: lines, sonars, bumpers, compass, obstacles, the pose on the field, pictures. (P4)

use crate::border::put;
use crate::data::{Mounted, TouchlineSighting, list, one};
use crate::sensors::{TouchlineFeature, TouchlineSensors};
use crate::status::{Failure, TouchlineStatus};
use std::mem::MaybeUninit;
use touchline_client::data::{Bumper, Compass, FieldPose, Image, LineCrossings, Obstacle, Obstacles, Sonar};

/// A fan of scan lines over a picture that cross painted lines: feature `lines`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineLines {
    /// The direction of scan line 0 against the sensor's x axis, radians.
    pub angle_min_rad: f64,
    /// Scan line i points to `angle_min_rad + i * angle_step_rad`.
    pub angle_step_rad: f64,
    /// How many scan lines there are.
    pub scan_line_count: usize,
}

/// Where a scan line crosses a painted line.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineCrossing {
    /// Which scan line.
    pub scan_line: usize,
    /// From the sensor, on the floor, metres.
    pub distance_m: f64,
}

/// What one sonar hears: feature `sonar`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineEcho {
    /// Where the sonar sits, from the robot's origin, metres.
    pub x_m: f64,
    /// Metres.
    pub y_m: f64,
    /// Where it points to, radians.
    pub theta_rad: f64,
    /// To the nearest obstacle in its cone, metres; `INFINITY`: no echo, `-INFINITY`: too close to measure.
    pub range_m: f64,
}

/// One part of a bumper: feature `bumper`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineBumperPart {
    /// Where its middle is, against the sensor's x axis, radians.
    pub direction_rad: f64,
    /// Whether it touches anything.
    pub pressed: bool,
}

/// What a range finder's software takes for one thing: feature `obstacles`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineObstacle {
    /// The middle of what is seen of it.
    pub place: TouchlineSighting,
    /// From one end of what is seen of it to the other, metres.
    pub width_m: f64,
}

/// Where a sensor's software believes the robot to be: feature `pose`. All numbers are 0 if it does not know.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineFieldPose {
    /// Whether it knows.
    pub known: bool,
    /// In the world, metres.
    pub x_m: f64,
    /// Metres.
    pub y_m: f64,
    /// Radians, counter-clockwise.
    pub theta_rad: f64,
}

/// A picture: feature `image`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchlineImage {
    /// How many columns.
    pub width: usize,
    /// How many rows.
    pub height: usize,
}

/// All crossings, by scan line, and from the sensor outwards: of the feature `lines`.
///
/// `*len` is how many there are; with `crossings` NULL and `capacity` 0 only that and `lines` are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_lines(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    lines: Option<&mut MaybeUninit<TouchlineLines>>,
    crossings: *mut TouchlineCrossing,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |LineCrossings { angle_min_rad, angle_step_rad, distances_m }, _| {
        put(
            lines,
            "lines",
            TouchlineLines { angle_min_rad, angle_step_rad, scan_line_count: distances_m.len() },
        )?;
        let of_line = |(scan_line, distances_m): (usize, &Vec<f64>)| -> Vec<TouchlineCrossing> {
            distances_m.iter().map(|&distance_m| TouchlineCrossing { scan_line, distance_m }).collect()
        };
        Ok(distances_m.iter().enumerate().flat_map(of_line).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, crossings, capacity, len, make) }
}

/// What all sonars of a ring hear, and the whole angle of their cones, radians: of the feature `sonar`.
///
/// `*len` is how many there are; with `echoes` NULL and `capacity` 0 only that and the angle are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_sonar(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    opening_angle_rad: Option<&mut MaybeUninit<f64>>,
    echoes: *mut TouchlineEcho,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |sonar: Sonar, sensor: Mounted| {
        let sensor = sensor?;
        put(opening_angle_rad, "opening_angle_rad", sonar.opening_angle_rad)?;
        let echo = |(mount, &range_m)| {
            let touchline_client::geometry::Pose2 { x_m, y_m, theta_rad } = sensor.compose(mount);
            TouchlineEcho { x_m, y_m, theta_rad, range_m }
        };
        Ok(sonar.mounts.iter().copied().zip(&sonar.ranges_m).map(echo).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, echoes, capacity, len, make) }
}

/// All parts of a bumper: of the feature `bumper`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_bumper(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    parts: *mut TouchlineBumperPart,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |bumper: Bumper, _| {
        let part = |(&direction_rad, &pressed)| TouchlineBumperPart { direction_rad, pressed };
        Ok(bumper.directions_rad.iter().zip(&bumper.pressed).map(part).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, parts, capacity, len, make) }
}

/// Where the sensor's x axis points in the world, radians, counter-clockwise: of the feature `compass`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_compass(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    heading_rad: Option<&mut MaybeUninit<f64>>,
) -> TouchlineStatus {
    one(sensors, feature, (heading_rad, "heading_rad"), |compass: Compass, _| Ok(compass.heading_rad))
}

/// Obstacles, nearest first: of the feature `obstacles`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_obstacles(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    obstacles: *mut TouchlineObstacle,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |found: Obstacles, sensor: Mounted| {
        let sensor = sensor?;
        let obstacle = |&Obstacle { sighting, width_m }: &Obstacle| TouchlineObstacle {
            place: TouchlineSighting::new(Some(sighting), sensor),
            width_m,
        };
        Ok(found.obstacles.iter().map(obstacle).collect())
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, obstacles, capacity, len, make) }
}

/// Where a sensor's software believes the robot to be: of the feature `pose`.
#[unsafe(no_mangle)]
pub extern "C" fn touchline_field_pose(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    pose: Option<&mut MaybeUninit<TouchlineFieldPose>>,
) -> TouchlineStatus {
    one(sensors, feature, (pose, "pose"), |FieldPose { pose }, _| {
        let place = pose.unwrap_or_default();
        let (x_m, y_m, theta_rad) = (place.x_m, place.y_m, place.theta_rad);
        Ok(TouchlineFieldPose { known: pose.is_some(), x_m, y_m, theta_rad })
    })
}

/// A picture, and its pixels as `0xRRGGBB`, row by row from the top left: of the feature `image`.
///
/// `*len` is how many there are; with `pixels` NULL and `capacity` 0 only that and `image` are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchline_image(
    sensors: Option<&TouchlineSensors>,
    feature: TouchlineFeature,
    image: Option<&mut MaybeUninit<TouchlineImage>>,
    pixels: *mut u32,
    capacity: usize,
    len: Option<&mut MaybeUninit<usize>>,
) -> TouchlineStatus {
    let make = |Image { width, height, pixels }, _| -> Result<Vec<u32>, Failure> {
        put(image, "image", TouchlineImage { width, height })?;
        Ok(pixels)
    };
    // SAFETY: the caller's array has room for `capacity` of them.
    unsafe { list(sensors, feature, pixels, capacity, len, make) }
}
