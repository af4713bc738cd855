//! `STOP`: a player plugin ends. [Y2]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "STOP",
    parameters: "<robot>",
    verb: Verb::Players,
    summary: "ends a robot's player plugin; the robot goes with it",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, []) = call.robot_and_numbers([])?;
    call.begin(Action::StopPlayer(robot))
}
