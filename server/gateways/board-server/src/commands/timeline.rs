//! `TIMELINE`: what can be had of the past, and what happened in it.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::errors::request_error;
use crate::params::integer;
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "TIMELINE",
    parameters: "[kind=<kind>] [since=<tick>] [every=<steps>]",
    verb: Verb::Past,
    summary: "says which ticks can be had, and what happened when",
    details: &[
        "A tick is a number of steps since the server began; a reset does not set it back.",
        "Kinds are those of EVENTS, and message; kind= leaves out all others, and kind=none leaves out all.",
        "In a recording also difference (a new player decides otherwise) and divergence (it is another world).",
        "since= leaves out what happened before that tick.",
        "every= thins out contacts and messages: at most one of each kind in so many ticks.",
    ],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&["kind", "since", "every"])?;
    let every = params.field("every").map_or(Ok(1), |word| integer("every", &word))?;
    let (kind, since) = (params.field("kind"), params.since()?);
    params.end()?;
    let gate = call.gate().clone();
    call.later(async move {
        let mut timeline = gate.timeline().await.map_err(|error| request_error(&error))?;
        timeline.thin_out(kind.as_deref(), since, every);
        let mut reply = Reply::block()
            .with("now", timeline.now)
            .with("oldest", timeline.oldest)
            .with("newest", timeline.newest)
            .with("lost", timeline.lost)
            .with("dt_us", gate.dt_us());
        for bookmark in &timeline.bookmarks {
            reply.push("BOOKMARK", |line| {
                line.word(bookmark.tick).word(&bookmark.kind).quoted(&bookmark.text)
            });
        }
        Ok(reply)
    })
}
