//! The penalty shoot-out: who kicks, when, and what counts.

mod players;

use super::areas::{crosses_goal_line, in_penalty_area};
use super::fouls;
use crate::game::Game;
use crate::memory::Seat;
use crate::vector::Vector;
use players::{are_well_placed, place_players};
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::{Side, TEAM_SIZE};
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M};
use touchline_soccer_law::{PlayMode, SidedMode};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Whose goal is shot at; none before the shoot-out.
    goal_of: Option<Side>,
    /// Whose kick it is.
    taker_side: Option<Side>,
    last_taker: Option<Seat>,
    /// Cycles until the phase is over.
    timer: i32,
    kicks: i32,
    ball_before: Vector,
    is_decided: bool,
    /// Who has taken a kick in this round.
    has_taken: Vec<Seat>,
}

/// The phases of a kick.
fn phase(game: &Game<'_>) -> Option<SidedMode> {
    game.mode().sided().filter(|_| game.mode().is_shoot_out()).map(|(kind, _)| kind)
}

fn taker_side(game: &Game<'_>) -> Side {
    game.memory.rules.penalty.taker_side.unwrap_or(Side::Left)
}

fn goal_of(game: &Game<'_>) -> Side {
    game.memory.rules.penalty.goal_of.unwrap_or(Side::Left)
}

pub fn mode_changed(game: &mut Game<'_>) {
    let Some(phase) = phase(game) else { return };
    let server = &game.law.server;
    let memory = &mut game.memory.rules.penalty;
    memory.timer = match phase {
        SidedMode::PenaltySetup => server.pen_setup_wait,
        SidedMode::PenaltyReady => server.pen_ready_wait,
        SidedMode::PenaltyTaken => server.pen_taken_wait,
        _ => server.pen_before_setup_wait,
    };
    if phase != SidedMode::PenaltyTaken {
        memory.last_taker = None;
    }
}

pub fn analyse(game: &mut Game<'_>) {
    begin_if_due(game);
    look(game);
    game.memory.rules.penalty.ball_before = game.ball.place;
}

/// After level halves the shoot-out begins: at a goal by chance, with a team by chance.
fn begin_if_due(game: &mut Game<'_>) {
    let law = game.law;
    let is_level = game.team(Side::Left).score == game.team(Side::Right).score;
    let is_time = if law.server.half_time_cycles() < 0 {
        law.server.nr_normal_halfs + law.server.nr_extra_halfs == 0
    } else {
        game.time() >= law.maximum_time()
    };
    let is_due = game.memory.rules.penalty.goal_of.is_none()
        && law.server.penalty_shoot_outs
        && game.mode() != PlayMode::BEFORE_KICK_OFF
        && is_level
        && is_time;
    if !is_due {
        return;
    }
    let side = |is_left: bool| if is_left { Side::Left } else { Side::Right };
    let goal_of = side(game.chance.chance(0.5));
    game.memory.rules.penalty.goal_of = Some(goal_of);
    game.memory.catcher = None;
    game.say(format!("penalty_onfield_{}", goal_of.letter()));
    game.memory.rules.penalty.taker_side = Some(side(game.chance.chance(0.5)));
    // It would not get there in time.
    let place = [-goal_of.sign() * (HALF_LENGTH_M - 10.0), -10.0];
    let far_goalie = |player: &&mut crate::game::Player<'_>| player.side() != goal_of && player.is_goalie();
    for goalie in game.present_mut().filter(far_goalie) {
        goalie.place = place;
    }
    next_kick(game);
}

/// The other team sets up.
fn next_kick(game: &mut Game<'_>) {
    let side = taker_side(game).opposite();
    game.memory.rules.penalty.taker_side = Some(side);
    let x_m = -goal_of(game).sign() * (HALF_LENGTH_M - game.law.server.pen_dist_x);
    game.place_ball_in(PlayMode::of(SidedMode::PenaltySetup, side), None, [x_m, 0.0]);
}

