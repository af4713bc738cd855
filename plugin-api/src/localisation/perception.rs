//! Sensor data that says where the robot is: what is learned of it, and how probable it is at a pose. (L1)
//!
//! A data object that can be learned implements [`Perception`]: it turns its content into points and ranges, the slots
//! of a [`PerceptionTable`]. [`Eyes`] look up such features in a robot's catalogue and read them from its container, on the
//! server and on a client alike. What moves, such as a ball or another robot, tells nothing of the place and is not learned.

use super::Seen;
use super::samples::Samples;
use super::table::{PerceptionTable, SeenFeature, Slots};
use crate::container::{FeatureHandle, NotFound, Query, Reading, SensorCatalogue};
use crate::data::{
    Compass, DataError, DataObject, FieldPose, GoalSightings, LaserScan, LineCrossings, Obstacles,
    PostSightings, Sighting, Sonar,
};
use crate::geometry::{Pose2, sin_cos};
use crate::layout::Feature;

/// Of many ranges no more than these are kept: neighbours say the same.
const MOST_RANGES: usize = 12;
/// Where the things are that are seen in the same direction from everywhere, metres.
const FAR_M: f64 = 1000.0;

/// A data object that can be learned.
pub trait Perception: DataObject {
    /// How many slots a feature of this format has, and of what kind.
    fn slots(feature: &Feature) -> (usize, Slots);

    /// Writes what is perceived into the slots: points in the robot's frame, of a sensor with this mounting pose, or ranges.
    ///
    /// A slot of which nothing is seen keeps its `None`.
    fn perceive(&self, mount: Pose2, seen: &mut [Option<Seen>]);

    /// Teaches what is seen at the pose of the lesson.
    fn learn_probability(&self, lesson: Lesson<'_>) {
        lesson.seen.fill(None);
        self.perceive(lesson.mount, lesson.seen);
    }

    /// The probability of this reading at a pose, in (0, 1], against the likeliest there could be; -1 where nothing is expected.
    fn probability(&self, expected: &Expected<'_>, pose: Pose2) -> f64 {
        let poses = std::iter::once(pose).collect();
        self.probabilities(expected, &poses).first().copied().unwrap_or(-1.0)
    }

    /// [`Perception::probability`] at each of many poses.
    fn probabilities(&self, expected: &Expected<'_>, poses: &Samples) -> Vec<f64> {
        let slots = expected.table.features().get(expected.feature).map_or(0, |feature| feature.slots);
        let mut seen = vec![None; slots];
        self.perceive(expected.mount, &mut seen);
        expected.table.feature_probabilities(poses, expected.feature, &seen)
    }
}

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
    /// The table.
    pub table: &'a PerceptionTable,
    /// Which of its features.
    pub feature: usize,
    /// The sensor in the robot's frame.
    pub mount: Pose2,
}

/// The number of the feature's rows, whatever else it says.
fn rows(feature: &Feature) -> usize {
    feature.fields.iter().filter_map(|field| field.shape.first()).max().map_or(0, |&rows| rows as usize)
}

fn points(sightings: impl Iterator<Item = Option<Sighting>>, mount: Pose2, seen: &mut [Option<Seen>]) {
    for (seen, sighting) in seen.iter_mut().zip(sightings) {
        *seen = sighting.map(|sighting| Seen::at(mount.point_to_outer(sighting.point())));
    }
}

fn ranges(ranges_m: &[f64], seen: &mut [Option<Seen>]) {
    let stride = ranges_m.len().div_ceil(MOST_RANGES).max(1);
    for (seen, range_m) in seen.iter_mut().zip(ranges_m.iter().step_by(stride)) {
        *seen = range_m.is_finite().then(|| Seen::range(*range_m));
    }
}

/// How many ranges are kept of so many.
fn kept_ranges(count: usize) -> (usize, Slots) {
    (count.div_ceil(count.div_ceil(MOST_RANGES).max(1)), Slots::Ranges)
}

