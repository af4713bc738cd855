//! The laws of learned tables: held-out looks against closed forms and against simulation. (L1, L2)

use super::calibration::{HeldOut, class};
use super::*;
use crate::localisation::Area;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_plugin_api::noise::{Noise, NoiseKey};

const AREA: Area = Area { low: [-2.0, -2.0], high: [2.0, 2.0] };
const GRID: Grid = Grid { area: AREA, cell_m: 0.5, headings: 12 };
const LOOKS: [u32; 5] = [1, 2, 3, 10, 100];

fn stream(name: &str) -> Noise {
    NoiseKey::for_owner(11, name).stream()
}

fn learned(
    grid: Grid,
    features: &[SeenFeature],
    looks: u32,
    mut look: impl FnMut(Pose2, Purpose, &mut Noise) -> Vec<Option<Seen>>,
) -> PerceptionTable {
    let mut learner = Learner::new(grid, features.to_vec(), 0..grid.len(), looks).unwrap();
    let mut noise = stream("learn");
    for _ in 0..grid.len() {
        learner.learn_cell(|pose, purpose, seen| seen.copy_from_slice(&look(pose, purpose, &mut noise)));
    }
    Learner::finish(vec![learner], 0).unwrap()
}

fn anywhere(noise: &mut Noise) -> Pose2 {
    Pose2::new(noise.uniform(-2.0, 2.0), noise.uniform(-2.0, 2.0), noise.uniform(-3.1, 3.1))
}

/// The sums of what is expected and what is found at the true poses of new looks.
fn fits(
    table: &PerceptionTable,
    count: u32,
    mut look: impl FnMut(Pose2, &mut Noise) -> Vec<Option<Seen>>,
) -> Vec<Fit> {
    let mut noise = stream("look again");
    let mut sums = vec![Fit::default(); table.features().len()];
    for _ in 0..count {
        let pose = anywhere(&mut noise);
        let fits = table.fit(pose, &look(pose, &mut noise)).unwrap();
        sums.iter_mut().zip(fits).for_each(|(sum, fit)| *sum += fit);
    }
    sums
}

/// A point of the world, by a sensor whose errors are Gaussian and grow with the distance.
fn point(pose: Pose2, at: [f64; 2], noise: &mut Noise) -> Option<Seen> {
    let distance_m = pose.distance_m(Pose2::new(at[0], at[1], 0.0));
    let bearing_rad = pose.bearing_rad(at) + noise.gaussian(0.02);
    let distance_m = distance_m * (1.0 + noise.gaussian(0.03)) + noise.gaussian(0.02);
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(bearing_rad);
    Some(Seen::at([distance_m * cos, distance_m * sin]))
}

/// L1, L2: of points, points that look alike, ranges and directions -2 ln p is on average as large as there are degrees of
/// freedom, at looks from which nothing was learned, however many the table was learned from.
#[test]
fn a_table_is_honest_at_any_number_of_looks() {
    let features = [
        SeenFeature::new("labelled", 2, Slots::Labelled),
        SeenFeature::new("alike", 4, Slots::Alike),
        SeenFeature::new("ranges", 3, Slots::Ranges),
        SeenFeature::new("directions", 1, Slots::Directions),
    ];
    let look = |pose: Pose2, noise: &mut Noise| {
        let mut seen: Vec<_> =
            [[5.0, 0.0], [-5.0, 0.0]].into_iter().map(|at| point(pose, at, noise)).collect();
        let mut posts: Vec<_> =
            [[5.0, 4.0], [5.0, -4.0], [-5.0, 4.0]].into_iter().map(|at| point(pose, at, noise)).collect();
        posts.sort_by(|a, b| a.unwrap().distance_m.total_cmp(&b.unwrap().distance_m));
        seen.extend(posts);
        seen.push(None);
        // A wall ahead at 4 m, whatever the heading: it differs within a cell, and more than the noise.
        seen.extend(
            [0.0, 1.0, 2.0].map(|more_m| Some(Seen::range(4.0 - pose.x_m + more_m + noise.gaussian(0.05)))),
        );
        seen.push(Some(Seen::direction(wrap_angle(noise.gaussian(0.03) - pose.theta_rad))));
        seen
    };
    for looks in LOOKS {
        let table = learned(GRID, &features, looks, |pose, _, noise| look(pose, noise));
        let sums = fits(&table, 8000, look);
        for (feature, sum) in features.iter().zip(sums) {
            let part = sum.deviance / sum.degrees;
            assert!((part - 1.0).abs() < 0.05, "{} at {looks} looks: {part}", feature.name);
            assert!(
                sum.degrees
                    > 7900.0
                        * f64::from(u8::try_from(feature.slots()).unwrap() - u8::from(feature.slots() == 4))
            );
        }
    }
}

