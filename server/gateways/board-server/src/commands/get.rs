//! `GET`: readings, now. [C4]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "GET",
    parameters: "<robot> <selection>...",
    verb: Verb::Sense,
    summary: "reads sensors, all at one and the same step",
    details: &[
        ROBOT,
        "<selection> is *, <sensor>, <sensor>.<feature>, or what it is, such as type=laser or",
        "model=LMS200,feature=180DegreeScan. DESCRIBE says which there are.",
    ],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut words = call.words()?;
    let robot = words.robot(call)?;
    let selection = words.selection()?;
    let (shown, place, selected) = call.select(&robot, &selection)?;
    let state = call.read(&shown, place, &selected)?;
    call.answer(state.into_reply())
}
