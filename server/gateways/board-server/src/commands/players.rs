//! `PLAYERS`: the player plugins, or the parameters of one. [Y2]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_config::Parameter;
use touchline_gate::Verb;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_sim::MakeError;

pub(super) const COMMAND: Command = Command {
    word: "PLAYERS",
    parameters: "[plugin]",
    verb: Verb::Ask,
    summary: "the player plugins that START can start, or the parameters of one",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let wanted = params.next();
    params.end()?;
    let descriptions = call.gate().factory().descriptions();
    let mut players = descriptions.iter().filter(|description| description.kind == PluginKind::Player);
    let reply = match wanted {
        None => all(players),
        Some(wanted) => match players.find(|player| player.name == wanted) {
            Some(player) => parameters(&touchline_config::parameters(&player.params_schema)),
            None => {
                let known =
                    descriptions.iter().map(|description| (description.kind, description.name.as_str()));
                let error = MakeError::no_such_plugin(PluginKind::Player, &wanted, known);
                return Err(Reply::error("plugin/not-found", error.to_string()).into());
            }
        },
    };
    call.answer(reply)
}

fn all<'a>(players: impl Iterator<Item = &'a PluginDescription>) -> Reply {
    let mut reply = Reply::block();
    for player in players {
        reply.push("PLAYER", |line| line.word(&player.name).quoted(&player.summary));
    }
    reply
}

fn parameters(parameters: &[Parameter]) -> Reply {
    let mut reply = Reply::block();
    for parameter in parameters {
        let choices = parameter.choices.join(",");
        let default = parameter.default.as_ref().map(ToString::to_string);
        reply.push("PARAM", |line| {
            line.word(&parameter.name)
                .field("kind", &parameter.kind)
                .some("choices", (!choices.is_empty()).then_some(&choices))
                .some("min", parameter.min)
                .some("max", parameter.max)
                .some("needed", parameter.is_needed.then_some(true))
                .some("default", default.as_ref())
                .quoted(&parameter.meaning)
        });
    }
    reply
}
