//! What the wanderer perceives, in its own frame, whatever sensors give it.

use crate::scan::ScanReader;
use touchline_kit::data::{GoalSightings, LaserScan, Odometry, PostSightings, Sighting, Sonar};
use touchline_kit::mounts::MountReader;
use touchline_plugin_api::container::{FeatureHandle, Query, SensorCatalogue};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::player::Readings;
use touchline_plugin_api::plugin::SetupError;
use touchline_skills::localisation::Seen;

/// Sensor fields that the player reads.
#[derive(Clone, Debug)]
pub struct Eyes {
    ranges: Ranges,
    odometry: Option<FeatureHandle>,
    goals: Option<Mounted>,
    posts: Option<Mounted>,
}

#[derive(Clone, Copy, Debug)]
struct Mounted {
    handle: FeatureHandle,
    mount: MountReader,
    z_m: f64,
}

/// The sensor that measures distances.
#[derive(Clone, Debug)]
enum Ranges {
    Laser(Mounted, ScanReader),
    Sonar(Mounted),
}

/// A laser's scan, and where the laser sits.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The readings.
    pub scan: LaserScan,
    /// The laser in the robot's frame.
    pub mount: Pose2,
    /// Its height, metres.
    pub z_m: f64,
}

impl Eyes {
    /// Looks up all features.
    ///
    /// # Errors
    /// Says what the robot lacks: something that measures distances, and, to localise, odometry and landmarks or a laser.
    pub fn new(catalogue: &SensorCatalogue, localise: bool) -> Result<Self, SetupError> {
        let mounted = |handle: FeatureHandle| -> Result<Mounted, SetupError> {
            let z_m = catalogue.sensor(handle).mount.z_m;
            Ok(Mounted { handle, mount: MountReader::new(catalogue, handle)?, z_m })
        };
        let find = |name: &str| catalogue.find(&Query::feature(name)).ok();
        // A scan is known by its fields: its name is that of its angle.
        let is_scan = |handle: &FeatureHandle| {
            let fields = &catalogue.feature(*handle).fields;
            ["angle_min", "angle_step", "ranges"]
                .iter()
                .all(|name| fields.iter().any(|field| field.name == *name))
        };
        let ranges = match (catalogue.all().find(is_scan), find(Sonar::FEATURE)) {
            (Some(laser), _) => Ranges::Laser(mounted(laser)?, ScanReader::new(catalogue, laser)?),
            (None, Some(sonar)) => Ranges::Sonar(mounted(sonar)?),
            (None, None) => return Err(SetupError::new("the robot has neither a laser nor a sonar")),
        };
        let eyes = Self {
            odometry: find(Odometry::FEATURE).filter(|_| localise),
            goals: find(GoalSightings::FEATURE).filter(|_| localise).map(mounted).transpose()?,
            posts: find(PostSightings::FEATURE).filter(|_| localise).map(mounted).transpose()?,
            ranges,
        };
        if localise && eyes.odometry.is_none() {
            return Err(SetupError::new("to localise, the robot needs the feature \"odometry\""));
        }
        let has_laser = matches!(eyes.ranges, Ranges::Laser(..));
        if localise && eyes.goals.is_none() && eyes.posts.is_none() && !has_laser {
            return Err(SetupError::new("to localise, the robot needs \"goals\", \"posts\", or a laser"));
        }
        Ok(eyes)
    }

    /// The features that are read.
    pub fn handles(&self) -> Vec<FeatureHandle> {
        let (Ranges::Laser(ranges, _) | Ranges::Sonar(ranges)) = &self.ranges;
        let sighted = [self.goals, self.posts].into_iter().flatten().map(|mounted| mounted.handle);
        // What turns a camera is in the odometry, which is read for localising anyway.
        let odometry = self.odometry.or(ranges.mount.handle());
        [ranges.handle].into_iter().chain(odometry).chain(sighted).collect()
    }

    /// Points of obstacles in the robot's frame, metres.
    pub fn obstacles(&self, readings: &Readings<'_>) -> Vec<[f64; 2]> {
        match &self.ranges {
            Ranges::Laser(laser, scan) => {
                let points = laser.pose(readings).and_then(|mount| scan.points(readings, mount));
                points.unwrap_or_default()
            }
            Ranges::Sonar(sonar) => {
                let reading = readings.get(sonar.handle).and_then(|reading| reading.decode::<Sonar>().ok());
                let (Some(reading), Some(place)) = (reading, sonar.pose(readings)) else { return Vec::new() };
                let echoes = reading.mounts.iter().zip(&reading.ranges_m);
                // Closer than it can measure is right before it.
                let echo = |(mount, &range_m): (&Pose2, &f64)| {
                    let range_m = if range_m == f64::NEG_INFINITY { 0.0 } else { range_m };
                    range_m.is_finite().then(|| place.compose(*mount).point_to_outer([range_m, 0.0]))
                };
                echoes.filter_map(echo).collect()
            }
        }
    }

    /// The laser's scan, if there is a laser.
    pub fn scan(&self, readings: &Readings<'_>) -> Option<Scan> {
        let Ranges::Laser(laser, _) = &self.ranges else { return None };
        let scan = readings.get(laser.handle)?.decode().ok()?;
        Some(Scan { scan, mount: laser.pose(readings)?, z_m: laser.z_m })
    }

    /// The pose in the odometry frame.
    pub fn odometry(&self, readings: &Readings<'_>) -> Option<Pose2> {
        let odometry = readings.get(self.odometry?)?.decode::<Odometry>().ok()?;
        Some(odometry.pose)
    }

    /// The middle of each team's goal line.
    pub fn goals(&self, readings: &Readings<'_>) -> Vec<Option<Seen>> {
        let Some(goals) = self.goals else { return Vec::new() };
        let reading = readings.get(goals.handle).and_then(|reading| reading.decode::<GoalSightings>().ok());
        let (Some(reading), Some(place)) = (reading, goals.pose(readings)) else { return Vec::new() };
        reading.goals.iter().map(|goal| goal.centre.map(|centre| seen_from(place, centre))).collect()
    }

    /// Posts, in no certain order.
    pub fn posts(&self, readings: &Readings<'_>) -> Vec<Option<Seen>> {
        let Some(posts) = self.posts else { return Vec::new() };
        let reading = readings.get(posts.handle).and_then(|reading| reading.decode::<PostSightings>().ok());
        let (Some(reading), Some(place)) = (reading, posts.pose(readings)) else { return Vec::new() };
        reading.posts.iter().map(|post| Some(seen_from(place, *post))).collect()
    }
}

impl Mounted {
    fn pose(&self, readings: &Readings<'_>) -> Option<Pose2> {
        self.mount.pose(|handle| readings.get(handle))
    }
}

fn seen_from(place: Pose2, sighting: Sighting) -> Seen {
    Seen::at(place.point_to_outer(sighting.point()))
}
