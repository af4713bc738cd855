//! Echoes of one sonar, or of a ring of several. (S5)

use super::{DataError, DataObject, fields};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::{Feature, Field};

/// For each sonar where it sits, and how far the nearest obstacle in its cone is.
///
/// | field | unit | scale | shape |
/// |---|---|---|---|
/// | `opening_angle` | rad | 1e-4 | scalar |
/// | `x`, `y` | m | 0.001 | sonars |
/// | `theta` | rad | 1e-4 | sonars |
/// | `ranges` | m | 0.001 | sonars |
///
/// `+inf`: no echo within the range. `-inf`: closer than it can measure (REP 117).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sonar {
    /// The whole angle of each cone, radians.
    pub opening_angle_rad: f64,
    /// Each sonar in the sensor's frame: its place, and its heading as the axis of its cone.
    pub mounts: Vec<Pose2>,
    /// One distance for each sonar, from its own place, metres.
    pub ranges_m: Vec<f64>,
}

impl Sonar {
    /// The name of the feature.
    pub const FEATURE: &str = "sonar";

    /// The format, for so many sonars.
    pub fn feature(sonars: u32) -> Feature {
        let shape = [sonars];
        Feature::new(
            Self::FEATURE,
            vec![
                Field::unsigned("opening_angle", "rad", 1e-4, &[]),
                Field::signed("x", "m", 0.001, &shape),
                Field::signed("y", "m", 0.001, &shape),
                Field::signed("theta", "rad", 1e-4, &shape),
                Field::unsigned("ranges", "m", 0.001, &shape),
            ],
        )
    }
}

impl DataObject for Sonar {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        fields::put(feature, quantised, "opening_angle", self.opening_angle_rad)?;
        let mut put = |name: &str, part: fn(&Pose2) -> f64| {
            fields::put_all(feature, quantised, name, f64::INFINITY, self.mounts.iter().map(part))
        };
        put("x", |mount| mount.x_m)?;
        put("y", |mount| mount.y_m)?;
        put("theta", |mount| mount.theta_rad)?;
        fields::put_all(feature, quantised, "ranges", f64::INFINITY, self.ranges_m.iter().copied())
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let get = |name: &str| fields::get_all(feature, quantised, name);
        let mounts = get("x")?.zip(get("y")?).zip(get("theta")?);
        Ok(Self {
            opening_angle_rad: fields::get(feature, quantised, "opening_angle")?,
            mounts: mounts.map(|((x_m, y_m), theta_rad)| Pose2::new(x_m, y_m, theta_rad)).collect(),
            ranges_m: get("ranges")?.collect(),
        })
    }
}
