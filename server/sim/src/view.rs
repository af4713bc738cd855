//! The world's objects and shapes as flat records in the world frame, kept up to date step by step.

use crate::reach::outline_radius_m;
use crate::robot::Robot;
use crate::scenario::{BallPlacement, Fixture, Outline, Primitive, Scenario};
use std::sync::Arc;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::view::{NONE, Object, Role, Shape, WorldView};

/// Objects and shapes; see [`WorldView`].
#[derive(Clone, Default)]
pub(crate) struct View {
    pub objects: Vec<Object>,
    pub shapes: Vec<Shape>,
    /// The shapes in their objects' frames, in the same order; shared by worlds of one make until one changes.
    local: Arc<Vec<Shape>>,
    fixture_shapes: usize,
}

impl View {
    /// The fixtures alone: they never change.
    pub fn of_fixtures(fixtures: &[Fixture]) -> Self {
        let mut view = Self::default();
        view.shapes.extend(order_of_view(fixtures).into_iter().map(|place| fixture_shape(&fixtures[place])));
        view.fixture_shapes = view.shapes.len();
        view.local = Arc::new(view.shapes.clone());
        view.objects.push(Object {
            pose: Pose2::ORIGIN,
            twist: Twist2::ZERO,
            radius_m: f64::INFINITY,
            vertical: Vertical::FLOOR,
            kind_code: 0,
            number: NONE,
            team: NONE,
            colour: 0x80_8080,
            first_shape: 0,
            shape_count: view.shapes.len() as u32,
        });
        view
    }

    pub fn world(&self, step: u64, dt_secs: f64) -> WorldView<'_> {
        WorldView { step, time_secs: step as f64 * dt_secs, objects: &self.objects, shapes: &self.shapes }
    }

    /// Makes the list of objects anew: after a robot came or went, or a manipulator changed its shape.
    pub fn rebuild(&mut self, scenario: &Scenario, balls: &[BallPlacement], robots: &[Robot]) {
        self.objects.truncate(1);
        Arc::make_mut(&mut self.local).truncate(self.fixture_shapes);
        for (number, BallPlacement { ball, .. }) in balls.iter().enumerate() {
            let outline = Outline::circle(ball.radius_m);
            let primitive = Primitive {
                outline,
                pose: Pose2::ORIGIN,
                z_m: [0.0, 2.0 * ball.radius_m],
                colour: Some(ball.colour),
                surface: None,
            };
            self.object(1, number as u32, NONE, ball.colour, ball.radius_m, [&primitive].into_iter());
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
            self.object(2, identity.number, team.unwrap_or(NONE), colour, radius_m, shapes);
        }
        self.shapes.clear();
        self.shapes.extend_from_slice(&self.local);
    }

    /// Moves an object, which is given by its place in the list.
    ///
    /// `heading` is sine and cosine of the pose's.
    pub fn moved(&mut self, object: usize, pose: Pose2, heading: (f64, f64), twist: Twist2) {
        let object = &mut self.objects[object];
        (object.pose, object.twist) = (pose, twist);
        let range = object.first_shape as usize..(object.first_shape + object.shape_count) as usize;
        for (shape, local) in self.shapes[range.clone()].iter_mut().zip(&self.local[range]) {
            place_at(shape, local, pose, heading);
        }
    }

    /// Puts an object, which is given by its place in the list, at a height.
    pub fn lifted(&mut self, object: usize, vertical: Vertical) {
        let object = &mut self.objects[object];
        if object.vertical == vertical {
            return;
        }
        object.vertical = vertical;
        let range = object.first_shape as usize..(object.first_shape + object.shape_count) as usize;
        for (shape, local) in self.shapes[range.clone()].iter_mut().zip(&self.local[range]) {
            (shape.z_bottom_m, shape.z_top_m) =
                (local.z_bottom_m + vertical.z_m, local.z_top_m + vertical.z_m);
        }
    }

    /// Where the balls are in the plane, and how high, metres.
    pub fn ball_places(&self, balls: usize) -> impl Iterator<Item = ([f64; 2], f64)> + Clone {
        self.objects[1..1 + balls].iter().map(|ball| ([ball.pose.x_m, ball.pose.y_m], ball.vertical.z_m))
    }

    fn object<'a>(
        &mut self,
        kind_code: u32,
        number: u32,
        team: u32,
        colour: u32,
        radius_m: f64,
        shapes: impl Iterator<Item = &'a Primitive>,
    ) {
        let local = Arc::make_mut(&mut self.local);
        let (object, first) = (self.objects.len() as u32, local.len());
        local.extend(shapes.map(|primitive| local_shape(primitive, object, colour)));
        self.objects.push(Object {
            pose: Pose2::ORIGIN,
            twist: Twist2::ZERO,
            radius_m,
            vertical: Vertical::FLOOR,
            kind_code,
            number,
            team,
            colour,
            first_shape: first as u32,
            shape_count: (local.len() - first) as u32,
        });
    }
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
