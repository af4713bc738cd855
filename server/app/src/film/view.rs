//! Where metres are on a picture.

use tiny_skia::Transform;
use touchline_plugin_api::view::{Shape, ShapeKind};

/// The part of a picture's height that the head takes, with score and time.
const HEAD: f32 = 0.075;
/// Free room around the floor, as a part of the picture's height.
const MARGIN: f32 = 0.02;
/// What is seen at least of a world without fixtures, metres: left, bottom, right, top.
const EMPTY: [f32; 4] = [-6.0, -4.0, 6.0, 4.0];
/// Free room around what is in a world without fixtures, metres.
const AROUND_M: f32 = 1.0;

/// The whole floor, as large as a picture can show it under its head; turned by a quarter where it is long in the picture's other direction, as in
/// the studio: then x goes up.
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
    is_turned: bool,
}

impl View {
    /// Of a picture of this size; without fixtures it shows where everything is, metres, at the beginning.
    pub fn new((width, height): (u32, u32), fixtures: &[Shape], objects: &[[f64; 2]]) -> Self {
        let floor = bounds(fixtures.iter().flat_map(corners)).unwrap_or_else(|| around(objects));
        let [left, bottom, right, top] = floor;
        let (wide, high) = (width as f32, height as f32);
        let (head, margin) = (HEAD * high, MARGIN * high);
        let room = (wide - 2.0 * margin, high - head - 2.0 * margin);
        let scale_of = |across: f32, up: f32| (room.0 / across).min(room.1 / up);
        let (plain, turned) = (scale_of(right - left, top - bottom), scale_of(top - bottom, right - left));
        let (is_turned, scale) = (turned > plain, turned.max(plain));
        let middle = (wide / 2.0, head + (high - head) / 2.0);
        let centre = (scale * (left + right) / 2.0, scale * (bottom + top) / 2.0);
        let origin = match is_turned {
            true => (middle.0 + centre.1, middle.1 + centre.0),
            false => (middle.0 - centre.0, middle.1 + centre.1),
        };
        Self { width, height, floor, scale, origin, is_turned }
    }

    pub fn head(&self) -> f32 {
        HEAD * self.height as f32
    }

    /// From metres to pixels.
    pub fn transform(&self) -> Transform {
        let (scale, (x, y)) = (self.scale, self.origin);
        match self.is_turned {
            true => Transform::from_row(0.0, -scale, -scale, 0.0, x, y),
            false => Transform::from_row(scale, 0.0, 0.0, -scale, x, y),
        }
    }

    pub fn pixel(&self, x_m: f64, y_m: f64) -> (f32, f32) {
        let (x, y) = (self.scale * x_m as f32, self.scale * y_m as f32);
        match self.is_turned {
            true => (self.origin.0 - y, self.origin.1 - x),
            false => (self.origin.0 + x, self.origin.1 - y),
        }
    }
}

/// What lies there, with room around it.
fn around(objects: &[[f64; 2]]) -> [f32; 4] {
    let reach = |[x_m, y_m]: &[f64; 2]| {
        let (x, y) = (*x_m as f32, *y_m as f32);
        [(x - AROUND_M, y - AROUND_M), (x + AROUND_M, y + AROUND_M)]
    };
    let [left, bottom, right, top] = EMPTY;
    bounds(objects.iter().flat_map(reach).chain([(left, bottom), (right, top)])).unwrap_or(EMPTY)
}

/// Left, bottom, right, top of all these points; `None` if they have no area.
fn bounds(points: impl Iterator<Item = (f32, f32)>) -> Option<[f32; 4]> {
    let all = points.fold([f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY], |all, at| {
        [all[0].min(at.0), all[1].min(at.1), all[2].max(at.0), all[3].max(at.1)]
    });
    (all[0] < all[2] && all[1] < all[3]).then_some(all)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever its size and the picture's: the floor is inside, below the head, and as large as can be; and the transform is where pixels are.
    #[test]
    fn the_whole_floor_is_seen() {
        for objects in [
            vec![],
            vec![[-3.0, 40.0], [2.0, -50.0]],
            vec![[300.0, 1.0]],
            vec![[5.0, 5.0], [-5.0, 300.0]],
            vec![[-9.0, -9.0], [9.0, 9.0]],
        ] {
            for size in [(1280, 720), (720, 1280), (64, 64), (100, 2000)] {
                let view = View::new(size, &[], &objects);
                let (wide, high) = (size.0 as f32, size.1 as f32);
                let [left, bottom, right, top] = view.floor.map(f64::from);
                let corners = [(left, bottom), (right, top)].map(|(x_m, y_m)| view.pixel(x_m, y_m));
                for (x, y) in corners {
                    assert!(
                        (0.0..=wide).contains(&x) && (view.head()..=high).contains(&y),
                        "{size:?} {x} {y}"
                    );
                }
                let [(x0, y0), (x1, y1)] = corners;
                let (across, down) = ((x1 - x0).abs(), (y1 - y0).abs());
                let room = (wide - 2.0 * MARGIN * high, high - view.head() - 2.0 * MARGIN * high);
                assert!((room.0 - across).abs().min((room.1 - down).abs()) < 0.1, "{size:?} {across} {down}");
                assert!((across > down) == (room.0 > room.1) || across == down, "long the same way");
                let is_square = (right - left - (top - bottom)).abs() < 1e-3;
                assert!(!is_square || x1 > x0, "what fits as well as it is, is not turned");
                for [x_m, y_m] in &objects {
                    assert!(*x_m > left && *x_m < right && *y_m > bottom && *y_m < top);
                    let mut mapped = [tiny_skia::Point::from_xy(*x_m as f32, *y_m as f32)];
                    view.transform().map_points(&mut mapped);
                    let (x, y) = view.pixel(*x_m, *y_m);
                    assert!((mapped[0].x - x).abs() < 1e-2 && (mapped[0].y - y).abs() < 1e-2);
                }
            }
        }
    }
}
