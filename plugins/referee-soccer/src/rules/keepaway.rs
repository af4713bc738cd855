//! Keepaway: the left team keeps the ball from the right one in a small field; each episode begins anew.

use crate::game::{Game, Player, Said};
use crate::vector::distance;
use serde::{Deserialize, Serialize};
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::face::Side;

/// What is said when an episode begins.
const WORD: &str = "training Keepaway 1";
/// Cycles that a taker has the ball before the episode is over.
const TURNOVER_TIME: i32 = 4;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    has_begun: bool,
    keepers: u32,
    take_time: i32,
    /// Simulated cycles before the first episode, for keepaway_start.
    waited: i64,
}

pub fn mode_changed(game: &mut Game<'_>) {
    let is_first = !game.memory.rules.keepaway.has_begun;
    if game.law.server.keepaway
        && game.law.keepaway.chooser == 0
        && is_first
        && game.mode() == PlayMode::PLAY_ON
    {
        let keepers = game.present().filter(|player| player.side() == Side::Left).count() as u32;
        let memory = &mut game.memory.rules.keepaway;
        (memory.has_begun, memory.keepers) = (true, keepers);
        begin_episode(game);
    }
}

pub fn analyse(game: &mut Game<'_>) {
    let server = &game.law.server;
    if !server.keepaway {
        return;
    }
    if game.mode() == PlayMode::TIME_OVER {
        // That server would play on, and end again in each cycle.
        return;
    }
    if game.mode() != PlayMode::PLAY_ON {
        game.memory.rules.keepaway.waited += 1;
        // The server counts seconds of its machine's clock.
        let start = i64::from(server.keepaway_start) * 10;
        if start >= 0 && game.memory.rules.keepaway.waited > start {
            game.change_mode(PlayMode::PLAY_ON);
        }
        return;
    }
    let [x, y] = game.ball.place;
    let is_in = x.abs() < server.keepaway_length / 2.0 && y.abs() < server.keepaway_width / 2.0;
    if game.law.keepaway.chooser > 0 {
        let is_taken = game.memory.rules.keepaway.take_time >= TURNOVER_TIME;
        judge_task(game, is_in, is_taken);
        if !is_in || is_taken {
            return;
        }
    } else if !is_in || game.memory.rules.keepaway.take_time >= TURNOVER_TIME {
        game.say(WORD);
        begin_episode(game);
        return;
    }
    let has_ball = |side: Side| {
        let reach_m = server.kickable_area_m();
        let near = |player: &&Player<'_>| distance(player.place, game.ball.place) < reach_m;
        game.present().filter(|player| player.side() == side).any(|player| near(&player))
    };
    if has_ball(Side::Right) {
        game.memory.rules.keepaway.take_time += 1;
    } else if has_ball(Side::Left) {
        game.memory.rules.keepaway.take_time = 0;
    }
}

/// Keepaway as an agent's task: each keeper is paid for the time for which its team keeps the ball; where the next episode begins is the world file's.
fn judge_task(game: &mut Game<'_>, is_in: bool, is_taken: bool) {
    if is_in && !is_taken {
        let value = game.law.cycle_secs;
        let keepers = game.present().filter(|player| player.side() == Side::Left);
        let paid: Vec<_> = keepers.map(|player| Said::Reward { robot: player.memory.robot, value }).collect();
        game.said.extend(paid);
        return;
    }
    game.said.push(Said::EpisodeEnd(if is_in { "taken" } else { "out" }));
    game.recover_all();
    game.memory.rules.keepaway.take_time = 0;
}

/// Keepers go to three corners and the middle, takers to the fourth one, the ball to the first.
fn begin_episode(game: &mut Game<'_>) {
    let server = &game.law.server;
    let (half_x, half_y) = (server.keepaway_length / 2.0, server.keepaway_width / 2.0);
    let keepers = game.memory.rules.keepaway.keepers;
    let mut corner = (game.chance.uniform(0.0, f64::from(keepers.max(1))) as u32).min(keepers.max(1) - 1);
    for index in 0..game.players.len() {
        let mut off = || game.chance.uniform(0.0, 3.0);
        // Top is y > 0.
        let place = match (game.players[index].side(), corner) {
            (Side::Right, _) => [-half_x + off(), -half_y + off()],
            (Side::Left, 0) => [-half_x + off(), half_y - off()],
            (Side::Left, 1) => [half_x - off(), half_y - off()],
            (Side::Left, 2) => [half_x - off(), -half_y + off()],
            (Side::Left, _) => [game.chance.uniform(-1.0, 1.0), game.chance.uniform(-1.0, 1.0)],
        };
        if game.players[index].side() == Side::Left {
            corner = (corner + 1) % keepers.max(1);
        }
        game.players[index].put(place);
    }
    game.place_ball(None, [-half_x + 4.0, half_y - 4.0]);
    game.recover_all();
    game.memory.rules.keepaway.take_time = 0;
}
