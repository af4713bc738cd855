//! The world as a plugin sees it: every object's pose, velocity, colour and shape, absolute. (P3)
//!
//! Objects and shapes are plain records, so that the view crosses the plugin border as it is. A shape's numbers
//! are already in the world frame; rays over them are cast by `touchline-kit`.

use crate::flight::Vertical;
use crate::geometry::{Pose2, Twist2};
use crate::grid::Grid;
use bytemuck::{Pod, Zeroable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An index that means "none".
pub const NONE: u32 = u32::MAX;

/// Kind of an object of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectKind {
    /// Does not move: walls, goals, poles, field lines. All of the world's fixtures are one object, the first.
    Fixtures = 0,
    /// A ball.
    Ball = 1,
    /// A robot.
    Robot = 2,
}

/// One object of the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct Object {
    /// Its place in the world.
    pub pose: Pose2,
    /// Its velocity in the world frame.
    pub twist: Twist2,
    /// No point of the object is farther from its origin than this, metres (infinite for the fixtures).
    pub radius_m: f64,
    /// How high its lowest point is and how fast it rises: zeros for all but a ball that flies. Its shapes' heights follow.
    pub vertical: Vertical,
    /// 0 fixtures, 1 ball, 2 robot: [`Object::kind`].
    pub kind_code: u32,
    /// A robot's or ball's number, unique among its kind and never used again in a run; [`NONE`] for the fixtures.
    pub number: u32,
    /// A robot's team: index into the world's teams, or [`NONE`].
    pub team: u32,
    /// `0xRRGGBB`.
    pub colour: u32,
    /// Its first shape: index into [`WorldView::shapes`].
    pub first_shape: u32,
    /// How many shapes it has.
    pub shape_count: u32,
    /// The number that a robot's name ends with, such as 3 of `blue-3`, as others read it on its shirt; [`NONE`] if it ends with none. It stays
    /// when others go.
    pub shirt: u32,
    /// Padding; zero.
    pub reserved: u32,
}

impl Object {
    /// The kind that `kind_code` stands for.
    pub fn kind(&self) -> ObjectKind {
        match self.kind_code {
            0 => ObjectKind::Fixtures,
            1 => ObjectKind::Ball,
            _ => ObjectKind::Robot,
        }
    }
}

/// What a shape is to a robot that looks for landmarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Part of something else.
    #[default]
    None = 0,
    /// Bounds the world.
    Wall = 1,
    /// A goal: the area behind the goal line.
    Goal = 2,
    /// A corner post or a goal post.
    Pole = 3,
    /// Painted on the floor.
    Line = 4,
    /// Any other landmark.
    Marker = 5,
    /// Painted on the floor, filled: a penalty spot, a centre mark, an area that a rule speaks of.
    Area = 6,
}

impl Role {
    /// All roles, in the order of their codes.
    pub const ALL: [Self; 7] =
        [Self::None, Self::Wall, Self::Goal, Self::Pole, Self::Line, Self::Marker, Self::Area];

    /// What a fixture without a name is called by, with a number.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::None => "fixture",
            Self::Wall => "wall",
            Self::Goal => "goal",
            Self::Pole => "pole",
            Self::Line => "line",
            Self::Marker => "marker",
            Self::Area => "area",
        }
    }

    /// The place of a role, given by its code, in the order of fixtures: lines are painted over areas; otherwise that of the code.
    pub const fn layer(code: u32) -> u32 {
        if code == Self::Area.code() { 2 * Self::Line.code() - 1 } else { code.saturating_mul(2) }
    }

    /// The number that stands for it in a [`Shape`].
    pub const fn code(self) -> u32 {
        self as u32
    }
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeKind {
    /// Axes along the shape's own x and y.
    Rectangle = 0,
    /// Axes along the shape's own x and y; a circle if both are equal.
    Ellipse = 1,
    /// Triangle with three corners in the shape's frame.
    Triangle = 2,
}

/// One geometric primitive, in the world frame. [W1, W2]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, abi_stable::StableAbi)]
pub struct Shape {
    /// The centre of a rectangle or ellipse, the first corner of a triangle, metres.
    pub x_m: f64,
    /// As `x_m`.
    pub y_m: f64,
    /// The cosine of the shape's heading.
    pub cos: f64,
    /// The sine of the shape's heading.
    pub sin: f64,
    /// Half the extent along the shape's own x (rectangle, ellipse), metres.
    pub half_x_m: f64,
    /// Half the extent along the shape's own y (rectangle, ellipse), metres.
    pub half_y_m: f64,
    /// A triangle's second corner, world frame, metres.
    pub corner_b: [f64; 2],
    /// A triangle's third corner, world frame, metres.
    pub corner_c: [f64; 2],
    /// Lowest height, metres above the floor.
    pub z_bottom_m: f64,
    /// Highest height, metres above the floor.
    pub z_top_m: f64,
    /// No point is farther from `(x_m, y_m)` than this, metres.
    pub radius_m: f64,
    /// 0 rectangle, 1 ellipse, 2 triangle: [`Shape::kind`].
    pub kind_code: u32,
    /// [`Role::code`].
    pub role_code: u32,
    /// The object that it is part of: index into [`WorldView::objects`].
    pub object: u32,
    /// A goal's owner: index into the world's teams, or [`NONE`].
    pub team: u32,
    /// `0xRRGGBB`.
    pub colour: u32,
    /// 1 if bodies and rays meet it, 0 if it is only seen (lines, areas).
    pub solid: u32,
}

