//! A world made by hand.

use touchline_plugin_api::container::Mount;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::grid::{Cells, FEW, Grid};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::sensor::SensorInput;
use touchline_plugin_api::view::{NONE, Object, ObjectKind, Role, Shape, ShapeKind, WorldView};

/// A few objects that stand where they were put.
///
/// Object 0 is the fixtures, then come the balls, then the robots, each in the order in which they were added.
///
/// ```
/// use touchline_plugin_api::geometry::Pose2;
/// use touchline_plugin_testing::FakeWorld;
///
/// let world = FakeWorld::f2000().ball([1.0, 0.5], [0.0, 0.0]).robot(Pose2::new(-2.0, 0.0, 0.0), 0);
/// assert_eq!(world.view().objects.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct FakeWorld {
    /// The step that the view tells.
    pub step: u64,
    /// The time that the view tells, seconds.
    pub time_secs: f64,
    fixtures: Vec<Shape>,
    balls: Vec<(Object, Vec<Shape>)>,
    robots: Vec<(Object, Vec<Shape>)>,
    objects: Vec<Object>,
    shapes: Vec<Shape>,
    /// As the server lays it for a world of many.
    cells: Option<Cells>,
}

impl Default for FakeWorld {
    fn default() -> Self {
        let (fixtures, balls, robots) = (Vec::new(), Vec::new(), Vec::new());
        let world = Self {
            step: 0,
            time_secs: 0.0,
            fixtures,
            balls,
            robots,
            objects: Vec::new(),
            shapes: Vec::new(),
            cells: None,
        };
        world.gathered()
    }
}

impl FakeWorld {
    /// An empty plane without fixtures, balls or robots.
    pub fn new() -> Self {
        Self::default()
    }

    /// A field like the league's: 10 x 5 m, a wall of 0.5 m height 0.5 m outside of the lines, goals of 2 m (team 0
    /// at x = -5 m, team 1 at x = +5 m), four corner posts and four goal posts, lines.
    pub fn f2000() -> Self {
        let mut world = Self::new();
        for side in [-1.0, 1.0] {
            world = world
                .wall([side * 6.05, 0.0], [0.1, 6.2])
                .wall([0.0, side * 3.05], [12.0, 0.1])
                .goal(u32::from(side > 0.0), Pose2::new(side * 5.25, 0.0, 0.0), [0.5, 2.0])
                .wall([side * 5.55, 0.0], [0.1, 2.2])
                .line([side * 5.0, 0.0], [0.05, 5.0])
                .line([0.0, side * 2.5], [10.0, 0.05]);
            for end in [-1.0, 1.0] {
                world = world
                    .wall([side * 5.25, end * 1.05], [0.5, 0.1])
                    .post([side * 5.0, end * 2.5], 0.1)
                    .post([side * 5.0, end * 1.05], 0.05);
            }
        }
        world.line([0.0, 0.0], [0.05, 5.0])
    }

    /// Adds any shape to the fixtures.
    pub fn fixture(mut self, shape: Shape) -> Self {
        self.fixtures.push(Shape { object: 0, ..shape });
        self.gathered()
    }

    /// Adds a solid wall along the world's axes: centre and extents along x and y, metres; 0.5 m high.
    pub fn wall(self, [x, y]: [f64; 2], size_m: [f64; 2]) -> Self {
        self.fixture(Shape {
            role_code: Role::Wall.code(),
            ..outline(ShapeKind::Rectangle, Pose2::new(x, y, 0.0), size_m, 0.5)
        })
    }

    /// Adds a line on the floor along the world's axes.
    pub fn line(self, [x, y]: [f64; 2], size_m: [f64; 2]) -> Self {
        self.fixture(Shape {
            role_code: Role::Line.code(),
            solid: 0,
            ..outline(ShapeKind::Rectangle, Pose2::new(x, y, 0.0), size_m, 0.0)
        })
    }

