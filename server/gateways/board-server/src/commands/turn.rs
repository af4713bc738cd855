//! `TURN`: one standard velocity, of rotation, rad/s.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "TURN",
    parameters: "<robot> <rad/s>",
    verb: Verb::Drive,
    summary: "sets the rotational velocity, counter-clockwise",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, [turn_rad_s]) = call.robot_and_numbers(["rad/s"])?;
    call.begin(Action::SetTurn(robot, turn_rad_s))
}
