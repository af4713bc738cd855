//! With the ball: a shot, a pass, a dribble, or away with it.

use crate::ball::{arrival, start_speed};
use crate::decide::offside_line;
use crate::kick::{Kick, hold, kick_for, prepare_kick, prepared_speed, top_speed};
use crate::reach::{clearance, travelled};
use crate::run::{Haste, power, turn_by};
use crate::scene::{Mover, Play, Scene};
use crate::series;
use crate::vector::{Vector, add, direction, distance, length, scale, sub, unit};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::body::polar;
use touchline_soccer_law::face::{BodyCommand, Leg};
use touchline_soccer_law::pitch::{HALF_LENGTH_M, HALF_WIDTH_M};
use touchline_soccer_law::player_type::PlayerType;

/// From farther away nobody shoots, metres.
const SHOT_M: f64 = 26.0;
/// So near, a shot is tried whoever stands there, metres.
const POINT_BLANK_M: f64 = 9.0;
/// A goalkeeper stops what passes so near to its centre, metres.
const KEEPER_REACH_M: f64 = 1.35;
/// Any other player.
const PLAYER_REACH_M: f64 = 1.0;
/// A pass arrives with this speed, metres a cycle.
const PASS_END_SPEED: f64 = 1.1;
/// Passes are no shorter and no longer, metres.
const PASS_M: [f64; 2] = [5.0, 32.0];
/// A pass is safe with so much room, metres.
const SAFE_M: f64 = 0.4;
/// An opponent so near leaves no time for a second kick, metres.
const PRESSED_M: f64 = 2.6;

/// In open play.
pub fn with_ball(scene: &Scene<'_>) -> BodyCommand {
    if let Some(shot) = shot(scene) {
        return shot;
    }
    let pass = best_pass(scene);
    if let Some(dribble) = dribble(scene)
        && pass.as_ref().is_none_or(|pass| pass.gain < 3.0 || scene.me.place[0] > 30.0)
    {
        return dribble;
    }
    match pass {
        Some(pass) => strike(scene, pass.target, pass.speed),
        None => clear(scene),
    }
}

/// From a set play: a pass, else far away. The taker may not play the ball twice, so it neither dribbles nor prepares its kick.
pub fn set_play(scene: &Scene<'_>) -> BodyCommand {
    let is_indirect = matches!(scene.play, Play::Ours(SidedMode::IndirectFreeKick));
    if !is_indirect
        && let Some((target, speed)) = goal_target(scene, top_speed(scene, [1.0, 0.0]).unwrap_or(0.0))
    {
        return one_kick(scene, target, speed);
    }
    match best_pass(scene) {
        Some(pass) => one_kick(scene, pass.target, pass.speed),
        None => clear(scene),
    }
}

/// The best shot, whatever its chance.
pub fn any_shot(scene: &Scene<'_>) -> BodyCommand {
    shot(scene).unwrap_or_else(|| strike(scene, [HALF_LENGTH_M + 0.5, 0.0], scene.server.ball_speed_max))
}

/// Nobody to pass to: a shot, else on towards the goal, else a shot all the same.
pub fn alone(scene: &Scene<'_>) -> BodyCommand {
    shot(scene).or_else(|| dribble(scene)).unwrap_or_else(|| any_shot(scene))
}

/// A pass to a mate, or the best one; nothing where there is none.
pub fn pass_to(scene: &Scene<'_>, mate: Option<Vector>) -> BodyCommand {
    let to = |target: Vector| {
        let wanted = start_speed(scene.server, distance(scene.ball.place, target), PASS_END_SPEED);
        (target, wanted.min(prepared_speed(scene)))
    };
    let pass = mate.map(to).or_else(|| best_pass(scene).map(|pass| (pass.target, pass.speed)));
    pass.map_or(BodyCommand::None, |(target, speed)| strike(scene, target, speed))
}

/// On with the ball towards the goal; where there is no way the ball is held.
pub fn advance(scene: &Scene<'_>) -> BodyCommand {
    dribble(scene).or_else(|| hold(scene).map(Kick::command)).unwrap_or(BodyCommand::None)
}

/// A shot at the goal, by one kick, or two where there is time.
fn shot(scene: &Scene<'_>) -> Option<BodyCommand> {
    let goal = [HALF_LENGTH_M, 0.0];
    let away = distance(scene.ball.place, goal);
    if away > SHOT_M {
        return None;
    }
    let at_once = top_speed(scene, sub(goal, scene.ball.place)).unwrap_or(0.0);
    let speed = if nearest(scene) > PRESSED_M { prepared_speed(scene).max(at_once) } else { at_once };
    let (target, speed) = goal_target(scene, speed)?;
    Some(strike(scene, target, speed))
}

