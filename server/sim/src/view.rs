//! The world's objects and shapes as flat records in the world frame, kept up to date step by step.
//!
//! The shapes are placed when somebody looks at them for the first time, and kept up to date from then on. Fixtures are most of them, and
//! all worlds of one make have the same: such worlds, stepped one after the other or a few together, lend each other the memory in which they lie.
//!
//! # Invariants
//! - What is seen depends on where the objects are, and never on when the shapes were placed.

use crate::around::Around;
use crate::reach::outline_radius_m;
use crate::robot::Robot;
use crate::scenario::{BallPlacement, Fixture, Outline, Primitive, Scenario};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::view::{NONE, Object, Role, Shape, WorldView};

/// Objects and shapes; see [`WorldView`].
#[derive(Clone)]
pub(crate) struct View {
    pub objects: Vec<Object>,
    /// Sine and cosine of each object's heading.
    headings: Vec<(f64, f64)>,
    fixtures: Arc<[Shape]>,
    /// The shapes of what moves, in its own frame, in the order of the objects; shared by worlds of one make until one changes.
    moving: Arc<Vec<Shape>>,
    placed: OnceLock<Placed>,
    around: Around,
}

/// All shapes where they are: the fixtures', then those of what moves.
#[derive(Clone)]
pub(crate) struct Placed {
    shapes: Vec<Shape>,
    /// Those with which the list begins.
    fixtures: Arc<[Shape]>,
}

impl View {
    /// The fixtures alone: they never change.
    pub fn of_fixtures(fixtures: &[Fixture]) -> Self {
        let shapes: Arc<[Shape]> =
            order_of_view(fixtures).into_iter().map(|place| fixture_shape(&fixtures[place])).collect();
        let object = Object {
            pose: Pose2::ORIGIN,
            twist: Twist2::ZERO,
            radius_m: f64::INFINITY,
            vertical: Vertical::FLOOR,
            kind_code: 0,
            number: NONE,
            team: NONE,
            colour: 0x80_8080,
            first_shape: 0,
            shape_count: shapes.len() as u32,
            shirt: NONE,
            reserved: 0,
        };
        Self {
            objects: vec![object],
            headings: vec![(0.0, 1.0)],
            fixtures: shapes,
            moving: Arc::default(),
            placed: OnceLock::new(),
            around: Around::default(),
        }
    }

