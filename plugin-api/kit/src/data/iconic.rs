//! Iconic camera data: what was recognised, and in which direction and how far away it is. [S2, S3]
//!
//! Bearings are against the sensor's x axis, counter-clockwise, in (-pi, pi]. Distances are from the sensor's
//! origin, on the floor. A distance (or a lone bearing) of `+inf` says that the thing was not seen.
//!
//! All distances have the scale 0.001 m, all bearings 1e-4 rad.

use super::{DataError, DataObject, fields};
use touchline_plugin_api::layout::{Feature, Field};

/// Metres per count of every distance.
pub const DISTANCE_SCALE_M: f64 = 0.001;
/// Radians per count of every bearing.
pub const BEARING_SCALE_RAD: f64 = 1e-4;

/// Distance and bearing of something that was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sighting {
    /// From the sensor's origin, metres, finite.
    pub distance_m: f64,
    /// Against the sensor's x axis, radians, counter-clockwise.
    pub bearing_rad: f64,
}

impl Sighting {
    /// The place in the sensor's frame, metres.
    pub fn point(self) -> [f64; 2] {
        let (sin, cos) = touchline_plugin_api::geometry::sin_cos(self.bearing_rad);
        [self.distance_m * cos, self.distance_m * sin]
    }

    fn new(distance_m: f64, bearing_rad: f64) -> Option<Self> {
        (distance_m.is_finite() && bearing_rad.is_finite()).then_some(Self { distance_m, bearing_rad })
    }
}

fn distance(name: &str, shape: &[u32]) -> Field {
    Field::unsigned(name, "m", DISTANCE_SCALE_M, shape)
}

fn bearing(name: &str, shape: &[u32]) -> Field {
    Field::signed(name, "rad", BEARING_SCALE_RAD, shape)
}

fn distances(of: impl ExactSizeIterator<Item = Option<Sighting>>) -> impl ExactSizeIterator<Item = f64> {
    of.map(|sighting| sighting.map_or(f64::INFINITY, |sighting| sighting.distance_m))
}

fn bearings(of: impl ExactSizeIterator<Item = Option<Sighting>>) -> impl ExactSizeIterator<Item = f64> {
    of.map(|sighting| sighting.map_or(f64::INFINITY, |sighting| sighting.bearing_rad))
}

/// The nearest ball in view. Fields: `distance`, `bearing`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BallSighting {
    /// To the ball's centre; `None` if no ball was seen.
    pub ball: Option<Sighting>,
}

impl BallSighting {
    /// The name of the feature.
    pub const FEATURE: &str = "ball";

    /// Fields and units of the feature.
    pub fn feature() -> Feature {
        Feature::new(Self::FEATURE, vec![distance("distance", &[]), bearing("bearing", &[])])
    }
}

impl DataObject for BallSighting {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        let ball = || std::iter::once(self.ball);
        fields::put_all(feature, quantised, "distance", f64::INFINITY, distances(ball()))?;
        fields::put_all(feature, quantised, "bearing", f64::INFINITY, bearings(ball()))
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let distance_m = fields::get(feature, quantised, "distance")?;
        Ok(Self { ball: Sighting::new(distance_m, fields::get(feature, quantised, "bearing")?) })
    }
}

/// The goals, one row for each team, in the order of the world's teams.
///
/// Fields, each of the shape `[teams]`: `distance`, `bearing` (to the middle of the goal line), `left`, `right`
/// (bearings of the two posts, left and right as the sensor sees them).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoalSightings {
    /// The goal of team `i` is `goals[i]`.
    pub goals: Vec<GoalSighting>,
}

/// What was seen of one goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalSighting {
    /// The middle of the goal line; `None` if it was not in view.
    pub centre: Option<Sighting>,
    /// The bearing of the left post, radians; `None` if it was not in view.
    pub left_bearing_rad: Option<f64>,
    /// The bearing of the right post, radians; `None` if it was not in view.
    pub right_bearing_rad: Option<f64>,
}

impl GoalSightings {
    /// The name of the feature.
    pub const FEATURE: &str = "goals";

    /// The format, for a world with this many teams.
    pub fn feature(teams: u32) -> Feature {
        let shape = [teams];
        Feature::new(
            Self::FEATURE,
            vec![
                distance("distance", &shape),
                bearing("bearing", &shape),
                bearing("left", &shape),
                bearing("right", &shape),
            ],
        )
    }
}

impl DataObject for GoalSightings {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        let inf = f64::INFINITY;
        let centres = || self.goals.iter().map(|goal| goal.centre);
        fields::put_all(feature, quantised, "distance", inf, distances(centres()))?;
        fields::put_all(feature, quantised, "bearing", inf, bearings(centres()))?;
        let left = self.goals.iter().map(|goal| goal.left_bearing_rad.unwrap_or(inf));
        fields::put_all(feature, quantised, "left", inf, left)?;
        let right = self.goals.iter().map(|goal| goal.right_bearing_rad.unwrap_or(inf));
        fields::put_all(feature, quantised, "right", inf, right)
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let get = |name: &str| fields::get_all(feature, quantised, name);
        let (distance, bearing, left, right) =
            (get("distance")?, get("bearing")?, get("left")?, get("right")?);
        let goals =
            distance.zip(bearing).zip(left.zip(right)).map(|((distance_m, bearing_rad), (left, right))| {
                GoalSighting {
                    centre: Sighting::new(distance_m, bearing_rad),
                    left_bearing_rad: fields::present(left),
                    right_bearing_rad: fields::present(right),
                }
            });
        Ok(Self { goals: goals.collect() })
    }
}

