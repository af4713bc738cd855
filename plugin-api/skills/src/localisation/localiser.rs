//! Localisation of a robot from its sensor container alone: what a client needs, in one value. (L3)

use super::perception::{Eyes, PerceptionError};
use super::table::PerceptionTable;
use super::{Area, Belief, BeliefParams, Estimate, Landmarks, Model, SightingNoise};
use touchline_kit::data::{DataError, GoalSightings, Odometry, PostSightings};
use touchline_plugin_api::container::{FeatureHandle, NotFound, Query, Reading, SensorCatalogue};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::{Noise, NoiseKey};

/// The landmarks of a field, for who has no table of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LandmarkMap {
    /// Where the robot may be.
    pub area: Area,
    /// The middle of each team's goal line, in the order of the teams; world frame, metres.
    pub goals: Vec<[f64; 2]>,
    /// All posts; world frame, metres.
    pub posts: Vec<[f64; 2]>,
    /// How wrong the robot's sightings are.
    pub noise: SightingNoise,
}

/// Follows a robot by its odometry and what it sees.
///
/// Everything is read from the robot's container; the same readings and the same seed give the same samples.
#[derive(Clone, Debug)]
pub struct Localiser {
    knowledge: Knowledge,
    eyes: Eyes,
    odometry: FeatureHandle,
    belief: Belief,
    /// The pose in the odometry frame at the last update.
    last: Option<Pose2>,
    key: NoiseKey,
    updates: u64,
}

#[derive(Clone, Debug)]
enum Knowledge {
    Table(Box<PerceptionTable>),
    /// For each feature of the eyes.
    Map(Vec<Landmarks>),
}

