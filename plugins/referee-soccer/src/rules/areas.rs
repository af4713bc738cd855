//! Where a ball is put, and who is in which area.

use crate::game::Game;
use crate::vector::Vector;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::pitch::{self, Area, HALF_LENGTH_M, HALF_WIDTH_M};
use touchline_soccer_law::{PlayMode, SidedMode};

const EPSILON: f64 = 1e-10;

/// Above or below the middle, as far as said; from the middle itself above, as in the server's picture.
pub fn to_half(y_m: f64, far_m: f64) -> f64 {
    if y_m < 0.0 { -far_m } else { far_m }
}

/// The nearest place on the pitch.
pub fn truncate_to_pitch([x, y]: Vector) -> Vector {
    [x.clamp(-HALF_LENGTH_M, HALF_LENGTH_M), y.clamp(-HALF_WIDTH_M, HALF_WIDTH_M)]
}

/// The corner of a side's penalty area, if it is in it; of either with no side.
pub fn move_out_of_penalty(side: Option<Side>, place: Vector) -> Vector {
    let mut place = place;
    for area_of in Side::BOTH.into_iter().filter(|&area_of| side.is_none_or(|side| side == area_of)) {
        let edge_m = HALF_LENGTH_M - pitch::PENALTY_AREA_LENGTH_M;
        let half_m = pitch::PENALTY_AREA_WIDTH_M / 2.0;
        // Towards the goal: also beyond the goal line.
        if -area_of.sign() * place[0] >= edge_m && place[1].abs() <= half_m {
            place = [-area_of.sign() * (edge_m - EPSILON), to_half(place[1], half_m + EPSILON)];
        }
    }
    place
}

/// The front of a side's goal area, if it is in it; of either with no side.
pub fn move_out_of_goal_area(side: Option<Side>, place: Vector) -> Vector {
    let mut place = place;
    for area_of in Side::BOTH.into_iter().filter(|&area_of| side.is_none_or(|side| side == area_of)) {
        let edge_m = HALF_LENGTH_M - pitch::GOAL_AREA_LENGTH_M;
        if -area_of.sign() * place[0] >= edge_m && place[1].abs() <= pitch::GOAL_AREA_WIDTH_M / 2.0 {
            place[0] = -area_of.sign() * (edge_m - EPSILON);
        }
    }
    place
}

/// Whether a ball there is at least partly in a side's penalty area; in either with no side.
pub fn in_penalty_area(game: &Game<'_>, side: Option<Side>, place: Vector) -> bool {
    let is_in = |area_of: &Side| Area::penalty(*area_of).wider(game.law.server.ball_size).contains(place);
    match side {
        Some(side) => is_in(&side),
        None => Side::BOTH.iter().any(is_in),
    }
}

/// Whether the ball went through a side's goal since it was at `before`.
pub fn crosses_goal_line(game: &Game<'_>, side: Side, before: Vector) -> bool {
    let server = &game.law.server;
    let now = game.ball.place;
    let line_m = HALF_LENGTH_M + server.ball_size;
    let half_goal_m = server.goal_width / 2.0 + pitch::POST_RADIUS_M;
    let is_over = before[0] != now[0]
        && now[0].abs() > line_m
        && before[0].abs() <= line_m
        && side.sign() * now[0] < 0.0;
    if !is_over || (before[1].abs() > half_goal_m && before[0].abs() > HALF_LENGTH_M) {
        return false;
    }
    let gradient = (now[1] - before[1]) / (now[0] - before[0]);
    let at_line_m = gradient * (-side.sign() * line_m) + (before[1] - gradient * before[0]);
    at_line_m.abs() <= half_goal_m
}

/// A free kick for a side, outside of the other side's penalty area.
pub fn award_free_kick(game: &mut Game<'_>, side: Side, place: Vector) {
    let place = move_out_of_penalty(Some(side.opposite()), truncate_to_pitch(place));
    game.place_ball_in(PlayMode::of(SidedMode::FreeKick, side), Some(side), place);
}

/// A goal kick for a side from the corner of its goal area.
pub fn award_goal_kick(game: &mut Game<'_>, side: Side, place: Vector) {
    game.memory.catcher = None;
    let x_m = -side.sign() * (HALF_LENGTH_M - pitch::GOAL_AREA_LENGTH_M);
    let place = [x_m, to_half(place[1], pitch::GOAL_AREA_WIDTH_M / 2.0)];
    game.place_ball_in(PlayMode::of(SidedMode::GoalKick, side), Some(side), place);
}

/// The ball is dropped, outside of the penalty areas, and play goes on.
pub fn award_drop_ball(game: &mut Game<'_>, place: Vector) {
    let place = move_out_of_penalty(None, truncate_to_pitch(place));
    drop_ball(game, place);
}

/// The same where the human referee says.
pub fn drop_ball(game: &mut Game<'_>, place: Vector) {
    game.memory.catcher = None;
    game.place_ball_in(PlayMode::DROP_BALL, None, place);
    game.place_players_in_field();
    if !game.mode().is_shoot_out() {
        game.change_mode(PlayMode::PLAY_ON);
    }
}

/// A kick-in for a side where the ball went out.
pub fn award_kick_in(game: &mut Game<'_>, side: Side, place: Vector) {
    game.memory.catcher = None;
    let place = truncate_to_pitch(place);
    game.place_ball_in(PlayMode::of(SidedMode::KickIn, side), Some(side), place);
}

/// A corner kick for a side.
pub fn award_corner_kick(game: &mut Game<'_>, side: Side, place: Vector) {
    game.memory.catcher = None;
    let margin_m = game.law.server.ckick_margin;
    let place = [side.sign() * (HALF_LENGTH_M - margin_m), to_half(place[1], HALF_WIDTH_M - margin_m)];
    game.place_ball_in(PlayMode::of(SidedMode::CornerKick, side), Some(side), place);
}
