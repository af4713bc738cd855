//! `REFEREE`: a line for the referee, or what it knows.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::errors::request_error;
use crate::params::text_error;
use touchline_board::Reply;
use touchline_gate::{Gate, Verb};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::{Action, CommandError};

pub(super) const COMMAND: Command = Command {
    word: "REFEREE",
    parameters: "[line]",
    verb: Verb::Judge,
    summary: "says something to the referee",
    details: &["Without a line it lists what this world's referee knows."],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let text = call.scanner().rest_text().map_err(text_error)?;
    if text.is_empty() {
        let reply = known(call.gate()).map_err(|error| request_error(&error.into()))?;
        return call.answer(reply);
    }
    call.begin(Action::Referee(text.into()))
}

fn known(gate: &Gate) -> Result<Reply, CommandError> {
    let referee = gate.scenario().referee.as_ref().ok_or(CommandError::NoReferee)?;
    let descriptions = gate.factory().descriptions();
    let description = descriptions
        .iter()
        .find(|description| description.kind == PluginKind::Referee && description.name == referee.plugin);
    let usages = description.and_then(|description| description.params_schema.get("x-commands")?.as_array());
    let mut reply = Reply::block();
    for usage in usages.into_iter().flatten().filter_map(|usage| usage.as_str()) {
        reply.push("COMMAND", |line| line.quoted(usage));
    }
    Ok(reply)
}
