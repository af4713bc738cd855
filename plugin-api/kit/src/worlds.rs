//! Random worlds, for the property tests of rays and visibility.

use proptest::prelude::*;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{Shape, ShapeKind};
use touchline_plugin_testing::{FakeWorld, outline};

/// Worlds of random shapes of all kinds within 4 m of the origin, for property tests.
pub fn worlds() -> impl Strategy<Value = FakeWorld> {
    let place = || (-4.0..4.0, -4.0..4.0, -3.1..3.1);
    let shape = (0..3u32, place(), 0.05..1.5, 0.05..1.5, (-1.5..1.5, -1.5..1.5), 0..4u32).prop_map(
        |(kind_code, (x, y, theta), length, width, (u, v), solid)| {
            let kind = if kind_code == 1 { ShapeKind::Ellipse } else { ShapeKind::Rectangle };
            let shape =
                Shape { solid: solid.min(1), ..outline(kind, Pose2::new(x, y, theta), [length, width], 0.5) };
            if kind_code < 2 {
                return shape;
            }
            let radius_m = libm::hypot(length, width).max(libm::hypot(u, v));
            let (corner_b, corner_c) = ([x + length, y + width], [x + u, y + v]);
            Shape { kind_code, corner_b, corner_c, radius_m, ..shape }
        },
    );
    (prop::collection::vec(shape, 0..8), prop::collection::vec(place(), 0..3)).prop_map(|(shapes, robots)| {
        let world = shapes.into_iter().fold(FakeWorld::new(), FakeWorld::fixture);
        robots.into_iter().fold(world, |world, (x, y, theta)| world.robot(Pose2::new(x, y, theta), 0))
    })
}
