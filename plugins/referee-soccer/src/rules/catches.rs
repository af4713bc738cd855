//! Catches: a free kick for the goalkeeper, unless it was a pass back, or outside of the penalty area.

use super::areas::{
    award_free_kick, in_penalty_area, move_out_of_goal_area, move_out_of_penalty, truncate_to_pitch,
};
use super::wait_is_over;
use crate::game::Game;
use crate::memory::Seat;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::{PlayMode, SidedMode};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Which teams have touched the ball in this cycle.
    has_touched: [bool; 2],
    last_passer: Option<Seat>,
    passer_before: Option<Seat>,
    last_time: i64,
    waited: i32,
}

pub fn mode_changed(game: &mut Game<'_>) {
    let mode = game.mode();
    let memory = &mut game.memory.rules.catches;
    if mode != PlayMode::PLAY_ON {
        (memory.last_passer, memory.passer_before) = (None, None);
    }
    if matches!(mode.sided(), Some((SidedMode::BackPass | SidedMode::CatchFault, _))) {
        memory.waited = 0;
        game.memory.catcher = None;
    }
}

/// Both teams in one cycle: nobody's pass. Says whether it is so.
fn touch(memory: &mut Memory, side: Side) -> bool {
    memory.has_touched[side.team() as usize] = true;
    let by_both = memory.has_touched == [true; 2];
    if by_both {
        (memory.last_passer, memory.passer_before) = (None, None);
    }
    by_both
}

pub fn kick_taken(game: &mut Game<'_>, kicker: Seat) {
    let time = game.memory.time;
    let memory = &mut game.memory.rules.catches;
    if touch(memory, kicker.side()) {
        return;
    }
    if memory.last_passer != Some(kicker) {
        memory.passer_before = memory.last_passer.replace(kicker);
    }
    memory.last_time = time;
}

pub fn ball_touched(game: &mut Game<'_>, player: Seat) {
    touch(&mut game.memory.rules.catches, player.side());
}

fn is_play(mode: PlayMode) -> bool {
    mode != PlayMode::TIME_OVER && !matches!(mode.sided(), Some((SidedMode::Goal, _)))
}

fn is_outside(game: &Game<'_>, catcher: Seat) -> bool {
    is_play(game.mode()) && !in_penalty_area(game, Some(catcher.side()), game.ball.place)
}

pub fn ball_caught(game: &mut Game<'_>, catcher: Seat) {
    if game.mode().is_shoot_out() {
        return;
    }
    if is_outside(game, catcher) {
        call_catch_fault(game, catcher.side());
        return;
    }
    let is_before_foreign =
        game.memory.rules.catches.passer_before.is_none_or(|before| before.side() != catcher.side());
    // A kick and a catch in one cycle are no pass.
    let is_at_once = game.memory.rules.catches.last_time == game.time() && is_before_foreign;
    if let Some(passer) = back_passer(game, catcher).filter(|_| !is_at_once) {
        call_back_pass(game, catcher.side(), passer);
        return;
    }
    let memory = &mut game.memory.rules.catches;
    (memory.last_passer, memory.passer_before) = (None, None);
    award_free_kick(game, catcher.side(), game.ball.place);
}

pub fn ball_punched(game: &mut Game<'_>, catcher: Seat) {
    if game.mode().is_shoot_out() {
        return;
    }
    if is_outside(game, catcher) {
        call_catch_fault(game, catcher.side());
        return;
    }
    let is_of_mate = game.law.server.back_passes
        && is_play(game.mode())
        && game.memory.rules.catches.last_time != game.time()
        && game.memory.rules.catches.last_passer.is_some_and(|passer| passer.side() == catcher.side());
    if is_of_mate {
        if let Some(passer) = back_passer(game, catcher) {
            call_back_pass(game, catcher.side(), passer);
        }
        return;
    }
    let memory = &mut game.memory.rules.catches;
    (memory.last_passer, memory.passer_before) = (None, None);
}

/// Who passed back, if anybody did: the last kicker is of the catcher's team; if it is the catcher itself, no opponent kicked just before.
fn back_passer(game: &Game<'_>, catcher: Seat) -> Option<Seat> {
    let memory = &game.memory.rules.catches;
    let passer = memory.last_passer.filter(|passer| passer.side() == catcher.side())?;
    let from_opponent = memory.passer_before.is_some_and(|before| before.side() != catcher.side());
    let is_own_save = passer == catcher && from_opponent;
    (game.law.server.back_passes && is_play(game.mode()) && !is_own_save).then_some(passer)
}

fn call_back_pass(game: &mut Game<'_>, side: Side, passer: Seat) {
    if let Some(player) = game.player_mut(passer) {
        player.state |= state::BACK_PASS;
    }
    let place = move_out_of_goal_area(Some(side), truncate_to_pitch(game.ball.place));
    game.memory.catcher = None;
    game.place_ball_in(PlayMode::of(SidedMode::BackPass, side), Some(side.opposite()), place);
    game.memory.rules.catches.last_passer = None;
    game.memory.rules.catches.waited = 0;
}

fn call_catch_fault(game: &mut Game<'_>, side: Side) {
    let place = move_out_of_penalty(Some(side), truncate_to_pitch(game.ball.place));
    game.memory.catcher = None;
    game.place_ball_in(PlayMode::of(SidedMode::CatchFault, side), Some(side.opposite()), place);
    game.memory.rules.catches.waited = 0;
}

pub fn analyse(game: &mut Game<'_>) {
    game.memory.rules.catches.has_touched = [false; 2];
    if game.mode().is_shoot_out() {
        return;
    }
    if let Some((kind @ (SidedMode::BackPass | SidedMode::CatchFault), side)) = game.mode().sided() {
        game.memory.rules.catches.waited += 1;
        if wait_is_over(game, game.memory.rules.catches.waited, side) {
            let next =
                if kind == SidedMode::BackPass { SidedMode::IndirectFreeKick } else { SidedMode::FreeKick };
            game.change_mode(PlayMode::of(next, side.opposite()));
        }
        return;
    }
    if let Some(catcher) = game.memory.catcher
        && is_outside(game, catcher)
    {
        call_catch_fault(game, catcher.side());
    }
}
