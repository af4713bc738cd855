//! `HELP`: the table of commands, for people.

use super::{COMMANDS, Command, Run, unknown};
use crate::params::{BadLine, Params};
use crate::session::Session;
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "HELP",
    parameters: "[command]",
    verb: Verb::Greet,
    summary: "lists all commands, or explains one",
    details: &[],
    run: Run::Local(run),
};

fn run(_: &mut Session, line: &str, _: u64) -> Result<Reply, BadLine> {
    let mut params = Params::read(&COMMAND, line, &[])?;
    let Some(word) = params.next() else { return Ok(all()) };
    let command = Command::find(&word).ok_or_else(|| BadLine(unknown(&word)))?;
    params.end()?;
    Ok(one(command))
}

fn all() -> Reply {
    let mut reply = Reply::block();
    for command in COMMANDS {
        reply.push_plain(&format!("{}  - {} ({})", command.usage(), command.summary, command.who()));
    }
    reply
}

fn one(command: &Command) -> Reply {
    let mut reply = Reply::block();
    reply.push_plain(&command.usage());
    reply.push_plain(&format!("{}; for {}", command.summary, command.who()));
    command.details.iter().for_each(|line| reply.push_plain(line));
    reply
}
