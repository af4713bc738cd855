//! P3: rays against scenes worked out by hand, and against an independent way of finding the same thing.

use super::*;
use crate::worlds::worlds;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::grid::Cells;
use touchline_plugin_api::view::{NONE, WorldView};
use touchline_plugin_testing::FakeWorld;

const RANGE_M: f64 = 12.0;

fn fan(world: &FakeWorld, pose: Pose2, table: &FanTable, exclude_object: u32) -> Vec<f64> {
    let mut ranges_m = vec![f64::NAN; table.len()];
    cast_fan(&world.view(), pose, table, RANGE_M, 0.2, exclude_object, &mut ranges_m);
    ranges_m
}

fn ray(world: &FakeWorld, origin: [f64; 2], angle_rad: f64) -> f64 {
    let hit = cast_ray(&world.view(), origin, angle_rad, RANGE_M, |shape| is_solid_at(shape, 0.2));
    hit.map_or(f64::INFINITY, |hit| hit.distance_m)
}

/// Takes small steps until a point lies in a shape, then halves the last one. Uses nothing but `Shape::contains`.
fn march(world: &FakeWorld, origin: [f64; 2], angle_rad: f64) -> f64 {
    let is_met = |t: f64| is_met(world, origin, angle_rad, t);
    const STEP_M: f64 = 1e-3;
    let Some(step) = (0..(RANGE_M / STEP_M) as u32).find(|&i| is_met(f64::from(i) * STEP_M)) else {
        return f64::INFINITY;
    };
    let (mut low, mut high) = (f64::from(step.max(1) - 1) * STEP_M, f64::from(step) * STEP_M);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if is_met(middle) { high = middle } else { low = middle }
    }
    high
}

/// Whether the point so far along a ray lies in a shape.
fn is_met(world: &FakeWorld, origin: [f64; 2], angle_rad: f64, t: f64) -> bool {
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(angle_rad);
    let point = [origin[0] + t * cos, origin[1] + t * sin];
    world.view().shapes.iter().any(|shape| is_solid_at(shape, 0.2) && shape.contains(point))
}

fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-7
}

fn tables() -> impl Strategy<Value = FanTable> {
    prop_oneof![
        (0.1..TAU, 1..80usize).prop_map(|(view, beams)| FanTable::centred(view, beams).unwrap()),
        Just(FanTable::centred(TAU, 64).unwrap()),
        (-7.0..7.0, 0.01..0.1, 1..60usize)
            .prop_map(|(start, step, n)| FanTable::new(start, step, n).unwrap()),
    ]
}

fn poses() -> impl Strategy<Value = Pose2> {
    (-5.0..5.0, -5.0..5.0, -3.1..3.1).prop_map(|(x, y, theta)| Pose2::new(x, y, theta))
}

#[test]
fn a_square_room_has_the_distances_of_a_square() {
    let world = FakeWorld::new()
        .wall([3.0, 0.0], [0.2, 6.0])
        .wall([-3.0, 0.0], [0.2, 6.0])
        .wall([0.0, 3.0], [6.0, 0.2])
        .wall([0.0, -3.0], [6.0, 0.2]);
    let table = FanTable::centred(TAU, 8).unwrap();
    let diagonal = 2.9 * 2f64.sqrt();
    let ranges = fan(&world, Pose2::new(0.0, 0.0, PI), &table, NONE);
    for (i, range) in ranges.iter().enumerate() {
        let expected = if i % 2 == 0 { 2.9 } else { diagonal };
        assert!((range - expected).abs() < 1e-12, "beam {i}: {range}");
    }
}

#[test]
fn a_ball_is_met_where_the_circle_is() {
    let world = FakeWorld::new().ball([2.0, 0.05], [0.0, 0.0]);
    let expected = 2.0 - (0.11f64 * 0.11 - 0.05 * 0.05).sqrt();
    assert!((ray(&world, [0.0, 0.0], 0.0) - expected).abs() < 1e-12);
    let ranges = fan(&world, Pose2::ORIGIN, &FanTable::new(0.0, 1.0, 2).unwrap(), NONE);
    assert!((ranges[0] - expected).abs() < 1e-12);
    assert_eq!(ranges[1], f64::INFINITY);
}

#[test]
fn lines_and_low_things_and_far_things_are_not_met() {
    let world = FakeWorld::new()
        .line([1.0, 0.0], [0.1, 1.0])
        .ball([2.0, 0.0], [0.0; 2])
        .wall([14.0, 0.0], [1.0, 1.0]);
    let at = |z_m: f64, range_max_m: f64| {
        let mut range = [0.0];
        let table = FanTable::centred(1.0, 1).unwrap();
        cast_fan(&world.view(), Pose2::ORIGIN, &table, range_max_m, z_m, NONE, &mut range);
        range[0]
    };
    assert!((at(0.0, 12.0) - 1.89).abs() < 1e-12);
    assert_eq!(at(0.3, 12.0), f64::INFINITY);
    assert_eq!(at(0.3, 13.5), 13.5);
    assert_eq!(at(0.6, 20.0), f64::INFINITY);
}

#[test]
fn the_sensors_own_body_is_not_met() {
    let world = FakeWorld::new().robot(Pose2::ORIGIN, 0).robot(Pose2::new(2.0, 0.0, PI), 1);
    let table = FanTable::centred(FRAC_PI_2, 3).unwrap();
    assert_eq!(fan(&world, Pose2::ORIGIN, &table, NONE), [0.0; 3]);
    // The other robot looks here: its body begins between its fingers.
    assert_eq!(fan(&world, Pose2::ORIGIN, &table, 1), [f64::INFINITY, 1.75, f64::INFINITY]);
}

