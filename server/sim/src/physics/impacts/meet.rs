//! What bodies do where they touch: who takes part, who gives what to whom.

use super::super::impulse::{self, Response};
use super::super::journey::{Inertia, Passage};
use super::super::shape::{Gap, Solid, Vec2, add, cross, dot, left_of, norm, scale, sub, turned};
use super::super::{Owner, where_met};
use super::flight::are_level;
use super::{Body, Impacts, ROBOTS_STILL_M_S, STILL_M_S, Space, TOLD_M};
use crate::ball::Ball;
use crate::scenario::Surface;

/// Who is so near when others touch takes part in the impact, metres.
const GROUP_M: f64 = 1e-6;
/// Below this speed an impact is without restitution, m/s.
pub const REST_M_S: f64 = 0.01;
/// Who parts more slowly stays with what it touches, m/s.
const LEAVES_M_S: f64 = 1e-3;
/// A contact between two bodies, with its friction and restitution.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// A ball, or a robot that is a disc.
    pub one: Body,
    pub other: Body,
    /// Unit vector that points towards `one`.
    pub normal: Vec2,
    pub point: Vec2,
    pub friction: f64,
    pub restitution: f64,
    /// Slower than this they do not bounce, m/s.
    pub rest_m_s: f64,
    /// Slower than this they do not near, m/s.
    pub still_m_s: f64,
}

