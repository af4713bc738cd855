//! The reading's form: a row for each message that was heard.

use crate::{HearParams, Row};
use std::f64::consts::PI;
use touchline_plugin_api::layout::{Feature, Field};
use touchline_plugin_api::plugin::SetupError;

/// Name of the feature.
const FEATURE: &str = "hear";
/// One count of a direction: that server tells whole degrees.
const DEGREE_RAD: f64 = PI / 180.0;
/// What is not told: `+inf` of an unsigned and of a signed field.
const NOTHING: u32 = u32::MAX;
const NO_DIRECTION: u32 = i32::MAX as u32;

/// Fields: a direction is counter-clockwise from the body's heading, in whole degrees; a text is one byte (UTF-8) a number, with zeros behind its end.
pub fn feature(params: &HearParams) -> Feature {
    let rows: &[u32] = &[params.messages];
    let count = |name: &str| Field::unsigned(name, "1", 1.0, rows);
    let fields = vec![
        count("heard"),
        count("sender"),
        count("unum"),
        Field::signed("direction", "rad", DEGREE_RAD, rows),
        Field::unsigned("text", "1", 1.0, &[params.messages, params.text_bytes]),
    ];
    Feature::new(FEATURE, fields)
}

/// Where each field begins.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    heard: usize,
    sender: usize,
    unum: usize,
    direction: usize,
    text: usize,
    count: usize,
    text_bytes: usize,
}

impl Rows {
    /// Looks up all fields.
    ///
    /// # Errors
    /// When one is missing.
    pub fn of(feature: &Feature) -> Result<Self, SetupError> {
        let place = |name: &str| {
            let found = feature.field(name).ok_or_else(|| SetupError::new(format!("no field {name}")))?;
            Ok::<_, SetupError>((found.0, found.1.len()))
        };
        let ((heard, count), (text, all)) = (place("heard")?, place("text")?);
        let [sender, unum, direction] = [place("sender")?.0, place("unum")?.0, place("direction")?.0];
        Ok(Self { heard, sender, unum, direction, text, count, text_bytes: all / count.max(1) })
    }

    /// Nothing was heard.
    pub fn clear(&self, quantised: &mut [u32]) {
        quantised.fill(0);
        quantised[self.unum..self.unum + self.count].fill(NOTHING);
        quantised[self.direction..self.direction + self.count].fill(NO_DIRECTION);
    }

    /// Writes a message; one behind the last row is not told.
    pub fn write(&self, quantised: &mut [u32], place: usize, row: &Row, direction_rad: Option<f64>) {
        if place >= self.count {
            return;
        }
        quantised[self.heard + place] = 1 + u32::from(row.text.is_some());
        quantised[self.sender + place] = row.whose as u32;
        quantised[self.unum + place] = row.unum.unwrap_or(NOTHING);
        // That server cuts off what is behind the point.
        let direction = direction_rad.map(|rad| rad.to_degrees() as i32 as u32);
        quantised[self.direction + place] = direction.unwrap_or(NO_DIRECTION);
        let text = row.text.as_deref().unwrap_or_default();
        let places = quantised[self.text + place * self.text_bytes..].iter_mut().take(self.text_bytes);
        places.zip(text.bytes()).for_each(|(place, byte)| *place = u32::from(byte));
    }
}
