//! Bodies that overlap are moved apart, and go back with a tenth of their velocity.
//!
//! In play ball and player give way alike; otherwise the ball stays and the player moves. The goalkeeper that holds the ball does not collide with it.

use crate::game::Game;
use crate::rules;
use crate::vector::{Vector, add, length, scale, square, sub, with_length};
use std::f64::consts::PI;
use touchline_plugin_api::noise::Noise;
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::body::polar;
use touchline_soccer_law::face::state;

/// They are moved apart so often at most, as one that gives way to another may come to overlap a third.
const ROUNDS: usize = 10;
/// What is left of the velocity of who has collided.
const VELOCITY_FACTOR: f64 = -0.1;
const EPSILON: f64 = 1e-10;

/// Where a body is pushed to in one round: the mean of all pushes.
#[derive(Clone, Copy, Default)]
struct Pushed {
    sum: Vector,
    times: u32,
}

impl Pushed {
    fn to(&mut self, place: Vector) {
        self.sum = add(self.sum, place);
        self.times += 1;
    }

    fn mean(self) -> Option<Vector> {
        (self.times > 0).then(|| scale(self.sum, 1.0 / f64::from(self.times)))
    }
}

/// Parts all that overlap. The rules are told of each player that the ball touched.
pub fn collide(game: &mut Game<'_>) {
    let count = game.players.len();
    let mut ball_has_collided = false;
    let mut has_collided = vec![false; count];
    for _ in 0..ROUNDS {
        let mut ball_pushed = Pushed::default();
        let mut pushed = vec![Pushed::default(); count];
        for index in 0..count {
            let player = &game.players[index];
            let radius_m = game.law.server.ball_size + player.size();
            let is_near = square(sub(game.ball.place, player.place)) < radius_m * radius_m;
            if !is_near || player.is_gone || game.memory.catcher == Some(player.seat()) {
                continue;
            }
            game.players[index].state |= state::BALL_TO_PLAYER | state::BALL_COLLIDE;
            let seat = game.players[index].seat();
            rules::ball_touched(game, seat);
            let (ball, player) = (game.ball.place, game.players[index].place);
            // A rule may have put the ball elsewhere, and play may be over: as the server does.
            let (ball_to, player_to) = if game.mode() == PlayMode::PLAY_ON {
                parted(ball, player, radius_m, &mut game.chance)
            } else {
                (ball, out_of(ball, player, radius_m, &mut game.chance))
            };
            ball_pushed.to(ball_to);
            pushed[index].to(player_to);
            (ball_has_collided, has_collided[index]) = (true, true);
        }
        for one in 0..count {
            for other in one + 1..count {
                let (a, b) = (&game.players[one], &game.players[other]);
                let radius_m = a.size() + b.size();
                let is_near = square(sub(a.place, b.place)) < radius_m * radius_m;
                if a.is_gone || b.is_gone || !is_near {
                    continue;
                }
                let (a_to, b_to) = parted(a.place, b.place, radius_m, &mut game.chance);
                pushed[one].to(a_to);
                pushed[other].to(b_to);
                for index in [one, other] {
                    game.players[index].state |= state::PLAYER_COLLIDE;
                    has_collided[index] = true;
                }
            }
        }
        if let Some(place) = ball_pushed.mean() {
            game.ball.place = place;
        }
        for (player, place) in game.players.iter_mut().zip(&pushed) {
            if let Some(place) = place.mean() {
                player.place = place;
            }
        }
        if ball_pushed.times == 0 && pushed.iter().all(|pushed| pushed.times == 0) {
            break;
        }
    }
    if ball_has_collided {
        game.ball.velocity = scale(game.ball.velocity, VELOCITY_FACTOR);
    }
    for (player, _) in game.players.iter_mut().zip(&has_collided).filter(|&(_, &collided)| collided) {
        player.velocity = scale(player.velocity, VELOCITY_FACTOR);
    }
}

/// Both moved from their middle until they just touch; in any direction if they are in one place.
fn parted(a: Vector, b: Vector, radius_m: f64, chance: &mut Noise) -> (Vector, Vector) {
    let middle = scale(add(a, b), 0.5);
    let (mut to_a, mut to_b) = (sub(a, middle), sub(b, middle));
    let half_m = radius_m / 2.0 + EPSILON;
    if length(to_a) < EPSILON && length(to_b) < EPSILON {
        to_a = polar(half_m, chance.uniform(-PI, PI));
        to_b = scale(to_a, -1.0);
    } else {
        (to_a, to_b) = (with_length(to_a, half_m), with_length(to_b, half_m));
    }
    // Rounding must not leave them overlapping.
    for _ in 0..ROUNDS {
        if square(sub(add(middle, to_a), add(middle, to_b))) >= radius_m * radius_m {
            break;
        }
        (to_a, to_b) = (scale(to_a, 1.0001), scale(to_b, 1.0001));
    }
    (add(middle, to_a), add(middle, to_b))
}

/// Where a player goes that gives way to a ball that stays.
fn out_of(ball: Vector, player: Vector, radius_m: f64, chance: &mut Noise) -> Vector {
    let away = sub(player, ball);
    let distance_m = radius_m + EPSILON;
    if away == [0.0; 2] {
        return add(ball, polar(distance_m, chance.uniform(-PI, PI)));
    }
    add(ball, with_length(away, distance_m))
}
