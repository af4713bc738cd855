//! What the goalkeeper perceives, in its own body frame.
//!
//! Every feature comes from the sensor container by its name, so any sensor that gives it will do.

use touchline_kit::mounts::MountReader;
use touchline_kit::reader::FieldReader;
use touchline_plugin_api::container::{FeatureHandle, Query, SensorCatalogue};
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::player::Readings;
use touchline_plugin_api::plugin::SetupError;

/// Sensor fields that the player reads.
#[derive(Clone, Debug)]
pub struct Eyes {
    ball: Sighted,
    /// The opponent's goal, by which the heading is corrected.
    goal: Option<(Sighted, usize)>,
    odometry: [FieldReader; 3],
    handles: Vec<FeatureHandle>,
}

#[derive(Clone, Copy, Debug)]
struct Sighted {
    distance: FieldReader,
    bearing: FieldReader,
    mount: MountReader,
}

impl Eyes {
    /// Looks up all features; `opponent` is the team whose goal is far away.
    ///
    /// # Errors
    /// Names what the robot lacks.
    pub fn new(catalogue: &SensorCatalogue, opponent: Option<usize>) -> Result<Self, SetupError> {
        let find = |name: &str| {
            catalogue.find(&Query::feature(name)).map_err(|error| SetupError::new(error.to_string()))
        };
        let (ball, odometry) = (find("ball")?, find("odometry")?);
        let mut handles = vec![ball, odometry];
        let goal = match (find("goals"), opponent) {
            (Ok(handle), Some(opponent)) => {
                handles.push(handle);
                Some((Sighted::new(catalogue, handle)?, opponent))
            }
            _ => None,
        };
        let field = |name: &str| FieldReader::new(catalogue, odometry, name);
        let odometry = [field("x")?, field("y")?, field("theta")?];
        Ok(Self { ball: Sighted::new(catalogue, ball)?, goal, odometry, handles })
    }

    /// The features that are read.
    pub fn handles(&self) -> Vec<FeatureHandle> {
        self.handles.clone()
    }

    /// The ball's centre, metres.
    pub fn ball(&self, readings: &Readings<'_>) -> Option<[f64; 2]> {
        self.ball.get(readings, 0)
    }

    /// The middle of the opponent's goal line, metres.
    pub fn opponent_goal(&self, readings: &Readings<'_>) -> Option<[f64; 2]> {
        let (goal, row) = self.goal?;
        goal.get(readings, row)
    }

    /// The pose in the odometry frame; `None` if the odometry has failed.
    pub fn odometry(&self, readings: &Readings<'_>) -> Option<Pose2> {
        let [x, y, theta] = &self.odometry;
        Some(Pose2::new(x.get(readings, 0)?, y.get(readings, 0)?, theta.get(readings, 0)?))
    }
}

impl Sighted {
    fn new(catalogue: &SensorCatalogue, handle: FeatureHandle) -> Result<Self, SetupError> {
        Ok(Self {
            distance: FieldReader::new(catalogue, handle, "distance")?,
            bearing: FieldReader::new(catalogue, handle, "bearing")?,
            mount: MountReader::new(catalogue, handle)?,
        })
    }

    fn get(&self, readings: &Readings<'_>, row: usize) -> Option<[f64; 2]> {
        let distance_m = self.distance.get(readings, row)?;
        let (sin, cos) = sin_cos(self.bearing.get(readings, row)?);
        let mount = self.mount.pose(|handle| readings.get(handle))?;
        Some(mount.point_to_outer([distance_m * cos, distance_m * sin]))
    }
}
