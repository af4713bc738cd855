//! When a ball meets an outline that stands, and one that moves with a robot.

use super::super::journey::Journey;
use super::super::shape::{Solid, Vec2, add, dot, norm, scale, sub, turned};
use super::{STILL_M_S, TOUCH_M};

/// The part of its way after which a disc meets what stands; at once if it touches it, and its way leads into it by more than `still_m`.
pub fn disc_meets(solid: &Solid, position: Vec2, way: Vec2, radius_m: f64, still_m: f64) -> Option<f64> {
    if solid.is_beyond(position, radius_m + norm(way)) {
        return None;
    }
    let gap = solid.gap(position);
    if gap.distance_m <= radius_m + TOUCH_M {
        return (dot(way, gap.normal) < -still_m).then_some(0.0);
    }
    solid.touched_after(position, way, radius_m)
}

/// A ball's way in a robot's frame.
pub struct Curve {
    pub journey: Journey,
    pub position: Vec2,
    pub velocity: Vec2,
    pub since_secs: f64,
}

impl Curve {
    pub fn at(&self, secs: f64) -> Vec2 {
        let position = add(self.position, scale(self.velocity, secs - self.since_secs));
        self.journey.place_at(secs).to_inner(position)
    }

    /// How far the ball is from touching, and how fast that grows.
    fn gap(&self, solid: &Solid, radius_m: f64, secs: f64) -> (f64, f64) {
        let position = add(self.position, scale(self.velocity, secs - self.since_secs));
        let mut journey = self.journey;
        journey.go_to(secs);
        let gap = solid.gap(journey.place.to_inner(position));
        let normal = turned(journey.place.heading, gap.normal);
        let point = sub(position, scale(normal, gap.distance_m));
        let velocity = sub(self.velocity, journey.velocity_at(point));
        (gap.distance_m - radius_m, dot(velocity, normal))
    }

    /// When it touches an outline in a piece of the way that is nearly straight.
    pub fn meets(
        &self,
        solid: &Solid,
        radius_m: f64,
        times: [f64; 2],
        [start, end]: [Vec2; 2],
    ) -> Option<f64> {
        const NEWTON_STEPS: usize = 6;
        let way = sub(end, start);
        if solid.is_beyond(start, radius_m + norm(way) + TOUCH_M) {
            return None;
        }
        let (gap_m, speed_m_s) = self.gap(solid, radius_m, times[0]);
        if gap_m <= TOUCH_M {
            return (speed_m_s < -STILL_M_S).then_some(times[0]);
        }
        let mut secs = times[0] + solid.touched_after(start, way, radius_m)? * (times[1] - times[0]);
        for _ in 0..NEWTON_STEPS {
            let (gap_m, speed_m_s) = self.gap(solid, radius_m, secs);
            if speed_m_s >= -STILL_M_S {
                return None;
            }
            if gap_m.abs() < TOUCH_M / 10.0 {
                return Some(secs);
            }
            secs = (secs - gap_m / speed_m_s).clamp(times[0], times[1]);
        }
        // Within a piece that ends before they touch: the next one begins there.
        (self.gap(solid, radius_m, secs).0 <= TOUCH_M).then_some(secs)
    }
}
