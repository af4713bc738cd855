//! A picture. (S6)

use super::{DataError, DataObject, fields};
use touchline_plugin_api::layout::{Feature, Field};

/// A colour picture, row by row from the top, each row from the left.
///
/// | field | unit | scale | shape |
/// |---|---|---|---|
/// | `pixels` | rgb | 1 | height x width |
///
/// One integer for each pixel, `0xRRGGBB` as everywhere else in Touchline: red * 65536 + green * 256 + blue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// `0xRRGGBB`, `width * height` of them.
    pub pixels: Vec<u32>,
}

impl Image {
    /// The format of a picture; the sensor chooses the feature's name, such as `image`.
    pub fn feature(name: &str, width: u32, height: u32) -> Feature {
        Feature::new(name, vec![Field::unsigned("pixels", "rgb", 1.0, &[height, width])])
    }

    /// Red, green and blue of each pixel, a byte each: what picture files and vision libraries take.
    pub fn to_rgb(&self) -> Vec<u8> {
        let bytes = |&pixel: &u32| {
            let [_, red, green, blue] = pixel.to_be_bytes();
            [red, green, blue]
        };
        self.pixels.iter().flat_map(bytes).collect()
    }

    /// One pixel, `0xRRGGBB`; `None` outside of the picture. Column 0 is on the left, row 0 at the top.
    pub fn pixel(&self, column: usize, row: usize) -> Option<u32> {
        if column < self.width { self.pixels.get(row * self.width + column).copied() } else { None }
    }
}

impl DataObject for Image {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        let (width, height) = size(feature, quantised.len())?;
        if (self.width, self.height) != (width, height) || self.pixels.len() != quantised.len() {
            return Err(fields::wrong_length(feature, self.pixels.len(), quantised.len()));
        }
        quantised.copy_from_slice(&self.pixels);
        Ok(())
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        let (width, height) = size(feature, quantised.len())?;
        // What a pixel has no bits for is no colour.
        let pixels = quantised.iter().map(|&count| count & 0xff_ffff).collect();
        Ok(Self { width, height, pixels })
    }
}

/// Width and height that the feature tells; there is no other field in it.
fn size(feature: &Feature, got: usize) -> Result<(usize, usize), DataError> {
    fields::check_length(feature, got)?;
    let (_, field) = feature.field("pixels").ok_or_else(|| fields::missing(feature, "pixels"))?;
    match field.shape[..] {
        [height, width] if field.len() == got => Ok((width as usize, height as usize)),
        _ => Err(fields::wrong_length(feature, got, field.len())),
    }
}
