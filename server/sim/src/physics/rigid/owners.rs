//! What the library's colliders carry of ours: whose they are, and their surfaces; and whom it tells of touches.

use super::super::{Owner, Touch, where_met};
use crate::scenario::{Combine, Surface};
use parking_lot::Mutex;
use rapier2d::prelude::*;

pub fn owner(collider: &Collider) -> Owner {
    Owner::from_code(collider.user_data as u64)
}

/// Whose it is in the lower half, its friction in the upper one, for [`OwnSurfaces`].
pub fn user_data(owner: Owner, surface: Surface) -> u128 {
    let friction = u128::from((surface.friction as f32).to_bits());
    u128::from(owner.code()) | u128::from(surface.friction_rule.code()) << 40 | friction << 64
}

/// Surfaces whose friction decides alone, which the library does not know. Restitution is none of its business: see [`super::rebound`].
pub struct OwnSurfaces;

impl PhysicsHooks for OwnSurfaces {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let sides = [context.collider1, context.collider2].map(|handle| {
            let collider = &context.colliders[handle];
            (owner(collider), surface_of(collider))
        });
        let (friction, _) = where_met(sides[0], sides[1]);
        for contact in context.solver_contacts.iter_mut() {
            contact.friction = friction as Real;
        }
    }
}

fn surface_of(collider: &Collider) -> Surface {
    let friction = f32::from_bits((collider.user_data >> 64) as u32);
    let friction_rule = Combine::from_code((collider.user_data >> 40) as u8 & 3);
    Surface { friction_rule, ..Surface::new(f64::from(friction), 0.0) }
}

/// The library tells of pairs of colliders in the order in which it finds them, through a shared reference.
#[derive(Default)]
pub struct TouchCollector {
    pub touches: Mutex<Vec<Touch>>,
}

impl EventHandler for TouchCollector {
    fn handle_collision_event(
        &self,
        _bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        _contact_pair: Option<&ContactPair>,
    ) {
        let owner = |handle| colliders.get(handle).map(owner);
        // A collider that is gone belonged to a removed robot, of which nobody needs to hear.
        let (Some(one), Some(other)) = (owner(event.collider1()), owner(event.collider2())) else { return };
        let touch = Touch { a: one.min(other), b: one.max(other), began: event.started() };
        self.touches.lock().push(touch);
    }

    fn handle_contact_force_event(
        &self,
        _dt: Real,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _contact_pair: &ContactPair,
        _total_force_magnitude: Real,
    ) {
    }
}
