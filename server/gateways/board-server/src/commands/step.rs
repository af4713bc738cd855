//! `STEP`: steps when told. [W6]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::bad;
use touchline_gate::{Control, Verb};

pub(super) const COMMAND: Command = Command {
    word: "STEP",
    parameters: "[steps]",
    verb: Verb::Step,
    summary: "makes steps at once, and then stands still",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let steps = if params.has_more() { params.integer("steps")? } else { 1 };
    if steps == 0 {
        return Err(bad("steps", 0u32, "at least 1").into());
    }
    params.end()?;
    call.begin(Control::Step(steps))
}
