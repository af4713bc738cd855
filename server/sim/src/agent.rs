//! What agents of many worlds order: by numbers, without names and without memory of its own.

use crate::command::{CommandError, RobotNumber};
use crate::world::World;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::motion::MAX_DIMENSIONS;

/// An order to a robot of which the numbers of all parts are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AgentOrder {
    /// Sets the whole command vector.
    Drive {
        /// Number of the robot.
        robot: RobotNumber,
        /// The numbers, those of the motion model's dimensions first.
        command: [f64; MAX_DIMENSIONS],
        /// How many of them there are.
        dimensions: usize,
    },
    /// Switches a manipulator to a state.
    Switch {
        /// Number of the robot.
        robot: RobotNumber,
        /// Its place among the robot's manipulators.
        manipulator: usize,
        /// The place of the state among the manipulator's.
        state: usize,
        /// Strength, direction and elevation of its kick.
        aim: Aim,
    },
}

impl World {
    /// Advances the world by one step, as [`World::step`] does with the same orders as commands of client 0. What cannot be carried out is
    /// left out: an agent sees what it has come to.
    pub fn step_agents(&mut self, orders: &[AgentOrder]) {
        self.begin_step();
        for order in orders {
            let _ = self.obey(order);
        }
        self.settle();
        self.end_step();
    }

    fn obey(&mut self, order: &AgentOrder) -> Result<(), CommandError> {
        match *order {
            AgentOrder::Drive { robot, command, dimensions } => {
                let index = self.drivable(0, robot)?;
                self.drive(index, &command[..dimensions.min(MAX_DIMENSIONS)])
            }
            AgentOrder::Switch { robot, manipulator, state, aim } => {
                let index = self.movable(0, robot)?;
                self.manipulate(index, manipulator, state, aim)
            }
        }
    }
}
