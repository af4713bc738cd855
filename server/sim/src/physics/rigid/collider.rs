//! What the library has of a shape: a collider with the shape's outline, surface, height and owner.

use super::owners::user_data;
use super::{Rigid, isometry, to_vector};
use crate::physics::Owner;
use crate::physics::shape::{Vec2, add, ellipse, norm, scale, sub};
use crate::scenario::{Combine, Outline, Primitive};
use rapier2d::prelude::*;

impl Rigid {
    pub(super) fn collider(&self, primitive: &Primitive, owner: Owner) -> ColliderBuilder {
        let (shape, place) = outline_shape(primitive);
        let surface = primitive.surface.unwrap_or(self.surface);
        ColliderBuilder::new(shape)
            .position(place)
            .friction(surface.friction as Real)
            .restitution(0.0)
            .friction_combine_rule(library_rule(surface.friction_rule))
            .collision_groups(groups(self.bars.groups_of(primitive, matches!(owner, Owner::Fixture(_)))))
            .active_hooks(if surface.friction_rule == Combine::Own {
                ActiveHooks::MODIFY_SOLVER_CONTACTS
            } else {
                ActiveHooks::empty()
            })
            .active_events(match owner {
                Owner::Robot(_) => ActiveEvents::COLLISION_EVENTS,
                _ => ActiveEvents::empty(),
            })
            .user_data(user_data(owner, surface))
    }
}

/// Of two rules the library takes the greater; a surface that decides alone is seen to by [`super::owners::OwnSurfaces`].
fn library_rule(rule: Combine) -> CoefficientCombineRule {
    match rule {
        Combine::Mean => CoefficientCombineRule::Average,
        Combine::Product => CoefficientCombineRule::Multiply,
        Combine::Greater | Combine::Own => CoefficientCombineRule::Max,
    }
}

/// The collider with the mass of what it stands for, spread evenly.
///
/// The library takes a triangle's inertia about a corner for that about its centre of mass, and has a polygon for an ellipse.
pub(super) fn with_mass(collider: ColliderBuilder, primitive: &Primitive, kg_m2: f64) -> ColliderBuilder {
    let mass_kg = kg_m2 * primitive.outline.area_m2();
    let (centre, per_mass_m2) = match primitive.outline {
        Outline::Triangle { corners: [a, b, c] } => {
            let side = |from: Vec2, to: Vec2| norm(sub(to, from));
            let squares = [side(a, b), side(b, c), side(c, a)].map(|side_m| side_m * side_m);
            (scale(add(add(a, b), c), 1.0 / 3.0), squares.iter().sum::<f64>() / 36.0)
        }
        Outline::Ellipse { length_m, width_m } if length_m != width_m => {
            ([0.0; 2], (length_m * length_m + width_m * width_m) / 16.0)
        }
        Outline::Rectangle { .. } | Outline::Ellipse { .. } => return collider.density(kg_m2 as Real),
    };
    let moment_kg_m2 = mass_kg * per_mass_m2;
    collider.mass_properties(MassProperties::new(to_vector(centre), mass_kg as Real, moment_kg_m2 as Real))
}

fn outline_shape(primitive: &Primitive) -> (SharedShape, Pose) {
    let shape = match primitive.outline {
        Outline::Rectangle { length_m, width_m } => {
            SharedShape::cuboid(length_m as Real / 2.0, width_m as Real / 2.0)
        }
        Outline::Ellipse { length_m, width_m } if length_m == width_m => {
            SharedShape::ball(length_m as Real / 2.0)
        }
        Outline::Ellipse { length_m, width_m } => {
            let corners = ellipse(length_m / 2.0, width_m / 2.0).into_iter().map(to_vector).collect();
            SharedShape::convex_polyline(corners)
                .unwrap_or_else(|| SharedShape::ball(length_m.max(width_m) as Real / 2.0))
        }
        Outline::Triangle { corners } => {
            SharedShape::triangle(to_vector(corners[0]), to_vector(corners[1]), to_vector(corners[2]))
        }
    };
    (shape, isometry(primitive.pose))
}

fn groups([members, meets]: [u32; 2]) -> InteractionGroups {
    let group = Group::from_bits_retain;
    InteractionGroups::new(group(members), group(meets), InteractionTestMode::And)
}
