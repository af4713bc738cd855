//! `JUMP`: the world goes on from another moment.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::{Request, Verb};

pub(super) const COMMAND: Command = Command {
    word: "JUMP",
    parameters: "<moment>",
    verb: Verb::Jump,
    summary: "brings the world back to a moment, and lets it go on from there",
    details: &["In a recording it moves to that moment. TIMELINE says which moments there are."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let moment = params.integer("moment")?;
    params.end()?;
    call.begin(Request::Jump(moment))
}
