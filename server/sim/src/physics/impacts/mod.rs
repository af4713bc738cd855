//! Bodies through one step, from impact to impact: balls among all others, and robots that are discs. (W4)
//!
//! Between two impacts a ball goes straight, and a robot on an arc, so the moment at which they meet is known in closed form, or, for a
//! robot that turns, by Newton's method from one. Everything is brought to that moment, the bodies that touch exchange an impulse
//! ([`super::impulse`]), and so on to the end of the step. A fast ball is never inside anything, and how it leaves does not depend
//! on where the steps begin.
//!
//! A ball that is pressed between bodies meets them ever more often in ever less time. After a few impacts at one moment those that
//! remain are solved together and without restitution: then a robot stands before a ball that cannot go away.
//!
//! What rounding leaves of overlaps is parted at the end of the step: the ball gives way to fixtures and robots, and where it cannot, the
//! robot does.
//!
//! Beside the library ([`Meetings::OfBalls`]) robots only answer to balls. Robots that are discs meet each other and the fixtures here
//! as well; who has met something heavy skids, straight, to the end of the step, so that a robot that is pushed along a wall on an arc does
//! not meet it without end.

mod bodies;
mod curve;
mod flight;
mod look;
mod map;
mod meet;
mod neighbours;
mod next;
mod one_by_one;
mod part;
mod press;
mod soccer_server;
mod way;

pub use bodies::{BallForm, Bodies, Body, Fixtures, Meetings};
pub use flight::are_level;
pub use meet::REST_M_S;

use super::Owner;
use super::journey::{Journey, Passage};
use super::place::Place;
use super::shape::{Vec2, add, norm, scale, sub};
use crate::ball::Ball;
use meet::Contact;
use neighbours::Neighbours;
use one_by_one::Group;
use touchline_plugin_api::geometry::Twist2;
pub use way::Way;

/// Nearer than this is touching, metres.
const TOUCH_M: f64 = 1e-7;
/// Who is so near at the end of a step is told to touch, metres.
const TOLD_M: f64 = 1e-4;
/// Who nears more slowly does not meet, m/s.
const STILL_M_S: f64 = 1e-7;
/// Robots that near more slowly do not meet, m/s: in the longest step they come no deeper than counts as touching.
const ROBOTS_STILL_M_S: f64 = 1e-6;
/// So many moments of impact in a step are with restitution; so many more are without. Then the balls that still would meet something stay.
const MOMENTS: usize = 64;
/// And for each ball, and each robot that is a disc, so many more.
const MOMENTS_OF_A_BODY: usize = 16;

/// So many places within a step are told of all balls.
const MAX_WAYPOINTS: usize = 64;

/// What is reused from step to step.
#[derive(Default)]
pub struct Space {
    journeys: Vec<Option<Journey>>,
    /// The fixtures that somebody may meet in what is left of the step, and the robots that may meet, or be met by, somebody.
    near_fixtures: Vec<usize>,
    near_robots: Vec<usize>,
    /// Of each robot, whether it is among the near ones.
    is_near: Vec<bool>,
    /// Of each robot that is a disc: when it meets a fixture, or a robot of a greater place, next; infinity if it does not.
    next_secs: Vec<f64>,
    /// The robots of which that is to be found out again.
    unforeseen: Vec<usize>,
    /// Of each robot that is a disc: where its middle was, and how far it comes from there to the end of the step.
    reaches: Vec<(Vec2, f64)>,
    /// Robots that are discs and may meet each other.
    neighbours: Neighbours,
    contacts: Vec<Contact>,
    /// What is known of them while impacts are solved one by one.
    group: Group,
    /// Whose contacts are among them, and the same of each robot.
    looked_at: Vec<Body>,
    is_looked_at: Vec<bool>,
    touching: Touching,
    waypoints: Vec<Waypoint>,
}

