//! A laser range finder: raw distances along a fan of beams, and what software makes of them. (S4)
//!
//! Beams are cast in the plane at the sensor's height; the robot's own body is not met. Each range gets Gaussian
//! noise of its own. Ranges follow REP 117: `+inf` is nothing within range, `-inf` is too close. Obstacles are found in
//! the same ranges; the pose on the field is the true one with noise.
//!
//! # Not here
//! The rays: `touchline_kit::rays`.

#![forbid(unsafe_code)]

mod obstacles;
mod params;

pub use params::{Content, LaserParams};
use std::f64::consts::TAU;
use touchline_kit::data::{DataError, DataObject, FieldPose, LaserScan, Obstacles};
use touchline_kit::rays::{FanTable, cast_fan};
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::layout::{Feature, Field, Layout, encode_all};
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;

pub struct Laser {
    params: LaserParams,
    table: FanTable,
    layout: Layout,
    /// How many integers each feature has.
    lens: Vec<usize>,
    /// The integers that are the same in every reading: first angle and step.
    head: [u32; 2],
    ranges: Field,
}

/// The pose has a stream of its own: its noise does not depend on whether a scan is made.
const POSE_STREAM: u64 = 1;

impl Sensor for Laser {
    const NAME: &'static str = "laser";
    const SUMMARY: &'static str = "Laser range finder: raw distances; obstacles and a pose made of them.";
    const TYPE: &'static str = "laser";
    const SERVES_ALL: bool = true;
    type Params = LaserParams;
    type State = Stateless;

    fn new(params: Self::Params, _setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let table = FanTable::centred(params.view_rad(), params.beams as usize)
            .ok_or_else(|| SetupError::param("field_of_view_rad", "no fan has this angle"))?;
        let scan = LaserScan::feature(&params.feature_name(), params.beams);
        let [angle_min, angle_step, ranges] = &scan.fields[..] else {
            return Err(SetupError::new("a scan has another format than this sensor writes"));
        };
        let head = [angle_min.encode(table.angle_min_rad()), angle_step.encode(table.angle_step_rad())];
        let ranges = ranges.clone();
        let feature = |content: &Content| match content {
            Content::Scan => scan.clone(),
            Content::Obstacles => Obstacles::feature(params.max_obstacles),
            Content::Pose => FieldPose::feature(),
        };
        let layout = Layout { features: params.features.iter().map(feature).collect() };
        check_names(&layout)?;
        let lens = layout.features.iter().map(Feature::len).collect();
        Ok(Self { params, table, layout, lens, head, ranges })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let ranges_m = if self.params.features == [Content::Pose] { Vec::new() } else { self.measure(input) };
        let mut rest = quantised;
        let features = self.layout.features.iter().zip(&self.lens);
        for (content, (feature, &len)) in self.params.features.iter().zip(features) {
            let (quantised, others) = rest.split_at_mut(len);
            rest = others;
            let written: Result<(), DataError> = match content {
                Content::Scan => {
                    self.put_scan(&ranges_m, quantised);
                    Ok(())
                }
                Content::Obstacles => {
                    let is_ring = self.params.view_rad() >= TAU;
                    obstacles::obstacles(&self.params, &self.table, &ranges_m, is_ring)
                        .encode(feature, quantised)
                }
                Content::Pose => self.pose(input).encode(feature, quantised),
            };
            written.map_err(|error| Fault::new(error.to_string()))?;
        }
        Ok(())
    }
}

/// A scan may have any name, but not one that is taken.
fn check_names(layout: &Layout) -> Result<(), SetupError> {
    let names: Vec<_> = layout.features.iter().map(|feature| feature.name.as_str()).collect();
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => {
            Err(SetupError::param("feature", format!("\"{name}\" is the name of another feature")))
        }
        None => Ok(()),
    }
}

impl Laser {
    /// The ranges as they are read, with noise.
    fn measure(&self, input: &SensorInput<'_>) -> Vec<f64> {
        let mut ranges_m = vec![0.0; self.table.len()];
        let (pose, z_m) = (input.sensor_pose, input.sensor_z_m);
        let far_m = self.params.range_max_m;
        cast_fan(&input.view, pose, &self.table, far_m, z_m, input.robot_object, &mut ranges_m);
        if self.params.sigma_m == 0.0 && self.params.dropout_probability == 0.0 {
            // Nothing is drawn: the processor takes several beams side by side.
            ranges_m.iter_mut().for_each(|range_m| *range_m = self.said_m(*range_m, 0.0));
        } else {
            let mut noise = input.noise.stream();
            ranges_m.iter_mut().for_each(|range_m| *range_m = self.measured_m(*range_m, &mut noise));
        }
        ranges_m
    }

    fn put_scan(&self, ranges_m: &[f64], quantised: &mut [u32]) {
        let (head, rest) = quantised.split_at_mut(self.head.len());
        head.copy_from_slice(&self.head);
        encode_all(ranges_m, self.ranges.scale, self.ranges.signed, rest);
    }

    fn pose(&self, input: &SensorInput<'_>) -> FieldPose {
        let LaserParams { sigma_pose_m, sigma_pose_rad, .. } = self.params;
        let (pose, mut noise) = (input.robot_pose, input.noise.split(POSE_STREAM).stream());
        FieldPose {
            pose: Some(Pose2 {
                x_m: pose.x_m + noise.gaussian(sigma_pose_m),
                y_m: pose.y_m + noise.gaussian(sigma_pose_m),
                theta_rad: wrap_angle(pose.theta_rad + noise.gaussian(sigma_pose_rad)),
            }),
        }
    }

    /// What the sensor measures where this is the true distance; it draws an error for what it can measure only.
    fn measured_m(&self, range_m: f64, noise: &mut Noise) -> f64 {
        let LaserParams { range_min_m, range_max_m, sigma_m, dropout_probability, .. } = self.params;
        if range_m <= range_max_m && dropout_probability > 0.0 && noise.chance(dropout_probability) {
            return f64::INFINITY;
        }
        let is_measured = (range_min_m..=range_max_m).contains(&range_m);
        self.said_m(range_m, if is_measured { noise.gaussian(sigma_m) } else { 0.0 })
    }

    /// What the sensor says of a distance that it measures with this error; without a branch.
    #[inline]
    fn said_m(&self, range_m: f64, error_m: f64) -> f64 {
        let said_m = (range_m + error_m).max(0.0);
        let said_m = if range_m < self.params.range_min_m { f64::NEG_INFINITY } else { said_m };
        if range_m > self.params.range_max_m { f64::INFINITY } else { said_m }
    }
}

touchline_plugin_api::export_sensor!(Laser);

#[cfg(test)]
mod tests;
