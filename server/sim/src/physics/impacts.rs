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

use super::body::{Inertia, Journey, Passage, Place, RobotBody};
use super::contact::{self, Response};
use super::shape::{Gap, Solid, Vec2, add, cross, dot, left_of, norm, point_touched_after, scale, sub};
use super::{Owner, where_met};
use crate::ball::Ball;
use crate::scenario::{BallSpec, Surface};

/// Nearer than this is touching, metres.
const TOUCH_M: f64 = 1e-7;
/// Who is so near when others touch takes part in the impact, metres.
const GROUP_M: f64 = 1e-6;
/// Who is so near at the end of a step is told to touch, metres.
const TOLD_M: f64 = 1e-4;
/// Who nears more slowly does not meet, m/s.
const STILL_M_S: f64 = 1e-7;
/// Below this speed an impact is without restitution, m/s.
const REST_M_S: f64 = 0.01;
/// How far a robot turns at most in one piece of its arc, radians.
const PIECE_RAD: f64 = 0.03;
/// So many impacts at one moment are solved one after the other, before all are solved together.
const ONE_BY_ONE: usize = 12;
/// So many moments of impact in a step are with restitution; so many more are without. Then the balls that still would meet something stay.
const MOMENTS: usize = 64;

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
        self.near(position, radius_m).any(|solid| solid.gap(position).distance_m < radius_m)
    }

    /// Those that a disc of this radius may meet.
    fn near(&self, [x, y]: Vec2, radius_m: f64) -> impl Iterator<Item = &Solid> {
        let is_near = move |[low, high]: &[Vec2; 2]| {
            x + radius_m >= low[0]
                && x - radius_m <= high[0]
                && y + radius_m >= low[1]
                && y - radius_m <= high[1]
        };
        self.bounds
            .iter()
            .zip(&self.solids)
            .filter(move |(bounds, _)| is_near(bounds))
            .map(|(_, solid)| solid)
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
    contacts: Vec<Contact>,
    touching: Vec<(u32, Owner)>,
}

impl Space {
    /// Where a robot that balls have pushed is at the end of the step, and its velocity there, in the body frame.
    pub fn pushed(
        &self,
        robot: usize,
        dt_secs: f64,
    ) -> Option<(Place, touchline_plugin_api::geometry::Twist2)> {
        let journey = self.journeys[robot].as_ref().filter(|journey| journey.was_pushed)?;
        Some((journey.place_at(dt_secs), journey.twist))
    }

