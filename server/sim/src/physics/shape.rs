//! Outlines as a disc meets them: how far away they are, and when a moving disc touches them. In `f64`, in closed form.

use crate::scenario::{Outline, Primitive, Surface};
use touchline_plugin_api::geometry::Pose2;

pub type Vec2 = [f64; 2];

/// An outline in the frame of what it is part of.
#[derive(Clone, Debug)]
pub struct Solid {
    form: Form,
    /// The middle and the radius of a circle around it.
    middle: Vec2,
    radius_m: f64,
    /// Lowest and highest height above the floor, metres.
    pub z_m: [f64; 2],
    pub surface: Surface,
}

#[derive(Clone, Debug)]
enum Form {
    Circle,
    /// Convex, counter-clockwise.
    Polygon(Box<[Edge]>),
}

/// A side of a polygon.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Where it begins.
    pub corner: Vec2,
    /// Its direction, of length 1.
    pub along: Vec2,
    pub length_m: f64,
}

impl Edge {
    /// Out of the polygon.
    pub fn normal(&self) -> Vec2 {
        [self.along[1], -self.along[0]]
    }
}

/// Where a point is to an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// From the outline to the point, metres; below 0 inside.
    pub distance_m: f64,
    /// From the outline to the point, of length 1.
    pub normal: Vec2,
}

impl Solid {
    pub fn new(primitive: &Primitive, surface: Surface) -> Self {
        let (pose, z_m) = (primitive.pose, primitive.z_m);
        let polygon = |corners: &[Vec2]| Self::polygon(corners, pose, z_m, surface);
        match primitive.outline {
            Outline::Rectangle { length_m, width_m } => {
                let (x, y) = (length_m / 2.0, width_m / 2.0);
                polygon(&[[x, y], [-x, y], [-x, -y], [x, -y]])
            }
            Outline::Ellipse { length_m, width_m } if length_m == width_m => {
                Self::disc([pose.x_m, pose.y_m], length_m / 2.0, z_m, surface)
            }
            Outline::Ellipse { length_m, width_m } => polygon(&ellipse(length_m / 2.0, width_m / 2.0)),
            Outline::Triangle { corners: [a, b, c] } => {
                let is_clockwise = cross(sub(b, a), sub(c, a)) < 0.0;
                polygon(&if is_clockwise { [a, c, b] } else { [a, b, c] })
            }
        }
    }

    /// A disc around `middle`, from height `z_m[0]` to `z_m[1]`.
    pub fn disc(middle: Vec2, radius_m: f64, z_m: [f64; 2], surface: Surface) -> Self {
        Self { form: Form::Circle, middle, radius_m, z_m, surface }
    }

    fn polygon(corners: &[Vec2], pose: Pose2, z_m: [f64; 2], surface: Surface) -> Self {
        let corners: Vec<Vec2> = corners.iter().map(|&corner| pose.point_to_outer(corner)).collect();
        let middle = scale(corners.iter().copied().fold([0.0; 2], add), 1.0 / corners.len() as f64);
        let radius_m = corners.iter().map(|&corner| norm(sub(corner, middle))).fold(0.0, f64::max);
        let edges = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&corner, &next)| {
            let length_m = norm(sub(next, corner));
            Edge { corner, along: scale(sub(next, corner), 1.0 / length_m), length_m }
        });
        // A side of no length has no direction, and is not needed.
        let edges = edges.filter(|edge| edge.length_m > 0.0).collect();
        Self { form: Form::Polygon(edges), middle, radius_m, z_m, surface }
    }

    /// Lowest and highest x and y.
    pub fn bounds(&self) -> [Vec2; 2] {
        let ([x, y], r) = (self.middle, self.radius_m);
        match &self.form {
            Form::Circle => [[x - r, y - r], [x + r, y + r]],
            Form::Polygon(edges) => {
                let bound = |pick: fn(f64, f64) -> f64| {
                    edges.iter().map(|edge| edge.corner).reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
                };
                [bound(f64::min).unwrap_or(self.middle), bound(f64::max).unwrap_or(self.middle)]
            }
        }
    }

    /// Where a point is to the outline.
    pub fn gap(&self, point: Vec2) -> Gap {
        match &self.form {
            Form::Circle => gap_to_point(self.middle, point, self.radius_m),
            Form::Polygon(edges) => gap_to_polygon(edges, point),
        }
    }

    /// Whether nothing of it is nearer to the point than this.
    pub fn is_beyond(&self, point: Vec2, distance_m: f64) -> bool {
        let reach_m = self.radius_m + distance_m;
        norm_squared(sub(point, self.middle)) > reach_m * reach_m
    }

    /// The middle of a circle around it.
    pub fn middle(&self) -> Vec2 {
        self.middle
    }

    pub fn is_circle(&self) -> bool {
        matches!(self.form, Form::Circle)
    }

    /// None of a circle.
    pub fn edges(&self) -> &[Edge] {
        if let Form::Polygon(edges) = &self.form { edges } else { &[] }
    }

    /// Radius of the circle around it, metres.
    pub fn radius_m(&self) -> f64 {
        self.radius_m
    }

    /// Whether a side has another outline wholly beyond it, and farther away than this; `to_mine` brings the other's points into this frame.
    pub fn has_beyond_a_side(&self, other: &Self, to_mine: impl Fn(Vec2) -> Vec2, distance_m: f64) -> bool {
        let Form::Polygon(edges) = &self.form else { return false };
        let above_m = |edge: &Edge, point: Vec2| dot(sub(to_mine(point), edge.corner), edge.normal());
        edges.iter().any(|edge| match &other.form {
            Form::Circle => above_m(edge, other.middle) > other.radius_m + distance_m,
            Form::Polygon(others) => others.iter().all(|other| above_m(edge, other.corner) > distance_m),
        })
    }

    /// The part of the way `way` from `start` after which a disc of this radius touches the outline from outside, in `[0, 1]`.
    ///
    /// For a disc that does not touch it at the start.
    pub fn touched_after(&self, start: Vec2, way: Vec2, radius_m: f64) -> Option<f64> {
        let around = point_touched_after(self.middle, start, way, self.radius_m + radius_m);
        match &self.form {
            Form::Circle => around,
            // Who is within the circle around the polygon may touch it at once.
            Form::Polygon(_) if around.is_none() && self.is_beyond(start, radius_m) => None,
            Form::Polygon(edges) => edges
                .iter()
                .filter_map(|edge| edge_touched_after(edge, start, way, radius_m))
                .reduce(f64::min),
        }
    }
}

