//! `LIST`: who is there, and who drives.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "LIST",
    parameters: "",
    verb: Verb::Ask,
    summary: "all robots, and the players that belong to teams",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    let gate = call.gate();
    let published = gate.newest();
    let mut reply = Reply::block();
    for robot in &published.frame.robots {
        let identity = &robot.identity;
        let team = identity.description.team.and_then(|team| gate.team_name(team));
        let (maker, taker) = (gate.maker(identity.number), gate.taker(robot));
        let taken_by = robot.taken_by.map(|_| taker.as_deref().unwrap_or("?"));
        reply.push("ROBOT", |line| {
            line.word(identity.number)
                .word(&identity.name)
                .some("team", team)
                .field("model", &identity.spec.model)
                .some("player", robot.player.as_deref())
                .some("client", maker.as_deref())
                .some("taken_by", taken_by)
                .some("fault", robot.fault.as_deref())
        });
    }
    for player in &published.frame.team_players {
        reply.push("TEAMPLAYER", |line| {
            line.word(&*player.name)
                .some("team", gate.team_name(player.team))
                .some("player", player.plugin.as_deref())
                .some("fault", player.fault.as_deref())
        });
    }
    call.answer(reply)
}
