//! Set plays: who stands where, when play goes on, and who may not touch the ball twice.

use super::areas::{
    award_drop_ball, award_free_kick, award_goal_kick, in_penalty_area, move_out_of_penalty,
    truncate_to_pitch,
};
use super::clear::clear_players_from_ball;
use super::time::is_stopped;
use super::wait_is_over;
use crate::game::Game;
use crate::memory::Seat;
use crate::vector::{Vector, length};
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::pitch::{self, Area, HALF_LENGTH_M};
use touchline_soccer_law::{PlayMode, SidedMode};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Who took the set play, and with how many dashes, until somebody else has touched the ball.
    taker: Option<(Seat, u32)>,
    /// Cycles until the ball is dropped; below 0 without end.
    timer: i32,
    goal_kicks: i32,
    waited: i32,
}

impl Default for Memory {
    fn default() -> Self {
        Self { taker: None, timer: -1, goal_kicks: 0, waited: 0 }
    }
}

/// Whose set play it is, if the ball is dropped when nobody takes it.
fn timed_set_play(mode: PlayMode) -> Option<Side> {
    match mode.sided()? {
        (
            SidedMode::KickOff
            | SidedMode::KickIn
            | SidedMode::FreeKick
            | SidedMode::CornerKick
            | SidedMode::IndirectFreeKick,
            side,
        ) => Some(side),
        _ => None,
    }
}

fn goal_kick(mode: PlayMode) -> Option<Side> {
    mode.sided().filter(|(kind, _)| *kind == SidedMode::GoalKick).map(|(_, side)| side)
}

pub fn mode_changed(game: &mut Game<'_>) {
    let mode = game.mode();
    if mode != PlayMode::PLAY_ON {
        game.memory.rules.free_kick.taker = None;
    }
    if let Some(side) = timed_set_play(mode).or(goal_kick(mode)) {
        clear_players_from_ball(game, Some(side.opposite()));
    } else if mode == PlayMode::DROP_BALL {
        clear_players_from_ball(game, None);
    }
    let drop_ball_time = game.law.server.drop_ball_time;
    let memory = &mut game.memory.rules.free_kick;
    memory.goal_kicks = if goal_kick(mode).is_some() { memory.goal_kicks + 1 } else { 0 };
    let is_timed = timed_set_play(mode).or(goal_kick(mode)).is_some();
    memory.timer = if is_timed { drop_ball_time } else { -1 };
    if matches!(mode.sided(), Some((SidedMode::FreeKickFault, _))) {
        memory.waited = 0;
        game.memory.catcher = None;
    }
}

pub fn kick_taken(game: &mut Game<'_>, kicker: Seat) {
    let mode = game.mode();
    if mode.is_shoot_out() {
        return;
    }
    let dashes = dashes_of(game, kicker);
    if let Some(side) = goal_kick(mode) {
        if kicker.side() != side {
            repeat_goal_kick(game, side);
            return;
        }
        check_second_goal_kick(game, kicker);
        game.memory.rules.free_kick.taker = Some((kicker, dashes));
    } else if matches!(mode.sided(), Some((SidedMode::Offside, _))) {
    } else if mode != PlayMode::PLAY_ON {
        game.memory.rules.free_kick.taker = Some((kicker, dashes));
        game.change_mode(PlayMode::PLAY_ON);
    } else {
        check_second_touch(game, kicker);
    }
}

pub fn ball_touched(game: &mut Game<'_>, player: Seat) {
    match goal_kick(game.mode()) {
        Some(side) if side != player.side() => repeat_goal_kick(game, side),
        _ => check_second_touch(game, player),
    }
}

fn dashes_of(game: &Game<'_>, seat: Seat) -> u32 {
    game.player(seat).map_or(0, |player| player.memory.dashes)
}

/// An opponent played the ball before it was in play.
fn repeat_goal_kick(game: &mut Game<'_>, side: Side) {
    award_goal_kick(game, side, game.ball.place);
    game.memory.rules.free_kick.goal_kicks = -1;
    game.memory.rules.free_kick.taker = None;
}

/// The taker's team plays the ball again before it is in play; kicks without a dash between them are one.
fn check_second_goal_kick(game: &mut Game<'_>, kicker: Seat) {
    let Some((taker, dashes)) = game.memory.rules.free_kick.taker else { return };
    let (server, ball) = (&game.law.server, game.ball.place);
    if kicker != taker {
        if server.proper_goal_kicks {
            award_goal_kick(game, taker.side(), ball);
        }
    } else if dashes != dashes_of(game, taker) {
        if server.free_kick_faults {
            call_fault(game, taker, ball);
        } else if server.proper_goal_kicks {
            award_goal_kick(game, taker.side(), ball);
        }
    }
}

