//! `SEEK`: the world goes on from another tick.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::{Request, Verb};

pub(super) const COMMAND: Command = Command {
    word: "SEEK",
    parameters: "<tick>",
    verb: Verb::Seek,
    summary: "brings the world back to a tick, and lets it go on from there",
    details: &["In a recording it moves to that tick. TIMELINE says which ticks there are."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let tick = params.integer("tick")?;
    params.end()?;
    call.begin(Request::Seek(tick))
}
