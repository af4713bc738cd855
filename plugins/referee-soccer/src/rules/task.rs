//! Agents' tasks are played in episodes: what one leaves behind is not the next one's.

use super::Memory;
use crate::game::Game;
use crate::memory::Memory as Whole;
use crate::vector::Vector;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::PlayMode;

/// What a task's referee saw after the last cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Which reset of the objects was the last one then.
    episode: u32,
    /// Where the ball was; none before an episode's first cycle.
    pub ball: Option<Vector>,
}

/// Begins anew after the world has reset its objects, for whatever reason: that an episode's time is up no referee is told.
pub fn watch_episode(game: &mut Game<'_>, episode: u32) {
    if !game.law.has_episodes() {
        return;
    }
    let before = game.memory.rules.task.map(|seen| seen.episode);
    if before == Some(episode) {
        return;
    }
    if before.is_some() {
        begin_anew(game);
    }
    game.memory.rules.task = Some(Seen { episode, ball: None });
}

/// All are as at a game's beginning. A task's clock goes on; a whole game has its own again, with its score and its kick-off.
fn begin_anew(game: &mut Game<'_>) {
    if game.law.is_task() {
        game.memory.catcher = None;
        game.memory.rules = Memory { time: game.memory.rules.time.clone(), ..Memory::default() };
    } else {
        game.change_mode(PlayMode::BEFORE_KICK_OFF);
        *game.memory = Whole {
            players: std::mem::take(&mut game.memory.players),
            absent: std::mem::take(&mut game.memory.absent),
            types: std::mem::take(&mut game.memory.types),
            sent_off: std::mem::take(&mut game.memory.sent_off),
            ..Whole::default()
        };
    }
    game.recover_all();
    for player in &mut game.players {
        (player.tackle_cycles, player.foul_cycles, player.catch_ban) = (0, 0, 0);
        (player.neck_rad, player.memory.moves_since_catch) = (0.0, 0);
    }
    for body in game.memory.absent.iter_mut().filter_map(|player| player.body.as_mut()) {
        (body.tackle_cycles, body.foul_cycles, body.catch_ban) = (0, 0, 0);
    }
    if game.law.is_task() && ![PlayMode::PLAY_ON, PlayMode::TIME_OVER].contains(&game.mode()) {
        game.change_mode(PlayMode::PLAY_ON);
    }
}

/// Where the ball was after the last cycle of this episode.
pub fn ball_before(game: &Game<'_>) -> Option<Vector> {
    game.memory.rules.task.and_then(|seen| seen.ball)
}

/// Remembers where the ball is; nothing when the episode is over.
pub fn remember_ball(game: &mut Game<'_>, ball: Option<Vector>) {
    if let Some(seen) = &mut game.memory.rules.task {
        seen.ball = ball;
    }
}
