//! The outlines of what beams can meet, in the world frame.

use touchline_kit::rays::is_solid_at;
use touchline_plugin_api::view::{Shape, ShapeKind, WorldView};

/// A side of an outline that runs counter-clockwise: who sees it is on its right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Indices of its end corners.
    pub from: usize,
    pub to: usize,
}

/// An ellipse, and how the world is stretched so that it is the unit circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub centre: [f32; 2],
    pub u: [f32; 2],
    pub v: [f32; 2],
    pub half_m: [f32; 2],
}

#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    pub corners: Vec<[f32; 2]>,
    pub edges: Vec<Edge>,
    /// For each outline where its edges end.
    pub ends: Vec<usize>,
    pub rounds: Vec<Round>,
}

impl Outlines {
    /// Without what moves, what lies on the floor, and what the beams pass over.
    pub(super) fn of(world: &WorldView<'_>, z_m: f64) -> Self {
        let mut outlines = Self::default();
        let fixtures = world.objects.first().map_or(&[][..], |fixtures| world.shapes_of(fixtures));
        fixtures.iter().filter(|shape| is_solid_at(shape, z_m)).for_each(|shape| outlines.add(shape));
        outlines
    }

    fn add(&mut self, shape: &Shape) {
        let (half_x, half_y) = (shape.half_x_m, shape.half_y_m);
        let outer = |u: f64, v: f64| {
            [shape.x_m + shape.cos * u - shape.sin * v, shape.y_m + shape.sin * u + shape.cos * v]
        };
        match shape.kind() {
            ShapeKind::Ellipse => self.rounds.push(Round {
                centre: [shape.x_m as f32, shape.y_m as f32],
                u: [(shape.cos / half_x) as f32, (shape.sin / half_x) as f32],
                v: [(-shape.sin / half_y) as f32, (shape.cos / half_y) as f32],
                half_m: [half_x as f32, half_y as f32],
            }),
            ShapeKind::Rectangle => self.add_outline(&[
                outer(half_x, half_y),
                outer(-half_x, half_y),
                outer(-half_x, -half_y),
                outer(half_x, -half_y),
            ]),
            ShapeKind::Triangle => {
                let (a, b, c) = ([shape.x_m, shape.y_m], shape.corner_b, shape.corner_c);
                let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                self.add_outline(&if area < 0.0 { [a, c, b] } else { [a, b, c] });
            }
        }
    }

    fn add_outline(&mut self, corners: &[[f64; 2]]) {
        let first = self.corners.len();
        self.corners.extend(corners.iter().map(|corner| corner.map(|number| number as f32)));
        let count = corners.len();
        self.edges.extend((0..count).map(|at| Edge { from: first + at, to: first + (at + 1) % count }));
        self.ends.push(self.edges.len());
    }
}
