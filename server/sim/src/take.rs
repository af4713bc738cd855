//! Robots that a client takes over from whoever drives them, and gives back. (Y2)
//!
//! # Invariants
//! - While a robot is taken its player is not asked, but lives: what it remembers stays, and its inbox fills.
//! - Only the client that has taken it moves it; it stands at first, and stands when it is given back.
//! - A reset changes nothing about who has taken what.

use crate::command::{CommandError, RobotNumber};
use crate::world::World;

impl World {
    /// The index of a robot that this client may move: one that nobody else has taken.
    pub(crate) fn movable(&self, client: u64, robot: RobotNumber) -> Result<usize, CommandError> {
        let index = self.index(robot)?;
        let robot = &self.state.robots[index];
        match robot.taken_by {
            Some(taker) if taker != client => {
                let name = &robot.identity.name;
                Err(CommandError::Taken(format!("robot \"{name}\" is taken over by another client")))
            }
            _ => Ok(index),
        }
    }

    /// The index of a robot that this client may move, and that can move.
    pub(crate) fn drivable(&self, client: u64, robot: RobotNumber) -> Result<usize, CommandError> {
        let index = self.movable(client, robot)?;
        let robot = &self.state.robots[index];
        if robot.motion.failed {
            let name = robot.identity.name.clone();
            return Err(CommandError::Stopped { name, plugin: robot.identity.spec.motion.plugin.clone() });
        }
        Ok(index)
    }

    /// Takes a robot over; once more does no harm.
    pub(crate) fn take_robot(&mut self, client: u64, robot: RobotNumber) -> Result<(), CommandError> {
        let index = self.movable(client, robot)?;
        let robot = &mut self.state.robots[index];
        if robot.taken_by.replace(client).is_none() {
            robot.hush();
        }
        Ok(())
    }

    /// Gives a robot back, whoever has taken it.
    pub(crate) fn give_robot(&mut self, robot: RobotNumber) -> Result<(), CommandError> {
        let index = self.index(robot)?;
        let robot = &mut self.state.robots[index];
        if robot.taken_by.take().is_none() {
            let name = &robot.identity.name;
            return Err(CommandError::Taken(format!("robot \"{name}\" is not taken over by anybody")));
        }
        robot.hush();
        Ok(())
    }

    /// Gives back all that a client has taken.
    pub(crate) fn give_all(&mut self, client: u64) {
        for robot in self.state.robots.iter_mut().filter(|robot| robot.taken_by == Some(client)) {
            robot.taken_by = None;
            robot.hush();
        }
    }
}
