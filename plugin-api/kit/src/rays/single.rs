//! One ray against one shape after another.

use super::{cross, dot};
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::view::{Shape, ShapeKind, WorldView};

/// The nearest intersection of a ray with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// From the origin, metres; 0 if the origin lies in the shape.
    pub distance_m: f64,
    /// What it met: index into [`WorldView::shapes`].
    pub shape: usize,
}

/// Returns the first shape that a ray meets, among those that `filter` accepts.
///
/// The ray starts at `origin` and goes in the direction `angle_rad`, both in the world frame. The filter gets each
/// shape; [`super::is_solid_at`] is the usual first half of it. Of two shapes at the same distance, the first counts.
///
/// # Example
/// ```
/// use touchline_kit::rays::{cast_ray, is_solid_at};
/// use touchline_plugin_testing::FakeWorld;
///
/// let world = FakeWorld::new().wall([2.0, 0.0], [0.1, 4.0]);
/// let hit = cast_ray(&world.view(), [0.0, 0.0], 0.0, 8.0, |shape| is_solid_at(shape, 0.2));
/// assert!((hit.unwrap().distance_m - 1.95).abs() < 1e-12);
/// ```
pub fn cast_ray(
    view: &WorldView<'_>,
    origin: [f64; 2],
    angle_rad: f64,
    range_max_m: f64,
    filter: impl Fn(&Shape) -> bool,
) -> Option<RayHit> {
    let (sin, cos) = sin_cos(angle_rad);
    let direction = [cos, sin];
    let mut nearest: Option<RayHit> = None;
    let mut limit_m = range_max_m;
    let passes_by = |limit_m: f64, [x, y]: [f64; 2], radius_m: f64| {
        let offset = [x - origin[0], y - origin[1]];
        let along = dot(offset, direction);
        cross(direction, offset).abs() > radius_m || along < -radius_m || along > limit_m + radius_m
    };
    for object in view.objects {
        if passes_by(limit_m, [object.pose.x_m, object.pose.y_m], object.radius_m) {
            continue;
        }
        for (index, shape) in view.shapes_of(object).iter().enumerate() {
            if passes_by(limit_m, [shape.x_m, shape.y_m], shape.radius_m) || !filter(shape) {
                continue;
            }
            let Some(distance_m) = distance(shape, origin, direction) else { continue };
            if distance_m < limit_m || (nearest.is_none() && distance_m <= limit_m) {
                limit_m = distance_m;
                nearest = Some(RayHit { distance_m, shape: object.first_shape as usize + index });
            }
        }
    }
    nearest
}

/// How far along a unit direction the shape begins, metres: 0 from within, `None` if it is not met.
pub fn distance(shape: &Shape, origin: [f64; 2], direction: [f64; 2]) -> Option<f64> {
    if shape.contains(origin) {
        return Some(0.0);
    }
    let offset = [origin[0] - shape.x_m, origin[1] - shape.y_m];
    let own = |v: [f64; 2]| [shape.cos * v[0] + shape.sin * v[1], shape.cos * v[1] - shape.sin * v[0]];
    let half = [shape.half_x_m, shape.half_y_m];
    match shape.kind() {
        ShapeKind::Rectangle => box_distance(own(offset), own(direction), half),
        ShapeKind::Ellipse => {
            let (p, d) = (own(offset), own(direction));
            unit_circle_distance([p[0] / half[0], p[1] / half[1]], [d[0] / half[0], d[1] / half[1]])
        }
        ShapeKind::Triangle => {
            let corners = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c];
            let edge = |i: usize| edge_distance(origin, direction, corners[i], corners[(i + 1) % 3]);
            (0..3).filter_map(edge).min_by(f64::total_cmp)
        }
    }
}

/// The slab method, from outside: the ray is in the box while it is between both pairs of sides.
fn box_distance(origin: [f64; 2], direction: [f64; 2], half: [f64; 2]) -> Option<f64> {
    let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
    for axis in 0..2 {
        if direction[axis] == 0.0 {
            if origin[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let one = (-half[axis] - origin[axis]) / direction[axis];
        let other = (half[axis] - origin[axis]) / direction[axis];
        enter = enter.max(one.min(other));
        leave = leave.min(one.max(other));
    }
    (enter <= leave).then_some(enter)
}

/// The smaller root of `|origin + t direction| = 1`, from outside, for a direction of any length.
fn unit_circle_distance(origin: [f64; 2], direction: [f64; 2]) -> Option<f64> {
    let (a, b, c) = (dot(direction, direction), dot(origin, direction), dot(origin, origin) - 1.0);
    let discriminant = b * b - a * c;
    (b < 0.0 && discriminant >= 0.0).then(|| (-b - discriminant.sqrt()) / a)
}

fn edge_distance(origin: [f64; 2], direction: [f64; 2], a: [f64; 2], b: [f64; 2]) -> Option<f64> {
    let (edge, to_a) = ([b[0] - a[0], b[1] - a[1]], [a[0] - origin[0], a[1] - origin[1]]);
    let denominator = cross(direction, edge);
    if denominator == 0.0 {
        return None;
    }
    let (along, part) = (cross(to_a, edge) / denominator, cross(to_a, direction) / denominator);
    (along >= 0.0 && (0.0..=1.0).contains(&part)).then_some(along)
}
