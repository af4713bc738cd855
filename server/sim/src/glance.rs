//! The world as it is looked at often: borrowed, where a [`Frame`](crate::Frame) is a copy of everything.

use crate::frame::{Message, RobotIdentity};
use crate::robot::Robot;
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::geometry::Twist2;

/// One robot, as it is now.
#[derive(Clone, Copy)]
pub struct RobotGlance<'a>(&'a Robot);

impl World {
    /// The robots, in the order of their numbers.
    pub fn robots(&self) -> impl ExactSizeIterator<Item = RobotGlance<'_>> {
        self.state.robots.iter().map(RobotGlance)
    }

    /// The number that the next event will have.
    pub fn next_event(&self) -> u64 {
        self.state.events.next
    }

    /// The last radio messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> {
        self.state.messages.entries.iter()
    }

    /// The number that the next radio message will have.
    pub fn next_message(&self) -> u64 {
        self.state.messages.next
    }
}

impl<'a> RobotGlance<'a> {
    /// What never changes.
    pub fn identity(self) -> &'a Arc<RobotIdentity> {
        &self.0.identity
    }

    /// The motion command as it stands, one number for each dimension.
    pub fn command(self) -> &'a [f64] {
        &self.0.motion.command[..self.0.identity.description.motion.dimensions.len()]
    }

    /// The velocity in the body frame.
    pub fn twist(self) -> Twist2 {
        self.0.motion.twist
    }

    /// The state of each manipulator, as an index into its states.
    pub fn manipulator_states(self) -> impl ExactSizeIterator<Item = u32> + 'a {
        self.0.manipulators.iter().map(|manipulator| manipulator.state as u32)
    }

    /// The player plugin that drives it, if any.
    pub fn player(self) -> Option<&'a Arc<str>> {
        self.0.player.as_ref().map(|player| &player.plugin)
    }

    /// What it publishes about itself, JSON by key.
    pub fn annotations(self) -> &'a Arc<BTreeMap<String, String>> {
        &self.0.annotations
    }

    /// Why it was stopped, if it was.
    pub fn fault(self) -> Option<&'a Arc<str>> {
        self.0.fault.as_ref()
    }
}
