//! The physics library alone, for benchmarks.

use super::Physics;
use super::rigid::LibraryLoop;
use crate::ball::Ball;

/// The physics of a world alone: the library as it comes, with the balls in it, and robots that keep their velocities.
#[doc(hidden)]
pub struct BarePhysics(LibraryLoop);

impl BarePhysics {
    pub(crate) fn new(physics: &Physics, balls: &[Ball], library_settings: bool) -> Self {
        let balls = balls.iter().zip(&*physics.balls);
        let balls = balls
            .map(|(ball, form)| (ball.position, ball.velocity, form.radius_m, 1.0 / form.inertia.per_mass));
        Self(LibraryLoop::new(&physics.rigid, balls, library_settings))
    }

    /// Sets the robots' velocities and steps.
    pub fn step(&mut self) {
        self.0.step();
    }
}
