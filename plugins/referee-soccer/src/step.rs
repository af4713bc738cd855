//! One cycle, before and after the physics.

use crate::collisions::collide;
use crate::game::Game;
use crate::law::Law;
use crate::memory::{Going, Memory, Seat};
use crate::rules;
use crate::vector::{add, distance, scale, sub};
use crate::world::{Motion, Shown, load, store};
use crate::{agents, keepers, obey, posts, told};
use std::f64::consts::PI;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::referee::{PrepareInput, RefereeInput};
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::body::polar;
use touchline_soccer_law::face::{Side, TEAM_SIZE, state};

/// Who is farther from where it was sent has met a post, metres.
const MET_M: f64 = 1e-9;
/// Bits of a player's state that stay from cycle to cycle.
const LASTING: u32 = state::STAND | state::GOALIE | state::DISCARD | state::YELLOW_CARD | state::RED_CARD;

/// Carries out the commands, and sets off bodies and ball.
pub fn prepare(law: &Law, memory: &mut Memory, input: &PrepareInput<'_>, orders: &mut Orders) {
    let shown =
        Shown { view: input.view, motion_data: input.motion_data, noise: input.noise, game: input.game };
    let Some(mut game) = load(law, memory, &shown) else { return };
    rules::watch_episode(&mut game, input.game.episode);
    begin(&mut game);
    for player in &mut game.players {
        player.is_done = player.tackle_cycles > 0 || player.foul_cycles > 0;
        let tackles = if player.tackle_cycles > 0 { state::TACKLE | state::TACKLE_FAULT } else { 0 };
        let charged = if player.foul_cycles > 0 { state::FOUL_CHARGED } else { 0 };
        player.state &= LASTING | tackles | charged;
    }
    let keepers = keepers::commands(&game, input.commands);
    for seat in shuffled_seats(&mut game) {
        if let Some((_, command)) = keepers.iter().find(|(keeper, _)| *keeper == seat) {
            obey::obey(&mut game, seat, *command, 0.0);
            continue;
        }
        let robot = game.player(seat).map(|player| player.memory.robot);
        let Some(record) = input.commands.iter().find(|record| Some(record.robot) == robot) else { continue };
        if let Some((command, turn_neck_rad)) = agents::command(&game, seat, record) {
            obey::obey(&mut game, seat, command, turn_neck_rad);
        }
    }
    obey::end_commands(&mut game);
    let mode = game.mode();
    game.memory.going = match mode {
        PlayMode::BEFORE_KICK_OFF => Going::Turn,
        PlayMode::TIME_OVER => Going::Over,
        _ if rules::is_stopped(mode) => Going::Stopped(mode),
        _ => Going::On,
    };
    match game.memory.going {
        Going::Turn | Going::Over => stand_still(&mut game),
        Going::Stopped(_) => {
            game.memory.catcher = None;
            obey::set_off(&mut game);
        }
        Going::On => obey::set_off(&mut game),
    }
    for player in &mut game.players {
        player.memory.aim = add(player.place, player.velocity);
        player.memory.velocity = player.velocity;
    }
    store(game, Motion::Coming, &input.game, orders);
}

/// What a game begins with.
fn begin(game: &mut Game<'_>) {
    if game.memory.has_begun {
        return;
    }
    game.memory.has_begun = true;
    let server = &game.law.server;
    (game.memory.teams[0].score, game.memory.teams[1].score) =
        (i64::from(server.start_goal_l), i64::from(server.start_goal_r));
    (game.memory.kick_off_wait, game.memory.connect_wait) = (server.kick_off_wait, server.connect_wait);
    if server.wind_none {
    } else if server.wind_random {
        let force = game.chance.uniform(0.0, 100.0);
        game.memory.wind = polar(force, game.chance.uniform(-PI, PI));
        game.memory.wind_rand = game.chance.uniform(0.0, 0.5);
    } else {
        game.memory.wind = polar(server.wind_force, -server.wind_dir.to_radians());
        game.memory.wind_rand = server.wind_rand;
    }
    if game.law.is_task() {
        game.change_mode(PlayMode::PLAY_ON);
    } else {
        // As at that server, nobody is told what has not changed.
        game.memory.mode = PlayMode::BEFORE_KICK_OFF;
    }
}

