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
    let mut params = call.params(&[])?;
    let robot = params.robot(call)?;
    let forward_m_s = params.number("m/s")?;
    params.end()?;
    let robot = call.number_of(&robot)?;
    call.begin(Action::SetForward(robot, forward_m_s))
}
