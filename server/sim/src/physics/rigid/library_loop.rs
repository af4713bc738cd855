//! The library alone in a loop, for benchmarks.

use super::super::body::RobotBody;
use super::super::shape::Vec2;
use super::{Rigid, pose_at, to_vector};
use rapier2d::prelude::*;
use touchline_plugin_api::geometry::Twist2;

/// Robots keep their velocities, balls are bodies like any others.
pub struct LibraryLoop {
    rigid: Rigid,
    pipeline: PhysicsPipeline,
    robots: Vec<(RigidBodyHandle, Vector, Real)>,
}

impl LibraryLoop {
    /// Balls are places, velocities, radii and masses.
    pub fn new(
        rigid: &Rigid,
        robots: &[RobotBody],
        balls: impl Iterator<Item = (Vec2, Vec2, f64, f64)>,
        library_settings: bool,
    ) -> Self {
        let mut rigid = rigid.clone();
        for (robot, handles) in robots.iter().zip(&rigid.handles) {
            rigid.bodies[handles.body].set_position(pose_at(&robot.place), true);
        }
        let robots = robots.iter().zip(&rigid.handles).map(|(robot, handles)| {
            let Twist2 { x_m_s, y_m_s, turn_rad_s } = robot.world_twist();
            (handles.body, to_vector([x_m_s, y_m_s]), turn_rad_s as Real)
        });
        let robots = robots.collect();
        for (position, velocity, radius_m, mass_kg) in balls {
            let body =
                RigidBodyBuilder::dynamic().translation(to_vector(position)).linvel(to_vector(velocity));
            let id = rigid.bodies.insert(body.can_sleep(false).ccd_enabled(true));
            let collider = ColliderBuilder::ball(radius_m as Real).mass(mass_kg as Real).restitution(0.6);
            rigid.colliders.insert_with_parent(collider, id, &mut rigid.bodies);
        }
        if !rigid.improves_tree {
            rigid.improve_tree();
        }
        if library_settings {
            rigid.parameters =
                IntegrationParameters { dt: rigid.parameters.dt, ..IntegrationParameters::default() };
        }
        let mut bare = Self { robots, rigid, pipeline: PhysicsPipeline::new() };
        // A tree that has just begun is worse than one that was improved for a while; in that while nothing moves.
        let dt_secs = std::mem::replace(&mut bare.rigid.parameters.dt, 1e-6);
        for _ in 0..32 {
            bare.step();
        }
        bare.rigid.parameters.dt = dt_secs;
        bare
    }

    pub fn step(&mut self) {
        for &(id, velocity, turn) in &self.robots {
            let body = &mut self.rigid.bodies[id];
            body.set_linvel(velocity, true);
            body.set_angvel(turn, true);
        }
        let rigid = &mut self.rigid;
        self.pipeline.step(
            Vector::ZERO,
            &rigid.parameters,
            &mut rigid.islands,
            &mut rigid.broad_phase,
            &mut rigid.narrow_phase,
            &mut rigid.bodies,
            &mut rigid.colliders,
            &mut rigid.impulse_joints,
            &mut rigid.multibody_joints,
            &mut rigid.ccd,
            &(),
            &(),
        );
    }
}
