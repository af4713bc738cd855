//! An ultrasonic range finder: how far the nearest obstacle in the cone of each sonar is. (S5)
//!
//! The distance is exact, not that of a fan of rays ([`cone`]). Each range gets noise of its own. Ranges follow
//! REP 117: `+inf` is no echo within range, `-inf` is too close.
//!
//! # Not here
//! Echoes of one sonar that another hears, and those that come over two walls.

#![forbid(unsafe_code)]

mod cone;
mod params;

use cone::{Cone, Echo};
pub use params::UltrasonicParams;
use std::f64::consts::FRAC_PI_2;
use touchline_kit::data::{DataObject, Sonar};
use touchline_kit::rays::{cast_ray, is_solid_at};
use touchline_plugin_api::geometry::{Pose2, atan2, sin_cos};
use touchline_plugin_api::layout::{Field, Layout};
use touchline_plugin_api::noise::Noise;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::Shape;

pub struct Ultrasonic {
    params: UltrasonicParams,
    places: Vec<Pose2>,
    /// Below this cosine of the incidence a surface throws the sound away; `None` if none does.
    cos_incidence_min: Option<f64>,
    layout: Layout,
    /// A reading without an echo: where the sonars sit is the same in every one.
    blank: Vec<u32>,
    /// Where the ranges begin, and their field.
    ranges: (usize, Field),
}

impl Sensor for Ultrasonic {
    const NAME: &'static str = "ultrasonic";
    const SUMMARY: &'static str = "Ultrasonic range finder: nearest obstacle in each sonar's cone.";
    const TYPE: &'static str = "ultrasonic";
    const SERVES_ALL: bool = true;
    type Params = UltrasonicParams;
    type State = Stateless;

    fn new(params: Self::Params, _setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let places = params.places();
        let feature = Sonar::feature(places.len() as u32);
        let mut blank = vec![0; feature.len()];
        let silent = Sonar {
            opening_angle_rad: params.opening_angle_rad,
            mounts: places.clone(),
            ranges_m: Vec::new(),
        };
        silent.encode(&feature, &mut blank).map_err(|error| SetupError::new(error.to_string()))?;
        let ranges = feature.field("ranges").map(|(start, field)| (start, field.clone()));
        let ranges =
            ranges.ok_or_else(|| SetupError::new("a sonar has another format than this sensor writes"))?;
        let incidence_rad = params.max_incidence_rad;
        let cos_incidence_min = (incidence_rad < FRAC_PI_2).then(|| sin_cos(incidence_rad).1);
        let layout = Layout { features: vec![feature] };
        Ok(Self { params, places, cos_incidence_min, layout, blank, ranges })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        quantised.copy_from_slice(&self.blank);
        let mut noise = input.noise.stream();
        let (start, field) = &self.ranges;
        for (count, &place) in quantised[*start..].iter_mut().zip(&self.places) {
            let range_m = self.range_m(input, input.sensor_pose.compose(place));
            *count = field.encode(self.measured_m(range_m, &mut noise));
        }
        Ok(())
    }
}

impl Ultrasonic {
    /// The true distance of what a sonar hears, `+inf` if that is nothing.
    fn range_m(&self, input: &SensorInput<'_>, sonar: Pose2) -> f64 {
        let cone = Cone::new(sonar, self.params.opening_angle_rad);
        let Some(cos_incidence_min) = self.cos_incidence_min else {
            return self.echoes(input, &cone).map(|echo| echo.distance_m).fold(f64::INFINITY, f64::min);
        };
        let mut echoes: Vec<Echo> = self.echoes(input, &cone).collect();
        echoes.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
        let is_heard = |(index, echo): &(usize, Echo)| {
            // Whatever is nearer has thrown the sound away; nothing is heard through it.
            echo.cos_incidence >= cos_incidence_min && (*index == 0 || !is_hidden(input, sonar, echo))
        };
        echoes.into_iter().enumerate().find(is_heard).map_or(f64::INFINITY, |(_, echo)| echo.distance_m)
    }

    /// The nearest point of each shape within cone and range.
    fn echoes(&self, input: &SensorInput<'_>, cone: &Cone) -> impl Iterator<Item = Echo> {
        let (view, own, far_m) = (input.view, input.robot_object, self.params.range_max_m);
        let z_m = input.sensor_z_m;
        let objects = view.objects.iter().enumerate().filter(move |(index, object)| {
            let centre = [object.pose.x_m, object.pose.y_m];
            *index as u32 != own && !cone.misses_disc(centre, object.radius_m, far_m)
        });
        objects
            .flat_map(move |(_, object)| view.shapes_of(object))
            .filter(move |shape| {
                is_solid_at(shape, z_m) && !cone.misses_disc([shape.x_m, shape.y_m], shape.radius_m, far_m)
            })
            .filter_map(|shape| cone.nearest(shape))
            .filter(move |echo| echo.distance_m <= far_m)
    }

    /// What the sensor says of a true distance.
    fn measured_m(&self, range_m: f64, noise: &mut Noise) -> f64 {
        let UltrasonicParams { sigma_m, sigma_range_relative, dropout_probability, .. } = self.params;
        if range_m > self.params.range_max_m
            || (dropout_probability > 0.0 && noise.chance(dropout_probability))
        {
            f64::INFINITY
        } else if range_m < self.params.range_min_m {
            f64::NEG_INFINITY
        } else {
            let grown_m = sigma_range_relative * range_m;
            (range_m + noise.gaussian((sigma_m * sigma_m + grown_m * grown_m).sqrt())).max(0.0)
        }
    }
}

/// Whether another solid shape stands before an echo's place.
fn is_hidden(input: &SensorInput<'_>, sonar: Pose2, echo: &Echo) -> bool {
    // The echo's own shape begins at the distance itself.
    const CLEARANCE_M: f64 = 1e-6;
    let angle_rad = atan2(echo.direction[1], echo.direction[0]);
    let stands_before =
        |shape: &Shape| shape.object != input.robot_object && is_solid_at(shape, input.sensor_z_m);
    let until_m = echo.distance_m - CLEARANCE_M;
    cast_ray(&input.view, [sonar.x_m, sonar.y_m], angle_rad, until_m, stands_before).is_some()
}

touchline_plugin_api::export_sensor!(Ultrasonic);

#[cfg(test)]
mod tests;