/// Where a ball was at the beginning, or at a moment at which something was met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    pub ball: u32,
    pub place: Vec2,
    pub z_m: f64,
    pub secs: f64,
}

/// Who touched whom in a step.
#[derive(Default)]
struct Touching {
    /// The lesser first; some may be there more than once before the end.
    pairs: Vec<(Owner, Owner)>,
    /// So many there were when each was there once.
    once: usize,
}

impl Touching {
    fn clear(&mut self) {
        self.pairs.clear();
        self.once = 0;
    }

    fn add(&mut self, pair: (Owner, Owner)) {
        const FEW: usize = 256;
        self.pairs.push(pair);
        if self.pairs.len() > FEW + 2 * self.once {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.once = self.pairs.len();
    }
}

impl Space {
    /// Where a robot that was pushed here is at the end of the step, and its velocity there, in the body frame.
    pub fn pushed(&self, robot: usize, dt_secs: f64) -> Option<(Place, Twist2)> {
        let mut journey = *self.journeys[robot].as_ref().filter(|journey| journey.was_pushed)?;
        journey.go_to(dt_secs);
        Some((journey.place, journey.twist))
    }

    /// Where balls were at the beginning and at the moments of impact, in their order; of very many the first.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.waypoints
    }

    /// Who touched whom in the step, the lesser first, sorted.
    pub fn touching(&self) -> &[(Owner, Owner)] {
        &self.touching.pairs
    }
}

/// Collision handling of one step.
pub struct Impacts<'a> {
    bodies: Bodies<'a>,
    balls: &'a mut [Ball],
    dt_secs: f64,
    now_secs: f64,
    space: &'a mut Space,
}

impl<'a> Impacts<'a> {
    pub fn new(bodies: Bodies<'a>, balls: &'a mut [Ball], dt_secs: f64, space: &'a mut Space) -> Self {
        space.journeys.clear();
        space.journeys.resize(bodies.robots.len(), None);
        space.looked_at.clear();
        space.is_looked_at.clear();
        space.is_looked_at.resize(bodies.robots.len(), false);
        space.touching.clear();
        space.waypoints.clear();
        Self { bodies, balls, dt_secs, now_secs: 0.0, space }
    }

    /// Takes the bodies to the end of the step.
    pub fn run(mut self) {
        self.tell_waypoints();
        self.look_round();
        self.drop_unsupported();
        if self.is_all_free() {
            self.go_to(self.dt_secs);
            return;
        }
        let robots = if self.bodies.meetings.are_of_robots() { self.bodies.robots.len() } else { 0 };
        let moments = MOMENTS + (self.balls.len() + robots) * MOMENTS_OF_A_BODY;
        for moment in 0..2 * moments {
            let bounces = moment < moments;
            match (self.next_impact(), self.next_landing()) {
                (None, None) => break,
                (impact, Some(landing)) if impact.is_none_or(|(_, secs)| landing.secs <= secs) => {
                    self.go_to(landing.secs);
                    self.tell_waypoints();
                    self.land(landing, bounces);
                }
                (None, Some(_)) => break,
                (Some((body, secs)), _) => {
                    self.go_to(secs);
                    self.tell_waypoints();
                    self.meet(body, bounces);
                }
            }
        }
        self.go_to_end();
        self.end_drives();
        self.stop_at_floor();
        if self.bodies.meetings == Meetings::WithFixtures {
            self.collide();
        }
        self.part_robots();
        for ball in 0..self.balls.len() {
            self.part(ball);
            self.tell_touching(Body::Ball(ball));
        }
        if self.bodies.meetings.are_of_robots() {
            for near in 0..self.space.near_robots.len() {
                self.tell_touching(Body::Robot(self.space.near_robots[near]));
            }
        }
        self.space.touching.sort();
    }

