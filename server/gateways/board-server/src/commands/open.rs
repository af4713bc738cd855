//! `OPEN`: another world, or a recording, in place of what the server shows.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::bad;
use crate::shelf::{Title, TitleKind};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "OPEN",
    parameters: "[world|recording <name>]",
    verb: Verb::Open,
    summary: "what the server can show instead, or shows one of these",
    details: &["All clients are told, and connect again: the server comes back with it."],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let mut params = call.params(&[])?;
    let wanted = match params.next() {
        None => None,
        Some(word) => {
            let kind = TitleKind::ALL.into_iter().find(|kind| word.eq_ignore_ascii_case(kind.as_str()));
            let kind = kind.ok_or_else(|| bad("what", &word, "world or recording"))?;
            Some(Title { kind, name: params.text("name")? })
        }
    };
    params.end()?;
    let shelf = call.shelf();
    call.later(async move {
        let nothing =
            || Reply::error("board/nothing-to-open", "this server shows one thing, as long as it runs");
        let shelf = shelf.ok_or_else(nothing)?;
        let work = move || {
            let titles = shelf.titles();
            let Some(wanted) = wanted else { return Ok(listed(&titles)) };
            if !titles.contains(&wanted) {
                let what =
                    format!("no {} \"{}\" is there; OPEN lists all", wanted.kind.as_str(), wanted.name);
                return Err(Reply::error("board/no-such-title", what));
            }
            shelf.open(&wanted).map_err(|why| Reply::error("board/cannot-open", why))?;
            Ok(Reply::ok().with("opens", wanted.kind.as_str()))
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(nothing()))
    })
}

fn listed(titles: &[Title]) -> Reply {
    let mut reply = Reply::block();
    for Title { kind, name } in titles {
        reply.push(&kind.as_str().to_ascii_uppercase(), |line| line.quoted(name));
    }
    reply
}