proptest! {
    #[test]
    fn a_ray_ends_where_the_first_shape_begins(world in worlds(), pose in poses()) {
        let origin = [pose.x_m, pose.y_m];
        let found = ray(&world, origin, pose.theta_rad);
        // What is thinner than a marching step, a corner or a sliver, can be missed by the march, never by the ray.
        let marched = march(&world, origin, pose.theta_rad);
        let around = [-1e-3, 1e-3].map(|turn| ray(&world, origin, pose.theta_rad + turn));
        let is_corner = || around.iter().any(|r| (r - found).abs() > 1e-2);
        let is_sliver = || (0..2000).any(|i| is_met(&world, origin, pose.theta_rad, found + f64::from(i) * 1e-6));
        prop_assert!(near(found, marched) || (found < marched && (is_corner() || is_sliver())));
    }

    /// The fan finds what single rays find, beam by beam.
    #[test]
    fn a_fan_is_its_rays(world in worlds(), pose in poses(), table in tables(), excluded in 0..4u32) {
        let excluded = if excluded == 0 { NONE } else { excluded };
        let filter = |shape: &Shape| is_solid_at(shape, 0.2) && shape.object != excluded;
        for (i, &found) in fan(&world, pose, &table, excluded).iter().enumerate() {
            let angle = pose.theta_rad + table.angle_min_rad() + i as f64 * table.angle_step_rad();
            let single = |turn: f64| {
                let hit = cast_ray(&world.view(), [pose.x_m, pose.y_m], angle + turn, RANGE_M, filter);
                hit.map_or(f64::INFINITY, |hit| hit.distance_m)
            };
            // A beam that just touches an edge may go either way.
            prop_assert!(
                near(found, single(0.0)) || [-1e-9, 1e-9].iter().any(|&turn| (found - single(turn)).abs() < 1e-4 || found == single(turn)),
                "beam {}: fan {}, ray {}", i, found, single(0.0)
            );
        }
    }

    #[test]
    fn taking_an_obstacle_away_makes_no_beam_shorter(world in worlds(), pose in poses(), table in tables()) {
        let before = fan(&world, pose, &table, NONE);
        for object in 0..world.view().objects.len() as u32 {
            let after = fan(&world, pose, &table, object);
            prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after));
        }
    }

    /// Groups of far objects are passed over; what is left has the bits of each object looked at alone. Most stand where the
    /// range ends, before a beam.
    #[test]
    fn a_crowd_is_its_members(
        places in prop::collection::vec(
            (0..80usize, prop_oneof![-20.0..8.0f64, -0.8..0.1f64, -1e-10..1e-10f64, -1e-14..1e-14f64]),
            0..40,
        ),
        pose in poses(),
        table in tables(),
        excluded in 0..40u32,
    ) {
        let crowd = places.iter().enumerate().fold(FakeWorld::new(), |world, (i, &(beam, beyond_m))| {
            let beam = (beam % table.len()) as f64;
            let theta = pose.theta_rad + table.angle_min_rad() + beam * table.angle_step_rad();
            let at = |radius_m: f64| {
                Pose2 { theta_rad: theta, ..pose }.compose(Pose2::new(RANGE_M + radius_m + beyond_m, 0.0, PI))
            };
            let (robot, ball) = (at(0.37), at(0.11));
            if i % 8 == 0 { world.robot(robot, 0) } else { world.ball([ball.x_m, ball.y_m], [0.0; 2]) }
        });
        let view = crowd.view();
        let cast = |view: &WorldView<'_>, excluded: u32| {
            let mut ranges_m = vec![f64::NAN; table.len()];
            cast_fan(view, pose, &table, RANGE_M, 0.1, excluded, &mut ranges_m);
            ranges_m
        };
        let mut expected = vec![f64::INFINITY; table.len()];
        for (i, _) in view.objects.iter().enumerate().filter(|(i, _)| *i as u32 != excluded) {
            let alone = cast(&WorldView { objects: &view.objects[i..=i], ..view }, NONE);
            expected.iter_mut().zip(alone).for_each(|(least, range_m)| *least = range_m.min(*least));
        }
        let bits = |ranges_m: &[f64]| ranges_m.iter().map(|range_m| range_m.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&cast(&view, excluded)), bits(&expected));
        // The same by cells, of which few are asked.
        let mut cells = Cells::default();
        if cells.lay_objects(view.objects) {
            let view = WorldView { grid: cells.grid(), ..view };
            prop_assert_eq!(bits(&cast(&view, excluded)), bits(&expected));
        }
    }

    #[test]
    fn no_place_gives_nonsense(world in worlds(), x in -1e9..1e9f64, y in -1e9..1e9f64, table in tables()) {
        let ranges = fan(&world, Pose2::new(x, y, x), &table, NONE);
        prop_assert!(ranges.iter().all(|&range| range >= 0.0));
    }
}

/// A sensor on a corner or on an edge, where every approximation is at its worst.
#[test]
fn a_sensor_on_the_outline_is_inside() {
    let world = FakeWorld::new().wall([1.0, 1.0], [2.0, 2.0]);
    let table = FanTable::centred(TAU, 90).unwrap();
    for place in [[0.0, 0.0], [2.0, 2.0], [1.0, 0.0], [0.0, 1.5]] {
        assert_eq!(fan(&world, Pose2::new(place[0], place[1], 0.0), &table, NONE), [0.0; 90]);
    }
    // In line with a side: only the near corner is there to be met.
    let ahead = fan(&world, Pose2::new(-1.0, 0.0, 0.0), &FanTable::new(1e-6, 1.0, 1).unwrap(), NONE);
    assert!((ahead[0] - 1.0).abs() < 1e-9);
}
