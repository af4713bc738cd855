//! Bodies in the plane: robots pushed about, balls from impact to impact, by one of two laws. (W4)
//!
//! A step goes one way. Each robot's drive plans how it would go ([`Physics::drive`]), with no more force than its tyres can bring
//! to the ground; what presses against it is worked out with it ([`pressing`]), so a blocked robot pushes, and does not move. By the law `rigid` the library carries the robots among each other and the fixtures
//! ([`rigid`]); then the balls go through the same step from one impact to the next, each at its exact moment ([`impacts`]); what
//! they give to a robot it keeps from that moment on. By the law `discs` there is no library: robots are discs, and go from impact to
//! impact like the balls ([`discs`]).
//!
//! Balls fly by either law, in one file of the impacts; robots stay on the floor, and pass under what hangs above them ([`bars`]).
//!
//! Which law it is, nobody outside of this module knows.
//!
//! # Invariants
//! - A clone continues bit by bit like its original.
//! - The order of robots and balls decides where several things happen at the same moment, and nothing else does.
//!
//! # Units
//! SI, `f64`; the library calculates in `f32`.

mod apart;
mod bare;
mod bars;
mod body;
mod discs;
mod impacts;
mod impulse;
mod journey;
mod near;
mod overlap;
mod owner;
mod place;
mod pressing;
mod rigid;
mod shape;

pub use bare::BarePhysics;
pub use body::Course;
pub use discs::{BodyDisc, NoDisc};
pub use journey::turn_near;
pub use overlap::{Standing, distance_m, overlapping_pairs};
pub use owner::Owner;
pub use place::Place;

use crate::ball::Ball;
use crate::scenario::{BallSpec, ContactRule, Fixture, PhysicsLaw, RobotSpec, Scenario, Surface};
use body::RobotBody;
use discs::Discs;
use impacts::{BallForm, Fixtures, Impacts, Meetings, Waypoint};
use journey::Passage;
use overlap::{Body, Grid};
use owner::where_met;
use pressing::{Pressing, Push};
use rigid::{Pipeline, Rigid};
use shape::{Solid, Vec2, add, norm, scale, sub};
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2};

/// Two owners began or ceased to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// The lesser of both in the order of [`Owner`].
    pub a: Owner,
    /// The greater of both in the order of [`Owner`].
    pub b: Owner,
    /// True if they began to touch, false if they ceased.
    pub began: bool,
}

/// All bodies. Robots are given by their places in the order of their numbers.
#[derive(Clone)]
pub struct Physics {
    dt_secs: f64,
    surface: Surface,
    gravity_m_s2: f64,
    law: Law,
    robots: Vec<RobotBody>,
    fixtures: Arc<Fixtures>,
    balls: Arc<[BallForm]>,
    /// Who touches whom, as far as [`impacts`] sees to it: the lesser first, sorted.
    touching: Vec<(Owner, Owner)>,
    /// How those press who touch.
    pushes: Vec<Push>,
    space: WorkPlace,
}

/// By which law robots move among each other and the fixtures.
#[derive(Clone)]
enum Law {
    Rigid(Box<Rigid>),
    Discs(Discs),
}

/// What is reused from step to step, and which no step depends on.
#[derive(Default)]
struct WorkSpace {
    pipeline: Option<Box<Pipeline>>,
    passages: Vec<Passage>,
    pressing: Pressing,
    impacts: impacts::Space,
    /// Where the robots are, while a world is made.
    crowd: Option<Grid>,
}

/// Where a work space is: made by who first needs it, so that a world that is lent one has none of its own, and not cloned.
#[derive(Default)]
pub struct WorkPlace(Option<Box<WorkSpace>>);

impl WorkPlace {
    fn open(&mut self) -> &mut WorkSpace {
        self.0.get_or_insert_default()
    }
}

