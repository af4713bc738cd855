//! What the robot perceives, in its own body frame.
//!
//! Every feature comes from the sensor container by its name, so any sensor that gives it will do. The places of the
//! fields are looked up once, when the player is made.

use crate::plane::Point;
use touchline_kit::mounts::MountReader;
use touchline_kit::reader::FieldReader;
use touchline_plugin_api::container::{FeatureHandle, Query, SensorCatalogue};
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::player::Readings;
use touchline_plugin_api::plugin::SetupError;

/// Sensor fields that the player reads.
#[derive(Clone, Debug)]
pub struct Eyes {
    ball: Rows,
    goals: Rows,
    robots: Option<(Rows, FieldReader)>,
    odometry: [FieldReader; 6],
    handles: Vec<FeatureHandle>,
}

/// Fields of distances and bearings of one sensor, and where that sensor sits.
#[derive(Clone, Copy, Debug)]
struct Rows {
    distance: FieldReader,
    bearing: FieldReader,
    mount: MountReader,
}

/// How many of the nearest robots are looked at.
pub const OTHERS: usize = 6;

/// The other robots in view, body frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Others {
    /// The nearest robot, if one is seen.
    pub nearest: Option<Point>,
    places: [Point; OTHERS],
    len: usize,
}

impl Others {
    /// Those who are not of the own team, nearest first.
    pub fn opponents(&self) -> &[Point] {
        &self.places[..self.len]
    }

    /// Takes in the next nearest.
    pub fn add_opponent(&mut self, at: Point) {
        self.nearest.get_or_insert(at);
        if let Some(place) = self.places.get_mut(self.len) {
            *place = at;
            self.len += 1;
        }
    }
}

impl Eyes {
    /// Looks up all features.
    ///
    /// # Errors
    /// Names what the robot lacks.
    pub fn new(catalogue: &SensorCatalogue) -> Result<Self, SetupError> {
        let mut handles = Vec::new();
        let mut find = |name: &str| -> Result<FeatureHandle, SetupError> {
            let handle =
                catalogue.find(&Query::feature(name)).map_err(|error| SetupError::new(error.to_string()))?;
            handles.push(handle);
            Ok(handle)
        };
        let ball = Rows::new(catalogue, find("ball")?)?;
        let goals = Rows::new(catalogue, find("goals")?)?;
        let odometry = find("odometry")?;
        // Without eyes for other robots it plays on, and collides more often.
        let robots = match find("robots") {
            Ok(handle) => Some((Rows::new(catalogue, handle)?, FieldReader::new(catalogue, handle, "team")?)),
            Err(_) => None,
        };
        let odometry = |name: &str| FieldReader::new(catalogue, odometry, name);
        Ok(Self {
            ball,
            goals,
            robots,
            odometry: [
                odometry("x")?,
                odometry("y")?,
                odometry("theta")?,
                odometry("velocity_x")?,
                odometry("velocity_y")?,
                odometry("velocity_turn")?,
            ],
            handles,
        })
    }

    /// The features that are read.
    pub fn handles(&self) -> Vec<FeatureHandle> {
        self.handles.clone()
    }

    /// The ball's centre.
    pub fn ball(&self, readings: &Readings<'_>) -> Option<Point> {
        self.ball.get(readings, 0)
    }

    /// The middle of a team's goal line.
    pub fn goal(&self, readings: &Readings<'_>, team: usize) -> Option<Point> {
        self.goals.get(readings, team)
    }

    /// The other robots in view. Where its mates are it asks the radio, so it looks at the nearest of them only.
    pub fn others(&self, readings: &Readings<'_>, own_team: u32) -> Others {
        let mut others = Others::default();
        let Some((rows, team)) = &self.robots else { return others };
        for index in 0..rows.distance.len().min(OTHERS) {
            let is_mate = team.get(readings, index) == Some(f64::from(own_team));
            if is_mate && others.nearest.is_some() {
                continue;
            }
            match rows.get(readings, index) {
                Some(at) if is_mate => others.nearest = Some(at),
                Some(at) => others.add_opponent(at),
                None => break,
            }
        }
        others
    }

    /// The pose in the odometry frame and the velocity in the body frame; `None` if the odometry has failed.
    pub fn odometry(&self, readings: &Readings<'_>) -> Option<(Pose2, Twist2)> {
        let get = |index: usize| self.odometry[index].get(readings, 0);
        Some((Pose2::new(get(0)?, get(1)?, get(2)?), Twist2::new(get(3)?, get(4)?, get(5)?)))
    }
}

impl Rows {
    fn new(catalogue: &SensorCatalogue, handle: FeatureHandle) -> Result<Self, SetupError> {
        Ok(Self {
            distance: FieldReader::new(catalogue, handle, "distance")?,
            bearing: FieldReader::new(catalogue, handle, "bearing")?,
            mount: MountReader::new(catalogue, handle)?,
        })
    }

    /// The place of this row in the body frame.
    fn get(&self, readings: &Readings<'_>, index: usize) -> Option<Point> {
        let distance_m = self.distance.get(readings, index)?;
        let bearing_rad = self.bearing.get(readings, index)?;
        let mount = self.mount.pose(|handle| readings.get(handle))?;
        let (sin, cos) = sin_cos(bearing_rad + mount.theta_rad);
        Some([mount.x_m + distance_m * cos, mount.y_m + distance_m * sin])
    }
}
