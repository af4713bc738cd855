//! `EXCHANGE`: a robot gets another player. [Y2]

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused, done};
use crate::params::player_choice;
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "EXCHANGE",
    parameters: "<robot> plugin=<name> [params=<json>] [period_ms=<ms>]",
    verb: Verb::Players,
    summary: "gives a robot another player plugin in place of the one that it has; the robot goes on as it is",
    details: &[ROBOT, "PLAYERS lists the plugins. A robot that has no player gets one by START."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&["plugin", "params", "period_ms"])?;
    let robot = params.robot(call)?;
    let plugin = params.field("plugin").ok_or_else(|| params.missing("plugin="))?;
    let player = player_choice(&mut params, plugin)?;
    params.end()?;
    let robot = call.number_of(&robot)?;
    call.set_player(robot, player, move |player| Action::ExchangePlayer(robot, player), done)
}
