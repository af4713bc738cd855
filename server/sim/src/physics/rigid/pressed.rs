//! Whom the library has pressed apart in its step, and what that made of their energy.

use super::owners::owner;
use super::rebound::{Energy, Pressed};
use super::{Rigid, from_vector};
use crate::physics::body::RobotBody;
use crate::physics::journey::Inertia;
use crate::physics::near::find;
use crate::physics::shape::{Vec2, add, dot, left_of, scale, sub};
use rapier2d::prelude::*;

impl Rigid {
    /// Finds each pair once; `told` are the velocities with which the robots went into the step.
    pub(super) fn find_pressed(
        &self,
        robots: &[RobotBody],
        told: &[(Vector, Real)],
        pressed: &mut Vec<Pressed>,
    ) {
        pressed.clear();
        for pair in self.narrow_phase.contact_pairs() {
            // The greater first: of a robot and a fixture the robot.
            let sides = [pair.collider1, pair.collider2].map(|handle| owner(&self.colliders[handle]));
            let is_turned = sides[0] < sides[1];
            let owners = if is_turned { [sides[1], sides[0]] } else { sides };
            for manifold in &pair.manifolds {
                let is_pressing = |contact: &&SolverContact| {
                    manifold.points[contact.contact_id[0] as usize].data.impulse > 0.0
                };
                let mut pressing = manifold.data.solver_contacts.iter().filter(is_pressing).peekable();
                if pressing.peek().is_none() {
                    continue;
                }
                let place = pressed.iter().position(|known| known.owners == owners).unwrap_or_else(|| {
                    let robots = owners.map(|owner| find(robots, owner));
                    pressed.push(Pressed { owners, robots, nearing_m_s: f64::NEG_INFINITY, left_m_s: 0.0 });
                    pressed.len() - 1
                });
                let known = &mut pressed[place];
                let normal = scale(from_vector(manifold.data.normal), if is_turned { -1.0 } else { 1.0 });
                for contact in pressing {
                    let [one, other] = known.robots.map(|robot| {
                        robot.map_or([[0.0; 2]; 2], |robot| {
                            self.velocities_at(robot, &robots[robot], told, contact.point)
                        })
                    });
                    let [before, after] = [0, 1].map(|moment| dot(sub(one[moment], other[moment]), normal));
                    known.nearing_m_s = known.nearing_m_s.max(before);
                    known.left_m_s = known.left_m_s.max(after);
                }
            }
        }
        // The library finds them in an order of its own.
        pressed.sort_unstable_by_key(|pressed| pressed.owners);
    }

    /// The velocities of a point of a robot with which the library began its step, and those that it made of them, m/s.
    fn velocities_at(
        &self,
        index: usize,
        robot: &RobotBody,
        told: &[(Vector, Real)],
        point: Vector,
    ) -> [Vec2; 2] {
        let arm = left_of(sub(from_vector(point), robot.place.to_outer(robot.inertia.centre)));
        let body = &self.bodies[self.handles[index].body];
        [told[index], (body.linvel(), body.angvel())]
            .map(|(velocity, turn)| add(from_vector(velocity), scale(arm, f64::from(turn))))
    }

    /// What the step made of the energy of a robot that went into it with this velocity.
    pub(super) fn energy(&self, index: usize, inertia: &Inertia, told: &(Vector, Real)) -> Energy {
        let body = &self.bodies[self.handles[index].body];
        let of = |velocities| energy_j(inertia, velocities);
        Energy { before: of(told), after: of(&(body.linvel(), body.angvel())) }
    }
}

/// The energy of a robot with these velocities of its centre of mass and of its heading, joules.
fn energy_j(inertia: &Inertia, &(velocity, turn): &(Vector, Real)) -> f64 {
    let (velocity, turn) = (from_vector(velocity), f64::from(turn));
    dot(velocity, velocity) / (2.0 * inertia.per_mass) + turn * turn / (2.0 * inertia.per_moment)
}
