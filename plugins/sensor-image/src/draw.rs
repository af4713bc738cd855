//! What each kind of face looks like from the eye.
//!
//! A pixel shows a face if its direction lies in the cone from the eye through the face. The cone of a polygon is bounded
//! by planes through the eye: in each row every edge cuts the span at one column, and nothing has to be clipped. The
//! cone of an ellipse is a quadratic inequality in the column. Round walls and balls are met pixel by pixel.
//!
//! The distance to a face is never needed, only 1 / distance ("nearness"), which on a plane is linear in the column.
//!
//! # Invariants
//! - Of a closed body only the sides are drawn that look towards the eye; an eye inside of a body does not see it.
//! - Two faces that share an edge leave no gap: both work out the same column for it.

use crate::canvas::{Canvas, Span};
use crate::eye::{Eye, Linear, Ramp, Vector, Window, cross, dot};
use crate::light::lit;
use touchline_plugin_api::view::{Shape, ShapeKind};

/// A floor, a table's top: where it is against the eye, and what is done with the pixels that show it.
#[derive(Clone, Copy)]
enum Level {
    /// Painted on the floor: nothing is behind it.
    Floor,
    /// The end of a body.
    End,
}

/// Paints a shape on the floor.
pub fn paint(canvas: &mut Canvas<'_>, eye: &Eye, shape: &Shape) {
    level(canvas, eye, shape, 0.0, shape.colour, Level::Floor);
}

/// Draws a shape that stands from its lowest to its highest height.
pub fn stand(canvas: &mut Canvas<'_>, eye: &Eye, shape: &Shape) {
    // The floor hides what is below it.
    let (bottom_m, top_m) = (shape.z_bottom_m.max(0.0), shape.z_top_m);
    let eye_m = eye.place[2];
    if eye_m > top_m {
        level(canvas, eye, shape, top_m, lit(shape.colour, [0.0, 0.0, 1.0]), Level::End);
    } else if eye_m < bottom_m {
        level(canvas, eye, shape, bottom_m, lit(shape.colour, [0.0, 0.0, -1.0]), Level::End);
    }
    match shape.kind() {
        ShapeKind::Rectangle => walls(canvas, eye, shape.colour, &shape.rectangle_corners(), bottom_m, top_m),
        ShapeKind::Triangle => walls(canvas, eye, shape.colour, &triangle(shape), bottom_m, top_m),
        ShapeKind::Ellipse => round_wall(canvas, eye, shape, bottom_m, top_m),
    }
}

/// Draws a ball.
pub fn ball(canvas: &mut Canvas<'_>, eye: &Eye, shape: &Shape) {
    let radius_m = shape.half_x_m;
    let centre = eye.seen([shape.x_m, shape.y_m], (shape.z_bottom_m + shape.z_top_m) / 2.0);
    let power = dot(centre, centre) - radius_m * radius_m;
    let Some(window) = eye.window(&corners_around(eye, shape, [centre, centre], radius_m)) else { return };
    if power <= 0.0 {
        return;
    }
    let (plan, towards) = (Plan::new(eye, shape), eye.linear(centre));
    for row in window.rows[0]..window.rows[1] {
        let (span, towards) = (plan.span(&window, row), towards.in_row(row));
        let [first, end] = span.columns();
        for column in first..end {
            let along = towards.at(column);
            let root = along * along - power * eye.length_squared(column, row);
            if root >= 0.0 && along > 0.0 {
                let nearness = (along + root.sqrt()) / power;
                canvas.dot(row, column, nearness, || {
                    let direction = eye.direction(column, row);
                    let normal = |axis: usize| (direction[axis] / nearness - centre[axis]) / radius_m;
                    lit(shape.colour, [0, 1, 2].map(normal))
                });
            }
        }
    }
}

/// A triangle's corners, counter-clockwise.
fn triangle(shape: &Shape) -> [[f64; 2]; 3] {
    let [a, b, c] = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c];
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// The shape's outline at a height.
fn level(canvas: &mut Canvas<'_>, eye: &Eye, shape: &Shape, z_m: f64, colour: u32, level: Level) {
    let at = |corner: [f64; 2]| eye.seen(corner, z_m);
    match shape.kind() {
        ShapeKind::Rectangle => {
            polygon(canvas, eye, facing(shape.rectangle_corners().map(at)), colour, level);
        }
        ShapeKind::Triangle => polygon(canvas, eye, facing(triangle(shape).map(at)), colour, level),
        ShapeKind::Ellipse => disc(canvas, eye, shape, z_m, colour, level),
    }
}

