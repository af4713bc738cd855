//! Fixtures: their shapes, and the names by which plugins are told of them. [W1, W2]

use super::Surface;
use crate::view::{View, order_of_view};
use serde::{Deserialize, Serialize};
use touchline_kit::visibility::GoalMouth;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::view::{NONE, Role};
use touchline_plugin_api::world::WorldDescription;

/// An outline, centred on its own frame. (W1)
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outline {
    /// Extents along its x and y, metres.
    Rectangle {
        /// Extent along x, metres.
        length_m: f64,
        /// Extent along y, metres.
        width_m: f64,
    },
    /// Extents along its x and y, metres; a circle if both are equal.
    Ellipse {
        /// Extent along x, metres.
        length_m: f64,
        /// Extent along y, metres.
        width_m: f64,
    },
    /// Three corners in the shape's frame, metres.
    Triangle {
        /// The corners, in either sense of rotation.
        corners: [[f64; 2]; 3],
    },
}

impl Outline {
    /// An ellipse with equal extents.
    pub fn circle(radius_m: f64) -> Self {
        Self::Ellipse { length_m: 2.0 * radius_m, width_m: 2.0 * radius_m }
    }

    /// How much of the floor it covers.
    pub(crate) fn area_m2(&self) -> f64 {
        match *self {
            Self::Rectangle { length_m, width_m } => length_m * width_m,
            Self::Ellipse { length_m, width_m } => std::f64::consts::PI * length_m * width_m / 4.0,
            Self::Triangle { corners: [a, b, c] } => {
                ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / 2.0
            }
        }
    }

    /// Its least extent, metres.
    pub(crate) fn thickness_m(&self) -> f64 {
        match *self {
            Self::Rectangle { length_m, width_m } | Self::Ellipse { length_m, width_m } => {
                length_m.min(width_m)
            }
            Self::Triangle { corners: [a, b, c] } => {
                let side = |from: [f64; 2], to: [f64; 2]| libm::hypot(to[0] - from[0], to[1] - from[1]);
                2.0 * self.area_m2() / side(a, b).max(side(b, c)).max(side(c, a))
            }
        }
    }
}

/// One geometric primitive with its place, height and looks. [W1, W2]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Primitive {
    /// Outline in the primitive's own frame.
    pub outline: Outline,
    /// Its place in the frame of what it is part of.
    pub pose: Pose2,
    /// Lowest and highest height above the floor, metres.
    pub z_m: [f64; 2],
    /// `0xRRGGBB`; `None` takes the colour of what it is part of.
    pub colour: Option<u32>,
    /// Its own surface; `None` takes the world's.
    pub surface: Option<Surface>,
}

/// A primitive that belongs to the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fixture {
    /// What the world file calls it; [`fixture_names`] has a name for those that it does not call anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Shape, pose in the world frame, height and colour.
    pub primitive: Primitive,
    /// What it is to a robot that looks for landmarks.
    pub role: Role,
    /// Whether bodies and rays meet it.
    pub solid: bool,
    /// A goal's owner: index into the teams.
    pub team: Option<u32>,
}
/// The name of each fixture, in the order of the world file: the one that it has there, or its role and its number among those of this
/// role, such as `pole-2`.
pub fn fixture_names(fixtures: &[Fixture]) -> Vec<String> {
    let mut counts = [0_u32; Role::ALL.len()];
    let name = |fixture: &Fixture| {
        let count = &mut counts[fixture.role.code() as usize];
        *count += 1;
        fixture.name.clone().unwrap_or_else(|| format!("{}-{count}", fixture.role.noun()))
    };
    fixtures.iter().map(name).collect()
}

/// The same names in the order of the view, as plugins are told them.
pub fn fixture_names_of_view(fixtures: &[Fixture]) -> Vec<String> {
    let mut names = fixture_names(fixtures);
    order_of_view(fixtures).into_iter().map(|place| std::mem::take(&mut names[place])).collect()
}

/// A description of the fixtures and the goals among them, and of nothing else.
pub fn of_fixtures(fixtures: &[Fixture]) -> WorldDescription {
    let view = View::of_fixtures(fixtures);
    let view = view.world(0, 0.0);
    let goals = || view.landmarks(Role::Goal);
    WorldDescription {
        fixtures: fixture_names_of_view(fixtures),
        goals: goals().map(|goal| GoalMouth::of(goal).posts).collect(),
        goal_teams: goals().map(|goal| (goal.team != NONE).then_some(goal.team)).collect(),
        ..WorldDescription::default()
    }
}
