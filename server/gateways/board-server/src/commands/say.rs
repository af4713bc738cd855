//! `SAY`: the radio.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::text_error;
use touchline_board::Role;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "SAY",
    parameters: "<robot> <text>",
    role: Role::Player,
    summary: "broadcasts to all other robots",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut scanner = call.scanner();
    let robot = call.next_robot(&mut scanner)?;
    let text = scanner.rest_text().map_err(text_error)?;
    if text.is_empty() {
        return Err(call.missing("text").into());
    }
    let robot = call.number_of(&robot)?;
    call.begin(Action::Say(robot, text.into()))
}