/// The taker plays the ball again, having dashed, before anybody else has.
fn check_second_touch(game: &mut Game<'_>, player: Seat) {
    let Some((taker, dashes)) = game.memory.rules.free_kick.taker else { return };
    if taker == player && game.law.server.free_kick_faults {
        if dashes_of(game, taker) > dashes {
            call_fault(game, taker, game.ball.place);
        }
    } else {
        game.memory.rules.free_kick.taker = None;
    }
}

fn call_fault(game: &mut Game<'_>, offender: Seat, place: Vector) {
    if let Some(player) = game.player_mut(offender) {
        player.state |= state::FREE_KICK_FAULT;
    }
    let side = offender.side();
    let place = move_out_of_penalty(Some(side), truncate_to_pitch(place));
    game.memory.catcher = None;
    game.place_ball_in(PlayMode::of(SidedMode::FreeKickFault, side), Some(side.opposite()), place);
    game.memory.rules.free_kick.waited = 0;
}

pub fn analyse(game: &mut Game<'_>) {
    let mode = game.mode();
    if mode.is_shoot_out() {
        return;
    }
    match mode.sided() {
        Some((SidedMode::FreeKickFault, side)) => {
            game.memory.rules.free_kick.waited += 1;
            if wait_is_over(game, game.memory.rules.free_kick.waited, side) {
                game.change_mode(PlayMode::of(SidedMode::FreeKick, side.opposite()));
            }
        }
        Some((SidedMode::BackPass | SidedMode::CatchFault, _)) => {}
        Some((SidedMode::GoalKick, side)) => watch_goal_kick(game, side),
        _ => watch_set_play(game, mode),
    }
}

fn watch_goal_kick(game: &mut Game<'_>, side: Side) {
    place_players_for_goal_kick(game, side);
    game.place_players_in_field();
    let (server, ball) = (&game.law.server, game.ball);
    if !in_penalty_area(game, None, ball.place) {
        game.change_mode(PlayMode::PLAY_ON);
        return;
    }
    match game.memory.rules.free_kick.taker {
        Some((taker, _)) if server.proper_goal_kicks => {
            if length(ball.velocity) < server.stopped_ball_vel {
                if game.memory.rules.free_kick.goal_kicks >= server.max_goal_kicks {
                    award_free_kick(game, taker.side().opposite(), ball.place);
                } else {
                    award_goal_kick(game, taker.side(), ball.place);
                }
            }
        }
        _ => count_down(game),
    }
}

fn watch_set_play(game: &mut Game<'_>, mode: PlayMode) {
    let is_idle = mode == PlayMode::BEFORE_KICK_OFF || mode == PlayMode::TIME_OVER;
    let is_on = mode == PlayMode::PLAY_ON;
    if !(is_on || is_idle || is_stopped(mode)) && game.ball.velocity != [0.0; 2] {
        game.change_mode(PlayMode::PLAY_ON);
    }
    game.place_players_in_field();
    // After a goal the side that conceded it is not kept away.
    let is_kept_away = !is_stopped(mode) || matches!(mode.sided(), Some((SidedMode::Goal, _)));
    if !is_on && mode != PlayMode::TIME_OVER && is_kept_away {
        let side = game.memory.kick_off_side.map(Side::opposite);
        clear_players_from_ball(game, side);
    }
    if timed_set_play(mode).is_some() {
        count_down(game);
    }
}

fn count_down(game: &mut Game<'_>) {
    let timer = &mut game.memory.rules.free_kick.timer;
    if *timer > -1 {
        *timer -= 1;
    }
    if *timer == 0 {
        award_drop_ball(game, game.ball.place);
    }
}

/// Opponents stay out of the penalty area.
fn place_players_for_goal_kick(game: &mut Game<'_>, side: Side) {
    let area = Area::penalty(side);
    for player in game.present_mut().filter(|player| player.side() != side) {
        let (size_m, wide) = (player.size(), area.wider(player.size()));
        if !wide.contains(player.place) {
            continue;
        }
        let mut place = wide.nearest_edge(player.place);
        // Not behind the goal line.
        if -side.sign() * place[0] >= HALF_LENGTH_M {
            place[0] = -side.sign() * (HALF_LENGTH_M - pitch::PENALTY_AREA_LENGTH_M - size_m);
        }
        player.place = place;
    }
}
