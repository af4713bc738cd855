//! Where a scan line crosses the field's lines, and whether that place can be seen.
//!
//! # Units, frames
//! Metres, world frame. Directions have the length one.

use touchline_plugin_api::view::{Role, Shape, ShapeKind, WorldView};

/// Two lines that touch are one: less than this is no gap, metres.
const GAP_M: f64 = 1e-9;

/// All that a scan line from one place can meet.
pub struct Floor<'a> {
    origin: [f64; 2],
    /// Of the eye, above the floor.
    height_m: f64,
    range_m: [f64; 2],
    lines: Vec<InSector<'a>>,
    /// What can stand before a line.
    screens: Vec<InSector<'a>>,
}

impl<'a> Floor<'a> {
    /// Collects what is in range; crossings count between the two ends of `range_m`.
    pub fn new(view: &WorldView<'a>, origin: [f64; 2], height_m: f64, range_m: [f64; 2]) -> Self {
        let lines = view.landmarks(Role::Line).filter(|line| is_near(line, origin, range_m[1]));
        let lines = lines.map(|line| InSector::new(line, origin)).collect();
        Self { origin, height_m, range_m, lines, screens: Vec::new() }
    }

    /// Lets solid things hide lines, except for those of the robot that carries the sensor.
    pub fn with_screens(mut self, view: &WorldView<'a>, robot_object: u32) -> Self {
        let is_screen = |shape: &&Shape| {
            shape.solid != 0
                && shape.object != robot_object
                && shape.z_bottom_m <= self.height_m
                && is_near(shape, self.origin, self.range_m[1])
        };
        let screens = view.shapes.iter().filter(is_screen);
        self.screens = screens.map(|screen| InSector::new(screen, self.origin)).collect();
        self
    }

    /// The distances at which a scan line goes over from the floor to a line, if that place is in sight, in ascending
    /// order. `spans` is a buffer.
    pub fn crossings(&self, direction: [f64; 2], spans: &mut Vec<[f64; 2]>) -> impl Iterator<Item = f64> {
        spans.clear();
        spans.extend(self.lines.iter().filter_map(|line| line.span(self.origin, direction)));
        spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut covered_m = f64::NEG_INFINITY;
        let edges = spans.iter().filter_map(move |&[enter_m, leave_m]| {
            let is_edge = enter_m > covered_m + GAP_M;
            covered_m = covered_m.max(leave_m);
            is_edge.then_some(enter_m)
        });
        edges.filter(move |&distance_m| {
            let [near_m, far_m] = self.range_m;
            near_m <= distance_m && distance_m <= far_m && !self.is_hidden(direction, distance_m)
        })
    }

    /// Whether something stands in the straight way from the eye down to a place of the floor.
    fn is_hidden(&self, direction: [f64; 2], distance_m: f64) -> bool {
        let sight_m = |along_m: f64| self.height_m * (1.0 - along_m / distance_m);
        self.screens.iter().any(|screen| {
            let Some([enter_m, leave_m]) = screen.span(self.origin, direction) else { return false };
            let (from_m, to_m) = (enter_m.max(0.0), leave_m.min(distance_m));
            // The way falls: it is highest where it comes in.
            from_m < to_m
                && sight_m(from_m) >= screen.shape.z_bottom_m
                && sight_m(to_m) <= screen.shape.z_top_m
        })
    }
}

fn is_near(shape: &Shape, [x, y]: [f64; 2], range_m: f64) -> bool {
    let (dx, dy, reach_m) = (shape.x_m - x, shape.y_m - y, range_m + shape.radius_m);
    dx * dx + dy * dy <= reach_m * reach_m
}

/// How far a ray passes by a corner before its shape is left out without a closer look, metres.
const PASSED_BY_M: f64 = 1e-6;

/// A shape, and between which directions it is seen from the origin.
pub struct InSector<'a> {
    shape: &'a Shape,
    /// Its outermost corners from the origin; both are zero, which leaves out no ray, if the origin is at or in it.
    right: [f64; 2],
    left: [f64; 2],
}

impl<'a> InSector<'a> {
    /// Of a shape, from the origin of all rays that it is asked about.
    pub fn new(shape: &'a Shape, origin: [f64; 2]) -> Self {
        let corners = corners(shape).map(|[x, y]| [x - origin[0], y - origin[1]]);
        let [mut right, mut left] = [corners[0]; 2];
        for &corner in &corners[1..] {
            right = if cross(right, corner) < 0.0 { corner } else { right };
            left = if cross(corner, left) < 0.0 { corner } else { left };
        }
        // From outside all corners lie between the two, and these less than half a turn apart. Near a corner or an edge
        // rounding could say otherwise.
        let is_between = |&corner: &[f64; 2]| {
            cross(right, corner) >= 0.0 && cross(corner, left) >= 0.0 && dot(corner, corner) > 1e-6
        };
        let is_outside = cross(right, left) > -1e-3 * dot(right, left) && corners.iter().all(is_between);
        let [right, left] = if is_outside { [right, left] } else { [[0.0; 2]; 2] };
        Self { shape, right, left }
    }

