//! The world as it is now, borrowed, where a [`Frame`](crate::Frame) is a copy of everything: for the recorder, and for many
//! worlds at once.

use crate::command::RobotNumber;
use crate::events::Message;
use crate::frame::RobotIdentity;
use crate::robot::Robot;
use crate::sensor_platform::{Reader, SensorPlatform};
use crate::state::State;
use crate::timing::Stamp;
use crate::world::World;
use std::collections::BTreeMap;
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

    /// The robots, in the order of their numbers.
    pub fn robots(&self) -> impl ExactSizeIterator<Item = RobotNow<'_>> {
        let robots = self.state.robots.iter().enumerate();
        robots.map(|(index, robot)| RobotNow { world: self, index, robot })
    }

    /// The number that the next event will have.
    pub fn next_event(&self) -> u64 {
        self.state.events.next()
    }

    /// The last radio messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> {
        self.state.messages.iter()
    }

    /// The number that the next radio message will have.
    pub fn next_message(&self) -> u64 {
        self.state.messages.next()
    }
}

impl<'a> RobotNow<'a> {
    /// Number, name, description and sensors, which never change.
    pub fn identity(&self) -> &'a Arc<RobotIdentity> {
        &self.robot.identity
    }

    /// Its place among the world's objects.
    pub fn object(&self) -> usize {
        1 + self.world.state.balls.len() + self.index
    }

    /// Pose in the world frame.
    pub fn pose(&self) -> Pose2 {
        self.robot.motion.pose
    }

    /// Sine and cosine of the pose's heading.
    pub fn heading(&self) -> (f64, f64) {
        self.robot.motion.heading
    }

    /// Velocity in the body frame.
    pub fn twist(&self) -> Twist2 {
        self.robot.motion.twist
    }

    /// The motion command as it stands, one number for each dimension.
    pub fn command(self) -> &'a [f64] {
        &self.robot.motion.command[..self.robot.identity.description.motion.dimensions.len()]
    }

    /// The state of each manipulator, as an index into its states.
    pub fn manipulator_states(self) -> impl ExactSizeIterator<Item = u32> + 'a {
        self.robot.manipulators.iter().map(|manipulator| manipulator.state as u32)
    }

    /// The player plugin that drives it, if any.
    pub fn player(self) -> Option<&'a Arc<str>> {
        self.robot.player.as_ref().map(|player| &player.plugin)
    }

    /// What it publishes about itself, JSON by key.
    pub fn annotations(self) -> &'a Arc<BTreeMap<String, String>> {
        &self.robot.annotations
    }

    /// Why it was stopped, if it was.
    pub fn fault(self) -> Option<&'a Arc<str>> {
        self.robot.fault.as_ref()
    }

    /// Its manipulators, in their order.
    pub fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus> {
        let world = self.world;
        let balls = world.state.view.ball_places(world.state.balls.len());
        self.robot.manipulator_status(world.state.step, world.dt_secs(), balls)
    }

    /// Reads a sensor into `quantised`, which has its layout's length, and says when the reading was taken; `None` before the first
    /// sample has arrived.
    ///
    /// # Errors
    /// The sensor's own, or that it was stopped.
    pub fn read(&self, sensor: usize, quantised: &mut [u32]) -> Result<Option<Stamp>, Fault> {
        let state = &self.robot.sensors[sensor];
        if let Some(stopped) = &state.stopped {
            return Err(Fault::new(&**stopped));
        }
        let motion = &self.robot.motion;
        let platform = SensorPlatform {
            identity: &self.robot.identity,
            object: self.object() as u32,
            pose: motion.pose,
            heading: motion.heading,
            twist: motion.twist,
            motion_data: self.robot.motion_data(),
            sensor_data: &self.robot.sensor_data,
        };
        let State { step, noise_seed, view, .. } = &self.world.state;
        let held = state.held(&self.robot.identity.sensors[sensor], *step);
        let world = view.world_around(*step, self.world.dt_secs());
        platform.read(Reader::World, *noise_seed, world, (sensor, &state.state), &held, quantised)
    }
}
