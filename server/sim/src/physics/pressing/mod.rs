//! Robots that touch something when a step begins: what their drives bring to the ground, and what presses against them, worked out
//! together. (W4)
//!
//! A drive is a force of limited size that takes its robot towards the velocity that it is told to have. So is a contact, which keeps two bodies from nearing,
//! with Coulomb's friction. If one of them were worked out after the other, a robot whose tyres would hold would be pushed
//! away within each step and brought back in the next. Here each in turn takes what it lacks or gives back what it no longer needs, until
//! nobody changes: a robot stands as long as its tyres hold, and who is blocked pushes with what its drive can do.
//!
//! Forces are constant over the step, so the mean velocity is the middle of those at its beginning and its end. Who nears a little when the
//! step begins is stopped at once: an impact without restitution. Who nears faster has an impact, which is none of this file's business, as is
//! whatever comes to touch within the step.

mod contact;
mod group;
#[cfg(test)]
mod tests;
mod tyres;

use super::Owner;
use super::body::RobotBody;
use super::impacts::{Fixtures, REST_M_S};
use super::journey::Journey;
use super::near::{Pair, Side, Spot};
use super::shape::{Vec2, add, scale};
use contact::Contact;
use group::{Group, Space};
use tyres::Pressed;

/// Who is farther away is looked at in the next step, metres.
const NEAR_M: f64 = 1e-3;
/// Who nears more slowly does not near, m/s.
const STILL_M_S: f64 = 1e-6;
/// Who is off by less than this is settled, m/s.
const SETTLED_M_S: f64 = 1e-8;
/// What an impulse does at such a speed is rounding, m/s.
const ROUNDING_M_S: f64 = 1e-7;

/// How two pressed against each other in the last step: what the next one tries first.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    owners: [Owner; 2],
    /// Which of the places where they touch.
    spot: usize,
    /// Along the normal, and along the tangent, newton seconds.
    impulse: Vec2,
}

/// What is reused from step to step.
#[derive(Default)]
pub struct Pressing {
    /// Who may touch whom when the step begins: a robot, and a robot or a fixture.
    pub pairs: Vec<[Owner; 2]>,
    pressed: Vec<Pressed>,
    /// Of each robot, its place among those that are pressed.
    places: Vec<Option<usize>>,
    contacts: Vec<Contact>,
    spots: Vec<Spot>,
    space: Space,
}

impl Pressing {
    pub fn forget(&mut self) {
        self.pairs.clear();
        self.pressed.clear();
        self.places.clear();
        self.contacts.clear();
    }

    /// Plans the step anew of those that something presses against. `pushes` are those of the last step, and become those of this one.
    pub fn plan(
        &mut self,
        robots: &mut [RobotBody],
        fixtures: &Fixtures,
        pushes: &mut Vec<Push>,
        dt_secs: f64,
    ) {
        self.places.resize(robots.len(), None);
        for pair in 0..self.pairs.len() {
            self.find_contacts(robots, fixtures, self.pairs[pair], dt_secs);
        }
        self.begin_with(pushes);
        pushes.clear();
        if self.contacts.is_empty() {
            return;
        }
        self.solve();
        let pushing = self.contacts.iter().filter(|contact| contact.impulse != [0.0; 2]);
        pushes.extend(pushing.map(|&Contact { owners, spot, impulse, .. }| Push { owners, spot, impulse }));
        // As contacts are found.
        pushes.sort_unstable_by_key(|push| (push.owners[1], push.owners[0], push.spot));
        self.find_nearing();
        for pressed in self.pressed.iter().filter(|pressed| pressed.is_pressed) {
            let (now, end) = (pressed.tyres.now, pressed.end());
            let middle = (scale(add(now.0, end.0), 0.5), (now.1 + end.1) / 2.0);
            let mean = if pressed.nears { end } else { middle };
            robots[pressed.robot].plan_anew(mean, end, dt_secs);
        }
    }

