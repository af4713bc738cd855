//! Field lines along a fan of scan lines. (S3)

use super::{DISTANCE_SCALE_M, DataError, DataObject, fields};
use touchline_plugin_api::layout::{Feature, Field};

/// Where the scan lines of a picture, all from the sensor's origin outwards, cross painted lines.
///
/// | field | unit | scale | shape |
/// |---|---|---|---|
/// | `angle_min` | rad | 1e-6 | scalar |
/// | `angle_step` | rad | 1e-8 | scalar |
/// | `distances` | m | 0.001 | scan lines, crossings of each |
///
/// A distance is that of the near edge of a line, on the floor, from the sensor's origin. `+inf`: no more crossings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineCrossings {
    /// The direction of scan line 0 against the sensor's x axis, radians.
    pub angle_min_rad: f64,
    /// Scan line `i` points to `angle_min_rad + i * angle_step_rad`.
    pub angle_step_rad: f64,
    /// For each scan line the distances of its crossings, from the sensor outwards, metres.
    pub distances_m: Vec<Vec<f64>>,
}

impl LineCrossings {
    /// The name of the feature.
    pub const FEATURE: &str = "lines";

    /// The format: this many scan lines, with room for so many crossings of each.
    pub fn feature(scan_lines: u32, crossings: u32) -> Feature {
        Feature::new(
            Self::FEATURE,
            vec![
                Field::signed("angle_min", "rad", 1e-6, &[]),
                Field::signed("angle_step", "rad", 1e-8, &[]),
                Field::unsigned("distances", "m", DISTANCE_SCALE_M, &[scan_lines, crossings]),
            ],
        )
    }

    /// The direction of a scan line against the sensor's x axis, radians.
    pub fn angle_rad(&self, scan_line: usize) -> f64 {
        self.angle_min_rad + scan_line as f64 * self.angle_step_rad
    }
}

/// How many scan lines a feature has, and how many crossings of each.
fn shape(feature: &Feature) -> [usize; 2] {
    let field = feature.field("distances").map(|(_, field)| field);
    let rows = field.and_then(|field| field.shape.first()).map_or(0, |&rows| rows as usize);
    [rows, field.map_or(0, Field::len).checked_div(rows).unwrap_or(0)]
}

impl DataObject for LineCrossings {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        let [rows, columns] = shape(feature);
        let longest = self.distances_m.iter().map(Vec::len).max().unwrap_or(0);
        for (got, expected) in [(self.distances_m.len(), rows), (longest, columns)] {
            if got > expected {
                return Err(DataError::WrongLength { feature: feature.name.clone(), got, expected });
            }
        }
        fields::put(feature, quantised, "angle_min", self.angle_min_rad)?;
        fields::put(feature, quantised, "angle_step", self.angle_step_rad)?;
        let mut table = vec![f64::INFINITY; rows * columns];
        for (row, distances_m) in table.chunks_mut(columns.max(1)).zip(&self.distances_m) {
            row[..distances_m.len()].copy_from_slice(distances_m);
        }
        fields::put_all(feature, quantised, "distances", f64::INFINITY, table.into_iter())
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        let all: Vec<f64> = fields::get_all(feature, quantised, "distances")?.collect();
        let rows = all.chunks(shape(feature)[1].max(1));
        Ok(Self {
            angle_min_rad: fields::get(feature, quantised, "angle_min")?,
            angle_step_rad: fields::get(feature, quantised, "angle_step")?,
            distances_m: rows
                .map(|row| row.iter().copied().take_while(|distance| distance.is_finite()).collect())
                .collect(),
        })
    }
}
