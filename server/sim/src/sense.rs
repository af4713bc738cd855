//! Sensors read off the world as it is, without a Frame: for players' work beside the engine, and for many worlds at once.

use crate::command::RobotNumber;
use crate::frame::{Carrier, RobotIdentity};
use crate::robot::Robot;
use crate::world::World;
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::player::ManipulatorStatus;
use touchline_plugin_api::plugin::Fault;

/// A robot as it is now.
#[derive(Clone, Copy)]
pub struct RobotNow<'a> {
    world: &'a World,
    index: usize,
    robot: &'a Robot,
}

impl World {
    /// A robot as it is now; `None` if it has gone.
    pub fn robot(&self, number: RobotNumber) -> Option<RobotNow<'_>> {
        let index = self.robot_index(number)?;
        Some(RobotNow { world: self, index, robot: &self.state.robots[index] })
    }
}

impl<'a> RobotNow<'a> {
    /// What never changes.
    pub fn identity(&self) -> &'a Arc<RobotIdentity> {
        &self.robot.identity
    }

    /// Its place among the world's objects.
    pub fn object(&self) -> usize {
        1 + self.world.state.balls.len() + self.index
    }

    /// In the world frame.
    pub fn pose(&self) -> Pose2 {
        self.robot.motion.pose
    }

    /// Sine and cosine of the pose's heading.
    pub fn heading(&self) -> (f64, f64) {
        self.robot.motion.heading
    }

    /// In the body frame.
    pub fn twist(&self) -> Twist2 {
        self.robot.motion.twist
    }

    /// Why a part of it was stopped.
    pub fn fault(&self) -> Option<&'a str> {
        self.robot.fault.as_deref()
    }

    /// Its manipulators, in their order.
    pub fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus> {
        let world = self.world;
        let balls = world.state.view.ball_positions(world.state.balls.len());
        self.robot.manipulator_status(world.state.step, world.dt_secs(), balls)
    }

    /// Generates a sensor into `counts`, which has its layout's length.
    ///
    /// # Errors
    /// The sensor's own, or that it was stopped.
    pub fn read(&self, sensor: usize, counts: &mut [u32]) -> Result<(), Fault> {
        let state = &self.robot.sensors[sensor];
        if state.failed {
            return Err(Fault::new("it failed before, and was stopped"));
        }
        let motion = &self.robot.motion;
        let carrier = Carrier {
            identity: &self.robot.identity,
            object: self.object() as u32,
            pose: motion.pose,
            heading: motion.heading,
            twist: motion.twist,
            motion_data: self.robot.motion_data(),
        };
        carrier.read(self.world.state.noise_seed, self.world.view(), sensor, &state.state, counts)
    }
}
