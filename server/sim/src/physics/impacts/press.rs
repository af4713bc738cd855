//! Bodies that press against each other: contacts that are solved together.

use super::super::impulse;
use super::super::shape::{cross, dot, sub};
use super::meet::Contact;
use super::{Body, Impacts};

/// Of robots, groups of more contacts than this are relaxed and not solved: that is quicker, and many contacts say the same twice.
const SOLVED_AT_ONCE: usize = 8;

impl Impacts<'_> {
    /// All at once and without restitution: first what keeps them apart, then friction, then what that has changed.
    pub fn press(&mut self, contacts: &[Contact]) {
        if self.bodies.meetings.are_of_robots() && contacts.len() > SOLVED_AT_ONCE {
            return self.relax_with_friction(contacts);
        }
        let count = contacts.len();
        let couplings: Vec<f64> =
            (0..count * count).map(|i| self.coupling(&contacts[i / count], &contacts[i % count])).collect();
        let speeds = |impacts: &Self| -> Vec<f64> {
            contacts.iter().map(|contact| impacts.relative_velocity(contact)[0]).collect()
        };
        let impulses = impulse::press(&couplings, &speeds(self));
        contacts.iter().zip(&impulses).for_each(|(contact, &impulse)| self.push(contact, [impulse, 0.0]));
        self.rub(contacts, &impulses);
        let impulses = impulse::press(&couplings, &speeds(self));
        contacts.iter().zip(&impulses).for_each(|(contact, &impulse)| self.push(contact, [impulse, 0.0]));
        if self.bodies.meetings.are_of_robots() {
            self.relax(contacts);
        }
    }

    fn relax_with_friction(&mut self, contacts: &[Contact]) {
        let impulses = self.relax(contacts);
        self.rub(contacts, &impulses);
        self.relax(contacts);
    }

    /// Each contact in turn gets the impulse that stops it, or gives back what it no longer needs, until nobody nears. Gains no energy,
    /// wherever it ends.
    fn relax(&mut self, contacts: &[Contact]) -> Vec<f64> {
        const ROUNDS: usize = 200;
        let responses: Vec<f64> = contacts.iter().map(|contact| self.response(contact).normal).collect();
        let mut impulses = vec![0.0; contacts.len()];
        for round in 0..ROUNDS {
            let mut is_settled = true;
            for place in 0..contacts.len() {
                // To and fro, so that a push runs through a row of bodies either way.
                let index = if round % 2 == 0 { place } else { contacts.len() - 1 - place };
                let nears_m_s = self.relative_velocity(&contacts[index])[0];
                let impulse = f64::max(impulses[index] - nears_m_s / responses[index], 0.0);
                let change = impulse - impulses[index];
                impulses[index] = impulse;
                if change != 0.0 {
                    self.push(&contacts[index], [change, 0.0]);
                    is_settled &= (change * responses[index]).abs() < 0.1 * contacts[index].still_m_s;
                }
            }
            if is_settled {
                break;
            }
        }
        impulses
    }

    /// Friction where these impulses press.
    fn rub(&mut self, contacts: &[Contact], impulses: &[f64]) {
        for (contact, impulse) in contacts.iter().zip(impulses) {
            let sliding = self.relative_velocity(contact)[1];
            let most = contact.friction * impulse;
            let friction = (-sliding / self.response(contact).tangent).clamp(-most, most);
            self.push(contact, [0.0, friction]);
        }
    }

    /// What a unit impulse along the normal of `by` does to the speed along the normal of `at`.
    fn coupling(&self, at: &Contact, by: &Contact) -> f64 {
        let sides = |contact: &Contact| [(contact.one, 1.0), (contact.other, -1.0)];
        let mut sum = 0.0;
        for (one, one_sign) in sides(at) {
            for (other, other_sign) in sides(by) {
                if one == other && !matches!(one, Body::Fixture(_)) {
                    let (inertia, centre) = self.inertia_of(one);
                    let lever = |contact: &Contact| cross(sub(contact.point, centre), contact.normal);
                    let turning = lever(at) * lever(by) * inertia.per_moment;
                    sum += one_sign * other_sign * (dot(at.normal, by.normal) * inertia.per_mass + turning);
                }
            }
        }
        sum
    }
}
