//! S6: the pin-hole camera.

use super::*;
use std::f64::consts::FRAC_PI_2;

/// A wall 2 m ahead, 2 m wide and 0.5 m high; the eye at 0.39 m, the focal length is 50 pixels. The middle of the
/// image is at 49.5, so the wall's edges are at 49.5 - 50 * 0.11 / 2 = 46.75 and 49.5 + 50 * 0.39 / 2 = 59.25
/// (rows), 49.5 -+ 50 * 1 / 2 = 24.5 and 74.5 (columns).
#[test]
fn a_wall_covers_the_rows_and_columns_of_its_corners() {
    let image = image(&pinhole(100, 100), &alone().wall([2.5, 0.0], [1.0, 2.0]), 0.39);
    assert_eq!(extent(&image), Some(([25, 74], [47, 59], 50 * 13)));
    // The horizon is between rows 49 and 50.
    assert_eq!([image.pixel(0, 49), image.pixel(0, 50)], [Some(SKY), Some(FLOOR)]);
}

/// The same wall under a camera that looks down by 0.3 rad: angles to the axis, not to the horizon, count.
#[test]
fn a_camera_that_looks_down_sees_things_higher_in_the_image() {
    for pitch_rad in [0.3, -0.2] {
        let params = ImageParams { pitch_rad: Some(pitch_rad), ..pinhole(100, 100) };
        let image = image(&params, &alone().wall([2.5, 0.0], [1.0, 2.0]), 0.39);
        let row_of = |z_m: f64| 49.5 - 50.0 * ((z_m - 0.39f64).atan2(2.0) + pitch_rad).tan();
        let rows = (0..100).filter(|&row| ![Some(FLOOR), Some(SKY)].contains(&image.pixel(50, row)));
        let expected = row_of(0.5).ceil() as usize..=row_of(0.0).floor() as usize;
        assert_eq!(rows.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{pitch_rad}");
        let horizon = 49.5 - 50.0 * pitch_rad.tan();
        let sky = (0..100).filter(|&row| image.pixel(0, row) == Some(SKY)).count();
        assert_eq!(sky, horizon.ceil() as usize);
    }
}

/// Its radius is seen under the angle asin(0.11 / 1), from the tangent, not from the rim: row 50 is level with its middle.
#[test]
fn a_ball_is_at_its_bearing_and_has_its_size() {
    let (bearing_rad, half_rad) = (0.2f64, 0.11f64.asin());
    let world = alone().ball([bearing_rad.cos(), bearing_rad.sin()], [0.0; 2]);
    let image = image(&pinhole(101, 101), &world, 0.11);
    let column_of = |angle_rad: f64| 50.0 - 50.5 * angle_rad.tan();
    let is_ball = |column: &usize| image.pixel(*column, 50) != Some(SKY);
    let columns: Vec<usize> = (0..101).filter(is_ball).collect();
    let expected = column_of(bearing_rad + half_rad).ceil() as usize
        ..=column_of(bearing_rad - half_rad).floor() as usize;
    assert_eq!(columns, expected.collect::<Vec<_>>());
    // Straight ahead it is round.
    let world = alone().ball([1.0, 0.0], [0.0; 2]);
    let half = (50.5 * half_rad.tan()) as usize;
    let ends = [50 - half, 50 + half];
    let (columns, rows, count) = extent(&super::image(&pinhole(101, 101), &world, 0.11)).unwrap();
    assert_eq!((columns, rows), (ends, ends));
    let area = std::f64::consts::PI * (50.5 * half_rad.tan()) * (50.5 * half_rad.tan());
    assert!((count as f64 - area).abs() < 0.1 * area, "{count} {area}");
}

/// A line from 1.75 to 2.25 m ahead, seen from 0.4 m: rows 49.5 + 50 * 0.4 / 2.25 = 58.4 to 49.5 + 50 * 0.4 / 1.75 = 60.9.
#[test]
fn lines_are_painted_on_the_floor() {
    let image = image(&pinhole(100, 100), &alone().line([2.0, 0.0], [0.5, 90.0]), 0.4);
    assert_eq!(extent(&image), Some(([0, 99], [59, 60], 200)));
    assert_eq!(image.pixel(7, 60), Some(0x80_80_80), "paint has its own colour");
}

/// A goal is the room between its walls: its floor is painted, and what is in it is seen.
#[test]
fn a_goal_does_not_hide_what_is_in_it() {
    let world = alone().goal(1, Pose2::new(2.25, 0.0, 0.0), [0.5, 2.0]);
    let (_, rows, _) = extent(&image(&pinhole(100, 100), &world, 0.4)).unwrap();
    assert_eq!(rows, [58, 59], "from 2 to 2.5 m");
    let ball = world.ball([2.25, 0.0], [0.0; 2]);
    let (_, rows, _) = extent(&image(&pinhole(100, 100), &ball, 0.4)).unwrap();
    assert!(rows[0] < 57, "{rows:?}");
}

#[test]
fn what_is_nearer_hides_what_is_farther() {
    let params = pinhole(64, 48);
    let wall = |x: f64, width_m: f64, colour| {
        body(ShapeKind::Rectangle, Pose2::new(x, 0.0, 0.3), [0.1, width_m], [0.0, 0.5], colour)
    };
    let (near, far) = (wall(1.0, 0.5, 0xff_ff_ff), wall(2.0, 4.0, 0xff_00_00));
    let one = image(&params, &alone().fixture(near).fixture(far), 0.4);
    assert_eq!(one, image(&params, &alone().fixture(far).fixture(near), 0.4), "whichever is drawn first");
    let is_red = |pixel: u32| pixel >> 16 > 0 && pixel & 0xffff == 0;
    let is_white = |pixel: u32| pixel >> 16 == pixel & 0xff;
    let [left, middle] = [1, 32].map(|column| one.pixel(column, 26).unwrap());
    assert!(is_red(left) && is_white(middle), "{left:x} {middle:x}");
    // A wall hides a ball, and a ball a wall.
    let ball = |x: f64| alone().fixture(far).ball([x, 0.0], [0.0; 2]);
    let plain = image(&params, &alone().fixture(far), 0.4);
    assert_eq!(image(&params, &ball(3.0), 0.2), image(&params, &alone().fixture(far), 0.2));
    assert_ne!(image(&params, &ball(1.0), 0.4), plain);
}

/// What stands in the air is seen from below, and hides nothing under it.
#[test]
fn a_roof_has_an_underside() {
    let roof = body(ShapeKind::Rectangle, Pose2::new(2.0, 0.0, 0.0), [1.0, 2.0], [0.9, 1.0], 0xff_ff_ff);
    let image = image(&pinhole(101, 101), &alone().fixture(roof), 0.4);
    let (_, rows, _) = extent(&image).unwrap();
    // Its front's upper edge at 1.5 m, and its underside's far edge at 2.5 m.
    assert_eq!(rows, [(50.0 - 50.5 * 0.6 / 1.5f64).ceil() as usize, (50.0 - 50.5 * 0.5 / 2.5f64) as usize]);
    let colours = [33, 38].map(|row| image.pixel(50, row).unwrap());
    assert!(colours[0] > colours[1], "the underside is darker: {colours:x?}");
}

/// Three faces of a block are seen, and no two are alike; the upper one has its own colour.
#[test]
fn faces_that_meet_can_be_told_apart() {
    for turn in 0..8 {
        let pose = Pose2::new(2.0, 0.0, f64::from(turn) * FRAC_PI_2 / 2.0 + 0.4);
        let block = body(ShapeKind::Rectangle, pose, [0.5, 0.5], [0.0, 0.3], 0xc8_c8_c8);
        let image = image(&pinhole(200, 200), &alone().fixture(block), 0.6);
        let mut colours: Vec<u32> =
            image.pixels.into_iter().filter(|pixel| ![FLOOR, SKY].contains(pixel)).collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!((colours.len(), colours.last()), (3, Some(&0xc8_c8_c8)), "{colours:x?}");
    }
}

/// A rectangle is the same as the two triangles that it is made of, whichever way round they are given.
#[test]
fn two_triangles_are_a_rectangle() {
    let (z_m, colour) = ([0.1, 0.5], 0xff_ff_ff);
    let rectangle = body(ShapeKind::Rectangle, Pose2::new(1.5, 0.3, 0.5), [0.6, 0.9], z_m, colour);
    let [a, b, c, d] = rectangle.rectangle_corners();
    let halves = alone().fixture(triangle([a, b, c], z_m, colour)).fixture(triangle([d, c, a], z_m, colour));
    let (pinhole, mirror) = (pinhole(97, 80), mirror(97, 80));
    for (params, z_m) in [(&pinhole, 0.05), (&pinhole, 0.3), (&pinhole, 0.9), (&mirror, 0.3), (&mirror, 0.9)]
    {
        let whole = image(params, &alone().fixture(rectangle), z_m);
        assert!(extent(&whole).is_some());
        assert_eq!(whole, image(params, &halves, z_m), "from {z_m} m");
    }
}

/// The camera's own robot, and a body around the camera, are not seen.
#[test]
fn nothing_is_seen_from_within() {
    let empty = image(&pinhole(40, 30), &alone(), 0.2);
    assert_eq!(extent(&empty), None);
    let within = alone().fixture(body(ShapeKind::Ellipse, Pose2::ORIGIN, [1.0, 2.0], [0.0, 1.0], 0xff_ff_ff));
    assert_eq!(image(&pinhole(40, 30), &within, 0.2), empty);
    let within = alone().wall([0.0, 0.0], [1.0, 1.0]).ball([0.0, 0.05], [0.0; 2]);
    assert_eq!(image(&pinhole(40, 30), &within, 0.2), empty);
}
