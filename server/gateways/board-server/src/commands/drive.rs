//! `DRIVE`: the whole command vector.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "DRIVE",
    parameters: "<robot> <number>...",
    verb: Verb::Drive,
    summary: "sets the whole command vector; DESCRIBE says what its numbers mean",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let robot = params.robot(call)?;
    let mut command = vec![params.number("number")?];
    while params.has_more() {
        command.push(params.number("number")?);
    }
    params.end()?;
    let robot = call.number_of(&robot)?;
    call.begin(Action::Drive(robot, command))
}
