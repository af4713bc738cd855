//! What a ball does where it touches: who takes part, who gives what to whom.

use super::super::body::Inertia;
use super::super::contact::{self, Response};
use super::super::shape::{Gap, Vec2, add, cross, dot, left_of, norm, scale, sub, turned};
use super::super::{Owner, where_met};
use super::{Impacts, STILL_M_S, TOLD_M};
use crate::ball::Ball;

/// Who is so near when others touch takes part in the impact, metres.
const GROUP_M: f64 = 1e-6;
/// Below this speed an impact is without restitution, m/s.
const REST_M_S: f64 = 0.01;
/// So many impacts at one moment are solved one after the other, before all are solved together.
const ONE_BY_ONE: usize = 12;

/// What a ball touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    Fixture,
    Robot(usize),
    Ball(usize),
}

/// A ball touches something.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    ball: usize,
    other: Other,
    /// Towards the ball.
    normal: Vec2,
    point: Vec2,
    friction: f64,
    restitution: f64,
}

impl Impacts<'_> {
    /// Lets a ball meet what it touches now, and with it the balls that it touches.
    pub fn meet(&mut self, ball: usize, bounces: bool) {
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
        // Faster than before it may come farther.
        self.look_round();
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
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            if solid.is_beyond(position, form.radius_m + within_m) {
                continue;
            }
            let gap = solid.gap(position);
            if touches(&gap) {
                self.space.contacts.push(contact(Other::Fixture, Owner::Fixtures, solid.surface, gap));
            }
        }
        for near in 0..self.space.near_robots.len() {
            let robot = self.space.near_robots[near];
            let place = self.journey(robot).place;
            let (body, inner) = (&self.bodies.robots[robot], place.to_inner(position));
            for solid in body.solids().filter(|solid| !solid.is_beyond(inner, form.radius_m + within_m)) {
                let gap = solid.gap(inner);
                if touches(&gap) {
                    let gap = Gap { normal: turned(place.heading, gap.normal), ..gap };
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

    pub fn tell_touching(&mut self, ball: usize) {
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
}