    /// Which ball touched whom in the step, sorted.
    pub fn touching(&self) -> &[(u32, Owner)] {
        &self.touching
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    Fixture,
    Robot(usize),
    Ball(usize),
}

/// A ball touches something.
#[derive(Clone, Copy, Debug)]
struct Contact {
    ball: usize,
    other: Other,
    /// Towards the ball.
    normal: Vec2,
    point: Vec2,
    friction: f64,
    restitution: f64,
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
        if (0..self.balls.len()).all(|ball| self.is_free(ball)) {
            self.go_to(self.dt_secs);
            return;
        }
        (0..self.balls.len()).for_each(|ball| self.part(ball));
        for moment in 0..2 * MOMENTS {
            let Some((ball, secs)) = self.next_impact() else { break };
            self.go_to(secs);
            self.meet(ball, moment < MOMENTS);
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

    /// Whether a ball is so far from everything that it meets nothing in this step.
    fn is_free(&self, ball: usize) -> bool {
        let Ball { position, velocity, .. } = self.balls[ball];
        let reach_m = self.bodies.forms[ball].radius_m + norm(velocity) * self.dt_secs + TOLD_M;
        let nears = |(other, form): (&Ball, &BallForm)| {
            norm(sub(other.position, position))
                <= reach_m + form.radius_m + norm(other.velocity) * self.dt_secs
        };
        let others = self.balls.iter().zip(self.bodies.forms).enumerate();
        !((0..self.bodies.robots.len()).any(|robot| self.is_near(robot, position, reach_m))
            || self.bodies.fixtures.near(position, reach_m).next().is_some()
            || others.filter(|&(other, _)| other != ball).any(|(_, other)| nears(other)))
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
        for solid in self.bodies.fixtures.near(position, radius_m + way_m) {
            found(
                disc_meets(solid, position, way, radius_m)
                    .map(|part| self.now_secs + part * self.left_secs()),
            );
        }
        for robot in 0..self.bodies.robots.len() {
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
            // An arc of half a circle is longer than its chord by this.
            None => {
                (passage.start.origin(), 1.6 * norm([passage.displacement.x_m, passage.displacement.y_m]))
            }
        };
        let reach_m = reach_m + self.bodies.robots[robot].radius_m + way_m + TOLD_M;
        let (dx, dy) = (place[0] - origin[0], place[1] - origin[1]);
        dx * dx + dy * dy <= reach_m * reach_m
    }

    /// The robot at this moment.
    fn journey(&mut self, robot: usize) -> &mut Journey {
        let passage = &self.bodies.passages[robot];
        let begin = || Journey::new(passage.start, passage.displacement.mean_twist(self.dt_secs));
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

    /// Lets a ball meet what it touches now, and with it the balls that it touches.
    fn meet(&mut self, ball: usize, bounces: bool) {
        self.space.contacts.clear();
        self.find_contacts(ball, GROUP_M);
        let mut known = 0;
        while known < self.space.contacts.len() {
            let contact = self.space.contacts[known];
            known += 1;
            if let Other::Ball(other) = contact.other
                && self.space.contacts.iter().all(|contact| contact.ball != other)
            {
                self.find_contacts(other, GROUP_M);
            }
        }
        let contacts = std::mem::take(&mut self.space.contacts);
        for contact in &contacts {
            self.tell_touch(contact);
        }
        if !self.meet_one_by_one(&contacts, bounces) {
            self.press(&contacts);
        }
        self.space.contacts = contacts;
    }

    /// Impacts of two bodies, the hardest first, until nobody nears; false if there is no end of it.
    fn meet_one_by_one(&mut self, contacts: &[Contact], bounces: bool) -> bool {
        for _ in 0..ONE_BY_ONE {
            let nearing = contacts.iter().map(|contact| (contact, self.relative_velocity(contact)));
            let Some((contact, velocity)) = nearing.min_by(|(_, a), (_, b)| a[0].total_cmp(&b[0])) else {
                return true;
            };
            if velocity[0] >= -STILL_M_S {
                return true;
            }
            let restitution = if bounces && velocity[0] < -REST_M_S { contact.restitution } else { 0.0 };
            let impulse = contact::impulse(self.response(contact), velocity, contact.friction, restitution);
            self.push(contact, impulse);
        }
        false
    }

    /// All at once and without restitution: first what keeps them apart, then friction, then what that has changed.
    fn press(&mut self, contacts: &[Contact]) {
        let count = contacts.len();
        let couplings: Vec<f64> =
            (0..count * count).map(|i| self.coupling(&contacts[i / count], &contacts[i % count])).collect();
        let speeds = |impacts: &Self| -> Vec<f64> {
            contacts.iter().map(|contact| impacts.relative_velocity(contact)[0]).collect()
        };
        let impulses = contact::press(&couplings, &speeds(self));
        contacts.iter().zip(&impulses).for_each(|(contact, &impulse)| self.push(contact, [impulse, 0.0]));
        for (contact, impulse) in contacts.iter().zip(&impulses) {
            let sliding = self.relative_velocity(contact)[1];
            let most = contact.friction * impulse;
            let friction = (-sliding / self.response(contact).tangent).clamp(-most, most);
            self.push(contact, [0.0, friction]);
        }
        let impulses = contact::press(&couplings, &speeds(self));
        contacts.iter().zip(&impulses).for_each(|(contact, &impulse)| self.push(contact, [impulse, 0.0]));
    }

    /// Velocity of the ball against the other where they touch: along the normal, along the tangent, m/s.
    fn relative_velocity(&self, contact: &Contact) -> Vec2 {
        let ball = |ball: usize| {
            let Ball { position, velocity, spin_rad_s, .. } = self.balls[ball];
            add(velocity, scale(left_of(sub(contact.point, position)), spin_rad_s))
        };
        let other = match contact.other {
            Other::Fixture => [0.0; 2],
            Other::Ball(other) => ball(other),
            Other::Robot(robot) => self.space.journeys[robot]
                .as_ref()
                .map_or([0.0; 2], |journey| journey.velocity_at(contact.point)),
        };
        let velocity = sub(ball(contact.ball), other);
        [dot(velocity, contact.normal), dot(velocity, left_of(contact.normal))]
    }

    /// What the other body of a contact sets against a push, and from where it turns, metres.
    fn inertia_of(&self, other: Other) -> (Inertia, Vec2) {
        match other {
            Other::Fixture => (Inertia::default(), [0.0; 2]),
            Other::Ball(ball) => (self.bodies.forms[ball].inertia, self.balls[ball].position),
            Other::Robot(robot) => {
                let inertia = self.bodies.robots[robot].inertia;
                let place = self.space.journeys[robot]
                    .map_or(self.bodies.passages[robot].start, |journey| journey.place);
                (inertia, place.to_outer(inertia.centre))
            }
        }
    }

    fn response(&self, contact: &Contact) -> Response {
        let side = |other: Other| {
            let (inertia, centre) = self.inertia_of(other);
            let arm = sub(contact.point, centre);
            contact::response((inertia.per_mass, inertia.per_moment), arm, contact.normal)
        };
        side(Other::Ball(contact.ball)) + side(contact.other)
    }

    /// What a unit impulse along the normal of `by` does to the speed along the normal of `at`.
    fn coupling(&self, at: &Contact, by: &Contact) -> f64 {
        let sides = |contact: &Contact| [(Other::Ball(contact.ball), 1.0), (contact.other, -1.0)];
        let mut sum = 0.0;
        for (one, one_sign) in sides(at) {
            for (other, other_sign) in sides(by) {
                if one == other && one != Other::Fixture {
                    let (inertia, centre) = self.inertia_of(one);
                    let lever = |contact: &Contact| cross(sub(contact.point, centre), contact.normal);
                    let turning = lever(at) * lever(by) * inertia.per_moment;
                    sum += one_sign * other_sign * (dot(at.normal, by.normal) * inertia.per_mass + turning);
                }
            }
        }
        sum
    }

    fn push(&mut self, contact: &Contact, [normal, tangent]: Vec2) {
        let impulse = add(scale(contact.normal, normal), scale(left_of(contact.normal), tangent));
        self.push_ball(contact.ball, impulse, contact.point);
        let back = scale(impulse, -1.0);
        match contact.other {
            Other::Fixture => {}
            Other::Ball(ball) => self.push_ball(ball, back, contact.point),
            Other::Robot(robot) => {
                let inertia = self.bodies.robots[robot].inertia;
                self.journey(robot).push(&inertia, back, contact.point);
            }
        }
    }

    fn push_ball(&mut self, ball: usize, impulse: Vec2, point: Vec2) {
        let inertia = self.bodies.forms[ball].inertia;
        let ball = &mut self.balls[ball];
        ball.velocity = add(ball.velocity, scale(impulse, inertia.per_mass));
        ball.spin_rad_s += cross(sub(point, ball.position), impulse) * inertia.per_moment;
    }

    /// Appends everything that is at most so far from a ball, metres.
    fn find_contacts(&mut self, ball: usize, within_m: f64) {
        let position = self.balls[ball].position;
        let form = self.bodies.forms[ball];
        let touches = |gap: &Gap| gap.distance_m <= form.radius_m + within_m;
        let contact = |other, owner, surface, gap: Gap| {
            let own = (Owner::Ball(ball as u32), form.surface);
            let (friction, restitution) = where_met(own, (owner, surface));
            let point = sub(position, scale(gap.normal, form.radius_m));
            Contact { ball, other, normal: gap.normal, point, friction, restitution }
        };
        for solid in self.bodies.fixtures.near(position, form.radius_m + within_m) {
            let gap = solid.gap(position);
            if touches(&gap) {
                self.space.contacts.push(contact(Other::Fixture, Owner::Fixtures, solid.surface, gap));
            }
        }
        for robot in 0..self.bodies.robots.len() {
            if !self.is_near(robot, position, form.radius_m) {
                continue;
            }
            let place = self.journey(robot).place;
            let (body, inner) = (&self.bodies.robots[robot], place.to_inner(position));
            for solid in body.solids().filter(|solid| !solid.is_beyond(inner, form.radius_m + within_m)) {
                let gap = solid.gap(inner);
                if touches(&gap) {
                    let gap = Gap { normal: super::shape::turned(place.heading, gap.normal), ..gap };
                    let owner = Owner::Robot(body.number);
                    self.space.contacts.push(contact(Other::Robot(robot), owner, solid.surface, gap));
                }
            }
        }
        for other in (0..self.balls.len()).filter(|&other| other != ball) {
            let away = sub(position, self.balls[other].position);
            let (distance_m, second) = (norm(away), &self.bodies.forms[other]);
            if distance_m > 0.0 && distance_m <= form.radius_m + second.radius_m + within_m {
                let gap = Gap { distance_m, normal: scale(away, 1.0 / distance_m) };
                let owner = Owner::Ball(other as u32);
                self.space.contacts.push(contact(Other::Ball(other), owner, second.surface, gap));
            }
        }
    }

    fn tell_touching(&mut self, ball: usize) {
        self.space.contacts.clear();
        self.find_contacts(ball, TOLD_M);
        for index in 0..self.space.contacts.len() {
            let contact = self.space.contacts[index];
            self.tell_touch(&contact);
        }
    }

    fn tell_touch(&mut self, contact: &Contact) {
        let owner = match contact.other {
            Other::Fixture => Owner::Fixtures,
            Other::Robot(robot) => Owner::Robot(self.bodies.robots[robot].number),
            Other::Ball(ball) => Owner::Ball(ball as u32),
        };
        // Two balls touch once, and not once each.
        let pair = match owner {
            Owner::Ball(other) if other < contact.ball as u32 => (other, Owner::Ball(contact.ball as u32)),
            owner => (contact.ball as u32, owner),
        };
        if !self.space.touching.contains(&pair) {
            self.space.touching.push(pair);
        }
    }

    /// Parts a ball from what it overlaps.
    fn part(&mut self, ball: usize) {
        const ROUNDS: usize = 8;
        for _ in 0..ROUNDS {
            let from_fixtures = self.part_from_fixtures(ball);
            let from_robots = self.part_from_robots(ball);
            let from_balls = self.part_from_balls(ball);
            if !(from_fixtures || from_robots || from_balls) {
                return;
            }
        }
        self.part_from_fixtures(ball);
    }

    fn part_from_fixtures(&mut self, ball: usize) -> bool {
        let (mut position, radius_m) = (self.balls[ball].position, self.bodies.forms[ball].radius_m);
        let mut overlaps = false;
        for solid in self.bodies.fixtures.near(position, radius_m) {
            let gap = solid.gap(position);
            if gap.distance_m < radius_m - TOUCH_M {
                position = add(position, scale(gap.normal, radius_m - gap.distance_m));
                overlaps = true;
            }
        }
        self.balls[ball].position = position;
        overlaps
    }

    fn part_from_robots(&mut self, ball: usize) -> bool {
        let radius_m = self.bodies.forms[ball].radius_m;
        let mut overlaps = false;
        for robot in 0..self.bodies.robots.len() {
            let position = self.balls[ball].position;
            if !self.is_near(robot, position, radius_m) {
                continue;
            }
            let place = self.journey(robot).place;
            let inner = place.to_inner(position);
            let gaps = self.bodies.robots[robot].solids().map(|solid| solid.gap(inner));
            let Some(gap) = gaps.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m)) else { continue };
            let depth_m = radius_m - gap.distance_m;
            if depth_m <= TOUCH_M {
                continue;
            }
            overlaps = true;
            let out = scale(super::shape::turned(place.heading, gap.normal), depth_m);
            let near = self.bodies.fixtures.near(position, radius_m + depth_m);
            let part =
                near.filter_map(|solid| disc_meets(solid, position, out, radius_m)).fold(1.0, f64::min);
            self.balls[ball].position = add(position, scale(out, part));
            if part < 1.0 {
                self.journey(robot).shift(scale(out, part - 1.0));
            }
        }
        overlaps
    }

