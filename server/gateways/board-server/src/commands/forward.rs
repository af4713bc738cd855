//! `FORWARD`: one standard velocity, forward, m/s.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "FORWARD",
    parameters: "<robot> <m/s>",
    verb: Verb::Drive,
    summary: "sets the translational velocity",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, [forward_m_s]) = call.robot_and_numbers(["m/s"])?;
    call.begin(Action::SetForward(robot, forward_m_s))
}