/// A robot cannot be localised.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocaliserError {
    /// It has not what is needed.
    #[error(transparent)]
    Perception(#[from] PerceptionError),
    /// A reading is not of its feature's format.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Nothing says how it moved.
    #[error("there is no reading of \"odometry\"")]
    NoOdometry,
    /// A number is not allowed.
    #[error("{0}")]
    BadParameter(&'static str),
}

impl From<NotFound> for LocaliserError {
    fn from(missing: NotFound) -> Self {
        Self::Perception(missing.into())
    }
}

/// More samples than this are a mistake.
const MAX_SAMPLES: usize = 1_000_000;

impl Localiser {
    /// By what was learned: the table says where the robot may be and what it sees there.
    ///
    /// # Errors
    /// When the robot has not the table's features, or no odometry.
    pub fn with_table(
        catalogue: &SensorCatalogue,
        table: PerceptionTable,
        params: BeliefParams,
        seed: u64,
    ) -> Result<Self, LocaliserError> {
        let (eyes, area) = (Eyes::for_table(catalogue, &table)?, table.grid().area);
        Self::new(catalogue, Knowledge::Table(Box::new(table)), eyes, area, params, seed)
    }

    /// By a map: with goals and posts, as far as the robot sees them.
    ///
    /// # Errors
    /// When the robot sees neither, or has no odometry, or the area is empty.
    pub fn with_map(
        catalogue: &SensorCatalogue,
        map: &LandmarkMap,
        params: BeliefParams,
        seed: u64,
    ) -> Result<Self, LocaliserError> {
        let Area { low, high } = map.area;
        let is_area = (0..2).all(|axis| low[axis] < high[axis] && high[axis] - low[axis] < f64::INFINITY);
        if !is_area {
            return Err(LocaliserError::BadParameter("the area is empty or not finite"));
        }
        if !map.goals.iter().chain(&map.posts).flatten().all(|number| number.is_finite()) {
            return Err(LocaliserError::BadParameter("a landmark's place is not finite"));
        }
        let has = |name: &str| catalogue.find(&Query::feature(name)).is_ok();
        let (mut names, mut landmarks) = (Vec::new(), Vec::new());
        if !map.goals.is_empty() && has(GoalSightings::FEATURE) {
            names.push(GoalSightings::FEATURE);
            landmarks.push(Landmarks::labelled(&map.goals, map.noise));
        }
        if !map.posts.is_empty() && has(PostSightings::FEATURE) {
            names.push(PostSightings::FEATURE);
            landmarks.push(Landmarks::alike(&map.posts, map.noise));
        }
        if names.is_empty() {
            let missing = if map.goals.is_empty() { PostSightings::FEATURE } else { GoalSightings::FEATURE };
            catalogue.find(&Query::feature(missing))?;
            return Err(LocaliserError::BadParameter("the map has no landmark that the robot can see"));
        }
        let eyes = Eyes::new(catalogue, &names)?;
        Self::new(catalogue, Knowledge::Map(landmarks), eyes, map.area, params, seed)
    }

    fn new(
        catalogue: &SensorCatalogue,
        knowledge: Knowledge,
        eyes: Eyes,
        area: Area,
        params: BeliefParams,
        seed: u64,
    ) -> Result<Self, LocaliserError> {
        if params.samples > MAX_SAMPLES {
            return Err(LocaliserError::BadParameter("more than a million samples"));
        }
        let odometry = catalogue.find(&Query::feature(Odometry::FEATURE))?;
        let key = NoiseKey::for_owner(seed, "localiser");
        let belief = Belief::everywhere(area, params, &mut key.stream());
        Ok(Self { knowledge, eyes, odometry, belief, last: None, key, updates: 0 })
    }

    /// What is read at each update: of a container nothing else needs to be asked for.
    pub fn handles(&self) -> impl Iterator<Item = FeatureHandle> + '_ {
        std::iter::once(self.odometry).chain(self.eyes.handles())
    }

    /// Forgets where the robot was, but not what it knows of the world.
    pub fn start_anywhere(&mut self) {
        let (area, params) = (self.belief.area(), self.belief.params());
        self.belief = Belief::everywhere(area, params, &mut self.next_stream());
        self.last = None;
    }

    /// Starts at a known pose, world frame, with these standard deviations in metres and radians.
    pub fn start_around(&mut self, pose: Pose2, sigma_m: f64, sigma_rad: f64) {
        let (area, params) = (self.belief.area(), self.belief.params());
        let mut noise = self.next_stream();
        self.belief = Belief::around(pose, sigma_m, sigma_rad, area, params, &mut noise);
        self.last = None;
    }

    fn next_stream(&mut self) -> Noise {
        self.updates += 1;
        self.key.at_step(self.updates).stream()
    }

    /// Follows what was driven since the last update, and weighs what is seen: all readings of one step.
    ///
    /// # Errors
    /// When there is no odometry, or a reading is of another format; then nothing changes.
    pub fn update<'a>(
        &mut self,
        mut read: impl FnMut(FeatureHandle) -> Option<Reading<'a>>,
    ) -> Result<Estimate, LocaliserError> {
        let odometry = read(self.odometry).ok_or(LocaliserError::NoOdometry)?.decode::<Odometry>()?.pose;
        let look = self.eyes.look(read)?;
        let mut noise = self.next_stream();
        let last = self.last.replace(odometry).unwrap_or(odometry);
        self.belief.predict(last.relative(odometry), &mut noise);
        match &self.knowledge {
            Knowledge::Table(table) => {
                self.belief.correct(&[&table.weigh_read(&look.seen, &look.is_read)], &mut noise);
            }
            Knowledge::Map(landmarks) => {
                let mut rest = &look.seen[..];
                let models: Vec<_> = self
                    .eyes
                    .features()
                    .zip(landmarks)
                    .map(|(feature, landmarks)| {
                        let (own, others) = rest.split_at(feature.slots());
                        rest = others;
                        landmarks.weigh(own)
                    })
                    .collect();
                let models: Vec<&dyn Model> = models.iter().map(|model| model as &dyn Model).collect();
                self.belief.correct(&models, &mut noise);
            }
        }
        Ok(self.belief.estimate())
    }

    /// Where it believes the robot to be.
    pub fn estimate(&self) -> Estimate {
        self.belief.estimate()
    }

    /// The particle filter, with its samples.
    pub fn belief(&self) -> &Belief {
        &self.belief
    }
}
