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

/// A part of a step. Worlds that are stepped together go through one part after the other, so that the processor finds the code of a part
/// where the world before has left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPart {
    /// Players decide.
    Think,
    /// Bodies move, and sensors with them.
    Move,
    /// The referee judges.
    Judge,
}

impl StepPart {
    /// All parts, in their order.
    pub const ALL: [Self; 3] = [Self::Think, Self::Move, Self::Judge];
    /// The last part: the step is over.
    pub const LAST: Self = Self::Judge;
}

impl World {
    /// Advances the world by one step, as [`World::step`] does with the same orders as commands of client 0. What cannot be carried out is
    /// left out: an agent sees what it has come to.
    pub fn step_agents(&mut self, orders: &[AgentOrder]) {
        self.begin_agents(orders);
        for part in StepPart::ALL {
            self.step_part(part);
        }
    }

    /// The beginning of [`World::step_agents`]; all of [`StepPart::ALL`] follow.
    pub fn begin_agents(&mut self, orders: &[AgentOrder]) {
        self.begin_step();
        for order in orders {
            let _ = self.obey(order);
        }
        self.settle();
    }

    /// A part of [`World::step_agents`].
    pub fn step_part(&mut self, part: StepPart) {
        match part {
            StepPart::Think => self.think(),
            StepPart::Move => self.move_all(),
            StepPart::Judge => self.judge(),
        }
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
