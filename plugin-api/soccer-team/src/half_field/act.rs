//! What a body does for a high-level action.

use crate::attack;
use crate::decide::{first_at_ball, own_post};
use crate::kick::is_kickable;
use crate::reach::cycles_to_ball;
use crate::run::{Haste, run_to};
use crate::scene::{Mover, Scene};
use crate::vector::{Vector, add, direction, distance, scale, sub, unit};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::face::{BodyCommand, HighLevel};
use touchline_soccer_law::pitch::HALF_LENGTH_M;

const OWN_GOAL: Vector = [-HALF_LENGTH_M, 0.0];
/// Who reduces the angle stands so far before the ball, as a part of the ball's way to the goal.
const BEFORE_BALL: f64 = 0.4;
/// The line on which a goal is defended is so far before it, metres.
const DEFENCE_LINE_M: f64 = 3.0;
/// Who marks a player stands so far from it, metres.
const MARK_M: f64 = 1.5;

/// The body's command. `target` is the mate of a pass, or the opponent who is marked; an action that cannot be done now does nothing.
pub fn act(scene: &Scene<'_>, action: HighLevel, target: Option<Mover>) -> BodyCommand {
    if !scene.obeys {
        return BodyCommand::None;
    }
    let has_ball = is_kickable(scene);
    let run = |place: Vector, within_m: f64| run_to(scene, place, within_m, Haste::Full);
    match action {
        HighLevel::Move if !has_ball => first_at_ball(scene)
            .map_or_else(|| run_to(scene, own_post(scene), 1.0, Haste::Brisk), |place| run(place, 0.3)),
        HighLevel::Shoot if has_ball => attack::any_shot(scene),
        HighLevel::Pass if has_ball => attack::pass_to(scene, target.map(|mate| mate.place)),
        HighLevel::Dribble if has_ball => attack::advance(scene),
        HighLevel::GoToBall if !has_ball => {
            run(cycles_to_ball(scene.server, scene.kind, &scene.me, &scene.ball).1, 0.3)
        }
        HighLevel::Catch if scene.is_goalie && scene.may_catch => {
            let to_ball_rad = direction(sub(scene.ball.place, scene.me.place));
            BodyCommand::Catch { direction_rad: wrap_angle(to_ball_rad - scene.me.heading_rad) }
        }
        HighLevel::ReduceAngle => {
            let way = sub(OWN_GOAL, scene.ball.place);
            run(add(scene.ball.place, scale(way, BEFORE_BALL)), 0.4)
        }
        HighLevel::DefendGoal => {
            let away = (scene.ball.place[0] - OWN_GOAL[0]).max(DEFENCE_LINE_M);
            let half_m = scene.server.goal_width / 2.0;
            let y = scene.ball.place[1] * DEFENCE_LINE_M / away;
            run([OWN_GOAL[0] + DEFENCE_LINE_M, y.clamp(-half_m, half_m)], 0.3)
        }
        HighLevel::Mark => target.map_or(BodyCommand::None, |opponent| {
            let towards = unit(sub(scene.ball.place, opponent.place));
            let is_at_ball = distance(scene.ball.place, opponent.place) < MARK_M;
            let off_m = if is_at_ball { 0.0 } else { MARK_M };
            run(add(opponent.place, scale(towards, off_m)), 0.4)
        }),
        _ => BodyCommand::None,
    }
}
