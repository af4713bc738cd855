//! `BALL`: a ball is put somewhere.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Role;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "BALL",
    parameters: "<number> <x m> <y m> [<vx m/s> <vy m/s>]",
    role: Role::Operator,
    summary: "puts a ball somewhere",
    details: &[],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let ball = params.integer("number")?;
    let position = params.numbers(["x m", "y m"])?;
    let velocity = if params.has_more() { params.numbers(["vx m/s", "vy m/s"])? } else { [0.0; 2] };
    params.end()?;
    call.begin(Action::PlaceBall { ball, position, velocity })
}
