//! Where bodies are and how they go through one step, in `f64`. (R2, W4)
//!
//! A robot goes through a step with a twist that is constant in its own frame, which is an arc; what pushes it changes the
//! twist from that moment on.

use super::shape::{Solid, Vec2, add, cross, dot, left_of, norm, scale, sub, turned, turned_back};
use crate::scenario::{Primitive, RobotSpec, Surface};
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};

/// A pose with sine and cosine of its heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub pose: Pose2,
    pub heading: (f64, f64),
}

impl Place {
    /// Origin of the world frame.
    pub const WORLD: Self = Self { pose: Pose2::new(0.0, 0.0, 0.0), heading: (0.0, 1.0) };

    pub fn new(pose: Pose2) -> Self {
        let pose = Pose2 { theta_rad: wrap_angle(pose.theta_rad), ..pose };
        Self { pose, heading: sin_cos(pose.theta_rad) }
    }

    pub fn origin(&self) -> Vec2 {
        [self.pose.x_m, self.pose.y_m]
    }

    pub fn to_outer(self, point: Vec2) -> Vec2 {
        add(self.origin(), turned(self.heading, point))
    }

    pub fn to_inner(self, point: Vec2) -> Vec2 {
        turned_back(self.heading, sub(point, self.origin()))
    }

    /// This place in the frame of another one.
    pub fn seen_from(&self, other: &Self) -> Self {
        let [cos, sin] = turned_back(other.heading, [self.heading.1, self.heading.0]);
        let [x_m, y_m] = other.to_inner(self.origin());
        let theta_rad = wrap_angle(self.pose.theta_rad - other.pose.theta_rad);
        Self { pose: Pose2::new(x_m, y_m, theta_rad), heading: (sin, cos) }
    }

    /// Where this displacement leads to, which is given in the place's own frame.
    pub fn displaced(&self, displacement: Pose2) -> Self {
        self.displaced_and_turned(displacement, sin_cos(displacement.theta_rad))
    }

    /// The same, for who knows sine and cosine of the turn.
    fn displaced_and_turned(&self, displacement: Pose2, turn: (f64, f64)) -> Self {
        let [x_m, y_m] = self.to_outer([displacement.x_m, displacement.y_m]);
        let theta_rad = wrap_angle(self.pose.theta_rad + displacement.theta_rad);
        let [cos, sin] = turned(turn, [self.heading.1, self.heading.0]);
        // One of Newton's steps towards a vector of length 1.
        let length = (3.0 - (cos * cos + sin * sin)) / 2.0;
        Self { pose: Pose2::new(x_m, y_m, theta_rad), heading: (sin * length, cos * length) }
    }

    pub fn advanced(&self, twist: Twist2, secs: f64) -> Self {
        self.displaced(twist.displacement(secs))
    }
}

/// What a robot is made of, as a ball meets it.
#[derive(Debug)]
struct Outlines {
    body: Vec<Solid>,
    /// Of each state of each manipulator.
    manipulators: Vec<Vec<Vec<Solid>>>,
}

/// What a body sets against a push.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inertia {
    /// 1 / kg; 0 does not move.
    pub per_mass: f64,
    /// 1 / (kg m^2); 0 does not turn.
    pub per_moment: f64,
    /// The centre of mass in the body's frame, metres.
    pub centre: Vec2,
}

/// A robot in the physics.
#[derive(Clone, Debug)]
pub struct RobotBody {
    pub number: u32,
    pub place: Place,
    /// The velocity at this moment, in the body frame.
    pub twist: Twist2,
    pub inertia: Inertia,
    /// In a world of discs: of the disc around the centre of mass that meets fixtures and other robots, metres.
    pub disc_radius_m: f64,
    /// Of a circle around the origin that holds all outlines, metres.
    pub radius_m: f64,
    /// From where to where its body reaches: from the floor on, as it stands there, metres.
    pub z_m: [f64; 2],
    outlines: Arc<Outlines>,
    /// The state of each manipulator.
    pub states: Vec<usize>,
    /// What is planned of the next step.
    plan: Plan,
}

