//! Goals, and balls that leave the pitch.

use super::areas::{award_corner_kick, award_drop_ball, award_goal_kick, award_kick_in, crosses_goal_line};
use super::clear::place_players_in_their_field;
use crate::game::{Game, Said};
use crate::memory::Seat;
use crate::vector::Vector;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::{Side, event};
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M};
use touchline_soccer_law::{PlayMode, SidedMode};

/// Cycles between a goal and the kick-off.
const AFTER_GOAL_WAIT: i32 = 50;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    ball_before: Vector,
    last_touched: Option<Seat>,
    last_time: i64,
    last_accel: f64,
    /// Whether a second player has to touch the ball before a goal counts, and who touched it first.
    is_indirect: bool,
    last_indirect_kicker: Option<Seat>,
    waited: i32,
}

pub fn mode_changed(game: &mut Game<'_>) {
    let mode = game.mode();
    let memory = &mut game.memory.rules.touch;
    if mode != PlayMode::PLAY_ON {
        memory.last_touched = None;
    }
    if matches!(mode.sided(), Some((SidedMode::IndirectFreeKick, _))) {
        (memory.last_indirect_kicker, memory.is_indirect) = (None, true);
    } else if mode != PlayMode::PLAY_ON && mode != PlayMode::DROP_BALL {
        (memory.last_indirect_kicker, memory.is_indirect) = (None, false);
    }
}

/// Remembers who touched the ball last; of two in one cycle the one who gave it more.
pub fn kick_taken(game: &mut Game<'_>, kicker: Seat, accel: f64) {
    if game.ball.place[0].abs() > HALF_LENGTH_M + game.law.server.ball_size {
        return;
    }
    let (mode, time) = (game.mode(), game.memory.time);
    let memory = &mut game.memory.rules.touch;
    let is_second = memory.last_indirect_kicker.is_some_and(|first| first != kicker);
    if mode == PlayMode::PLAY_ON && is_second {
        (memory.last_indirect_kicker, memory.is_indirect) = (None, false);
    }
    if memory.is_indirect {
        memory.last_indirect_kicker = Some(kicker);
    }
    if memory.last_time < time || (memory.last_time == time && memory.last_accel <= accel) {
        (memory.last_touched, memory.last_time, memory.last_accel) = (Some(kicker), time, accel);
    }
}

pub fn analyse(game: &mut Game<'_>) {
    if !game.mode().is_shoot_out() {
        look(game);
    }
    game.memory.rules.touch.ball_before = game.ball.place;
}

fn look(game: &mut Game<'_>) {
    if let Some((SidedMode::Goal, scorer)) = game.mode().sided() {
        game.memory.rules.touch.waited += 1;
        if game.memory.rules.touch.waited > AFTER_GOAL_WAIT {
            let side = scorer.opposite();
            game.place_ball_in(PlayMode::of(SidedMode::KickOff, side), Some(side), [0.0; 2]);
            place_players_in_their_field(game);
        }
        return;
    }
    if game.mode() == PlayMode::TIME_OVER || is_goal(game) {
        return;
    }
    let (ball, size_m) = (game.ball.place, game.law.server.ball_size);
    let touched_by = game.memory.rules.touch.last_touched.map(Seat::side);
    if ball[0].abs() > HALF_LENGTH_M + size_m {
        let defender = if ball[0] > 0.0 { Side::Right } else { Side::Left };
        if touched_by == Some(defender) {
            award_corner_kick(game, defender.opposite(), ball);
        } else if game.memory.catcher.is_none() {
            award_goal_kick(game, defender, ball);
        }
    } else if ball[1].abs() > HALF_WIDTH_M + size_m {
        match touched_by {
            Some(side) => award_kick_in(game, side.opposite(), ball),
            None => award_drop_ball(game, ball),
        }
    }
}

/// Whether the ball went through a goal; if so the goal is counted.
fn is_goal(game: &mut Game<'_>) -> bool {
    if game.memory.rules.touch.is_indirect {
        return false;
    }
    let before = game.memory.rules.touch.ball_before;
    for defender in Side::BOTH {
        let is_free = game.memory.catcher.is_none_or(|catcher| catcher.side() == defender);
        if is_free && crosses_goal_line(game, defender, before) {
            count_goal(game, defender.opposite());
            return true;
        }
    }
    false
}

fn count_goal(game: &mut Game<'_>, scorer: Side) {
    if game.team(scorer).has_come {
        game.team_mut(scorer).score += 1;
    }
    let score = game.team(scorer).score;
    game.say(format!("goal_{}_{score}", scorer.letter()));
    game.said.push(Said::Event { kind: event::GOAL, side: scorer, text: score.to_string() });
    let paid = super::paid_for_goal(game, scorer);
    game.said.extend(paid);
    game.memory.rules.touch.waited = 0;
    game.place_ball(Some(scorer.opposite()), game.ball.place);
    let law = game.law;
    let is_over =
        law.server.golden_goal && law.server.half_time_cycles() >= 0 && game.time() >= law.normal_time();
    let after = if is_over { PlayMode::TIME_OVER } else { PlayMode::of(SidedMode::Goal, scorer) };
    game.change_mode(after);
}
