//! A compass: where its x axis points in the world. (S7)
//!
//! Three errors are added to the true heading: noise of each reading, a constant bias, and a disturbance that changes
//! slowly. All three are drawn by name and not integrated, so there is no state and an unread compass costs nothing:
//! the bias has a stream of its own, and so has each period of the disturbance.

#![forbid(unsafe_code)]

mod params;

pub use params::CompassParams;
use std::f64::consts::FRAC_PI_2;
use touchline_kit::data::{Compass as CompassData, DataObject};
use touchline_plugin_api::geometry::{sin_cos, wrap_angle};
use touchline_plugin_api::layout::{Feature, Layout};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;

pub struct Compass {
    params: CompassParams,
    feature: Feature,
}

/// Streams beside that of the readings.
const BIAS_STREAM: u64 = 1;
const DISTURBANCE_STREAM: u64 = 2;

impl Sensor for Compass {
    const NAME: &'static str = "compass";
    const SUMMARY: &'static str = "Compass: the heading in the world, with noise, bias and disturbance.";
    const TYPE: &'static str = "compass";
    const SERVES_ALL: bool = true;
    type Params = CompassParams;
    type State = Stateless;

    fn new(params: Self::Params, _setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        Ok(Self { params, feature: CompassData::feature() })
    }

    fn layout(&self) -> Layout {
        Layout { features: vec![self.feature.clone()] }
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let error_rad = input.noise.stream().gaussian(self.params.sigma_rad)
            + self.bias_rad(input.noise)
            + self.disturbance_rad(input.noise, input.view.time_secs);
        let heading_rad = wrap_angle(input.sensor_pose.theta_rad + error_rad);
        let reading = CompassData { heading_rad };
        reading.encode(&self.feature, quantised).map_err(|error| Fault::new(error.to_string()))
    }
}

impl Compass {
    fn bias_rad(&self, noise: NoiseKey) -> f64 {
        noise.at_step(0).split(BIAS_STREAM).stream().gaussian(self.params.sigma_bias_rad)
    }

    /// Goes from one independent draw to the next. The weights are sine and cosine, the sum of whose squares is one:
    /// so the deviation is the same at any time, and not only where a period begins.
    fn disturbance_rad(&self, noise: NoiseKey, time_secs: f64) -> f64 {
        let sigma_rad = self.params.sigma_disturbance_rad;
        if sigma_rad == 0.0 {
            return 0.0;
        }
        let periods = (time_secs / self.params.disturbance_period_s).max(0.0);
        let whole = periods.floor();
        let draw = |period| noise.at_step(period).split(DISTURBANCE_STREAM).stream().gaussian(sigma_rad);
        let (sin, cos) = sin_cos((periods - whole) * FRAC_PI_2);
        let period = whole as u64;
        cos * draw(period) + sin * draw(period.saturating_add(1))
    }
}

touchline_plugin_api::export_sensor!(Compass);

#[cfg(test)]
mod tests;
