//! Where the players stand in a shoot-out: the taker at the ball, both goalkeepers at their places, all others in the centre circle.

use super::{goal_of, phase, taker_side};
use crate::game::{Game, Player};
use crate::memory::Seat;
use crate::vector::distance;
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::pitch::{CLEAR_DISTANCE_M, Circle, HALF_LENGTH_M, PENALTY_AREA_WIDTH_M};

/// The taker is that near to the ball, metres.
const TAKER_GAP_M: f64 = 2.0;

fn centre_circle(player: &Player<'_>) -> Circle {
    Circle { centre: [0.0; 2], radius_m: CLEAR_DISTANCE_M - player.size() }
}

/// Whether a side's players stand where they may.
pub fn are_well_placed(game: &Game<'_>, side: Side) -> bool {
    let Some(phase) = phase(game) else { return true };
    if matches!(phase, SidedMode::PenaltyMiss | SidedMode::PenaltyScore) {
        return true;
    }
    let mates = || game.present().filter(|player| player.side() == side);
    let Some(goalie) = mates().filter(|player| player.is_goalie()).last() else { return false };
    let outside: Vec<&Player<'_>> = mates()
        .filter(|player| !player.is_goalie() && !centre_circle(player).contains(player.place))
        .collect();
    let is_setup = phase == SidedMode::PenaltySetup;
    let is_near = |player: &Player<'_>| distance(player.place, game.ball.place) <= TAKER_GAP_M;
    let mut taker = outside.last().copied();
    let is_well = if side == taker_side(game) {
        match outside.as_slice() {
            [] => {
                if is_setup && is_near(goalie) {
                    taker = Some(goalie);
                }
                true
            }
            _ if is_in_field(goalie) => false,
            [one] => !is_setup || is_near(one),
            _ => false,
        }
    } else {
        let may_be_anywhere = phase == SidedMode::PenaltyTaken;
        outside.is_empty() && (may_be_anywhere || is_before_goal(game, goalie))
    };
    let has_kicked = is_setup
        && side == taker_side(game)
        && taker.is_some_and(|taker| game.memory.rules.penalty.has_taken.contains(&taker.seat()));
    is_well && !has_kicked
}

/// The taker's goalkeeper waits beside the pitch's end.
fn is_in_field(goalie: &Player<'_>) -> bool {
    let [x, y] = goalie.place;
    x.abs() < HALF_LENGTH_M - 1.5 || y.abs() < PENALTY_AREA_WIDTH_M / 2.0 - 1.5
}

fn is_before_goal(game: &Game<'_>, goalie: &Player<'_>) -> bool {
    let server = &game.law.server;
    let [x, y] = goalie.place;
    x.abs() >= HALF_LENGTH_M - server.pen_max_goalie_dist_x && y.abs() <= server.goal_width / 2.0
}

/// Places a side's players.
pub fn place_players(game: &mut Game<'_>, side: Side) {
    if side == taker_side(game) {
        place_takers(game, side);
    } else {
        place_defenders(game, side);
    }
}

fn place_takers(game: &mut Game<'_>, side: Side) {
    let is_kicked = phase(game) == Some(SidedMode::PenaltyTaken);
    let taker = game.memory.rules.penalty.last_taker.or_else(|| candidate(game, side));
    let (ball, behind_m) = (game.ball.place, -goal_of(game).sign() * (HALF_LENGTH_M + 2.0));
    for player in game.present_mut().filter(|player| player.side() == side) {
        let circle = if Some(player.seat()) == taker {
            if is_kicked || distance(player.place, ball) <= TAKER_GAP_M {
                continue;
            }
            let at_ball = Circle { centre: ball, radius_m: TAKER_GAP_M };
            player.place = at_ball.nearest_edge(player.place);
            continue;
        } else if player.is_goalie() {
            // The server's y points down: from the middle it goes up.
            let y_m = if player.place[1] < 0.0 { -25.0 } else { 25.0 };
            Circle { centre: [behind_m, y_m], radius_m: 2.0 }
        } else {
            centre_circle(player)
        };
        if !circle.contains(player.place) {
            player.place = circle.nearest_edge(player.place);
        }
    }
}

fn place_defenders(game: &mut Game<'_>, side: Side) {
    let is_kicked = phase(game) == Some(SidedMode::PenaltyTaken);
    // Towards the goal that is shot at.
    let towards = -goal_of(game).sign();
    let line_m = towards * (HALF_LENGTH_M - game.law.server.pen_max_goalie_dist_x);
    for player in game.present_mut().filter(|player| player.side() == side) {
        if !player.is_goalie() {
            let circle = centre_circle(player);
            if !circle.contains(player.place) {
                player.place = circle.nearest_edge(player.place);
            }
        } else if !is_kicked && towards * (player.place[0] - line_m) < 0.0 {
            player.place = [line_m + towards * 1.5, 0.0];
        }
    }
}

/// The nearest to the ball who has not kicked in this round; the goalkeeper if there is no other.
fn candidate(game: &Game<'_>, side: Side) -> Option<Seat> {
    let has_taken = &game.memory.rules.penalty.has_taken;
    let may = |player: &&Player<'_>| player.side() == side && !has_taken.contains(&player.seat());
    let way_m = |player: &&Player<'_>| distance(player.place, game.ball.place);
    let field = game.present().filter(may).filter(|player| !player.is_goalie());
    let nearest = field.min_by(|a, b| way_m(a).total_cmp(&way_m(b)));
    let goalie = || game.present().filter(may).filter(|player| player.is_goalie()).last();
    nearest.or_else(goalie).map(Player::seat)
}
