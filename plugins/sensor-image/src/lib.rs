//! A camera that gives images: the scene in three dimensions, rendered in software. (S6)
//!
//! Every shape of the world stands from its lowest to its highest height, balls are spheres, and what lies flat is painted
//! on the floor. The colour of a pixel is that of what its middle shows. Where pixels look: `eye`. How a shape becomes
//! pixels: `draw`.
//!
//! # Not here
//! What is to be seen in an image: that is for those who read it. Iconic data without an image: `plugins/sensor-camera`.

#![forbid(unsafe_code)]

mod canvas;
mod draw;
mod eye;
mod light;
mod params;

use canvas::Canvas;
use eye::{Eye, Lens};
use params::parse_colour;
pub use params::{ImageParams, Projection};
use touchline_kit::data::Image;
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::{ObjectKind, Role, Shape, ShapeKind};

pub struct Camera {
    lens: Lens,
    /// Columns and rows of the image.
    size: [usize; 2],
    /// Samples of a pixel along each of its sides.
    samples: usize,
    floor: u32,
    sky: u32,
    sigma_rgb: f64,
    layout: Layout,
}

impl Sensor for Camera {
    const NAME: &'static str = "image";
    const SUMMARY: &'static str =
        "Camera image: the scene rendered, in perspective or in an isometric mirror.";
    const TYPE: &'static str = "image";
    const SERVES_ALL: bool = true;
    type Params = ImageParams;
    type State = Stateless;

    fn new(params: Self::Params, setup: &SensorSetup) -> Result<Self, SetupError> {
        let mut problems = params.check().err().unwrap_or_default();
        let z_m = setup.mount.z_m;
        // Written so that NaN fails.
        if !(z_m >= 0.0 && (z_m > 0.0 || params.projection == Projection::Perspective)) {
            let message = format!("mounted at z_m = {z_m} m; the camera must be above the floor");
            problems.problems.extend(SetupError::new(message).problems);
        }
        problems.into_result()?;
        let colour = |text: &str| parse_colour(text).ok_or_else(|| SetupError::new("a colour is none"));
        let size = [params.width as usize, params.height as usize];
        let samples = params.samples as usize;
        let feature = Image::feature(&params.feature, params.width, params.height);
        Ok(Self {
            lens: Lens::new(&params, size[0] * samples, size[1] * samples),
            size,
            samples,
            floor: colour(&params.floor_colour)?,
            sky: colour(&params.sky_colour)?,
            sigma_rgb: params.sigma_rgb,
            layout: Layout { features: vec![feature] },
        })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let size = self.size.map(|pixels| pixels * self.samples);
        let eye = Eye::new(&self.lens, size, input.sensor_pose, input.sensor_z_m);
        if self.samples == 1 {
            self.render(&eye, input, quantised);
        } else {
            let mut fine = vec![0; size[0] * size[1]];
            self.render(&eye, input, &mut fine);
            average(&fine, self.samples, self.size[0], quantised);
        }
        if self.sigma_rgb > 0.0 {
            let mut noise = input.noise.stream();
            // Normal numbers are cheaper in pairs: three of them are two pixels.
            for pixels in quantised.chunks_mut(2) {
                let errors = [(); 3].map(|()| noise.gaussian_pair([self.sigma_rgb; 2]));
                for (pixel, errors) in pixels.iter_mut().zip(errors.as_flattened().chunks_exact(3)) {
                    *pixel = noisy(*pixel, errors);
                }
            }
        }
        Ok(())
    }
}

impl Camera {
    fn render(&self, eye: &Eye, input: &SensorInput<'_>, pixels: &mut [u32]) {
        let mut canvas = Canvas::new(eye, self.floor, self.sky, pixels);
        let others = || {
            let objects = input.view.objects.iter().enumerate();
            let others = objects.filter(|&(index, _)| index != input.robot_object as usize);
            others.flat_map(|(_, object)| {
                input.view.shapes_of(object).iter().map(move |shape| (object.kind(), shape))
            })
        };
        // In the order of the world file: what comes later covers what came before.
        others()
            .filter(|(_, shape)| is_flat(shape))
            .for_each(|(_, shape)| draw::paint(&mut canvas, eye, shape));
        for (kind, shape) in others().filter(|(_, shape)| !is_flat(shape)) {
            match (kind, shape.kind()) {
                (ObjectKind::Ball, ShapeKind::Ellipse) => draw::ball(&mut canvas, eye, shape),
                _ => draw::stand(&mut canvas, eye, shape),
            }
        }
        if let Lens::Omnidirectional { radius, .. } = self.lens {
            blacken(pixels, eye.size, radius);
        }
    }
}

/// Whether a shape has no height. A goal is the room between its walls: only its floor is seen.
fn is_flat(shape: &Shape) -> bool {
    shape.z_top_m <= 0.0 || (shape.has_role(Role::Goal) && shape.solid == 0)
}

/// Blackens all that is outside of a circle around the middle.
fn blacken(pixels: &mut [u32], [width, height]: [usize; 2], radius: f64) {
    let middle = [width, height].map(|pixels| (pixels as f64 - 1.0) / 2.0);
    for (row, line) in pixels.chunks_exact_mut(width).enumerate() {
        let down = row as f64 - middle[1];
        let half = (radius * radius - down * down).max(0.0).sqrt();
        let is_outside = |column: usize| (column as f64 - middle[0]).abs() > half;
        // The circle is symmetric.
        let outside = (0..width.div_ceil(2)).take_while(|&column| is_outside(column)).count();
        line[..outside].fill(0);
        line[width - outside..].fill(0);
    }
}

/// The mean of each pixel's samples.
fn average(fine: &[u32], samples: usize, width: usize, pixels: &mut [u32]) {
    let count = (samples * samples) as u32;
    let lines = fine.chunks_exact(width * samples * samples);
    for (line, lines) in pixels.chunks_exact_mut(width).zip(lines) {
        for (column, pixel) in line.iter_mut().enumerate() {
            let mut sums = [count / 2; 3];
            for row in lines.chunks_exact(width * samples) {
                for sample in &row[column * samples..][..samples] {
                    sums[0] += sample >> 16;
                    sums[1] += sample >> 8 & 0xff;
                    sums[2] += sample & 0xff;
                }
            }
            *pixel = sums.iter().fold(0, |pixel, sum| (pixel << 8) | (sum / count));
        }
    }
}

/// A pixel with an error added to each of its colours, held between black and full.
fn noisy(pixel: u32, errors: &[f64]) -> u32 {
    let mut levels = pixel.to_be_bytes();
    for (level, error) in levels[1..].iter_mut().zip(errors) {
        // A cast cuts off towards 0 and holds a number at the ends of its range.
        *level = (f64::from(*level) + error + 0.5) as u8;
    }
    u32::from_be_bytes(levels)
}

touchline_plugin_api::export_sensor!(Camera);

#[cfg(test)]
mod tests;