    fn part_from_balls(&mut self, ball: usize) -> bool {
        let mut overlaps = false;
        for other in (0..self.balls.len()).filter(|&other| other != ball) {
            let away = sub(self.balls[ball].position, self.balls[other].position);
            let distance_m = norm(away);
            let depth_m = self.bodies.forms[ball].radius_m + self.bodies.forms[other].radius_m - distance_m;
            if depth_m > TOUCH_M {
                let normal = if distance_m > 0.0 { scale(away, 1.0 / distance_m) } else { [1.0, 0.0] };
                let half = scale(normal, depth_m / 2.0);
                self.balls[ball].position = add(self.balls[ball].position, half);
                self.balls[other].position = sub(self.balls[other].position, half);
                overlaps = true;
            }
        }
        overlaps
    }
}

/// The part of its way after which a disc meets what stands; at once if it touches it and nears it.
fn disc_meets(solid: &Solid, position: Vec2, way: Vec2, radius_m: f64) -> Option<f64> {
    if solid.is_beyond(position, radius_m + norm(way)) {
        return None;
    }
    let gap = solid.gap(position);
    if gap.distance_m <= radius_m + TOUCH_M {
        return (dot(way, gap.normal) < 0.0).then_some(0.0);
    }
    solid.touched_after(position, way, radius_m)
}

/// A ball's way in a robot's frame.
struct Curve {
    journey: Journey,
    position: Vec2,
    velocity: Vec2,
    since_secs: f64,
}

impl Curve {
    fn at(&self, secs: f64) -> Vec2 {
        let position = add(self.position, scale(self.velocity, secs - self.since_secs));
        self.journey.place_at(secs).to_inner(position)
    }

