//! What the library's colliders carry of ours: whose they are, and their surfaces; and whom it tells of touches.

use super::super::{Owner, Touch, where_met};
use crate::scenario::{Combine, Surface};
use parking_lot::Mutex;
use rapier2d::prelude::*;

pub fn owner(collider: &Collider) -> Owner {
    Owner::from_code(collider.user_data as u64)
}

/// Whose it is in the lower half, its surface in the upper one, for [`OwnSurfaces`].
pub fn user_data(owner: Owner, surface: Surface) -> u128 {
    let bits = |number: f64| u128::from((number as f32).to_bits());
    let rules = surface.friction_rule.code() | surface.restitution_rule.code() << 2;
    u128::from(owner.code())
        | u128::from(rules) << 40
        | bits(surface.friction) << 64
        | bits(surface.restitution) << 96
}

/// Surfaces that decide alone, which the library does not know.
pub struct OwnSurfaces;

impl PhysicsHooks for OwnSurfaces {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let sides = [context.collider1, context.collider2].map(|handle| {
            let collider = &context.colliders[handle];
            (owner(collider), surface_of(collider))
        });
        let (friction, restitution) = where_met(sides[0], sides[1]);
        for contact in context.solver_contacts.iter_mut() {
            contact.friction = friction as Real;
            contact.restitution = restitution as Real;
        }
    }
}

fn surface_of(collider: &Collider) -> Surface {
    let float = |shift: u32| f64::from(f32::from_bits((collider.user_data >> shift) as u32));
    let rule = |shift: u32| Combine::from_code((collider.user_data >> shift) as u8 & 3);
    Surface {
        friction: float(64),
        restitution: float(96),
        friction_rule: rule(40),
        restitution_rule: rule(42),
    }
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