    /// Adds a goal: the area behind the goal line.
    pub fn goal(self, team: u32, pose: Pose2, size_m: [f64; 2]) -> Self {
        self.fixture(Shape {
            role_code: Role::Goal.code(),
            team,
            solid: 0,
            ..outline(ShapeKind::Rectangle, pose, size_m, 1.0)
        })
    }

    /// Adds a solid round post, 1 m high.
    pub fn post(self, [x, y]: [f64; 2], radius_m: f64) -> Self {
        self.fixture(Shape {
            role_code: Role::Pole.code(),
            ..outline(ShapeKind::Ellipse, Pose2::new(x, y, 0.0), [2.0 * radius_m; 2], 1.0)
        })
    }

    /// Adds a ball of the league: radius 0.11 m. Velocity in m/s.
    pub fn ball(mut self, [x, y]: [f64; 2], velocity: [f64; 2]) -> Self {
        let pose = Pose2::new(x, y, 0.0);
        let shape = outline(ShapeKind::Ellipse, pose, [0.22; 2], 0.22);
        let number = self.balls.len() as u32;
        let twist = Twist2::new(velocity[0], velocity[1], 0.0);
        self.balls.push((object(ObjectKind::Ball, number, pose, twist, 0.11), vec![shape]));
        self.gathered()
    }

    /// The same ball in the air.
    pub fn flying_ball(self, position: [f64; 2], velocity: [f64; 2], vertical: Vertical) -> Self {
        let mut world = self.ball(position, velocity);
        if let Some((ball, shapes)) = world.balls.last_mut() {
            ball.vertical = vertical;
            for shape in shapes {
                shape.z_bottom_m += vertical.z_m;
                shape.z_top_m += vertical.z_m;
            }
        }
        world.gathered()
    }

    /// Adds a robot at rest: a disc of 0.25 m radius with two fingers in front, 0.5 m high. `team` may be [`NONE`].
    pub fn robot(self, pose: Pose2, team: u32) -> Self {
        self.moving_robot(pose, Twist2::ZERO, team)
    }

    /// Adds a robot that moves; the velocity is in the world frame.
    pub fn moving_robot(mut self, pose: Pose2, twist: Twist2, team: u32) -> Self {
        let number = self.robots.len() as u32;
        let finger =
            |y: f64| outline(ShapeKind::Rectangle, pose.compose(Pose2::new(0.27, y, 0.0)), [0.12, 0.04], 0.1);
        let body = outline(ShapeKind::Ellipse, pose, [0.5; 2], 0.5);
        let mates = self.robots.iter().filter(|(other, _)| other.team == team).count() as u32;
        let shirt = mates + 1;
        let robot = Object { team, shirt, ..object(ObjectKind::Robot, number, pose, twist, 0.37) };
        self.robots.push((robot, vec![body, finger(0.12), finger(-0.12)]));
        self.gathered()
    }

    /// Gives the robot that was added last another number on its shirt than that of the order in its team.
    pub fn wearing(mut self, shirt: u32) -> Self {
        if let Some((robot, _)) = self.robots.last_mut() {
            robot.shirt = shirt;
        }
        self.gathered()
    }

    /// Tells another step and time.
    pub fn at(self, step: u64, time_secs: f64) -> Self {
        Self { step, time_secs, ..self }
    }