/// L2: a new look differs from the mean of n by the deviation of single ones times sqrt(1 + 1/n); where the mean is that of a
/// twin without errors, by that of single ones alone.
#[test]
fn the_error_of_the_mean_is_known() {
    const SIGMA_M: f64 = 0.08;
    let features = [SeenFeature::new("range", 12, Slots::Ranges)];
    let look = |sigma_m: f64, noise: &mut Noise| {
        (0..12).map(|_| Some(Seen::range(3.5 + noise.gaussian(sigma_m)))).collect()
    };
    for looks in LOOKS {
        let own = learned(GRID, &features, looks, |_, _, noise| look(SIGMA_M, noise));
        let twin = learned(GRID, &features, looks, |_, purpose, noise| match purpose {
            Purpose::Learn(_) => look(0.0, noise),
            Purpose::HoldOut(_) => look(SIGMA_M, noise),
        });
        let predicted_m = SIGMA_M * libm::sqrt(1.0 + 1.0 / f64::from(looks));
        for (table, expected_m) in [(own, predicted_m), (twin, SIGMA_M)] {
            let got_m = table.head.calibrations[0].sigmas(3.5)[0];
            assert!((got_m / expected_m - 1.0).abs() < 0.02, "{looks} looks: {got_m}, not {expected_m}");
        }
    }
}

/// L2: of few held-out looks Student's t: the next squared error is 1 on average, at any number of them.
#[test]
fn few_held_out_looks_are_not_taken_for_many() {
    for count in [6, 10, 30] {
        let mut noise = stream("few");
        let (mut sum, tables) = (0.0, 30_000);
        for _ in 0..tables {
            let mut held_out = HeldOut::default();
            let mut look = || Seen::direction(noise.gaussian(0.01));
            for _ in 0..count {
                held_out.add(Slots::Directions, &[([1.0, 0.0], 14)], &[Some(look())]);
            }
            let sigma = held_out.calibration(Slots::Directions, 1, 0.0).sigmas(1.0)[0];
            let next = look().point;
            let off = libm::hypot(next[0] - 1.0, next[1]) / sigma;
            sum += off * off;
        }
        let mean = sum / f64::from(tables);
        assert!((mean - 1.0).abs() < 0.05, "{count} held-out looks: {mean}");
    }
}

/// L2: a twentieth of the sightings are mistakes: the bounded squares still have the right mean.
#[test]
fn mistakes_do_not_make_a_table_dishonest() {
    let features = [SeenFeature::new("range", 12, Slots::Ranges)];
    let look = |noise: &mut Noise| {
        let range = |_| {
            let sigma_m = if noise.chance(0.05) { 1.0 } else { 0.02 };
            Some(Seen::range(3.5 + noise.gaussian(sigma_m)))
        };
        (0..12).map(range).collect()
    };
    for looks in [1, 3, 100] {
        let table = learned(GRID, &features, looks, |_, _, noise| look(noise));
        let sum = fits(&table, 8000, |_, noise| look(noise))[0];
        let part = sum.deviance / sum.degrees;
        assert!((part - 1.0).abs() < 0.05, "{looks} looks: {part}");
    }
}

