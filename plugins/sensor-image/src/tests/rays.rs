//! S6: every pixel shows what a ray in its direction meets first: worked out by walking along it in small steps.

use super::*;
use touchline_plugin_api::noise::{Noise, NoiseKey};

const COLOURS: [u32; 3] = [0xff_00_00, 0x00_ff_00, 0x00_00_ff];

/// What a pixel shows, by the light that it has left: 0 to 2 are the colours, 3 the floor, 4 the sky.
fn seen(pixel: u32) -> usize {
    let levels = [pixel >> 16, pixel >> 8 & 0xff, pixel & 0xff];
    match levels {
        [0, 0, 0] => 4,
        [a, b, c] if a == b && b == c => 3,
        _ => levels.iter().position(|&level| level > 0).unwrap(),
    }
}

fn walk(shapes: &[Shape], ball: Option<[f64; 3]>, from: [f64; 3], direction: [f64; 3]) -> usize {
    let length = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
    for step in 1..2000 {
        let way = f64::from(step) * 0.004 / length;
        let [x, y, z] = [0, 1, 2].map(|axis| from[axis] + way * direction[axis]);
        if z < 0.0 {
            return 3;
        }
        let meets = |shape: &&Shape| shape.z_bottom_m <= z && z <= shape.z_top_m && shape.contains([x, y]);
        if let Some(shape) = shapes.iter().find(meets) {
            return COLOURS.iter().position(|colour| *colour == shape.colour).unwrap();
        }
        let is_in_ball =
            |[bx, by, r]: [f64; 3]| (x - bx) * (x - bx) + (y - by) * (y - by) + (z - r) * (z - r) <= r * r;
        // FakeWorld's balls are grey: told apart from the floor by its white.
        if ball.is_some_and(is_in_ball) {
            return 5;
        }
    }
    if direction[2] < 0.0 { 3 } else { 4 }
}

fn random_shape(draw: &mut Noise) -> Shape {
    let mut number = |low, high| draw.uniform(low, high);
    let (x, y) = (number(0.6, 3.0), number(-2.0, 2.0));
    let pose = Pose2::new(x, y, number(-3.0, 3.0));
    let low = number(-0.2, 0.3);
    let z_m = [low, low + number(0.05, 0.6)];
    let colour = COLOURS[number(0.0, 3.0) as usize];
    let size_m = [number(0.1, 0.8), number(0.1, 0.8)];
    match number(0.0, 3.0) as u32 {
        0 => body(ShapeKind::Rectangle, pose, size_m, z_m, colour),
        1 => body(ShapeKind::Ellipse, pose, size_m, z_m, colour),
        _ => {
            let corner = |draw: &mut Noise| [x + draw.uniform(-0.6, 0.6), y + draw.uniform(-0.6, 0.6)];
            triangle([[x, y], corner(draw), corner(draw)], z_m, colour)
        }
    }
}

#[test]
fn every_pixel_shows_what_its_ray_meets_first() {
    let key = NoiseKey::for_owner(6, "scenes");
    let (mut wrong, mut all, mut kinds) = (0, 0, [0; 6]);
    for scene in 0..24 {
        let mut draw = key.at_step(scene).stream();
        let shapes: Vec<Shape> = (0..5).map(|_| random_shape(&mut draw)).collect();
        let ball = [draw.uniform(0.5, 2.0), draw.uniform(-1.0, 1.0)];
        let world = shapes.iter().fold(alone(), |world, &shape| world.fixture(shape)).ball(ball, [0.0; 2]);
        let z_m = draw.uniform(0.05, 0.9);
        let (pitch_rad, range_max_m) = (draw.uniform(-0.5, 1.4), draw.uniform(2.0, 4.0));
        let is_mirror = scene % 3 == 0;
        let (width, height) = (33, 27);
        let plain =
            ImageParams { floor_colour: "#ffffff".into(), sky_colour: "#000000".into(), ..pinhole(33, 27) };
        let params = if is_mirror {
            ImageParams {
                projection: Projection::Omnidirectional,
                field_of_view_rad: None,
                range_max_m: Some(range_max_m),
                ..plain
            }
        } else {
            ImageParams { pitch_rad: Some(pitch_rad), ..plain }
        };
        let image = image(&params, &world, z_m);
        for (at, &pixel) in image.pixels.iter().enumerate() {
            let (left, up) = (16.0 - (at % width) as f64, 13.0 - (at / width) as f64);
            let direction = if is_mirror {
                let metres = range_max_m / (height as f64 / 2.0);
                [up * metres, left * metres, -z_m]
            } else {
                let (left, up, (sin, cos)) = (left / 16.5, up / 16.5, pitch_rad.sin_cos());
                [cos + sin * up, left, cos * up - sin]
            };
            if is_mirror && left * left + up * up > 13.5 * 13.5 {
                continue;
            }
            let expected = walk(&shapes, Some([ball[0], ball[1], 0.11]), [0.0, 0.0, z_m], direction);
            // Grey is the ball's, white the floor's.
            let got = if seen(pixel) == 3 && pixel != 0xff_ff_ff { 5 } else { seen(pixel) };
            wrong += u32::from(got != expected);
            all += 1;
            kinds[expected] += 1;
        }
    }
    // The steps are 4 mm long and miss what a ray only grazes.
    assert!(f64::from(wrong) < 0.002 * f64::from(all), "{wrong} of {all}");
    assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
}
