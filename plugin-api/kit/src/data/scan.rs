//! A fan of ranges. (S4)

use super::{DataError, DataObject, fields};
use touchline_plugin_api::layout::{Feature, Field};

/// Distances along a fan of beams, counter-clockwise, in the sensor's frame.
///
/// | field | unit | scale | shape |
/// |---|---|---|---|
/// | `angle_min` | rad | 1e-6 | scalar |
/// | `angle_step` | rad | 1e-8 (a thousand steps add up to 5e-6 rad) | scalar |
/// | `ranges` | m | 0.001 | beams |
///
/// `+inf`: nothing within the sensor's range. `-inf`: closer than it can measure (REP 117).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaserScan {
    /// The direction of beam 0 against the sensor's x axis, radians.
    pub angle_min_rad: f64,
    /// Beam `i` points to `angle_min_rad + i * angle_step_rad`.
    pub angle_step_rad: f64,
    /// One distance from the sensor's origin for each beam, metres.
    pub ranges_m: Vec<f64>,
}

impl LaserScan {
    /// The format of a scan; the sensor chooses the feature's name, such as `180DegreeScan`.
    pub fn feature(name: &str, beams: u32) -> Feature {
        Feature::new(
            name,
            vec![
                Field::signed("angle_min", "rad", 1e-6, &[]),
                Field::signed("angle_step", "rad", 1e-8, &[]),
                Field::unsigned("ranges", "m", 0.001, &[beams]),
            ],
        )
    }

    /// The direction of a beam against the sensor's x axis, radians.
    pub fn angle_rad(&self, beam: usize) -> f64 {
        self.angle_min_rad + beam as f64 * self.angle_step_rad
    }
}

impl DataObject for LaserScan {
    fn encode(&self, feature: &Feature, quantised: &mut [u32]) -> Result<(), DataError> {
        fields::check_length(feature, quantised.len())?;
        fields::put(feature, quantised, "angle_min", self.angle_min_rad)?;
        fields::put(feature, quantised, "angle_step", self.angle_step_rad)?;
        fields::put_all(feature, quantised, "ranges", f64::INFINITY, self.ranges_m.iter().copied())
    }

    fn decode(feature: &Feature, quantised: &[u32]) -> Result<Self, DataError> {
        fields::check_length(feature, quantised.len())?;
        Ok(Self {
            angle_min_rad: fields::get(feature, quantised, "angle_min")?,
            angle_step_rad: fields::get(feature, quantised, "angle_step")?,
            ranges_m: fields::get_all(feature, quantised, "ranges")?.collect(),
        })
    }
}
