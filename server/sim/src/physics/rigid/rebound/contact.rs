//! One place where two touch in the step, and what the impulses there do to them.

use super::Met;
use crate::physics::impulse::{Response, impulse};
use crate::physics::journey::Inertia;
use crate::physics::near::{at_arm, moved};
use crate::physics::shape::{Vec2, add, dot, left_of, scale, sub};

/// What the step's contacts do to a robot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// Of the velocity of the centre of mass in the world, m/s, and of the rate of turn, rad/s.
    pub by: (Vec2, f64),
    pub met: Option<Met>,
}

#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub robots: [Option<usize>; 2],
    pub inertias: [Inertia; 2],
    /// From the centres of mass, metres.
    pub arms: [Vec2; 2],
    /// Towards the first, of length 1.
    pub normal: Vec2,
    pub friction: f64,
    pub restitution: f64,
    pub response: Response,
    /// Slower than this they do not bounce, m/s.
    pub rest_m_s: f64,
    /// Of the first against the second where they touch, along the normal and along the tangent, m/s.
    pub met: Vec2,
    /// The same with what their drives bring them to the end of the step.
    pub before: Vec2,
    /// Along the normal: no less than this after it, m/s.
    pub wanted_m_s: f64,
    pub impulse: Vec2,
}

impl Contact {
    /// The impulse of a contact that is the only one.
    pub fn meet_alone(&mut self) {
        let Self { response, friction, .. } = *self;
        if self.met[0] < -self.rest_m_s {
            self.impulse = impulse(response, self.met, friction, self.restitution);
            // Their drives may bring them together again.
            let [normal, tangent] = self.impulse;
            let after = [
                self.before[0] + response.normal * normal + response.mixed * tangent,
                self.before[1] + response.tangent * tangent + response.mixed * normal,
            ];
            if after[0] < 0.0 {
                self.impulse = add(self.impulse, impulse(response, after, friction, 0.0));
            }
        } else if self.before[0] < self.wanted_m_s.min(0.0) {
            let restitution = -self.wanted_m_s / self.before[0];
            self.impulse = impulse(response, self.before, friction, restitution);
        }
    }
}

/// Velocity of the first against the second by now: along the normal, along the tangent, m/s.
pub fn relative(changes: &[Change], contact: &Contact) -> Vec2 {
    let change = |side: usize| {
        contact.robots[side].map_or([0.0; 2], |robot| at_arm(changes[robot].by, contact.arms[side]))
    };
    let by = sub(change(0), change(1));
    add(contact.before, [dot(by, contact.normal), dot(by, left_of(contact.normal))])
}

pub fn push(changes: &mut [Change], contact: &Contact, [normal, tangent]: Vec2) {
    let impulse = add(scale(contact.normal, normal), scale(left_of(contact.normal), tangent));
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        if let Some(robot) = contact.robots[side] {
            let (velocity, turn) = moved(&contact.inertias[side], scale(impulse, sign), contact.arms[side]);
            let by = &mut changes[robot].by;
            *by = (add(by.0, velocity), by.1 + turn);
        }
    }
}
