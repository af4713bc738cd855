//! The penalty shoot-out: one runs at the goal alone, one keeps it, all others stand in the centre circle.
//!
//! At which goal is shot nobody is told that came later: both goalkeepers are at that end, and the ball begins there.

use crate::attack;
use crate::goalkeeper;
use crate::kick::is_kickable;
use crate::reach::cycles_to_ball;
use crate::run::{Haste, face, run_to};
use crate::scene::{Frame, Mover, Play, Scene};
use crate::vector::{Vector, distance};
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::body::polar;
use touchline_soccer_law::face::{BodyCommand, Side};
use touchline_soccer_law::pitch::{CLEAR_DISTANCE_M, HALF_LENGTH_M, PENALTY_AREA_WIDTH_M};

/// Who kicks, in this order; the goalkeeper when all others have.
const TAKERS: [u32; 11] = [9, 10, 11, 7, 8, 6, 2, 3, 4, 5, 1];
/// Who is nearer to the ball stands at it, metres: the referee puts a taker within 2 m.
const AT_BALL_M: f64 = 2.6;
/// The taker waits so far behind the ball, metres: it can kick from there.
const BEHIND_BALL_M: f64 = 0.75;
/// Who is farther from the halfway line is at one of the ends, metres.
const END_M: f64 = 25.0;

/// In a mode of the shoot-out; `is_ours` is whether the own team kicks.
pub fn body(scene: &Scene<'_>, kind: SidedMode, is_ours: bool) -> BodyCommand {
    let is_over = matches!(kind, SidedMode::PenaltyMiss | SidedMode::PenaltyScore);
    let ahead = end(scene);
    // After a kick it is the others' turn.
    let is_our_turn = is_ours != is_over;
    let towards = seen_along(scene, ahead);
    if is_our_turn && !is_over && takes(&towards, kind) {
        return take(&towards, kind);
    }
    if !scene.is_goalie {
        return run_to(&towards, waiting_place(scene.unum, ahead), 0.6, Haste::Brisk);
    }
    if is_our_turn {
        return run_to(&towards, beside_goal(&towards), 0.5, Haste::Brisk);
    }
    let keeping = seen_along(scene, -ahead);
    match kind {
        SidedMode::PenaltyTaken => goalkeeper::act(&keeping),
        _ => run_to(&keeping, on_line(&keeping), 0.4, Haste::Brisk),
    }
}

/// At which end the goal is that is shot at, 1 or -1 along x.
fn end(scene: &Scene<'_>) -> f64 {
    let others = scene.opponents.iter().chain(scene.mates.iter().map(|(_, mate)| mate));
    let all = others.chain([&scene.me]).map(|mover| mover.place[0]);
    let farthest = all.filter(|x| x.abs() > END_M).max_by(|a, b| a.abs().total_cmp(&b.abs()));
    if farthest.unwrap_or(scene.ball.place[0]) < 0.0 { -1.0 } else { 1.0 }
}

/// The scene as who plays in this direction sees it, without those who stand in the centre circle: they take no part.
fn seen_along<'a>(scene: &Scene<'a>, ahead: f64) -> Scene<'a> {
    let frame = Frame::of(if ahead < 0.0 { Side::Right } else { Side::Left });
    let turned = |mover: &Mover| Mover {
        place: frame.turn(mover.place),
        velocity: frame.turn(mover.velocity),
        heading_rad: frame.turn_angle(mover.heading_rad),
    };
    Scene {
        me: turned(&scene.me),
        ball: turned(&scene.ball),
        mates: scene.mates.iter().map(|(unum, mate)| (*unum, turned(mate))).collect(),
        opponents: scene
            .opponents
            .iter()
            .filter(|opponent| !is_in_circle(opponent.place))
            .map(turned)
            .collect(),
        play: Play::On,
        ..scene.clone()
    }
}

fn is_in_circle(place: Vector) -> bool {
    distance(place, [0.0; 2]) < CLEAR_DISTANCE_M
}

/// Whether it is the one who kicks: whose turn it is, or whom the referee has put to the ball instead.
fn takes(scene: &Scene<'_>, kind: SidedMode) -> bool {
    let is_named = scene.unum == TAKERS[scene.penalty_kicks as usize % TAKERS.len()];
    let away_m = |mover: &Mover| distance(mover.place, scene.ball.place);
    let is_at_ball = |mover: &Mover| match kind {
        SidedMode::PenaltySetup => false,
        SidedMode::PenaltyReady => away_m(mover) < AT_BALL_M,
        _ => !is_in_circle(mover.place),
    };
    let is_beside_goal = |mover: &Mover| mover.place[0] > HALF_LENGTH_M - 2.0;
    let mut rivals = scene
        .mates
        .iter()
        .filter(|(unum, mate)| *unum != 1 && !is_beside_goal(mate))
        .filter(|(_, mate)| is_at_ball(mate));
    let may = is_named || (!scene.is_goalie && is_at_ball(&scene.me));
    may && rivals.all(|(_, mate)| away_m(&scene.me) < away_m(mate))
}

