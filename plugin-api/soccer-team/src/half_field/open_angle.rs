//! How much of an angle opponents leave open.

use super::observed::Other;
use crate::vector::{Vector, distance, sub};
use std::f64::consts::FRAC_PI_4;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::HALF_LENGTH_M;

/// The largest part of the goal's opening that no opponent covers, radians.
pub fn to_goal(server: &ServerParams, from: Vector, opponents: &[Other]) -> f64 {
    let post = |y: f64| direction(from, [HALF_LENGTH_M, y]);
    let half_m = server.goal_width / 2.0;
    largest(server, from, [post(-half_m), post(half_m)], f64::INFINITY, opponents)
}

/// The same of the quarter of a turn around a mate; who is farther away than the mate covers nothing.
pub fn to_mate(server: &ServerParams, from: Vector, mate: Vector, opponents: &[Other]) -> f64 {
    let towards_rad = direction(from, mate);
    let sector = [towards_rad - FRAC_PI_4, towards_rad + FRAC_PI_4];
    largest(server, from, sector, distance(from, mate), opponents)
}

/// An opponent covers half of what it kicks to each side. Angles are not wrapped, as in the benchmark.
fn largest(server: &ServerParams, from: Vector, sector: [f64; 2], within_m: f64, opponents: &[Other]) -> f64 {
    let half_m = server.kickable_area_m() / 2.0;
    let mut open = vec![sector];
    for opponent in opponents {
        let away = distance(from, opponent.place);
        if away >= within_m {
            continue;
        }
        let (at_rad, half_rad) = (direction(from, opponent.place), libm::atan2(half_m, away));
        let (low, high) = (at_rad - half_rad, at_rad + half_rad);
        let split = |[from_rad, to_rad]: [f64; 2]| {
            if high < from_rad || low > to_rad {
                vec![[from_rad, to_rad]]
            } else {
                vec![[from_rad, low], [high, to_rad]]
            }
        };
        open = open.into_iter().flat_map(split).collect();
    }
    open.into_iter().map(|[from_rad, to_rad]| to_rad - from_rad).fold(0.0, f64::max)
}

fn direction(from: Vector, to: Vector) -> f64 {
    let [x, y] = sub(to, from);
    libm::atan2(y, x)
}
