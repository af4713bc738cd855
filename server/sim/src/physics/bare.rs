//! The physics of a world alone, for benchmarks.

use super::discs::coast;
use super::rigid::LibraryLoop;
use super::{Law, Physics};
use crate::ball::Ball;

/// The physics of a world alone, with robots that keep their velocities: the library as it comes, with the balls in it; in a world of discs,
/// which has no library, its own bodies.
#[doc(hidden)]
pub struct BarePhysics(Bare);

enum Bare {
    Library(Box<LibraryLoop>),
    Discs(Box<Physics>, Vec<Ball>),
}

impl BarePhysics {
    pub(crate) fn new(physics: &Physics, balls: &[Ball], library_settings: bool) -> Self {
        let Law::Rigid(rigid) = &physics.law else {
            return Self(Bare::Discs(Box::new(physics.clone()), balls.to_vec()));
        };
        let balls = balls.iter().zip(&*physics.balls);
        let balls = balls
            .map(|(ball, form)| (ball.position, ball.velocity, form.radius_m, 1.0 / form.inertia.per_mass));
        Self(Bare::Library(Box::new(LibraryLoop::new(rigid, &physics.robots, balls, library_settings))))
    }

    /// Lets the robots keep their velocities, and steps.
    pub fn step(&mut self) {
        match &mut self.0 {
            Bare::Library(library) => library.step(),
            Bare::Discs(physics, balls) => {
                let dt_secs = physics.dt_secs;
                physics.robots.iter_mut().for_each(|robot| coast(robot, dt_secs));
                physics.step(balls, &mut Vec::new());
            }
        }
    }
}
