//! Impacts of a group of contacts, the hardest first.
//!
//! A push changes the velocity at the contacts that share a body with it, and at no other. In a crowd of hundreds that is a handful, so there the hardest
//! is kept in a tree of minima; in a group of a few it is looked for. What comes of it is the same to the bit.

use super::super::impulse;
use super::super::shape::Vec2;
use super::meet::Contact;
use super::{Body, Impacts, Meetings};

/// So many impacts at one moment are solved one after the other, before all are solved together.
const ONE_BY_ONE: usize = 12;
/// In a group of so many, to look at all is quicker.
const FEW: usize = 24;

/// What is known of a group of contacts.
#[derive(Default)]
pub struct Group {
    /// Along the normal and the tangent, m/s.
    velocities: Vec<Vec2>,
    /// Of many: how fast each nears, m/s, infinity for who does not; from the middle on the contacts', before them the least of the two behind.
    least: Vec<f64>,
    /// Of many: bodies that move, each with the contacts that it has, sorted.
    shares: Vec<(Body, u32)>,
}

impl Impacts<'_> {
    /// Impacts of two bodies, the hardest first, until nobody nears; false if there is no end of it.
    pub fn meet_one_by_one(&mut self, contacts: &[Contact], bounces: bool) -> bool {
        let times = match self.bodies.meetings {
            Meetings::OfBalls => ONE_BY_ONE,
            Meetings::OfAll | Meetings::WithFixtures | Meetings::OnlyWithFixtures => {
                ONE_BY_ONE.max(4 * contacts.len())
            }
        };
        let mut group = std::mem::take(&mut self.space.group);
        group.begin(contacts, |contact| self.relative_velocity(contact));
        let mut is_over = false;
        for _ in 0..times {
            let Some(hardest) = group.hardest(contacts) else {
                is_over = true;
                break;
            };
            let (contact, velocity) = (&contacts[hardest], group.velocities[hardest]);
            let restitution =
                if bounces && velocity[0] < -contact.rest_m_s { contact.restitution } else { 0.0 };
            let impulse = impulse::impulse(self.response(contact), velocity, contact.friction, restitution);
            self.push(contact, impulse);
            group.update(contacts, contact, |contact| self.relative_velocity(contact));
        }
        self.space.group = group;
        is_over
    }
}

impl Group {
    fn begin(&mut self, contacts: &[Contact], velocity_at: impl Fn(&Contact) -> Vec2) {
        self.velocities.clear();
        self.velocities.extend(contacts.iter().map(velocity_at));
        if contacts.len() <= FEW {
            return;
        }
        self.shares.clear();
        for (place, contact) in (0..).zip(contacts) {
            let moving = contact.sides().into_iter().filter(|body| body.moves());
            self.shares.extend(moving.map(|body| (body, place)));
        }
        self.shares.sort_unstable();
        let leaves = contacts.len().next_power_of_two();
        self.least.clear();
        self.least.resize(2 * leaves, f64::INFINITY);
        for (place, contact) in contacts.iter().enumerate() {
            self.least[leaves + place] = contact.nearing_m_s(self.velocities[place]);
        }
        for node in (1..leaves).rev() {
            self.least[node] = self.least[2 * node].min(self.least[2 * node + 1]);
        }
    }

    /// Which of them nears fastest, the first of those.
    fn hardest(&self, contacts: &[Contact]) -> Option<usize> {
        if contacts.len() <= FEW {
            let nearing = contacts.iter().zip(&self.velocities).enumerate();
            let nearing =
                nearing.filter(|(_, (contact, velocity))| contact.nearing_m_s(**velocity).is_finite());
            let hardest = nearing.min_by(|(_, (_, a)), (_, (_, b))| a[0].total_cmp(&b[0]))?;
            return Some(hardest.0);
        }
        let (leaves, least) = (self.least.len() / 2, self.least[1]);
        if least == f64::INFINITY {
            return None;
        }
        let mut node = 1;
        while node < leaves {
            node = 2 * node + usize::from(self.least[2 * node] != least);
        }
        Some(node - leaves)
    }

    /// After a push at one.
    fn update(&mut self, contacts: &[Contact], pushed: &Contact, velocity_at: impl Fn(&Contact) -> Vec2) {
        let moving = pushed.sides().into_iter().filter(|body| body.moves());
        if contacts.len() <= FEW {
            for (contact, velocity) in contacts.iter().zip(&mut self.velocities) {
                if moving.clone().any(|body| contact.sides().contains(&body)) {
                    *velocity = velocity_at(contact);
                }
            }
            return;
        }
        let leaves = self.least.len() / 2;
        for body in moving {
            let first = self.shares.partition_point(|&(other, _)| other < body);
            for &(_, place) in self.shares[first..].iter().take_while(|&&(other, _)| other == body) {
                let place = place as usize;
                self.velocities[place] = velocity_at(&contacts[place]);
                let mut node = leaves + place;
                self.least[node] = contacts[place].nearing_m_s(self.velocities[place]);
                while node > 1 {
                    node /= 2;
                    self.least[node] = self.least[2 * node].min(self.least[2 * node + 1]);
                }
            }
        }
    }
}

impl Contact {
    fn sides(&self) -> [Body; 2] {
        [self.one, self.other]
    }

    /// The velocity along the normal if they near; infinity if they do not.
    fn nearing_m_s(&self, velocity: Vec2) -> f64 {
        if velocity[0] < -self.still_m_s { velocity[0] } else { f64::INFINITY }
    }
}

impl Body {
    /// Whether a push does anything to it.
    fn moves(self) -> bool {
        !matches!(self, Self::Fixture(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn contact(one: usize, other: usize) -> Contact {
        let other = if other == 0 { Body::Fixture(3) } else { Body::Robot(other) };
        Contact {
            one: Body::Robot(one),
            other,
            normal: [1.0, 0.0],
            point: [0.0; 2],
            friction: 0.0,
            restitution: 0.0,
            rest_m_s: 0.0,
            still_m_s: 0.1,
        }
    }

    proptest! {
        /// W4: in a group of any size it is the hardest that is found, the first of those, however velocities change.
        #[test]
        fn the_hardest_is_found(
            pairs in proptest::collection::vec((1_usize..12, 0_usize..12), 1..80),
            speeds in proptest::collection::vec(-8_i8..4, 80 * 6),
        ) {
            let contacts: Vec<Contact> = pairs.iter().map(|&(one, other)| contact(one, other)).collect();
            let mut speeds = speeds.into_iter().map(|speed| f64::from(speed) / 8.0);
            let mut told: Vec<f64> = speeds.by_ref().take(contacts.len()).collect();
            let place_of = |contact: &Contact| contacts.iter().position(|other| std::ptr::eq(other, contact)).unwrap();
            let mut group = Group::default();
            group.begin(&contacts, |contact| [told[place_of(contact)], 0.0]);
            for pushed in 0..contacts.len().min(5) {
                let nearing = told.iter().enumerate().filter(|&(_, &speed)| speed < -0.1);
                let hardest = nearing.min_by(|a, b| a.1.total_cmp(b.1)).map(|(place, _)| place);
                prop_assert_eq!(group.hardest(&contacts), hardest);
                let pushed = &contacts[pushed];
                for (contact, told) in contacts.iter().zip(&mut told) {
                    let shares = |body: Body| body != Body::Fixture(3) && contact.sides().contains(&body);
                    if pushed.sides().into_iter().any(shares) {
                        *told = speeds.next().unwrap_or(-0.5);
                    }
                }
                group.update(&contacts, pushed, |contact| [told[place_of(contact)], 0.0]);
            }
        }
    }
}