/// Posts that were seen, nearest first. Fields: `count`, and `distance`, `bearing` of the shape `[max]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PostSightings {
    /// Distance and bearing of each post's middle.
    pub posts: Vec<Sighting>,
}

impl PostSightings {
    /// The name of the feature.
    pub const FEATURE: &str = "posts";

    /// The format, with room for this many posts.
    pub fn feature(max: u32) -> Feature {
        Feature::new(Self::FEATURE, rows(max))
    }

    /// The same with a field `fixture` of the shape `[max]` more: which fixture each is, by its place among the names of
    /// [`WorldDescription::fixtures`](touchline_plugin_api::world::WorldDescription::fixtures).
    pub fn named_feature(max: u32) -> Feature {
        let mut fields = rows(max);
        fields.push(Field::unsigned(Self::FIXTURE, "1", 1.0, &[max]));
        Feature::new(Self::FEATURE, fields)
    }

    /// The field of [`PostSightings::named_feature`] that says which fixture a post is.
    pub const FIXTURE: &str = "fixture";

    /// Which fixture each of the posts is, for a sensor that says it.
    ///
    /// # Errors
    /// When the feature has no such field, or another length.
    pub fn fixtures(feature: &Feature, quantised: &[u32]) -> Result<Vec<u32>, DataError> {
        fields::check_length(feature, quantised.len())?;
        let count = fields::get(feature, quantised, "count")? as usize;
        let fixtures = fields::get_all(feature, quantised, Self::FIXTURE)?.take(count);
        Ok(fixtures.map(|fixture| fixture as u32).collect())
    }
}

pub(super) fn rows(max: u32) -> Vec<Field> {
    let count = Field::unsigned("count", "1", 1.0, &[]);
    vec![count, distance("distance", &[max]), bearing("bearing", &[max])]
}

impl DataObject for PostSightings {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        encode_rows(feature, quantised, self.posts.iter().copied().map(Some))
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        Ok(Self { posts: decode_rows(feature, quantised)?.collect() })
    }
}

pub(super) fn encode_rows(
    feature: &Feature,
    quantised: &mut [u32],
    rows: impl ExactSizeIterator<Item = Option<Sighting>> + Clone,
) -> Result<(), DataError> {
    fields::put(feature, quantised, "count", rows.len() as f64)?;
    fields::put_all(feature, quantised, "distance", f64::INFINITY, distances(rows.clone()))?;
    fields::put_all(feature, quantised, "bearing", f64::INFINITY, bearings(rows))
}

pub(super) fn decode_rows<'a>(
    feature: &Feature,
    quantised: &'a [u32],
) -> Result<impl Iterator<Item = Sighting> + use<'a>, DataError> {
    let count = fields::get(feature, quantised, "count")? as usize;
    let distance = fields::get_all(feature, quantised, "distance")?;
    let bearing = fields::get_all(feature, quantised, "bearing")?;
    Ok(distance
        .zip(bearing)
        .take(count)
        .map(|(distance_m, bearing_rad)| Sighting { distance_m, bearing_rad }))
}

/// Other robots that were seen, nearest first.
///
/// Fields: `count`, and `distance`, `bearing`, `team` of the shape `[max]`; a team of `+inf` is no team.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RobotSightings {
    /// Distance and bearing of each robot's origin, with its team.
    pub robots: Vec<RobotSighting>,
}

/// One robot that was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RobotSighting {
    /// The direction and the distance in which it is seen.
    pub sighting: Sighting,
    /// Its team: index into the world's teams.
    pub team: Option<u32>,
}

impl RobotSightings {
    /// The name of the feature.
    pub const FEATURE: &str = "robots";

    /// The format, with room for this many robots.
    pub fn feature(max: u32) -> Feature {
        let mut fields = rows(max);
        fields.push(Field::unsigned("team", "1", 1.0, &[max]));
        Feature::new(Self::FEATURE, fields)
    }
}

impl DataObject for RobotSightings {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        encode_rows(feature, quantised, self.robots.iter().map(|robot| Some(robot.sighting)))?;
        let teams = self.robots.iter().map(|robot| robot.team.map_or(f64::INFINITY, f64::from));
        fields::put_all(feature, quantised, "team", f64::INFINITY, teams)
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let teams = fields::get_all(feature, quantised, "team")?;
        let robots = decode_rows(feature, quantised)?.zip(teams).map(|(sighting, team)| RobotSighting {
            sighting,
            team: fields::present(team).map(|team| team as u32),
        });
        Ok(Self { robots: robots.collect() })
    }
}
