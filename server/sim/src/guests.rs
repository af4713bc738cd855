//! What clients' robots may make the program keep.

use crate::command::CommandError;
use crate::robot::Robot;
use crate::world::World;

impl World {
    /// Whether there is room for a robot's readings. Who writes the world file may have what he likes.
    pub(crate) fn check_integers(&self, robot: &Robot) -> Result<(), CommandError> {
        if robot.made_by.is_none() {
            return Ok(());
        }
        let got = integers(robot);
        let guests = self.state.robots.iter().filter(|guest| guest.made_by.is_some());
        let all = guests.map(integers).fold(got, usize::saturating_add);
        let limits = &self.setup.scenario.limits;
        // Each may be generated and kept as text for the newest step.
        let all_may = [
            (got, limits.robot_integers, "robot_integers"),
            (all, limits.robots_integers, "robots_integers"),
        ];
        let name = &robot.identity.name;
        match all_may.into_iter().find(|(got, limit, _)| *got > *limit as usize) {
            None => Ok(()),
            Some((got, limit, key)) => {
                Err(CommandError::TooManyIntegers { name: name.clone(), got, limit, key })
            }
        }
    }
}

fn integers(robot: &Robot) -> usize {
    robot.identity.sensors.iter().fold(0, |sum, slot| sum.saturating_add(slot.len))
}
