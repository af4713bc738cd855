//! What the helpers for C work out is what the Rust side does, to the last bit.

use super::{compile, folder};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use touchline_kit::rays::{FanTable, cast_fan, cast_ray, is_solid_at};
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, atan2, sin_cos, wrap_angle};
use touchline_plugin_api::grid::{Cells, Grid};
use touchline_plugin_api::layout::{decode, encode};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::view::{NONE, Object, Shape, WorldView};

/// The lines that `agree.c` prints, worked out here.
struct Lines {
    text: String,
    hash: u64,
}

impl Lines {
    fn put(&mut self, value: f64) {
        writeln!(self.text, "{:016x}", value.to_bits()).unwrap();
    }
    fn mix(&mut self, value: f64) {
        self.hash = (self.hash ^ value.to_bits()).wrapping_mul(0x0100_0000_01b3);
    }
    fn mix_all(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.mix(value));
    }
    fn put_hash(&mut self) {
        writeln!(self.text, "hash {:016x}", self.hash).unwrap();
    }
}

/// A world with shapes of all kinds in all directions.
fn world() -> (Vec<Object>, Vec<Shape>) {
    let mut noise = NoiseKey::for_owner(3, "world").stream();
    let (mut objects, mut shapes) = (Vec::new(), Vec::new());
    for index in 0..40_u32 {
        let pose = match index {
            0 => Pose2::ORIGIN,
            _ => Pose2::new(noise.uniform(-7.0, 7.0), noise.uniform(-7.0, 7.0), noise.uniform(-3.0, 3.0)),
        };
        let count = if index == 0 { 30 } else { 2 };
        let reach = if index == 0 { 7.0 } else { 0.2 };
        let first_shape = shapes.len() as u32;
        for k in 0..count {
            let [x_m, y_m] = [0, 1].map(|_| noise.uniform(-reach, reach));
            let corner = |noise: &mut touchline_plugin_api::noise::Noise| {
                [0, 1].map(|axis| [pose.x_m + x_m, pose.y_m + y_m][axis] + noise.uniform(-0.3, 0.3))
            };
            let (corner_b, corner_c) = (corner(&mut noise), corner(&mut noise));
            let half_x_m = noise.uniform(0.02, 0.4);
            let (sin, cos) = sin_cos(noise.uniform(-3.1, 3.1));
            shapes.push(Shape {
                x_m: pose.x_m + x_m,
                y_m: pose.y_m + y_m,
                cos,
                sin,
                half_x_m,
                half_y_m: if k % 4 == 0 { half_x_m } else { noise.uniform(0.02, 0.4) },
                corner_b,
                corner_c,
                z_bottom_m: 0.0,
                z_top_m: if k % 7 == 6 { 0.1 } else { 1.0 },
                radius_m: 0.7,
                kind_code: (index + k) % 3,
                role_code: 0,
                object: index,
                team: NONE,
                colour: 0,
                solid: u32::from(k % 5 != 4),
            });
        }
        shapes[first_shape as usize..].sort_by_key(Shape::fixture_order);
        objects.push(Object {
            pose,
            twist: Twist2::ZERO,
            radius_m: if index == 0 { f64::INFINITY } else { 1.2 },
            vertical: Vertical::FLOOR,
            kind_code: if index == 0 { 0 } else { 2 },
            number: index,
            team: NONE,
            colour: 0,
            first_shape,
            shape_count: count,
            shirt: NONE,
            reserved: 0,
        });
    }
    (objects, shapes)
}

