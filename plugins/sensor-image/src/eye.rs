//! Where each pixel looks.
//!
//! Both cameras are pin-holes. In the picture of the isometric mirror, the place of a direction is where it meets the
//! floor, true to scale: that is the picture of a pin-hole camera at the mirror's height that looks straight down. So one
//! rule serves both: a pixel's direction is `forward + u * left + v * up`, and whatever is linear in the
//! direction is linear in column and row.
//!
//! # Units, frames
//! Points are relative to the eye, along the world's axes, metres. Pixels are looked at in their middles.

use crate::params::{ImageParams, Projection};
use touchline_plugin_api::geometry::{Pose2, sin_cos};

/// A point or direction, relative to the eye.
pub type Vector = [f64; 3];

/// The scalar product.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product. Exact in its sign: `cross(a, b)` is `cross(b, a)` with all signs changed.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The sensor's optics, which no reading changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// How far the tangents of neighbouring columns are apart, and sine and cosine of the angle by which it looks down.
    Perspective { step: f64, pitch: (f64, f64) },
    /// How far apart the floor's points of neighbouring columns are, and the image's radius, pixels.
    Omnidirectional { step_m: f64, radius: f64 },
}

impl Lens {
    /// For an image of this size; the size may be a multiple of that of the parameters.
    pub fn new(params: &ImageParams, width: usize, height: usize) -> Self {
        match params.projection {
            Projection::Perspective => {
                let (sin, cos) = sin_cos(params.field_of_view_rad() / 2.0);
                let step = sin / cos / (width as f64 / 2.0);
                Self::Perspective { step, pitch: sin_cos(params.pitch_rad()) }
            }
            Projection::Omnidirectional => {
                let radius = width.min(height) as f64 / 2.0;
                Self::Omnidirectional { step_m: params.range_max_m() / radius, radius }
            }
        }
    }
}

/// A quantity that is linear in column and row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    base: f64,
    per_column: f64,
    per_row: f64,
}

impl Linear {
    /// Its value at the first column of a row, and how it grows from column to column.
    pub fn in_row(&self, row: usize) -> Ramp {
        Ramp { start: self.base + self.per_row * row as f64, slope: self.per_column }
    }
}

/// A quantity that is linear in the column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// At column 0.
    pub start: f64,
    /// Change from one column to the next.
    pub slope: f64,
}

impl Ramp {
    /// Its value in a column.
    pub fn at(self, column: usize) -> f64 {
        self.start + self.slope * column as f64
    }
}

/// A part of the image, ends not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First column, and the one behind the last.
    pub columns: [usize; 2],
    /// First row, and the one behind the last.
    pub rows: [usize; 2],
}

/// The camera at one reading.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Where it is in the world, metres.
    pub place: Vector,
    /// Columns and rows of the image.
    pub size: [usize; 2],
    /// The middle of the image: column and row.
    middle: [f64; 2],
    forward: Vector,
    /// To the left in the image, for each column.
    left: Vector,
    /// Upwards in the image, for each row.
    up: Vector,
}

impl Eye {
    /// Puts a camera in its place.
    pub fn new(lens: &Lens, size: [usize; 2], pose: Pose2, z_m: f64) -> Self {
        let (sin, cos) = sin_cos(pose.theta_rad);
        let ((pitch_sin, pitch_cos), step) = match *lens {
            Lens::Perspective { step, pitch } => (pitch, step),
            // Straight down, the sensor's front at the top of the image.
            Lens::Omnidirectional { step_m, .. } => ((1.0, 0.0), step_m / z_m),
        };
        Self {
            place: [pose.x_m, pose.y_m, z_m],
            size,
            middle: size.map(|pixels| (pixels as f64 - 1.0) / 2.0),
            forward: [cos * pitch_cos, sin * pitch_cos, -pitch_sin],
            left: [-sin * step, cos * step, 0.0],
            up: [cos * pitch_sin * step, sin * pitch_sin * step, pitch_cos * step],
        }
    }

    /// A point of the world as seen from here.
    pub fn seen(&self, [x, y]: [f64; 2], z_m: f64) -> Vector {
        [x - self.place[0], y - self.place[1], z_m - self.place[2]]
    }

    /// The scalar product of a vector with each pixel's direction.
    pub fn linear(&self, vector: Vector) -> Linear {
        let (left, up) = (dot(vector, self.left), dot(vector, self.up));
        let base = dot(vector, self.forward) + self.middle[0] * left + self.middle[1] * up;
        Linear { base, per_column: -left, per_row: -up }
    }

    /// How far the direction of a row's pixels rises: cameras do not roll, so it is the same for all of them.
    pub fn rise(&self, row: usize) -> f64 {
        self.linear([0.0, 0.0, 1.0]).in_row(row).start
    }

    /// Where a pixel looks; the length is that of [`Eye::length_squared`].
    pub fn direction(&self, column: usize, row: usize) -> Vector {
        let (u, v) = (self.middle[0] - column as f64, self.middle[1] - row as f64);
        [0, 1, 2].map(|axis| self.forward[axis] + u * self.left[axis] + v * self.up[axis])
    }

    /// The squared length of a pixel's direction.
    pub fn length_squared(&self, column: usize, row: usize) -> f64 {
        let u = (self.middle[0] - column as f64) * (self.middle[0] - column as f64);
        let v = (self.middle[1] - row as f64) * (self.middle[1] - row as f64);
        1.0 + (u + v) * dot(self.left, self.left)
    }

    /// A part of the image that holds all that is seen of the points' hull; `None` if that is nothing.
    pub fn window(&self, points: &[Vector]) -> Option<Window> {
        let step_squared = dot(self.left, self.left);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut in_front = 0;
        for &point in points {
            let depth = dot(point, self.forward);
            if depth <= 0.0 {
                continue;
            }
            in_front += 1;
            for (axis, direction) in [self.left, self.up].into_iter().enumerate() {
                let pixel = self.middle[axis] - dot(point, direction) / (depth * step_squared);
                (low[axis], high[axis]) = (low[axis].min(pixel), high[axis].max(pixel));
            }
        }
        if in_front == 0 {
            return None;
        }
        // What reaches behind the camera may be seen anywhere.
        let is_whole = in_front < points.len();
        // A pixel more on each side for the rounding; a cast holds a number at the ends of its range.
        let ends = |axis: usize| match is_whole {
            true => [0, self.size[axis]],
            false => [(low[axis] - 1.0) as usize, ((high[axis] + 2.0) as usize).min(self.size[axis])],
        };
        let window = Window { columns: ends(0), rows: ends(1) };
        let is_there = |[first, end]: [usize; 2]| first < end;
        (is_there(window.columns) && is_there(window.rows)).then_some(window)
    }
}
