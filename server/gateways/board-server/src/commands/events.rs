//! `EVENTS`: what happened, numbered.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::{Reply, Role, Value};
use touchline_gate::Gate;
use touchline_sim::EventKind;

pub(super) const COMMAND: Command = Command {
    word: "EVENTS",
    parameters: "[since=<number>] [kind=<kind>]",
    role: Role::Observer,
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
        let (kind, fields) = in_words(gate, &event.kind);
        if wanted.as_deref().is_none_or(|wanted| wanted == kind) {
            reply.push("EVENT", |line| {
                let line = line.word(event.number).word(kind).field("step", event.step);
                fields.into_iter().fold(line, |line, (key, value)| line.field(key, value))
            });
        }
    }
    call.answer(reply)
}

fn in_words<'a>(gate: &'a Gate, event: &'a EventKind) -> (&'static str, Vec<(&'static str, Value<'a>)>) {
    match event {
        EventKind::Contact { a, b } => ("contact", vec![("a", a.into()), ("b", b.into())]),
        EventKind::Goal { team } => {
            ("goal", vec![("team", gate.team_name(*team).unwrap_or_default().into())])
        }
        EventKind::Fault { owner, plugin, message } => {
            ("fault", vec![("owner", owner.into()), ("plugin", plugin.into()), ("message", message.into())])
        }
        EventKind::RobotAdded { number, name } => {
            ("robot-added", vec![("robot", (*number).into()), ("name", name.into())])
        }
        EventKind::RobotRemoved { number, name } => {
            ("robot-removed", vec![("robot", (*number).into()), ("name", name.into())])
        }
        EventKind::Announcement(text) => ("announcement", vec![("text", text.into())]),
    }
}
