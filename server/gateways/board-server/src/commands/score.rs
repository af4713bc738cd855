//! `SCORE`: the game as the referee sees it.

use super::{Command, Run, tidy};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "SCORE",
    parameters: "",
    verb: Verb::Ask,
    summary: "teams, goals, clock",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    let gate = call.gate();
    let published = gate.newest();
    let game = &published.frame.game;
    let restart = game.restart_name();
    let mut reply = Reply::block()
        .with("clock_s", tidy(game.clock_secs))
        .with("phase", game.phase_name())
        .with_some("restart", restart.map(|(kind, _)| kind))
        .with_some("restart_team", restart.and_then(|(_, team)| gate.team_name(team?)))
        .with("episode", game.episode);
    for (name, value) in game.values() {
        reply = reply.with(name, value);
    }
    for (number, (team, state)) in gate.scenario().teams.iter().zip(&game.teams).enumerate() {
        let colour = format!("{:06x}", team.colour);
        reply.push("TEAM", |line| {
            line.word(number).word(&team.name).field("goals", state.score).field("colour", &colour)
        });
    }
    call.answer(reply)
}
