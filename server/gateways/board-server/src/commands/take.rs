//! `TAKE`: somebody drives in place of the player. [Y2]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "TAKE",
    parameters: "<robot>",
    verb: Verb::Take,
    summary: "takes a robot over: its player is not asked, and only you drive it",
    details: &[ROBOT, "It is given back by GIVE, or when this connection ends."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, []) = call.robot_and_numbers([])?;
    call.begin(Action::TakeRobot(robot))
}
