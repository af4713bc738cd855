//! `SET`: what can be set of a robot's sensors, such as the width of a camera's view.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "SET",
    parameters: "<robot> <sensor> <name> <value>",
    verb: Verb::Drive,
    summary: "sets a number of a sensor, such as the width of a camera's view",
    details: &[ROBOT, "DESCRIBE lists what can be set: the SETTABLE lines of a sensor, with unit and range."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let robot = params.robot(call)?;
    let (sensor, datum) = (params.text("sensor")?, params.text("name")?);
    let value = params.number("value")?;
    params.end()?;
    let robot = call.number_of(&robot)?;
    call.begin(Action::SetSensor { robot, sensor, datum, value })
}
