//! Vectors of the plane.

pub type Vector = [f64; 2];

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn scale(a: Vector, by: f64) -> Vector {
    [a[0] * by, a[1] * by]
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn length(a: Vector) -> f64 {
    libm::hypot(a[0], a[1])
}

pub fn distance(a: Vector, b: Vector) -> f64 {
    length(sub(a, b))
}

/// Of length 1; nothing stays nothing.
pub fn unit(a: Vector) -> Vector {
    let size = length(a);
    if size < 1e-9 { [0.0; 2] } else { scale(a, 1.0 / size) }
}

/// Direction, radians.
pub fn direction(a: Vector) -> f64 {
    libm::atan2(a[1], a[0])
}
