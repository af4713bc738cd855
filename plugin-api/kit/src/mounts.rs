//! Where a robot's sensors sit now, also those that its neck turns. (S, P5)
//!
//! A sensor with [`SensorDescription::follows`] is turned by a motion datum. Its readers find that angle where they find all motion data, in the
//! feature [`Odometry`]; the sensors themselves are turned by the server.
//!
//! # Not here
//! Time: the angle is that of the odometry's reading. A sensor that shows an earlier moment was turned as the robot was then.
//!
//! [`SensorDescription::follows`]: touchline_plugin_api::container::SensorDescription::follows

use crate::data::Odometry;
use std::fmt;
use touchline_plugin_api::container::{FeatureHandle, Query, Reading, SensorCatalogue};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::{decode, is_number};
use touchline_plugin_api::plugin::SetupError;

/// Where a sensor sits, looked up once and read as often as wanted.
///
/// # Example
/// ```
/// use touchline_kit::data::BallSighting;
/// use touchline_kit::mounts::MountReader;
/// use touchline_plugin_api::container::{FeatureHandle, SensorCatalogue, SensorDescription};
/// use touchline_plugin_api::layout::Layout;
///
/// let layout = Layout { features: vec![BallSighting::feature()] };
/// let camera = SensorDescription { id: "camera".into(), layout, ..SensorDescription::default() };
/// let catalogue = SensorCatalogue { sensors: vec![camera] };
/// let mount = MountReader::new(&catalogue, FeatureHandle { sensor: 0, feature: 0 }).unwrap();
/// // Nothing turns it, so nothing is read.
/// assert_eq!(mount.pose(|_| None), Some(mount.at_rest()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MountReader {
    mount: Pose2,
    turn: Option<Turn>,
}

/// The angle that turns a sensor: one integer of the odometry.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    odometry: FeatureHandle,
    start: usize,
    scale: f64,
    signed: bool,
}

impl MountReader {
    /// Looks up where the sensor of this feature sits.
    ///
    /// # Errors
    /// When it follows a motion datum that the robot's odometry does not show.
    pub fn new(catalogue: &SensorCatalogue, handle: FeatureHandle) -> Result<Self, UnknownTurn> {
        let sensor = catalogue.sensor(handle);
        let turn = |datum: &String| {
            let odometry = catalogue.find(&Query::feature(Odometry::FEATURE)).ok();
            let found = odometry.and_then(|odometry| {
                let (start, field) = catalogue.feature(odometry).field(&Odometry::motion_field(datum))?;
                Some(Turn { odometry, start, scale: field.scale, signed: field.signed })
            });
            found.ok_or_else(|| UnknownTurn { sensor: sensor.id.clone(), datum: datum.clone() })
        };
        let turn = sensor.follows.as_ref().map(turn).transpose()?;
        Ok(Self { mount: sensor.mount.pose(), turn })
    }

    /// The feature that has to be read beside the sensor's own: the odometry, of a sensor that is turned.
    pub fn handle(&self) -> Option<FeatureHandle> {
        self.turn.map(|turn| turn.odometry)
    }

    /// The pose in the robot's frame while the datum is 0.
    pub fn at_rest(&self) -> Pose2 {
        self.mount
    }

    /// The pose in the robot's frame, turned as the odometry says; `None` if that is needed and there is no reading of it.
    #[inline]
    pub fn pose<'a>(&self, read: impl FnOnce(FeatureHandle) -> Option<Reading<'a>>) -> Option<Pose2> {
        let Some(turn) = self.turn else { return Some(self.mount) };
        let count = *read(turn.odometry)?.quantised.get(turn.start)?;
        let turn_rad = is_number(count, turn.signed).then(|| decode(count, turn.scale, turn.signed))?;
        Some(Pose2 { theta_rad: self.mount.theta_rad + turn_rad, ..self.mount })
    }
}

/// Nothing says how far a sensor is turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTurn {
    /// The sensor's name.
    pub sensor: String,
    /// The motion datum that it follows.
    pub datum: String,
}

impl fmt::Display for UnknownTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sensor, datum } = self;
        write!(
            f,
            "the sensor \"{sensor}\" follows \"{datum}\", and no odometry says how far that turns it: give the robot a sensor \"odometry\""
        )
    }
}

impl std::error::Error for UnknownTurn {}

impl From<UnknownTurn> for SetupError {
    fn from(error: UnknownTurn) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{BallSighting, DataObject};
    use touchline_plugin_api::container::{Mount, SensorDescription};
    use touchline_plugin_api::layout::{Feature, Layout};
    use touchline_plugin_api::motion::{MotionDatum, MotionDescription};

    const CAMERA: FeatureHandle = FeatureHandle { sensor: 0, feature: 0 };

    fn sensor(id: &str, mount: Mount, follows: Option<&str>, feature: Feature) -> SensorDescription {
        let follows = follows.map(Into::into);
        let layout = Layout { features: vec![feature] };
        SensorDescription { id: id.into(), mount, follows, layout, ..SensorDescription::default() }
    }

    /// A camera that follows this datum, beside the odometry of a robot with a neck.
    fn catalogue(follows: Option<&str>) -> SensorCatalogue {
        let data = vec![MotionDatum::new("stamina", "1"), MotionDatum::new("neck-angle", "rad")];
        let motion = MotionDescription { data, ..MotionDescription::default() };
        let mount = Mount { x_m: 0.1, y_m: 0.0, z_m: 0.5, theta_rad: 0.25 };
        let camera = sensor("camera", mount, follows, BallSighting::feature());
        let odometry = sensor("odometry", Mount::default(), None, Odometry::feature(&motion));
        SensorCatalogue { sensors: vec![camera, odometry] }
    }

    /// S: a sensor on a neck sits where the odometry says that the neck has turned it; without a reading of that nobody knows.
    #[test]
    fn a_sensor_is_where_its_neck_turns_it() {
        let catalogue = catalogue(Some("neck-angle"));
        let mount = MountReader::new(&catalogue, CAMERA).unwrap();
        let handle = FeatureHandle { sensor: 1, feature: 0 };
        assert_eq!(mount.handle(), Some(handle));
        let feature = catalogue.feature(handle);
        let mut quantised = vec![0; feature.len()];
        for turn_rad in [0.0, 1.0, -2.5] {
            let odometry = Odometry { motion_data: vec![7.0, turn_rad], ..Odometry::default() };
            odometry.encode(feature, &mut quantised).unwrap();
            let pose = mount.pose(|handle| {
                Some(Reading { feature: catalogue.feature(handle), quantised: &quantised, stamp_secs: 0.0 })
            });
            assert_eq!(pose, Some(Pose2::new(0.1, 0.0, 0.25 + turn_rad)));
        }
        assert_eq!((mount.pose(|_| None), mount.at_rest()), (None, Pose2::new(0.1, 0.0, 0.25)));
    }

    #[test]
    fn a_sensor_that_nothing_turns_needs_no_odometry() {
        let mount = MountReader::new(&catalogue(None), CAMERA).unwrap();
        assert_eq!((mount.handle(), mount.pose(|_| None)), (None, Some(mount.at_rest())));
    }

    #[test]
    fn a_turn_that_no_odometry_shows_is_named() {
        let mut without = catalogue(Some("neck-angle"));
        without.sensors.pop();
        for catalogue in [without, catalogue(Some("waist"))] {
            let error = MountReader::new(&catalogue, CAMERA).unwrap_err().to_string();
            let datum = catalogue.sensors[0].follows.as_deref().unwrap();
            assert!(error.contains("\"camera\"") && error.contains(datum), "{error}");
        }
    }
}
