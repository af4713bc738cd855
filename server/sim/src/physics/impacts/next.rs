//! Who meets something next, and when.

use super::super::journey::Journey;
use super::super::place::Place;
use super::super::shape::{Vec2, dot, norm, point_touched_after, scale, sub};
use super::curve::{Curve, disc_meets};
use super::flight::are_level;
use super::way::Way;
use super::{Bodies, Body, Impacts, STILL_M_S, Space, TOLD_M, TOUCH_M};
use crate::ball::Ball;

/// How far a robot turns at most in one piece of its arc, radians.
const PIECE_RAD: f64 = 0.03;

impl Impacts<'_> {
    /// Who meets something first, and when.
    pub fn next_impact(&mut self) -> Option<(Body, f64)> {
        let mut first: Option<(Body, f64)> = None;
        let mut found = |body: Body, secs: f64| {
            if first.is_none_or(|(_, earliest)| secs < earliest) {
                first = Some((body, secs));
            }
        };
        for ball in 0..self.balls.len() {
            if let Some(secs) = self.impact_of_ball(ball) {
                found(Body::Ball(ball), secs);
            }
        }
        if self.bodies.meetings.are_of_robots() {
            self.foresee_again();
            debug_assert!(self.is_foreseen(), "what is kept is what would be found now");
            let Space { near_robots, next_secs, .. } = &*self.space;
            let meet = near_robots.iter().filter(|&&robot| next_secs[robot].is_finite());
            meet.for_each(|&robot| found(Body::Robot(robot), next_secs[robot].max(self.now_secs)));
        }
        first
    }

    /// When a ball meets something.
    pub fn impact_of_ball(&self, ball: usize) -> Option<f64> {
        let Ball { position, velocity, .. } = self.balls[ball];
        let radius_m = self.bodies.forms[ball].radius_m;
        let way = scale(velocity, self.left_secs());
        let (way_m, still_m) = (norm(way), STILL_M_S * self.left_secs());
        let mut first: Option<f64> = None;
        let mut found = |secs: Option<f64>| first = [first, secs].into_iter().flatten().reduce(f64::min);
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            found(
                disc_meets(solid, position, way, radius_m, still_m)
                    .filter(|part| self.is_level(ball, solid, part * self.left_secs()))
                    .map(|part| self.now_secs + part * self.left_secs()),
            );
        }
        if !self.bodies.meetings.are_mutual() {
            return first;
        }
        for near in 0..self.space.near_robots.len() {
            let robot = self.space.near_robots[near];
            if self.is_near(robot, position, radius_m + way_m) {
                found(self.robot_meets(robot, ball));
            }
        }
        for other in 0..self.balls.len() {
            if other != ball {
                found(self.balls_meet(ball, other));
            }
        }
        first
    }

    /// Finds out when those robots meet something of which that is no longer known.
    fn foresee_again(&mut self) {
        self.space.unforeseen.sort_unstable();
        self.space.unforeseen.dedup();
        let mut unforeseen = std::mem::take(&mut self.space.unforeseen);
        for robot in unforeseen.drain(..) {
            let mut first = f64::INFINITY;
            self.impacts_of_robot(robot, |_, secs| first = first.min(secs));
            self.space.next_secs[robot] = first;
        }
        self.space.unforeseen = unforeseen;
    }

    /// Whether what is kept is what would be found out now, to the bit; of many nobody asks.
    fn is_foreseen(&self) -> bool {
        const FEW: usize = 24;
        let Space { near_robots, next_secs, .. } = &*self.space;
        near_robots.len() > FEW
            || near_robots.iter().all(|&robot| {
                let mut first = f64::INFINITY;
                self.impacts_of_robot(robot, |_, secs| first = first.min(secs));
                first == next_secs[robot]
            })
    }

    /// Forgets when a robot meets something. Of two robots the one of the lesser place knows of it.
    pub fn unforesee(&mut self, robot: usize) {
        let Space { unforeseen, neighbours, .. } = &mut *self.space;
        let lesser =
            neighbours.of(robot).iter().map(|&other| other as usize).take_while(|&other| other < robot);
        unforeseen.extend(lesser.chain([robot]));
    }

    /// Tells when a robot that is a disc meets what: fixtures, and robots of greater places. Balls find their own impacts.
    ///
    /// That hangs on where it, and whom it meets, last met something, and on nothing that happened elsewhere since.
    pub fn impacts_of_robot(&self, robot: usize, mut found: impl FnMut(Body, f64)) {
        let (since_secs, way) = self.way_since(robot);
        let body = &self.bodies.robots[robot];
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            if are_level(solid.z_m, body.z_m)
                && let Some(secs) = way.meets_solid(solid, body.disc_radius_m, self.dt_secs - since_secs)
            {
                found(Body::Fixture(fixture), since_secs + secs);
            }
        }
        if !self.bodies.meetings.are_mutual() {
            return;
        }
        let others = self.space.neighbours.of(robot).iter().map(|&other| other as usize);
        for other in others.filter(|&other| other > robot) {
            let (other_since_secs, other_way) = self.way_since(other);
            let from_secs = since_secs.max(other_since_secs);
            let one = if from_secs > since_secs { way.later(from_secs - since_secs) } else { way };
            let two = if from_secs > other_since_secs {
                other_way.later(from_secs - other_since_secs)
            } else {
                other_way
            };
            let radii_m = body.disc_radius_m + self.bodies.robots[other].disc_radius_m;
            if let Some(secs) = one.meets_disc(&two, radii_m, self.dt_secs - from_secs) {
                found(Body::Robot(other), from_secs + secs);
            }
        }
    }

    fn balls_meet(&self, ball: usize, other: usize) -> Option<f64> {
        let (one, two) = (&self.balls[ball], &self.balls[other]);
        let (from, velocity) = (sub(one.position, two.position), sub(one.velocity, two.velocity));
        let nearest_m = self.bodies.forms[ball].radius_m + self.bodies.forms[other].radius_m;
        if norm(from) <= nearest_m + TOUCH_M {
            let nears = dot(from, velocity) < -STILL_M_S * norm(from);
            return (nears && self.balls_are_level(ball, other, 0.0)).then_some(self.now_secs);
        }
        let part = point_touched_after([0.0; 2], from, scale(velocity, self.left_secs()), nearest_m)?;
        let after_secs = part * self.left_secs();
        self.balls_are_level(ball, other, after_secs).then_some(self.now_secs + after_secs)
    }

    /// Whether a robot comes so near to a place in what is left of the step.
    pub fn is_near(&self, robot: usize, place: Vec2, reach_m: f64) -> bool {
        let passage = &self.bodies.passages[robot];
        let (origin, way_m) = match &self.space.journeys[robot] {
            Some(journey) => {
                (journey.place.origin(), journey.fastest_m_s() * (self.dt_secs - journey.since_secs))
            }
            None => {
                let speed_m_s = norm([passage.twist.x_m_s, passage.twist.y_m_s]);
                (passage.start.origin(), speed_m_s * self.dt_secs)
            }
        };
        let reach_m = reach_m + self.bodies.robots[robot].reach_m + way_m + TOLD_M;
        let (dx, dy) = (place[0] - origin[0], place[1] - origin[1]);
        dx * dx + dy * dy <= reach_m * reach_m
    }

    /// Middle and radius of a robot that is a disc, at this moment.
    pub fn disc(&self, robot: usize) -> (Vec2, f64) {
        let (since_secs, way) = self.way_since(robot);
        let way = if self.now_secs > since_secs { way.later(self.now_secs - since_secs) } else { way };
        (way.position, self.bodies.robots[robot].disc_radius_m)
    }

    /// When a robot that is a disc last met something, and how it goes on from there.
    pub fn way_since(&self, robot: usize) -> (f64, Way) {
        let journey = self.seen(robot);
        (journey.since_secs, journey.way(self.bodies.robots[robot].inertia.centre))
    }

    /// Where a robot is at this moment.
    pub fn place_now(&self, robot: usize) -> Place {
        self.seen(robot).place_at(self.now_secs)
    }

    /// A robot where it last met something.
    pub fn seen(&self, robot: usize) -> Journey {
        self.space.journeys[robot].unwrap_or_else(|| set_off(&self.bodies, robot, self.dt_secs))
    }

    /// Brings a robot to this moment, at which it meets something.
    pub fn journey(&mut self, robot: usize) -> &mut Journey {
        let begin = || set_off(&self.bodies, robot, self.dt_secs);
        let journey = self.space.journeys[robot].get_or_insert_with(begin);
        if journey.since_secs != self.now_secs {
            journey.go_to(self.now_secs);
        }
        journey
    }

    /// When a ball meets a robot: in the robot's frame the robot stands, and the ball goes on a curve, which is taken in pieces.
    fn robot_meets(&self, robot: usize, ball: usize) -> Option<f64> {
        let (Ball { position, velocity, .. }, radius_m) =
            (self.balls[ball], self.bodies.forms[ball].radius_m);
        let (now_secs, left_secs) = (self.now_secs, self.left_secs());
        let mut journey = self.seen(robot);
        journey.go_to(now_secs);
        let pieces = (journey.twist.turn_rad_s.abs() * left_secs / PIECE_RAD).ceil().clamp(1.0, 256.0);
        let curve = Curve { journey, position, velocity, since_secs: now_secs };
        let mut start = curve.at(now_secs);
        for piece in 0..pieces as usize {
            let from_secs = now_secs + left_secs * piece as f64 / pieces;
            let to_secs = now_secs + left_secs * (piece + 1) as f64 / pieces;
            let end = curve.at(to_secs);
            let solids = self.bodies.robots[robot].solids();
            let meets = |solid| {
                curve
                    .meets(solid, radius_m, [from_secs, to_secs], [start, end])
                    .filter(|secs| self.is_level(ball, solid, secs - now_secs))
            };
            if let Some(secs) = solids.filter_map(meets).reduce(f64::min) {
                return Some(secs);
            }
            start = end;
        }
        None
    }
}

/// A robot when the step begins.
fn set_off(bodies: &Bodies<'_>, robot: usize, dt_secs: f64) -> Journey {
    let (passage, body) = (&bodies.passages[robot], &bodies.robots[robot]);
    if body.slips() {
        Journey::skidding(passage, body.inertia.centre, dt_secs)
    } else {
        Journey::new(passage.start, passage.twist)
    }
}