fn gap_to_point(middle: Vec2, point: Vec2, radius_m: f64) -> Gap {
    let away = sub(point, middle);
    let distance_m = norm(away);
    let normal = if distance_m > 0.0 { scale(away, 1.0 / distance_m) } else { [1.0, 0.0] };
    Gap { distance_m: distance_m - radius_m, normal }
}

/// The side that is farthest below the point is the nearest to it, or ends in the nearest corner.
fn gap_to_polygon(edges: &[Edge], point: Vec2) -> Gap {
    let mut nearest = None;
    let mut most = f64::NEG_INFINITY;
    for edge in edges {
        let above = dot(sub(point, edge.corner), edge.normal());
        if above > most {
            (most, nearest) = (above, Some(edge));
        }
    }
    let Some(edge) = nearest else { return Gap { distance_m: f64::INFINITY, normal: [1.0, 0.0] } };
    let along_m = dot(sub(point, edge.corner), edge.along);
    if most <= 0.0 || (0.0..=edge.length_m).contains(&along_m) {
        return Gap { distance_m: most, normal: edge.normal() };
    }
    let end = add(edge.corner, scale(edge.along, if along_m < 0.0 { 0.0 } else { edge.length_m }));
    gap_to_point(end, point, 0.0)
}

/// A side with the round corner at its beginning.
fn edge_touched_after(edge: &Edge, start: Vec2, way: Vec2, radius_m: f64) -> Option<f64> {
    let sinks_m = -dot(way, edge.normal());
    let corner = point_touched_after(edge.corner, start, way, radius_m);
    if sinks_m <= 0.0 {
        return corner;
    }
    let part = (dot(sub(start, edge.corner), edge.normal()) - radius_m) / sinks_m;
    let along_m = dot(sub(add(start, scale(way, part)), edge.corner), edge.along);
    let is_met = (0.0..=1.0).contains(&part) && (0.0..=edge.length_m).contains(&along_m);
    if is_met { Some(corner.map_or(part, |corner| corner.min(part))) } else { corner }
}

/// A disc that moves against a point is a point that moves against a disc.
pub fn point_touched_after(middle: Vec2, start: Vec2, way: Vec2, radius_m: f64) -> Option<f64> {
    let from = sub(start, middle);
    let (nearing, apart) = (-dot(from, way), norm_squared(from) - radius_m * radius_m);
    let root = nearing * nearing - norm_squared(way) * apart;
    if nearing <= 0.0 || apart < 0.0 || root < 0.0 {
        return None;
    }
    let part = apart / (nearing + root.sqrt());
    (part <= 1.0).then_some(part)
}

/// 32 corners on an ellipse, as in the library, which has none.
pub fn ellipse(half_x_m: f64, half_y_m: f64) -> Vec<Vec2> {
    let corner = |i: i32| {
        let (sin, cos) = libm::sincos(f64::from(i) * std::f64::consts::TAU / 32.0);
        [half_x_m * cos, half_y_m * sin]
    };
    (0..32).map(corner).collect()
}

pub fn add(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn sub(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn scale(a: Vec2, factor: f64) -> Vec2 {
    [a[0] * factor, a[1] * factor]
}

pub fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn cross(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn norm_squared(a: Vec2) -> f64 {
    dot(a, a)
}

pub fn norm(a: Vec2) -> f64 {
    norm_squared(a).sqrt()
}

/// Rotates a vector by a quarter turn counter-clockwise.
pub fn left_of([x, y]: Vec2) -> Vec2 {
    [-y, x]
}

/// Turns a vector by the angle of this sine and cosine.
pub fn turned((sin, cos): (f64, f64), [x, y]: Vec2) -> Vec2 {
    [cos * x - sin * y, sin * x + cos * y]
}

/// Rotates a vector by the negative of the given angle.
pub fn turned_back((sin, cos): (f64, f64), [x, y]: Vec2) -> Vec2 {
    [cos * x + sin * y, cos * y - sin * x]
}