/// L1, L2: how probable it is to be seen is what Bayes' law says for places of two sorts, at any number of looks; and the
/// evidence of what is seen and what is not is on average what is foretold.
#[test]
fn presence_follows_bayes_law() {
    const OFTEN: f64 = 0.9;
    const SELDOM: f64 = 0.15;
    let features = [SeenFeature::new("lamps", 4, Slots::Labelled)];
    let look = |pose: Pose2, noise: &mut Noise| {
        let lamp = |_| {
            let is_seen = noise.chance(if pose.x_m > 0.0 { OFTEN } else { SELDOM });
            is_seen.then(|| Seen::at(pose.point_to_inner([5.0, 0.0])))
        };
        (0..4).map(lamp).collect()
    };
    // A border of cells lies at x = 0, so that each place is of one sort.
    let grid = GRID;
    for looks in LOOKS {
        let table = learned(grid, &features, looks, |pose, _, noise| look(pose, noise));
        for seen in 0..=looks.min(14) {
            // Beyond 14 looks a class holds several counts.
            let likelihood =
                |p: f64| libm::pow(p, f64::from(seen)) * libm::pow(1.0 - p, f64::from(looks - seen));
            let (often, seldom) = (likelihood(OFTEN), likelihood(SELDOM));
            let expected = (OFTEN * often + SELDOM * seldom) / (often + seldom);
            let got = table.head.calibrations[0].presence[usize::from(class(seen, looks))];
            let places = 0.5 * (often + seldom) * binomial(looks, seen) * 4.0 * grid.len() as f64;
            let tolerance = 0.02 + 4.0 * 0.5 / places.sqrt();
            if looks <= 14 && places > 30.0 {
                assert!((got - expected).abs() < tolerance, "{seen} of {looks}: {got}, not {expected}");
            }
        }
        let sum = fits(&table, 20_000, look)[0];
        let part = sum.presence / sum.presence_mean;
        assert!((part - 1.0).abs() < 0.08, "{looks} looks: {part}");
    }
}