/// The place between the posts where a ball of this speed has most room, if it has any, or stands so near that it does not matter.
fn goal_target(scene: &Scene<'_>, speed: f64) -> Option<(Vector, f64)> {
    let from = scene.ball.place;
    let away = distance(from, [HALF_LENGTH_M, 0.0]);
    let half_m = scene.server.goal_width / 2.0 - 0.6;
    let default = PlayerType::default_of(scene.server);
    let best = (0..=8)
        .map(|number| [HALF_LENGTH_M + 0.5, half_m * (f64::from(number) / 4.0 - 1.0)])
        .filter(|target| arrival(scene.server, speed, distance(from, *target)).is_some())
        .map(|target| (target, room(scene, &default, (from, target), speed)))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_on = away < SHOT_M && (best.1 > 0.0 || away < POINT_BLANK_M);
    is_on.then_some((best.0, speed))
}

/// The room that a ball has on its way past all opponents, metres.
fn room(scene: &Scene<'_>, default: &PlayerType, way: (Vector, Vector), speed: f64) -> f64 {
    let reach = |opponent: &Mover| {
        let is_keeper = opponent.place[0] > HALF_LENGTH_M - 12.0 && opponent.place[1].abs() < 12.0;
        if is_keeper && opponent.place[0] >= last_x(scene) { KEEPER_REACH_M } else { PLAYER_REACH_M }
    };
    let gap = |opponent: &Mover| clearance(scene.server, default, way, speed, opponent, reach(opponent));
    scene.opponents.iter().map(gap).fold(f64::INFINITY, f64::min)
}

fn last_x(scene: &Scene<'_>) -> f64 {
    scene.opponents.iter().map(|opponent| opponent.place[0]).fold(f64::NEG_INFINITY, f64::max)
}

/// Distance of the nearest opponent from the ball, metres.
fn nearest(scene: &Scene<'_>) -> f64 {
    let away = scene.opponents.iter().map(|opponent| distance(opponent.place, scene.ball.place));
    away.fold(f64::INFINITY, f64::min)
}

/// A pass.
#[derive(Clone, Copy, Debug)]
struct Pass {
    target: Vector,
    /// Metres a cycle.
    speed: f64,
    /// What it brings.
    gain: f64,
}

/// The best pass to a mate who is free: to its feet, or before it.
fn best_pass(scene: &Scene<'_>) -> Option<Pass> {
    let default = PlayerType::default_of(scene.server);
    let (line, from) = (offside_line(scene), scene.ball.place);
    let most = prepared_speed(scene).min(2.6);
    let mut best: Option<Pass> = None;
    for (unum, mate) in &scene.mates {
        let is_offside = mate.place[0] > line.max(from[0]) && mate.place[0] > 0.0;
        if is_offside || (*unum == 1 && scene.play == Play::On) {
            continue;
        }
        for lead_m in [0.0, 5.0] {
            let target = add(mate.place, [lead_m, 0.0]);
            let length_m = distance(from, target);
            let is_inside = target[0].abs() < HALF_LENGTH_M - 1.0 && target[1].abs() < HALF_WIDTH_M - 1.0;
            if !is_inside || !(PASS_M[0]..=PASS_M[1]).contains(&length_m) {
                continue;
            }
            let speed = start_speed(scene.server, length_m, PASS_END_SPEED).min(most);
            let gain = value(target) - value(from) - 0.05 * length_m;
            if best.is_some_and(|best| best.gain >= gain) {
                continue;
            }
            if room(scene, &default, (from, target), speed) > SAFE_M {
                best = Some(Pass { target, speed, gain });
            }
        }
    }
    best
}

/// What a ball is worth in a place, metres nearer to their goal.
fn value(place: Vector) -> f64 {
    -0.8 * distance(place, [HALF_LENGTH_M, 0.0]) + 0.3 * place[0]
}

