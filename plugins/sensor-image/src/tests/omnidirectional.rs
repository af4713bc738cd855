//! S6: the camera under the isometric mirror.

use super::*;

/// 100 pixels are 5 m: the middle of a spot is 20 pixels for each metre from the middle of the image, the front at the top.
#[test]
fn radius_in_the_image_is_proportional_to_distance_on_the_floor() {
    for (distance_m, bearing_rad) in [(1.0, 0.0), (2.0, 1.0), (3.0, -2.5), (4.0, 0.3), (4.6, 2.0f64)] {
        let (x, y) = (distance_m * bearing_rad.cos(), distance_m * bearing_rad.sin());
        let spot = body(ShapeKind::Ellipse, Pose2::new(x, y, 0.0), [0.55, 0.55], [0.0, 0.0], 0xff_ff_ff);
        let image = image(&mirror(200, 200), &alone().fixture(Shape { solid: 0, ..spot }), 0.6);
        let mut sums = [0.0; 3];
        for (at, _) in image.pixels.iter().enumerate().filter(|(_, pixel)| **pixel == 0xff_ff_ff) {
            let add = [(at % 200) as f64, (at / 200) as f64, 1.0];
            sums.iter_mut().zip(add).for_each(|(sum, add)| *sum += add);
        }
        let [column, row] = [sums[0] / sums[2], sums[1] / sums[2]];
        let expected = [99.5 - 20.0 * y, 99.5 - 20.0 * x];
        let error = [column - expected[0], row - expected[1]];
        assert!(error.iter().all(|error| error.abs() < 0.25), "{column} {row} {expected:?}");
        let area = std::f64::consts::PI * 5.5 * 5.5;
        assert!((sums[2] - area).abs() < 0.1 * area, "a spot has one size everywhere: {sums:?}");
    }
}

/// A post from 1.95 to 2.05 m, half as high as the eye: its top is seen twice as far away, where rays over it meet the
/// floor. It hides what is behind it.
#[test]
fn height_smears_outwards() {
    let post = body(ShapeKind::Ellipse, Pose2::new(2.0, 0.0, 0.0), [0.1, 0.1], [0.0, 0.3], 0xff_ff_ff);
    let world = alone().fixture(post);
    let image_of = |world: &FakeWorld| image(&mirror(201, 201), world, 0.6);
    let (columns, rows, _) = extent(&image_of(&world)).unwrap();
    let pixels_per_m = 100.5 / 5.0;
    let expected =
        [(100.0 - pixels_per_m * 4.1f64).ceil() as usize, (100.0 - pixels_per_m * 1.95f64) as usize];
    assert_eq!(rows, expected);
    assert_eq!(columns, [98, 102], "the top is a disc of 0.1 m at 4 m");
    assert_eq!(image_of(&world.clone().line([3.0, 0.0], [0.02, 0.02])), image_of(&world));
}

#[test]
fn what_is_farther_than_the_range_is_black() {
    let image = image(&mirror(200, 120), &alone(), 0.6);
    let middle = [99.5, 59.5];
    for (at, &pixel) in image.pixels.iter().enumerate() {
        let (x, y) = ((at % 200) as f64 - middle[0], (at / 200) as f64 - middle[1]);
        assert_eq!(pixel == 0, x * x + y * y > 60.0 * 60.0, "{x} {y}");
        assert!(pixel == 0 || pixel == FLOOR);
    }
}

/// A wall higher than the eye reaches above the horizon: it covers everything behind it, to the edge.
#[test]
fn a_high_wall_covers_all_behind_it() {
    let wall = body(ShapeKind::Rectangle, Pose2::new(2.5, 0.0, 0.0), [1.0, 20.0], [0.0, 1.0], 0xff_ff_ff);
    let image = image(&mirror(200, 200), &alone().fixture(wall), 0.6);
    for row in 0..200 {
        let is_wall = ![FLOOR, 0].contains(&image.pixel(100, row).unwrap());
        assert_eq!(is_wall, row < 60, "{row}");
    }
}

/// Within its circle it is the image of a pin-hole camera that looks straight down.
#[test]
fn it_is_a_pinhole_that_looks_down() {
    let z_m = 0.6;
    let down = ImageParams {
        field_of_view_rad: Some(2.0 * (5.0f64 / z_m).atan()),
        pitch_rad: Some(std::f64::consts::FRAC_PI_2),
        ..params(Projection::Perspective, 151, 151)
    };
    let world = FakeWorld::f2000()
        .robot(Pose2::new(0.7, 0.4, 0.3), NONE)
        .robot(Pose2::new(1.5, -1.0, 2.0), 0)
        .ball([1.0, 1.0], [0.0; 2]);
    let (mirrored, down) = (image(&mirror(151, 151), &world, z_m), image(&down, &world, z_m));
    let pairs = mirrored.pixels.iter().zip(&down.pixels).filter(|(mirrored, _)| **mirrored != 0);
    let (same, all) = pairs.fold((0, 0), |(same, all), (a, b)| (same + usize::from(a == b), all + 1));
    // Where an edge goes through a pixel's middle, rounding decides.
    assert!(all > 17_000 && same >= all - 5, "{same} of {all}");
}