/// The players who are there, in the order in which they are served in this cycle.
fn shuffled_seats(game: &mut Game<'_>) -> Vec<Seat> {
    let mut seats: Vec<Seat> = game.present().map(crate::game::Player::seat).collect();
    let mut noise = game.noise.split(301).stream();
    for last in (1..seats.len()).rev() {
        let chosen = (noise.uniform(0.0, (last + 1) as f64) as usize).min(last);
        seats.swap(last, chosen);
    }
    seats
}

fn stand_still(game: &mut Game<'_>) {
    let is_over = game.memory.going == Going::Over;
    for player in &mut game.players {
        (player.velocity, player.accel) = ([0.0; 2], [0.0; 2]);
        if is_over {
            player.new_heading_rad = player.heading_rad;
        }
    }
    game.memory.ball_at_rest = game.ball.velocity;
    (game.ball.velocity, game.ball.accel) = ([0.0; 2], [0.0; 2]);
}

/// Looks at what became of it: moves apart, keeps time, applies the rules, and does what it is told.
pub fn judge(law: &Law, memory: &mut Memory, input: &RefereeInput<'_>, orders: &mut Orders) {
    let shown =
        Shown { view: input.view, motion_data: input.motion_data, noise: input.noise, game: input.game };
    let Some(mut game) = load(law, memory, &shown) else { return };
    let going = game.memory.going;
    if matches!(going, Going::Turn | Going::Over) {
        game.ball.velocity = game.memory.ball_at_rest;
    }
    if matches!(going, Going::On | Going::Stopped(_)) {
        arrive(&mut game);
        collide(&mut game);
        carry_caught_ball(&mut game);
    }
    match going {
        Going::Turn => {
            game.memory.stoppage += 1;
            rules::analyse(&mut game);
        }
        Going::Stopped(mode) => {
            game.memory.stoppage += 1;
            rules::analyse(&mut game);
            if game.mode() != mode {
                (game.memory.time, game.memory.stoppage) = (game.memory.time + 1, 0);
            }
        }
        Going::On => {
            (game.memory.time, game.memory.stoppage) = (game.memory.time + 1, 0);
            rules::analyse(&mut game);
        }
        Going::Over => game.memory.stoppage += 1,
    }
    for player in game.players.iter_mut().filter(|player| !player.is_gone) {
        player.stamina.recover(&law.server, player.player_type);
        player.catch_ban = (player.catch_ban - 1).max(0);
    }
    let mut refused = Vec::new();
    for line in input.commands.lines().filter(|line| !line.trim().is_empty()) {
        if let Err(error) = told::obey(&mut game, line) {
            refused.push(error.to_string());
        }
    }
    start_by_itself(&mut game);
    store(game, Motion::Done, &input.game, orders);
    refused.iter().for_each(|problem| orders.announce(problem));
}

/// Who met a post goes back from it as a ball does; the ball decays, as the players have done.
fn arrive(game: &mut Game<'_>) {
    let server = &game.law.server;
    for player in &mut game.players {
        let (aim, velocity) = (player.memory.aim, player.memory.velocity);
        if distance(player.place, aim) > MET_M {
            let (place, velocity) = posts::carried(server, sub(aim, velocity), velocity, player.size());
            player.state |= state::POST_COLLIDE;
            player.place = place;
            player.velocity = scale(velocity, player.player_type.player_decay);
        }
    }
    game.ball.velocity = scale(game.ball.velocity, server.ball_decay);
}

/// The goalkeeper has the ball before it.
fn carry_caught_ball(game: &mut Game<'_>) {
    let Some(catcher) = game.memory.catcher.and_then(|seat| game.player(seat)) else { return };
    let before = polar(catcher.size() + game.law.server.ball_size, catcher.heading_rad);
    game.ball.place = add(catcher.place, before);
}

/// In auto_mode halves start when all are there, or when waiting is over.
fn start_by_itself(game: &mut Game<'_>) {
    let law = game.law;
    if !law.server.auto_mode {
        return;
    }
    if game.mode() != PlayMode::BEFORE_KICK_OFF || game.time() >= law.maximum_time() {
        game.memory.kick_off_wait = law.server.kick_off_wait;
        game.memory.connect_wait = law.server.connect_wait;
        return;
    }
    let are_all_there = game.present().count() == Side::BOTH.len() * TEAM_SIZE || game.time() > 0;
    let wait = if are_all_there { &mut game.memory.kick_off_wait } else { &mut game.memory.connect_wait };
    *wait = (*wait - 1).max(0);
    if game.memory.kick_off_wait == 0 || game.memory.connect_wait == 0 {
        rules::kick_off(game);
    }
}
