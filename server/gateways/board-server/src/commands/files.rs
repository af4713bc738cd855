//! `FILES`: the robot files that are there. [R1]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "FILES",
    parameters: "",
    verb: Verb::Ask,
    summary: "the robot files that ROBOT and START can use by name",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    let files = call.files();
    call.later(async move {
        let mut reply = Reply::block();
        for (name, summary) in &files.list().await? {
            reply.push("FILE", |line| line.word(name).quoted(summary));
        }
        Ok(reply)
    })
}
