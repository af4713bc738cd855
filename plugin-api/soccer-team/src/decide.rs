//! What a player does in this cycle: which part it plays, and that part's answer.

use crate::attack;
use crate::formation::{home, kick_off_place};
use crate::goalkeeper;
use crate::kick::is_kickable;
use crate::reach::cycles_to_ball;
use crate::run::{Haste, run_to};
use crate::scene::{Play, Scene};
use crate::shoot_out;
use crate::vector::{Vector, direction, distance, sub};
use std::f64::consts::FRAC_PI_2;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::body::{rotated, tackle_failure};
use touchline_soccer_law::face::BodyCommand;
use touchline_soccer_law::pitch::{Area, HALF_LENGTH_M, HALF_WIDTH_M};
use touchline_soccer_law::player_type::PlayerType;

/// A tackle is worth its cycles on the ground below this probability of failure.
const TACKLE_FAILURE: f64 = 0.25;
/// Forwards stay so far behind the last but one opponent, metres.
const ONSIDE_M: f64 = 0.7;

/// What a body does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The body's command, team's frame.
    pub command: BodyCommand,
    /// Turn of the neck, radians: its face goes to the ball.
    pub turn_neck_rad: f64,
    /// Whether this takes a set play: then it may not touch the ball before somebody else has.
    pub takes_set_play: bool,
}

/// What a player does in this cycle.
pub fn decide(scene: &Scene<'_>) -> Decision {
    let to_ball_rad = direction(sub(scene.ball.place, scene.me.place)) - scene.me.heading_rad;
    let neck_rad = wrap_angle(to_ball_rad).clamp(-FRAC_PI_2, FRAC_PI_2);
    let command = if scene.obeys { body(scene) } else { BodyCommand::None };
    let takes_set_play = matches!(scene.play, Play::Ours(_)) && matches!(command, BodyCommand::Kick { .. });
    Decision { command, turn_neck_rad: neck_rad - scene.neck_rad, takes_set_play }
}

fn body(scene: &Scene<'_>) -> BodyCommand {
    match scene.play {
        Play::Dead => BodyCommand::None,
        Play::Before => line_up(scene),
        Play::OurPenalty(kind) => shoot_out::body(scene, kind, true),
        Play::TheirPenalty(kind) => shoot_out::body(scene, kind, false),
        Play::Ours(kind) => our_set_play(scene, kind),
        Play::Theirs(_) if scene.is_goalie => goalkeeper::guard(scene),
        Play::Theirs(_) => run_to(scene, own_post(scene), 1.0, Haste::Easy),
        Play::On if scene.is_goalie => goalkeeper::act(scene),
        Play::On => open_play(scene),
    }
}

/// Before a kick-off players may be moved.
fn line_up(scene: &Scene<'_>) -> BodyCommand {
    let place = kick_off_place(scene.unum, true);
    if distance(place, scene.me.place) > 0.5 { BodyCommand::Move { place } } else { BodyCommand::None }
}

/// Who is nearest takes it; the goalkeeper takes what lies in its own area.
fn our_set_play(scene: &Scene<'_>, kind: SidedMode) -> BodyCommand {
    let in_area = Area::penalty(touchline_soccer_law::face::Side::Left).contains(scene.ball.place);
    let is_goalies = kind == SidedMode::GoalKick || in_area;
    let own = distance(scene.me.place, scene.ball.place);
    let is_nearest = scene
        .mates
        .iter()
        .filter(|(unum, _)| *unum != 1)
        .all(|(unum, mate)| (own, scene.unum) < (distance(mate.place, scene.ball.place), *unum));
    let takes = if is_goalies { scene.is_goalie } else { is_nearest && !scene.is_goalie };
    match () {
        () if takes && is_kickable(scene) => attack::set_play(scene),
        () if takes => run_to(scene, scene.ball.place, 0.5, Haste::Brisk),
        () if scene.is_goalie => goalkeeper::guard(scene),
        () => run_to(scene, own_post(scene), 1.0, Haste::Easy),
    }
}

fn open_play(scene: &Scene<'_>) -> BodyCommand {
    if is_kickable(scene) && scene.may_touch {
        return attack::with_ball(scene);
    }
    if let Some(tackle) = tackle(scene) {
        return tackle;
    }
    if scene.may_touch
        && let Some(place) = first_at_ball(scene)
    {
        return run_to(scene, place, 0.3, Haste::Full);
    }
    run_to(scene, own_post(scene), 1.0, Haste::Easy)
}

/// Where it meets the ball, if none of its mates does earlier; who comes as early and has the lower number goes. A goalkeeper counts in its own area alone.
pub fn first_at_ball(scene: &Scene<'_>) -> Option<Vector> {
    let (server, ball) = (scene.server, &scene.ball);
    let (own, place) = cycles_to_ball(server, scene.kind, &scene.me, ball);
    let default = PlayerType::default_of(server);
    let top = default.player_speed_max;
    let is_first = scene.mates.iter().filter(|(unum, _)| *unum != 1).all(|(unum, mate)| {
        // Who is farther from the meeting than it could run until then is not looked at.
        let is_far = distance(mate.place, place) > (f64::from(own) + 2.0) * top + 2.0
            && distance(mate.place, ball.place) > 4.0;
        is_far || (own, scene.unum) < (cycles_to_ball(server, &default, mate, ball).0, *unum)
    });
    let held = |value: f64, most: f64| value.clamp(-most, most);
    is_first.then(|| [held(place[0], HALF_LENGTH_M + 1.0), held(place[1], HALF_WIDTH_M + 1.0)])
}

/// A tackle at an opponent who has the ball, straight ahead, if it is likely to come off.
fn tackle(scene: &Scene<'_>) -> Option<BodyCommand> {
    let ball = sub(scene.ball.place, scene.me.place);
    if !scene.may_touch || distance(scene.ball.place, scene.me.place) > 2.5 {
        return None;
    }
    let reach_m = crate::kick::kickable_distance(scene.server, scene.kind);
    let is_theirs =
        scene.opponents.iter().any(|opponent| distance(opponent.place, scene.ball.place) < reach_m);
    let failure = tackle_failure(scene.server, rotated(ball, -scene.me.heading_rad), false)?;
    let aim_rad = wrap_angle(-scene.me.heading_rad);
    (is_theirs && failure < TACKLE_FAILURE)
        .then_some(BodyCommand::Tackle { direction_rad: aim_rad, foul: false })
}

/// Its place in the formation: onside, and a back goes between its goal and an opponent who is free near it.
pub fn own_post(scene: &Scene<'_>) -> Vector {
    let post = home(scene.unum, scene.ball.place, offside_line(scene) - ONSIDE_M);
    if !(2..=5).contains(&scene.unum) || scene.ball.place[0] > 10.0 {
        return post;
    }
    let near = scene
        .opponents
        .iter()
        .map(|opponent| (distance(opponent.place, post), opponent.place))
        .filter(|(away, place)| *away < 8.0 && place[0] < 0.0)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    near.map_or(post, |(_, place)| [place[0] - 1.5, place[1] * 0.9])
}

/// How far forward one may stand for a pass: the last but one opponent, the ball, or the halfway line.
pub fn offside_line(scene: &Scene<'_>) -> f64 {
    let mut last = [f64::NEG_INFINITY; 2];
    for opponent in &scene.opponents {
        let x = opponent.place[0];
        if x > last[0] {
            last = [x, last[0]];
        } else if x > last[1] {
            last[1] = x;
        }
    }
    last[1].max(scene.ball.place[0]).max(0.0)
}
