//! Discs under way, and when they touch: in `discs` robots meet each other and the fixtures on arcs.

use super::super::shape::{Solid, Vec2, add, dot, left_of, norm, scale, sub};
use super::{ROBOTS_STILL_M_S, TOUCH_M};
use touchline_plugin_api::geometry::sin_cos;

/// The way of a disc's middle from a moment on: an arc, or straight, or both.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub position: Vec2,
    /// What bends of its velocity, or all if nothing does.
    pub velocity: Vec2,
    /// How fast the direction of that changes.
    pub bends_rad_s: f64,
    /// What else there is of its velocity, which goes straight.
    pub straight_m_s: Vec2,
}

impl Way {
    /// Place and velocity after a while.
    pub fn after(&self, secs: f64) -> (Vec2, Vec2) {
        let Self { position, velocity, .. } = self.later(secs);
        (position, add(velocity, self.straight_m_s))
    }

    /// The same way from a later moment on.
    pub fn later(&self, secs: f64) -> Self {
        let Self { position, velocity, bends_rad_s, straight_m_s } = *self;
        // So little bends nothing, and would be nothing to divide by.
        if bends_rad_s.abs() < 1e-200 {
            let position = add(position, scale(add(velocity, straight_m_s), secs));
            return Self { position, ..*self };
        }
        let (half_sin, half_cos) = sin_cos(bends_rad_s * secs / 2.0);
        let (sin, versine) = (2.0 * half_sin * half_cos, 2.0 * half_sin * half_sin);
        let aside = left_of(velocity);
        let along = scale(add(scale(velocity, sin), scale(aside, versine)), 1.0 / bends_rad_s);
        let turned = add(sub(velocity, scale(velocity, versine)), scale(aside, sin));
        let position = add(position, add(along, scale(straight_m_s, secs)));
        Self { position, velocity: turned, ..*self }
    }

    /// No faster than this it goes.
    pub fn fastest_m_s(&self) -> f64 {
        norm(self.velocity) + norm(self.straight_m_s)
    }

    /// How fast its velocity changes, m/s^2.
    fn bends_m_s2(&self) -> f64 {
        norm(self.velocity) * self.bends_rad_s.abs()
    }

    /// When a disc on it touches what stands, in seconds from its beginning; at once if it touches it and nears it.
    pub fn meets_solid(&self, solid: &Solid, radius_m: f64, left_secs: f64) -> Option<f64> {
        if solid.is_beyond(self.position, radius_m + self.fastest_m_s() * left_secs + TOUCH_M) {
            return None;
        }
        let gap = |secs: f64| {
            let (position, velocity) = self.after(secs);
            let gap = solid.gap(position);
            (gap.distance_m - radius_m, dot(velocity, gap.normal))
        };
        closes(gap, self.bends_m_s2(), left_secs)
    }

    /// When two discs touch whose radii have this sum.
    pub fn meets_disc(&self, other: &Self, radii_m: f64, left_secs: f64) -> Option<f64> {
        let speeds_m_s = self.fastest_m_s() + other.fastest_m_s();
        let from = sub(self.position, other.position);
        if norm(from) > radii_m + speeds_m_s * left_secs + TOUCH_M {
            return None;
        }
        let gap = |secs: f64| {
            let ((one, one_m_s), (two, two_m_s)) = (self.after(secs), other.after(secs));
            let (from, velocity) = (sub(one, two), sub(one_m_s, two_m_s));
            let distance_m = norm(from);
            // Two in the same place part in any direction.
            let nearing = if distance_m > 0.0 { dot(from, velocity) / distance_m } else { 0.0 };
            (distance_m - radii_m, nearing)
        };
        closes(gap, self.bends_m_s2() + other.bends_m_s2(), left_secs)
    }
}

/// When a gap closes of which `gap` tells width and growth at a time.
///
/// The distance from a convex thing is a convex function of the place, so the gap bends down by no more than the velocity bends: by
/// `bends_m_s2`. Each step goes to where a parabola of that bend through the gap would be closed: never past a touch, however short that
/// is, and for discs that go straight these steps are Newton's.
fn closes(gap: impl Fn(f64) -> (f64, f64), bends_m_s2: f64, left_secs: f64) -> Option<f64> {
    const STEPS: usize = 100;
    let mut secs = 0.0;
    for _ in 0..STEPS {
        let (gap_m, grows_m_s) = gap(secs);
        let closed_after = |open_m: f64| {
            2.0 * open_m / ((grows_m_s * grows_m_s + 2.0 * bends_m_s2 * open_m).sqrt() - grows_m_s)
        };
        if gap_m <= TOUCH_M && grows_m_s < -ROBOTS_STILL_M_S {
            // The last bit of the way decides on the direction in which they part.
            secs += closed_after(gap_m.max(0.0));
            return (secs <= left_secs).then_some(secs);
        }
        // Those that touch and do not near: on to where they can have come nearer by as much as counts as touching.
        secs += closed_after(gap_m.max(TOUCH_M));
        let is_within = secs <= left_secs;
        if !is_within {
            return None;
        }
    }
    None
}
