//! The goalkeeper: between ball and goal, out where it is first at the ball, and its hands.

use crate::attack;
use crate::ball::places_after;
use crate::kick::is_kickable;
use crate::reach::cycles_to_ball;
use crate::run::{Haste, run_to};
use crate::scene::Scene;
use crate::vector::{Vector, direction, distance, sub};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::face::{BodyCommand, Side};
use touchline_soccer_law::pitch::{Area, HALF_LENGTH_M};
use touchline_soccer_law::player_type::PlayerType;

const GOAL: Vector = [-HALF_LENGTH_M, 0.0];
/// It stands so far from the goal's middle at most, metres.
const OUT_M: f64 = 4.0;
/// A ball so much nearer than it could be caught is caught, metres.
const SURE_M: f64 = 0.05;

/// In open play.
pub fn act(scene: &Scene<'_>) -> BodyCommand {
    let in_area = Area::penalty(Side::Left).contains(scene.ball.place);
    if in_area && scene.may_catch && in_hands(scene) && is_dangerous(scene) {
        let to_ball_rad = direction(sub(scene.ball.place, scene.me.place));
        return BodyCommand::Catch { direction_rad: wrap_angle(to_ball_rad - scene.me.heading_rad) };
    }
    if is_kickable(scene) && scene.may_touch {
        return attack::with_ball(scene);
    }
    if let Some(place) = shot_at_goal(scene) {
        return run_to(scene, place, 0.2, Haste::Full);
    }
    let (own, place) = cycles_to_ball(scene.server, scene.kind, &scene.me, &scene.ball);
    if Area::penalty(Side::Left).contains(place) && scene.may_touch {
        let default = PlayerType::default_of(scene.server);
        let is_first = scene
            .opponents
            .iter()
            .chain(scene.mates.iter().map(|(_, mate)| mate))
            .all(|other| own < cycles_to_ball(scene.server, &default, other, &scene.ball).0);
        if is_first {
            return run_to(scene, place, 0.2, Haste::Full);
        }
    }
    guard(scene)
}

/// Between the ball and the goal.
pub fn guard(scene: &Scene<'_>) -> BodyCommand {
    let away = distance(scene.ball.place, GOAL).max(1.0);
    let out = OUT_M.min(away * 0.4);
    let part = out / away;
    let x = GOAL[0] + (scene.ball.place[0] - GOAL[0]).max(0.0) * part;
    let half_m = scene.server.goal_width / 2.0;
    let y = (scene.ball.place[1] * part).clamp(-half_m, half_m);
    let haste = if away < 40.0 { Haste::Full } else { Haste::Easy };
    run_to(scene, [x.max(GOAL[0] + 0.7), y], 0.4, haste)
}

fn in_hands(scene: &Scene<'_>) -> bool {
    let stretch = scene.server.catchable_area_l * (scene.kind.catchable_area_l_stretch - 1.0);
    distance(scene.me.place, scene.ball.place) < scene.server.catchable_area_l - stretch.abs() - SURE_M
}

/// Whether an opponent may have the ball soon, or it goes to the goal; otherwise its feet do.
fn is_dangerous(scene: &Scene<'_>) -> bool {
    shot_at_goal(scene).is_some()
        || scene.opponents.iter().any(|opponent| distance(opponent.place, scene.ball.place) < 6.0)
}

/// Where a ball that goes to the goal is met, if it can be: on its way, or on the goal line.
fn shot_at_goal(scene: &Scene<'_>) -> Option<Vector> {
    let [vx, vy] = scene.ball.velocity;
    if vx > -0.3 {
        return None;
    }
    let along = (GOAL[0] - scene.ball.place[0]) / vx;
    let y = scene.ball.place[1] + vy * along;
    let rest = places_after(scene.server, &scene.ball, 60.0);
    if y.abs() > scene.server.goal_width / 2.0 + 1.0 || rest[0] > GOAL[0] + 1.0 {
        return None;
    }
    let (_, place) = cycles_to_ball(scene.server, scene.kind, &scene.me, &scene.ball);
    Some(if place[0] > GOAL[0] + 0.3 { place } else { [GOAL[0] + 0.5, y] })
}
