//! A scan of 361 beams over half a turn, against the best loop that we can write by hand over the same shapes.
//!
//! `cargo bench -p touchline-plugin-api --bench rays`. The scenes have one robot on about 6 m^2, as a match has, and 10, 100
//! or 1000 of them; the laser reaches 8 m. Three ways are compared:
//! - `fan`: `rays::cast_fan`, which starts from the world view and casts nothing away beforehand.
//! - `hand`: for these shapes only, from a structure of arrays that was made before the clock started: no heights,
//!   no roles, no ellipses, no triangles.
//! - `plain`: the same arrays, every beam against every shape.

// A benchmark reads the clock and prints; what it measures does neither.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

use criterion::{Criterion, Throughput};
use std::f64::consts::{FRAC_PI_2, PI};
use std::hint::black_box;
use std::time::Instant;
use touchline_kit::rays::{FanTable, cast_fan, is_solid_at};
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::view::ShapeKind;
use touchline_plugin_testing::FakeWorld;

const BEAMS: usize = 361;
const RANGE_M: f64 = 8.0;
const HEIGHT_M: f64 = 0.08;

/// The league's field with this many robots on and around it; robot 0 stands in their middle.
fn scene(robots: u32) -> FakeWorld {
    let columns = f64::from(robots).sqrt().ceil() as u32;
    let place = |i: u32| {
        let (row, column) = (f64::from(i / columns), f64::from(i % columns));
        let middle = f64::from(columns - 1) / 2.0;
        let jitter = f64::from(i * 7919 % 101) / 100.0 - 0.5;
        Pose2::new((column - middle) * 2.5 + jitter, (row - middle) * 2.0 - jitter, f64::from(i))
    };
    let middle = columns / 2 * columns + columns / 2;
    let others = (0..robots).filter(|&i| i != middle);
    let world = FakeWorld::f2000().ball([1.0, 0.7], [0.0; 2]).robot(place(middle), 0);
    others.fold(world, |world, i| world.robot(place(i), i % 2))
}

/// Circles and rectangles as arrays.
#[derive(Default)]
struct Arrays {
    circles: [Vec<f64>; 3],
    boxes: [Vec<f64>; 6],
    cos: Vec<f64>,
    sin: Vec<f64>,
}

impl Arrays {
    fn new(world: &FakeWorld, own: u32) -> Self {
        let mut arrays = Self::default();
        for shape in world.view().shapes.iter().filter(|s| is_solid_at(s, HEIGHT_M) && s.object != own) {
            match shape.kind() {
                ShapeKind::Ellipse => push(&mut arrays.circles, [shape.x_m, shape.y_m, shape.half_x_m]),
                _ => push(
                    &mut arrays.boxes,
                    [shape.x_m, shape.y_m, shape.cos, shape.sin, shape.half_x_m, shape.half_y_m],
                ),
            }
        }
        let angle = |i: usize| -FRAC_PI_2 + i as f64 * PI / (BEAMS - 1) as f64;
        (arrays.sin, arrays.cos) = (0..BEAMS).map(|i| sin_cos(angle(i))).unzip();
        arrays
    }