    /// Of many at one moment, as of a ball that is pressed, one is enough.
    fn tell_waypoints(&mut self) {
        let (secs, waypoints) = (self.now_secs, &mut self.space.waypoints);
        let is_told = waypoints.last().is_some_and(|last| last.secs == secs);
        if is_told || waypoints.len() + self.balls.len() > MAX_WAYPOINTS {
            return;
        }
        let place =
            |(ball, it): (u32, &Ball)| Waypoint { ball, place: it.position, z_m: it.vertical.z_m, secs };
        waypoints.extend((0..).zip(&*self.balls).map(place));
    }

    fn moves_by_impacts(&self, body: Body) -> bool {
        match body {
            Body::Fixture(_) => false,
            Body::Robot(_) => self.bodies.meetings.are_of_robots(),
            Body::Ball(_) => true,
        }
    }

    /// To the end of the step; who would still meet something stays where it is.
    fn go_to_end(&mut self) {
        let mut stay: Vec<Body> = Vec::new();
        if self.next_impact().is_some() {
            stay.extend(
                (0..self.balls.len()).filter(|&ball| self.impact_of_ball(ball).is_some()).map(Body::Ball),
            );
            if self.bodies.meetings.are_of_robots() {
                for &robot in &self.space.near_robots {
                    self.impacts_of_robot(robot, |other, _| stay.extend([Body::Robot(robot), other]));
                }
            }
        }
        let mut places = Vec::new();
        for &body in &stay {
            match body {
                Body::Ball(ball) => places.push((ball, self.balls[ball].position)),
                Body::Robot(robot) => self.journey(robot).stop(),
                Body::Fixture(_) => {}
            }
        }
        self.go_to(self.dt_secs);
        places.into_iter().for_each(|(ball, place)| self.balls[ball].position = place);
    }

    /// Gives robots that balls have pushed what they have at the end beside their velocity over the step, as far as the balls that they touch
    /// let them.
    fn end_drives(&mut self) {
        for robot in 0..self.bodies.robots.len() {
            let Passage { twist, end, .. } = self.bodies.passages[robot];
            let body = &self.bodies.robots[robot];
            let is_driven = |journey: &Journey| {
                journey.was_pushed && !journey.has_gained && (body.slips() || !journey.skids())
            };
            if twist == end || !self.space.journeys[robot].as_ref().is_some_and(is_driven) {
                continue;
            }
            if body.slips() {
                // Of an even change the mean has one half.
                let (by, turns_by) = body.speeds_up(&self.bodies.passages[robot].arrival);
                let half = (scale(by, 0.5), 0.5 * turns_by);
                self.journey(robot).speed_up(body.inertia.centre, half);
            } else {
                self.journey(robot).gain(twist, end);
            }
            for ball in 0..self.balls.len() {
                self.meet(Body::Ball(ball), false);
            }
        }
    }

    /// Whether no ball is near anything, and none flies.
    fn is_all_free(&self) -> bool {
        let reach_m = |ball: usize| {
            self.bodies.forms[ball].radius_m + norm(self.balls[ball].velocity) * self.dt_secs + TOLD_M
        };
        let nears = |one: usize, other: usize| {
            norm(sub(self.balls[one].position, self.balls[other].position)) <= reach_m(one) + reach_m(other)
        };
        let count = self.balls.len();
        !self.balls.iter().any(|ball| ball.flies)
            && self.space.near_fixtures.is_empty()
            && self.space.near_robots.is_empty()
            && !(0..count).any(|one| (one + 1..count).any(|other| nears(one, other)))
    }

    fn left_secs(&self) -> f64 {
        self.dt_secs - self.now_secs
    }

    fn go_to(&mut self, secs: f64) {
        let passed_secs = secs - self.now_secs;
        for ball in &mut *self.balls {
            ball.position = add(ball.position, scale(ball.velocity, passed_secs));
            ball.angle_rad += ball.spin_rad_s * passed_secs;
        }
        (0..self.balls.len()).for_each(|ball| self.rise(ball, passed_secs));
        self.now_secs = secs;
    }
}