/// Nobody may help: it runs on with the ball and shoots.
fn take(scene: &Scene<'_>, kind: SidedMode) -> BodyCommand {
    let alone = Scene { mates: Vec::new(), ..scene.clone() };
    let ball = alone.ball.place;
    match kind {
        SidedMode::PenaltySetup => run_to(&alone, [ball[0] - BEHIND_BALL_M, ball[1]], 0.3, Haste::Full),
        SidedMode::PenaltyTaken if !alone.server.pen_allow_mult_kicks => face(&alone, ball),
        _ if !is_kickable(&alone) => {
            let (_, place) = cycles_to_ball(alone.server, alone.kind, &alone.me, &alone.ball);
            run_to(&alone, place, 0.2, Haste::Full)
        }
        _ if !alone.server.pen_allow_mult_kicks => attack::set_play(&alone),
        _ => attack::alone(&alone),
    }
}

/// In the half of the centre circle that is away from the goal, each team in a quarter of its own: that with the sign of `half`.
fn waiting_place(unum: u32, half: f64) -> Vector {
    let number = unum.clamp(2, 11) - 2;
    let radius_m = if number.is_multiple_of(2) { 4.0 } else { 7.0 };
    let [x, y] = polar(radius_m, (100.0 + 16.0 * f64::from(number / 2)).to_radians());
    [x, half * y]
}

/// The goalkeeper of who kicks waits behind the line, beside the penalty area.
fn beside_goal(scene: &Scene<'_>) -> Vector {
    let y_m = PENALTY_AREA_WIDTH_M / 2.0 + 5.0;
    [HALF_LENGTH_M + 2.0, if scene.me.place[1] < 0.0 { -y_m } else { y_m }]
}

/// Where a goalkeeper may stand until the kick.
fn on_line(scene: &Scene<'_>) -> Vector {
    [(0.5 * scene.server.pen_max_goalie_dist_x).min(1.5) - HALF_LENGTH_M, 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide;
    use touchline_soccer_law::params::ServerParams;
    use touchline_soccer_law::player_type::PlayerType;

    fn at(x: f64, y: f64) -> Mover {
        Mover { place: [x, y], ..Mover::default() }
    }

    /// A kick of ours at the goal at one end; the mates wait in the circle.
    fn scene<'a>(
        server: &'a ServerParams,
        kind: &'a PlayerType,
        unum: u32,
        me: Mover,
        end: f64,
    ) -> Scene<'a> {
        let mut scene = Scene::new(server, kind, unum, me, at(10.0 * end, 0.0));
        scene.mates = (1..=11)
            .filter(|mate| *mate != unum)
            .map(|mate| (mate, at(-4.0 * end, f64::from(mate))))
            .collect();
        scene.opponents = vec![at(51.0 * end, 0.0)];
        scene.play = Play::OurPenalty(SidedMode::PenaltyReady);
        scene
    }

    fn kicks(scene: &Scene<'_>) -> bool {
        matches!(decide(scene).command, BodyCommand::Kick { .. })
    }

    /// Each kick has its taker, at either goal; the others do nothing with the ball.
    #[test]
    fn whose_turn_it_is_kicks() {
        let server = ServerParams::today();
        let kind = PlayerType::default_of(&server);
        for end in [1.0, -1.0] {
            for unum in 1..=11 {
                let me = Mover { heading_rad: if end > 0.0 { 0.0 } else { 3.1 }, ..at(9.3 * end, 0.0) };
                let mut scene = scene(&server, &kind, unum, me, end);
                scene.penalty_kicks = 11 + TAKERS.iter().position(|taker| *taker == unum).unwrap() as u32;
                assert!(kicks(&scene), "{unum}");
                scene.play = Play::OurPenalty(SidedMode::PenaltySetup);
                assert!(!kicks(&scene), "{unum} waits until it may");
                for play in [SidedMode::PenaltyReady, SidedMode::PenaltyTaken].map(Play::TheirPenalty) {
                    scene.play = play;
                    assert!(scene.is_goalie || !kicks(&scene), "{unum}");
                }
            }
        }
    }

    /// Who was put to the ball by the referee kicks, and whose turn it would have been leaves it to it.
    #[test]
    fn who_stands_at_the_ball_kicks() {
        let server = ServerParams::today();
        let kind = PlayerType::default_of(&server);
        let mut put = scene(&server, &kind, 4, at(9.0, 0.0), 1.0);
        assert!(kicks(&put));
        put.mates.push((7, at(9.5, 0.0)));
        assert!(!takes(&put, SidedMode::PenaltyReady));
        let mut named = scene(&server, &kind, 9, at(-4.0, 0.0), 1.0);
        assert!(takes(&named, SidedMode::PenaltyReady));
        named.mates.push((4, at(9.0, 0.0)));
        assert!(!takes(&named, SidedMode::PenaltyReady));
    }

    /// All others wait in the circle, with room between them.
    #[test]
    fn the_others_wait_in_the_circle() {
        let places: Vec<Vector> = [1.0, -1.0]
            .into_iter()
            .flat_map(|half| (2..=11).map(move |unum| waiting_place(unum, half)))
            .collect();
        for (number, place) in places.iter().enumerate() {
            assert!(place[0] < 0.0 && distance(*place, [0.0; 2]) < CLEAR_DISTANCE_M - 1.0, "{place:?}");
            let apart = places[..number].iter().all(|other| distance(*place, *other) > 1.0);
            assert!(apart, "{place:?} in {places:?}");
        }
    }
}
