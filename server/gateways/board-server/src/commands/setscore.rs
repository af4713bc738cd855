//! `SETSCORE`: goals by hand.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "SETSCORE",
    parameters: "<team> <goals>",
    verb: Verb::Judge,
    summary: "sets a team's goals",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let (team, goals) = (params.text("team")?, params.integer("goals")?);
    params.end()?;
    let team = call.team(&team)?;
    call.begin(Action::SetScore { team, goals })
}
