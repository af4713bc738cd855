//! What chosen sensors say, drawn where each was when it took its reading: what a feature is follows from the names of its fields, as in the
//! studio.

use super::view::View;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::layout::Feature;
use touchline_record::SensorChoice;
use touchline_sim::Frame;

const RANGE: [u8; 3] = [0x38, 0xd0, 0xff];
const CONE: [u8; 3] = [0xc7, 0x9b, 0xff];
const CROSSING: [u8; 3] = [0xff, 0xf0, 0x6a];
const SIGHT: [u8; 3] = [0xff, 0x9d, 0x3c];
/// How much of its colour a fan or cone gives to the floor.
const AREA_ALPHA: u8 = 0x26;
/// Sizes in a picture that is so high, pixels; they grow with it.
const HEIGHT: f32 = 720.0;
const DOT: f32 = 2.4;
const RING: f32 = 9.0;
/// A sonar's arc is drawn in so many parts.
const ARC_PARTS: usize = 16;

/// The paths of one picture, metres.
#[derive(Default)]
struct Paths {
    fans: PathBuilder,
    fan_ends: PathBuilder,
    cones: PathBuilder,
    echoes: PathBuilder,
    crossings: PathBuilder,
    sights: PathBuilder,
    rings: PathBuilder,
}

/// Draws what the chosen sensors say at a Frame.
pub fn draw(canvas: &mut Pixmap, view: &View, frame: &Frame, chosen: &[SensorChoice]) {
    if chosen.is_empty() {
        return;
    }
    let size = canvas.height() as f32 / HEIGHT / view.scale;
    let mut paths = Paths::default();
    let mut quantised = Vec::new();
    for robot in &frame.robots {
        for (index, sensor) in robot.identity.description.sensors.sensors.iter().enumerate() {
            if !chosen.iter().any(|choice| choice.fits(&robot.identity.name, &sensor.id)) {
                continue;
            }
            // One that failed has its fault among the events, and one without a sample says nothing yet.
            let Ok(Some(_)) = frame.read_sensor(robot, index, &mut quantised) else { continue };
            let Some(pose) = frame.sensor_pose(robot, index) else { continue };
            // What nobody says in the robot file is its plugin's, and not known here.
            let spec = robot.identity.spec.sensors.get(index);
            let range_max_m = spec.and_then(|spec| spec.choice.params.get("range_max_m")?.as_f64());
            for (number, feature) in sensor.layout.features.iter().enumerate() {
                let reading = Reading {
                    feature,
                    quantised: &quantised[sensor.layout.range(number)],
                    pose,
                    range_max_m,
                };
                reading.add_to(&mut paths, size);
            }
        }
    }
    paths.draw(canvas, view, size);
}

/// One feature of one reading.
struct Reading<'a> {
    feature: &'a Feature,
    quantised: &'a [u32],
    /// The sensor's, in the world.
    pose: Pose2,
    range_max_m: Option<f64>,
}

