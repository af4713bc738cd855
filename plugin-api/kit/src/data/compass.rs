//! A heading. (S7)

use super::{DataError, DataObject, fields};
use touchline_plugin_api::layout::{Feature, Field};

/// Where the sensor's x axis points in the world. Field: `heading` (rad, scale 1e-4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compass {
    /// Against the world's x axis, radians, counter-clockwise, in (-pi, pi].
    pub heading_rad: f64,
}

impl Compass {
    /// The name of the feature.
    pub const FEATURE: &str = "compass";

    /// Fields and units of the feature.
    pub fn feature() -> Feature {
        Feature::new(Self::FEATURE, vec![Field::signed("heading", "rad", 1e-4, &[])])
    }
}

impl DataObject for Compass {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        fields::put(feature, quantised, "heading", self.heading_rad)
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        Ok(Self { heading_rad: fields::get(feature, quantised, "heading")? })
    }
}
