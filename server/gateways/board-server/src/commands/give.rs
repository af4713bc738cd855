//! `GIVE`: the player drives again. [Y2]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "GIVE",
    parameters: "<robot>",
    verb: Verb::Take,
    summary: "gives a robot back that somebody has taken over",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, []) = call.robot_and_numbers([])?;
    call.begin(Action::GiveRobot(robot))
}