    /// The world as sensors and players see it: with a grid, if there are many.
    pub fn view(&self) -> WorldView<'_> {
        let grid = self.cells.as_ref().map_or(Grid::NONE, Cells::grid);
        WorldView { grid, ..WorldView::new(self.step, self.time_secs, &self.objects, &self.shapes) }
    }

    /// What the fixtures are called, in the order of their shapes in the view: each by its role and its number among those of this role.
    pub fn fixture_names(&self) -> Vec<String> {
        let name = |(place, shape): (usize, &Shape)| {
            let role = Role::ALL.into_iter().find(|&role| shape.has_role(role)).unwrap_or_default();
            let number = self.fixtures[..=place].iter().filter(|other| other.has_role(role)).count();
            format!("{}-{number}", role.noun())
        };
        self.fixtures.iter().enumerate().map(name).collect()
    }

    /// The index of a robot's object: robots are numbered in the order in which they were added.
    ///
    /// # Panics
    /// If there is no such robot.
    pub fn robot_object(&self, robot: u32) -> u32 {
        assert!((robot as usize) < self.robots.len(), "no robot {robot}");
        1 + self.balls.len() as u32 + robot
    }

    /// What a sensor of this robot is told at this step. The noise stream is named by the robot and the step.
    ///
    /// # Panics
    /// If there is no such robot.
    pub fn sensor_input(&self, robot: u32, mount: Mount) -> SensorInput<'_> {
        let robot_object = self.robot_object(robot);
        let Object { pose, twist, .. } = self.objects[robot_object as usize];
        let (sin, cos) = sin_cos(pose.theta_rad);
        let own = Twist2::new(
            cos * twist.x_m_s + sin * twist.y_m_s,
            cos * twist.y_m_s - sin * twist.x_m_s,
            twist.turn_rad_s,
        );
        SensorInput {
            view: self.view(),
            robot,
            robot_object,
            robot_pose: pose,
            robot_twist: own,
            sensor_pose: pose.compose(mount.pose()),
            sensor_z_m: mount.z_m,
            motion_data: &[],
            data: &[],
            noise: NoiseKey::for_owner(1, &format!("robot-{robot}/sensor")).at_step(self.step),
        }
    }

    /// Lays all objects out as the view wants them.
    fn gathered(mut self) -> Self {
        let fixtures = Object {
            radius_m: f64::INFINITY,
            ..object(ObjectKind::Fixtures, NONE, Pose2::ORIGIN, Twist2::ZERO, 0.0)
        };
        self.objects.clear();
        self.shapes.clear();
        self.fixtures.sort_by_key(Shape::fixture_order);
        let all = std::iter::once((&fixtures, &self.fixtures))
            .chain(self.balls.iter().chain(&self.robots).map(|(object, shapes)| (object, shapes)));
        for (object, shapes) in all {
            let index = self.objects.len() as u32;
            self.objects.push(Object {
                first_shape: self.shapes.len() as u32,
                shape_count: shapes.len() as u32,
                ..*object
            });
            self.shapes.extend(shapes.iter().map(|shape| Shape { object: index, ..*shape }));
        }
        if self.objects.len() > FEW {
            let mut cells = self.cells.take().unwrap_or_default();
            self.cells = cells.lay_objects(&self.objects).then_some(cells);
        }
        self
    }
}

fn object(kind: ObjectKind, number: u32, pose: Pose2, twist: Twist2, radius_m: f64) -> Object {
    let kind_code = match kind {
        ObjectKind::Fixtures => 0,
        ObjectKind::Ball => 1,
        ObjectKind::Robot => 2,
    };
    Object {
        pose,
        twist,
        radius_m,
        vertical: Vertical::FLOOR,
        kind_code,
        number,
        team: NONE,
        colour: 0x80_80_80,
        first_shape: 0,
        shape_count: 0,
        shirt: NONE,
        reserved: 0,
    }
}

/// A solid rectangle or ellipse that stands on the floor: a shape for [`FakeWorld::fixture`].
pub fn outline(kind: ShapeKind, pose: Pose2, [length_m, width_m]: [f64; 2], height_m: f64) -> Shape {
    let (sin, cos) = sin_cos(pose.theta_rad);
    let (half_x_m, half_y_m) = (length_m / 2.0, width_m / 2.0);
    let is_ellipse = kind == ShapeKind::Ellipse;
    Shape {
        x_m: pose.x_m,
        y_m: pose.y_m,
        cos,
        sin,
        half_x_m,
        half_y_m,
        corner_b: [0.0; 2],
        corner_c: [0.0; 2],
        z_bottom_m: 0.0,
        z_top_m: height_m,
        radius_m: if is_ellipse { half_x_m.max(half_y_m) } else { libm::hypot(half_x_m, half_y_m) },
        kind_code: u32::from(is_ellipse),
        role_code: Role::None.code(),
        object: 0,
        team: NONE,
        colour: 0x80_80_80,
        solid: 1,
    }
}