fn binomial(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// L1: a thing that is expected and not seen speaks against a place, and so does one that is seen and not expected: by what
/// the table says of its presence.
#[test]
fn what_is_not_seen_is_evidence() {
    for kind in [Slots::Labelled, Slots::Alike, Slots::Ranges, Slots::Directions] {
        let features = [SeenFeature::new("a", 1, kind), SeenFeature::new("always", 1, Slots::Ranges)];
        let look = |pose: Pose2, noise: &mut Noise| {
            let seen = match kind {
                Slots::Ranges => Seen::range(2.0 + noise.gaussian(0.05)),
                Slots::Directions => Seen::direction(noise.gaussian(0.02) - pose.theta_rad),
                Slots::Labelled | Slots::Alike => point(pose, [5.0, 0.0], noise).unwrap(),
            };
            vec![(pose.x_m > 0.0 && noise.chance(0.95)).then_some(seen), Some(Seen::range(1.0))]
        };
        let table = learned(GRID, &features, 10, |pose, _, noise| look(pose, noise));
        let (in_sight, out_of_sight) = (Pose2::new(1.1, 0.2, 0.1), Pose2::new(-1.1, 0.2, 0.1));
        let mut noise = stream("one look");
        let seen = loop {
            let seen = look(in_sight, &mut noise);
            if seen[0].is_some() {
                break seen;
            }
        };
        let unseen = [None, Some(Seen::range(1.0))];
        let score = |pose, seen: &[Option<Seen>]| libm::log(table.probability(pose, seen));
        // It is seen at 95 of 100 looks, as far as the looks at places of this class say; never at the others.
        let unseen_gap = score(out_of_sight, &unseen) - score(in_sight, &unseen);
        assert!((unseen_gap - libm::log(0.95 / 0.05)).abs() < 0.8, "{kind:?}: {unseen_gap}");
        let seen_gap = score(in_sight, &seen) - score(out_of_sight, &seen);
        assert!(seen_gap > 2.0, "{kind:?}: {seen_gap}");
        // In a filter, too; of a feature that was not read nothing is known.
        let poses: Samples = [in_sight, out_of_sight].into_iter().collect();
        let scores = |is_read: &[bool]| {
            let mut scores = [0.0; 2];
            let model = table.weigh_read(&unseen, is_read);
            model.add_scores(&poses, &mut scores);
            scores
        };
        let [with, without] = scores(&[true, false]);
        assert!(without - with > 0.9 && without - with <= 2.0, "{kind:?}: {with} {without}");
        let [with, without] = scores(&[false, true]);
        assert_eq!(with, without);
    }
}

/// L1: the parts of the fit make the probability; one by one and many at once are the same.
#[test]
fn the_fit_is_the_probability() {
    let features = [
        SeenFeature::new("lamps", 2, Slots::Labelled),
        SeenFeature::new("posts", 3, Slots::Alike),
        SeenFeature {
            name: "pose".into(),
            parts: vec![Part { slots: 1, kind: Slots::Labelled }, Part { slots: 1, kind: Slots::Directions }],
        },
        SeenFeature::new("walls", 2, Slots::Ranges),
    ];
    let look = |pose: Pose2, noise: &mut Noise| {
        let mut seen = Vec::new();
        for at in [[4.0, 1.0], [-4.0, 0.0], [3.0, 3.0], [3.0, -3.0], [-1.0, 5.0], [0.0, 0.0]] {
            let is_seen = noise.chance(0.9) && pose.bearing_rad(at).abs() < 2.0;
            seen.push(is_seen.then(|| point(pose, at, noise)).flatten());
        }
        seen.push(Some(Seen::direction(noise.gaussian(0.02) - pose.theta_rad)));
        seen.extend([pose.x_m, pose.y_m].map(|at| (at > -1.0).then(|| Seen::range(3.0 - at))));
        seen
    };
    let table = learned(GRID, &features, 3, |pose, _, noise| look(pose, noise));
    let mut noise = stream("fit");
    for _ in 0..300 {
        let (truth, pose) = (anywhere(&mut noise), anywhere(&mut noise));
        let seen = look(truth, &mut noise);
        for pose in [truth, pose] {
            let mut whole = Fit::default();
            for (feature, fit) in table.fit(pose, &seen).unwrap().into_iter().enumerate() {
                whole += fit;
                let first: usize = features.iter().take(feature).map(SeenFeature::slots).sum();
                let poses = std::iter::once(pose).collect();
                let own = &seen[first..first + features[feature].slots()];
                let got = table.feature_probabilities(&poses, feature, own)[0];
                if got > 0.0 {
                    let off = libm::log(got) - libm::log(fit.probability());
                    assert!(off.abs() < 0.02 * (1.0 + fit.deviance), "{feature}: {got} {fit:?}");
                }
            }
            let got = table.probability(pose, &seen);
            assert!(
                (libm::log(got) - libm::log(whole.probability())).abs() < 0.02 * (1.0 + whole.deviance),
                "{whole:?}"
            );
            assert!(got > 0.0 && got <= 1.0);
        }
    }
    assert_eq!(table.fit(Pose2::new(9.0, 0.0, 0.0), &[]), None);
}

/// L1: what docs/localisation.md says of two landmarks.
#[test]
fn what_is_published_is_measured() {
    let features = [SeenFeature::new("goals", 2, Slots::Labelled)];
    let look = |pose: Pose2, noise: &mut Noise| {
        let see = |at: [f64; 2]| {
            let distance_m = pose.distance_m(Pose2::new(at[0], at[1], 0.0)) * (1.0 + noise.gaussian(0.05));
            let (sin, cos) =
                touchline_plugin_api::geometry::sin_cos(pose.bearing_rad(at) + noise.gaussian(0.02));
            Some(Seen::at([distance_m * cos, distance_m * sin]))
        };
        [[5.0, 0.0], [-5.0, 0.0]].map(see).to_vec()
    };
    let grid = Grid { cell_m: 0.25, ..GRID };
    for looks in LOOKS {
        let table = learned(grid, &features, looks, |pose, _, noise| look(pose, noise));
        let mut noise = stream("published");
        let mut sum = 0.0;
        for _ in 0..20_000 {
            let pose = anywhere(&mut noise);
            sum -= 2.0 * libm::log(table.probability(pose, &look(pose, &mut noise)));
        }
        let part = sum / (20_000.0 * 4.0);
        assert!((part - 1.0).abs() < 0.05, "{looks} looks: {part}");
    }
}