impl Shape {
    /// The kind of its outline.
    pub fn kind(&self) -> ShapeKind {
        match self.kind_code {
            0 => ShapeKind::Rectangle,
            1 => ShapeKind::Ellipse,
            _ => ShapeKind::Triangle,
        }
    }

    /// The key by which fixtures are sorted, so that sensors find landmarks before they come to the lines of a field: first what
    /// is solid, then the rest, each by its role.
    #[inline]
    pub fn fixture_order(&self) -> (bool, u32) {
        (self.solid == 0, Role::layer(self.role_code))
    }

    /// Whether it plays this role.
    pub fn has_role(&self, role: Role) -> bool {
        self.role_code == role.code()
    }

    /// A rectangle's corners, counter-clockwise, world frame, metres.
    pub fn rectangle_corners(&self) -> [[f64; 2]; 4] {
        [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(sx, sy)| {
            let (x, y) = (sx * self.half_x_m, sy * self.half_y_m);
            [self.x_m + self.cos * x - self.sin * y, self.y_m + self.sin * x + self.cos * y]
        })
    }

    /// Whether a point of the floor lies in the shape; the edge is inside.
    pub fn contains(&self, [px, py]: [f64; 2]) -> bool {
        let (dx, dy) = (px - self.x_m, py - self.y_m);
        let (x, y) = (self.cos * dx + self.sin * dy, self.cos * dy - self.sin * dx);
        match self.kind() {
            ShapeKind::Rectangle => x.abs() <= self.half_x_m && y.abs() <= self.half_y_m,
            ShapeKind::Ellipse => {
                let (u, v) = (x / self.half_x_m, y / self.half_y_m);
                u * u + v * v <= 1.0
            }
            ShapeKind::Triangle => {
                let corners = [[self.x_m, self.y_m], self.corner_b, self.corner_c];
                let side =
                    |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
                let sides = [0, 1, 2].map(|i| side(corners[i], corners[(i + 1) % 3]));
                sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
            }
        }
    }
}

/// All that is true of the world at one step.
#[derive(Clone, Copy, Debug)]
pub struct WorldView<'a> {
    /// How many steps were made.
    pub step: u64,
    /// Simulated time, seconds.
    pub time_secs: f64,
    /// The fixtures, then balls, then robots, each in the order of their numbers.
    pub objects: &'a [Object],
    /// The shapes of all objects, grouped by object; an object's solid shapes come before its others, and the fixtures'
    /// are sorted by [`Shape::fixture_order`].
    pub shapes: &'a [Shape],
    /// The objects that move by where they are, for sensors and robots' players of a world of many; [`WorldView::near`] asks it.
    pub grid: Grid<'a>,
}

impl<'a> WorldView<'a> {
    /// A view without a grid, such as of a small world.
    pub const fn new(step: u64, time_secs: f64, objects: &'a [Object], shapes: &'a [Shape]) -> Self {
        Self { step, time_secs, objects, shapes, grid: Grid::NONE }
    }

    /// The same step and time, and nothing to see.
    pub const fn hidden(self) -> Self {
        Self::new(self.step, self.time_secs, &[], &[])
    }

    /// Indices of the objects that a disc around a point may touch, and of some others, each once: the fixtures first, the others in no
    /// order that means anything. In a large world these are few of all.
    ///
    /// `reach_m` may be infinite.
    pub fn near(&self, point: [f64; 2], reach_m: f64) -> impl Iterator<Item = u32> + use<'a> {
        let (first, rows) = self.grid.near(point, reach_m).unzip();
        (0..first.unwrap_or(self.objects.len() as u32)).chain(rows.into_iter().flatten().flatten().copied())
    }

    /// All balls, in the order of the objects.
    pub fn balls(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        self.objects.iter().filter(|object| object.kind() == ObjectKind::Ball)
    }

    /// All robots, in the order of the objects.
    pub fn robots(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        self.objects.iter().filter(|object| object.kind() == ObjectKind::Robot)
    }

    /// The robot of this number, if it is still there.
    pub fn robot(&self, number: u32) -> Option<&'a Object> {
        self.robots().find(|robot| robot.number == number)
    }

    /// Shapes of an object, in the world frame.
    pub fn shapes_of(&self, object: &Object) -> &'a [Shape] {
        let first = object.first_shape as usize;
        self.shapes.get(first..first + object.shape_count as usize).unwrap_or(&[])
    }

    /// The fixtures' shapes, the first ones of all; the place of one is that of its name in
    /// [`WorldDescription::fixtures`](crate::world::WorldDescription::fixtures).
    pub fn fixtures(&self) -> &'a [Shape] {
        let fixtures = self.objects.iter().find(|object| object.kind() == ObjectKind::Fixtures);
        fixtures.map_or(&[][..], |object| self.shapes_of(object))
    }

    /// The fixtures' shapes of this role: solid ones, then the others, each in the order of the world file.
    pub fn landmarks(&self, role: Role) -> impl Iterator<Item = &'a Shape> + use<'a> {
        self.numbered_landmarks(role).map(|(_, shape)| shape)
    }

    /// The same, each with its place among the fixtures, and so among their names.
    pub fn numbered_landmarks(&self, role: Role) -> impl Iterator<Item = (u32, &'a Shape)> + use<'a> {
        // A search by halves is slower: its branches cannot be foreseen.
        let last = Role::layer(role.code());
        let is_before_its_end = move |shape: &Shape| shape.solid != 0 || Role::layer(shape.role_code) <= last;
        let shapes = (0..).zip(self.fixtures()).take_while(move |(_, shape)| is_before_its_end(shape));
        shapes.filter(move |(_, shape)| shape.has_role(role))
    }
}
