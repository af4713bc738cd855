//! A ball that stays in one place too long is dropped.

use super::areas::award_drop_ball;
use crate::game::Game;
use crate::vector::{Vector, distance};
use serde::{Deserialize, Serialize};
use touchline_soccer_law::PlayMode;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    place: Vector,
    cycles: i32,
}

pub fn analyse(game: &mut Game<'_>) {
    let (area_m, most) = (game.law.server.ball_stuck_area, game.law.server.drop_ball_time);
    if area_m <= 0.0 || most <= 0 {
        return;
    }
    let (mode, ball) = (game.mode(), game.ball.place);
    let memory = &mut game.memory.rules.ball_stuck;
    if mode != PlayMode::PLAY_ON || distance(ball, memory.place) > area_m {
        *memory = Memory { place: ball, cycles: 0 };
        return;
    }
    memory.cycles += 1;
    if memory.cycles >= most {
        *memory = Memory { place: ball, cycles: 0 };
        award_drop_ball(game, ball);
    }
}
