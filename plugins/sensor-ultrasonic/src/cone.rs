//! The nearest point of a shape within a cone: exact, in closed form for all but an ellipse that is no circle.
//!
//! Shape and cone are convex. So if the shape's nearest point is not in the cone, the nearest one that is lies where
//! an edge of the cone enters the shape: there is nothing to sample.
//!
//! # Units, frames
//! Metres. Vectors are from the cone's apex, along the world's axes.

use std::f64::consts::PI;
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::view::{Shape, ShapeKind};

/// Farther than rounding can move a point, metres.
const CLEARLY_M: f64 = 1e-9;

/// Cone in which a sonar receives echoes, seen from above.
pub struct Cone {
    apex: [f64; 2],
    /// Its two edges, of length one: right, left.
    edges: [[f64; 2]; 2],
}

/// A place that throws sound back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// From the apex, metres.
    pub distance_m: f64,
    /// Towards it, of length one.
    pub direction: [f64; 2],
    /// The cosine of the angle between the way there and the surface's normal. A corner has all normals between those
    /// of its sides.
    pub cos_incidence: f64,
}

impl Cone {
    /// Around the pose's x axis; the angle is at most half a turn.
    pub fn new(pose: Pose2, opening_angle_rad: f64) -> Self {
        let half_rad = opening_angle_rad.min(PI) / 2.0;
        let edge = |angle_rad| {
            let (sin, cos) = sin_cos(pose.theta_rad + angle_rad);
            [cos, sin]
        };
        Self { apex: [pose.x_m, pose.y_m], edges: [edge(-half_rad), edge(half_rad)] }
    }

    /// Whether the disc is certainly out of the cone or out of range.
    pub fn misses_disc(&self, [x, y]: [f64; 2], radius_m: f64, range_max_m: f64) -> bool {
        let centre = [x - self.apex[0], y - self.apex[1]];
        let (reach_m, [right, left]) = (range_max_m + radius_m, self.edges);
        dot(centre, centre) > reach_m * reach_m
            || cross(centre, right) > radius_m
            || cross(left, centre) > radius_m
    }

    /// The shape's nearest point within the cone.
    pub fn nearest(&self, shape: &Shape) -> Option<Echo> {
        let from_apex = |[x, y]: [f64; 2]| [x - self.apex[0], y - self.apex[1]];
        let corners = match shape.kind() {
            ShapeKind::Rectangle => shape.rectangle_corners().map(from_apex),
            // One of a triangle's stands twice.
            ShapeKind::Triangle => {
                let first = [shape.x_m, shape.y_m];
                [first, shape.corner_b, shape.corner_c, first].map(from_apex)
            }
            ShapeKind::Ellipse => [[0.0; 2]; 4],
        };
        if self.misses_polygon(&corners) {
            return None;
        }
        if shape.contains(self.apex) {
            let axis = [self.edges[0][0] + self.edges[1][0], self.edges[0][1] + self.edges[1][1]];
            let direction = self.contains(axis).then_some(axis).and_then(unit).unwrap_or(self.edges[0]);
            return Some(Echo { distance_m: 0.0, direction, cos_incidence: 1.0 });
        }
        match shape.kind() {
            ShapeKind::Rectangle => self.nearest_of_polygon(&corners),
            ShapeKind::Triangle => self.nearest_of_polygon(&corners[..3]),
            ShapeKind::Ellipse => self.nearest_of_ellipse(shape),
        }
    }

    /// Whether all corners are clearly on one and the same outer side: right of the cone, left of it, or behind it. A
    /// long wall's disc says little.
    fn misses_polygon(&self, corners: &[[f64; 2]]) -> bool {
        let [right, left] = self.edges;
        let axis = [right[0] + left[0], right[1] + left[1]];
        let all = |side: &dyn Fn([f64; 2]) -> f64| corners.iter().all(|&corner| side(corner) < -CLEARLY_M);
        all(&|corner| cross(right, corner))
            || all(&|corner| cross(corner, left))
            || all(&|corner| dot(axis, corner))
    }

    fn contains(&self, v: [f64; 2]) -> bool {
        cross(self.edges[0], v) >= 0.0 && cross(v, self.edges[1]) >= 0.0
    }