fn expected(objects: &[Object], shapes: &[Shape], grid: Grid<'_>) -> String {
    let mut lines = Lines { text: String::new(), hash: 0xcbf2_9ce4_8422_2325 };
    for k in 0..100_000_u64 {
        let key = NoiseKey { owner: k.wrapping_mul(0x9e37_79b9_7f4a_7c15), step: k % 1000 };
        let mut noise = if k % 3 == 0 { key.split(k) } else { key }.stream();
        lines.mix(noise.gaussian(1.5));
        lines.mix(noise.uniform(-3.0, 7.0));
        lines.mix_all(&noise.gaussian_pair([2.0, if k % 5 == 0 { 0.0 } else { 0.5 }]));
        lines.mix(noise.gaussian(1e-3));
        if k % 1000 == 0 {
            lines.put_hash();
        }
    }
    let mut noise = NoiseKey { owner: 1, step: 2 }.stream();
    for k in 0..100_000_u32 {
        let [angle, x, y] = [1e4, 9.0, 9.0].map(|limit| noise.uniform(-limit, limit));
        let (sin, cos) = sin_cos(if k % 2 == 0 { angle } else { angle * 1e-4 });
        lines.mix_all(&[sin, cos, atan2(y, x), wrap_angle(angle)]);
        let (a, b) = (Pose2::new(x, y, wrap_angle(angle)), Pose2::new(y, x * 0.5, wrap_angle(angle * 0.3)));
        let twist = Twist2::new(x, y, if k % 3 == 0 { 1.0 } else { angle * 1e-3 });
        for pose in [a.compose(b), a.relative(b), twist.displacement(0.02)] {
            lines.mix_all(&[pose.x_m, pose.y_m, pose.theta_rad]);
        }
        lines.mix(a.bearing_rad([y, x]));
        lines.mix(f64::from(encode(angle, 1e-3, k % 2 == 0)));
        lines.mix(decode(k.wrapping_mul(65537), 0.01, k % 2 == 0));
        if k % 1000 == 0 {
            lines.put_hash();
        }
    }
    for end in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, -1e300, 0.5, 1.5, -0.5] {
        for signed in [false, true] {
            lines.put(f64::from(encode(end, 1.0, signed)));
            lines.put(decode(encode(end, 1.0, signed), 1.0, signed));
        }
    }
    let without = WorldView::new(0, 0.0, objects, shapes);
    let (pi, turn) = (std::f64::consts::PI, std::f64::consts::TAU);
    for (field_of_view_rad, beams) in [(pi, 361), (turn, 360), (0.26, 15), (4.7, 1081), (1.0, 1)] {
        let table = FanTable::centred(field_of_view_rad, beams).unwrap();
        let mut ranges_m = vec![0.0; beams];
        for k in 0..40_u32 {
            let [x, y, t] = [6.0, 6.0, 3.1].map(|limit| noise.uniform(-limit, limit));
            let view = if k % 2 == 0 { without } else { WorldView { grid, ..without } };
            view.near([x, y], 0.1 * f64::from(k)).for_each(|index| lines.mix(f64::from(index)));
            let exclude = if k % 4 == 0 { NONE } else { 1 };
            cast_fan(&view, Pose2::new(x, y, t), &table, 8.0, 0.2, exclude, &mut ranges_m);
            lines.mix_all(&ranges_m);
            lines.put_hash();
            let hit = cast_ray(&view, [x, y], t, 8.0, |shape| is_solid_at(shape, 0.2));
            lines.put(hit.map_or(f64::INFINITY, |hit| hit.distance_m));
            shapes.iter().for_each(|shape| lines.mix(f64::from(u8::from(shape.contains([x, y])))));
        }
    }
    lines.put_hash();
    lines.text
}

/// W3, I2, P7: noise, geometry, quantised values and rays; the fan to the last bit, a single ray within 1e-9 m, since the C helper
/// casts it as a fan of one beam.
#[test]
fn the_helpers_for_c_give_the_same_bits() {
    let folder = folder("agree");
    let (objects, shapes) = world();
    let input = folder.join("world");
    let mut file = File::create(&input).unwrap();
    let mut cells = Cells::default();
    assert!(cells.lay_objects(&objects));
    let grid = cells.grid();
    let counts = [objects.len(), shapes.len(), grid.cells.len()].map(|count| count as u64);
    file.write_all(bytemuck::cast_slice(&counts)).unwrap();
    file.write_all(bytemuck::cast_slice(&objects)).unwrap();
    file.write_all(bytemuck::cast_slice(&shapes)).unwrap();
    file.write_all(bytemuck::cast_slice(grid.frame)).unwrap();
    file.write_all(bytemuck::cast_slice(grid.cells)).unwrap();
    let expected = expected(&objects, &shapes, grid);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/agree.c").display().to_string();
    let ways: [(&str, &[&str]); 3] = [
        ("cc", &["-std=c11", "-O2"]),
        ("cc", &["-std=c11", "-O0", "-DTL_NO_INT128"]),
        ("c++", &["-std=c++17", "-O3", "-x", "c++"]),
    ];
    for (round, (compiler, options)) in ways.into_iter().enumerate() {
        let program = folder.join(format!("agree-{round}")).display().to_string();
        compile(compiler, &[options, &[source.as_str(), "-o", &program, "-lm"]].concat());
        let output = Command::new(&program).stdin(Stdio::from(File::open(&input).unwrap())).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let got = String::from_utf8(output.stdout).unwrap();
        assert_eq!(got.lines().count(), expected.lines().count(), "{compiler} {options:?}");
        for (line, (got, expected)) in got.lines().zip(expected.lines()).enumerate() {
            let value = |text: &str| u64::from_str_radix(text, 16).map_or(f64::NAN, f64::from_bits);
            let near = (value(got) - value(expected)).abs() < 1e-9;
            assert!(
                got == expected || near,
                "{compiler} {options:?}: line {line}: {got}, expected {expected}"
            );
        }
    }
}
