//! `RESET`: from the beginning.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "RESET",
    parameters: "",
    verb: Verb::Reset,
    summary: "brings the world back to its first step",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    call.begin(Action::Reset)
}
