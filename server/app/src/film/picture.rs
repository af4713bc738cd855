//! One picture of a world: floor, robots, balls, names, score and time, as the studio shows them.

use super::letters;
use super::names::{self, Name};
use super::rings;
use super::sensing;
use super::view::{View, corners};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};
use touchline_plugin_api::view::{NONE, Object, ObjectKind, Role, Shape, ShapeKind};
use touchline_record::SensorChoice;
use touchline_sim::{Frame, Scenario};

/// What lies on the floor is drawn first, what stands highest last.
const ROLES: [Role; 7] =
    [Role::Area, Role::Line, Role::Goal, Role::None, Role::Wall, Role::Marker, Role::Pole];
const GROUND: u32 = 0x10_18_14;
const FLOOR: u32 = 0x4a_9a_5f;
const STRIPE: u32 = 0x45_8f_59;
/// Of a floor on which no game is played.
const HALL: [u32; 2] = [0xa3_aa_a8, 0x9c_a3_a1];
const INK: u32 = 0xff_ff_ff;
const HALO: u32 = 0x0b_24_15;
const EDGE: (u32, u8) = (0, 0x70);
/// A ball is never drawn smaller, pixels for each pixel of the picture's height.
const SMALLEST_BALL: f32 = 0.005;
/// Heights of letters, likewise.
const HEAD_LETTERS: f32 = 0.03;
const NAME_LETTERS: f32 = 0.0125;
/// A ball that is a metre high is drawn so far above its shadow, metres.
const LIFT: f64 = 0.6;

/// Draws a world's pictures.
pub struct Painter {
    view: View,
    floor: Pixmap,
    teams: Vec<(String, u32)>,
    has_game: bool,
}

impl Painter {
    /// For pictures of this size; `None` if there can be none.
    pub fn new(size: (u32, u32), first: &Frame, scenario: &Scenario) -> Option<Self> {
        let fixtures = first.objects.iter().filter(|object| object.kind() == ObjectKind::Fixtures);
        let fixtures: Vec<Shape> = fixtures.flat_map(|object| shapes(first, object)).copied().collect();
        let places: Vec<[f64; 2]> =
            first.objects.iter().map(|object| [object.pose.x_m, object.pose.y_m]).collect();
        let view = View::new(size, &fixtures, &places);
        let has_game = scenario.referee.is_some();
        let is_field = has_game || fixtures.iter().any(|shape| shape.has_role(Role::Line));
        let mut floor = Pixmap::new(size.0, size.1)?;
        draw_floor(&mut floor, &view, is_field);
        draw_fixtures(&mut floor, &view, fixtures);
        let teams = scenario.teams.iter().map(|team| (team.name.clone(), team.colour)).collect();
        Some(Self { view, floor, teams, has_game })
    }

    /// The picture of a Frame, RGBA, with what these sensors say.
    pub fn draw(&self, frame: &Frame, sensors: &[SensorChoice]) -> Pixmap {
        let mut canvas = self.floor.clone();
        sensing::draw(&mut canvas, &self.view, frame, sensors);
        let of = |kind| frame.objects.iter().filter(move |object| object.kind() == kind);
        for robot in of(ObjectKind::Robot) {
            self.draw_robot(&mut canvas, frame, robot);
        }
        for ball in of(ObjectKind::Ball) {
            self.draw_ball(&mut canvas, ball);
        }
        self.draw_names(&mut canvas, frame);
        self.draw_head(&mut canvas, frame);
        canvas
    }

    fn draw_names(&self, canvas: &mut Pixmap, frame: &Frame) {
        let height = NAME_LETTERS * self.view.height as f32;
        let robots = frame.robots.iter().map(|robot| {
            let radius_m = frame.objects.get(robot.object as usize).map_or(0.0, |object| object.radius_m);
            let name = Name {
                middle: self.view.pixel(robot.pose.x_m, robot.pose.y_m),
                reach: radius_m as f32 * self.view.scale,
                width: letters::width(&robot.identity.name, height),
            };
            (&robot.identity.name, name)
        });
        let (words, names): (Vec<_>, Vec<_>) = robots.unzip();
        for (word, place) in words.iter().zip(names::place(&names, height)) {
            if let Some(place) = place {
                text(canvas, word, place, height, INK);
            }
        }
    }

