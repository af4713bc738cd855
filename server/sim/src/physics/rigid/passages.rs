//! Passages in the library's terms and back: it knows chords and velocities of centres of mass, in `f32`.

use super::super::body::RobotBody;
use super::super::journey::{Journey, Passage};
use super::super::place::Place;
use super::super::shape::{Vec2, add, left_of, scale, sub, turned, turned_back};
use super::{from_vector, to_vector};
use rapier2d::prelude::*;
use touchline_plugin_api::geometry::{Pose2, Twist2, atan2, sin_cos, wrap_angle};

/// The velocity with which the library makes this passage: the centre of mass goes straight.
pub fn chord(passage: &Passage, centre: Vec2, dt_secs: Real) -> (Vector, Real) {
    let Passage { start, arrival, twist, .. } = passage;
    let mut way = sub(arrival.origin(), start.origin());
    if centre != [0.0; 2] {
        let around = |place: &Place| turned(place.heading, centre);
        way = add(way, sub(around(arrival), around(start)));
    }
    let per_dt = 1.0 / f64::from(dt_secs);
    (to_vector(scale(way, per_dt)), twist.turn_rad_s as Real)
}

/// Whether the library has a robot farther from its place than matters to those that push it.
///
/// To tell it of every step's rounding would cost a tenth of a step.
pub fn is_elsewhere(body: &RigidBody, place: &Place) -> bool {
    const CLOSE_M: f64 = 2e-5;
    const CLOSE_RAD: f64 = 2e-5;
    let (pose, [x_m, y_m]) = (body.position(), place.origin());
    let (sin, cos) = place.heading;
    let turned = cos * f64::from(pose.rotation.im) - sin * f64::from(pose.rotation.re);
    let same_way = cos * f64::from(pose.rotation.re) + sin * f64::from(pose.rotation.im) > 0.0;
    (f64::from(pose.translation.x) - x_m).abs() > CLOSE_M
        || (f64::from(pose.translation.y) - y_m).abs() > CLOSE_M
        || turned.abs() > CLOSE_RAD
        || !same_way
}

/// Whether the library has made another velocity of this one, by more than it does where two rest against each other.
pub fn is_changed(told: (Vector, Real), body: &RigidBody) -> bool {
    const RESTS_M_S: Real = 1e-6;
    const RESTS_RAD_S: Real = 1e-5;
    (body.linvel() - told.0).length() > RESTS_M_S || (body.angvel() - told.1).abs() > RESTS_RAD_S
}

/// How a robot went through the step that met something: it was told this velocity, and had planned that passage.
pub fn carried(
    body: &RigidBody,
    robot: &RobotBody,
    told: (Vector, Real),
    planned: Passage,
    dt_secs: f64,
) -> Passage {
    let centre = robot.inertia.centre;
    if is_changed(told, body) {
        let mut passage = hindered(body, centre, dt_secs);
        if robot.is_pressed() {
            // What it has at the end beside its velocity over the step is settled already.
            let by = sub(robot.centre_m_s(&planned.arrival, planned.end), from_vector(told.0));
            let mut at_end = Journey::new(passage.arrival, passage.end);
            at_end.speed_up(centre, (by, planned.end.turn_rad_s - f64::from(told.1)));
            passage.end = at_end.twist;
        }
        return passage;
    }
    if !is_elsewhere(body, &planned.arrival) {
        return planned;
    }
    // It rests against something: what the library did to part them is no velocity.
    let arrival = place_of(body, centre, dt_secs);
    let start = arrival.displaced(planned.twist.displacement(-dt_secs));
    Passage { start, arrival, ..planned }
}

/// Where the library has brought a robot.
fn place_of(body: &RigidBody, centre: Vec2, dt_secs: f64) -> Place {
    // The library turns by the arc tangent of what it should.
    let turn_rad = f64::from(body.angvel()) * dt_secs;
    let rotation = body.position().rotation;
    let library_rad = atan2(f64::from(rotation.im), f64::from(rotation.re));
    let heading_rad = wrap_angle(library_rad + turn_rad - atan2(turn_rad, 1.0));
    let heading = sin_cos(heading_rad);
    let [x_m, y_m] = sub(from_vector(*body.position() * to_vector(centre)), turned(heading, centre));
    Place { pose: Pose2::new(x_m, y_m, heading_rad), heading }
}

/// Where a robot comes to that met something.
///
/// The library moves the centre of mass along a chord and turns about it; its velocity is that of the chord. What is told of it
/// is the arc with the same chord. What the library did to part bodies that overlapped is no velocity: the arc begins where it has to.
fn hindered(body: &RigidBody, centre: Vec2, dt_secs: f64) -> Passage {
    let (chord, turn_rad_s) = (from_vector(body.linvel()), f64::from(body.angvel()));
    let arrival = place_of(body, centre, dt_secs);
    let heading = arrival.heading;
    // From the chord's direction on by half the turn, and from its length to the arc's.
    let half_rad = turn_rad_s * dt_secs / 2.0;
    let (sin, cos) = sin_cos(half_rad);
    let chord_of_arc = if half_rad.abs() < 1e-4 { 1.0 } else { (sin / half_rad).max(0.1) };
    let centre_m_s = turned((sin, cos), scale(chord, 1.0 / chord_of_arc));
    let [x, y] = turned_back(heading, sub(centre_m_s, scale(left_of(turned(heading, centre)), turn_rad_s)));
    let end = Twist2::new(x, y, turn_rad_s);
    let start = arrival.displaced(end.displacement(-dt_secs));
    Passage { start, twist: end, arrival, end }
}
