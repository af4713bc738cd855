//! Fields that a player looks up once and reads at every call. (P5)
//!
//! [`touchline_plugin_api::container::Reading`] finds a field by its name each time. A [`FieldReader`] is the same place, found when
//! the player is made: reading it is one lookup and one multiplication.

use touchline_plugin_api::container::{FeatureHandle, SensorCatalogue};
use touchline_plugin_api::layout::{decode, is_number};
use touchline_plugin_api::player::Readings;
use touchline_plugin_api::plugin::SetupError;
use touchline_plugin_api::view::NONE;

/// Where a field's integers lie, and what they mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldReader {
    sensor: usize,
    start: usize,
    len: usize,
    scale: f64,
    signed: bool,
}

impl FieldReader {
    /// Looks up a field of a feature.
    ///
    /// # Errors
    /// When the feature has no such field; it names the feature and its sensor.
    pub fn new(catalogue: &SensorCatalogue, handle: FeatureHandle, field: &str) -> Result<Self, SetupError> {
        let (sensor, feature) = (catalogue.sensor(handle), catalogue.feature(handle));
        let first = sensor.layout.range(handle.feature).start;
        let (start, field) = feature.field(field).ok_or_else(|| {
            let (sensor, feature) = (&sensor.id, &feature.name);
            SetupError::new(format!(
                "the feature \"{feature}\" of sensor \"{sensor}\" has no field \"{field}\""
            ))
        })?;
        let (scale, signed) = (field.scale, field.signed);
        Ok(Self { sensor: handle.sensor, start: first + start, len: field.len(), scale, signed })
    }

    /// How many values the field has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the field has no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value at this place, in the field's unit; `None` if the sensor was not read, has failed, or saw nothing
    /// there (a count for plus or minus infinity).
    #[inline]
    pub fn get(&self, readings: &Readings<'_>, index: usize) -> Option<f64> {
        let span = readings.spans.get(self.sensor)?;
        let offset = self.start + index;
        if index >= self.len || span.start == NONE || offset >= span.len as usize {
            return None;
        }
        let count = *readings.quantised.get(span.start as usize + offset)?;
        is_number(count, self.signed).then(|| decode(count, self.scale, self.signed))
    }

    /// All values, in the field's unit, those that are plus or minus infinity too; `None` if the sensor was not read or
    /// has failed.
    #[inline]
    pub fn all<'a>(&self, readings: &Readings<'a>) -> Option<impl ExactSizeIterator<Item = f64> + use<'a>> {
        let span = readings.spans.get(self.sensor).filter(|span| span.start != NONE)?;
        let sensor = readings.quantised.get(span.start as usize..)?.get(..span.len as usize)?;
        let counts = sensor.get(self.start..self.start + self.len)?;
        let (scale, signed) = (self.scale, self.signed);
        Some(counts.iter().map(move |&count| decode(count, scale, signed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{BallSighting, GoalSightings};
    use touchline_plugin_api::container::{Mount, Query, SensorDescription};
    use touchline_plugin_api::layout::Layout;
    use touchline_plugin_api::player::ReadingSpan;

    /// P5: a field that was looked up once gives what a reading gives.
    #[test]
    fn it_reads_what_a_reading_reads() {
        let camera = SensorDescription {
            id: "camera".into(),
            model: "any".into(),
            sensor_type: "camera".into(),
            plugin: "camera".into(),
            mount: Mount::default(),
            layout: Layout { features: vec![BallSighting::feature(), GoalSightings::feature(2)] },
            ..SensorDescription::default()
        };
        let catalogue = SensorCatalogue { sensors: vec![camera.clone(), camera] };
        let goals = catalogue.find(&Query::feature("goals")).unwrap();
        let bearing = FieldReader::new(&catalogue, goals, "bearing").unwrap();
        let missing = FieldReader::new(&catalogue, goals, "colour").unwrap_err().to_string();
        assert!(
            missing.contains("the feature \"goals\" of sensor \"camera\" has no field \"colour\""),
            "{missing}"
        );
        // Ball: 2 integers; goals: 2 distances, 2 bearings, 2 left, 2 right.
        let quantised = [0, 0, 0, 1000, 2000, (-500i32) as u32, 0x7fff_ffff, 0, 0, 0, 0];
        let spans = [ReadingSpan { start: 1, len: 10, stamp_secs: 0.0 }, ReadingSpan::NOTHING];
        let readings =
            Readings { catalogue: &catalogue, spans: &spans, quantised: &quantised, stamp_secs: 0.0 };
        assert_eq!(bearing.len(), 2);
        assert!((bearing.get(&readings, 0).unwrap() + 0.05).abs() < 1e-12);
        let by_name: Vec<f64> = readings.get(goals).unwrap().field("bearing").unwrap().collect();
        assert_eq!(bearing.get(&readings, 0), Some(by_name[0]));
        assert_eq!((bearing.get(&readings, 1), bearing.get(&readings, 2)), (None, None));
        assert_eq!(bearing.all(&readings).unwrap().collect::<Vec<_>>(), by_name);
        let unread = FieldReader { sensor: 1, ..bearing };
        assert_eq!((unread.get(&readings, 0), unread.all(&readings).is_none()), (None, true));
    }
}