    fn draw_robot(&self, canvas: &mut Pixmap, frame: &Frame, robot: &Object) {
        let transform = self.view.transform();
        for path in shapes(frame, robot).iter().map(|shape| (outline(shape), shape.colour)) {
            let (Some(path), colour) = path else { continue };
            fill(canvas, &path, (colour, 0xff), transform);
            line(canvas, &path, EDGE, 1.5 / self.view.scale, transform);
        }
        // The arrow where it looks; dark for every other team, for those who see fewer colours.
        let is_dark = robot.team != NONE && !robot.team.is_multiple_of(2);
        let (r, (sin, cos)) = (robot.radius_m as f32, (robot.pose.theta_rad as f32).sin_cos());
        let own = transform
            .pre_concat(Transform::from_translate(robot.pose.x_m as f32, robot.pose.y_m as f32))
            .pre_concat(Transform::from_row(cos, sin, -sin, cos, 0.0, 0.0));
        let arrow = [(0.7, 0.0), (0.12, 0.34), (0.28, 0.0), (0.12, -0.34)].map(|(x, y)| (x * r, y * r));
        if let Some(arrow) = polygon(&arrow) {
            fill(canvas, &arrow, (if is_dark { 0 } else { INK }, 0xff), own);
        }
    }

    fn draw_ball(&self, canvas: &mut Pixmap, ball: &Object) {
        let radius = (ball.radius_m as f32 * self.view.scale).max(SMALLEST_BALL * self.view.height as f32);
        let (z_m, pose) = (ball.vertical.z_m.max(0.0), ball.pose);
        let (floor_x, floor_y) = self.view.pixel(pose.x_m, pose.y_m);
        let (x, y) = (floor_x, floor_y - self.view.scale * (LIFT * z_m) as f32);
        let shadow = PathBuilder::from_circle(floor_x, floor_y, 0.85 * radius).filter(|_| z_m > 0.0);
        if let Some(shadow) = shadow {
            fill(canvas, &shadow, (0, 0x80), Transform::identity());
        }
        if let Some(ball_path) = PathBuilder::from_circle(x, y, radius) {
            fill(canvas, &ball_path, (ball.colour, 0xff), Transform::identity());
            line(canvas, &ball_path, (0, 0xb0), 1.2, Transform::identity());
        }
    }

    /// Time at the left, score in the middle, the game's phase at the right.
    fn draw_head(&self, canvas: &mut Pixmap, frame: &Frame) {
        let (wide, height) = (self.view.width as f32, HEAD_LETTERS * self.view.height as f32);
        let base = self.view.head() / 2.0 + height / 2.0;
        let secs = if self.has_game { frame.game.clock_secs } else { frame.time_secs };
        text(canvas, &clock(secs), (height, base), height, INK);
        if !self.has_game {
            return;
        }
        let phase = frame.game.phase_name();
        text(canvas, phase, (wide - height - letters::width(phase, height), base), height, INK);
        if let ([(left, left_colour), (right, right_colour)], [ours, theirs]) =
            (&self.teams[..], &frame.game.teams[..])
        {
            let score = format!("{} : {}", ours.score, theirs.score);
            let half = letters::width(&score, height) / 2.0;
            let middle = wide / 2.0;
            text(canvas, &score, (middle - half, base), height, INK);
            let gap = 1.5 * height;
            let (left_from, right_from) =
                (middle - half - gap - letters::width(left, height), middle + half + gap);
            text(canvas, left, (left_from, base), height, INK);
            text(canvas, right, (right_from, base), height, INK);
            let right_end = right_from + letters::width(right, height);
            swatch(canvas, (left_from - height, base - height / 2.0), height, *left_colour);
            swatch(canvas, (right_end + height, base - height / 2.0), height, *right_colour);
        }
    }
}

/// A team's colour beside its name: as a text's it could not be read on dark.
fn swatch(canvas: &mut Pixmap, (x, y): (f32, f32), height: f32, colour: u32) {
    let Some(circle) = PathBuilder::from_circle(x, y, height / 2.0) else { return };
    fill(canvas, &circle, (colour, 0xff), Transform::identity());
    line(canvas, &circle, (INK, 0xff), height / 12.0, Transform::identity());
}