/// Runs on with the ball: it is kicked ahead so that it can be kicked again after some dashes, where no opponent is there before.
fn dribble(scene: &Scene<'_>) -> Option<BodyCommand> {
    let goal_rad = direction(sub([HALF_LENGTH_M, 0.0], scene.me.place));
    let default = PlayerType::default_of(scene.server);
    // Straight on as it goes, to the goal, and aside from it.
    let choices = [0.0, 0.5, -0.5, 1.0, -1.0].map(|aside| wrap_angle(goal_rad + aside));
    let ahead_rad = choices.into_iter().find(|rad| {
        let to = add(scene.ball.place, polar(7.0, *rad));
        let is_inside = to[0] < HALF_LENGTH_M - 1.0 && to[1].abs() < HALF_WIDTH_M - 2.0;
        is_inside && is_free(scene, &default, to)
    })?;
    let error_rad = wrap_angle(ahead_rad - scene.me.heading_rad);
    let next = add(scene.me.place, scene.me.velocity);
    let reach_m = crate::kick::kickable_distance(scene.server, scene.kind) - 0.1;
    let ball_next = add(scene.ball.place, scene.ball.velocity);
    if error_rad.abs() > 0.3 {
        if distance(ball_next, next) > reach_m {
            return hold(scene).map(Kick::command);
        }
        return Some(turn_by(scene, error_rad));
    }
    // The ball may be kickable after one more dash as well.
    let dash_power = power(scene, Haste::Full);
    if dash_power < 30.0 {
        return None;
    }
    let cycles = if nearest(scene) > 9.0 { 6 } else { 3 };
    let way_m = travelled(scene.server, scene.kind, cycles) * dash_power / scene.server.maxpower;
    let decay = scene.server.ball_decay;
    let sum = series::sum(decay, f64::from(cycles + 1));
    let drift = scale(scene.me.velocity, series::until_rest(scene.kind.player_decay));
    // In front of the body when it has run: nobody collides with the ball.
    let wanted = add(add(scene.me.place, drift), polar(way_m + 0.75, ahead_rad));
    let velocity = scale(sub(wanted, scene.ball.place), 1.0 / sum);
    let leads = length(sub(add(scene.ball.place, velocity), next));
    if leads < scene.kind.player_size + scene.server.ball_size + 0.05 {
        let leg = Leg { power: dash_power, direction_rad: 0.0 };
        return Some(BodyCommand::Dash { left: leg, right: leg });
    }
    kick_for(scene, velocity).map(Kick::command).or_else(|| hold(scene).map(Kick::command))
}

/// Whether no opponent is at a place before it.
fn is_free(scene: &Scene<'_>, default: &PlayerType, place: Vector) -> bool {
    let cycles = distance(place, scene.me.place) / default.player_speed_max + 2.0;
    scene.opponents.iter().all(|opponent| {
        let is_behind = opponent.place[0] < scene.me.place[0] - 1.0;
        let away = distance(opponent.place, place) - PLAYER_REACH_M;
        is_behind || away > travelled(scene.server, default, cycles as u32) * 0.9
    })
}

/// Far away: forward, where there is most room.
fn clear(scene: &Scene<'_>) -> BodyCommand {
    let default = PlayerType::default_of(scene.server);
    let speed = top_speed(scene, [1.0, 0.0]).unwrap_or(1.0);
    let targets = [-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9].map(|rad| add(scene.ball.place, polar(20.0, rad)));
    let best = targets
        .into_iter()
        .filter(|target| target[1].abs() < HALF_WIDTH_M + 3.0)
        .map(|target| (room(scene, &default, (scene.ball.place, target), speed), target))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let target = best.map_or([scene.ball.place[0] + 20.0, 0.0], |(_, target)| target);
    one_kick(scene, target, scene.server.ball_speed_max)
}

/// To a place with a speed: at once if one kick is enough, else prepared if there is time, else as fast as one kick can.
fn strike(scene: &Scene<'_>, target: Vector, speed: f64) -> BodyCommand {
    let towards = unit(sub(target, scene.ball.place));
    if let Some(kick) = kick_for(scene, scale(towards, speed)) {
        return kick.command();
    }
    if nearest(scene) > PRESSED_M {
        let ahead = polar(1.0, scene.me.heading_rad);
        let aims = ahead[0] * towards[0] + ahead[1] * towards[1] > 0.5;
        if aims && let Some(kick) = prepare_kick(scene).filter(|kick| kick.power > 5.0) {
            return kick.command();
        }
        if !aims {
            let ball_next = add(scene.ball.place, scene.ball.velocity);
            let next = add(scene.me.place, scene.me.velocity);
            let reach_m = crate::kick::kickable_distance(scene.server, scene.kind) - 0.1;
            if distance(ball_next, next) <= reach_m {
                return turn_by(scene, wrap_angle(direction(towards) - scene.me.heading_rad));
            }
        }
    }
    one_kick(scene, target, speed)
}

/// To a place with one kick, as fast as wanted, or as it can.
fn one_kick(scene: &Scene<'_>, target: Vector, speed: f64) -> BodyCommand {
    let towards = sub(target, scene.ball.place);
    let most = top_speed(scene, towards).unwrap_or(0.0).max(0.0);
    let velocity = scale(unit(towards), speed.min(most));
    let kick = kick_for(scene, velocity).unwrap_or_else(|| Kick {
        power: scene.server.maxpower,
        direction_rad: wrap_angle(direction(sub(velocity, scene.ball.velocity)) - scene.me.heading_rad),
    });
    kick.command()
}
