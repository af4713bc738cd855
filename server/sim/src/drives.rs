//! What commands that drive a robot come to, told from a Frame alone.

use crate::command::Action;
use crate::frame::{Frame, RobotFrame};
use crate::robot::set_twist;
use touchline_plugin_api::motion::CommandPart;

impl Frame {
    /// Whether an action does no more than say how fast a robot shall move, and the world would do it for this client. Nothing but
    /// the robot's command as it stands changes by it before the next step.
    pub fn would_drive(&self, client: u64, action: &Action) -> bool {
        let (robot, is_well_formed): (_, &dyn Fn(&RobotFrame) -> bool) = match action {
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

fn has(robot: &RobotFrame, part: CommandPart, speed: f64) -> bool {
    speed.is_finite() && robot.identity.description.motion.dimension(part).is_some()
}

impl RobotFrame {
    /// Its motion command after these, as far as they drive it and take effect at once: one number for each dimension.
    pub fn command_after<'a>(&self, actions: impl Iterator<Item = &'a Action>) -> Vec<f64> {
        let (mut command, motion) = (self.command.clone(), &self.identity.description.motion);
        if self.identity.spec.commands.delay_secs > 0.0 {
            return command;
        }
        let set = |command: &mut Vec<f64>, part, speed| {
            if let Some(number) = motion.dimension(part).and_then(|dimension| command.get_mut(dimension)) {
                *number = speed;
            }
        };
        let number = self.identity.number;
        for action in actions {
            match action {
                Action::Drive(robot, numbers) if *robot == number => command.clone_from(numbers),
                Action::SetForward(robot, speed) if *robot == number => {
                    set(&mut command, CommandPart::Forward, *speed);
                }
                Action::SetTurn(robot, speed) if *robot == number => {
                    set(&mut command, CommandPart::Turn, *speed)
                }
                Action::SetTwist(robot, twist) if *robot == number => {
                    set_twist(&mut command, &motion.dimensions, *twist);
                }
                _ => {}
            }
        }
        command
    }
}
