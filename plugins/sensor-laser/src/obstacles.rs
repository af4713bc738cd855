//! Obstacles: what stands out of a scan.
//!
//! Neighbouring returns belong together if their places are near each other. How near depends on the range, for the
//! gap between two beams grows with it.
//!
//! # Reference
//! K. Dietmayer, J. Sparbert, D. Streller, *Model based object classification and object tracking in traffic scenes from
//! range images* (2001): the largest gap is a constant plus the gap of the beams at the nearer return.

use crate::LaserParams;
use touchline_kit::data::{Obstacle, Obstacles, Sighting};
use touchline_kit::rays::FanTable;
use touchline_plugin_api::geometry::atan2;

/// One return: its range, metres, and its place in the sensor's frame.
#[derive(Clone, Copy)]
struct Return {
    range_m: f64,
    place: [f64; 2],
}

/// Cuts a scan into segments of adjacent returns and keeps those that are obstacles, nearest first.
pub fn obstacles(params: &LaserParams, table: &FanTable, ranges_m: &[f64], is_ring: bool) -> Obstacles {
    let returns: Vec<Option<Return>> = ranges_m
        .iter()
        .enumerate()
        .map(|(beam, &range_m)| {
            let [cos, sin] = table.direction(beam);
            range_m.is_finite().then_some(Return { range_m, place: [range_m * cos, range_m * sin] })
        })
        .collect();
    let gap_m = |near_m: f64| params.segment_gap_m + near_m * table.angle_step_rad();
    let belong = |a: Option<Return>, b: Option<Return>| match (a, b) {
        (Some(a), Some(b)) => distance_m(a.place, b.place) <= gap_m(a.range_m.min(b.range_m)),
        _ => false,
    };
    let n = returns.len();
    // Behind the last beam of a ring comes the first: it is cut where nothing goes across.
    let is_cut = |beam: usize| !belong(returns[(beam + n - 1) % n], returns[beam]);
    let first = if is_ring { (0..n).find(|&beam| is_cut(beam)).unwrap_or(0) } else { 0 };
    let mut obstacles = Vec::new();
    let mut segment: Vec<Return> = Vec::new();
    for beam in (first..n).chain(0..first) {
        if segment.last().is_some_and(|&last| !belong(Some(last), returns[beam])) {
            obstacles.extend(obstacle(params, &segment));
            segment.clear();
        }
        segment.extend(returns[beam]);
    }
    obstacles.extend(obstacle(params, &segment));
    obstacles.sort_by(|a, b| a.sighting.distance_m.total_cmp(&b.sighting.distance_m));
    obstacles.truncate(params.max_obstacles as usize);
    Obstacles { obstacles }
}

/// The middle of a segment's returns, and how wide it is.
fn obstacle(params: &LaserParams, segment: &[Return]) -> Option<Obstacle> {
    let first = segment.first()?;
    // Not simply to the last: a wall all round ends where it begins.
    let width_m = segment.iter().map(|r| distance_m(first.place, r.place)).fold(0.0, f64::max);
    if segment.len() < params.obstacle_beams_min as usize || width_m > params.obstacle_width_max_m {
        return None;
    }
    let mean = |axis: usize| segment.iter().map(|r| r.place[axis]).sum::<f64>() / segment.len() as f64;
    let (x_m, y_m) = (mean(0), mean(1));
    let sighting = Sighting { distance_m: (x_m * x_m + y_m * y_m).sqrt(), bearing_rad: atan2(y_m, x_m) };
    Some(Obstacle { sighting, width_m })
}

fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}
