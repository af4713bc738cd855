//! A bumper: switches around the body that close when something touches it. (S7)
//!
//! The physics keeps bodies a hair apart, and a real bumper gives way by some millimetres before its switch closes; so a
//! part is pressed when something solid comes nearer to the bumper's arc than its play. It is measured along rays from the
//! middle, two degrees apart at most: a pole of 2 cm in diameter at 0.25 m is met by two of them.

#![forbid(unsafe_code)]

mod params;

pub use params::BumperParams;
use touchline_kit::data::{Bumper as BumperData, DataObject};
use touchline_kit::rays::{cast_ray, is_solid_at};
use touchline_plugin_api::layout::{Feature, Layout};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;

/// The greatest angle between two rays, radians.
const RAY_STEP_RAD: f64 = 0.035;

pub struct Bumper {
    params: BumperParams,
    feature: Feature,
    /// The middle of each part, radians.
    directions_rad: Vec<f64>,
    rays_per_part: u32,
}

impl Sensor for Bumper {
    const NAME: &'static str = "bumper";
    const SUMMARY: &'static str = "Bumper: switches around the body that close when it touches something.";
    const TYPE: &'static str = "bumper";
    const SERVES_ALL: bool = true;
    type Params = BumperParams;
    type State = Stateless;

    fn new(params: Self::Params, _setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let part_rad = params.arc_rad / f64::from(params.parts);
        let direction = |part: u32| (f64::from(part) + 0.5) * part_rad - params.arc_rad / 2.0;
        Ok(Self {
            feature: BumperData::feature(params.parts),
            directions_rad: (0..params.parts).map(direction).collect(),
            rays_per_part: ((part_rad / RAY_STEP_RAD).ceil() as u32).max(1),
            params,
        })
    }

    fn layout(&self) -> Layout {
        Layout { features: vec![self.feature.clone()] }
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let mut noise = input.noise.stream();
        let mut pressed = |&direction_rad: &f64| {
            // Drawn for every part, so that what happens at one changes nothing at the next.
            let missed = noise.chance(self.params.false_negative_probability);
            self.touches(direction_rad, input) && !missed
        };
        let pressed = self.directions_rad.iter().map(&mut pressed).collect();
        let reading = BumperData { directions_rad: self.directions_rad.clone(), pressed };
        reading.encode(&self.feature, quantised).map_err(|error| Fault::new(error.to_string()))
    }
}

impl Bumper {
    fn touches(&self, direction_rad: f64, input: &SensorInput<'_>) -> bool {
        let part_rad = self.params.arc_rad / f64::from(self.params.parts);
        let sensor = input.sensor_pose;
        let reach_m = self.params.radius_m + self.params.travel_m;
        let foreign = |shape: &touchline_plugin_api::view::Shape| {
            shape.object != input.robot_object && is_solid_at(shape, input.sensor_z_m)
        };
        (0..self.rays_per_part).any(|ray| {
            let offset = (f64::from(ray) + 0.5) / f64::from(self.rays_per_part) - 0.5;
            let angle_rad = sensor.theta_rad + direction_rad + offset * part_rad;
            cast_ray(&input.view, [sensor.x_m, sensor.y_m], angle_rad, reach_m, foreign).is_some()
        })
    }
}

touchline_plugin_api::export_sensor!(Bumper);

#[cfg(test)]
mod tests;