impl Impacts<'_> {
    /// Lets a body meet what it touches now, and with it those that take part.
    pub fn meet(&mut self, body: Body, bounces: bool) {
        self.forget_contacts();
        self.find_contacts(body, GROUP_M);
        let mut known = 0;
        while known < self.space.contacts.len() {
            let contact = self.space.contacts[known];
            known += 1;
            for side in [contact.one, contact.other] {
                if self.moves_by_impacts(side) && !self.is_looked_at(side) {
                    self.find_contacts(side, GROUP_M);
                }
            }
        }
        let contacts = std::mem::take(&mut self.space.contacts);
        for contact in &contacts {
            self.tell_touch(contact);
        }
        self.end_slides(&contacts);
        let drives = self.begin_gaining(&contacts);
        if !self.meet_one_by_one(&contacts, bounces) {
            self.press(&contacts);
        }
        if !drives.is_empty() {
            self.end_gaining(&drives);
            if !self.meet_one_by_one(&contacts, false) {
                self.press(&contacts);
            }
        }
        self.begin_slides(&contacts);
        self.look_round_again(body, &contacts);
        self.space.contacts = contacts;
    }

    /// Lets friction act on the balls that meet something, as far as they have come.
    fn end_slides(&mut self, contacts: &[Contact]) {
        for contact in contacts {
            for side in [contact.one, contact.other] {
                if let Body::Ball(ball) = side {
                    self.balls[ball].end_slide(&self.bodies.forms[ball].slowing, self.now_secs);
                }
            }
        }
    }

    /// Sends the balls on that have met something. Who does not leave all that it touches goes with it, and is slowed at the end: it would meet
    /// it again at once.
    fn begin_slides(&mut self, contacts: &[Contact]) {
        for ball in 0..self.balls.len() {
            let is_of = |contact: &&Contact| [contact.one, contact.other].contains(&Body::Ball(ball));
            if !contacts.iter().any(|contact| is_of(&contact)) {
                continue;
            }
            let stays = self.balls[ball];
            self.balls[ball].set_off(&self.bodies.forms[ball].slowing, self.now_secs, self.left_secs());
            let leaves = |contact: &Contact| self.relative_velocity(contact)[0] > LEAVES_M_S;
            if !contacts.iter().filter(is_of).all(leaves) {
                self.balls[ball] = stays;
                self.balls[ball].begin_slide(self.now_secs);
            }
        }
    }

    /// Gives the robots that meet robots or fixtures the velocity that they have at this moment, and not on the mean over the step, and tells who
    /// they are; who presses from the beginning of the step on has already given all of it to the others.
    fn begin_gaining(&mut self, contacts: &[Contact]) -> Vec<usize> {
        let mut drives = Vec::new();
        for contact in contacts.iter().filter(|contact| matches!(contact.one, Body::Robot(_))) {
            for side in [contact.one, contact.other] {
                let Body::Robot(robot) = side else { continue };
                let Passage { twist, end, arrival, .. } = self.bodies.passages[robot];
                let body = &self.bodies.robots[robot];
                let part = if body.is_pressed() { 1.0 } else { self.now_secs / self.dt_secs };
                let journey = self.journey(robot);
                if twist == end || journey.has_gained {
                    continue;
                }
                journey.gain_within(body.velocity_within(part, &journey.place, &arrival));
                if body.is_pressed() {
                    // What presses takes it straight to where it arrives, whether it is pushed here or not.
                    journey.skid(&body.inertia);
                } else {
                    drives.push(robot);
                }
            }
        }
        drives
    }

    /// Gives them what their drives bring them to the end of the step. They have it at once, so that none is farther away from what it has met than it
    /// will be.
    fn end_gaining(&mut self, drives: &[usize]) {
        for &robot in drives {
            let body = &self.bodies.robots[robot];
            let (by, turns_by) = body.speeds_up(&self.bodies.passages[robot].arrival);
            let left = 1.0 - self.now_secs / self.dt_secs;
            self.journey(robot).speed_up(body.inertia.centre, (scale(by, left), turns_by * left));
        }
    }

    /// Velocity of the one against the other where they touch: along the normal, along the tangent, m/s.
    pub fn relative_velocity(&self, contact: &Contact) -> Vec2 {
        let velocity_of = |body: Body| match body {
            Body::Fixture(_) => [0.0; 2],
            Body::Ball(ball) => {
                let Ball { position, velocity, spin_rad_s, .. } = self.balls[ball];
                add(velocity, scale(left_of(sub(contact.point, position)), spin_rad_s))
            }
            Body::Robot(robot) => self.space.journeys[robot]
                .as_ref()
                .map_or([0.0; 2], |journey| journey.velocity_at(contact.point)),
        };
        let velocity = sub(velocity_of(contact.one), velocity_of(contact.other));
        [dot(velocity, contact.normal), dot(velocity, left_of(contact.normal))]
    }

    /// What a body sets against a push, and from where it turns, metres.
    pub fn inertia_of(&self, body: Body) -> (Inertia, Vec2) {
        match body {
            Body::Fixture(_) => (Inertia::default(), [0.0; 2]),
            Body::Ball(ball) => (self.bodies.forms[ball].inertia, self.balls[ball].position),
            Body::Robot(robot) => {
                let inertia = self.bodies.robots[robot].inertia;
                let place = self.space.journeys[robot]
                    .map_or(self.bodies.passages[robot].start, |journey| journey.place);
                (inertia, place.to_outer(inertia.centre))
            }
        }
    }

    pub fn response(&self, contact: &Contact) -> Response {
        let side = |body: Body| {
            let (inertia, centre) = self.inertia_of(body);
            let arm = sub(contact.point, centre);
            impulse::response((inertia.per_mass, inertia.per_moment), arm, contact.normal)
        };
        side(contact.one) + side(contact.other)
    }

    pub fn push(&mut self, contact: &Contact, [normal, tangent]: Vec2) {
        let impulse = add(scale(contact.normal, normal), scale(left_of(contact.normal), tangent));
        // A robot that a ball has met goes on along its arc but for what the ball gave it; one that met something heavy skids.
        let skids = matches!(contact.one, Body::Robot(_));
        self.push_body(contact.one, impulse, contact.point, skids);
        self.push_body(contact.other, scale(impulse, -1.0), contact.point, skids);
    }

    fn push_body(&mut self, body: Body, impulse: Vec2, point: Vec2, skids: bool) {
        match body {
            Body::Fixture(_) => {}
            Body::Ball(ball) => {
                let inertia = self.bodies.forms[ball].inertia;
                let ball = &mut self.balls[ball];
                ball.velocity = add(ball.velocity, scale(impulse, inertia.per_mass));
                ball.spin_rad_s += cross(sub(point, ball.position), impulse) * inertia.per_moment;
            }
            Body::Robot(robot) => {
                let inertia = self.bodies.robots[robot].inertia;
                let journey = self.journey(robot);
                if skids {
                    journey.push(&inertia, impulse, point);
                    journey.skid(&inertia);
                } else {
                    journey.push_lightly(&inertia, impulse, point);
                }
            }
        }
    }

    fn forget_contacts(&mut self) {
        let Space { contacts, looked_at, is_looked_at, .. } = &mut *self.space;
        contacts.clear();
        for body in looked_at.drain(..) {
            if let Body::Robot(robot) = body {
                is_looked_at[robot] = false;
            }
        }
    }

    fn is_looked_at(&self, body: Body) -> bool {
        match body {
            Body::Robot(robot) => self.space.is_looked_at[robot],
            Body::Fixture(_) | Body::Ball(_) => self.space.looked_at.contains(&body),
        }
    }

    /// Appends everything that is at most so far from a body, metres.
    fn find_contacts(&mut self, body: Body, within_m: f64) {
        self.space.looked_at.push(body);
        match body {
            Body::Fixture(_) => {}
            Body::Ball(ball) => self.find_contacts_of_ball(ball, within_m),
            Body::Robot(robot) => {
                self.space.is_looked_at[robot] = true;
                self.find_contacts_of_robot(robot, within_m);
            }
        }
    }

    fn find_contacts_of_ball(&mut self, ball: usize, within_m: f64) {
        let position = self.balls[ball].position;
        let form = self.bodies.forms[ball];
        let touches = |gap: &Gap| gap.distance_m <= form.radius_m + within_m;
        let contact = |other, owner, surface, gap: Gap| {
            let own = (Owner::Ball(ball as u32), form.surface);
            let (friction, restitution) = where_met(own, (owner, surface));
            let point = sub(position, scale(gap.normal, form.radius_m));
            let (one, normal) = (Body::Ball(ball), gap.normal);
            let (rest_m_s, still_m_s) = (REST_M_S, STILL_M_S);
            Contact { one, other, normal, point, friction, restitution, rest_m_s, still_m_s }
        };
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            if !self.is_level(ball, solid, 0.0) || solid.is_beyond(position, form.radius_m + within_m) {
                continue;
            }
            let gap = solid.gap(position);
            if touches(&gap) {
                let owner = self.bodies.fixtures.owner(fixture);
                self.space.contacts.push(contact(Body::Fixture(fixture), owner, solid.surface, gap));
            }
        }
        if !self.bodies.meetings.are_mutual() {
            return;
        }
        for near in 0..self.space.near_robots.len() {
            let robot = self.space.near_robots[near];
            let (place, mut takes_part) = (self.place_now(robot), false);
            let (body, inner) = (&self.bodies.robots[robot], place.to_inner(position));
            for solid in body.solids().filter(|solid| !solid.is_beyond(inner, form.radius_m + within_m)) {
                if !self.is_level(ball, solid, 0.0) {
                    continue;
                }
                let gap = solid.gap(inner);
                if touches(&gap) {
                    let gap = Gap { normal: turned(place.heading, gap.normal), ..gap };
                    let owner = Owner::Robot(body.number);
                    self.space.contacts.push(contact(Body::Robot(robot), owner, solid.surface, gap));
                    takes_part = true;
                }
            }
            if takes_part {
                self.journey(robot);
            }
        }
        for other in (0..self.balls.len()).filter(|&other| other != ball) {
            let away = sub(position, self.balls[other].position);
            let (distance_m, second) = (norm(away), &self.bodies.forms[other]);
            if distance_m > 0.0
                && distance_m <= form.radius_m + second.radius_m + within_m
                && self.balls_are_level(ball, other, 0.0)
            {
                let gap = Gap { distance_m, normal: scale(away, 1.0 / distance_m) };
                let owner = Owner::Ball(other as u32);
                self.space.contacts.push(contact(Body::Ball(other), owner, second.surface, gap));
            }
        }
    }

    /// Those of a robot that is a disc. A contact of two robots is found from the one that is looked at first, those with
    /// balls from the ball.
    fn find_contacts_of_robot(&mut self, robot: usize, within_m: f64) {
        // Who takes part is brought to this moment.
        self.journey(robot);
        let (position, radius_m) = self.disc(robot);
        let Some(surface) = self.bodies.robots[robot].surface() else { return };
        let (gained_m_s, still_m_s) = (self.bodies.robots[robot].gained_m_s(), ROBOTS_STILL_M_S);
        let own = (Owner::Robot(self.bodies.robots[robot].number), surface);
        let contact = |other, theirs: (Owner, Surface), normal, gained_m_s: f64| {
            let (friction, restitution) = where_met(own, theirs);
            let point = sub(position, scale(normal, radius_m));
            let (one, rest_m_s) = (Body::Robot(robot), REST_M_S + gained_m_s);
            Contact { one, other, normal, point, friction, restitution, rest_m_s, still_m_s }
        };
        for &fixture in &self.space.near_fixtures {
            let solid: &Solid = &self.bodies.fixtures.solids[fixture];
            let is_level = are_level(solid.z_m, self.bodies.robots[robot].z_m);
            if !is_level || solid.is_beyond(position, radius_m + within_m) {
                continue;
            }
            let Gap { distance_m, normal } = solid.gap(position);
            if distance_m <= radius_m + within_m {
                let theirs = (self.bodies.fixtures.owner(fixture), solid.surface);
                self.space.contacts.push(contact(Body::Fixture(fixture), theirs, normal, gained_m_s));
            }
        }
        if !self.bodies.meetings.are_mutual() {
            return;
        }
        for place in 0..self.space.neighbours.of(robot).len() {
            let other = self.space.neighbours.of(robot)[place] as usize;
            if self.space.is_looked_at[other] {
                continue;
            }
            let (second, second_radius_m) = self.disc(other);
            let (away, reach_m) = (sub(position, second), radius_m + second_radius_m + within_m);
            let distance_m = norm(away);
            if distance_m > 0.0
                && distance_m <= reach_m
                && let Some(surface) = self.bodies.robots[other].surface()
            {
                let theirs = (Owner::Robot(self.bodies.robots[other].number), surface);
                let gained_m_s = gained_m_s + self.bodies.robots[other].gained_m_s();
                let normal = scale(away, 1.0 / distance_m);
                self.space.contacts.push(contact(Body::Robot(other), theirs, normal, gained_m_s));
            }
        }
        for ball in 0..self.balls.len() {
            let reach_m = self.bodies.robots[robot].reach_m + self.bodies.forms[ball].radius_m + within_m;
            let origin = self.place_now(robot).origin();
            if norm(sub(self.balls[ball].position, origin)) <= reach_m && !self.is_looked_at(Body::Ball(ball))
            {
                self.find_contacts(Body::Ball(ball), within_m);
            }
        }
    }

    pub fn tell_touching(&mut self, body: Body) {
        self.forget_contacts();
        self.find_contacts(body, TOLD_M);
        for index in 0..self.space.contacts.len() {
            let contact = self.space.contacts[index];
            self.tell_touch(&contact);
        }
    }

    fn tell_touch(&mut self, contact: &Contact) {
        self.tell_pair(contact.one, contact.other);
    }

    /// Two bodies touch once, and not once each.
    pub fn tell_pair(&mut self, one: Body, other: Body) {
        let [one, other] = [one, other].map(|body| match body {
            Body::Fixture(place) => self.bodies.fixtures.owner(place),
            Body::Robot(robot) => Owner::Robot(self.bodies.robots[robot].number),
            Body::Ball(ball) => Owner::Ball(ball as u32),
        });
        self.space.touching.add((one.min(other), one.max(other)));
    }
}
