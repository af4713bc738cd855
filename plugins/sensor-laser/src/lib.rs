//! A laser range finder: raw distances along a fan of beams. (S4)
//!
//! Beams are cast in the plane at the sensor's height; the robot's own body is not met. Each range gets Gaussian
//! noise of its own. Ranges follow REP 117: `+inf` is nothing within range, `-inf` is too close.
//!
//! # Not here
//! The rays: `touchline_plugin_api::rays`. Iconic obstacles: another plugin.

#![forbid(unsafe_code)]

mod params;

pub use params::LaserParams;
use std::f64::consts::TAU;
use touchline_plugin_api::data::LaserScan;
use touchline_plugin_api::layout::{Field, Layout, encode};
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::rays::{FanTable, cast_fan};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;

/// The sensor.
pub struct Laser {
    params: LaserParams,
    table: FanTable,
    layout: Layout,
    /// The integers that are the same in every reading: first angle and step.
    head: [u32; 2],
    ranges: Field,
}

impl Sensor for Laser {
    const NAME: &'static str = "laser";
    const SUMMARY: &'static str = "Laser range finder: raw distances along a fan of beams.";
    const TYPE: &'static str = "laser";
    type Params = LaserParams;
    type State = Stateless;

    fn new(params: Self::Params, _setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let table = FanTable::centred(params.field_of_view_rad.min(TAU), params.beams as usize)
            .ok_or_else(|| SetupError::param("field_of_view_rad", "no fan has this angle"))?;
        let feature = LaserScan::feature(&params.feature_name(), params.beams);
        let [angle_min, angle_step, ranges] = &feature.fields[..] else {
            return Err(SetupError::new("a scan has another format than this sensor writes"));
        };
        let head = [angle_min.encode(table.angle_min_rad()), angle_step.encode(table.angle_step_rad())];
        let ranges = ranges.clone();
        Ok(Self { params, table, layout: Layout { features: vec![feature] }, head, ranges })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, counts: &mut [u32]) -> Result<(), Fault> {
        let mut ranges_m = vec![f64::INFINITY; self.table.len()];
        let (pose, z_m) = (input.sensor_pose, input.sensor_z_m);
        let far_m = self.params.range_max_m;
        cast_fan(&input.view, pose, &self.table, far_m, z_m, input.robot_object, &mut ranges_m);
        let mut noise = input.noise.stream();
        let (head, rest) = counts.split_at_mut(self.head.len());
        head.copy_from_slice(&self.head);
        for (count, &range_m) in rest.iter_mut().zip(&ranges_m) {
            *count = encode(self.measured_m(range_m, &mut noise), self.ranges.scale, self.ranges.signed);
        }
        Ok(())
    }
}

impl Laser {
    /// What the sensor says of a true distance.
    fn measured_m(&self, range_m: f64, noise: &mut Noise) -> f64 {
        let dropout = self.params.dropout_probability;
        if range_m > self.params.range_max_m || (dropout > 0.0 && noise.chance(dropout)) {
            f64::INFINITY
        } else if range_m < self.params.range_min_m {
            f64::NEG_INFINITY
        } else {
            (range_m + noise.gaussian(self.params.sigma_m)).max(0.0)
        }
    }
}

touchline_plugin_api::export_sensor!(Laser);

#[cfg(test)]
mod tests;
