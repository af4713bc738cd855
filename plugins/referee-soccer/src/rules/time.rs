//! Halves, extra time, and the end.

use super::clear::place_players_in_their_field;
use crate::game::{Game, Player};
use crate::law::Law;
use crate::memory::SeatType;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::Side;
use touchline_soccer_law::{PlayMode, SidedMode};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Halves that are over.
    halves: i64,
}

/// Whether the clock stands in a mode, so that no half ends in it.
pub fn is_stopped(mode: PlayMode) -> bool {
    matches!(
        mode.sided(),
        Some((
            SidedMode::Goal
                | SidedMode::Offside
                | SidedMode::IllegalDefense
                | SidedMode::FoulCharge
                | SidedMode::FoulPush
                | SidedMode::BackPass
                | SidedMode::FreeKickFault
                | SidedMode::CatchFault,
            _
        ))
    )
}

pub fn analyse(game: &mut Game<'_>) {
    let mode = game.mode();
    if mode == PlayMode::BEFORE_KICK_OFF || mode == PlayMode::TIME_OVER || is_stopped(mode) {
        return;
    }
    let server = &game.law.server;
    let half = i64::from(server.half_time_cycles());
    if half <= 0 {
        return;
    }
    let (normal, time, halves) = (game.law.normal_time(), game.time(), game.memory.rules.time.halves);
    let is_level = game.team(Side::Left).score == game.team(Side::Right).score;
    if time >= game.law.maximum_time() {
        if !(server.penalty_shoot_outs && is_level) {
            end(game, "time_up");
        }
    } else if time >= normal {
        let extra_halves = halves + 1 - i64::from(server.nr_normal_halfs);
        if !Side::BOTH.iter().all(|&side| game.team(side).has_come) {
            end(game, "time_up_without_a_team");
        } else if server.golden_goal && !is_level {
            end(game, "time_up");
        } else if time >= normal + i64::from(server.extra_half_time_cycles()) * extra_halves {
            if extra_halves == 0 && !is_level {
                end(game, "time_up");
            } else {
                next_half(game, "time_extended");
            }
        }
    } else if time >= half * (halves + 1) {
        next_half(game, "half_time");
    }
}

fn end(game: &mut Game<'_>, word: &str) {
    game.say(word);
    game.change_mode(PlayMode::TIME_OVER);
}

fn next_half(game: &mut Game<'_>, word: &str) {
    game.memory.rules.time.halves += 1;
    let halves = game.memory.rules.time.halves;
    let side = if halves % 2 == 0 { Side::Left } else { Side::Right };
    game.say(word);
    game.memory.catcher = None;
    game.place_ball(Some(side), [0.0; 2]);
    game.change_mode(PlayMode::BEFORE_KICK_OFF);
    let law = game.law;
    let (half, normal) = (i64::from(law.server.half_time_cycles()), i64::from(law.server.nr_normal_halfs));
    let extra = i64::from(law.server.extra_half_time_cycles());
    game.memory.time = half * halves.min(normal) + extra * (halves - normal).max(0);
    if halves == normal {
        // Extra time gives back the capacity alone.
        let refill = |player: &mut Player<'_>| player.stamina.capacity = law.server.stamina_capacity;
        game.present_mut().for_each(refill);
    }
    game.memory.wind = game.memory.wind.map(|part| -part);
    place_players_in_their_field(game);
}

/// The whole next phase: what the human referee, a trainer or auto_mode start.
pub fn kick_off(game: &mut Game<'_>) {
    let law = game.law;
    if law.server.keepaway {
        game.change_mode(PlayMode::PLAY_ON);
        return;
    }
    let Some(side) = kick_off_side(law, game.time()) else { return };
    if game.time() < law.normal_time() {
        game.recover_all();
    }
    game.place_ball(Some(side), [0.0; 2]);
    if side == Side::Left && game.time() == 0 {
        assign_player_types(game);
    }
    game.change_mode(PlayMode::of(SidedMode::KickOff, side));
}

/// Whose kick-off is due at a time of the clock; nobody's within a half. A game without end (half_time below 0) may kick off at any time.
fn kick_off_side(law: &Law, time: i64) -> Option<Side> {
    let half = i64::from(law.server.half_time_cycles());
    let extra = i64::from(law.server.extra_half_time_cycles());
    let (normal, is_endless) = (law.normal_time(), half <= 0);
    let (time, half) = if time > normal { (time - normal, extra) } else { (time, half) };
    if !is_endless && (half <= 0 || time % half != 0) {
        return None;
    }
    let is_even = half <= 0 || (time / half) % 2 == 0;
    Some(if is_even { Side::Left } else { Side::Right })
}

/// Gives types to the players of the first kick-off that have none: goalkeeper first, each type at most pt_max times in a team.
fn assign_player_types(game: &mut Game<'_>) {
    let law = game.law;
    let is_without_halves = law.server.nr_normal_halfs == 0 && law.server.nr_extra_halfs == 0;
    if law.player.allow_mult_default_type || is_without_halves {
        return;
    }
    for side in Side::BOTH {
        if !game.team(side).has_come {
            continue;
        }
        let mut types: Vec<SeatType> = game.memory.types.clone();
        types.retain(|seat_type| seat_type.seat.side() == side);
        let is_goalie = |seat| game.player(seat).is_some_and(Player::is_goalie);
        types.sort_by_key(|seat_type| (!is_goalie(seat_type.seat), seat_type.seat));
        let mut used = vec![0i32; law.types.len()];
        for seat_type in types.iter().filter(|seat_type| seat_type.is_given) {
            used[usize::from(seat_type.id)] += 1;
        }
        for SeatType { seat, id, is_given } in types {
            let old = is_given.then_some(usize::from(id));
            if old.is_some_and(|old| used[old] <= law.player.pt_max) {
                continue;
            }
            let Some(new) = (0..used.len()).find(|&new| used[new] < law.player.pt_max) else { continue };
            used[new] += 1;
            if let Some(old) = old {
                used[old] -= 1;
            }
            if usize::from(id) != new {
                game.substitute(seat, new as u16);
            }
        }
    }
}
