//! A laser's scan as points in the robot's frame: it has hundreds of beams, so what is the same in all scans is worked out once.

use std::sync::OnceLock;
use touchline_kit::reader::FieldReader;
use touchline_plugin_api::container::{FeatureHandle, SensorCatalogue};
use touchline_plugin_api::geometry::{Pose2, Transform2, sin_cos};
use touchline_plugin_api::player::Readings;
use touchline_plugin_api::plugin::SetupError;

/// Reads the scans of one laser.
#[derive(Clone, Debug)]
pub struct ScanReader {
    angle_min: FieldReader,
    angle_step: FieldReader,
    ranges: FieldReader,
    /// Made at the first scan: a laser says in each where its beams point, and it is the same in all.
    directions: OnceLock<Directions>,
}

/// Where beams point in the sensor's frame, as unit vectors.
#[derive(Clone, Debug)]
struct Directions {
    angle_min_rad: f64,
    angle_step_rad: f64,
    units: Box<[[f64; 2]]>,
}

impl ScanReader {
    /// Looks up the fields of a scan.
    ///
    /// # Errors
    /// When the feature is no scan.
    pub fn new(catalogue: &SensorCatalogue, scan: FeatureHandle) -> Result<Self, SetupError> {
        let field = |name| FieldReader::new(catalogue, scan, name);
        Ok(Self {
            angle_min: field("angle_min")?,
            angle_step: field("angle_step")?,
            ranges: field("ranges")?,
            directions: OnceLock::new(),
        })
    }

    /// Where the beams end, in the robot's frame, metres; `mount` is where the laser sits.
    pub fn points(&self, readings: &Readings<'_>, mount: Pose2) -> Option<Vec<[f64; 2]>> {
        let (angle_min_rad, angle_step_rad) =
            (self.angle_min.get(readings, 0)?, self.angle_step.get(readings, 0)?);
        let ranges_m = self.ranges.all(readings)?;
        let make = || Directions::new(angle_min_rad, angle_step_rad, self.ranges.len());
        let known = self.directions.get_or_init(make);
        let others;
        let directions = if known.are_of(angle_min_rad, angle_step_rad) {
            known
        } else {
            others = make();
            &others
        };
        let robot_from_sensor = Transform2::new(mount);
        let mut points = Vec::with_capacity(ranges_m.len());
        for (range_m, [cos, sin]) in ranges_m.zip(&directions.units) {
            // Closer than it can measure is right before it.
            let range_m = if range_m == f64::NEG_INFINITY { 0.0 } else { range_m };
            if range_m < f64::INFINITY {
                points.push(robot_from_sensor.to_outer([range_m * cos, range_m * sin]));
            }
        }
        Some(points)
    }
}

impl Directions {
    fn new(angle_min_rad: f64, angle_step_rad: f64, beams: usize) -> Self {
        let unit = |beam: usize| {
            let (sin, cos) = sin_cos(angle_min_rad + beam as f64 * angle_step_rad);
            [cos, sin]
        };
        Self { angle_min_rad, angle_step_rad, units: (0..beams).map(unit).collect() }
    }

    fn are_of(&self, angle_min_rad: f64, angle_step_rad: f64) -> bool {
        (self.angle_min_rad, self.angle_step_rad) == (angle_min_rad, angle_step_rad)
    }
}
