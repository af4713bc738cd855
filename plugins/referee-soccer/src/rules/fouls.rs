//! Fouls by tackles: charges, cards, and the free kicks after them.

use super::areas::{in_penalty_area, move_out_of_goal_area, move_out_of_penalty, truncate_to_pitch};
use super::wait_is_over;
use crate::game::{Game, Player};
use crate::memory::Seat;
use crate::vector::{direction_rad, sub};
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::body::rotated;
use touchline_soccer_law::face::state;
use touchline_soccer_law::{PlayMode, SidedMode};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    waited: i32,
}

/// What the referee has seen of a tackle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub charge: bool,
    pub yellow: bool,
    pub red: bool,
}

impl Seen {
    pub fn any(self) -> bool {
        self.charge || self.yellow || self.red
    }
}

/// Looks at a tackle: who is fouled on purpose cannot move for a while; what is seen of it is drawn for each opponent.
pub fn look_at(game: &mut Game<'_>, tackler: Seat, is_foul: bool) -> Seen {
    let mut seen = Seen::default();
    let Some(tackler) = game.player(tackler).cloned() else { return seen };
    let detect = tackler.player_type.foul_detect_probability;
    let red = game.law.server.red_card_probability;
    let foul_cycles = game.law.server.foul_cycles;
    for index in 0..game.players.len() {
        let player = &game.players[index];
        if player.is_gone || player.side() == tackler.side() || !game.can_kick(player) {
            continue;
        }
        let is_in_the_way = is_in_the_way(game, &tackler, player);
        let mut is_detected = false;
        if is_foul {
            let player = &mut game.players[index];
            player.foul_cycles = foul_cycles;
            player.is_done = true;
            player.state |= state::FOUL_CHARGED;
            is_detected = game.chance.chance(detect);
            seen.charge |= is_detected;
        }
        if !is_in_the_way {
            continue;
        }
        if is_foul && is_detected {
            let is_red = game.chance.chance(red);
            (seen.yellow, seen.red) = (!is_red, seen.red || is_red);
        } else if !is_foul && game.chance.chance(detect) {
            seen.charge = true;
            seen.yellow |= game.chance.chance(red);
        }
    }
    seen
}

/// Whether an opponent came to the ball: it has dashed, stands between tackler and ball, and faces the way to it.
fn is_in_the_way(game: &Game<'_>, tackler: &Player<'_>, player: &Player<'_>) -> bool {
    let way = sub(game.ball.place, tackler.place);
    let to_player = sub(player.place, tackler.place);
    let square = |[x, y]: [f64; 2]| x * x + y * y;
    let ball_rad = direction_rad(way);
    let [ahead_m, aside_m] = rotated(to_player, -ball_rad);
    player.has_dashed()
        && square(to_player) <= square(way)
        && ahead_m >= 0.0
        && aside_m.abs() <= player.size() + tackler.size()
        && wrap_angle(player.heading_rad - ball_rad).abs() <= FRAC_PI_2
}

pub fn tackle_taken(game: &mut Game<'_>, tackler: Seat, is_foul: bool) {
    if game.mode().is_shoot_out() || game.law.server.keepaway {
        return;
    }
    let seen = look_at(game, tackler, is_foul);
    if seen.any() {
        call(game, tackler);
    }
    if seen.red || seen.yellow {
        game.show_card(tackler, seen.red);
    }
}

fn call(game: &mut Game<'_>, tackler: Seat) {
    let Some(place) = game.player(tackler).map(|player| player.place) else { return };
    let side = tackler.side();
    let place = move_out_of_goal_area(None, truncate_to_pitch(place));
    // In its own area it is an indirect free kick, in the opponents' one it is taken from the corner.
    let place = move_out_of_penalty(Some(side.opposite()), place);
    game.memory.catcher = None;
    game.place_ball_in(PlayMode::of(SidedMode::FoulCharge, side), Some(side.opposite()), place);
    game.memory.rules.fouls.waited = 0;
}

pub fn mode_changed(game: &mut Game<'_>) {
    if let Some((SidedMode::FoulCharge | SidedMode::FoulPush, _)) = game.mode().sided() {
        game.memory.rules.fouls.waited = 0;
    }
}

pub fn analyse(game: &mut Game<'_>) {
    let Some((SidedMode::FoulCharge | SidedMode::FoulPush, side)) = game.mode().sided() else { return };
    game.memory.rules.fouls.waited += 1;
    if wait_is_over(game, game.memory.rules.fouls.waited, side) {
        let is_indirect = in_penalty_area(game, Some(side), game.ball.place);
        let next = if is_indirect { SidedMode::IndirectFreeKick } else { SidedMode::FreeKick };
        game.change_mode(PlayMode::of(next, side.opposite()));
    }
}