/// Minutes and seconds, as on a scoreboard, to a tenth.
fn clock(secs: f64) -> String {
    let tenths = (secs.max(0.0) * 10.0).round() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

fn draw_floor(canvas: &mut Pixmap, view: &View, is_field: bool) {
    canvas.fill(colour(GROUND, 0xff));
    let transform = view.transform();
    let [left, bottom, right, top] = view.floor;
    let [plain, stripe] = if is_field { [FLOOR, STRIPE] } else { HALL };
    // Stripes of one metre, from the world's origin, tell the scale.
    for metre in left.floor() as i32..right.ceil() as i32 {
        let (from, to) = (left.max(metre as f32), right.min(metre as f32 + 1.0));
        let Some(rectangle) = Rect::from_ltrb(from, bottom, to, top) else { continue };
        let of = if metre.rem_euclid(2) == 0 { stripe } else { plain };
        fill(canvas, &PathBuilder::from_rect(rectangle), (of, 0xff), transform);
    }
}

fn draw_fixtures(canvas: &mut Pixmap, view: &View, fixtures: Vec<Shape>) {
    let (rings, mut fixtures) = rings::find(fixtures);
    fixtures.sort_by_key(|shape| ROLES.iter().position(|&role| shape.has_role(role)));
    let areas = fixtures.partition_point(|shape| shape.has_role(ROLES[0]));
    fixtures[..areas].iter().for_each(|area| draw_fixture(canvas, view, area));
    for ring in rings {
        if let Some(circle) = PathBuilder::from_circle(ring.x_m as f32, ring.y_m as f32, ring.radius_m as f32)
        {
            line(canvas, &circle, (ring.colour, 0xff), ring.width_m as f32, view.transform());
        }
    }
    fixtures[areas..].iter().for_each(|fixture| draw_fixture(canvas, view, fixture));
}

fn draw_fixture(canvas: &mut Pixmap, view: &View, shape: &Shape) {
    let Some(path) = outline(shape) else { return };
    let is_net = shape.has_role(Role::Goal) && shape.solid == 0;
    fill(canvas, &path, (shape.colour, if is_net { 0xb0 } else { 0xff }), view.transform());
    if shape.solid != 0 {
        line(canvas, &path, EDGE, 1.0 / view.scale, view.transform());
    }
}

fn shapes<'a>(frame: &'a Frame, object: &Object) -> &'a [Shape] {
    let first = object.first_shape as usize;
    frame.shapes.get(first..first + object.shape_count as usize).unwrap_or_default()
}

/// The outline of a shape, metres.
fn outline(shape: &Shape) -> Option<Path> {
    if shape.kind() != ShapeKind::Ellipse {
        return polygon(&corners(shape));
    }
    let (x, y) = (shape.half_x_m as f32, shape.half_y_m as f32);
    let (sin, cos) = (shape.sin as f32, shape.cos as f32);
    let turn = Transform::from_row(cos, sin, -sin, cos, shape.x_m as f32, shape.y_m as f32);
    PathBuilder::from_oval(Rect::from_ltrb(-x, -y, x, y)?)?.transform(turn)
}

fn polygon(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    path.move_to(first.0, first.1);
    rest.iter().for_each(|point| path.line_to(point.0, point.1));
    path.close();
    path.finish()
}

/// Text with a dark edge, so that it can be read on any ground.
fn text(canvas: &mut Pixmap, text: &str, (left, base): (f32, f32), height: f32, colour: u32) {
    let Some(path) = letters::path(text, left, base, height) else { return };
    line(canvas, &path, (HALO, 0xff), height * 0.42, Transform::identity());
    line(canvas, &path, (colour, 0xff), height * 0.17, Transform::identity());
}

fn fill(canvas: &mut Pixmap, path: &Path, with: (u32, u8), transform: Transform) {
    canvas.fill_path(path, &paint(with), FillRule::Winding, transform, None);
}

fn line(canvas: &mut Pixmap, path: &Path, with: (u32, u8), width: f32, transform: Transform) {
    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    canvas.stroke_path(path, &paint(with), &stroke, transform, None);
}

fn paint((rgb, alpha): (u32, u8)) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(rgb, alpha));
    paint
}

fn colour(rgb: u32, alpha: u8) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color::from_rgba8(red, green, blue, alpha)
}