    /// Culled by range and to the half turn; each side that is seen goes to its own beams.
    fn hand(&self, pose: Pose2, out: &mut [f64]) {
        out.fill(RANGE_M);
        let (sin, cos) = sin_cos(pose.theta_rad);
        let own = |x: f64, y: f64| (cos * x + sin * y, cos * y - sin * x);
        let [xs, ys, radii] = &self.circles;
        for ((&x, &y), &r) in xs.iter().zip(ys).zip(radii) {
            let (x, y) = own(x - pose.x_m, y - pose.y_m);
            let squared = x * x + y * y;
            if x < -r || squared > (RANGE_M + r) * (RANGE_M + r) {
                continue;
            }
            let tangent_squared = squared - r * r;
            let t = tangent_squared.max(0.0).sqrt();
            self.between((x * t + y * r, y * t - x * r), (x * t - y * r, y * t + x * r), out, |c, s| {
                let along = x * c + y * s;
                let root = along * along - tangent_squared;
                along - if root > 0.0 { root } else { 0.0 }.sqrt()
            });
        }
        let [xs, ys, coss, sins, half_xs, half_ys] = &self.boxes;
        for i in 0..xs.len() {
            let (x, y) = own(xs[i] - pose.x_m, ys[i] - pose.y_m);
            let (hx, hy) = (half_xs[i], half_ys[i]);
            let reach = RANGE_M + hx + hy;
            if x < -hx - hy || x * x + y * y > reach * reach {
                continue;
            }
            let (ux, uy) = own(coss[i], sins[i]);
            let (px, py) = (-(x * ux + y * uy), x * uy - y * ux);
            let corner = |a: f64, b: f64| (x + a * hx * ux - b * hy * uy, y + a * hx * uy + b * hy * ux);
            let mut side = |a: (f64, f64), b: (f64, f64)| {
                let (ex, ey, area) = (b.0 - a.0, b.1 - a.1, a.0 * b.1 - a.1 * b.0);
                self.between(a, b, out, |c, s| area / (c * ey - s * ex));
            };
            if px.abs() > hx {
                let k = 1.0f64.copysign(px);
                side(corner(k, k), corner(k, -k));
            }
            if py.abs() > hy {
                let k = 1.0f64.copysign(py);
                side(corner(-k, k), corner(k, k));
            }
        }
    }

    #[inline(always)]
    fn between(&self, a: (f64, f64), b: (f64, f64), out: &mut [f64], distance: impl Fn(f64, f64) -> f64) {
        let per_rad = (BEAMS - 1) as f64 / PI;
        let (from, to) = (angle(a), angle(b));
        // Only what is behind reaches over the end of the turn, and of that only the part before it is seen.
        let to = if to < from { to + 2.0 * PI } else { to };
        for turn in [0.0, -2.0 * PI] {
            let (low, high) = ((from + turn + FRAC_PI_2) * per_rad, (to + turn + FRAC_PI_2) * per_rad + 1.0);
            let (low, high) = (low.max(0.0) as usize, high.clamp(0.0, BEAMS as f64) as usize);
            if low >= high {
                continue;
            }
            let is_outside = |i: usize| {
                let (c, s) = (self.cos[i], self.sin[i]);
                a.0 * s - a.1 * c < 0.0 || c * b.1 - s * b.0 < 0.0
            };
            let (mut low, mut high) = (low, high);
            while low < high && is_outside(low) {
                low += 1;
            }
            while low < high && is_outside(high - 1) {
                high -= 1;
            }
            for ((range, &c), &s) in
                out[low..high].iter_mut().zip(&self.cos[low..high]).zip(&self.sin[low..high])
            {
                let distance = distance(c, s);
                *range = if distance < *range { distance } else { *range };
            }
        }
    }

    fn plain(&self, pose: Pose2, out: &mut [f64]) {
        out.fill(RANGE_M);
        let (sin, cos) = sin_cos(pose.theta_rad);
        for ((range, &c), &s) in out.iter_mut().zip(&self.cos).zip(&self.sin) {
            let (dx, dy) = (cos * c - sin * s, sin * c + cos * s);
            let mut nearest = RANGE_M;
            let [xs, ys, radii] = &self.circles;
            for ((&x, &y), &r) in xs.iter().zip(ys).zip(radii) {
                let (x, y) = (x - pose.x_m, y - pose.y_m);
                let along = x * dx + y * dy;
                let root = r * r - (x * x + y * y - along * along);
                let distance = along - if root > 0.0 { root } else { 0.0 }.sqrt();
                let is_met = (root >= 0.0) & (distance >= 0.0) & (distance < nearest);
                nearest = if is_met { distance } else { nearest };
            }
            let [xs, ys, coss, sins, half_xs, half_ys] = &self.boxes;
            for i in 0..xs.len() {
                let (x, y, ux, uy) = (xs[i] - pose.x_m, ys[i] - pose.y_m, coss[i], sins[i]);
                let (px, py) = (x * ux + y * uy, y * ux - x * uy);
                let (rx, ry) = (1.0 / (dx * ux + dy * uy), 1.0 / (dy * ux - dx * uy));
                let (mx, my) = (half_xs[i] * rx.abs(), half_ys[i] * ry.abs());
                let (tx, ty) = (px * rx, py * ry);
                let enter = if tx - mx > ty - my { tx - mx } else { ty - my };
                let leave = if tx + mx < ty + my { tx + mx } else { ty + my };
                let is_met = (enter >= 0.0) & (enter <= leave) & (enter < nearest);
                nearest = if is_met { enter } else { nearest };
            }
            *range = nearest;
        }
    }
}

