//! One update of Monte Carlo localisation with 1,000 samples.
//!
//! `cargo bench -p touchline-plugin-api --bench localisation`. Timed is a whole update: samples moved, weighed and drawn
//! anew. `table` weighs five labelled landmarks by a table of 0.1 m and 10 degrees over the f2000 field, `map` the same
//! landmarks by their places, `beams` 36 laser beams cast through the field's fixtures.

// A benchmark reads the clock and prints; what it measures does neither.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    clippy::unwrap_used
)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::f64::consts::PI;
use touchline_kit::rays::{FanTable, cast_fan};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::FakeWorld;
use touchline_skills::localisation::table::{Grid, Learner, SeenFeature, Slots};
use touchline_skills::localisation::{Area, Beams, Belief, BeliefParams, Landmarks, Seen, SightingNoise};

const AREA: Area = Area { low: [-6.0, -3.0], high: [6.0, 3.0] };
const PLACES: [[f64; 2]; 5] = [[5.0, 0.0], [-5.0, 0.0], [5.0, 2.5], [5.0, -2.5], [-5.0, 2.5]];
const NOISE: SightingNoise =
    SightingNoise { sigma_bearing_rad: 0.02, sigma_distance_relative: 0.05, sigma_distance_m: 0.02 };
const TRUTH: Pose2 = Pose2 { x_m: 1.0, y_m: 0.5, theta_rad: 0.3 };

fn see(pose: Pose2) -> Vec<Option<Seen>> {
    PLACES.iter().map(|&place| Some(Seen::at(pose.point_to_inner(place)))).collect()
}

fn updates(criterion: &mut Criterion) {
    let mut noise = NoiseKey::for_owner(1, "bench").stream();
    // Spread over the field, as at the beginning: the worst case for the table and the memory behind it.
    let spread =
        Belief::everywhere(AREA, BeliefParams { most_random: 0.0, ..BeliefParams::default() }, &mut noise);
    let displacement = Pose2::new(0.05, 0.0, 0.02);
    let mut group = criterion.benchmark_group("update of 1000 samples");

    let grid = Grid { area: AREA, cell_m: 0.1, headings: 36 };
    let feature = SeenFeature::new("landmarks", PLACES.len(), Slots::Labelled);
    let mut learner = Learner::new(grid, vec![feature], 0..grid.len(), 1).unwrap();
    (0..grid.len()).for_each(|_| learner.learn_cell(|pose, _, seen| seen.clone_from_slice(&see(pose))));
    let table = Learner::finish(vec![learner], 0).unwrap();
    let seen = see(TRUTH);
    group.bench_function("table, five landmarks", |bencher| {
        bencher.iter_batched_ref(
            || spread.clone(),
            |belief| {
                belief.predict(displacement, &mut noise);
                belief.correct(&[&table.weigh(&seen)], &mut noise);
            },
            criterion::BatchSize::SmallInput,
        )
    });

    // As it is most of the time: the robot knows where it is.
    let sure = Belief::around(TRUTH, 0.1, 0.1, AREA, BeliefParams::default(), &mut noise);
    group.bench_function("table, five landmarks, samples together", |bencher| {
        bencher.iter_batched_ref(
            || sure.clone(),
            |belief| {
                belief.predict(displacement, &mut noise);
                belief.correct(&[&table.weigh(&seen)], &mut noise);
            },
            criterion::BatchSize::SmallInput,
        )
    });

    let map = Landmarks::labelled(&PLACES, NOISE);
    group.bench_function("map, five landmarks", |bencher| {
        bencher.iter_batched_ref(
            || spread.clone(),
            |belief| {
                belief.predict(displacement, &mut noise);
                belief.correct(&[&map.weigh(&seen)], &mut noise);
            },
            criterion::BatchSize::SmallInput,
        )
    });

    let world = FakeWorld::f2000();
    let view = world.view();
    let (step_rad, count) = (PI / 35.0, 36);
    let beams = Beams::new(-PI / 2.0, step_rad, count, (Pose2::ORIGIN, 0.3), 8.0, 0.1).unwrap();
    let fan = FanTable::new(-PI / 2.0, step_rad, count).unwrap();
    let mut ranges = vec![0.0; count];
    cast_fan(&view, TRUTH, &fan, 8.0, 0.3, NONE, &mut ranges);
    group.bench_function("36 beams cast", |bencher| {
        bencher.iter_batched_ref(
            || spread.clone(),
            |belief| {
                belief.predict(displacement, &mut noise);
                belief.correct(&[&beams.weigh(&view, &ranges)], &mut noise);
            },
            criterion::BatchSize::SmallInput,
        )
    });
}

criterion_group!(benches, updates);
criterion_main!(benches);
