use super::table::{Grid, Learner, PerceptionTable, Purpose, SeenFeature, Slots, TableError};
use super::*;
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::noise::{Noise, NoiseKey};
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::FakeWorld;

/// The corners of a field, its two goals: two labelled, four alike.
const GOALS: [[f64; 2]; 2] = [[5.0, 0.0], [-5.0, 0.0]];
const POSTS: [[f64; 2]; 4] = [[5.0, 2.5], [5.0, -2.5], [-5.0, 2.5], [-5.0, -2.5]];
const AREA: Area = Area { low: [-5.0, -2.5], high: [5.0, 2.5] };
const NOISE: SightingNoise =
    SightingNoise { sigma_bearing_rad: 0.02, sigma_distance_relative: 0.05, sigma_distance_m: 0.02 };

fn stream(name: &str) -> Noise {
    NoiseKey::for_owner(7, name).stream()
}

/// What a noisy camera with a field of view of 120 degrees sees.
fn look(pose: Pose2, places: &[[f64; 2]], noise: &mut Noise) -> Vec<Option<Seen>> {
    let see = |&place: &[f64; 2]| {
        let (bearing_rad, distance_m) =
            (pose.bearing_rad(place), pose.distance_m(Pose2::new(place[0], place[1], 0.0)));
        let distance_m = distance_m * (1.0 + noise.gaussian(NOISE.sigma_distance_relative));
        let read_rad = bearing_rad + noise.gaussian(NOISE.sigma_bearing_rad);
        let (sin, cos) = touchline_plugin_api::geometry::sin_cos(read_rad);
        (bearing_rad.abs() < 1.05).then(|| Seen::at([distance_m * cos, distance_m * sin]))
    };
    places.iter().map(see).collect()
}

fn drive(truth: &mut Pose2, step: u32) -> Pose2 {
    // A round on the field, 0.1 m a step.
    let displacement = Pose2::new(0.1, 0.0, 0.05 + 0.02 * f64::from(step % 7));
    *truth = truth.compose(displacement);
    displacement
}

fn localised(belief: &Belief, truth: Pose2) -> bool {
    let estimate = belief.estimate().pose;
    estimate.distance_m(truth) < 0.3 && wrap_angle(estimate.theta_rad - truth.theta_rad).abs() < 0.2
}

/// Updates until the belief is right, of at most `most`.
fn updates_until_localised(
    belief: &mut Belief,
    mut truth: Pose2,
    most: u32,
    noise: &mut Noise,
) -> Option<u32> {
    let goals = Landmarks::labelled(&GOALS, NOISE);
    let posts = Landmarks::alike(&POSTS, NOISE);
    for step in 0..most {
        belief.predict(drive(&mut truth, step), noise);
        let (seen_goals, seen_posts) = (look(truth, &GOALS, noise), look(truth, &POSTS, noise));
        belief.correct(&[&goals.weigh(&seen_goals), &posts.weigh(&seen_posts)], noise);
        if localised(belief, truth) {
            return Some(step);
        }
    }
    None
}

/// L3: from an unknown start it finds the pose; carried away, it finds it again.
#[test]
fn it_converges_from_anywhere_and_recovers_when_carried() {
    let (mut found, mut recovered) = (0, 0);
    for run in 0..20 {
        let mut noise = stream(&format!("run {run}"));
        let mut belief = Belief::everywhere(AREA, BeliefParams::default(), &mut noise);
        let start = Pose2::new(noise.uniform(-4.0, 4.0), noise.uniform(-2.0, 2.0), noise.uniform(-3.0, 3.0));
        found += u32::from(updates_until_localised(&mut belief, start, 200, &mut noise).is_some());
        let elsewhere =
            Pose2::new(-start.x_m, -0.9 * start.y_m, wrap_angle(start.theta_rad + noise.uniform(1.0, 5.0)));
        recovered += u32::from(updates_until_localised(&mut belief, elsewhere, 300, &mut noise).is_some());
    }
    assert!(found >= 19, "{found} of 20");
    assert!(recovered >= 18, "{recovered} of 20");
}

/// L3: without anything seen, the spread grows and nothing else happens.
#[test]
fn without_sight_it_only_drifts() {
    let mut noise = stream("blind");
    let start = Pose2::new(1.0, 0.5, 0.3);
    let mut belief = Belief::around(start, 0.05, 0.05, AREA, BeliefParams::default(), &mut noise);
    let before = belief.estimate();
    for _ in 0..10 {
        belief.predict(Pose2::new(0.05, 0.0, 0.0), &mut noise);
        belief.correct(&[], &mut noise);
    }
    let after = belief.estimate();
    assert!(after.spread_m > before.spread_m);
    assert!(after.pose.distance_m(start.compose(Pose2::new(0.5, 0.0, 0.0))) < 0.1, "{after:?}");
}

/// I2: the same readings and the same stream, the same samples.
#[test]
fn it_is_a_function_of_its_inputs() {
    let run = || {
        let mut noise = stream("twice");
        let mut belief = Belief::everywhere(AREA, BeliefParams::default(), &mut noise);
        updates_until_localised(&mut belief, Pose2::new(1.0, 1.0, 1.0), 20, &mut noise);
        belief
    };
    assert_eq!(run(), run());
}

