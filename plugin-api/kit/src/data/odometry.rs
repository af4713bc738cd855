//! What a robot believes of its own motion. [S1, R4]

use super::{DataError, DataObject, fields};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::layout::{Feature, Field};
use touchline_plugin_api::motion::MotionDescription;

/// Pose by dead reckoning, velocities, and the motion model's published data.
///
/// | field | unit | scale |
/// |---|---|---|
/// | `x`, `y` | m | 1e-4 |
/// | `theta` | rad | 1e-5 |
/// | `velocity_x`, `velocity_y` | m/s | 0.001 |
/// | `velocity_turn` | rad/s | 1e-4 |
/// | `motion/<name>`, one for each datum of the motion model | its own | 1e-4 |
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Odometry {
    /// The robot in the odometry frame: where it believes to be, seen from where it started.
    pub pose: Pose2,
    /// Its velocity in its body frame.
    pub twist: Twist2,
    /// The motion data, in the order of [`MotionDescription::data`].
    pub motion_data: Vec<f64>,
}

const MOTION_PREFIX: &str = "motion/";

impl Odometry {
    /// The name of the feature.
    pub const FEATURE: &str = "odometry";

    /// The name of the field that shows this motion datum.
    pub fn motion_field(datum: &str) -> String {
        format!("{MOTION_PREFIX}{datum}")
    }

    /// The format, for a robot whose motion model publishes this data.
    pub fn feature(motion: &MotionDescription) -> Feature {
        let mut list = vec![
            Field::signed("x", "m", 1e-4, &[]),
            Field::signed("y", "m", 1e-4, &[]),
            Field::signed("theta", "rad", 1e-5, &[]),
            Field::signed("velocity_x", "m/s", 0.001, &[]),
            Field::signed("velocity_y", "m/s", 0.001, &[]),
            Field::signed("velocity_turn", "rad/s", 1e-4, &[]),
        ];
        list.extend(
            motion
                .data
                .iter()
                .map(|datum| Field::signed(&Self::motion_field(&datum.name), &datum.unit, 1e-4, &[])),
        );
        Feature::new(Self::FEATURE, list)
    }
}

impl DataObject for Odometry {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        fields::put(feature, quantised, "x", self.pose.x_m)?;
        fields::put(feature, quantised, "y", self.pose.y_m)?;
        fields::put(feature, quantised, "theta", self.pose.theta_rad)?;
        fields::put(feature, quantised, "velocity_x", self.twist.x_m_s)?;
        fields::put(feature, quantised, "velocity_y", self.twist.y_m_s)?;
        fields::put(feature, quantised, "velocity_turn", self.twist.turn_rad_s)?;
        let names = feature.fields.iter().filter(|field| field.name.starts_with(MOTION_PREFIX));
        let expected = names.clone().count();
        if self.motion_data.len() != expected {
            let feature = feature.name.clone();
            return Err(DataError::WrongLength { feature, got: self.motion_data.len(), expected });
        }
        names
            .zip(&self.motion_data)
            .try_for_each(|(field, &datum)| fields::put(feature, quantised, &field.name, datum))
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let get = |name: &str| fields::get(feature, quantised, name);
        Ok(Self {
            pose: Pose2::new(get("x")?, get("y")?, get("theta")?),
            twist: Twist2::new(get("velocity_x")?, get("velocity_y")?, get("velocity_turn")?),
            motion_data: feature
                .fields
                .iter()
                .filter(|field| field.name.starts_with(MOTION_PREFIX))
                .map(|field| get(&field.name))
                .collect::<Result<_, _>>()?,
        })
    }
}
