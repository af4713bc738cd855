//! `TWIST`: all three standard velocities.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::errors::request_error;
use touchline_gate::Verb;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::CommandPart;
use touchline_sim::{Action, CommandError, RobotIdentity};

pub(super) const COMMAND: Command = Command {
    word: "TWIST",
    parameters: "<robot> <forward m/s> <left m/s> <turn rad/s>",
    verb: Verb::Drive,
    summary: "sets all three velocities",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let robot = params.robot(call)?;
    let [forward_m_s, left_m_s, turn_rad_s] = params.numbers(["forward m/s", "left m/s", "turn rad/s"])?;
    params.end()?;
    let (published, place) = call.find_now(&robot)?;
    let identity = &published.frame.robots[place].identity;
    let twist = Twist2::new(forward_m_s, left_m_s, turn_rad_s);
    check(identity, twist).map_err(|error| request_error(&error.into()))?;
    call.begin(Action::SetTwist(identity.number, twist))
}

/// A velocity that the motion model does not have may only be zero.
fn check(identity: &RobotIdentity, twist: Twist2) -> Result<(), CommandError> {
    let parts = [
        (CommandPart::Forward, "forward", twist.x_m_s),
        (CommandPart::Left, "left", twist.y_m_s),
        (CommandPart::Turn, "turn", twist.turn_rad_s),
    ];
    for (part, name, value) in parts {
        if value != 0.0 && identity.description.motion.dimension(part).is_none() {
            let plugin = identity.spec.motion.plugin.clone();
            return Err(CommandError::NoSuchPart { plugin, part: name });
        }
    }
    Ok(())
}
