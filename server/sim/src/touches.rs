//! What touches of the physics come to: events for people, records for the referee.

use crate::frame::EventKind;
use crate::physics::{Owner, Touch};
use crate::world::World;
use touchline_plugin_api::referee::ContactRecord;

impl World {
    /// Turns the physics' touches into events and into the referee's records.
    pub(crate) fn tell_touches(&mut self) {
        self.scratch.contacts.clear();
        if self.scratch.touches.is_empty() {
            return;
        }
        for touch in std::mem::take(&mut self.scratch.touches) {
            self.tell_contact(touch);
            let (Some(object_a), Some(object_b)) = (self.object(touch.a), self.object(touch.b)) else {
                continue;
            };
            let contact = ContactRecord { object_a, object_b, began: u32::from(touch.began), reserved: 0 };
            self.scratch.contacts.push(contact);
        }
    }

    /// A contact is an event when it begins; a ball that trembles between two fingers is one contact.
    fn tell_contact(&mut self, touch: Touch) {
        const APART_SECS: f64 = 0.1;
        let (step, apart) = (self.state.step, (APART_SECS / self.dt_secs()) as u64);
        let recent = &mut self.state.recent_touches;
        recent.retain(|&(_, _, last)| last + apart >= step);
        let known = recent.iter_mut().find(|(a, b, _)| (*a, *b) == (touch.a, touch.b));
        match known {
            Some((_, _, last)) => *last = step,
            None => {
                recent.push((touch.a, touch.b, step));
                if touch.began {
                    let (a, b) = (self.owner_name(touch.a), self.owner_name(touch.b));
                    self.event(EventKind::Contact { a, b });
                }
            }
        }
    }

    fn object(&self, owner: Owner) -> Option<u32> {
        match owner {
            Owner::Fixtures => Some(0),
            Owner::Ball(number) => Some(1 + number),
            Owner::Robot(number) => {
                Some(1 + self.state.balls.len() as u32 + self.robot_index(number)? as u32)
            }
        }
    }

    pub(crate) fn owner_name(&self, owner: Owner) -> String {
        match owner {
            Owner::Fixtures => "fixtures".into(),
            Owner::Ball(number) => format!("ball-{number}"),
            Owner::Robot(number) => self.robot_index(number).map_or_else(
                || format!("robot {number}"),
                |index| self.state.robots[index].identity.name.clone(),
            ),
        }
    }
}