/// A course, with sine and cosine of its turn.
#[derive(Clone, Copy, Debug)]
struct Plan {
    course: Course,
    turn: (f64, f64),
}

impl Plan {
    fn new(course: Course, dt_secs: f64) -> Self {
        Self { course, turn: sin_cos_of_turn(course.twist.turn_rad_s * dt_secs) }
    }
}

/// Sine and cosine of the turn of a step, by their series where it is small, as nearly all are.
fn sin_cos_of_turn(turn_rad: f64) -> (f64, f64) {
    if turn_rad.abs() > 0.1 {
        return sin_cos(turn_rad);
    }
    let t = turn_rad * turn_rad;
    let sin = (1.0 - t / 6.0) + t * t * ((1.0 / 120.0 - t / 5_040.0) + t * t / 362_880.0);
    let cos = (1.0 - t / 2.0) + t * t * ((1.0 / 24.0 - t / 720.0) + t * t / 40_320.0);
    (turn_rad * sin, cos)
}

/// How a robot goes through a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// Constant over the step, in the body frame.
    pub twist: Twist2,
    /// The velocity at the end, in the body frame there.
    pub end: Twist2,
}

impl RobotBody {
    /// A robot at rest, without inertia, whose body are these shapes.
    pub fn new(number: u32, spec: &RobotSpec, body: &[Primitive], world: Surface, pose: Pose2) -> Self {
        let solid = |primitive: &Primitive| Solid::new(primitive, primitive.surface.unwrap_or(world));
        let states = |manipulator: &crate::scenario::ManipulatorSpec| {
            manipulator.states.iter().map(|state| state.shapes.iter().map(solid).collect()).collect()
        };
        Self {
            number,
            place: Place::new(pose),
            twist: Twist2::ZERO,
            inertia: Inertia::default(),
            disc_radius_m: 0.0,
            radius_m: crate::reach::radius_m(spec),
            z_m: [0.0, crate::reach::height_m(spec)],
            outlines: Arc::new(Outlines {
                body: body.iter().map(solid).collect(),
                manipulators: spec.manipulators.iter().map(states).collect(),
            }),
            states: vec![0; spec.manipulators.len()],
            plan: Plan::new(Course::default(), 0.0),
        }
    }

    /// What a ball can meet of it now, in the body frame.
    pub fn solids(&self) -> impl Iterator<Item = &Solid> {
        let parts = self.outlines.manipulators.iter().zip(&self.states);
        self.outlines.body.iter().chain(parts.flat_map(|(states, &state)| &states[state]))
    }

    /// How many of the shapes are the body's: the first.
    pub fn body_count(&self) -> usize {
        self.outlines.body.len()
    }

    /// Whether its world is one of discs.
    pub fn is_disc(&self) -> bool {
        self.disc_radius_m > 0.0
    }

    /// How far it reaches from its origin, as what it really is and as a disc, metres.
    pub fn reach_m(&self) -> f64 {
        self.radius_m.max(self.disc_radius_m + norm(self.inertia.centre))
    }

    /// What its body is made of where a disc meets others.
    pub fn surface(&self) -> Option<Surface> {
        self.outlines.body.first().map(|solid| solid.surface)
    }

    pub fn world_twist(&self) -> Twist2 {
        world_twist(&self.place, self.twist)
    }

