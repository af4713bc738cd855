//! Points of the plane as `[x, y]`, metres.

use touchline_plugin_api::geometry::atan2;

/// A point or a vector.
pub type Point = [f64; 2];

#[inline]
pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline]
pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
pub fn scale(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor]
}

#[inline]
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The vector, turned by a quarter to the left.
#[inline]
pub fn left_of(a: Point) -> Point {
    [-a[1], a[0]]
}

#[inline]
pub fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

#[inline]
pub fn angle(a: Point) -> f64 {
    atan2(a[1], a[0])
}

/// The vector with length one; forward if it has none.
#[inline]
pub fn unit(a: Point) -> Point {
    let length_m = length(a);
    if length_m > 1e-9 { scale(a, 1.0 / length_m) } else { [1.0, 0.0] }
}