/// A direction of the world, as a thing so far away that it is there from everywhere.
fn direction(angle_rad: f64) -> Seen {
    let (sin, cos) = sin_cos(angle_rad);
    Seen::at([FAR_M * cos, FAR_M * sin])
}

impl Perception for GoalSightings {
    fn slots(feature: &Feature) -> (usize, Slots) {
        (rows(feature), Slots::Labelled)
    }

    fn perceive(&self, mount: Pose2, seen: &mut [Option<Seen>]) {
        points(self.goals.iter().map(|goal| goal.centre), mount, seen);
    }
}

impl Perception for PostSightings {
    fn slots(feature: &Feature) -> (usize, Slots) {
        (rows(feature), Slots::Alike)
    }

    fn perceive(&self, mount: Pose2, seen: &mut [Option<Seen>]) {
        points(self.posts.iter().copied().map(Some), mount, seen);
    }
}

impl Perception for Obstacles {
    fn slots(feature: &Feature) -> (usize, Slots) {
        (rows(feature), Slots::Alike)
    }

    fn perceive(&self, mount: Pose2, seen: &mut [Option<Seen>]) {
        points(self.obstacles.iter().map(|obstacle| Some(obstacle.sighting)), mount, seen);
    }
}

impl Perception for LaserScan {
    fn slots(feature: &Feature) -> (usize, Slots) {
        kept_ranges(rows(feature))
    }

    fn perceive(&self, _mount: Pose2, seen: &mut [Option<Seen>]) {
        ranges(&self.ranges_m, seen);
    }
}

impl Perception for Sonar {
    fn slots(feature: &Feature) -> (usize, Slots) {
        kept_ranges(rows(feature))
    }

    fn perceive(&self, _mount: Pose2, seen: &mut [Option<Seen>]) {
        ranges(&self.ranges_m, seen);
    }
}

/// The nearest crossing of each scan line.
impl Perception for LineCrossings {
    fn slots(feature: &Feature) -> (usize, Slots) {
        kept_ranges(rows(feature))
    }

    fn perceive(&self, _mount: Pose2, seen: &mut [Option<Seen>]) {
        let nearest = |line: &Vec<f64>| line.first().copied().unwrap_or(f64::INFINITY);
        ranges(&self.distances_m.iter().map(nearest).collect::<Vec<_>>(), seen);
    }
}

/// The direction of the world's x axis.
impl Perception for Compass {
    fn slots(_: &Feature) -> (usize, Slots) {
        (1, Slots::Labelled)
    }

    fn perceive(&self, mount: Pose2, seen: &mut [Option<Seen>]) {
        seen.iter_mut().for_each(|seen| *seen = Some(direction(mount.theta_rad - self.heading_rad)));
    }
}

/// The world's origin, and the direction of its x axis.
impl Perception for FieldPose {
    fn slots(_: &Feature) -> (usize, Slots) {
        (2, Slots::Labelled)
    }

    fn perceive(&self, _mount: Pose2, seen: &mut [Option<Seen>]) {
        let Some(pose) = self.pose else { return };
        let both = [Seen::at(pose.point_to_inner([0.0, 0.0])), direction(-pose.theta_rad)];
        seen.iter_mut().zip(both).for_each(|(seen, own)| *seen = Some(own));
    }
}

/// A kind of data object, as the functions that [`Eyes`] need of it.
#[derive(Clone, Copy, Debug)]
struct Kind {
    slots: fn(&Feature) -> (usize, Slots),
    learn: fn(&Feature, &[u32], Lesson<'_>) -> Result<(), DataError>,
}

impl Kind {
    fn of<T: Perception>() -> Self {
        Self {
            slots: T::slots,
            learn: |feature, counts, lesson| {
                T::decode(feature, counts)?.learn_probability(lesson);
                Ok(())
            },
        }
    }