    pub fn world(&self, step: u64, dt_secs: f64) -> WorldView<'_> {
        WorldView::new(step, step as f64 * dt_secs, &self.objects, self.shapes())
    }

    /// The same for who looks round: with a grid, if there are many.
    pub fn world_around(&self, step: u64, dt_secs: f64) -> WorldView<'_> {
        WorldView { grid: self.around.grid(&self.objects), ..self.world(step, dt_secs) }
    }

    /// The fixtures' shapes, then those of what moves, world frame.
    pub fn shapes(&self) -> &[Shape] {
        let place = || Placed { shapes: self.fixtures.to_vec(), fixtures: Arc::clone(&self.fixtures) };
        &self.placed.get_or_init(|| self.with_moving(place())).shapes
    }

    /// The fixtures' shapes alone, world frame.
    pub fn fixtures(&self) -> &[Shape] {
        &self.fixtures
    }

    /// Gives the memory of its shapes away and takes another's, whatever stands in it; called again with the same it gives that back.
    pub fn swap_placed(&mut self, space: &mut Option<Placed>) {
        let theirs = space.take().filter(|theirs| Arc::ptr_eq(&theirs.fixtures, &self.fixtures));
        *space = self.placed.take();
        if let Some(theirs) = theirs {
            self.placed = OnceLock::from(self.with_moving(theirs));
        }
    }

    /// Puts the shapes of what moves where they are now, behind the fixtures.
    fn with_moving(&self, mut placed: Placed) -> Placed {
        let Placed { shapes, fixtures } = &mut placed;
        shapes.truncate(fixtures.len());
        shapes.extend_from_slice(&self.moving);
        for (object, &heading) in self.objects.iter().zip(&self.headings).skip(1) {
            let range = moving_range(object, fixtures.len());
            let placed = shapes[fixtures.len()..][range.clone()].iter_mut();
            for (shape, local) in placed.zip(&self.moving[range]) {
                place_at(shape, local, object.pose, heading);
                lift(shape, local, object.vertical);
            }
        }
        placed
    }

    /// Makes the list of objects anew: after a robot came or went, or a manipulator changed its shape.
    pub fn rebuild(&mut self, scenario: &Scenario, balls: &[BallPlacement], robots: &[Robot]) {
        self.around.forget();
        self.objects.truncate(1);
        self.headings.truncate(1);
        match Arc::get_mut(&mut self.moving) {
            Some(moving) => moving.clear(),
            None => self.moving = Arc::default(),
        }
        for (number, BallPlacement { ball, .. }) in balls.iter().enumerate() {
            let outline = Outline::circle(ball.radius_m);
            let primitive = Primitive {
                outline,
                pose: Pose2::ORIGIN,
                z_m: [0.0, 2.0 * ball.radius_m],
                colour: Some(ball.colour),
                surface: None,
            };
            let numbers = [number as u32, NONE, NONE];
            self.object(1, numbers, ball.colour, ball.radius_m, [&primitive].into_iter());
        }
        for robot in robots {
            let (identity, spec) = (&robot.identity, &robot.identity.spec);
            let team = identity.description.team;
            let colour =
                team.and_then(|team| scenario.teams.get(team as usize)).map_or(spec.colour, |t| t.colour);
            let parts = robot.manipulators.iter().zip(&spec.manipulators);
            let shapes =
                spec.body.iter().chain(parts.flat_map(|(part, spec)| &spec.states[part.state].shapes));
            let radius_m = identity.description.radius_m;
            let numbers = [identity.number, team.unwrap_or(NONE), identity.shirt.unwrap_or(NONE)];
            self.object(2, numbers, colour, radius_m, shapes);
        }
        if let Some(placed) = self.placed.take() {
            self.placed = OnceLock::from(self.with_moving(placed));
        }
    }

    /// Objects are about to move: who was near whom does not hold any more.
    pub fn begin_moves(&mut self) {
        self.around.forget();
    }

    /// Moves an object, which is given by its place in the list; after [`View::begin_moves`].
    ///
    /// `heading` is sine and cosine of the pose's.
    pub fn moved(&mut self, place: usize, pose: Pose2, heading: (f64, f64), twist: Twist2) {
        let object = &mut self.objects[place];
        (object.pose, object.twist) = (pose, twist);
        self.headings[place] = heading;
        let range = moving_range(object, self.fixtures.len());
        if let Some(Placed { shapes, fixtures }) = self.placed.get_mut() {
            let placed = shapes[fixtures.len()..][range.clone()].iter_mut();
            placed.zip(&self.moving[range]).for_each(|(shape, local)| place_at(shape, local, pose, heading));
        }
    }

    /// Puts an object, which is given by its place in the list, at a height.
    pub fn lifted(&mut self, place: usize, vertical: Vertical) {
        let object = &mut self.objects[place];
        if object.vertical == vertical {
            return;
        }
        object.vertical = vertical;
        let range = moving_range(object, self.fixtures.len());
        if let Some(Placed { shapes, fixtures }) = self.placed.get_mut() {
            let placed = shapes[fixtures.len()..][range.clone()].iter_mut();
            placed.zip(&self.moving[range]).for_each(|(shape, local)| lift(shape, local, vertical));
        }
    }

    /// Where the balls are in the plane, and how high, metres.
    pub fn ball_places(&self, balls: usize) -> impl Iterator<Item = ([f64; 2], f64)> + Clone {
        self.objects[1..1 + balls].iter().map(|ball| ([ball.pose.x_m, ball.pose.y_m], ball.vertical.z_m))
    }

    fn object<'a>(
        &mut self,
        kind_code: u32,
        [number, team, shirt]: [u32; 3],
        colour: u32,
        radius_m: f64,
        shapes: impl Iterator<Item = &'a Primitive>,
    ) {
        let moving = Arc::make_mut(&mut self.moving);
        let (object, first) = (self.objects.len() as u32, moving.len());
        moving.extend(shapes.map(|primitive| local_shape(primitive, object, colour)));
        self.headings.push((0.0, 1.0));
        self.objects.push(Object {
            pose: Pose2::ORIGIN,
            twist: Twist2::ZERO,
            radius_m,
            vertical: Vertical::FLOOR,
            kind_code,
            number,
            team,
            colour,
            first_shape: (self.fixtures.len() + first) as u32,
            shape_count: (moving.len() - first) as u32,
            shirt,
            reserved: 0,
        });
    }
}

