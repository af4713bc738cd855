//! Keepaway: the keepers' options, the takers' policy, and what a keeper with the ball observes.
//!
//! # Reference
//! P. Stone, R. S. Sutton, G. Kuhlmann: Reinforcement Learning for RoboCup Soccer Keepaway. Adaptive Behavior 13 (2005), 165 to 188: thirteen state variables, the options
//! HoldBall and PassBall(k), the keepers' policy (GoToBall, GetOpen), two takers who go to the ball. What it leaves open (speeds, grid) is ours.

use crate::ball::start_speed;
use crate::kick::{Kick, is_kickable, kick_for, kickable_distance, top_speed};
use crate::reach::cycles_to_ball;
use crate::run::{Haste, face, run_to};
use crate::scene::{Mover, Scene};
use crate::vector::{Vector, add, direction, distance, scale, sub, unit};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::face::BodyCommand;
use touchline_soccer_law::player_type::PlayerType;

/// A pass arrives with this speed, metres a cycle.
const PASS_END_SPEED: f64 = 0.7;
/// A lane is open if no taker is within this angle of it, degrees.
const OPEN_DEG: f64 = 18.4;
/// A hand-coded keeper holds the ball while no taker is nearer, metres.
const HOLDS_M: f64 = 3.0;
/// How many places along each side of the field are looked at.
const GRID: u32 = 5;

/// Names of the state's numbers; K1 has the ball or is nearest to it, other keepers and takers are numbered by their distance from K1, C is the field's centre.
pub const STATE: [&str; 13] = [
    "dist_k1_c",
    "dist_k2_c",
    "dist_k3_c",
    "dist_t1_c",
    "dist_t2_c",
    "dist_k1_k2",
    "dist_k1_k3",
    "dist_k1_t1",
    "dist_k1_t2",
    "min_dist_k2_t",
    "min_dist_k3_t",
    "min_ang_k2_k1_t",
    "min_ang_k3_k1_t",
];

/// What the keeper with the ball does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Keeps the ball away from the takers.
    Hold,
    /// Passes to K2 (0), K3 (1).
    Pass(usize),
}

impl Choice {
    /// Of an agent's number from -1 to 1: a third each.
    pub fn of_option(option: f64) -> Self {
        match option {
            option if option > 1.0 / 3.0 => Self::Pass(1),
            option if option >= -1.0 / 3.0 => Self::Pass(0),
            _ => Self::Hold,
        }
    }
}

/// The thirteen state variables of three keepers and two takers, metres and radians; `None` for other numbers of players.
///
/// ```
/// use touchline_soccer_team::keepaway::state;
/// let (keepers, takers) = ([[-5.0, 0.0], [5.0, 0.0], [-5.0, 8.0]], [[0.0, 0.0], [-5.0, -5.0]]);
/// let state = state(&keepers, &takers, [-5.0, 0.0]).unwrap();
/// // K1 is at the ball, K2 is 8 m from it, K3 10 m; T1 stands in the lane to K3.
/// assert_eq!((state[5], state[6], state[7]), (8.0, 10.0, 5.0));
/// assert_eq!(state[12], 0.0);
/// ```
pub fn state(keepers: &[Vector], takers: &[Vector], ball: Vector) -> Option<[f64; 13]> {
    let mut keepers: [Vector; 3] = keepers.try_into().ok()?;
    let mut takers: [Vector; 2] = takers.try_into().ok()?;
    keepers.sort_by(|a, b| distance(*a, ball).total_cmp(&distance(*b, ball)));
    let first = keepers[0];
    let from_first = |a: &Vector, b: &Vector| distance(*a, first).total_cmp(&distance(*b, first));
    keepers[1..].sort_by(from_first);
    takers.sort_by(from_first);
    let [k1, k2, k3] = keepers;
    let [t1, t2] = takers;
    let centre = [0.0; 2];
    let near = |keeper: Vector| distance(keeper, t1).min(distance(keeper, t2));
    let angle = |keeper: Vector| lane_angle(k1, keeper, t1).min(lane_angle(k1, keeper, t2));
    Some([
        distance(k1, centre),
        distance(k2, centre),
        distance(k3, centre),
        distance(t1, centre),
        distance(t2, centre),
        distance(k1, k2),
        distance(k1, k3),
        distance(k1, t1),
        distance(k1, t2),
        near(k2),
        near(k3),
        angle(k2),
        angle(k3),
    ])
}

/// The angle at a corner between two places, radians, 0 to pi.
fn lane_angle(corner: Vector, one: Vector, other: Vector) -> f64 {
    wrap_angle(direction(sub(one, corner)) - direction(sub(other, corner))).abs()
}

