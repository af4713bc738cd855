//! `EVENTS`: what happened, numbered.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::{Reply, Value};
use touchline_gate::{Gate, Verb};
use touchline_sim::EventKind;

pub(super) const COMMAND: Command = Command {
    word: "EVENTS",
    parameters: "[since=<number>] [kind=<kind>]",
    verb: Verb::See,
    summary: "what happened",
    details: &["Give the next= of the last answer as since= of the next question, and you miss nothing."],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&["since", "kind"])?;
    let since: u64 = params.since()?;
    let wanted = params.field("kind");
    params.end()?;
    call.truth()?;
    let gate = call.gate();
    let published = gate.newest();
    let mut reply = Reply::block().with("next", published.frame.next_event);
    for event in published.frame.events.iter().filter(|event| event.number >= since) {
        let kind = event.kind.word();
        if wanted.as_deref().is_none_or(|wanted| wanted == kind) {
            reply.push("EVENT", |line| {
                let line = line.word(event.number).word(kind).field("step", event.step);
                fields(gate, &event.kind).into_iter().fold(line, |line, (key, value)| line.field(key, value))
            });
        }
    }
    call.answer(reply)
}

fn fields<'a>(gate: &'a Gate, event: &'a EventKind) -> Vec<(&'static str, Value<'a>)> {
    match event {
        EventKind::Contact { a, b } => vec![("a", a.into()), ("b", b.into())],
        EventKind::Game { team, text, .. } => {
            let team = team.and_then(|team| gate.team_name(team)).map(|team| ("team", team.into()));
            let text = (!text.is_empty()).then(|| ("text", text.into()));
            team.into_iter().chain(text).collect()
        }
        EventKind::Measure { name, value, unit } => {
            vec![("name", name.into()), ("value", (*value).into()), ("unit", unit.into())]
        }
        EventKind::Fault { owner, plugin, message } => {
            vec![("owner", owner.into()), ("plugin", plugin.into()), ("message", message.into())]
        }
        EventKind::PlayerExchanged { number, name, plugin } => {
            vec![("robot", (*number).into()), ("name", name.into()), ("plugin", plugin.into())]
        }
        EventKind::RobotAdded { number, name } | EventKind::RobotRemoved { number, name } => {
            vec![("robot", (*number).into()), ("name", name.into())]
        }
        EventKind::Announcement(text) => vec![("text", text.into())],
    }
}