/// Where an object's shapes are among those of what moves.
fn moving_range(object: &Object, fixtures: usize) -> Range<usize> {
    let first = object.first_shape as usize - fixtures;
    first..first + object.shape_count as usize
}

fn fixture_shape(fixture: &Fixture) -> Shape {
    Shape {
        role_code: fixture.role.code(),
        team: fixture.team.unwrap_or(NONE),
        solid: u32::from(fixture.solid),
        ..local_shape(&fixture.primitive, 0, 0x80_8080)
    }
}

/// Which of the fixtures is at each place of the view.
pub(crate) fn order_of_view(fixtures: &[Fixture]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fixtures.len()).collect();
    order.sort_by_key(|&place| fixture_shape(&fixtures[place]).fixture_order());
    order
}

fn local_shape(primitive: &Primitive, object: u32, colour: u32) -> Shape {
    let pose = primitive.pose;
    let (sin, cos) = sin_cos(pose.theta_rad);
    let (kind_code, half, corners) = match primitive.outline {
        Outline::Rectangle { length_m, width_m } => (0, [length_m / 2.0, width_m / 2.0], None),
        Outline::Ellipse { length_m, width_m } => (1, [length_m / 2.0, width_m / 2.0], None),
        Outline::Triangle { corners } => {
            (2, [0.0; 2], Some(corners.map(|corner| pose.point_to_outer(corner))))
        }
    };
    let [a, b, c] = corners.unwrap_or([[pose.x_m, pose.y_m], [0.0; 2], [0.0; 2]]);
    let radius_m = match corners {
        Some([a, b, c]) => libm::hypot(b[0] - a[0], b[1] - a[1]).max(libm::hypot(c[0] - a[0], c[1] - a[1])),
        None => outline_radius_m(&primitive.outline),
    };
    Shape {
        x_m: a[0],
        y_m: a[1],
        cos,
        sin,
        half_x_m: half[0],
        half_y_m: half[1],
        corner_b: b,
        corner_c: c,
        z_bottom_m: primitive.z_m[0],
        z_top_m: primitive.z_m[1],
        radius_m,
        kind_code,
        role_code: Role::None.code(),
        object,
        team: NONE,
        colour: primitive.colour.unwrap_or(colour),
        solid: 1,
    }
}

/// Puts a shape where its object is; all that does not move stays as it is.
fn place_at(shape: &mut Shape, local: &Shape, pose: Pose2, (sin, cos): (f64, f64)) {
    let outer = |x: f64, y: f64| [pose.x_m + cos * x - sin * y, pose.y_m + sin * x + cos * y];
    [shape.x_m, shape.y_m] = outer(local.x_m, local.y_m);
    shape.cos = cos * local.cos - sin * local.sin;
    shape.sin = sin * local.cos + cos * local.sin;
    if local.kind_code == 2 {
        shape.corner_b = outer(local.corner_b[0], local.corner_b[1]);
        shape.corner_c = outer(local.corner_c[0], local.corner_c[1]);
    }
}

/// Puts a shape as high as its object is.
fn lift(shape: &mut Shape, local: &Shape, vertical: Vertical) {
    (shape.z_bottom_m, shape.z_top_m) = (local.z_bottom_m + vertical.z_m, local.z_top_m + vertical.z_m);
}
