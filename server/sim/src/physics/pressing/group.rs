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
    begun: Vec<Vec2>,
    /// How two rounds changed them, and to what: the last, and those before.
    changes: [Vec<Vec2>; 2],
    reached: [Vec<Vec2>; 2],
}

impl Group<'_> {
    pub fn solve(&mut self, space: &mut Space) {
        self.relax(space);
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
        if made > ROUNDING_M_S * pushed {
            self.let_go();
            self.contacts.iter_mut().for_each(|contact| contact.friction = 0.0);
            self.relax(space);
        }
        if self.contacts.iter().all(|contact| contact.impulse[0] == 0.0) {
            // Not even what rounding has left.
            self.let_go();
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

    /// What is not settled after these rounds is left to the impacts.
    fn relax(&mut self, space: &mut Space) {
        const ROUNDS: usize = 12;
        // These see to it that what was foreseen holds.
        const LAST: usize = 4;
        let Self { pressed, contacts, .. } = self;
        let count = contacts.len();
        let is_alone = count == 1;
        space.begin(contacts);
        for round in 0..ROUNDS {
            let mut most_m_s: f64 = 0.0;
            for place in 0..count {
                // To and fro, so that a push runs through a row of robots either way.
                let index = if round % 2 == 0 { place } else { count - 1 - place };
                most_m_s = most_m_s.max(contacts[index].hold_again(pressed));
            }
            if most_m_s < 10.0 * SETTLED_M_S {
                break;
            }
            if !is_alone && round % 2 == 1 && round + LAST < ROUNDS {
                space.foresee(pressed, contacts, round > 1);
            }
        }
    }
}

impl Space {
    fn begin(&mut self, contacts: &[Contact]) {
        self.begun.clear();
        self.begun.extend(contacts.iter().map(|contact| contact.impulse));
    }

    /// Goes on to where two more rounds, and two more, would lead; the first time there is nothing to foresee it from.
    fn foresee(&mut self, pressed: &mut [Pressed], contacts: &mut [Contact], has_last: bool) {
        self.changes.swap(0, 1);
        self.reached.swap(0, 1);
        let ([change, last_change], [reached, last_reached]) = (&mut self.changes, &mut self.reached);
        reached.clear();
        reached.extend(contacts.iter().map(|contact| contact.impulse));
        change.clear();
        change.extend(reached.iter().zip(&self.begun).map(|(&reached, &begun)| sub(reached, begun)));
        if has_last {
            let (mut along, mut length) = (0.0, 0.0);
            for (&change, &last) in change.iter().zip(&*last_change) {
                let by = sub(change, last);
                along += dot(change, by);
                length += dot(by, by);
            }
            // From what hardly changes nothing can be foreseen.
            let back = along / length;
            if back.abs() < FARTHEST {
                for (contact, (&reached, &last)) in
                    contacts.iter_mut().zip(reached.iter().zip(&*last_reached))
                {
                    contact.go_to(pressed, sub(reached, scale(sub(reached, last), back)));
                }
            }
        }
        self.begin(contacts);
    }
}
