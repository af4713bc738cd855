//! What the players' bodies do of what they are told: turns, kicks, tackles, catches and moves at once, in a random order of players; dashes when the cycle ends.

use crate::collisions::collide;
use crate::game::{Game, Player, Said};
use crate::memory::Seat;
use crate::posts;
use crate::rules;
use crate::rules::is_stopped;
use crate::vector::{add, length, scale, sub};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_plugin_api::noise::Noise;
use touchline_soccer_law::body::{
    self, CatchArea, Dasher, Kicker, Tackle, TackleWith, kick_rand, player_rand, slowness,
};
use touchline_soccer_law::face::{BodyCommand, event, state};
use touchline_soccer_law::{PlayMode, SidedMode};

/// Whether the ball cannot be played in a mode.
fn is_dead(mode: PlayMode) -> bool {
    mode == PlayMode::BEFORE_KICK_OFF || mode == PlayMode::TIME_OVER || is_stopped(mode)
}

/// Carries out what a player's body and neck are told.
pub fn obey(game: &mut Game<'_>, seat: Seat, command: BodyCommand, turn_neck_rad: f64) {
    let server = &game.law.server;
    let Some(index) = game.index_of(seat) else { return };
    let player = &mut game.players[index];
    if turn_neck_rad != 0.0 {
        player.neck_rad = body::turn_neck(server, player.neck_rad, turn_neck_rad);
    }
    if player.is_done {
        return;
    }
    let mut noise = game.noise.split(seat.index() as u64).stream();
    match command {
        BodyCommand::None => {}
        BodyCommand::Dash { left, right } => {
            (player.legs, player.is_done) = (Some([left, right]), true);
            player.memory.since_dash = 0;
        }
        BodyCommand::Turn { moment_rad } => {
            let (speed, rand) = (length(player.velocity), player_rand(server, seat.side()));
            let turn_rad = body::turn(server, player.player_type, speed, moment_rad, rand, &mut noise);
            player.new_heading_rad = wrap_angle(player.heading_rad + turn_rad);
            player.is_done = true;
        }
        BodyCommand::Kick { power, direction_rad } => kick(game, index, power, direction_rad, &mut noise),
        BodyCommand::Tackle { direction_rad, foul } => {
            tackle(game, index, TackleWith::Direction(direction_rad), foul, &mut noise);
        }
        BodyCommand::TackleWithPower { power, foul } => {
            tackle(game, index, TackleWith::Power(power), foul, &mut noise);
        }
        BodyCommand::Catch { direction_rad } => catch(game, index, direction_rad, &mut noise),
        BodyCommand::Move { place } => move_to(game, index, place),
    }
}

/// A player as the law of kicks sees it.
fn kicker<'a>(game: &Game<'_>, player: &Player<'a>) -> Kicker<'a> {
    Kicker {
        player_type: player.player_type,
        heading_rad: player.heading_rad,
        ball: sub(game.ball.place, player.place),
        ball_velocity: game.ball.velocity,
        kick_rand: kick_rand(&game.law.server, player.player_type, player.side()),
    }
}

fn push_ball(game: &mut Game<'_>, accel: [f64; 2]) {
    game.ball.accel = add(game.ball.accel, accel);
}

fn kick(game: &mut Game<'_>, index: usize, power: f64, direction_rad: f64, noise: &mut Noise) {
    game.players[index].is_done = true;
    game.players[index].state |= state::KICK;
    let seat = game.players[index].seat();
    if is_dead(game.mode()) {
        game.players[index].state |= state::KICK_FAULT;
    } else if !game.can_kick(&game.players[index]) {
        game.players[index].state |= state::KICK_FAULT;
        rules::kick_failed(game, seat);
    } else {
        let accel =
            body::kick(&game.law.server, &kicker(game, &game.players[index]), power, direction_rad, noise);
        game.memory.catcher = None;
        push_ball(game, accel);
        rules::kick_taken(game, seat, length(accel));
    }
}

fn tackle(game: &mut Game<'_>, index: usize, with: TackleWith, wants_foul: bool, noise: &mut Noise) {
    let server = &game.law.server;
    game.players[index].is_done = true;
    game.players[index].tackle_cycles = server.tackle_cycles;
    let player = &game.players[index];
    let (seat, side) = (player.seat(), player.side());
    // A foul needs an opponent who has the ball.
    let is_foul = wants_foul && game.present().any(|other| other.side() != side && game.can_kick(other));
    let tackler = kicker(game, player);
    let ball_in_body = body::rotated(tackler.ball, -player.heading_rad);
    let failure = match body::tackle_failure(server, ball_in_body, is_foul) {
        None => {
            game.players[index].state |= state::TACKLE_FAULT;
            return;
        }
        Some(failure) => failure,
    };
    if failure >= 1.0 || !noise.chance(1.0 - failure) {
        rules::kick_failed(game, seat);
        let tried = if failure < 1.0 { state::TACKLE } else { 0 };
        game.players[index].state |= tried | state::TACKLE_FAULT;
        return;
    }
    let accel = body::tackle_accel(server, &tackler, &Tackle { with, failure }, noise);
    game.players[index].state |= state::TACKLE;
    // The server forgets catch faults here.
    if is_dead(game.mode()) && !matches!(game.mode().sided(), Some((SidedMode::CatchFault, _))) {
        return;
    }
    if is_foul {
        game.players[index].tackle_cycles = 0;
    }
    game.memory.catcher = None;
    push_ball(game, accel);
    rules::tackle_taken(game, seat, length(accel), is_foul);
}

