//! What touches of the physics come to: events for people, records for the referee.

use crate::events::EventKind;
use crate::physics::{Owner, Touch};
use crate::scenario::{Fixture, fixture_names};
use crate::view::order_of_view;
use crate::world::World;
use touchline_plugin_api::referee::{ContactRecord, WaypointRecord};
use touchline_plugin_api::view::NONE;

/// What the fixtures are called, and where they are in the view; resolved once.
pub(crate) struct FixtureNames {
    /// In the order of the scenario, as [`Owner::Fixture`] counts.
    names: Vec<String>,
    /// The place in the view of each.
    places: Vec<u32>,
}

impl FixtureNames {
    pub fn new(fixtures: &[Fixture]) -> Self {
        let mut places = vec![NONE; fixtures.len()];
        for (place, fixture) in (0..).zip(order_of_view(fixtures)) {
            places[fixture] = place;
        }
        Self { names: fixture_names(fixtures), places }
    }

    fn name(&self, number: u32) -> String {
        self.names.get(number as usize).cloned().unwrap_or_default()
    }

    fn place(&self, owner: Owner) -> u32 {
        match owner {
            Owner::Fixture(number) => self.places.get(number as usize).copied().unwrap_or(NONE),
            Owner::Ball(_) | Owner::Robot(_) => NONE,
        }
    }
}

impl World {
    /// Lays out where balls were within the step, for the referee.
    pub(crate) fn tell_waypoints(&mut self) {
        let waypoints = self.state.physics.waypoints().iter().map(|waypoint| WaypointRecord {
            // Behind the fixtures.
            object: 1 + waypoint.ball,
            reserved: 0,
            x_m: waypoint.place[0],
            y_m: waypoint.place[1],
            z_m: waypoint.z_m,
            secs: waypoint.secs,
        });
        self.scratch.waypoints.clear();
        self.scratch.waypoints.extend(waypoints);
    }

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
            // Fixtures do not touch each other, and are the lesser of two.
            let fixture = self.setup.fixtures.place(touch.a);
            let contact = ContactRecord { object_a, object_b, began: u32::from(touch.began), fixture };
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
            Owner::Fixture(_) => Some(0),
            Owner::Ball(number) => Some(1 + number),
            Owner::Robot(number) => {
                Some(1 + self.state.balls.len() as u32 + self.robot_index(number)? as u32)
            }
        }
    }

    pub(crate) fn owner_name(&self, owner: Owner) -> String {
        match owner {
            Owner::Fixture(number) => self.setup.fixtures.name(number),
            Owner::Ball(number) => format!("ball-{number}"),
            Owner::Robot(number) => self.robot_index(number).map_or_else(
                || format!("robot {number}"),
                |index| self.state.robots[index].identity.name.clone(),
            ),
        }
    }
}