fn look(game: &mut Game<'_>) {
    let Some(phase) = phase(game) else { return };
    if game.memory.rules.penalty.is_decided {
        game.change_mode(PlayMode::TIME_OVER);
        return;
    }
    let mut are_well = Side::BOTH.map(|side| are_well_placed(game, side));
    let moves_players = game.law.server.pen_coach_moves_players;
    if moves_players && matches!(phase, SidedMode::PenaltyReady | SidedMode::PenaltyTaken) {
        place_all(game, &mut are_well);
    }
    if game.memory.rules.penalty.timer > 0 {
        game.memory.rules.penalty.timer -= 1;
        watch(game, phase, are_well);
    } else {
        end_phase(game, phase, are_well);
    }
}

/// Places the teams that are not placed well, and says that they are.
fn place_all(game: &mut Game<'_>, are_well: &mut [bool; 2]) {
    for side in Side::BOTH {
        if !are_well[side.team() as usize] {
            place_players(game, side);
        }
    }
    *are_well = [true; 2];
}

fn end_phase(game: &mut Game<'_>, phase: SidedMode, are_well: [bool; 2]) {
    let side = taker_side(game);
    let mut are_well = are_well;
    if game.law.server.pen_coach_moves_players && phase == SidedMode::PenaltySetup {
        place_all(game, &mut are_well);
    }
    match phase {
        SidedMode::PenaltyMiss | SidedMode::PenaltyScore => next_kick(game),
        _ if are_well != [true; 2] => foul(game, fouling_side(side, are_well)),
        SidedMode::PenaltySetup => game.change_mode(PlayMode::of(SidedMode::PenaltyReady, side)),
        _ => miss(game, side),
    }
}

/// Who stands wrong: the taker's side is looked at first.
fn fouling_side(taker_side: Side, are_well: [bool; 2]) -> Side {
    if are_well[taker_side.team() as usize] { taker_side.opposite() } else { taker_side }
}

fn watch(game: &mut Game<'_>, phase: SidedMode, are_well: [bool; 2]) {
    let side = taker_side(game);
    let ball = game.ball.place;
    let is_kicked = phase == SidedMode::PenaltyTaken;
    if matches!(phase, SidedMode::PenaltyMiss | SidedMode::PenaltyScore) {
        game.place_ball(Some(side), ball);
    } else if are_well == [true; 2] {
        let size_m = game.law.server.ball_size;
        let is_out = ball[0].abs() > HALF_LENGTH_M + size_m || ball[1].abs() > HALF_WIDTH_M + size_m;
        let is_in = crosses_goal_line(game, goal_of(game), game.memory.rules.penalty.ball_before);
        if is_in || is_out {
            if is_kicked && is_in {
                score(game, side);
            } else if is_kicked {
                miss(game, side);
            }
            game.place_ball(Some(goal_of(game)), ball);
        }
    } else if phase == SidedMode::PenaltyReady || is_kicked {
        foul(game, fouling_side(side, are_well));
    }
}

pub fn ball_caught(game: &mut Game<'_>, catcher: Seat) {
    let Some(phase) = phase(game) else { return };
    let (side, ball) = (taker_side(game), game.ball.place);
    match phase {
        SidedMode::PenaltyTaken if catcher.side() == side => foul(game, side),
        SidedMode::PenaltyTaken if !in_penalty_area(game, Some(goal_of(game)), ball) => {
            foul(game, side.opposite());
        }
        SidedMode::PenaltyTaken => miss(game, side),
        SidedMode::PenaltyReady => foul(game, catcher.side()),
        _ => {}
    }
    game.place_ball(None, ball);
}

pub fn kick_taken(game: &mut Game<'_>, kicker: Seat) {
    let Some(phase) = phase(game) else { return };
    let side = taker_side(game);
    let is_of_taker = kicker.side() == side;
    let may_repeat = game.law.server.pen_allow_mult_kicks;
    let memory = &game.memory.rules.penalty;
    if game.memory.catcher.is_some() {
    } else if phase == SidedMode::PenaltySetup {
        foul(game, kicker.side());
    } else if !may_repeat && phase == SidedMode::PenaltyTaken && is_of_taker {
        foul(game, side);
    } else if matches!(phase, SidedMode::PenaltyReady | SidedMode::PenaltyTaken) {
        let has_taken = phase == SidedMode::PenaltyReady && is_of_taker && memory.has_taken.contains(&kicker);
        let is_other = memory.last_taker.is_some_and(|last| last.side() == side && last != kicker);
        let is_goalie = game.player(kicker).is_some_and(crate::game::Player::is_goalie);
        if has_taken || is_other {
            foul(game, side);
        } else if !is_of_taker && !is_goalie {
            foul(game, side.opposite());
        } else {
            game.memory.rules.penalty.last_taker = Some(kicker);
        }
    }
    match game.mode().sided() {
        Some((SidedMode::PenaltyReady, side)) => {
            remember_taker(game, Seat::new(side, kicker.unum()));
            game.change_mode(PlayMode::of(SidedMode::PenaltyTaken, side));
        }
        Some((SidedMode::PenaltyTaken, _)) => {}
        _ => game.place_ball(Some(goal_of(game)), game.ball.place),
    }
}

