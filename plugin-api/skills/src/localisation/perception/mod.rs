//! Sensor data that says where the robot is: what is learned of it, and how probable it is at a pose. (L1)
//!
//! A feature's layout says what it holds: points, ranges, directions or a pose. These are the slots of a
//! [`PerceptionTable`]; no feature is known by its name, so a sensor of one's own is learned as the shipped ones are. [`Eyes`]
//! look up features in a robot's catalogue and read them from its container, on the server and on a client alike;
//! [`Perception`] is the same for a data object. What moves, such as a ball or another robot, is not learned.

mod content;

use super::Seen;
use super::samples::Samples;
use super::table::{PerceptionTable, SeenFeature};
use content::Reader;
use touchline_kit::data::{DataError, DataObject};
use touchline_kit::mounts::{MountReader, UnknownTurn};
use touchline_plugin_api::container::{FeatureHandle, NotFound, Query, Reading, SensorCatalogue};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::Feature;

/// A data object that can be learned: every one is, whose feature's layout says points, ranges, directions or a pose.
///
/// `format` is the feature as its sensor describes it; what is of no such layout fills no slot and is expected nowhere.
pub trait Perception: DataObject {
    /// Teaches what is seen at the pose of the lesson.
    ///
    /// # Errors
    /// When the format is not the object's.
    fn learn_probability(&self, format: &Feature, lesson: Lesson<'_>) -> Result<(), DataError> {
        let Some(reader) = Reader::of(format) else {
            lesson.seen.fill(None);
            return Ok(());
        };
        let mut quantised = vec![0; format.len()];
        self.encode(format, &mut quantised)?;
        reader.read(format, &quantised, lesson.mount, lesson.seen)
    }

    /// The probability of this reading at a pose, in (0, 1], against the likeliest there could be; -1 where nothing is expected.
    ///
    /// # Errors
    /// When the format is not the object's.
    fn probability(&self, expected: &Expected<'_>, pose: Pose2) -> Result<f64, DataError> {
        let poses = std::iter::once(pose).collect();
        Ok(self.probabilities(expected, &poses)?.first().copied().unwrap_or(-1.0))
    }

    /// [`Perception::probability`] at each of many poses.
    ///
    /// # Errors
    /// When the format is not the object's.
    fn probabilities(&self, expected: &Expected<'_>, poses: &Samples) -> Result<Vec<f64>, DataError> {
        let slots = expected.table.features().get(expected.feature).map_or(0, SeenFeature::slots);
        let mut seen = vec![None; slots];
        self.learn_probability(expected.format, Lesson { mount: expected.mount, seen: &mut seen })?;
        Ok(expected.table.feature_probabilities(poses, expected.feature, &seen))
    }
}

impl<T: DataObject> Perception for T {}

/// One look at one pose: where the reading is written that a [`super::table::Learner`] learns.
#[derive(Debug)]
pub struct Lesson<'a> {
    /// The sensor in the robot's frame.
    pub mount: Pose2,
    /// The slots of the feature.
    pub seen: &'a mut [Option<Seen>],
}

/// What a table expects of one feature.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The learned table that gives the expectation.
    pub table: &'a PerceptionTable,
    /// Index into the table's features.
    pub feature: usize,
    /// The feature as the sensor describes it.
    pub format: &'a Feature,
    /// The sensor in the robot's frame.
    pub mount: Pose2,
}

/// All features, read at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// One entry for each slot of all features.
    pub seen: Vec<Option<Seen>>,
    /// For each feature whether there was a reading of it from where its sensor sits at rest, as it was learned: without one, nothing is known to be
    /// out of sight.
    pub is_read: Vec<bool>,
}

/// Features cannot be perceived as they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerceptionError {
    /// The robot has no such feature.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// Nothing says where its sensor looks.
    #[error(transparent)]
    UnknownTurn(#[from] UnknownTurn),
    /// It says nothing of where the robot is.
    #[error(
        "\"{feature}\" cannot be learned: its layout has no points, ranges or directions of what stands still; what can be of this robot: {}", known.join(", ")
    )]
    CannotBeLearned {
        /// Name of the feature that was asked for.
        feature: String,
        /// What the robot has that can be.
        known: Vec<String>,
    },
    /// The table's feature of this name is of another sensor.
    #[error(
        "the table knows \"{feature}\" with {expected} things, this robot's has {got}, or of another kind: it was learned with another robot; learn it anew"
    )]
    OtherRobot {
        /// Name of the feature, as in the table.
        feature: String,
        /// How many slots the robot's has.
        got: usize,
        /// How many the table's has.
        expected: usize,
    },
}

