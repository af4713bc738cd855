//! Half field offense: the left team attacks in the right half; an episode ends with a goal, a lost ball, or when nothing happens.
//!
//! # Reference
//! The benchmark's own referee, a change of that server (see `touchline_soccer_team::half_field` for the paper): the same ends in the same order, the same counts.

use super::areas::crosses_goal_line;
use super::task;
use crate::game::{Game, Said};
use crate::vector::{Vector, distance};
use serde::{Deserialize, Serialize};
use touchline_soccer_law::face::Side;
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M};

/// Cycles that the defence has the ball before it is captured.
const TURNOVER_TIME: i32 = 4;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    take_time: i32,
    untouched: u32,
}

pub fn analyse(game: &mut Game<'_>) {
    let end = end(game);
    if let Some(outcome) = end {
        if outcome == "goal" {
            pay(game);
        }
        game.said.push(Said::EpisodeEnd(outcome));
        game.recover_all();
        game.memory.rules.half_field = Memory::default();
        task::remember_ball(game, None);
        return;
    }
    task::remember_ball(game, Some(game.ball.place));
}

/// Looks where the ball is and who has it. The ball's place is that after the cycle before, as there: a goal is seen at once, a ball that is out a cycle later.
fn end(game: &mut Game<'_>) -> Option<&'static str> {
    let memory = &game.memory.rules.half_field;
    if let Some(before) = task::ball_before(game) {
        if crosses_goal_line(game, Side::Right, before) {
            return Some("goal");
        }
        if !is_in_half(before) {
            return Some("out");
        }
    }
    if memory.take_time >= TURNOVER_TIME {
        return Some("captured");
    }
    if memory.untouched > game.law.task.untouched_cycles {
        return Some("untouched");
    }
    let reach_m = game.law.server.kickable_area_m();
    let (mut offence, mut defence, mut goalie) = (false, false, false);
    for player in game.present().filter(|player| distance(player.place, game.ball.place) < reach_m) {
        match player.side() {
            Side::Left => offence = true,
            Side::Right => (defence, goalie) = (true, goalie || player.is_goalie()),
        }
    }
    let memory = &mut game.memory.rules.half_field;
    memory.untouched = if offence || defence { 0 } else { memory.untouched + 1 };
    if defence {
        memory.take_time += 1;
    } else if offence {
        memory.take_time = 0;
    }
    goalie.then_some("captured")
}

fn is_in_half([x, y]: Vector) -> bool {
    (0.0..=HALF_LENGTH_M).contains(&x) && y.abs() <= HALF_WIDTH_M
}

/// The goal counts, and is paid.
fn pay(game: &mut Game<'_>) {
    game.team_mut(Side::Left).score += 1;
    let paid = super::paid_for_goal(game, Side::Left);
    game.said.extend(paid);
}