    /// How far the ball is from touching, and how fast that grows.
    fn gap(&self, solid: &Solid, radius_m: f64, secs: f64) -> (f64, f64) {
        let position = add(self.position, scale(self.velocity, secs - self.since_secs));
        let journey = Journey { place: self.journey.place_at(secs), since_secs: secs, ..self.journey };
        let gap = solid.gap(journey.place.to_inner(position));
        let normal = super::shape::turned(journey.place.heading, gap.normal);
        let point = sub(position, scale(normal, gap.distance_m));
        let velocity = sub(self.velocity, journey.velocity_at(point));
        (gap.distance_m - radius_m, dot(velocity, normal))
    }

    /// When it touches an outline in a piece of the way that is nearly straight.
    fn meets(&self, solid: &Solid, radius_m: f64, times: [f64; 2], [start, end]: [Vec2; 2]) -> Option<f64> {
        const NEWTON_STEPS: usize = 6;
        let way = sub(end, start);
        if solid.is_beyond(start, radius_m + norm(way) + TOUCH_M) {
            return None;
        }
        let (gap_m, speed_m_s) = self.gap(solid, radius_m, times[0]);
        if gap_m <= TOUCH_M {
            return (speed_m_s < -STILL_M_S).then_some(times[0]);
        }
        let mut secs = times[0] + solid.touched_after(start, way, radius_m)? * (times[1] - times[0]);
        for _ in 0..NEWTON_STEPS {
            let (gap_m, speed_m_s) = self.gap(solid, radius_m, secs);
            if speed_m_s >= -STILL_M_S {
                return None;
            }
            if gap_m.abs() < TOUCH_M / 10.0 {
                return Some(secs);
            }
            secs = (secs - gap_m / speed_m_s).clamp(times[0], times[1]);
        }
        // Within a piece that ends before they touch: the next one begins there.
        (self.gap(solid, radius_m, secs).0 <= TOUCH_M).then_some(secs)
    }
}
