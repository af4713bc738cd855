//! Too many defenders before their goal for too long, if the parameters forbid it.

use super::wait_is_over;
use crate::game::Game;
use crate::memory::Seat;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::pitch::HALF_LENGTH_M;
use touchline_soccer_law::{PlayMode, SidedMode};

/// Where the free kick is taken: the penalty spot, metres from the centre.
const FREE_KICK_M: f64 = 41.5;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    last_time: i64,
    last_kicker_side: Option<Side>,
    /// For how many cycles each team has had too many there.
    cycles: [i32; 2],
    waited: i32,
}

fn is_forbidden(game: &Game<'_>) -> bool {
    game.law.server.illegal_defense_number > 0
}

pub fn kick_taken(game: &mut Game<'_>, kicker: Seat) {
    if !is_forbidden(game) {
        return;
    }
    let time = game.memory.time;
    let memory = &mut game.memory.rules.illegal_defense;
    if memory.last_time == time && memory.last_kicker_side != Some(kicker.side()) {
        memory.last_kicker_side = None;
        return;
    }
    (memory.last_time, memory.last_kicker_side) = (time, Some(kicker.side()));
}

pub fn mode_changed(game: &mut Game<'_>) {
    if let Some((SidedMode::IllegalDefense, _)) = game.mode().sided() {
        game.memory.rules.illegal_defense.waited = 0;
    }
}

pub fn analyse(game: &mut Game<'_>) {
    if !is_forbidden(game) {
        return;
    }
    if let Some((SidedMode::IllegalDefense, side)) = game.mode().sided() {
        game.memory.rules.illegal_defense.waited += 1;
        if wait_is_over(game, game.memory.rules.illegal_defense.waited, side) {
            game.change_mode(PlayMode::of(SidedMode::FreeKick, side.opposite()));
        }
    } else if game.mode() == PlayMode::PLAY_ON {
        let too_long = Side::BOTH.map(|side| has_too_many(game, side));
        for side in Side::BOTH.into_iter().filter(|side| too_long[side.team() as usize]) {
            call(game, side);
        }
    }
}

/// Counts a side's defenders, and says whether there are too many for too long.
fn has_too_many(game: &mut Game<'_>, side: Side) -> bool {
    let server = &game.law.server;
    let (most, duration) = (server.illegal_defense_number, server.illegal_defense_duration);
    let edge_m = HALF_LENGTH_M - server.illegal_defense_dist_x;
    let half_m = server.illegal_defense_width / 2.0;
    let is_attacked = game.memory.rules.illegal_defense.last_kicker_side == Some(side.opposite())
        && side.sign() * game.ball.place[0] < 0.0;
    let mut count = 0;
    for player in game.present_mut().filter(|player| is_attacked && player.side() == side) {
        if -side.sign() * player.place[0] > edge_m && player.place[1].abs() < half_m {
            count += 1;
            player.state |= state::ILLEGAL_DEFENSE;
        }
    }
    let is_too_many = count >= most;
    if !is_too_many {
        for player in game.present_mut().filter(|player| player.side() == side) {
            player.state &= !state::ILLEGAL_DEFENSE;
        }
    }
    let cycles = &mut game.memory.rules.illegal_defense.cycles[side.team() as usize];
    *cycles = if is_too_many { *cycles + 1 } else { 0 };
    *cycles >= duration
}

fn call(game: &mut Game<'_>, side: Side) {
    game.memory.catcher = None;
    let place = [-side.sign() * FREE_KICK_M, 0.0];
    game.place_ball_in(PlayMode::of(SidedMode::IllegalDefense, side), Some(side.opposite()), place);
    let memory = &mut game.memory.rules.illegal_defense;
    memory.cycles[side.team() as usize] = 0;
    memory.waited = 0;
}
