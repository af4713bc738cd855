//! What clients' robots may make the program keep.

use crate::command::CommandError;
use crate::robot::Robot;
use crate::world::World;

/// So many integers the sensors of one robot may give that a client makes: two of the largest images.
pub const MAX_ROBOT_INTEGERS: usize = 1 << 22;
/// So many the sensors of all clients' robots together: each may be generated and kept as text for the newest step.
pub const MAX_GUESTS_INTEGERS: usize = 1 << 24;

impl World {
    /// Whether there is room for a robot's readings. Who writes the world file may have what he likes.
    pub(crate) fn check_integers(&self, robot: &Robot) -> Result<(), CommandError> {
        if robot.made_by.is_none() {
            return Ok(());
        }
        let got = integers(robot);
        let guests = self.state.robots.iter().filter(|guest| guest.made_by.is_some());
        let all = guests.map(integers).fold(got, usize::saturating_add);
        let (limit, whose) = if got > MAX_ROBOT_INTEGERS {
            (MAX_ROBOT_INTEGERS, "a client's robot")
        } else if all > MAX_GUESTS_INTEGERS {
            (MAX_GUESTS_INTEGERS, "all clients' robots together")
        } else {
            return Ok(());
        };
        Err(CommandError::TooManyIntegers { name: robot.identity.name.clone(), got, limit, whose })
    }
}

fn integers(robot: &Robot) -> usize {
    robot.identity.sensors.iter().fold(0, |sum, slot| sum.saturating_add(slot.len))
}
