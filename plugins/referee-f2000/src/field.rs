//! The field: what is in it, and where a ball is put that was out or stuck.
//!
//! # Frame
//! World frame: the origin is the field's centre, x runs from goal to goal.

use crate::F2000;
use touchline_plugin_api::geometry::sin_cos;
use touchline_plugin_api::view::{Role, Shape, WorldView};

impl F2000 {
    /// The goals' areas.
    pub fn goals<'v>(&self, view: &WorldView<'v>) -> impl Iterator<Item = &'v Shape> {
        let find = || view.numbered_landmarks(Role::Goal).map(|(place, _)| place).collect();
        let (places, fixtures) = (self.goals.get_or_init(find), view.fixtures());
        places.iter().filter_map(|&place| fixtures.get(place as usize))
    }
}

/// Dimensions of the field, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    half_length_m: f64,
    half_width_m: f64,
    inset_m: f64,
}

impl Field {
    /// Makes a field of full length and width; restarts are `inset_m` inside its lines.
    pub fn new(length_m: f64, width_m: f64, inset_m: f64) -> Self {
        Self { half_length_m: length_m / 2.0, half_width_m: width_m / 2.0, inset_m }
    }

    /// Whether a point is within the lines; the line is inside.
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        x.abs() <= self.half_length_m && y.abs() <= self.half_width_m
    }

    /// The nearest point for a restart after the ball was out there.
    pub fn nearest_inside(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (x_max, y_max) = (self.half_length_m - self.inset_m, self.half_width_m - self.inset_m);
        [x.clamp(-x_max, x_max), y.clamp(-y_max, y_max)]
    }

    /// The nearest of five marks where a stuck ball is dropped: the centre and the middles of the four quarters.
    pub fn nearest_mark(&self, from: [f64; 2]) -> [f64; 2] {
        let (x, y) = (self.half_length_m / 2.0, self.half_width_m / 2.0);
        let marks = [[0.0, 0.0], [x, y], [x, -y], [-x, y], [-x, -y]];
        let nearer = |a: [f64; 2], b: [f64; 2]| if distance_m(b, from) < distance_m(a, from) { b } else { a };
        marks.into_iter().fold(marks[0], nearer)
    }

    /// The nearest place around `wish` where a ball of this radius touches no robot and no other ball.
    ///
    /// Places are tried in rings of 0.25 m; if all are taken up to 3 m, the wish itself.
    pub fn free_near(&self, wish: [f64; 2], radius_m: f64, ball: u32, view: WorldView<'_>) -> [f64; 2] {
        const MARGIN_M: f64 = 0.05;
        let is_free = |point: [f64; 2]| {
            let others = view.balls().filter(|other| other.number != ball).chain(view.robots());
            others
                .map(|o| (distance_m([o.pose.x_m, o.pose.y_m], point), o.radius_m))
                .all(|(distance_m, other_radius_m)| distance_m > radius_m + other_radius_m + MARGIN_M)
        };
        let ring = |ring: u32| {
            (0..12u32).map(move |place| {
                let (sin, cos) = sin_cos(f64::from(place) * std::f64::consts::TAU / 12.0);
                let ring_m = 0.25 * f64::from(ring);
                [wish[0] + ring_m * cos, wish[1] + ring_m * sin]
            })
        };
        std::iter::once(wish)
            .chain((1..=12).flat_map(ring).filter(|&point| self.nearest_inside(point) == point))
            .find(|&point| is_free(point))
            .unwrap_or(wish)
    }
}

/// The distance between two points, metres.
pub fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}
