//! Robots as discs in `f64`, without the library: the physics of worlds that say `law = "discs"`. (W4)
//!
//! A robot's body is one disc, which meets fixtures, balls and other robots at their moments ([`super::impacts`]); its manipulators are
//! what they are, and meet balls. What is here is which disc a robot is.

use super::body::RobotBody;
use super::impacts::Meetings;
use super::journey::Inertia;
use super::shape::{Vec2, norm, sub};
use super::{Owner, Passage};
use crate::scenario::{ContactRule, Outline, PhysicsLaw, Primitive, RobotSpec, Surface};
use touchline_plugin_api::geometry::Pose2;

/// The law's settings; its bodies' state is the robots' own.
#[derive(Clone, Copy, Debug)]
pub struct Discs {
    pub contact: ContactRule,
}

/// The disc that a robot's body is in a world of discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyDisc {
    /// Its middle in the robot's frame, metres.
    pub centre: [f64; 2],
    /// Radius of the disc, metres.
    pub radius_m: f64,
    /// Whether the body is that disc: one of its shapes is, and holds the others. If not, it is a circle around them.
    pub is_exact: bool,
    /// How high it reaches above the floor, metres.
    height_m: f64,
    surface: Option<Surface>,
}

/// A robot that the law of its world does not carry.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "its body is no disc, and the law of this world is \"discs\"; with bounding_circles = true in [physics] it is the circle around it, of {radius_m:.3} m"
)]
pub struct NoDisc {
    /// Of the circle around its body, metres.
    pub radius_m: f64,
}

impl PhysicsLaw {
    /// Whether a robot can be in a world of this law.
    ///
    /// # Errors
    /// The circle that it could be instead.
    pub fn check(self, spec: &RobotSpec) -> Result<(), NoDisc> {
        let Self::Discs { bounding_circles: false, .. } = self else { return Ok(()) };
        let BodyDisc { is_exact, radius_m, .. } = BodyDisc::of(spec);
        if is_exact { Ok(()) } else { Err(NoDisc { radius_m }) }
    }
}

impl BodyDisc {
    /// The circle among a robot's shapes that holds all of them, or one around their middle.
    pub fn of(spec: &RobotSpec) -> Self {
        let reach_m = |centre: Vec2| spec.body.iter().map(|part| reach_m(part, centre)).fold(0.0, f64::max);
        let height_m = crate::reach::height_m(spec);
        let circles = spec.body.iter().filter_map(|part| match part.outline {
            Outline::Ellipse { length_m, width_m } if length_m == width_m => {
                let centre = [part.pose.x_m, part.pose.y_m];
                Some(Self {
                    centre,
                    radius_m: length_m / 2.0,
                    is_exact: true,
                    height_m,
                    surface: part.surface,
                })
            }
            _ => None,
        });
        let mut holding = circles.filter(|disc| reach_m(disc.centre) <= disc.radius_m + 1e-9);
        holding.next().unwrap_or_else(|| {
            let centre = middle(&spec.body);
            let surface = spec.body.first().and_then(|part| part.surface);
            Self { centre, radius_m: reach_m(centre), is_exact: false, height_m, surface }
        })
    }

    fn primitive(&self) -> Primitive {
        Primitive {
            outline: Outline::circle(self.radius_m),
            pose: Pose2::new(self.centre[0], self.centre[1], 0.0),
            z_m: [0.0, self.height_m],
            colour: None,
            surface: self.surface,
        }
    }
}

/// The middle of a box around a body's shapes.
fn middle(body: &[Primitive]) -> Vec2 {
    let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for part in body {
        for [x, y] in corners(part) {
            bounds[0] = [bounds[0][0].min(x), bounds[0][1].min(y)];
            bounds[1] = [bounds[1][0].max(x), bounds[1][1].max(y)];
        }
    }
    let [low, high] = bounds;
    [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0]
}

/// Of an ellipse those of the box around it.
fn corners(part: &Primitive) -> Vec<Vec2> {
    let corners = match part.outline {
        Outline::Rectangle { length_m, width_m } | Outline::Ellipse { length_m, width_m } => {
            let (x, y) = (length_m / 2.0, width_m / 2.0);
            vec![[x, y], [x, -y], [-x, y], [-x, -y]]
        }
        Outline::Triangle { corners } => corners.to_vec(),
    };
    corners.into_iter().map(|corner| part.pose.point_to_outer(corner)).collect()
}

/// How far a shape reaches from a point in the robot's frame, metres; of an ellipse a little more than that.
fn reach_m(part: &Primitive, from: Vec2) -> f64 {
    match part.outline {
        Outline::Ellipse { length_m, width_m } => {
            norm(sub([part.pose.x_m, part.pose.y_m], from)) + length_m.max(width_m) / 2.0
        }
        _ => corners(part).into_iter().map(|corner| norm(sub(corner, from))).fold(0.0, f64::max),
    }
}

impl Discs {
    pub fn meetings(self) -> Meetings {
        match self.contact {
            ContactRule::Impulse => Meetings::OfAll,
            ContactRule::SoccerServer => Meetings::WithFixtures,
            ContactRule::None => Meetings::OnlyWithFixtures,
        }
    }

    /// A robot at rest: a disc with its mass spread evenly, and its manipulators.
    pub fn robot(number: u32, spec: &RobotSpec, world: Surface, pose: Pose2) -> RobotBody {
        let disc = BodyDisc::of(spec);
        let per_mass = 1.0 / spec.mass_kg;
        let per_moment = 2.0 * per_mass / (disc.radius_m * disc.radius_m);
        let mut robot = RobotBody::new(number, spec, &[disc.primitive()], world, pose);
        robot.inertia = Inertia { per_mass, per_moment, centre: disc.centre };
        robot.disc_radius_m = disc.radius_m;
        robot
    }

    /// Finds who touches whom of those that answer to each other: a robot and a robot or a fixture, the robot first.
    pub fn find_near(self, touching: &[(Owner, Owner)], pairs: &mut Vec<[Owner; 2]>) {
        let answers = |&(one, other): &(Owner, Owner)| match (one, other) {
            (Owner::Robot(_), Owner::Robot(_)) => self.meetings().are_mutual(),
            (Owner::Fixture(_), Owner::Robot(_)) => true,
            _ => false,
        };
        pairs.extend(touching.iter().filter(|pair| answers(pair)).map(|&(one, other)| [other, one]));
    }

    /// How the robots go if nothing hinders them; all else happens in [`super::impacts`].
    pub fn carry(robots: &[RobotBody], passages: &mut Vec<Passage>, dt_secs: f64) {
        passages.clear();
        passages.extend(robots.iter().map(|robot| robot.passage(dt_secs)));
    }
}

/// What stays of a robot's motion when nothing pushes it, for benchmarks.
pub fn coast(robot: &mut RobotBody, dt_secs: f64) {
    let course = super::Course { twist: robot.twist, end: robot.twist };
    robot.drive(course, dt_secs, 0.0, 0.0);
}
