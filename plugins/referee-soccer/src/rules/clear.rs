//! Players who are moved: away from the ball of a set play, and into their own half before a kick-off.

use super::areas::in_penalty_area;
use crate::collisions::collide;
use crate::game::Game;
use crate::vector::Vector;
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::pitch::{self, CLEAR_DISTANCE_M, Circle, HALF_LENGTH_M, HALF_WIDTH_M, MARGIN_M};

/// Who is moved may come to another, and is moved again.
const ROUNDS: usize = 10;
const GAP_M: f64 = 1e-5;

/// Moves the players of a side, or all, out of the circle around the ball.
pub fn clear_players_from_ball(game: &mut Game<'_>, side: Option<Side>) {
    let distance_m = clear_distance_m(game);
    let is_indirect = matches!(
        game.mode().sided(),
        Some((
            SidedMode::BackPass | SidedMode::FoulCharge | SidedMode::FoulPush | SidedMode::IndirectFreeKick,
            _
        ))
    );
    for _ in 0..ROUNDS {
        let ball = game.ball.place;
        let mut is_moved = false;
        for player in game.present_mut().filter(|player| side.is_none_or(|side| player.side() == side)) {
            // Who defends against an indirect kick may stand on the goal line.
            if is_indirect && player.place[0].abs() >= HALF_LENGTH_M {
                continue;
            }
            let radius_m = distance_m + player.size();
            if (Circle { centre: ball, radius_m }).contains(player.place) {
                let place = cleared(player.place, ball, radius_m, distance_m, is_indirect);
                player.put(place);
                is_moved = true;
            }
        }
        if !is_moved {
            break;
        }
        collide(game);
    }
}

fn clear_distance_m(game: &Game<'_>) -> f64 {
    let ball = game.ball.place;
    match game.mode().sided() {
        Some((SidedMode::IllegalDefense | SidedMode::BackPass, _)) => pitch::GOAL_AREA_LENGTH_M,
        Some((SidedMode::FoulCharge | SidedMode::FoulPush, side))
            if in_penalty_area(game, Some(side), ball) =>
        {
            pitch::GOAL_AREA_LENGTH_M
        }
        _ => CLEAR_DISTANCE_M,
    }
}

/// Where a player goes that stands too near: to the edge of the circle, and within the margin around the pitch.
fn cleared(place: Vector, ball: Vector, radius_m: f64, distance_m: f64, is_indirect: bool) -> Vector {
    let most = [HALF_LENGTH_M + MARGIN_M, HALF_WIDTH_M + MARGIN_M];
    let across = |place: Vector| [2.0 * ball[0] - place[0], 2.0 * ball[1] - place[1]];
    let is_in_corner = (0..2).all(|axis| ball[axis].abs() > most[axis] - distance_m);
    let mut to = Circle { centre: ball, radius_m: radius_m + GAP_M }.nearest_edge(place);
    if is_in_corner && to[0].abs() > HALF_LENGTH_M && to[1].abs() > HALF_WIDTH_M {
        to = across(to);
    }
    if is_indirect && to[0].abs() > HALF_LENGTH_M {
        let tangent = (to[1] - ball[1]) / (to[0] - ball[0]);
        to[0] = HALF_LENGTH_M.copysign(to[0]);
        to[1] = ball[1] + tangent * (to[0] - ball[0]);
    }
    for (axis, other) in [(0, 1), (1, 0)] {
        if to[axis].abs() > most[axis] {
            let cos = (most[axis] - ball[axis].abs()) / radius_m;
            let aside_m = radius_m * (1.0 - cos * cos).max(0.0).sqrt() + GAP_M;
            to[axis] = most[axis].copysign(to[axis]);
            // Level with the ball: the server's y points down.
            let is_before = if other == 0 { to[0] < ball[0] } else { to[1] <= ball[1] };
            to[other] = ball[other] + if is_before { -aside_m } else { aside_m };
        }
    }
    if (0..2).any(|axis| to[axis].abs() > most[axis]) {
        to = across(to);
    }
    to
}

/// Brings all into their own half, and who does not kick off out of the centre circle.
pub fn place_players_in_their_field(game: &mut Game<'_>) {
    let is_at_line = game.law.server.forbid_kick_off_offside
        && matches!(game.mode().sided(), Some((SidedMode::KickOff, _)));
    let kick_off_side = game.memory.kick_off_side;
    for index in 0..game.players.len() {
        let player = &game.players[index];
        if player.is_gone {
            continue;
        }
        let (side, size_m, mut place) = (player.side(), player.size(), player.place);
        if side.sign() * place[0] > 0.0 {
            place = if is_at_line {
                [-side.sign() * size_m, place[1]]
            } else {
                let x_m = game.chance.uniform(0.0, HALF_LENGTH_M);
                [-side.sign() * x_m, game.chance.uniform(-HALF_WIDTH_M, HALF_WIDTH_M)]
            };
            game.players[index].place = place;
        }
        let circle = Circle { centre: [0.0; 2], radius_m: CLEAR_DISTANCE_M + size_m };
        if kick_off_side != Some(side) && circle.contains(place) {
            game.players[index].place = circle.nearest_edge(place);
        }
    }
}
