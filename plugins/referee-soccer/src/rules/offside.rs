//! Offside: who is beyond the line when a team-mate plays the ball may not play it next.

use super::clear::place_players_in_their_field;
use super::wait_is_over;
use crate::game::Game;
use crate::memory::Seat;
use crate::vector::{Vector, add, distance, sub};
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::Side;
use touchline_soccer_law::pitch::{self, Area, Circle, HALF_LENGTH_M};
use touchline_soccer_law::{PlayMode, SidedMode};

/// Offenders keep so far from the place of the offside, metres: no parameter.
const OFFENDERS_GAP_M: f64 = 2.5;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Who is offside, and where the free kick would be.
    candidates: Vec<(Seat, Vector)>,
    place: Vector,
    /// Time and stoppage of the last kick.
    last_kick: Option<(i64, i64)>,
    last_accel: f64,
    last_kicker_side: Option<Side>,
    waited: i32,
}

pub fn mode_changed(game: &mut Game<'_>) {
    if game.mode() != PlayMode::PLAY_ON {
        game.memory.rules.offside.candidates.clear();
    }
}

/// Who kicks, tackles or touches the ball: offside if it was marked; and its team-mates beyond the line are marked now.
pub fn kick_taken(game: &mut Game<'_>, kicker: Seat, accel: f64) {
    if !game.law.server.use_offside {
        return;
    }
    let now = (game.memory.time, game.memory.stoppage);
    let memory = &mut game.memory.rules.offside;
    if memory.last_kick == Some(now) {
        memory.last_kicker_side = None;
        memory.candidates.clear();
        return;
    }
    if memory.last_kick.is_none_or(|(time, _)| time != now.0) {
        memory.last_accel = 0.0;
    }
    memory.last_kick = Some(now);
    if memory.last_accel < accel {
        memory.last_kicker_side = Some(kicker.side());
        memory.last_accel = accel;
    }
    if let Some(&(_, place)) = memory.candidates.iter().find(|(seat, _)| *seat == kicker) {
        memory.place = place;
        call(game);
        return;
    }
    memory.candidates.clear();
    let is_free = matches!(
        game.mode().sided(),
        Some((SidedMode::GoalKick | SidedMode::KickIn | SidedMode::CornerKick, _))
    );
    if !is_free {
        game.memory.rules.offside.candidates = marked(game, kicker);
    }
}

/// Team-mates of a kicker beyond the line, and where they would be punished.
fn marked(game: &Game<'_>, kicker: Seat) -> Vec<(Seat, Vector)> {
    // Towards the opponents' goal.
    let forward = kicker.side().sign();
    let mut ahead: Vec<f64> = game
        .present()
        .filter(|player| player.side() != kicker.side())
        .map(|player| (forward * player.place[0]).max(0.0))
        .collect();
    ahead.sort_by(|a, b| b.total_cmp(a));
    let second = ahead.get(1).copied().unwrap_or(0.0);
    let line = second.max(forward * game.ball.place[0]);
    let is_beyond = |place: Vector| forward * place[0] > line;
    let mates = game.present().filter(|player| player.side() == kicker.side() && player.seat() != kicker);
    let beyond = mates.filter(|player| is_beyond(player.place));
    beyond.map(|player| (player.seat(), [forward * line, player.place[1]])).collect()
}

/// Who is marked and tries in vain, near the ball, is offside as well.
pub fn kick_failed(game: &mut Game<'_>, kicker: Seat) {
    if !game.law.server.use_offside {
        return;
    }
    let Some(place) = game.player(kicker).map(|player| player.place) else { return };
    if distance(place, game.ball.place) >= game.law.server.offside_active_area_size {
        return;
    }
    let candidate = game.memory.rules.offside.candidates.iter().find(|(seat, _)| *seat == kicker).copied();
    if let Some((_, place)) = candidate {
        game.memory.rules.offside.place = place;
        call(game);
    }
}

fn call(game: &mut Game<'_>) {
    let Some(side) = game.memory.rules.offside.last_kicker_side else { return };
    if game.mode().is_shoot_out() {
        return;
    }
    let place = free_kick_place(game.memory.rules.offside.place, game.law.server.ckick_margin);
    let mode = PlayMode::of(SidedMode::Offside, side);
    game.place_ball_in(mode, Some(side.opposite()), place);
    game.memory.catcher = None;
    game.memory.rules.offside.candidates.clear();
    game.place_players_in_field();
    game.memory.rules.offside.waited = 0;
}

/// Out of goal areas and goals, and within the pitch by a margin.
fn free_kick_place(offside: Vector, margin_m: f64) -> Vector {
    for side in [Side::Right, Side::Left] {
        let is_behind = -side.sign() * offside[0] > HALF_LENGTH_M;
        if is_behind || Area::goal(side).contains(offside) {
            let x_m = -side.sign() * (HALF_LENGTH_M - pitch::GOAL_AREA_LENGTH_M);
            return [x_m, super::areas::to_half(offside[1], pitch::GOAL_AREA_WIDTH_M / 2.0)];
        }
    }
    let field = Area::pitch().wider(-margin_m);
    if field.contains(offside) { offside } else { field.nearest_edge(offside) }
}

pub fn analyse(game: &mut Game<'_>) {
    if !game.law.server.use_offside || game.mode().is_shoot_out() {
        return;
    }
    match game.mode().sided() {
        Some((SidedMode::KickOff, _)) => keep_in_own_half(game),
        None if game.mode() == PlayMode::BEFORE_KICK_OFF => keep_in_own_half(game),
        Some((SidedMode::Offside, side)) => {
            game.memory.rules.offside.waited += 1;
            let is_over = wait_is_over(game, game.memory.rules.offside.waited, side);
            move_offenders(game, side);
            if is_over {
                game.change_mode(PlayMode::of(SidedMode::FreeKick, side.opposite()));
            }
        }
        _ if game.mode() != PlayMode::PLAY_ON => game.memory.rules.offside.candidates.clear(),
        _ => {}
    }
}

fn keep_in_own_half(game: &mut Game<'_>) {
    if game.law.server.forbid_kick_off_offside {
        place_players_in_their_field(game);
    }
}

/// The offending team goes behind the place of the offside, and away from it.
fn move_offenders(game: &mut Game<'_>, side: Side) {
    let offside = game.memory.rules.offside.place;
    let circle = Circle { centre: offside, radius_m: OFFENDERS_GAP_M };
    let own_goal_m = -side.sign() * HALF_LENGTH_M;
    let field = Area {
        low: [own_goal_m.min(offside[0]), -pitch::HALF_WIDTH_M],
        high: [own_goal_m.max(offside[0]), pitch::HALF_WIDTH_M],
    };
    let margin_m = game.law.server.offside_kick_margin;
    for player in game.present_mut().filter(|player| player.side() == side) {
        if circle.contains(player.place) {
            player.place = circle.nearest_edge(player.place);
        }
        if !field.contains(player.place) {
            let edge = field.nearest_goal_line(player.place);
            player.place =
                if side == Side::Right { add(edge, [margin_m, 0.0]) } else { sub(edge, [margin_m, 0.0]) };
        }
    }
}
