//! `HELLO`: version, name and role are agreed.

use super::{Command, Run};
use crate::params::{BadLine, Params, bad};
use crate::session::{Greeting, Session};
use touchline_board::Reply;
use touchline_gate::{Role, Verb};

pub(super) const COMMAND: Command = Command {
    word: "HELLO",
    parameters: "<version> <name> [role=<role>] [key=<key>]",
    verb: Verb::Greet,
    summary: "agrees on the protocol's version, and says who you are",
    details: &[
        "The version is 1. Where there are keys, yours says what you are, and nothing else is answered before it.",
        "Where there are none you are what you say: spectator, monitor, player, trainer, referee or operator;",
        "without HELLO, a player named after its address. May be given again.",
    ],
    run: Run::Local(run),
};

fn run(session: &mut Session, line: &str, now_us: u64) -> Result<Reply, BadLine> {
    let mut params = Params::read(&COMMAND, line, &["role", "key"])?;
    let version = params.integer("version")?;
    let name = params.robot_name("name")?;
    let role = params.field("role").map(|word| role(&word)).transpose()?;
    let key = params.field("key");
    params.end()?;
    session.introduce(Greeting { version, name, role, key }, now_us).map_err(BadLine)
}

fn role(word: &str) -> Result<Role, BadLine> {
    Role::from_word(word).ok_or_else(|| {
        let roles = Role::ALL.map(Role::as_str).join(", ");
        bad("role", word, &format!("one of {roles}"))
    })
}
