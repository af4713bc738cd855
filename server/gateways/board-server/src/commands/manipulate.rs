//! `MANIPULATE`: kickers, dribblers and their like.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::bad;
use touchline_gate::Verb;
use touchline_plugin_api::flight::Aim;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "MANIPULATE",
    parameters: "<robot> <manipulator> <state> [strength] [direction=<rad>] [elevation=<rad>]",
    verb: Verb::Drive,
    summary: "switches a manipulator, such as a kicker, to a state",
    details: &[
        ROBOT,
        "The strength is between 0 and 1; 1 if it is not given.",
        "Direction (in the robot's frame) and elevation (above the floor) are for kicks whose robot file leaves them to the command.",
    ],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&["direction", "elevation"])?;
    let robot = params.robot(call)?;
    let (manipulator, state) = (params.text("manipulator")?, params.text("state")?);
    let strength = if params.has_more() { params.number("strength")? } else { 1.0 };
    if !(0.0..=1.0).contains(&strength) {
        return Err(bad("strength", strength, "between 0 and 1").into());
    }
    let (direction_rad, elevation_rad) =
        (params.number_field("direction")?, params.number_field("elevation")?);
    params.end()?;
    let robot = call.number_of(&robot)?;
    let aim = Aim { strength, direction_rad, elevation_rad };
    call.begin(Action::Manipulate { robot, manipulator, state, aim })
}
