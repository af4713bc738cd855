//! Where a player is, by what it sees of things at known places.

use touchline_plugin_api::geometry::{sin_cos, wrap_angle};

/// A distance is told with an error of about so many parts of it: half a step of its logarithm, and of the tenth of a metre.
const DISTANCE_ERROR: f64 = 0.01;
const DISTANCE_ERROR_M: f64 = 0.05;
/// A direction is told in whole degrees.
const DIRECTION_ERROR_RAD: f64 = 0.3 / 180.0 * std::f64::consts::PI;

/// Something at a known place that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where it is, metres.
    pub place: [f64; 2],
    /// How far it seems, metres.
    pub distance_m: f64,
    /// Where it seems, from the face, radians counter-clockwise.
    pub direction_rad: f64,
}

/// A player's place, and where its face looks to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// Metres.
    pub place: [f64; 2],
    /// Direction of the face, radians counter-clockwise.
    pub face_rad: f64,
}

/// The pose from which at least two marks look so. Each pair tells the face's direction by the angle of the line between them, weighted by that
/// line's length; then each mark tells the place, weighted by the inverse of its variance. `None` for fewer, and for two in one place.
pub fn locate(marks: &[Mark]) -> Option<Located> {
    let seen = |mark: &Mark| {
        let (sin, cos) = sin_cos(mark.direction_rad);
        [mark.distance_m * cos, mark.distance_m * sin]
    };
    let (mut sum_sin, mut sum_cos) = (0.0, 0.0);
    for (at, one) in marks.iter().enumerate() {
        for other in &marks[at + 1..] {
            let there = difference(other.place, one.place);
            let length_m = libm::hypot(there[0], there[1]);
            // How much the marks' own errors turn the line between them.
            let error_m = error_m(one) + error_m(other);
            let weight = length_m * length_m / (error_m * error_m);
            let (sin, cos) = sin_cos(angle(there) - angle(difference(seen(other), seen(one))));
            sum_sin += weight * sin;
            sum_cos += weight * cos;
        }
    }
    if sum_sin == 0.0 && sum_cos == 0.0 {
        return None;
    }
    let face_rad = libm::atan2(sum_sin, sum_cos);
    let (sin, cos) = sin_cos(face_rad);
    let (mut place, mut weights) = ([0.0; 2], 0.0);
    for mark in marks {
        let [x, y] = seen(mark);
        let from = [mark.place[0] - (cos * x - sin * y), mark.place[1] - (sin * x + cos * y)];
        let weight = 1.0 / (error_m(mark) * error_m(mark));
        place = [place[0] + weight * from[0], place[1] + weight * from[1]];
        weights += weight;
    }
    Some(Located { place: place.map(|sum| sum / weights), face_rad: wrap_angle(face_rad) })
}

fn error_m(mark: &Mark) -> f64 {
    DISTANCE_ERROR_M + (DISTANCE_ERROR + DIRECTION_ERROR_RAD) * mark.distance_m
}

fn difference(of: [f64; 2], from: [f64; 2]) -> [f64; 2] {
    [of[0] - from[0], of[1] - from[1]]
}

fn angle([x, y]: [f64; 2]) -> f64 {
    libm::atan2(y, x)
}
