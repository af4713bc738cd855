use super::*;
use crate::scenario::Outline;

fn shape(outline: Outline, z_m: [f64; 2]) -> Primitive {
    Primitive { outline, pose: Pose2::ORIGIN, z_m, colour: None, surface: None }
}

fn at(outline: Outline, x_m: f64, y_m: f64, theta_rad: f64) -> Primitive {
    Primitive { pose: Pose2::new(x_m, y_m, theta_rad), ..shape(outline, [0.0, 1.0]) }
}

/// Whether two shapes overlap, asked in both orders, the second once in a turned frame of its own.
fn overlaps(one: &Primitive, second: &Primitive) -> bool {
    let solid = |primitive: &Primitive| Solid::new(primitive, no_surface());
    let frame = Place::new(Pose2::new(0.3, -2.0, 1.1));
    let pose = frame.pose.relative(second.pose);
    let turned = solid(&Primitive { pose, ..*second });
    let [one, second] = [solid(one), solid(second)];
    let answers = [
        overlap(&one, &second, &Place::WORLD, ROUNDING_M),
        overlap(&second, &one, &Place::WORLD, ROUNDING_M),
        overlap(&one, &turned, &frame, ROUNDING_M),
    ];
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    answers[0]
}

#[test]
fn shapes_overlap_when_they_share_points() {
    let square = |x_m, y_m, theta| at(Outline::Rectangle { length_m: 1.0, width_m: 1.0 }, x_m, y_m, theta);
    let disc = |x_m, y_m| at(Outline::circle(0.5), x_m, y_m, 0.0);
    assert!(overlaps(&square(0.0, 0.0, 0.0), &square(0.9, 0.9, 0.0)));
    assert!(!overlaps(&square(0.0, 0.0, 0.0), &square(1.0, 0.0, 0.0)), "they touch");
    assert!(!overlaps(&square(0.0, 0.0, 0.0), &square(1.21, 0.0, 0.785)));
    assert!(overlaps(&square(0.0, 0.0, 0.0), &square(1.19, 0.0, 0.785)));
    assert!(overlaps(&disc(0.0, 0.0), &disc(0.7, 0.7)));
    assert!(!overlaps(&disc(0.0, 0.0), &disc(0.71, 0.71)));
    assert!(!overlaps(&square(0.0, 0.0, 0.0), &disc(0.86, 0.86)), "past the corner");
    assert!(overlaps(&square(0.0, 0.0, 0.0), &disc(0.84, 0.84)));
    assert!(overlaps(&square(0.0, 0.0, 0.0), &disc(0.1, 0.0)), "inside");
    let triangle =
        |x_m| at(Outline::Triangle { corners: [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]] }, x_m, 0.0, 0.0);
    assert!(overlaps(&triangle(0.0), &disc(0.8, 0.8)) && !overlaps(&triangle(0.0), &disc(0.9, 0.9)));
    let ellipse = at(Outline::Ellipse { length_m: 2.0, width_m: 0.5 }, 0.0, 0.0, 0.0);
    assert!(overlaps(&ellipse, &disc(1.4, 0.0)) && !overlaps(&ellipse, &disc(0.0, 0.8)));
}

#[test]
fn a_point_is_as_far_as_the_nearest_side_corner_or_rim() {
    let rectangle = at(Outline::Rectangle { length_m: 2.0, width_m: 1.0 }, 0.0, 0.0, 0.0);
    for (point, expected_m) in
        [([0.9, 0.4], 0.0), ([1.5, 0.0], 0.5), ([0.0, -0.75], 0.25), ([1.3, 0.9], 0.5), ([1.0, 0.5], 0.0)]
    {
        assert!((distance_m(&rectangle, point) - expected_m).abs() < 1e-12, "{point:?}");
    }
    let disc = at(Outline::circle(0.5), 1.0, 0.0, 0.0);
    assert!((distance_m(&disc, [0.0, 0.0]) - 0.5).abs() < 1e-12);
    assert_eq!(distance_m(&disc, [1.2, 0.2]), 0.0);
    let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
    assert_eq!(distance_m(&at(Outline::Triangle { corners }, 0.0, 0.0, 0.0), [0.2, 0.2]), 0.0);
}

#[test]
fn what_is_above_does_not_overlap() {
    let low = Standing::ball([0.0, 0.0], 1.0, [0.0, 0.2]);
    let high = Standing::ball([0.0, 0.0], 1.0, [0.5, 1.0]);
    assert_eq!(overlapping_pairs(&[low, high], 0.0), Vec::<[usize; 2]>::new());
}

/// The pairs of the grid are those of a comparison of all with all: small, large and far away things.
#[test]
fn the_grid_finds_all_pairs() {
    let mut seed = 1_u64;
    let mut random = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let wall = |length_m| at(Outline::Rectangle { length_m, width_m: 0.1 }, 0.3, 0.4, 0.7);
    let mut standing = vec![Standing::fixture(&wall(3.0)), Standing::fixture(&wall(90.0))];
    for count in 0..600 {
        let [x, y] = [random(-9.0, 9.0), random(-9.0, 9.0)];
        let radius_m = if count % 100 == 7 { random(1.0, 12.0) } else { random(0.01, 0.4) };
        let off_m = if count % 50 == 3 { 1e11 } else { 0.0 };
        standing.push(Standing::ball([x + off_m, y], radius_m, [0.0, 1.0]));
    }
    let mut all = Vec::new();
    for later in 2..standing.len() {
        let other = |other: &usize| standing[later].body().overlaps(&standing[*other].body(), 1e-3);
        all.extend((0..later).filter(other).map(|other| [later, other]));
    }
    assert!(all.len() > 600, "{}", all.len());
    assert_eq!(overlapping_pairs(&standing, 1e-3), all);
}