impl Reading<'_> {
    /// A field's values; `None` if the feature has no such field.
    fn field(&self, name: &str) -> Option<Vec<f64>> {
        let (start, field) = self.feature.field(name)?;
        let own = self.quantised.get(start..start + field.len())?;
        Some(own.iter().map(|&integer| field.decode(integer)).collect())
    }

    fn scalar(&self, name: &str) -> Option<f64> {
        self.field(name)?.first().copied()
    }

    /// A point that lies so far from a place in the sensor's frame, in the world.
    fn point(&self, from: [f64; 2], distance_m: f64, angle_rad: f64) -> (f32, f32) {
        let (sin, cos) = angle_rad.sin_cos();
        let [x_m, y_m] = self.pose.point_to_outer([from[0] + distance_m * cos, from[1] + distance_m * sin]);
        (x_m as f32, y_m as f32)
    }

    fn add_to(&self, paths: &mut Paths, size: f32) {
        let fan = || Some((self.scalar("angle_min")?, self.scalar("angle_step")?));
        if let (Some(fan), Some(ranges)) = (fan(), self.field("ranges")) {
            self.add_fan(paths, fan, &ranges, size);
        } else if let (Some(fan), Some(distances)) = (fan(), self.field("distances")) {
            self.add_crossings(paths, fan, &distances, size);
        } else if let (Some(opening), Some(ranges)) = (self.scalar("opening_angle"), self.field("ranges")) {
            self.add_cones(paths, opening, &ranges);
        } else if let (Some(distance), Some(bearing)) = (self.field("distance"), self.field("bearing")) {
            self.add_sightings(paths, &distance, &bearing, size);
        }
    }

    /// A beam that met nothing is as long as the sensor reaches, or, if that is not known, as the longest that met something.
    fn add_fan(&self, paths: &mut Paths, (first, step): (f64, f64), ranges: &[f64], size: f32) {
        let longest = || ranges.iter().copied().filter(|range| range.is_finite()).fold(0.0, f64::max);
        let open = self.range_max_m.unwrap_or_else(longest);
        let mut beams: Vec<_> =
            ranges.iter().zip(0..).map(|(&range, beam)| (range, first + f64::from(beam) * step)).collect();
        // All the same way round: where fans that go round in different ways overlap, one would take away from the other.
        if step < 0.0 {
            beams.reverse();
        }
        let (x, y) = self.point([0.0; 2], 0.0, 0.0);
        paths.fans.move_to(x, y);
        for (range, angle) in beams {
            let length = if range == f64::INFINITY { open } else { range.max(0.0) };
            let (x, y) = self.point([0.0; 2], length, angle);
            paths.fans.line_to(x, y);
            if range.is_finite() {
                dot(&mut paths.fan_ends, (x, y), DOT * size);
            }
        }
        paths.fans.close();
    }

    fn add_crossings(&self, paths: &mut Paths, (first, step): (f64, f64), distances: &[f64], size: f32) {
        let rays = self.feature.field("distances").and_then(|(_, field)| field.shape.first().copied());
        let each = (distances.len() / rays.unwrap_or(1).max(1) as usize).max(1);
        for (at, &distance) in distances.iter().enumerate().filter(|(_, distance)| distance.is_finite()) {
            let point = self.point([0.0; 2], distance, first + (at / each) as f64 * step);
            dot(&mut paths.crossings, point, 1.25 * DOT * size);
        }
    }

    fn add_cones(&self, paths: &mut Paths, opening_rad: f64, ranges: &[f64]) {
        let places = || Some((self.field("x")?, self.field("y")?, self.field("theta")?));
        let Some((x, y, theta)) = places() else { return };
        for (((&range, &x), &y), &theta) in ranges.iter().zip(&x).zip(&y).zip(&theta) {
            // Without an echo nobody knows how far it is free.
            if !range.is_finite() {
                continue;
            }
            let arc = (0..=ARC_PARTS).map(|part| {
                let angle = theta + opening_rad * (part as f64 / ARC_PARTS as f64 - 0.5);
                self.point([x, y], range, angle)
            });
            let (left, top) = self.point([x, y], 0.0, 0.0);
            paths.cones.move_to(left, top);
            for (part, (x, y)) in arc.enumerate() {
                paths.cones.line_to(x, y);
                if part == 0 {
                    paths.echoes.move_to(x, y);
                } else {
                    paths.echoes.line_to(x, y);
                }
            }
            paths.cones.close();
        }
    }

    fn add_sightings(&self, paths: &mut Paths, distance: &[f64], bearing: &[f64], size: f32) {
        let most = self.scalar("count").map_or(usize::MAX, |count| count.max(0.0) as usize);
        let (x0, y0) = self.point([0.0; 2], 0.0, 0.0);
        for (&distance, &bearing) in distance.iter().zip(bearing).take(most) {
            if !(distance.is_finite() && bearing.is_finite()) {
                continue;
            }
            let (x, y) = self.point([0.0; 2], distance, bearing);
            paths.sights.move_to(x0, y0);
            paths.sights.line_to(x, y);
            paths.rings.push_circle(x, y, RING * size);
        }
    }
}

fn dot(paths: &mut PathBuilder, (x, y): (f32, f32), size: f32) {
    if let Some(rectangle) = Rect::from_xywh(x - size / 2.0, y - size / 2.0, size, size) {
        paths.push_rect(rectangle);
    }
}

impl Paths {
    /// Each path at once: what several sensors cover is as light as what one does.
    fn draw(self, canvas: &mut Pixmap, view: &View, size: f32) {
        let transform = view.transform();
        let fill = |canvas: &mut Pixmap, path: PathBuilder, colour, alpha| {
            let Some(path) = path.finish() else { return };
            canvas.fill_path(&path, &paint(colour, alpha), FillRule::Winding, transform, None);
        };
        fill(canvas, self.fans, RANGE, AREA_ALPHA);
        fill(canvas, self.cones, CONE, AREA_ALPHA);
        fill(canvas, self.fan_ends, RANGE, 0xff);
        fill(canvas, self.crossings, CROSSING, 0xff);
        let line = |canvas: &mut Pixmap, path: Option<Path>, colour, width: f32, dash| {
            let Some(path) = path else { return };
            let stroke = Stroke {
                width,
                dash,
                line_cap: LineCap::Butt,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            canvas.stroke_path(&path, &paint(colour, 0xff), &stroke, transform, None);
        };
        line(canvas, self.echoes.finish(), CONE, 2.0 * size, None);
        line(
            canvas,
            self.sights.finish(),
            SIGHT,
            1.7 * size,
            StrokeDash::new(vec![5.0 * size, 4.0 * size], 0.0),
        );
        line(canvas, self.rings.finish(), SIGHT, 2.0 * size, None);
    }
}

fn paint([red, green, blue]: [u8; 3], alpha: u8) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(red, green, blue, alpha));
    paint
}