impl Clone for WorkPlace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Physics {
    pub fn new(scenario: &Scenario) -> Self {
        let Scenario { dt_secs, gravity_m_s2, surface, fixtures, balls, .. } = scenario;
        let solids = (0..).zip(fixtures).filter(|(_, fixture)| fixture.solid);
        let solid = |(number, Fixture { primitive, .. }): (u32, &Fixture)| {
            (number, Solid::new(primitive, primitive.surface.unwrap_or(*surface)))
        };
        let law = match scenario.physics {
            PhysicsLaw::Rigid => Law::Rigid(Box::new(Rigid::new(*dt_secs, *surface, fixtures))),
            PhysicsLaw::Discs { contact, .. } => Law::Discs(Discs { contact }),
        };
        Self {
            dt_secs: *dt_secs,
            surface: *surface,
            gravity_m_s2: *gravity_m_s2,
            law,
            robots: Vec::new(),
            fixtures: Arc::new(Fixtures::new(solids.map(solid))),
            balls: balls
                .iter()
                .map(|placement| BallForm::new(&placement.ball, *surface, *gravity_m_s2))
                .collect(),
            touching: Vec::new(),
            pushes: Vec::new(),
            space: WorkPlace::default(),
        }
    }

    /// Works from now on in another space than before.
    pub fn swap_work_space(&mut self, space: &mut WorkPlace) {
        std::mem::swap(&mut self.space, space);
    }

