//! `SYNC`: one round of clock synchronisation. [C3]

use super::{Command, Run};
use crate::params::{BadLine, Params};
use crate::session::Session;
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "SYNC",
    parameters: "<t0_us>",
    verb: Verb::Greet,
    summary: "one round of clock synchronisation",
    details: &[
        "Answers t0, and the server's clock when SYNC came (t1) and when the answer left (t2), in microseconds.",
    ],
    run: Run::Local(run),
};

fn run(session: &mut Session, line: &str, now_us: u64) -> Result<Reply, BadLine> {
    let mut params = Params::read(&COMMAND, line, &[])?;
    let t0_us: i64 = params.integer("t0_us")?;
    params.end()?;
    Ok(Reply::ok().with("t0", t0_us).with("t1", session.received_us()).with("t2", now_us))
}