/// L3: a laser's beams weigh the true pose above others.
#[test]
fn beams_weigh_by_the_walls() {
    let world = FakeWorld::f2000();
    let view = world.view();
    let beams =
        Beams::new(-1.5, 0.1, 31, (Pose2::new(0.1, 0.0, 0.0), 0.3), 8.0, 0.05).expect("a fan of beams");
    let truth = Pose2::new(-2.0, 0.7, 0.4);
    let table = touchline_kit::rays::FanTable::new(-1.5, 0.1, 31).expect("the same fan");
    let mut ranges = vec![0.0; 31];
    let sensor = truth.compose(Pose2::new(0.1, 0.0, 0.0));
    touchline_kit::rays::cast_fan(&view, sensor, &table, 8.0, 0.3, NONE, &mut ranges);
    let poses: Samples =
        [truth, Pose2::new(-1.5, 0.7, 0.4), Pose2::new(-2.0, 0.7, 0.8), Pose2::new(2.0, -0.7, 0.4)]
            .into_iter()
            .collect();
    let mut scores = vec![0.0; 4];
    beams.weigh(&view, &ranges).add_scores(&poses, &mut scores);
    assert!(scores[0] > -1e-3 && scores[1..].iter().all(|&score| score < -2.0), "{scores:?}");
}

const GRID: Grid = Grid { area: AREA, cell_m: 0.25, headings: 36 };

fn features() -> Vec<SeenFeature> {
    vec![SeenFeature::new("goals", 2, Slots::Labelled), SeenFeature::new("posts", 4, Slots::Alike)]
}

fn see_all(pose: Pose2, noise: &mut Noise) -> Vec<Option<Seen>> {
    let mut seen = look(pose, &GOALS, noise);
    let mut posts = look(pose, &POSTS, noise);
    // As a camera lists them: those in sight first, the nearest first.
    posts.sort_by(|a, b| match (a, b) {
        (Some(a), Some(b)) => a.distance_m.total_cmp(&b.distance_m),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    seen.extend(posts);
    seen
}

/// Every look has noise of its own.
fn number(purpose: Purpose) -> u64 {
    match purpose {
        Purpose::Learn(number) => u64::from(number),
        Purpose::HoldOut(number) => 1 << 32 | u64::from(number),
    }
}

fn learned(parts: usize) -> PerceptionTable {
    let cells = GRID.len();
    let learner = |part: usize| {
        let range = part * cells / parts..(part + 1) * cells / parts;
        let mut learner = Learner::new(GRID, features(), range.clone(), 3).unwrap();
        for cell in range {
            let key = NoiseKey::for_owner(3, "learn").at_step(cell as u64);
            learner.learn_cell(|pose, purpose, seen| {
                seen.clone_from_slice(&see_all(pose, &mut key.split(number(purpose)).stream()));
            });
        }
        learner
    };
    Learner::finish((0..parts).map(learner).collect(), 42).unwrap()
}

/// L1, L2: what is expected where it was learned, with the sensor's own scatter; in parts it is the same.
#[test]
fn a_learned_table_knows_what_is_seen_where() {
    let table = learned(1);
    let in_parts = learned(3);
    let mut noise = stream("look");
    let here = Pose2::new(1.03, 0.61, 0.37);
    let (mut right, mut wrong) = (0.0, 0.0);
    for _ in 0..50 {
        let seen = see_all(here, &mut noise);
        let probability = table.probability(here, &seen);
        assert!(probability > 0.0 && probability <= 1.0);
        assert!((probability - in_parts.probability(here, &seen)).abs() < 1e-6, "learned in parts");
        right += probability;
        wrong += table.probability(Pose2::new(0.4, 0.61, 0.37), &seen).max(0.0);
    }
    assert!(right > 10.0 * wrong, "{right} against {wrong}");
    // Close to the wall and looking at it: nothing is in sight.
    assert_eq!(table.probability(Pose2::new(0.0, 2.4, 1.6), &[None; 6]), -1.0);
}

/// L3: with the table alone it finds itself.
#[test]
fn it_converges_with_a_table() {
    let table = learned(2);
    let mut found = 0;
    for run in 0..10 {
        let mut noise = stream(&format!("table {run}"));
        let mut truth =
            Pose2::new(noise.uniform(-3.0, 3.0), noise.uniform(-1.5, 1.5), noise.uniform(-3.0, 3.0));
        let mut belief = Belief::everywhere(AREA, BeliefParams::default(), &mut noise);
        let done = (0..200).any(|step| {
            belief.predict(drive(&mut truth, step), &mut noise);
            let seen = see_all(truth, &mut noise);
            belief.correct(&[&table.weigh(&seen)], &mut noise);
            localised(&belief, truth)
        });
        found += u32::from(done);
    }
    assert!(found >= 9, "{found} of 10");
}

/// L2: what is saved comes back; what is foreign, cut off or changed is refused.
#[test]
fn a_table_is_saved_with_its_world() {
    let table = learned(1);
    let bytes = table.to_bytes();
    let loaded = PerceptionTable::from_bytes(&bytes, 42).unwrap();
    assert!(loaded.to_bytes() == bytes, "it comes back as it was");
    let foreign = PerceptionTable::from_bytes(&bytes, 43).unwrap_err();
    assert_eq!(foreign, TableError::OtherWorld { got: 42, expected: 43 });
    assert!(foreign.to_string().contains("learn it anew"));
    for cut in [0, 7, 12, 40, bytes.len() - 1] {
        assert!(
            matches!(PerceptionTable::from_bytes(&bytes[..cut], 42), Err(TableError::Damaged(_))),
            "{cut}"
        );
    }
    let mut old = bytes;
    old[6] = b'2';
    let old = PerceptionTable::from_bytes(&old, 42).unwrap_err();
    assert!(old.to_string().contains("format 2, and format 3 is needed"), "{old}");
    let huge = Grid { cell_m: 1e-7, ..GRID };
    assert!(matches!(Learner::new(huge, features(), 0..1, 1), Err(TableError::TooLarge { .. })));
    assert!(matches!(Learner::new(GRID, vec![], 0..1, 1), Err(TableError::Nothing)));
}
