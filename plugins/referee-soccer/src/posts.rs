//! Players at the goals' posts: reflected as a ball is, which the physics of robots with drives does not do.

use crate::vector::{Vector, add, length, scale, square, sub};
use std::f64::consts::PI;
use touchline_plugin_api::noise::Noise;
use touchline_soccer_law::body::polar;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::{HALF_LENGTH_M, POST_RADIUS_M};

/// Who comes out of a post is so far from it.
const EPSILON_M: f64 = 1e-10;
/// A way of one cycle meets no more.
const MOST_IMPACTS: usize = 10;

/// Middles of the four posts.
fn posts(server: &ServerParams) -> [Vector; 4] {
    let (x, y) = (HALF_LENGTH_M - POST_RADIUS_M, server.goal_width / 2.0 + POST_RADIUS_M);
    [[x, y], [x, -y], [-x, y], [-x, -y]]
}

/// Where a disc comes out of the post in which it was put or pushed, before it goes on, and its velocity then, which never leads into the post
/// again; `None` if it is in none. In the middle of one any way out is as good.
pub fn out(
    server: &ServerParams,
    place: Vector,
    velocity: Vector,
    radius_m: f64,
    noise: &mut Noise,
) -> Option<(Vector, Vector)> {
    let reach_m = radius_m + POST_RADIUS_M;
    let post = posts(server).into_iter().find(|post| square(sub(place, *post)) < reach_m * reach_m)?;
    let away = sub(place, post);
    let normal =
        if away == [0.0; 2] { polar(1.0, noise.uniform(-PI, PI)) } else { scale(away, 1.0 / length(away)) };
    let leads_in = velocity[0] * normal[0] + velocity[1] * normal[1] < 0.0;
    // Not in again by rounding.
    let place = add(post, scale(normal, reach_m + EPSILON_M));
    Some((place, if leads_in { mirrored(velocity, normal) } else { velocity }))
}

/// Where a disc comes to in a cycle that starts there with this velocity, and its velocity then: its speed stays.
pub fn carried(server: &ServerParams, start: Vector, velocity: Vector, radius_m: f64) -> (Vector, Vector) {
    let reach_m = radius_m + POST_RADIUS_M;
    let posts = posts(server);
    let (mut place, mut velocity) = (start, velocity);
    let mut way = velocity;
    for _ in 0..MOST_IMPACTS {
        let impacts = posts.into_iter().filter_map(|post| Some((meets(place, way, post, reach_m)?, post)));
        let Some((part, post)) = impacts.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        place = add(place, scale(way, part));
        let normal = scale(sub(place, post), 1.0 / reach_m);
        way = mirrored(scale(way, 1.0 - part), normal);
        velocity = mirrored(velocity, normal);
    }
    (add(place, way), velocity)
}

fn mirrored(vector: Vector, normal: Vector) -> Vector {
    let along = vector[0] * normal[0] + vector[1] * normal[1];
    sub(vector, scale(normal, 2.0 * along))
}

/// The part of a way after which it comes to a circle from outside, if it does.
fn meets(place: Vector, way: Vector, centre: Vector, radius_m: f64) -> Option<f64> {
    let away = sub(place, centre);
    let (a, b) = (square(way), away[0] * way[0] + away[1] * way[1]);
    let root = b * b - a * (square(away) - radius_m * radius_m);
    if b >= 0.0 || root <= 0.0 {
        return None;
    }
    let part = (-b - root.sqrt()) / a;
    (part <= 1.0).then(|| part.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Head on it comes back the way it has left; at an angle by the law of reflection; beside it goes on.
    #[test]
    fn a_post_reflects() {
        let server = ServerParams::today();
        let close =
            |got: Vector, wanted: Vector| assert!(length(sub(got, wanted)) < 1e-12, "{got:?} for {wanted:?}");
        // It touches at 52.44 - 0.36 = 52.08.
        let (place, velocity) = carried(&server, [51.5, 7.07], [0.6, 0.0], 0.3);
        close(place, [52.06, 7.07]);
        close(velocity, [-0.6, 0.0]);
        // Where the normal is at 45 degrees it goes off at a right angle.
        let aside = 0.36 * 0.5f64.sqrt();
        let (place, velocity) = carried(&server, [52.44 - aside - 0.5, 7.07 + aside], [0.8, 0.0], 0.3);
        close(place, [52.44 - aside, 7.07 + aside + 0.3]);
        close(velocity, [0.0, 0.8]);
        close(carried(&server, [51.5, 7.5], [0.6, 0.0], 0.3).0, [52.1, 7.5]);
    }
}
