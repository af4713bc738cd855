//! `SCORE`: the game as the referee sees it.

use super::{Command, Run, tidy};
use crate::call::{Begun, Call, Refused};
use touchline_board::{Reply, Role};
use touchline_plugin_api::game::Phase;
use touchline_plugin_api::view::NONE;

pub(super) const COMMAND: Command = Command {
    word: "SCORE",
    parameters: "",
    role: Role::Observer,
    summary: "teams, goals, clock",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    let gate = call.gate();
    let published = gate.newest();
    let game = &published.frame.game;
    let phase = match game.phase() {
        Phase::Play => "play",
        Phase::KickOff => "kick-off",
        Phase::Stopped => "stopped",
        Phase::HalfTime => "half-time",
        Phase::Finished => "finished",
    };
    let kick_off = (game.kick_off_team != NONE).then_some(game.kick_off_team);
    let mut reply = Reply::block()
        .with("clock_s", tidy(game.clock_secs))
        .with("phase", phase)
        .with("half", game.half)
        .with_some("kick_off", kick_off.and_then(|team| gate.team_name(team)))
        .with("episode", game.episode);
    for (number, (team, goals)) in gate.scenario().teams.iter().zip(game.score).enumerate() {
        let colour = format!("{:06x}", team.colour);
        reply.push("TEAM", |line| {
            line.word(number).word(&team.name).field("goals", goals).field("colour", &colour)
        });
    }
    call.answer(reply)
}