/// When all have kicked, they begin anew.
fn remember_taker(game: &mut Game<'_>, taker: Seat) {
    let has_taken = &mut game.memory.rules.penalty.has_taken;
    if !has_taken.contains(&taker) {
        has_taken.push(taker);
    }
    if has_taken.iter().filter(|seat| seat.side() == taker.side()).count() == TEAM_SIZE {
        has_taken.retain(|seat| seat.side() != taker.side());
    }
}

pub fn tackle_taken(game: &mut Game<'_>, tackler: Seat, is_foul: bool) {
    let Some(phase) = phase(game) else { return };
    if matches!(phase, SidedMode::PenaltyMiss | SidedMode::PenaltyScore) {
        return;
    }
    if fouls::look_at(game, tackler, is_foul).any() {
        foul(game, tackler.side());
    } else {
        kick_taken(game, tackler);
    }
}

/// A mistake of the taker's side is a miss, of the other one a goal.
fn foul(game: &mut Game<'_>, side: Side) {
    game.say(format!("penalty_foul_{}", side.letter()));
    if side == taker_side(game) { miss(game, side) } else { score(game, side.opposite()) }
}

fn score(game: &mut Game<'_>, side: Side) {
    game.change_mode(PlayMode::of(SidedMode::PenaltyScore, side));
    if game.team(side).has_come {
        game.team_mut(side).penalties_scored += 1;
    }
    game.memory.rules.penalty.kicks += 1;
    check_score(game);
}

fn miss(game: &mut Game<'_>, side: Side) {
    game.change_mode(PlayMode::of(SidedMode::PenaltyMiss, side));
    game.memory.rules.penalty.kicks += 1;
    if game.team(side).has_come {
        game.team_mut(side).penalties_missed += 1;
    }
    check_score(game);
}

/// Whether somebody has won, or nobody can any more.
fn check_score(game: &mut Game<'_>) {
    let server = &game.law.server;
    let kicks = game.memory.rules.penalty.kicks;
    let scored = Side::BOTH.map(|side| game.team(side).penalties_scored as i32);
    let winner = |side: Side| format!("penalty_winner_{}", side.letter());
    let leader = if scored[0] > scored[1] { Side::Left } else { Side::Right };
    if kicks > 2 * (server.pen_max_extra_kicks + server.pen_nr_kicks) {
        if server.pen_random_winner {
            let side = if game.chance.chance(0.5) { Side::Left } else { Side::Right };
            game.say(winner(side));
            game.team_mut(side).won_draw = true;
        } else {
            game.say("penalty_draw");
        }
        game.memory.rules.penalty.is_decided = true;
    } else if kicks > 2 * server.pen_nr_kicks {
        if kicks % 2 == 0 && scored[0] != scored[1] {
            game.say(winner(leader));
            game.memory.rules.penalty.is_decided = true;
        }
    } else {
        let left_kicks = server.pen_nr_kicks - kicks / 2;
        let mut most = scored.map(|scored| scored + left_kicks);
        if kicks % 2 == 1 {
            most[taker_side(game).team() as usize] -= 1;
        }
        if most[0] < scored[1] {
            game.say(winner(Side::Right));
            // The server ends at once here, and in the next cycle below.
            game.change_mode(PlayMode::TIME_OVER);
        } else if most[1] < scored[0] {
            game.say(winner(Side::Left));
            game.memory.rules.penalty.is_decided = true;
        }
    }
}
