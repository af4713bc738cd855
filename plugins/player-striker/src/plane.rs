//! Points of the plane as `[x, y]`, metres.

/// A point or a vector.
pub type Point = [f64; 2];

pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn scale(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor]
}

pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The vector, turned by a quarter to the left.
pub fn left_of(a: Point) -> Point {
    [-a[1], a[0]]
}

pub fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

pub fn angle(a: Point) -> f64 {
    libm::atan2(a[1], a[0])
}

/// The vector with length one; forward if it has none.
pub fn unit(a: Point) -> Point {
    let length_m = length(a);
    if length_m > 1e-9 { scale(a, 1.0 / length_m) } else { [1.0, 0.0] }
}
