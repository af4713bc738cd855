//! `BYE`: the end, once all is answered.

use super::{Command, Run};
use crate::params::{BadLine, Params};
use crate::session::Session;
use touchline_board::{Reply, Role};

pub(super) const COMMAND: Command = Command {
    word: "BYE",
    parameters: "",
    role: Role::Observer,
    summary: "ends the connection; its robots go",
    details: &[],
    run: Run::Local(run),
};

fn run(session: &mut Session, line: &str, _: u64) -> Result<Reply, BadLine> {
    Params::read(&COMMAND, line, &[])?.end()?;
    session.say_bye();
    Ok(Reply::ok())
}
