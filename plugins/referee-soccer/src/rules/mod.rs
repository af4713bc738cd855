//! The rules, one file each, and who is told of what in which order.
//!
//! Each works as the server's referee of the same name, quirks included: what happens in a cycle is told to all of them, in this order, and after the
//! motion each looks at the game.

mod areas;
mod ball_stuck;
mod catches;
mod clear;
mod fouls;
mod free_kick;
mod half_field;
mod illegal_defense;
mod keepaway;
mod offside;
mod penalty;
mod task;
mod time;
mod touch;

pub use areas::{drop_ball, truncate_to_pitch};
pub use task::watch_episode;
pub use time::{is_stopped, kick_off};

use crate::game::{Game, Player, Said};
use crate::memory::Seat;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::Side;
use touchline_soccer_law::params::Task;

/// Cycles that a stopped mode lasts before the set play.
const AFTER_FAULT_WAIT: i32 = 30;
/// Cycles at its end in which opponents are moved away from the ball.
const CLEAR_PLAYER_TIME: i32 = 5;

/// What the rules remember.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    time: time::Memory,
    ball_stuck: ball_stuck::Memory,
    offside: offside::Memory,
    free_kick: free_kick::Memory,
    touch: touch::Memory,
    catches: catches::Memory,
    fouls: fouls::Memory,
    illegal_defense: illegal_defense::Memory,
    keepaway: keepaway::Memory,
    /// Of games that agents play in episodes; none in any other, whose state is as long as ever.
    task: Option<task::Seen>,
    half_field: half_field::Memory,
    penalty: penalty::Memory,
}

/// The mode of play has changed.
pub fn mode_changed(game: &mut Game<'_>) {
    if !game.law.has_referee() {
        return;
    }
    offside::mode_changed(game);
    free_kick::mode_changed(game);
    touch::mode_changed(game);
    catches::mode_changed(game);
    fouls::mode_changed(game);
    illegal_defense::mode_changed(game);
    keepaway::mode_changed(game);
    penalty::mode_changed(game);
}

/// A player kicked, with this acceleration of the ball.
pub fn kick_taken(game: &mut Game<'_>, kicker: Seat, accel: f64) {
    if !game.law.has_referee() {
        return;
    }
    offside::kick_taken(game, kicker, accel);
    free_kick::kick_taken(game, kicker);
    touch::kick_taken(game, kicker, accel);
    catches::kick_taken(game, kicker);
    illegal_defense::kick_taken(game, kicker);
    penalty::kick_taken(game, kicker);
}

/// A player kicked, or tackled, in vain.
pub fn kick_failed(game: &mut Game<'_>, kicker: Seat) {
    if game.law.has_referee() {
        offside::kick_failed(game, kicker);
    }
}

/// A tackle came off.
pub fn tackle_taken(game: &mut Game<'_>, tackler: Seat, accel: f64, is_foul: bool) {
    if !game.law.has_referee() {
        return;
    }
    offside::kick_taken(game, tackler, accel);
    free_kick::kick_taken(game, tackler);
    touch::kick_taken(game, tackler, accel);
    catches::kick_taken(game, tackler);
    fouls::tackle_taken(game, tackler, is_foul);
    illegal_defense::kick_taken(game, tackler);
    penalty::tackle_taken(game, tackler, is_foul);
}

/// A player touched the ball, or it hit the player.
pub fn ball_touched(game: &mut Game<'_>, player: Seat) {
    if !game.law.has_referee() {
        return;
    }
    offside::kick_taken(game, player, 0.0);
    free_kick::ball_touched(game, player);
    touch::kick_taken(game, player, 0.0);
    catches::ball_touched(game, player);
}

/// A goalkeeper has the ball.
pub fn ball_caught(game: &mut Game<'_>, catcher: Seat) {
    if !game.law.has_referee() {
        return;
    }
    catches::ball_caught(game, catcher);
    penalty::ball_caught(game, catcher);
}

/// A goalkeeper touched the ball and did not hold it.
pub fn ball_punched(game: &mut Game<'_>, catcher: Seat) {
    if !game.law.has_referee() {
        return;
    }
    catches::ball_punched(game, catcher);
    penalty::ball_caught(game, catcher);
}

/// Looks at the game after the motion of a cycle.
pub fn analyse(game: &mut Game<'_>) {
    if game.law.is_half_field() {
        half_field::analyse(game);
    }
    if !game.law.has_referee() {
        return;
    }
    time::analyse(game);
    ball_stuck::analyse(game);
    offside::analyse(game);
    free_kick::analyse(game);
    touch::analyse(game);
    catches::analyse(game);
    fouls::analyse(game);
    illegal_defense::analyse(game);
    keepaway::analyse(game);
    penalty::analyse(game);
}

/// What all players are paid for a goal, where goals are paid.
fn paid_for_goal(game: &Game<'_>, scorer: Side) -> Vec<Said> {
    let value = |side: Side| if side == scorer { 1.0 } else { -1.0 };
    let paid = |player: &Player<'_>| Said::Reward { robot: player.memory.robot, value: value(player.side()) };
    if game.law.task.pays == Task::None { Vec::new() } else { game.present().map(paid).collect() }
}

/// A stopped mode goes on for a cycle: near its end opponents are moved away. Says whether it is over.
fn wait_is_over(game: &mut Game<'_>, waited: i32, offender: touchline_soccer_law::face::Side) -> bool {
    if waited > AFTER_FAULT_WAIT - CLEAR_PLAYER_TIME {
        clear::clear_players_from_ball(game, Some(offender));
    }
    waited > AFTER_FAULT_WAIT
}
