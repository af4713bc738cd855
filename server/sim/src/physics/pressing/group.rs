//! Robots that press against each other, in a row or a heap: each contact in turn, until nobody changes.
//!
//! What is wrong after a round is mostly a part of what was wrong before it, the same part each time; so where the rounds lead to is foreseen from
//! the last ones (Anderson's method, which remembers one change).

use super::super::shape::{Vec2, add, dot, scale, sub};
use super::contact::Contact;
use super::tyres::Pressed;
use super::{ROUNDING_M_S, SETTLED_M_S};

/// So many times as far as two rounds led is the farthest that they are thought to lead to.
const FARTHEST: f64 = 16.0;

/// Contacts that have robots in common, and all robots that are pressed.
pub struct Group<'a> {
    pub pressed: &'a mut [Pressed],
    pub contacts: &'a mut [Contact],
}

/// What is reused from group to group: of each contact an impulse, along the normal and along the tangent.
#[derive(Default)]
pub struct Space {
    /// With which two rounds began.
    begun: Vec<Vec2>,
    /// How the last two rounds, and those before them, changed it, and to what.
    by: Vec<Vec2>,
    last_by: Vec<Vec2>,
    reached: Vec<Vec2>,
    last_reached: Vec<Vec2>,
}

impl Group<'_> {
    pub fn solve(&mut self, space: &mut Space) {
        let left_m_s = self.relax(Some(space));
        // What contacts do, with the mean of the velocities before and after: friction of several of them may make energy together.
        let works = |contact: &Contact| {
            let after = contact.relative(self.pressed);
            (dot(contact.impulse, add(contact.before, after)) / 2.0, contact.impulse[0])
        };
        let (made, pushed) = self
            .contacts
            .iter()
            .map(works)
            .fold((0.0, 0.0), |(made, pushed), (work, push)| (made + work, pushed + push));
        // What is not settled makes no energy that friction could be blamed for.
        if made > left_m_s.max(ROUNDING_M_S) * pushed {
            self.let_go();
            self.contacts.iter_mut().for_each(|contact| contact.friction = 0.0);
            // Nor is anything foreseen: then it takes energy only, wherever it ends.
            self.relax(None);
        }
    }

    fn let_go(&mut self) {
        for contact in &mut *self.contacts {
            (contact.impulse, contact.settled_at) = ([0.0; 2], None);
            for side in contact.sides.into_iter().flatten() {
                self.pressed[side].by_contacts = Default::default();
            }
        }
    }

    /// Gives how much is not settled after some rounds, m/s: that is left to the impacts.
    fn relax(&mut self, mut space: Option<&mut Space>) -> f64 {
        const ROUNDS: usize = 12;
        // These see to it that what was foreseen holds.
        const LAST: usize = 4;
        let Self { pressed, contacts, .. } = self;
        let count = contacts.len();
        if let Some(space) = &mut space {
            space.begin(contacts);
        }
        let mut most_m_s: f64 = 0.0;
        for round in 0..ROUNDS {
            most_m_s = 0.0;
            for place in 0..count {
                // To and fro, so that a push runs through a row of robots either way.
                let index = if round % 2 == 0 { place } else { count - 1 - place };
                most_m_s = most_m_s.max(contacts[index].hold_unless_settled(pressed));
            }
            if most_m_s < 10.0 * SETTLED_M_S {
                break;
            }
            if let Some(space) = &mut space
                && count > 1
                && round % 2 == 1
                && round + LAST < ROUNDS
            {
                space.foresee(pressed, contacts);
            }
        }
        most_m_s
    }
}

impl Space {
    fn begin(&mut self, contacts: &[Contact]) {
        self.begun.clear();
        self.begun.extend(contacts.iter().map(|contact| contact.impulse));
        // Nothing is known yet to foresee anything from.
        self.by.clear();
    }

    /// Goes on to where two more rounds, and two more, would lead.
    fn foresee(&mut self, pressed: &mut [Pressed], contacts: &mut [Contact]) {
        let Self { begun, by, last_by, reached, last_reached } = self;
        std::mem::swap(by, last_by);
        std::mem::swap(reached, last_reached);
        reached.clear();
        reached.extend(contacts.iter().map(|contact| contact.impulse));
        by.clear();
        by.extend(reached.iter().zip(&*begun).map(|(&reached, &begun)| sub(reached, begun)));
        if last_by.len() == by.len() {
            let (mut along, mut length) = (0.0, 0.0);
            for (&by, &last) in by.iter().zip(&*last_by) {
                let change = sub(by, last);
                along += dot(by, change);
                length += dot(change, change);
            }
            let back = along / length;
            // Who is farther off than before is not on a way that leads anywhere.
            if back < 1.0 {
                let back = back.max(-FARTHEST);
                for (contact, (&reached, &last)) in
                    contacts.iter_mut().zip(reached.iter().zip(&*last_reached))
                {
                    contact.go_to(pressed, sub(reached, scale(sub(reached, last), back)));
                }
            }
        }
        begun.clear();
        begun.extend(contacts.iter().map(|contact| contact.impulse));
    }
}