    /// As [`span`], which most rays need not be asked for.
    pub fn span(&self, origin: [f64; 2], direction: [f64; 2]) -> Option<[f64; 2]> {
        let is_passed_by =
            cross(self.right, direction) < -PASSED_BY_M || cross(direction, self.left) < -PASSED_BY_M;
        if is_passed_by { None } else { span(self.shape, origin, direction) }
    }
}

/// The corners of a shape, of an ellipse those of the rectangle around it; one of a triangle's stands twice.
fn corners(shape: &Shape) -> [[f64; 2]; 4] {
    match shape.kind() {
        ShapeKind::Rectangle | ShapeKind::Ellipse => shape.rectangle_corners(),
        ShapeKind::Triangle => {
            let first = [shape.x_m, shape.y_m];
            [first, shape.corner_b, shape.corner_c, first]
        }
    }
}

/// Where a ray is within a shape: from, to. The beginning is below zero if the origin lies in the shape.
pub fn span(shape: &Shape, origin: [f64; 2], direction: [f64; 2]) -> Option<[f64; 2]> {
    let offset = [origin[0] - shape.x_m, origin[1] - shape.y_m];
    // Most shapes are passed by.
    if cross(direction, offset).abs() > shape.radius_m || dot(direction, offset) > shape.radius_m {
        return None;
    }
    let own = |v: [f64; 2]| [shape.cos * v[0] + shape.sin * v[1], shape.cos * v[1] - shape.sin * v[0]];
    let half = [shape.half_x_m, shape.half_y_m];
    let [enter, leave] = match shape.kind() {
        ShapeKind::Rectangle => {
            let (p, d) = (own(offset), own(direction));
            let [x, y] = [0, 1].map(|i| slab(half[i], p[i], d[i]));
            [x[0].max(y[0]), x[1].min(y[1])]
        }
        ShapeKind::Ellipse => {
            let (p, d) = (own(offset), own(direction));
            // Where it is the unit circle.
            let (p, d) = ([p[0] / half[0], p[1] / half[1]], [d[0] / half[0], d[1] / half[1]]);
            let (a, b, c) = (dot(d, d), dot(p, d), dot(p, p) - 1.0);
            let root = (b * b - a * c).sqrt();
            [(-b - root) / a, (-b + root) / a]
        }
        ShapeKind::Triangle => {
            let corners = [[shape.x_m, shape.y_m], shape.corner_b, shape.corner_c];
            let edge = |i: usize| {
                let (a, b) = (corners[i], corners[(i + 1) % 3]);
                ([b[0] - a[0], b[1] - a[1]], [origin[0] - a[0], origin[1] - a[1]])
            };
            let sign = if cross(edge(0).0, edge(1).0) < 0.0 { -1.0 } else { 1.0 };
            inside_all((0..3).map(|i| {
                let (along, from) = edge(i);
                (sign * cross(along, from), sign * cross(along, direction))
            }))
        }
    };
    // A NaN is a ray that passes by.
    (leave >= 0.0 && enter <= leave).then_some([enter, leave])
}

/// Where `-half <= position + t * slope <= half`.
fn slab(half: f64, position: f64, slope: f64) -> [f64; 2] {
    if slope == 0.0 {
        let is_in = position.abs() <= half;
        return if is_in { [f64::NEG_INFINITY, f64::INFINITY] } else { [f64::INFINITY, f64::NEG_INFINITY] };
    }
    let (low, high) = ((-half - position) / slope, (half - position) / slope);
    if slope > 0.0 { [low, high] } else { [high, low] }
}

/// Where `value + t * slope >= 0` for all of the pairs `(value, slope)`.
fn inside_all(sides: impl IntoIterator<Item = (f64, f64)>) -> [f64; 2] {
    sides.into_iter().fold([f64::NEG_INFINITY, f64::INFINITY], |[enter, leave], (value, slope)| {
        if slope > 0.0 {
            [enter.max(-value / slope), leave]
        } else if slope < 0.0 {
            [enter, leave.min(-value / slope)]
        } else if value >= 0.0 {
            [enter, leave]
        } else {
            [f64::INFINITY, f64::NEG_INFINITY]
        }
    })
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
