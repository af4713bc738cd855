//! `OFFSET`: the client's clock, for all stamps that follow. [C3]

use super::{Command, Run};
use crate::params::{BadLine, Params};
use crate::session::Session;
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "OFFSET",
    parameters: "<offset_us>",
    verb: Verb::Greet,
    summary: "from now on this is added to every stamp that you get",
    details: &["The offset is your clock minus the server's, in microseconds."],
    run: Run::Local(run),
};

fn run(session: &mut Session, line: &str, _: u64) -> Result<Reply, BadLine> {
    let mut params = Params::read(&COMMAND, line, &[])?;
    let offset_us = params.integer("offset_us")?;
    params.end()?;
    session.set_offset_us(offset_us);
    Ok(Reply::ok().with("offset_us", offset_us))
}
