//! `BYE`: the end, once all is answered.

use super::{Command, Run};
use crate::params::{BadLine, Params};
use crate::session::Session;
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "BYE",
    parameters: "",
    verb: Verb::Greet,
    summary: "ends the connection; its robots go",
    details: &[],
    run: Run::Local(run),
};

fn run(session: &mut Session, line: &str, _: u64) -> Result<Reply, BadLine> {
    Params::read(&COMMAND, line, &[])?.end()?;
    session.say_bye();
    Ok(Reply::ok())
}
