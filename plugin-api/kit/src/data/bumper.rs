//! Switches of a bumper. (S7)

use super::{DataError, DataObject, fields};
use touchline_plugin_api::layout::{Feature, Field};

/// Which parts of a bumper are pressed.
///
/// | field | unit | scale | shape |
/// |---|---|---|---|
/// | `direction` | rad | 1e-4 | parts |
/// | `pressed` | 1 | 1 | parts |
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bumper {
    /// Where the middle of each part is, in the sensor's frame, radians.
    pub directions_rad: Vec<f64>,
    /// Whether each part is pressed.
    pub pressed: Vec<bool>,
}

impl Bumper {
    /// The name of the feature.
    pub const FEATURE: &str = "bumper";

    /// The format, for so many parts.
    pub fn feature(parts: u32) -> Feature {
        let shape = [parts];
        let direction = Field::signed("direction", "rad", 1e-4, &shape);
        Feature::new(Self::FEATURE, vec![direction, Field::unsigned("pressed", "1", 1.0, &shape)])
    }
}

impl DataObject for Bumper {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        fields::put_all(feature, quantised, "direction", f64::INFINITY, self.directions_rad.iter().copied())?;
        let pressed = self.pressed.iter().map(|&pressed| f64::from(u8::from(pressed)));
        fields::put_all(feature, quantised, "pressed", 0.0, pressed)
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        Ok(Self {
            directions_rad: fields::get_all(feature, quantised, "direction")?.collect(),
            pressed: fields::get_all(feature, quantised, "pressed")?.map(|pressed| pressed > 0.5).collect(),
        })
    }
}