fn push<const N: usize>(columns: &mut [Vec<f64>; N], row: [f64; N]) {
    for (column, value) in columns.iter_mut().zip(row) {
        column.push(value);
    }
}

/// To about 1e-5 rad.
fn angle((x, y): (f64, f64)) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    let z = if ax < ay { ax / ay } else { ay / ax };
    let s = z * z;
    let series = 0.193_543_46 + s * (-0.116_432_87 + s * (0.052_653_32 - s * 0.011_721_20));
    let octant = z * (0.999_977_26 + s * (-0.332_623_47 + s * series));
    let quadrant = if ax < ay { FRAC_PI_2 - octant } else { octant };
    let half = if x < 0.0 { PI - quadrant } else { quadrant };
    if y < 0.0 { -half } else { half }
}

/// The quietest of the runs of half a second, ns for one beam.
fn ns_per_ray(mut scan: impl FnMut()) -> f64 {
    let (begin, mut best_secs) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < 0.5 {
        const SCANS: u32 = 10;
        let run = Instant::now();
        (0..SCANS).for_each(|_| scan());
        best_secs = best_secs.min(run.elapsed().as_secs_f64() / f64::from(SCANS));
    }
    best_secs * 1e9 / BEAMS as f64
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let table = FanTable::centred(PI, BEAMS).expect("half a turn");
    let mut summary = vec!["robots  shapes  fan  hand  plain  (ns for each ray)  fan / hand".to_owned()];
    for robots in [10, 100, 1000] {
        let world = scene(robots);
        let (view, own) = (world.view(), world.robot_object(0));
        let pose = view.objects[own as usize].pose;
        let arrays = Arrays::new(&world, own);
        let mut ranges = vec![0.0; BEAMS];
        let mut fan = || cast_fan(black_box(&view), pose, &table, RANGE_M, HEIGHT_M, own, &mut ranges);
        let mut other = vec![0.0; BEAMS];
        let mut group = criterion.benchmark_group(format!("scan-361/{robots}-robots"));
        group.throughput(Throughput::Elements(BEAMS as u64));
        group.bench_function("fan", |b| b.iter(&mut fan));
        group.bench_function("hand", |b| b.iter(|| arrays.hand(black_box(pose), &mut other)));
        group.bench_function("plain", |b| b.iter(|| arrays.plain(black_box(pose), &mut other)));
        group.finish();
        let fan_ns = ns_per_ray(&mut fan);
        let hand_ns = ns_per_ray(|| arrays.hand(black_box(pose), &mut other));
        assert_same(&ranges, &other, "hand");
        let plain_ns = ns_per_ray(|| arrays.plain(black_box(pose), &mut other));
        assert_same(&ranges, &other, "plain");
        summary.push(format!(
            "{robots:6}  {:6}  {fan_ns:.2}  {hand_ns:.2}  {plain_ns:.1}  {:.2}",
            view.shapes.len(),
            fan_ns / hand_ns
        ));
    }
    criterion.final_summary();
    println!("{}", summary.join("\n"));
}

/// A baseline that sees something else is no baseline.
fn assert_same(ranges: &[f64], other: &[f64], name: &str) {
    for (i, (&range, &other)) in ranges.iter().zip(other).enumerate() {
        let range = range.min(RANGE_M);
        assert!((range - other).abs() < 1e-6, "beam {i}: fan {range}, {name} {other}");
    }
}