    /// Leaves its work space to another.
    pub fn swap_work_space_with(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.space, &mut other.space);
    }

    pub fn add_robot(&mut self, number: u32, spec: &RobotSpec, pose: Pose2) {
        let index = self.robots.partition_point(|other| other.number < number);
        let mut robot = self.body_of(number, spec, pose);
        if let Law::Rigid(rigid) = &mut self.law {
            robot.inertia = rigid.add_robot(index, number, spec, &robot.place);
        }
        if let Some(crowd) = self.space.0.as_mut().and_then(|space| space.crowd.as_mut()) {
            crowd.insert(index, Body::Robot(&robot).bounds());
        }
        self.robots.insert(index, robot);
    }

    fn body_of(&self, number: u32, spec: &RobotSpec, pose: Pose2) -> RobotBody {
        match self.law {
            Law::Rigid(_) => RobotBody::new(number, spec, &spec.body, self.surface, pose),
            Law::Discs(_) => Discs::robot(number, spec, self.surface, pose),
        }
    }

    pub fn remove_robot(&mut self, index: usize) {
        let owner = Owner::Robot(self.robots.remove(index).number);
        if let Law::Rigid(rigid) = &mut self.law {
            rigid.remove_robot(index);
        }
        self.touching.retain(|&(one, other)| one != owner && other != owner);
    }

    pub fn add_ball(&mut self, ball: &BallSpec) {
        let form = BallForm::new(ball, self.surface, self.gravity_m_s2);
        self.balls = self.balls.iter().copied().chain([form]).collect();
    }

    /// Takes away all balls but the first ones.
    pub fn keep_balls(&mut self, count: usize) {
        self.balls = self.balls[..count].into();
        let stays = |owner: Owner| !matches!(owner, Owner::Ball(number) if number as usize >= count);
        self.touching.retain(|&(one, other)| stays(one) && stays(other));
    }

    /// Puts one state of a manipulator in place of another.
    pub fn switch_manipulator(&mut self, index: usize, manipulator: usize, to: usize) {
        let state = &mut self.robots[index].states[manipulator];
        if let Law::Rigid(rigid) = &mut self.law {
            rigid.switch_manipulator(index, manipulator, *state, to);
        }
        *state = to;
    }

    pub fn place(&self, index: usize) -> &Place {
        &self.robots[index].place
    }

    /// The velocity at this moment, in the body frame.
    pub fn twist(&self, index: usize) -> Twist2 {
        self.robots[index].twist
    }

    /// The velocity at this moment, in the world frame.
    pub fn world_twist(&self, index: usize) -> Twist2 {
        self.robots[index].world_twist()
    }

    /// Puts a robot somewhere, with a velocity in its own frame.
    pub fn put_robot(&mut self, index: usize, pose: Pose2, twist: Twist2) {
        let robot = &mut self.robots[index];
        (robot.place, robot.twist) = (Place::new(pose), twist);
    }

    /// A number of each piece of memory that a robot's next step begins with, mixed: see `prefetch.rs`.
    pub fn glance(&self, index: usize) -> u64 {
        self.robots[index].glance()
    }

    /// Plans a robot's next step as it wants it, with bounded force and torque.
    pub fn drive(&mut self, index: usize, wanted: Course, traction_m_s2: f64) {
        let robot = &mut self.robots[index];
        // A disc whose rim has the tyres' grip: torque m a r on the inertia m r^2 / 2.
        let most_rad_s = 2.0 * traction_m_s2 / robot.radius_m * self.dt_secs;
        robot.drive(wanted, self.dt_secs, traction_m_s2 * self.dt_secs, most_rad_s);
    }

    /// Pulls a ball with bounded force to a point that moves with a robot; the robot feels the same force. Gives that point's
    /// velocity, m/s. (R5)
    ///
    /// The ball takes over the robot's velocity at that point, and a tenth of the way there in each hundredth of a second.
    pub fn hold(&mut self, number: usize, ball: &mut Ball, index: usize, point: Vec2, force_n: f64) -> Vec2 {
        const APPROACH_SECS: f64 = 0.1;
        let robot = &mut self.robots[index];
        let mass_kg = 1.0 / self.balls[number].inertia.per_mass;
        let carried = robot.planned_velocity_at(point);
        let wanted = add(carried, scale(sub(point, ball.position), 1.0 / APPROACH_SECS));
        let change = sub(wanted, ball.velocity);
        let share = (force_n / mass_kg * self.dt_secs / norm(change)).min(1.0);
        // No difference at all: nothing to do, and nothing to divide by.
        if share.is_finite() {
            let change = scale(change, share);
            ball.velocity = add(ball.velocity, change);
            robot.pull(scale(change, -mass_kg), ball.position, self.dt_secs);
        }
        carried
    }

    /// Advances all bodies, and appends the touches of this step in a fixed order.
    pub fn step(&mut self, balls: &mut [Ball], touches: &mut Vec<Touch>) {
        let Self { law, robots, fixtures, touching, pushes, space, dt_secs, .. } = self;
        let space = space.open();
        space.pressing.forget();
        match law {
            Law::Rigid(rigid) => rigid.find_near(&mut space.pressing.pairs),
            Law::Discs(discs) => discs.find_near(touching, &mut space.pressing.pairs),
        }
        space.pressing.plan(robots, fixtures, pushes, *dt_secs);
        let meetings = match law {
            Law::Rigid(rigid) => {
                let pipeline = space.pipeline.get_or_insert_default();
                rigid.carry(pipeline, robots, fixtures, &mut space.passages, touches, *dt_secs);
                Meetings::OfBalls
            }
            Law::Discs(discs) => {
                Discs::carry(robots, &mut space.passages, *dt_secs);
                discs.meetings()
            }
        };
        let passages = &space.passages;
        let (forms, gravity_m_s2) = (&*self.balls, self.gravity_m_s2);
        let bodies = impacts::Bodies { meetings, fixtures, robots, passages, forms, gravity_m_s2 };
        Impacts::new(bodies, balls, *dt_secs, &mut space.impacts).run();
        for (index, (robot, passage)) in robots.iter_mut().zip(&space.passages).enumerate() {
            (robot.place, robot.twist) = match space.impacts.pushed(index, *dt_secs) {
                Some(pushed) => pushed,
                None => (passage.arrival, passage.end),
            };
        }
        tell_touches(touching, space.impacts.touching(), touches);
    }

    /// Where balls were at the beginning of the last step, and at its moments of impact.
    pub fn waypoints(&self) -> &[Waypoint] {
        self.space.0.as_ref().map_or(&[], |space| space.impacts.waypoints())
    }

    /// Whose body a robot would overlap at `pose`, leaving out itself; who never meets it is not in its way.
    pub fn overlap(
        &self,
        spec: &RobotSpec,
        pose: Pose2,
        itself: Option<u32>,
        balls: &[Ball],
    ) -> Option<Owner> {
        let (robot, itself) = (self.body_of(u32::MAX, spec, pose), itself.map(Owner::Robot));
        let body = Body::Robot(&robot);
        let never_meet = matches!(self.law, Law::Discs(Discs { contact: ContactRule::None }));
        let others = || if never_meet { None } else { self.overlapped(&body, itself, balls) };
        self.overlapped_fixture(&body).or_else(others)
    }

    /// The same where an episode begins: nobody begins in another, whether they ever meet or not.
    pub fn overlap_at_start(
        &self,
        spec: &RobotSpec,
        pose: Pose2,
        itself: u32,
        balls: &[Ball],
    ) -> Option<Owner> {
        let robot = self.body_of(u32::MAX, spec, pose);
        let body = Body::Robot(&robot);
        self.overlapped_fixture(&body).or_else(|| self.overlapped(&body, Some(Owner::Robot(itself)), balls))
    }

    /// Whose body a ball on the floor would overlap at `position` where an episode begins, leaving out itself.
    pub fn ball_overlap_at_start(&self, number: usize, position: Vec2, balls: &[Ball]) -> Option<Owner> {
        let ball = self.balls.get(number)?.solid(&Ball::rolling(position, [0.0; 2]));
        let body = Body::Ball(&ball);
        self.overlapped_fixture(&body)
            .or_else(|| self.overlapped(&body, Some(Owner::Ball(number as u32)), balls))
    }

    fn overlapped_fixture(&self, body: &Body<'_>) -> Option<Owner> {
        let (middle, reach_m) = body.circle();
        let mut near = self.fixtures.near(middle, reach_m);
        let met = near.find(|(_, solid)| body.overlaps(&Body::Fixture(solid), 0.0));
        met.map(|(place, _)| self.fixtures.owner(place))
    }

    /// The first of robots and balls that a body overlaps, leaving out itself.
    fn overlapped(&self, body: &Body<'_>, itself: Option<Owner>, balls: &[Ball]) -> Option<Owner> {
        let is_met = |robot: &&RobotBody| {
            itself != Some(Owner::Robot(robot.number)) && body.overlaps(&Body::Robot(robot), 0.0)
        };
        let robot = match self.space.0.as_ref().and_then(|space| space.crowd.as_ref()) {
            Some(crowd) => {
                let mut near = Vec::new();
                crowd.near(body.bounds(), &mut near);
                near.into_iter().map(|index| &self.robots[index]).find(is_met)
            }
            None => self.robots.iter().find(is_met),
        };
        if let Some(robot) = robot {
            return Some(Owner::Robot(robot.number));
        }
        let mut others = balls.iter().zip(&*self.balls).zip((0..).map(Owner::Ball));
        let is_met = |((ball, form), owner): &((&Ball, &BallForm), Owner)| {
            itself != Some(*owner) && body.overlaps(&Body::Ball(&form.solid(ball)), 0.0)
        };
        others.find(is_met).map(|(_, owner)| owner)
    }

    /// Until [`Physics::end_crowd`], robots are added in the order of their numbers and nobody moves: who overlaps whom is asked of
    /// those nearby alone.
    pub fn begin_crowd(&mut self) {
        self.space.open().crowd = Some(Grid::default());
    }

    pub fn end_crowd(&mut self) {
        self.space.open().crowd = None;
    }
}

/// Tells of the differences between two sorted lists, and keeps the new one.
fn tell_touches(known: &mut Vec<(Owner, Owner)>, now: &[(Owner, Owner)], touches: &mut Vec<Touch>) {
    if known == now {
        return;
    }
    let touch = |&(a, b): &(Owner, Owner), began| Touch { a, b, began };
    touches.extend(now.iter().filter(|pair| !known.contains(pair)).map(|pair| touch(pair, true)));
    touches.extend(known.iter().filter(|pair| !now.contains(pair)).map(|pair| touch(pair, false)));
    touches.sort_unstable();
    known.clear();
    known.extend_from_slice(now);
}
