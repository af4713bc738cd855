//! Places, velocities and angles of the wire in the world's axes: there y and angles go the other way.

use crate::state::Point;

/// A place of the wire in the world's axes, metres; without the sign of a zero.
pub fn world_place([x, y]: Point) -> Point {
    [x, if y == 0.0 { 0.0 } else { -y }]
}

/// A velocity of the wire, metres a cycle, in the world's axes, m/s.
pub fn world_velocity(velocity: Point) -> Point {
    world_place(velocity).map(|speed| speed / touchline_soccer_law::face::CYCLE_SECS)
}

/// An angle of the wire, degrees clockwise, as the world's, radians counter-clockwise.
pub fn world_angle(angle_deg: f64) -> f64 {
    let angle_rad = -angle_deg.to_radians();
    if angle_rad == 0.0 { 0.0 } else { angle_rad }
}
