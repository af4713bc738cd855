//! `REMOVE`: a robot goes. [R6]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "REMOVE",
    parameters: "<robot>",
    verb: Verb::Make,
    summary: "removes a robot",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, []) = call.robot_and_numbers([])?;
    call.begin(Action::RemoveRobot(robot))
}
