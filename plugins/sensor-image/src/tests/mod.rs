//! S6: what images of scenes worked out by hand show, and whether the noise is what it claims to be.

#![allow(clippy::disallowed_methods, reason = "what is expected is worked out apart from what is tested")]

mod geometry;
mod omnidirectional;
mod rays;
mod setup;

use super::*;
use touchline_kit::data::DataObject;
use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::NONE;
use touchline_plugin_testing::{FakeWorld, sensor_setup};

/// Neither of them is a colour of any thing in the tests.
const FLOOR: u32 = 0x00_ff_00;
const SKY: u32 = 0x00_00_ff;

fn params(projection: Projection, width: u32, height: u32) -> ImageParams {
    ImageParams {
        projection,
        width,
        height,
        floor_colour: "#00ff00".into(),
        sky_colour: "#0000ff".into(),
        ..ImageParams::default()
    }
}

/// A pin-hole camera with a right angle of view: half the width is the focal length.
fn pinhole(width: u32, height: u32) -> ImageParams {
    let field_of_view_rad = Some(std::f64::consts::FRAC_PI_2);
    ImageParams { field_of_view_rad, ..params(Projection::Perspective, width, height) }
}

/// A mirror that sees 5 m of floor.
fn mirror(width: u32, height: u32) -> ImageParams {
    ImageParams { range_max_m: Some(5.0), ..params(Projection::Omnidirectional, width, height) }
}

fn camera(params: ImageParams) -> Camera {
    Camera::new(params, &sensor_setup()).unwrap()
}

/// What a camera on robot 0, above its centre, sees.
fn image(params: &ImageParams, world: &FakeWorld, z_m: f64) -> Image {
    let camera = camera(params.clone());
    let layout = camera.layout();
    let mut quantised = vec![0; layout.len()];
    let mount = Mount { z_m, ..Mount::default() };
    camera.generate(&Stateless, &world.sensor_input(0, mount), &mut quantised).unwrap();
    Image::decode(&layout.features[0], &quantised).unwrap()
}

/// A world with the robot that carries the camera, at the origin.
fn alone() -> FakeWorld {
    FakeWorld::new().robot(Pose2::ORIGIN, NONE)
}

/// First and last column, first and last row of the pixels that are neither floor nor sky nor black; and their number.
fn extent(image: &Image) -> Option<([usize; 2], [usize; 2], usize)> {
    let mut found: Option<([usize; 2], [usize; 2], usize)> = None;
    for (at, &pixel) in image.pixels.iter().enumerate() {
        if [FLOOR, SKY, 0].contains(&pixel) {
            continue;
        }
        let (column, row) = (at % image.width, at / image.width);
        let ([left, right], [top, bottom], count) = found.unwrap_or(([column; 2], [row; 2], 0));
        found = Some(([left.min(column), right.max(column)], [top.min(row), bottom.max(row)], count + 1));
    }
    found
}

/// A shape that stands on the floor from `z_m[0]` to `z_m[1]`.
fn body(kind: ShapeKind, pose: Pose2, [length_m, width_m]: [f64; 2], z_m: [f64; 2], colour: u32) -> Shape {
    let (sin, cos) = touchline_plugin_api::geometry::sin_cos(pose.theta_rad);
    let (half_x_m, half_y_m) = (length_m / 2.0, width_m / 2.0);
    Shape {
        x_m: pose.x_m,
        y_m: pose.y_m,
        cos,
        sin,
        half_x_m,
        half_y_m,
        corner_b: [0.0; 2],
        corner_c: [0.0; 2],
        z_bottom_m: z_m[0],
        z_top_m: z_m[1],
        radius_m: (half_x_m * half_x_m + half_y_m * half_y_m).sqrt(),
        kind_code: u32::from(kind == ShapeKind::Ellipse),
        role_code: Role::None.code(),
        object: 0,
        team: NONE,
        colour,
        solid: 1,
    }
}

fn triangle(corners: [[f64; 2]; 3], z_m: [f64; 2], colour: u32) -> Shape {
    let [[x_m, y_m], corner_b, corner_c] = corners;
    let base = body(ShapeKind::Rectangle, Pose2::ORIGIN, [0.0; 2], z_m, colour);
    Shape { x_m, y_m, corner_b, corner_c, kind_code: 2, radius_m: f64::INFINITY, ..base }
}

/// SL10: a ball in the air is drawn where it is: of a pin-hole camera that looks level at a ball of its own height the middle rows.
#[test]
fn a_ball_in_the_air_is_seen_higher() {
    let rows = |z_m| {
        let height = Vertical { z_m, speed_m_s: 0.0 };
        let world = alone().flying_ball([2.0, 0.0], [0.0; 2], height);
        let (_, [top, bottom], _) = extent(&image(&pinhole(201, 201), &world, 0.61)).unwrap();
        (top + bottom) as f64 / 2.0
    };
    // 0.5 m lower, or higher, at 2 m are a quarter of the focal length.
    let focal = 100.5;
    for (z_m, row) in [(0.0, 100.0 + focal / 4.0), (0.5, 100.0), (1.0, 100.0 - focal / 4.0)] {
        assert!((rows(z_m) - row).abs() <= 1.5, "{z_m} m: {} for {row}", rows(z_m));
    }
}
