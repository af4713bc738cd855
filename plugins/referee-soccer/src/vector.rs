//! Vectors of the plane.

pub type Vector = [f64; 2];

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn scale(a: Vector, by: f64) -> Vector {
    a.map(|part| part * by)
}

pub fn length(a: Vector) -> f64 {
    libm::hypot(a[0], a[1])
}

/// Its square: no root is needed to compare distances.
pub fn square([x, y]: Vector) -> f64 {
    x * x + y * y
}

pub fn distance(a: Vector, b: Vector) -> f64 {
    length(sub(a, b))
}

/// Of a given length in the same direction; nothing stays nearly nothing.
pub fn with_length(a: Vector, wanted: f64) -> Vector {
    scale(a, wanted / length(a).max(1e-10))
}

pub fn direction_rad(a: Vector) -> f64 {
    libm::atan2(a[1], a[0])
}