/// Level corners that are counter-clockwise from above, counter-clockwise as the eye sees them.
fn facing<const N: usize>(mut corners: [Vector; N]) -> [Vector; N] {
    if corners[0][2] > 0.0 {
        corners.reverse();
    }
    corners
}

/// The upright faces of a body whose corners are given counter-clockwise.
fn walls(canvas: &mut Canvas<'_>, eye: &Eye, colour: u32, corners: &[[f64; 2]], bottom_m: f64, top_m: f64) {
    for (index, &a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        // To the right of the way from a to b is outside.
        let normal = [b[1] - a[1], a[0] - b[0]];
        let length = (normal[0] * normal[0] + normal[1] * normal[1]).sqrt();
        let [a_low, a_high] = [bottom_m, top_m].map(|z_m| eye.seen(a, z_m));
        let [b_low, b_high] = [bottom_m, top_m].map(|z_m| eye.seen(b, z_m));
        if normal[0] * a_low[0] + normal[1] * a_low[1] < 0.0 {
            let colour = lit(colour, [normal[0] / length, normal[1] / length, 0.0]);
            polygon(canvas, eye, [a_low, b_low, b_high, a_high], colour, Level::End);
        }
    }
}

/// A convex polygon whose corners are counter-clockwise as the eye sees them; nothing if they are not.
fn polygon<const N: usize>(
    canvas: &mut Canvas<'_>,
    eye: &Eye,
    corners: [Vector; N],
    colour: u32,
    level: Level,
) {
    let minus = |a: Vector, b: Vector| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    let offset = dot(normal, corners[0]);
    if offset >= 0.0 || offset.is_nan() {
        return;
    }
    let Some(window) = eye.window(&corners) else { return };
    let nearness = eye.linear(normal.map(|n| n / offset));
    let mut edges = [nearness; N];
    for (index, edge) in edges.iter_mut().enumerate() {
        *edge = eye.linear(cross(corners[(index + 1) % N], corners[index]));
    }
    for row in window.rows[0]..window.rows[1] {
        let inside = |span: Span, edge: &Linear| span.where_positive(edge.in_row(row));
        let span = edges.iter().fold(Span::of(&window), inside);
        fill(canvas, row, span, nearness.in_row(row), colour, level);
    }
}

fn fill(canvas: &mut Canvas<'_>, row: usize, span: Span, nearness: Ramp, colour: u32, level: Level) {
    match level {
        Level::Floor => canvas.paint(row, span, colour),
        Level::End => canvas.draw(row, span, nearness, colour),
    }
}

/// The lower or upper end of an ellipse's body, whichever is seen.
fn disc(canvas: &mut Canvas<'_>, eye: &Eye, shape: &Shape, z_m: f64, colour: u32, level: Level) {
    let height_m = z_m - eye.place[2];
    let centre = eye.seen([shape.x_m, shape.y_m], z_m);
    let around = corners_around(eye, shape, [centre, centre], 0.0);
    let Some(window) = eye.window(&around) else { return };
    let plan = Plan::new(eye, shape);
    for row in window.rows[0]..window.rows[1] {
        let nearness = eye.rise(row) / height_m;
        // Also where the height is 0: then the disc is seen from its edge.
        if !(nearness > 0.0 && nearness.is_finite()) {
            continue;
        }
        // The floor's point is eye + direction / nearness; times nearness, in the plan, it lies in a circle.
        let [x, y] = plan.direction.map(|axis| axis.in_row(row));
        let (px, py) = (plan.eye[0] * nearness + x.start, plan.eye[1] * nearness + y.start);
        let a = x.slope * x.slope + y.slope * y.slope;
        let b = px * x.slope + py * y.slope;
        let root = b * b - a * (px * px + py * py - nearness * nearness);
        if root >= 0.0 {
            let (middle, half) = (-b / a, root.sqrt() / a);
            let span = Span::of(&window).between(middle - half, middle + half);
            fill(canvas, row, span, Ramp { start: nearness, slope: 0.0 }, colour, level);
        }
    }
}

