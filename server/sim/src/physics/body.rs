//! Robots as the physics has them: where they are, what they are made of, and what their drives plan of the next step. In `f64`. (R2, W4)

use super::journey::{Inertia, Journey, Passage, told, world_twist};
use super::place::Place;
use super::shape::{Solid, Vec2, add, dot, left_of, norm, scale, sub, turned, turned_back};
use crate::scenario::{Primitive, RobotSpec, Surface};
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};

/// What a robot is made of, as a ball meets it.
#[derive(Debug)]
struct Outlines {
    body: Vec<Solid>,
    /// Of each state of each manipulator.
    manipulators: Vec<Vec<Vec<Solid>>>,
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
    /// Of a circle around the origin that holds all shapes of the robot file, metres: what the drive turns.
    pub radius_m: f64,
    /// Of a circle around the origin that holds all that others can meet, metres: more than `radius_m` where the body is a disc around its shapes.
    pub reach_m: f64,
    /// From where to where its body reaches: from the floor on, as it stands there, metres.
    pub z_m: [f64; 2],
    outlines: Arc<Outlines>,
    /// The state of each manipulator.
    pub states: Vec<usize>,
    /// What is planned of the next step.
    plan: Plan,
    drive: Drive,
}

/// What a robot's drive is told to do in the next step, and how much of it can come to the ground.
#[derive(Clone, Copy, Debug, Default)]
struct Drive {
    /// The velocity to have at the end, in the body frame at the beginning.
    wanted: Twist2,
    /// The greatest changes of velocity and of rate of turn in the step.
    most_m_s: f64,
    most_rad_s: f64,
    /// What a held ball takes from its velocity, in the body frame.
    pulled: Twist2,
    /// Whether something presses against it.
    is_pressed: bool,
    /// Whether what moves it is one force over the whole step.
    is_even: bool,
    /// Whether its tyres slip: nothing holds it on an arc.
    slips: bool,
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
        let radius_m = crate::reach::radius_m(spec);
        Self {
            number,
            place: Place::new(pose),
            twist: Twist2::ZERO,
            inertia: Inertia::default(),
            disc_radius_m: 0.0,
            radius_m,
            reach_m: body.iter().map(crate::reach::reach_m).fold(radius_m, f64::max),
            z_m: [0.0, crate::reach::height_m(spec)],
            outlines: Arc::new(Outlines {
                body: body.iter().map(solid).collect(),
                manipulators: spec.manipulators.iter().map(states).collect(),
            }),
            states: vec![0; spec.manipulators.len()],
            plan: Plan::new(Course::default(), 0.0),
            drive: Drive::default(),
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

    /// What its body is made of where a disc meets others.
    pub fn surface(&self) -> Option<Surface> {
        self.outlines.body.first().map(|solid| solid.surface)
    }

    /// A number of each piece of its memory, mixed.
    pub fn glance(&self) -> u64 {
        let (plan, drive) = (&self.plan, &self.drive);
        let numbers = [
            self.place.pose.x_m,
            self.twist.turn_rad_s,
            self.inertia.centre[1],
            self.reach_m,
            plan.course.twist.x_m_s,
            plan.turn.1,
            drive.wanted.x_m_s,
            drive.pulled.turn_rad_s,
        ];
        let all = numbers.iter().fold(0, |all, number| all ^ number.to_bits());
        all ^ self.states.first().map_or(0, |&state| state as u64)
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
        let end = turned(turn, [wanted.end.x_m_s, wanted.end.y_m_s]);
        self.drive = Drive {
            wanted: Twist2::new(end[0], end[1], wanted.end.turn_rad_s),
            most_m_s,
            most_rad_s,
            pulled: Twist2::ZERO,
            is_pressed: false,
            is_even: false,
            slips: false,
        };
        // What the tyres' force changes is the velocity of the centre of mass.
        let centre = self.inertia.centre;
        let of_centre = |[x, y]: Vec2, turn_rad_s: f64| add([x, y], scale(left_of(centre), turn_rad_s));
        let now = of_centre([self.twist.x_m_s, self.twist.y_m_s], self.twist.turn_rad_s);
        let end = turned(turn, of_centre([wanted.end.x_m_s, wanted.end.y_m_s], wanted.end.turn_rad_s));
        let change = sub(end, now);
        let (change_m_s, change_rad_s) = (dot(change, change), wanted.end.turn_rad_s - self.twist.turn_rad_s);
        if change_m_s <= most_m_s * most_m_s && change_rad_s.abs() <= most_rad_s {
            return;
        }
        // As much as the tyres can, evenly: the mean is the middle. What they can, they do as the model wants it.
        let (slips, slips_round) = (change_m_s > most_m_s * most_m_s, change_rad_s.abs() > most_rad_s);
        self.drive.is_even = slips && (slips_round || change_rad_s == 0.0);
        self.drive.slips = slips;
        let share = if slips { most_m_s / change_m_s.sqrt() } else { 1.0 };
        let mut twist = wanted.twist;
        let mut end = wanted.end;
        if slips_round {
            end.turn_rad_s = self.twist.turn_rad_s + most_rad_s.copysign(change_rad_s);
            twist.turn_rad_s = (self.twist.turn_rad_s + end.turn_rad_s) / 2.0;
        }
        let reached = add(now, scale(change, share));
        if slips && centre != [0.0; 2] {
            let in_world = |velocity: Vec2| turned(self.place.heading, velocity);
            let mean = (in_world(scale(add(now, reached), 0.5)), twist.turn_rad_s);
            self.plan_centre(mean, (in_world(reached), end.turn_rad_s), dt_secs);
            return;
        }
        let turn_rad = twist.turn_rad_s * dt_secs;
        let [x, y] = turned_back(sin_cos(turn_rad), reached);
        [end.x_m_s, end.y_m_s] = of_centre([x, y], -end.turn_rad_s);
        if slips {
            let middle = scale(add(now, reached), 0.5);
            [twist.x_m_s, twist.y_m_s] = turned_back(sin_cos(turn_rad / 2.0), middle);
        }
        self.plan = Plan::new(Course { twist, end }, dt_secs);
    }

    /// The speed that the drive brings into the step that is planned, m/s: who pushes against something does not bounce off it.
    pub fn gained_m_s(&self) -> f64 {
        let (before, end) = (self.twist, self.plan.course.end);
        norm([end.x_m_s - before.x_m_s, end.y_m_s - before.y_m_s])
            + (end.turn_rad_s - before.turn_rad_s).abs() * self.radius_m
    }

    /// Whether something presses against it from the beginning of the step on.
    pub fn is_pressed(&self) -> bool {
        self.drive.is_pressed
    }

    /// What its drive has to work with in this step.
    pub fn tyres(&self) -> Tyres {
        let Drive { wanted, most_m_s, most_rad_s, pulled, .. } = self.drive;
        let of = |twist: Twist2| {
            let around = scale(left_of(self.inertia.centre), twist.turn_rad_s);
            let velocity = turned(self.place.heading, add([twist.x_m_s, twist.y_m_s], around));
            (velocity, twist.turn_rad_s)
        };
        let mut now = self.twist;
        now.x_m_s += pulled.x_m_s;
        now.y_m_s += pulled.y_m_s;
        now.turn_rad_s += pulled.turn_rad_s;
        Tyres { now: of(now), wanted: of(wanted), most_m_s, most_rad_s }
    }

    /// Plans the step anew: what the centre of mass and the heading do on the mean over it, and at its end, in the world.
    pub fn plan_anew(&mut self, mean: (Vec2, f64), end: (Vec2, f64), dt_secs: f64) {
        self.plan_centre(mean, end, dt_secs);
        (self.drive.is_pressed, self.drive.is_even) = (true, true);
    }

    fn plan_centre(&mut self, mean: (Vec2, f64), end: (Vec2, f64), dt_secs: f64) {
        let centre = self.inertia.centre;
        let theta_rad = self.place.pose.theta_rad + mean.1 * dt_secs;
        let mut arrival = Place::new(Pose2::new(0.0, 0.0, theta_rad));
        let middle = add(self.place.to_outer(centre), scale(mean.0, dt_secs));
        [arrival.pose.x_m, arrival.pose.y_m] = sub(middle, turned(arrival.heading, centre));
        let end = told(end.0, end.1, centre, &arrival);
        let twist = Passage::between(self.place, arrival, end, mean.1 * dt_secs, dt_secs).twist;
        self.plan = Plan::new(Course { twist, end }, dt_secs);
    }

    /// Whether its tyres slip all through the step that is planned: then its centre of mass goes straight.
    pub fn slips(&self) -> bool {
        self.drive.slips && !self.drive.is_pressed
    }

    /// What its drive changes of the velocity of its centre of mass (world frame, m/s) and of its rate of turn, evenly over the step; nothing if it
    /// keeps its velocity, as on an arc.
    pub fn speeds_up(&self, arrival: &Place) -> (Vec2, f64) {
        let Course { twist, end } = self.plan.course;
        if twist == end {
            return ([0.0; 2], 0.0);
        }
        let by = sub(self.centre_m_s(arrival, end), self.centre_m_s(&self.place, self.twist));
        (by, end.turn_rad_s - self.twist.turn_rad_s)
    }

    /// Its velocity within the step that is planned, after this part of it, in the body frame where it is then.
    pub fn velocity_within(&self, part: f64, at: &Place, arrival: &Place) -> Twist2 {
        let Course { twist, end } = self.plan.course;
        if twist == end {
            twist
        } else if self.drive.is_even {
            let (by, turns_by) = self.speeds_up(arrival);
            let centre_m_s = add(self.centre_m_s(&self.place, self.twist), scale(by, part));
            told(centre_m_s, self.twist.turn_rad_s + part * turns_by, self.inertia.centre, at)
        } else {
            // The mean is the middle.
            let towards = |mean: f64, end: f64| mean + (2.0 * part - 1.0) * (end - mean);
            Twist2 {
                x_m_s: towards(twist.x_m_s, end.x_m_s),
                y_m_s: towards(twist.y_m_s, end.y_m_s),
                turn_rad_s: towards(twist.turn_rad_s, end.turn_rad_s),
            }
        }
    }

    /// The velocity of its centre of mass in the world, m/s.
    pub fn centre_m_s(&self, place: &Place, twist: Twist2) -> Vec2 {
        let around = scale(left_of(self.inertia.centre), twist.turn_rad_s);
        turned(place.heading, add([twist.x_m_s, twist.y_m_s], around))
    }

    /// The robot at the beginning of the step that is planned.
    pub fn planned(&self) -> Journey {
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
        let pulled = &mut self.drive.pulled;
        pulled.x_m_s += journey.twist.x_m_s - before.x_m_s;
        pulled.y_m_s += journey.twist.y_m_s - before.y_m_s;
        pulled.turn_rad_s += journey.twist.turn_rad_s - before.turn_rad_s;
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

/// Velocities of a robot's centre of mass in the world, m/s, and its rates of turn, rad/s, with what its tyres can change of them in a step.
#[derive(Clone, Copy, Debug)]
pub struct Tyres {
    pub now: (Vec2, f64),
    pub wanted: (Vec2, f64),
    pub most_m_s: f64,
    pub most_rad_s: f64,
}