    /// The kind of a feature: by its name, or, as a scan is called by its angle, by its fields.
    fn of_feature(feature: &Feature) -> Option<Self> {
        let is_scan = ["angle_min", "angle_step", "ranges"].iter().all(|name| feature.field(name).is_some());
        Some(match feature.name.as_str() {
            GoalSightings::FEATURE => Self::of::<GoalSightings>(),
            PostSightings::FEATURE => Self::of::<PostSightings>(),
            LineCrossings::FEATURE => Self::of::<LineCrossings>(),
            Obstacles::FEATURE => Self::of::<Obstacles>(),
            Sonar::FEATURE => Self::of::<Sonar>(),
            Compass::FEATURE => Self::of::<Compass>(),
            FieldPose::FEATURE => Self::of::<FieldPose>(),
            _ if is_scan => Self::of::<LaserScan>(),
            _ => return None,
        })
    }
}

/// Features cannot be perceived as they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerceptionError {
    /// The robot has no such feature.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// It says nothing of where the robot is.
    #[error("\"{feature}\" cannot be learned; what can be of this robot: {}", known.join(", "))]
    CannotBeLearned {
        /// What was asked for.
        feature: String,
        /// What the robot has that can be.
        known: Vec<String>,
    },
    /// The table's feature of this name is of another sensor.
    #[error(
        "the table knows \"{feature}\" with {expected} things, this robot's has {got}: it was learned with another robot; learn it anew"
    )]
    OtherRobot {
        /// The feature.
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
    mount: Pose2,
    kind: Kind,
    feature: SeenFeature,
}

impl Eyes {
    /// Looks up features by their names.
    ///
    /// # Errors
    /// When the robot has no such feature, or it cannot be learned.
    pub fn new<S: AsRef<str>>(catalogue: &SensorCatalogue, names: &[S]) -> Result<Self, PerceptionError> {
        let eye = |name: &S| {
            let handle = catalogue.find(&Query::feature(name.as_ref()))?;
            let feature = catalogue.feature(handle);
            let Some(kind) = Kind::of_feature(feature) else {
                let known = catalogue.all().map(|handle| catalogue.feature(handle));
                let known = known.filter(|feature| Kind::of_feature(feature).is_some());
                let known = known.map(|feature| feature.name.clone()).collect();
                return Err(PerceptionError::CannotBeLearned { feature: feature.name.clone(), known });
            };
            let (slots, slot_kind) = (kind.slots)(feature);
            let feature = SeenFeature { name: feature.name.clone(), slots, kind: slot_kind };
            Ok(Eye { handle, mount: catalogue.sensor(handle).mount.pose(), kind, feature })
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
                let (got, expected) = (eye.feature.slots, expected.slots);
                return Err(PerceptionError::OtherRobot { feature: eye.feature.name.clone(), got, expected });
            }
        }
        Ok(eyes)
    }

    /// What is perceived, in order.
    pub fn features(&self) -> impl ExactSizeIterator<Item = &SeenFeature> {
        self.eyes.iter().map(|eye| &eye.feature)
    }

    /// Where it is read, in order.
    pub fn handles(&self) -> impl ExactSizeIterator<Item = FeatureHandle> {
        self.eyes.iter().map(|eye| eye.handle)
    }

    /// Reads all features: one entry for each of their slots. A feature of which there is no reading shows nothing.
    ///
    /// # Errors
    /// When a reading is not of the feature's format.
    pub fn look<'a>(
        &self,
        mut read: impl FnMut(FeatureHandle) -> Option<Reading<'a>>,
    ) -> Result<Vec<Option<Seen>>, DataError> {
        let mut seen = vec![None; self.features().map(|feature| feature.slots).sum()];
        let mut rest = &mut seen[..];
        for number in 0..self.eyes.len() {
            let (own, others) = rest.split_at_mut(self.eyes[number].feature.slots);
            if let Some(reading) = read(self.eyes[number].handle) {
                self.look_at(number, &reading, own)?;
            }
            rest = others;
        }
        Ok(seen)
    }

    /// Reads one of the features into its slots.
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
        (eye.kind.learn)(reading.feature, reading.counts, Lesson { mount: eye.mount, seen })
    }
}