    /// Plans the step: what is wanted, as far as the tyres can bring it to the ground.
    ///
    /// `most_m_s` and `most_rad_s` are the greatest changes of velocity and of rate of turn in the step.
    pub fn drive(&mut self, wanted: Course, dt_secs: f64, most_m_s: f64, most_rad_s: f64) {
        self.plan = Plan::new(wanted, dt_secs);
        let turn = self.plan.turn;
        let now = [self.twist.x_m_s, self.twist.y_m_s];
        let end = turned(turn, [wanted.end.x_m_s, wanted.end.y_m_s]);
        let change = sub(end, now);
        let (change_m_s, change_rad_s) = (dot(change, change), wanted.end.turn_rad_s - self.twist.turn_rad_s);
        if change_m_s <= most_m_s * most_m_s && change_rad_s.abs() <= most_rad_s {
            return;
        }
        let share = (most_m_s / change_m_s.sqrt()).min(1.0);
        let turn_share = (most_rad_s / change_rad_s.abs()).min(1.0);
        let towards = |now: f64, wanted: f64, share: f64| now + share * (wanted - now);
        let twist = Twist2 {
            x_m_s: towards(now[0], wanted.twist.x_m_s, share),
            y_m_s: towards(now[1], wanted.twist.y_m_s, share),
            turn_rad_s: towards(self.twist.turn_rad_s, wanted.twist.turn_rad_s, turn_share),
        };
        let end = turned_back(sin_cos(twist.turn_rad_s * dt_secs), add(now, scale(change, share)));
        let turn_rad_s = towards(self.twist.turn_rad_s, wanted.end.turn_rad_s, turn_share);
        let end = Twist2::new(end[0], end[1], turn_rad_s);
        self.plan = Plan::new(Course { twist, end }, dt_secs);
    }

    fn planned(&self) -> Journey {
        Journey::new(self.place, self.plan.course.twist)
    }

    /// How it goes through the step if nothing hinders it.
    pub fn passage(&self, dt_secs: f64) -> Passage {
        let Plan { course: Course { twist, end }, turn } = self.plan;
        let arrival = self.place.displaced_and_turned(twist.displacement(dt_secs), turn);
        Passage { start: self.place, twist, arrival, end }
    }

    /// The velocity that a point of the world would have as part of the robot at the beginning of the step, m/s.
    pub fn planned_velocity_at(&self, point: Vec2) -> Vec2 {
        self.planned().velocity_at(point)
    }

    /// Changes the plan by an impulse (world frame, newton seconds) at a point of the world.
    pub fn pull(&mut self, impulse: Vec2, point: Vec2, dt_secs: f64) {
        let mut journey = self.planned();
        let before = journey.twist;
        journey.push(&self.inertia, impulse, point);
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = self.plan.course.end;
        let course = Course {
            twist: journey.twist,
            end: Twist2::new(
                x_m_s + journey.twist.x_m_s - before.x_m_s,
                y_m_s + journey.twist.y_m_s - before.y_m_s,
                turn_rad_s + journey.twist.turn_rad_s - before.turn_rad_s,
            ),
        };
        self.plan = Plan::new(course, dt_secs);
    }
}

/// How a robot went through a step, but for what balls do to it.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// Where it began: at its place, or where it was put out of what it overlapped.
    pub start: Place,
    /// Constant over the step, in the body frame.
    pub twist: Twist2,
    pub arrival: Place,
    /// The velocity at the end, in the body frame there.
    pub end: Twist2,
}

impl Passage {
    /// How fast a point goes that is given in the body frame, m/s.
    pub fn speed_at(&self, point: Vec2) -> f64 {
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = self.twist;
        norm(add([x_m_s, y_m_s], scale(left_of(point), turn_rad_s)))
    }
}

fn world_twist(place: &Place, twist: Twist2) -> Twist2 {
    let [x, y] = turned(place.heading, [twist.x_m_s, twist.y_m_s]);
    Twist2::new(x, y, twist.turn_rad_s)
}

/// A robot under way within a step.
#[derive(Clone, Copy, Debug)]
pub struct Journey {
    /// Where it is at `since_secs`.
    pub place: Place,
    pub since_secs: f64,
    /// In the body frame; constant from then on, unless it skids.
    pub twist: Twist2,
    pub was_pushed: bool,
    /// The centre of mass in the body's frame, if it skids: then that goes straight, and the robot turns about it.
    skids_about: Option<Vec2>,
}