    /// A point in the cone that is the nearest of all: it is met along the normal.
    fn straight(&self, point: [f64; 2]) -> Option<Echo> {
        let direction = unit(point).filter(|_| self.contains(point))?;
        Some(Echo { distance_m: dot(point, direction), direction, cos_incidence: 1.0 })
    }

    fn nearest_of_polygon(&self, corners: &[[f64; 2]]) -> Option<Echo> {
        let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
        let echoes = sides.flat_map(|(a, b)| {
            let side = [b[0] - a[0], b[1] - a[1]];
            let squared = dot(side, side);
            let part = if squared > 0.0 { (-dot(a, side) / squared).clamp(0.0, 1.0) } else { 0.0 };
            let foot = [a[0] + part * side[0], a[1] + part * side[1]];
            let entries = self.edges.map(|edge| {
                let (turn, length) = (cross(edge, side), squared.sqrt());
                let (distance_m, part) = (cross(a, side) / turn, cross(a, edge) / turn);
                let meets = turn != 0.0 && distance_m >= 0.0 && (0.0..=1.0).contains(&part);
                meets.then(|| Echo { distance_m, direction: edge, cos_incidence: turn.abs() / length })
            });
            std::iter::once(self.straight(foot)).chain(entries).flatten()
        });
        echoes.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m))
    }

    fn nearest_of_ellipse(&self, shape: &Shape) -> Option<Echo> {
        let half = [shape.half_x_m, shape.half_y_m];
        let to_own = |[x, y]: [f64; 2]| [shape.cos * x + shape.sin * y, shape.cos * y - shape.sin * x];
        let to_world = |[x, y]: [f64; 2]| [shape.cos * x - shape.sin * y, shape.sin * x + shape.cos * y];
        let apex = to_own([self.apex[0] - shape.x_m, self.apex[1] - shape.y_m]);
        let nearest = nearest_of_ellipse(apex, half);
        if let Some(echo) = self.straight(to_world([nearest[0] - apex[0], nearest[1] - apex[1]])) {
            return Some(echo);
        }
        let entries = self.edges.iter().filter_map(|&edge| {
            let own = to_own(edge);
            // Where the ellipse is the unit circle.
            let (p, d) = ([apex[0] / half[0], apex[1] / half[1]], [own[0] / half[0], own[1] / half[1]]);
            let (a, b, c) = (dot(d, d), dot(p, d), dot(p, p) - 1.0);
            let discriminant = b * b - a * c;
            if b >= 0.0 || discriminant < 0.0 {
                return None;
            }
            let distance_m = (-b - discriminant.sqrt()) / a;
            let met = [p[0] + distance_m * d[0], p[1] + distance_m * d[1]];
            let normal = unit([met[0] / half[0], met[1] / half[1]])?;
            Some(Echo { distance_m, direction: edge, cos_incidence: dot(own, normal).abs() })
        });
        entries.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m))
    }
}

/// The point of an ellipse around the origin that is nearest to a point outside of it.
///
/// Newton's method for the multiplier of D. Eberly, *Distance from a Point to an Ellipse* (2013). The function is convex
/// and falls, and the start is left of its zero: the steps never overshoot.
fn nearest_of_ellipse(point: [f64; 2], half: [f64; 2]) -> [f64; 2] {
    const STEPS: usize = 64;
    let squares = half.map(|half| half * half);
    let lengths = [half[0] * point[0].abs(), half[1] * point[1].abs()];
    let mut t = (lengths[0] - squares[0]).max(lengths[1] - squares[1]).max(0.0);
    for _ in 0..STEPS {
        let (mut value, mut slope) = (-1.0, 0.0);
        for axis in 0..2 {
            let below = t + squares[axis];
            let part = lengths[axis] / below;
            value += part * part;
            slope -= 2.0 * part * part / below;
        }
        let next = t - value / slope;
        // Also for a slope of zero, and where rounding ends the progress.
        if next.is_nan() || next <= t {
            break;
        }
        t = next;
    }
    [0, 1].map(|axis| squares[axis] * point[axis] / (t + squares[axis]))
}

fn unit(v: [f64; 2]) -> Option<[f64; 2]> {
    let length = dot(v, v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| [v[0] / length, v[1] / length])
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