    fn find_contacts(&mut self, robots: &[RobotBody], fixtures: &Fixtures, owners: [Owner; 2], dt_secs: f64) {
        let [Some(mut one), Some(mut other)] = owners.map(|owner| Side::of(robots, fixtures, owner)) else {
            return;
        };
        // As they are, and not as they have planned.
        let mut impact_m_s = REST_M_S;
        for side in [&mut one, &mut other] {
            if let Some(robot) = side.robot.map(|robot| &robots[robot]) {
                side.journey = Journey::new(robot.place, robot.twist);
                impact_m_s += robot.gained_m_s();
            }
        }
        let pair = Pair { sides: [one, other], secs: 0.0 };
        pair.look_for_all(NEAR_M, &mut self.spots);
        if self.spots.is_empty() || self.spots.iter().any(|spot| pair.velocity_at(spot)[0] < -impact_m_s) {
            return;
        }
        let sides = [0, 1].map(|side| pair.sides[side].robot.map(|robot| self.place_of(robot, robots)));
        self.contacts.extend(self.spots.iter().enumerate().map(|(place, spot)| Contact {
            owners,
            spot: place,
            sides,
            arms: pair.arms(spot),
            normal: spot.normal,
            friction: spot.friction,
            free_response: pair.response(spot),
            may_near_m_s: spot.gap_m.max(0.0) / dt_secs,
            before: pair.velocity_at(spot),
            impulse: [0.0; 2],
            settled_at: None,
            group: None,
        }));
    }

    /// Those who go on pressing do it as before, or nearly.
    fn begin_with(&mut self, pushes: &[Push]) {
        // Mostly they are in the same order.
        let mut next = 0;
        for push in pushes {
            let is_it = |contact: &Contact| contact.owners == push.owners && contact.spot == push.spot;
            let (before, behind) = self.contacts.split_at(next);
            let found = behind.iter().position(is_it).map(|place| next + place);
            if let Some(place) = found.or_else(|| before.iter().position(is_it)) {
                self.contacts[place].go_to(&mut self.pressed, push.impulse);
                next = place + 1;
            }
        }
    }

    /// The place of a robot among those that are pressed.
    fn place_of(&mut self, robot: usize, robots: &[RobotBody]) -> usize {
        *self.places[robot].get_or_insert_with(|| {
            let place = self.pressed.len();
            self.pressed.push(Pressed::new(robot, robots[robot].inertia, robots[robot].tyres(), place));
            place
        })
    }

    /// Each group of robots that press against each other by itself.
    fn solve(&mut self) {
        let Self { pressed, contacts, space, .. } = self;
        for contact in &*contacts {
            if let [Some(one), Some(other)] = contact.sides {
                tyres::join(pressed, one, other);
            }
        }
        for contact in &mut *contacts {
            // One of the two is a robot.
            contact.group =
                contact.sides.into_iter().flatten().map(|side| tyres::group_of(pressed, side)).next();
        }
        contacts.sort_by_key(|contact| contact.group);
        for contacts in contacts.chunk_by_mut(|one, other| one.group == other.group) {
            Group { pressed, contacts }.solve(space);
        }
    }

    /// Finds out who is pressed, who nears something when the step begins, and who is pressed against one of these.
    fn find_nearing(&mut self) {
        let Self { pressed, contacts, .. } = self;
        contacts.retain(|contact| contact.impulse[0] > 0.0);
        contacts
            .iter()
            .flat_map(|contact| contact.sides)
            .flatten()
            .for_each(|side| pressed[side].is_pressed = true);
        let mut is_new = true;
        while is_new {
            is_new = false;
            for contact in &mut *contacts {
                let sides = || contact.sides.into_iter().flatten();
                if contact.before[0] < -STILL_M_S || sides().any(|place| pressed[place].nears) {
                    is_new |= sides().any(|place| !pressed[place].nears);
                    sides().for_each(|place| pressed[place].nears = true);
                }
            }
        }
    }
}
