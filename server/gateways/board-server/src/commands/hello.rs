//! `HELLO`: version, name and role are agreed.

use super::{Command, Run};
use crate::params::{BadLine, Params, bad};
use crate::session::Session;
use touchline_board::{Reply, Role};

pub(super) const COMMAND: Command = Command {
    word: "HELLO",
    parameters: "<version> <name> [role=observer|player|operator] [token=<token>]",
    role: Role::Observer,
    summary: "agrees on the protocol's version, and says who you are",
    details: &[
        "The version is 1. Without HELLO a connection is a player named after its address.",
        "An operator needs the server's token, unless it is on the same machine. May be given again.",
    ],
    run: Run::Local(run),
};

fn run(session: &mut Session, line: &str, _: u64) -> Result<Reply, BadLine> {
    let mut params = Params::read(&COMMAND, line, &["role", "token"])?;
    let version = params.integer("version")?;
    let name = params.robot_name("name")?;
    let role = match params.field("role") {
        None => Role::Player,
        Some(word) => {
            Role::from_word(&word).ok_or_else(|| bad("role", &word, "observer, player or operator"))?
        }
    };
    let token = params.field("token");
    params.end()?;
    session.introduce(version, name, role, token.as_deref()).map_err(BadLine)
}
