//! Balls through one step, from impact to impact. (W4)
//!
//! Between two impacts a ball goes straight, and a robot on an arc, so the moment at which they meet is known in closed form, or, for a
//! robot that turns, by Newton's method from one. Everything is brought to that moment, the bodies that touch exchange an impulse
//! ([`super::contact`]), and so on to the end of the step. A fast ball is never inside anything, and how it leaves does not depend
//! on where the steps begin.
//!
//! A ball that is pressed between bodies meets them ever more often in ever less time. After a few impacts at one moment those that
//! remain are solved together and without restitution: then a robot stands before a ball that cannot go away.
//!
//! What rounding leaves of overlaps is parted at the end of the step: the ball gives way to fixtures and robots, and where it cannot, the
//! robot does.

mod curve;
mod meet;
mod part;

use super::Owner;
use super::body::{Inertia, Journey, Passage, Place, RobotBody};
use super::shape::{Solid, Vec2, add, dot, norm, point_touched_after, scale, sub};
use crate::ball::Ball;
use crate::scenario::{BallSpec, Surface};
use curve::{Curve, disc_meets};
use meet::Contact;
use touchline_plugin_api::geometry::Twist2;

/// Nearer than this is touching, metres.
const TOUCH_M: f64 = 1e-7;
/// Who is so near at the end of a step is told to touch, metres.
const TOLD_M: f64 = 1e-4;
/// Who nears more slowly does not meet, m/s.
const STILL_M_S: f64 = 1e-7;
/// How far a robot turns at most in one piece of its arc, radians.
const PIECE_RAD: f64 = 0.03;
/// So many moments of impact in a step are with restitution; so many more are without. Then the balls that still would meet something stay.
const MOMENTS: usize = 64;
/// And for each ball so many more.
const MOMENTS_OF_A_BALL: usize = 16;

/// A ball as others meet it.
#[derive(Clone, Copy, Debug)]
pub struct BallForm {
    pub radius_m: f64,
    pub inertia: Inertia,
    surface: Surface,
}

impl BallForm {
    pub fn new(ball: &BallSpec, world: Surface) -> Self {
        // Of a disc, where the file does not say how the mass lies.
        let factor = ball.sliding.map_or(0.5, |sliding| sliding.inertia_factor);
        let per_mass = 1.0 / ball.mass_kg;
        let per_moment = per_mass / (factor * ball.radius_m * ball.radius_m);
        let inertia = Inertia { per_mass, per_moment, centre: [0.0; 2] };
        Self { radius_m: ball.radius_m, inertia, surface: ball.surface.unwrap_or(world) }
    }
}

/// What does not move.
pub struct Fixtures {
    solids: Vec<Solid>,
    bounds: Vec<[Vec2; 2]>,
}

impl Fixtures {
    pub fn new(solids: Vec<Solid>) -> Self {
        let bounds = solids.iter().map(Solid::bounds).collect();
        Self { solids, bounds }
    }

    /// Whether a disc would overlap one.
    pub fn overlap(&self, position: Vec2, radius_m: f64) -> bool {
        self.near(position, radius_m).any(|(_, solid)| solid.gap(position).distance_m < radius_m)
    }

    /// Those that a disc of this radius may meet, with their places.
    fn near(&self, [x, y]: Vec2, radius_m: f64) -> impl Iterator<Item = (usize, &Solid)> {
        let is_near = move |[low, high]: &[Vec2; 2]| {
            x + radius_m >= low[0]
                && x - radius_m <= high[0]
                && y + radius_m >= low[1]
                && y - radius_m <= high[1]
        };
        let near = self.bounds.iter().enumerate().filter(move |(_, bounds)| is_near(bounds));
        near.map(|(place, _)| (place, &self.solids[place]))
    }
}

/// What is there besides the balls.
pub struct Bodies<'a> {
    pub fixtures: &'a Fixtures,
    pub robots: &'a [RobotBody],
    pub passages: &'a [Passage],
    pub forms: &'a [BallForm],
}