fn catch(game: &mut Game<'_>, index: usize, direction_rad: f64, noise: &mut Noise) {
    let (law, mode) = (game.law, game.mode());
    let player = &mut game.players[index];
    player.is_done = true;
    player.state |= state::CATCH;
    let may_catch = mode == PlayMode::PLAY_ON || mode.is_shoot_out();
    if !player.is_goalie() || player.catch_ban > 0 || !may_catch {
        player.state |= state::CATCH_FAULT;
        return;
    }
    player.catch_ban = law.server.catch_ban_cycle;
    let area = CatchArea::new(&law.server, player.player_type, player.heading_rad, direction_rad);
    let ball = sub(game.ball.place, player.place);
    let Some(probability) = area.probability(ball) else {
        player.state |= state::CATCH_FAULT;
        return;
    };
    let seat = player.seat();
    if noise.chance(probability) {
        let (place, heading_rad) = body::caught_place(&law.server, player.player_type, player.place, ball);
        (player.place, player.velocity) = (place, [0.0; 2]);
        player.new_heading_rad = heading_rad;
        if !mode.is_shoot_out() {
            game.say(format!("goalie_catch_ball_{}", seat.side().letter()));
        }
        collide(game);
        rules::ball_touched(game, seat);
        rules::ball_caught(game, seat);
        if matches!(game.mode().sided(), Some((SidedMode::FreeKick, _))) {
            game.memory.catcher = Some(seat);
        }
    } else {
        player.state |= state::CATCH_FAULT;
        let accel = body::punched(&area, game.ball.velocity);
        push_ball(game, accel);
        rules::ball_touched(game, seat);
        rules::ball_punched(game, seat);
    }
    if let Some(player) = game.player_mut(seat) {
        player.memory.moves_since_catch = 0;
    }
}

fn move_to(game: &mut Game<'_>, index: usize, place: [f64; 2]) {
    let seat = game.players[index].seat();
    match game.mode().sided() {
        None if game.mode() == PlayMode::BEFORE_KICK_OFF => {}
        Some((SidedMode::Goal, _)) => {}
        Some((SidedMode::FreeKick, _)) if game.memory.catcher == Some(seat) => {
            let most = game.law.server.goalie_max_moves;
            let player = &mut game.players[index];
            player.is_done = true;
            if most >= 0 && player.memory.moves_since_catch >= most {
                let text = seat.unum().to_string();
                game.said.push(Said::Event { kind: event::TOO_MANY_MOVES, side: seat.side(), text });
                return;
            }
            player.place = place;
            player.memory.moves_since_catch += 1;
            return;
        }
        _ => return,
    }
    game.players[index].is_done = true;
    game.players[index].place = place;
    collide(game);
}

/// What is stored takes effect, and who can obey again can do so in the next cycle.
pub fn end_commands(game: &mut Game<'_>) {
    let server = &game.law.server;
    for player in game.players.iter_mut().filter(|player| !player.is_gone) {
        if let Some(legs) = player.legs.take() {
            let dasher = Dasher {
                player_type: player.player_type,
                stamina: &player.stamina,
                velocity: player.velocity,
                heading_rad: player.heading_rad,
                slowness: slowness(server, player.side(), player.place[1]),
                player_rand: player_rand(server, player.side()),
            };
            let mut noise = game.noise.split(player.seat().index() as u64).stream();
            let dash = body::dash(server, &dasher, legs, &mut noise);
            player.memory.dashes += 1;
            if dash.cost > 0.0 {
                player.accel = add(player.accel, dash.accel);
                player.new_heading_rad = wrap_angle(player.heading_rad + dash.turn_rad);
                player.stamina.spend(dash.cost);
            }
        }
        player.memory.since_dash = player.memory.since_dash.saturating_add(1);
        player.tackle_cycles = (player.tackle_cycles - 1).max(0);
        player.foul_cycles = (player.foul_cycles - 1).max(0);
    }
}

/// Velocity of all for the coming step: acceleration, noise and wind.
pub fn set_off(game: &mut Game<'_>) {
    let (server, wind, wind_rand) = (&game.law.server, game.memory.wind, game.memory.wind_rand);
    let blown = |velocity: [f64; 2], weight: f64, noise: &mut Noise| {
        // As in the server: without changes there is no wind at all.
        if wind_rand < 1e-10 {
            return velocity;
        }
        const WIND_WEIGHT: f64 = 10_000.0;
        let by = length(velocity) / (weight * WIND_WEIGHT);
        let gust = wind.map(|part| part + noise.uniform(-wind_rand, wind_rand));
        add(velocity, scale(gust, by))
    };
    for player in game.players.iter_mut().filter(|player| !player.is_gone) {
        let slow = slowness(server, player.side(), player.place[1]);
        let (accel, speed) = (server.player_accel_max * slow, player.player_type.player_speed_max * slow);
        let mut noise = game.noise.split(100 + player.seat().index() as u64).stream();
        let rand = player_rand(server, player.side());
        let velocity = body::moved(player.velocity, player.accel, accel, speed, rand, &mut noise);
        player.velocity = blown(velocity, server.player_weight, &mut noise);
        player.accel = [0.0; 2];
        let out = posts::out(server, player.place, player.velocity, player.size(), &mut noise);
        if let Some((place, velocity)) = out {
            (player.place, player.velocity) = (place, velocity);
            player.state |= state::POST_COLLIDE;
        }
    }
    let ball = &mut game.ball;
    let mut noise = game.noise.split(200).stream();
    let (accel, speed) = (server.ball_accel_max, server.ball_speed_max);
    let velocity = body::moved(ball.velocity, ball.accel, accel, speed, server.ball_rand, &mut noise);
    ball.velocity = blown(velocity, server.ball_weight, &mut noise);
    if let Some((place, velocity)) =
        posts::out(server, ball.place, ball.velocity, server.ball_size, &mut noise)
    {
        (ball.place, ball.velocity) = (place, velocity);
    }
    ball.accel = [0.0; 2];
}