/// What a keeper does in a field of these half lengths: with the ball what was chosen; else it goes to the ball if it is the first there, or gets open.
pub fn keeper(scene: &Scene<'_>, half_m: [f64; 2], choice: Choice) -> BodyCommand {
    if !scene.obeys {
        return BodyCommand::None;
    }
    if is_kickable(scene) {
        return match choice {
            Choice::Hold => hold(scene),
            Choice::Pass(number) => pass(scene, number),
        };
    }
    let (own, place) = cycles_to_ball(scene.server, scene.kind, &scene.me, &scene.ball);
    let default = PlayerType::default_of(scene.server);
    let meets = |(unum, mate): &(u32, Mover)| {
        let (cycles, place) = cycles_to_ball(scene.server, &default, mate, &scene.ball);
        Meeting { cycles, unum: *unum, place }
    };
    let meetings: Vec<Meeting> = scene.mates.iter().map(meets).collect();
    if meetings.iter().all(|mate| (own, scene.unum) < (mate.cycles, mate.unum)) {
        return run_to(scene, place, 0.2, Haste::Full);
    }
    let first = meetings.iter().min_by_key(|mate| mate.cycles);
    get_open(scene, half_m, first.map_or(scene.ball.place, |mate| mate.place))
}

/// How soon a mate has the ball, and where.
struct Meeting {
    cycles: u32,
    unum: u32,
    place: Vector,
}

/// What a taker does: it goes to the ball; with it, it stays.
pub fn taker(scene: &Scene<'_>) -> BodyCommand {
    if !scene.obeys {
        return BodyCommand::None;
    }
    if is_kickable(scene) {
        return stop(scene);
    }
    let (_, place) = cycles_to_ball(scene.server, scene.kind, &scene.me, &scene.ball);
    run_to(scene, place, 0.2, Haste::Full)
}

/// The choice of a hand-coded keeper: it holds while no taker is near, and then passes to the mate that is most open.
pub fn hand_coded(state: &[f64; 13]) -> Choice {
    let [.., near_2, near_3, angle_2, angle_3] = *state;
    if state[7] > HOLDS_M {
        return Choice::Hold;
    }
    let open = |near_m: f64, angle_rad: f64| angle_rad + 0.05 * near_m;
    Choice::Pass(usize::from(open(near_3, angle_3) > open(near_2, angle_2)))
}

/// The ball beside the body that is turned away from the nearest taker.
fn hold(scene: &Scene<'_>) -> BodyCommand {
    let nearest = scene
        .opponents
        .iter()
        .map(|taker| taker.place)
        .min_by(|a, b| distance(*a, scene.me.place).total_cmp(&distance(*b, scene.me.place)));
    let Some(taker) = nearest else { return stop(scene) };
    let near_m = kickable_distance(scene.server, scene.kind) - 0.5 * scene.kind.kickable_margin;
    let next = add(scene.me.place, scene.me.velocity);
    let wanted = add(next, scale(unit(sub(scene.me.place, taker)), near_m));
    if distance(wanted, add(scene.ball.place, scene.ball.velocity)) < 0.15 {
        return face(scene, taker);
    }
    kick_for(scene, sub(wanted, scene.ball.place)).map_or_else(|| stop(scene), Kick::command)
}

/// The ball comes to rest, as far as one kick can.
fn stop(scene: &Scene<'_>) -> BodyCommand {
    kick_for(scene, [0.0; 2]).map_or(BodyCommand::None, Kick::command)
}

fn pass(scene: &Scene<'_>, number: usize) -> BodyCommand {
    let mut mates: Vec<Vector> = scene.mates.iter().map(|(_, mate)| mate.place).collect();
    mates.sort_by(|a, b| distance(*a, scene.me.place).total_cmp(&distance(*b, scene.me.place)));
    let Some(target) = mates.get(number) else { return hold(scene) };
    let towards = sub(*target, scene.ball.place);
    let wanted = start_speed(scene.server, distance(*target, scene.ball.place), PASS_END_SPEED);
    let speed = top_speed(scene, towards).map(|most| wanted.min(most)).filter(|speed| *speed > 0.0);
    let kick = speed.and_then(|speed| kick_for(scene, scale(unit(towards), speed)));
    // A ball that comes too fast is stopped first.
    kick.map_or_else(|| stop(scene), Kick::command)
}

/// The place of a grid where fewest others are near, and to which the lane from where a mate meets the ball is open.
fn get_open(scene: &Scene<'_>, half_m: [f64; 2], ball: Vector) -> BodyCommand {
    let takers: Vec<f64> = scene.opponents.iter().map(|taker| direction(sub(taker.place, ball))).collect();
    let is_open = |place: Vector| {
        let lane_rad = direction(sub(place, ball));
        takers.iter().all(|taker| wrap_angle(lane_rad - taker).abs() > OPEN_DEG.to_radians())
    };
    let mut best: Option<(f64, Vector)> = None;
    for number in 0..GRID * GRID {
        let part = |index: u32| 0.8 * (2.0 * f64::from(index) / f64::from(GRID - 1) - 1.0);
        let place = [half_m[0] * part(number % GRID), half_m[1] * part(number / GRID)];
        if distance(place, ball) < 4.0 {
            continue;
        }
        let others = scene.mates.iter().map(|(_, mate)| mate).chain(&scene.opponents);
        let crowd: f64 = others.map(|other| 1.0 / distance(other.place, place).max(0.5)).sum();
        // Where it is, or near, is better than far.
        let cost = crowd + 0.02 * distance(place, scene.me.place);
        // The angle of the lane costs most, so it is looked at last.
        if best.is_none_or(|(least, _)| cost < least) && is_open(place) {
            best = Some((cost, place));
        }
    }
    let place = best.map_or(scene.me.place, |(_, place)| place);
    run_to(scene, place, 0.5, Haste::Full)
}