/// Where a robot's learnable features are read.
#[derive(Clone, Debug)]
pub struct Eyes {
    eyes: Vec<Eye>,
}

#[derive(Clone, Debug)]
struct Eye {
    handle: FeatureHandle,
    mount: MountReader,
    format: Feature,
    reader: Reader,
    feature: SeenFeature,
}

impl Eyes {
    /// Looks up features by their names.
    ///
    /// # Errors
    /// When the robot has no such feature, or it cannot be learned, or nothing says how far its sensor is turned.
    pub fn new<S: AsRef<str>>(catalogue: &SensorCatalogue, names: &[S]) -> Result<Self, PerceptionError> {
        let eye = |name: &S| {
            let handle = catalogue.find(&Query::feature(name.as_ref()))?;
            let feature = catalogue.feature(handle);
            let Some(reader) = Reader::of(feature) else {
                let known = catalogue.all().map(|handle| catalogue.feature(handle));
                let known = known.filter(|feature| Reader::of(feature).is_some());
                let known = known.map(|feature| feature.name.clone()).collect();
                return Err(PerceptionError::CannotBeLearned { feature: feature.name.clone(), known });
            };
            let mount = MountReader::new(catalogue, handle)?;
            let seen = reader.seen_feature(&feature.name);
            Ok(Eye { handle, mount, format: feature.clone(), reader, feature: seen })
        };
        Ok(Self { eyes: names.iter().map(eye).collect::<Result<_, _>>()? })
    }

    /// Looks up the features of a table.
    ///
    /// # Errors
    /// When the robot does not have them, or not with as many things to see.
    pub fn for_table(catalogue: &SensorCatalogue, table: &PerceptionTable) -> Result<Self, PerceptionError> {
        let names: Vec<&str> = table.features().iter().map(|feature| feature.name.as_str()).collect();
        let eyes = Self::new(catalogue, &names)?;
        for (eye, expected) in eyes.eyes.iter().zip(table.features()) {
            if eye.feature != *expected {
                let (got, expected) = (eye.feature.slots(), expected.slots());
                return Err(PerceptionError::OtherRobot { feature: eye.feature.name.clone(), got, expected });
            }
        }
        Ok(eyes)
    }

    /// What is perceived, in order.
    pub fn features(&self) -> impl ExactSizeIterator<Item = &SeenFeature> {
        self.eyes.iter().map(|eye| &eye.feature)
    }

    /// Where it is read, in order. Of a sensor that follows a motion datum the odometry is read as well.
    pub fn handles(&self) -> impl ExactSizeIterator<Item = FeatureHandle> {
        self.eyes.iter().map(|eye| eye.handle)
    }

    /// Reads all features: one entry for each of their slots. A feature of which there is no reading says nothing; what is seen by a sensor on a
    /// neck is where the neck has turned it.
    ///
    /// # Errors
    /// When a reading is not of the feature's format.
    pub fn look<'a>(
        &self,
        mut read: impl FnMut(FeatureHandle) -> Option<Reading<'a>>,
    ) -> Result<Look, DataError> {
        let mut seen = vec![None; self.features().map(SeenFeature::slots).sum()];
        let mut is_read = vec![false; self.eyes.len()];
        let mut rest = &mut seen[..];
        for (number, is_read) in is_read.iter_mut().enumerate() {
            let (own, others) = rest.split_at_mut(self.eyes[number].feature.slots());
            let eye = &self.eyes[number];
            if let (Some(reading), Some(mount)) = (read(eye.handle), eye.mount.pose(&mut read)) {
                eye.read(&reading, mount, own)?;
                *is_read = mount == eye.mount.at_rest();
            }
            rest = others;
        }
        Ok(Look { seen, is_read })
    }

    /// Reads one of the features into its slots, from where its sensor sits while nothing turns it.
    ///
    /// # Errors
    /// When the reading is not of the feature's format.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn look_at(
        &self,
        number: usize,
        reading: &Reading<'_>,
        seen: &mut [Option<Seen>],
    ) -> Result<(), DataError> {
        let eye = &self.eyes[number];
        eye.read(reading, eye.mount.at_rest(), seen)
    }
}

impl Eye {
    fn read(&self, reading: &Reading<'_>, mount: Pose2, seen: &mut [Option<Seen>]) -> Result<(), DataError> {
        self.reader.read(&self.format, reading.quantised, mount, seen)
    }
}