/// What is reused from step to step.
#[derive(Default)]
pub struct Space {
    journeys: Vec<Option<Journey>>,
    /// The fixtures and robots that some ball may meet in what is left of the step.
    near_fixtures: Vec<usize>,
    near_robots: Vec<usize>,
    contacts: Vec<Contact>,
    touching: Vec<(u32, Owner)>,
}

impl Space {
    /// Where a robot that balls have pushed is at the end of the step, and its velocity there, in the body frame.
    pub fn pushed(&self, robot: usize, dt_secs: f64) -> Option<(Place, Twist2)> {
        let journey = self.journeys[robot].as_ref().filter(|journey| journey.was_pushed)?;
        Some((journey.place_at(dt_secs), journey.twist))
    }

    /// Which ball touched whom in the step, sorted.
    pub fn touching(&self) -> &[(u32, Owner)] {
        &self.touching
    }
}

/// A step under way.
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
        space.touching.clear();
        Self { bodies, balls, dt_secs, now_secs: 0.0, space }
    }

    /// Takes the balls to the end of the step.
    pub fn run(mut self) {
        self.look_round();
        if self.is_all_free() {
            self.go_to(self.dt_secs);
            return;
        }
        let moments = MOMENTS + self.balls.len() * MOMENTS_OF_A_BALL;
        for moment in 0..2 * moments {
            let Some((ball, secs)) = self.next_impact() else { break };
            self.go_to(secs);
            self.meet(ball, moment < moments);
        }
        let stay: Vec<usize> = match self.next_impact() {
            None => Vec::new(),
            Some(_) => (0..self.balls.len()).filter(|&ball| self.impact_of(ball).is_some()).collect(),
        };
        let places: Vec<Vec2> = stay.iter().map(|&ball| self.balls[ball].position).collect();
        self.go_to(self.dt_secs);
        stay.iter().zip(places).for_each(|(&ball, place)| self.balls[ball].position = place);
        for ball in 0..self.balls.len() {
            self.part(ball);
            self.tell_touching(ball);
        }
        self.space.touching.sort_unstable();
        self.space.touching.dedup();
    }

    /// Finds out which fixtures and robots some ball may meet in what is left of the step.
    fn look_round(&mut self) {
        self.space.near_fixtures.clear();
        self.space.near_robots.clear();
        for (ball, form) in self.balls.iter().zip(self.bodies.forms) {
            let reach_m = form.radius_m + norm(ball.velocity) * self.left_secs() + TOLD_M;
            for (fixture, _) in self.bodies.fixtures.near(ball.position, reach_m) {
                if !self.space.near_fixtures.contains(&fixture) {
                    self.space.near_fixtures.push(fixture);
                }
            }
            for robot in 0..self.bodies.robots.len() {
                if self.is_near(robot, ball.position, reach_m) && !self.space.near_robots.contains(&robot) {
                    self.space.near_robots.push(robot);
                }
            }
        }
        self.space.near_fixtures.sort_unstable();
        self.space.near_robots.sort_unstable();
    }

    /// Whether no ball is near anything.
    fn is_all_free(&self) -> bool {
        let reach_m = |ball: usize| {
            self.bodies.forms[ball].radius_m + norm(self.balls[ball].velocity) * self.dt_secs + TOLD_M
        };
        let nears = |one: usize, other: usize| {
            norm(sub(self.balls[one].position, self.balls[other].position)) <= reach_m(one) + reach_m(other)
        };
        let count = self.balls.len();
        self.space.near_fixtures.is_empty()
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
        self.now_secs = secs;
    }

    /// The ball that meets something first, and when.
    fn next_impact(&mut self) -> Option<(usize, f64)> {
        let mut first: Option<(usize, f64)> = None;
        for ball in 0..self.balls.len() {
            if let Some(secs) = self.impact_of(ball)
                && first.is_none_or(|(_, earliest)| secs < earliest)
            {
                first = Some((ball, secs));
            }
        }
        first
    }

    /// When a ball meets something.
    fn impact_of(&mut self, ball: usize) -> Option<f64> {
        let Ball { position, velocity, .. } = self.balls[ball];
        let radius_m = self.bodies.forms[ball].radius_m;
        let way = scale(velocity, self.left_secs());
        let way_m = norm(way);
        let mut first: Option<f64> = None;
        let mut found = |secs: Option<f64>| first = [first, secs].into_iter().flatten().reduce(f64::min);
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            found(
                disc_meets(solid, position, way, radius_m)
                    .map(|part| self.now_secs + part * self.left_secs()),
            );
        }
        for near in 0..self.space.near_robots.len() {
            let robot = self.space.near_robots[near];
            if self.is_near(robot, position, radius_m + way_m) {
                found(self.robot_meets(robot, position, velocity, radius_m));
            }
        }
        for other in 0..self.balls.len() {
            if other != ball {
                found(self.balls_meet(ball, other));
            }
        }
        first
    }

    fn balls_meet(&self, ball: usize, other: usize) -> Option<f64> {
        let (one, two) = (&self.balls[ball], &self.balls[other]);
        let (from, velocity) = (sub(one.position, two.position), sub(one.velocity, two.velocity));
        let nearest_m = self.bodies.forms[ball].radius_m + self.bodies.forms[other].radius_m;
        if norm(from) <= nearest_m + TOUCH_M {
            return (dot(from, velocity) < -STILL_M_S * norm(from)).then_some(self.now_secs);
        }
        let part = point_touched_after([0.0; 2], from, scale(velocity, self.left_secs()), nearest_m)?;
        Some(self.now_secs + part * self.left_secs())
    }

    /// Whether a robot comes so near to a place in what is left of the step.
    fn is_near(&self, robot: usize, place: Vec2, reach_m: f64) -> bool {
        let passage = &self.bodies.passages[robot];
        let (origin, way_m) = match &self.space.journeys[robot] {
            Some(journey) => {
                let speed_m_s = norm([journey.twist.x_m_s, journey.twist.y_m_s]);
                (journey.place.origin(), speed_m_s * (self.dt_secs - journey.since_secs))
            }
            None => {
                let speed_m_s = norm([passage.twist.x_m_s, passage.twist.y_m_s]);
                (passage.start.origin(), speed_m_s * self.dt_secs)
            }
        };
        let reach_m = reach_m + self.bodies.robots[robot].radius_m + way_m + TOLD_M;
        let (dx, dy) = (place[0] - origin[0], place[1] - origin[1]);
        dx * dx + dy * dy <= reach_m * reach_m
    }

    /// The robot at this moment.
    fn journey(&mut self, robot: usize) -> &mut Journey {
        let passage = &self.bodies.passages[robot];
        let begin = || Journey::new(passage.start, passage.twist);
        let journey = self.space.journeys[robot].get_or_insert_with(begin);
        if journey.since_secs != self.now_secs {
            journey.go_to(self.now_secs);
        }
        journey
    }

    /// When a ball meets a robot: in the robot's frame the robot stands, and the ball goes on a curve, which is taken in pieces.
    fn robot_meets(&mut self, robot: usize, position: Vec2, velocity: Vec2, radius_m: f64) -> Option<f64> {
        let (now_secs, left_secs) = (self.now_secs, self.left_secs());
        let journey = *self.journey(robot);
        let pieces = (journey.twist.turn_rad_s.abs() * left_secs / PIECE_RAD).ceil().clamp(1.0, 256.0);
        let curve = Curve { journey, position, velocity, since_secs: now_secs };
        let mut start = curve.at(now_secs);
        for piece in 0..pieces as usize {
            let from_secs = now_secs + left_secs * piece as f64 / pieces;
            let to_secs = now_secs + left_secs * (piece + 1) as f64 / pieces;
            let end = curve.at(to_secs);
            let solids = self.bodies.robots[robot].solids();
            let meets = |solid| curve.meets(solid, radius_m, [from_secs, to_secs], [start, end]);
            if let Some(secs) = solids.filter_map(meets).reduce(f64::min) {
                return Some(secs);
            }
            start = end;
        }
        None
    }
}