/// The wall of an ellipse's body.
fn round_wall(canvas: &mut Canvas<'_>, eye: &Eye, shape: &Shape, bottom_m: f64, top_m: f64) {
    let ends = [bottom_m, top_m].map(|z_m| eye.seen([shape.x_m, shape.y_m], z_m));
    let Some(window) = eye.window(&corners_around(eye, shape, ends, 0.0)) else { return };
    let plan = Plan::new(eye, shape);
    if plan.power <= 0.0 {
        return;
    }
    for row in window.rows[0]..window.rows[1] {
        let rise = eye.rise(row);
        let [x, y] = plan.direction.map(|axis| axis.in_row(row));
        let [first, end] = plan.span(&window, row).columns();
        for column in first..end {
            // Where eye + direction / nearness meets the circle first.
            let (x, y) = (x.at(column), y.at(column));
            let b = plan.eye[0] * x + plan.eye[1] * y;
            let root = b * b - (x * x + y * y) * plan.power;
            let nearness = (root.max(0.0).sqrt() - b) / plan.power;
            if ends[0][2] * nearness <= rise && rise <= ends[1][2] * nearness && nearness > 0.0 {
                canvas.dot(row, column, nearness, || {
                    let at = [plan.eye[0] + x / nearness, plan.eye[1] + y / nearness];
                    lit(shape.colour, plan.normal(shape, at))
                });
            }
        }
    }
}

/// The corners of an upright box around a round shape from the first centre to the second, and so much more.
fn corners_around(eye: &Eye, shape: &Shape, [low, high]: [Vector; 2], more_m: f64) -> [Vector; 8] {
    let mut corners = [[0.0; 3]; 8];
    let (bottom, top) = (low[2] - more_m, high[2] + more_m);
    for (pair, [x, y]) in corners.chunks_exact_mut(2).zip(shape.rectangle_corners()) {
        let corner = eye.seen([x, y], eye.place[2]);
        pair.copy_from_slice(&[[corner[0], corner[1], bottom], [corner[0], corner[1], top]]);
    }
    corners
}

/// A round shape seen from above, stretched so that it is a circle of radius 1 at the origin.
struct Plan {
    eye: [f64; 2],
    /// Above 0 if the eye is outside of the circle: the squared length of a tangent.
    power: f64,
    direction: [Linear; 2],
    /// To the left of the right tangent, and to the right of the left one.
    tangents: Option<[Linear; 2]>,
}

impl Plan {
    fn new(eye: &Eye, shape: &Shape) -> Self {
        let axes = [
            [shape.cos / shape.half_x_m, shape.sin / shape.half_x_m, 0.0],
            [-shape.sin / shape.half_y_m, shape.cos / shape.half_y_m, 0.0],
        ];
        let centre = eye.seen([shape.x_m, shape.y_m], 0.0);
        let [ex, ey] = axes.map(|axis| -dot(axis, centre));
        let squared = ex * ex + ey * ey;
        let power = squared - 1.0;
        let tangents = (power > 0.0).then(|| {
            let along = -power / squared;
            let across = power.sqrt() / squared;
            // From the eye to where the tangents touch.
            let right = [along * ex - across * ey, along * ey + across * ex];
            let left = [along * ex + across * ey, along * ey - across * ex];
            let of = |x: f64, y: f64| [0, 1, 2].map(|i| x * axes[0][i] + y * axes[1][i]);
            [eye.linear(of(-right[1], right[0])), eye.linear(of(left[1], -left[0]))]
        });
        Self { eye: [ex, ey], power, direction: axes.map(|axis| eye.linear(axis)), tangents }
    }

    /// The part of a row in which the shape is, however high or low it is.
    fn span(&self, window: &Window, row: usize) -> Span {
        let tangents = self.tangents.iter().flatten();
        tangents.fold(Span::of(window), |span, tangent| span.where_positive(tangent.in_row(row)))
    }

    /// The outward normal at a point of the circle, in the world.
    fn normal(&self, shape: &Shape, at: [f64; 2]) -> Vector {
        let (x, y) = (at[0] / shape.half_x_m, at[1] / shape.half_y_m);
        let length = (x * x + y * y).sqrt();
        [(shape.cos * x - shape.sin * y) / length, (shape.sin * x + shape.cos * y) / length, 0.0]
    }
}
