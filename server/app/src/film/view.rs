//! Where metres are on a picture.

use tiny_skia::Transform;
use touchline_plugin_api::view::{Shape, ShapeKind};

/// The part of a picture's height that the head takes, with score and time.
const HEAD: f32 = 0.075;
/// Free room around the floor, as a part of the picture's height.
const MARGIN: f32 = 0.02;
/// What is seen of a world without fixtures, metres: left, bottom, right, top.
const EMPTY: [f32; 4] = [-6.0, -4.0, 6.0, 4.0];

/// The whole floor, as large as a picture can show it under its head.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub width: u32,
    pub height: u32,
    /// Left, bottom, right, top of the floor, metres.
    pub floor: [f32; 4],
    /// Pixels for each metre.
    pub scale: f32,
    /// Pixel of the world's origin.
    pub origin: (f32, f32),
}

impl View {
    /// Of a picture of this size.
    pub fn new((width, height): (u32, u32), fixtures: &[Shape]) -> Self {
        let floor = bounds(fixtures);
        let [left, bottom, right, top] = floor;
        let (wide, high) = (width as f32, height as f32);
        let (head, margin) = (HEAD * high, MARGIN * high);
        let room = (wide - 2.0 * margin, high - head - 2.0 * margin);
        let scale = (room.0 / (right - left)).min(room.1 / (top - bottom));
        let middle = (wide / 2.0, head + (high - head) / 2.0);
        let origin = (middle.0 - scale * (left + right) / 2.0, middle.1 + scale * (bottom + top) / 2.0);
        Self { width, height, floor, scale, origin }
    }

    pub fn head(&self) -> f32 {
        HEAD * self.height as f32
    }

    /// From metres to pixels.
    pub fn transform(&self) -> Transform {
        Transform::from_row(self.scale, 0.0, 0.0, -self.scale, self.origin.0, self.origin.1)
    }

    pub fn pixel(&self, x_m: f64, y_m: f64) -> (f32, f32) {
        (self.origin.0 + self.scale * x_m as f32, self.origin.1 - self.scale * y_m as f32)
    }
}

fn bounds(fixtures: &[Shape]) -> [f32; 4] {
    let points = fixtures.iter().flat_map(corners);
    let all = points.fold([f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY], |all, at| {
        [all[0].min(at.0), all[1].min(at.1), all[2].max(at.0), all[3].max(at.1)]
    });
    if all[0] < all[2] && all[1] < all[3] { all } else { EMPTY }
}

/// The corners of a shape, or of the box around it, metres.
pub fn corners(shape: &Shape) -> Vec<(f32, f32)> {
    let point = |[x, y]: [f64; 2]| (x as f32, y as f32);
    if shape.kind() == ShapeKind::Triangle {
        return [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c].map(point).to_vec();
    }
    let corner = |(along, across): (f64, f64)| {
        let (dx, dy) = (along * shape.half_x_m, across * shape.half_y_m);
        point([shape.x_m + shape.cos * dx - shape.sin * dy, shape.y_m + shape.sin * dx + shape.cos * dy])
    };
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(corner).to_vec()
}
