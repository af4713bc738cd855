//! What software makes of a range finder's scan: obstacles, and where on the field the robot is. (S4)

use super::iconic::{decode_rows, encode_rows, rows};
use super::{DISTANCE_SCALE_M, DataError, DataObject, Sighting, fields};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::{Feature, Field};

/// Obstacles, nearest first.
///
/// Fields: `count`, and `distance`, `bearing`, `width` of the shape `[max]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Obstacles {
    /// The obstacles, nearest first.
    pub obstacles: Vec<Obstacle>,
}

/// One obstacle: the side of it that the sensor sees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Obstacle {
    /// The middle of what is seen of it.
    pub sighting: Sighting,
    /// From one end of what is seen of it to the farthest part, as a rule the other end, metres.
    pub width_m: f64,
}

impl Obstacles {
    /// The name of the feature.
    pub const FEATURE: &str = "obstacles";

    /// The format, with room for this many obstacles.
    pub fn feature(max: u32) -> Feature {
        let mut fields = rows(max);
        fields.push(Field::unsigned("width", "m", DISTANCE_SCALE_M, &[max]));
        Feature::new(Self::FEATURE, fields)
    }
}

impl DataObject for Obstacles {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        encode_rows(feature, quantised, self.obstacles.iter().map(|obstacle| Some(obstacle.sighting)))?;
        let widths = self.obstacles.iter().map(|obstacle| obstacle.width_m);
        fields::put_all(feature, quantised, "width", f64::INFINITY, widths)
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let widths = fields::get_all(feature, quantised, "width")?;
        let obstacles = decode_rows(feature, quantised)?
            .zip(widths)
            .map(|(sighting, width_m)| Obstacle { sighting, width_m });
        Ok(Self { obstacles: obstacles.collect() })
    }
}

/// Where the robot believes to be in the world, found anew in each reading.
///
/// | field | unit | scale |
/// |---|---|---|
/// | `x`, `y` | m | 0.001 |
/// | `theta` | rad | 1e-4 |
///
/// All three are `+inf` if it does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldPose {
    /// The robot (not the sensor) in the world; `None` if it does not know.
    pub pose: Option<Pose2>,
}

impl FieldPose {
    /// The name of the feature.
    pub const FEATURE: &str = "pose";

    /// Fields and units of the feature.
    pub fn feature() -> Feature {
        Feature::new(
            Self::FEATURE,
            vec![
                Field::signed("x", "m", 0.001, &[]),
                Field::signed("y", "m", 0.001, &[]),
                Field::signed("theta", "rad", 1e-4, &[]),
            ],
        )
    }
}

impl DataObject for FieldPose {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        let nowhere = Pose2::new(f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let pose = self.pose.unwrap_or(nowhere);
        fields::put(feature, quantised, "x", pose.x_m)?;
        fields::put(feature, quantised, "y", pose.y_m)?;
        fields::put(feature, quantised, "theta", pose.theta_rad)
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let get = |name: &str| fields::get(feature, quantised, name);
        let pose = Pose2::new(get("x")?, get("y")?, get("theta")?);
        Ok(Self { pose: pose.is_finite().then_some(pose) })
    }
}
