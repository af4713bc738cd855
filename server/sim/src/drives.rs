//! Whether a command that drives a robot would be carried out as things stand, told from a Frame alone.

use crate::command::Action;
use crate::frame::Frame;
use touchline_plugin_api::motion::CommandPart;

impl Frame {
    /// Whether an action does no more than say how fast a robot shall move, and the world would do it for this client. Nothing but
    /// the robot's command as it stands changes by it before the next step.
    pub fn would_drive(&self, client: u64, action: &Action) -> bool {
        let (robot, is_well_formed): (_, &dyn Fn(&crate::RobotFrame) -> bool) = match action {
            Action::Drive(robot, command) => (*robot, &|robot| {
                let dimensions = &robot.identity.description.motion.dimensions;
                command.len() == dimensions.len() && command.iter().all(|number| number.is_finite())
            }),
            Action::SetForward(robot, speed) => (*robot, &|robot| has(robot, CommandPart::Forward, *speed)),
            Action::SetTurn(robot, speed) => (*robot, &|robot| has(robot, CommandPart::Turn, *speed)),
            Action::SetTwist(robot, twist) => {
                let is_finite =
                    [twist.x_m_s, twist.y_m_s, twist.turn_rad_s].iter().all(|speed| speed.is_finite());
                (*robot, if is_finite { &|_| true } else { &|_| false })
            }
            _ => return false,
        };
        self.robot(robot).is_some_and(|robot| {
            // A fault may be that of its motion model; and who has taken it over is heard alone.
            robot.fault.is_none()
                && robot.taken_by.is_none_or(|taker| taker == client)
                && is_well_formed(robot)
        })
    }
}

fn has(robot: &crate::RobotFrame, part: CommandPart, speed: f64) -> bool {
    speed.is_finite() && robot.identity.description.motion.dimension(part).is_some()
}