impl Journey {
    pub fn new(place: Place, twist: Twist2) -> Self {
        Self { place, since_secs: 0.0, twist, was_pushed: false, skids_about: None }
    }

    pub fn place_at(&self, secs: f64) -> Place {
        if secs == self.since_secs {
            self.place
        } else if let Some(centre) = self.skids_about {
            self.skidded(centre, secs - self.since_secs)
        } else {
            self.place.advanced(self.twist, secs - self.since_secs)
        }
    }

    fn skidded(&self, centre: Vec2, secs: f64) -> Place {
        let middle = self.place.to_outer(centre);
        let middle = add(middle, scale(self.velocity_at(middle), secs));
        let turned_only = self.place.displaced(Pose2::new(0.0, 0.0, self.twist.turn_rad_s * secs));
        let [x_m, y_m] = sub(middle, turned(turned_only.heading, centre));
        Place { pose: Pose2 { x_m, y_m, ..turned_only.pose }, ..turned_only }
    }

    pub fn go_to(&mut self, secs: f64) {
        let place = self.place_at(secs);
        if let Some(centre) = self.skids_about {
            let [x, y] = self.velocity_at(self.place.to_outer(centre));
            let around = scale(left_of(turned(place.heading, centre)), self.twist.turn_rad_s);
            let [x, y] = turned_back(place.heading, sub([x, y], around));
            (self.twist.x_m_s, self.twist.y_m_s) = (x, y);
        }
        *self = Self { place, since_secs: secs, ..*self };
    }

    /// No faster than this its origin moves, m/s.
    pub fn fastest_m_s(&self) -> f64 {
        let speed_m_s = norm([self.twist.x_m_s, self.twist.y_m_s]);
        match self.skids_about {
            None => speed_m_s,
            // The origin goes round the centre of mass, now with its way and now against it.
            Some(centre) => speed_m_s + 2.0 * self.twist.turn_rad_s.abs() * norm(centre),
        }
    }

    /// Leaves it where it is.
    pub fn stop(&mut self) {
        self.twist = Twist2::ZERO;
        self.was_pushed = true;
    }

    /// How fast the direction changes in which the centre of mass goes, rad/s.
    pub fn bends_rad_s(&self) -> f64 {
        if self.skids_about.is_some() { 0.0 } else { self.twist.turn_rad_s }
    }

    /// Lets it go on as a free body: its tyres do not hold it on its arc.
    pub fn skid(&mut self, inertia: &Inertia) {
        self.skids_about = Some(inertia.centre);
    }

    /// The velocity of a point of the body at `since_secs`, in the world frame, m/s.
    pub fn velocity_at(&self, point: Vec2) -> Vec2 {
        let Twist2 { x_m_s, y_m_s, turn_rad_s } = world_twist(&self.place, self.twist);
        add([x_m_s, y_m_s], scale(left_of(sub(point, self.place.origin())), turn_rad_s))
    }

    /// An impulse at a point of the world.
    pub fn push(&mut self, inertia: &Inertia, impulse: Vec2, point: Vec2) {
        let centre = self.place.to_outer(inertia.centre);
        let turn_rad_s = cross(sub(point, centre), impulse) * inertia.per_moment;
        let [x, y] = turned_back(self.place.heading, scale(impulse, inertia.per_mass));
        // The origin goes round the centre of mass.
        let [around_x, around_y] = scale(left_of(inertia.centre), -turn_rad_s);
        self.twist.x_m_s += x + around_x;
        self.twist.y_m_s += y + around_y;
        self.twist.turn_rad_s += turn_rad_s;
        self.was_pushed = true;
    }

    /// Moves it by a vector of the world without changing its velocity.
    pub fn shift(&mut self, by: Vec2) {
        self.place.pose.x_m += by[0];
        self.place.pose.y_m += by[1];
        self.was_pushed = true;
    }
}
