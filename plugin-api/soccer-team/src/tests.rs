//! Kicks, ways and meetings against the law itself, and what a player does in plain scenes.

use super::*;
use touchline_plugin_api::noise::NoiseKey;
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::body::{self, Kicker};
use touchline_soccer_law::face::{BodyCommand, Leg};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

fn exact() -> ServerParams {
    ServerParams { player_rand: 0.0, ball_rand: 0.0, kick_rand: 0.0, ..ServerParams::today() }
}

fn at(x: f64, y: f64) -> Mover {
    Mover { place: [x, y], ..Mover::default() }
}

fn noise() -> touchline_plugin_api::noise::Noise {
    NoiseKey::for_owner(1, "test").stream()
}

/// What a kick comes to by the law is what was planned, for any ball that one kick can bring into that direction.
#[test]
fn a_planned_kick_gives_the_velocity_that_was_wanted() {
    let server = exact();
    let kind = PlayerType::default_of(&server);
    for number in 0..200 {
        let mut draw = NoiseKey::for_owner(number, "kick").stream();
        let heading_rad = draw.uniform(-3.0, 3.0);
        let me = Mover { place: [3.0, -2.0], velocity: [0.1, 0.0], heading_rad };
        let offset = body::polar(draw.uniform(0.4, 1.0), draw.uniform(-3.1, 3.1));
        let ball = Mover {
            place: [me.place[0] + offset[0], me.place[1] + offset[1]],
            velocity: body::polar(draw.uniform(0.0, 1.5), draw.uniform(-3.1, 3.1)),
            heading_rad: 0.0,
        };
        let scene = Scene::new(&server, &kind, 7, me, ball);
        let ahead = body::polar(1.0, draw.uniform(-3.1, 3.1));
        let Some(top) = top_speed(&scene, ahead) else { continue };
        for speed in [top, top * 0.5].into_iter().filter(|speed| *speed > 0.0) {
            let wanted = [ahead[0] * speed, ahead[1] * speed];
            let Some(kick) = kick_for(&scene, wanted) else {
                assert!(speed < top, "kick {number}: the top speed {top} cannot be kicked");
                continue;
            };
            let kicker = Kicker {
                player_type: &kind,
                heading_rad,
                ball: offset,
                ball_velocity: ball.velocity,
                kick_rand: 0.0,
            };
            let accel = body::kick(&server, &kicker, kick.power, kick.direction_rad, &mut noise());
            let max = server.ball_accel_max;
            let got = body::moved(ball.velocity, accel, max, server.ball_speed_max, 0.0, &mut noise());
            for axis in 0..2 {
                assert!((got[axis] - wanted[axis]).abs() < 1e-6, "kick {number}: {got:?} for {wanted:?}");
            }
        }
    }
}

/// The closed form of a run is the law's, dash by dash.
#[test]
fn a_run_goes_as_far_as_the_law_says() {
    let server = exact();
    let kind = PlayerType::default_of(&server);
    let leg = Leg { power: 100.0, direction_rad: 0.0 };
    let stamina = body::Stamina::full(&server, &kind);
    let (mut way, mut velocity) = (0.0, [0.0; 2]);
    for cycles in 1..=12 {
        let dasher = body::Dasher {
            player_type: &kind,
            stamina: &stamina,
            velocity,
            heading_rad: 0.0,
            slowness: 1.0,
            player_rand: 0.0,
        };
        let dash = body::dash(&server, &dasher, [leg, leg], &mut noise());
        velocity = body::moved(
            velocity,
            dash.accel,
            server.player_accel_max,
            kind.player_speed_max,
            0.0,
            &mut noise(),
        );
        way += velocity[0];
        velocity = velocity.map(|part| part * kind.player_decay);
        assert!((travelled(&server, &kind, cycles) - way).abs() < 1e-9, "{cycles}: {way}");
    }
}

/// The meeting that is found is the first one: looking at every cycle finds the same.
#[test]
fn a_meeting_is_the_first_one() {
    let server = exact();
    let kind = PlayerType::default_of(&server);
    for number in 0..300 {
        let mut draw = NoiseKey::for_owner(number, "meeting").stream();
        let me = Mover {
            place: [draw.uniform(-20.0, 20.0), draw.uniform(-20.0, 20.0)],
            velocity: [0.0; 2],
            heading_rad: draw.uniform(-3.0, 3.0),
        };
        let ball =
            Mover { velocity: body::polar(draw.uniform(0.0, 2.7), draw.uniform(-3.1, 3.1)), ..at(0.0, 0.0) };
        let (cycles, place) = cycles_to_ball(&server, &kind, &me, &ball);
        let reach_m = kickable_distance(&server, &kind) - 0.15;
        let meets = |n: u32| {
            let [x, y] = places_after(&server, &ball, f64::from(n));
            let (dx, dy) = (x - me.place[0], y - me.place[1]);
            let way = libm::hypot(dx, dy);
            let turn = touchline_plugin_api::geometry::wrap_angle(libm::atan2(dy, dx) - me.heading_rad).abs();
            let turns = u32::from(turn > 0.4 && way > reach_m);
            way - reach_m - travelled(&server, &kind, n.saturating_sub(turns)) <= 0.0
        };
        let first = (0..=80).find(|n| meets(*n)).unwrap_or(80);
        assert_eq!(cycles, first, "meeting {number}");
        let [x, y] = places_after(&server, &ball, f64::from(cycles));
        assert!(libm::hypot(x - place[0], y - place[1]) < 1e-9);
    }
}

/// A ball that begins with `start_speed` has the wanted speed after the distance.
#[test]
fn a_pass_arrives_with_its_speed() {
    let server = exact();
    let speed = start_speed(&server, 20.0, 1.0);
    let cycles = arrival(&server, speed, 20.0).unwrap();
    assert!((speed * libm::pow(server.ball_decay, cycles) - 1.0).abs() < 1e-9);
}

/// The right team's frame is the left one's turned by half a turn, and turns back.
#[test]
fn frames_turn_back() {
    use touchline_soccer_law::face::Side;
    let frame = Frame::of(Side::Right);
    assert_eq!(frame.turn([3.0, -4.0]), [-3.0, 4.0]);
    assert!((frame.turn_angle(frame.turn_angle(0.7)) - 0.7).abs() < 1e-12);
    assert_eq!(Frame::of(Side::Left).turn([3.0, -4.0]), [3.0, -4.0]);
}

fn scene<'a>(server: &'a ServerParams, kind: &'a PlayerType, unum: u32, me: Mover, ball: Mover) -> Scene<'a> {
    Scene { play: Play::On, ..Scene::new(server, kind, unum, me, ball) }
}

/// The nearer of two goes for the ball, the other one to its place: never both.
#[test]
fn one_of_two_goes_for_the_ball() {
    let server = exact();
    let kind = PlayerType::default_of(&server);
    let (near, far) = (at(5.0, 0.0), at(-4.0, 0.0));
    let mut first = scene(&server, &kind, 7, near, at(9.0, 0.0));
    first.mates = vec![(8, far)];
    let mut second = scene(&server, &kind, 8, far, at(9.0, 0.0));
    second.mates = vec![(7, near)];
    let to_ball = |scene: &Scene<'_>| decide::first_at_ball(scene).is_some();
    assert!(to_ball(&first) && !to_ball(&second));
    assert!(matches!(decide(&first).command, BodyCommand::Dash { .. }));
}

/// The goalkeeper catches what comes near to its goal, and not outside of its area.
#[test]
fn a_goalkeeper_catches_in_its_area_alone() {
    let server = exact();
    let kind = PlayerType::default_of(&server);
    let shot = |x: f64| Mover { place: [x + 0.9, 0.1], velocity: [-2.0, 0.0], heading_rad: 0.0 };
    let caught = |x: f64| decide(&scene(&server, &kind, 1, at(x, 0.0), shot(x))).command;
    assert!(matches!(caught(-50.0), BodyCommand::Catch { .. }));
    assert!(!matches!(caught(-30.0), BodyCommand::Catch { .. }));
}

/// Nobody goes where it would be offside, and each stays within the pitch.
#[test]
fn the_formation_is_onside_and_inside() {
    for unum in 1..=11 {
        for (x, y) in [(-50.0, 30.0), (0.0, 0.0), (50.0, -33.0)] {
            let [px, py] = home(unum, [x, y], 20.0);
            assert!((-52.5..=20.0).contains(&px) && py.abs() <= 33.0, "{unum}: {px} {py}");
        }
        let [x, y] = kick_off_place(unum, false);
        assert!(x < 0.0 && libm::hypot(x, y) > 9.15, "{unum} stands in the circle or beyond the line");
    }
}

/// No scene makes a number that is not finite.
#[test]
fn decisions_are_finite() {
    decides_in_numbers(&exact(), 2000);
}

/// Issue of the league, number 3: the same where a server's file says the extremes that are allowed; and a decision comes to an end.
#[test]
fn decisions_are_finite_by_the_extremes_of_a_file() {
    let changes: [fn(&mut ServerParams); 7] = [
        |server| server.player_decay = 1.0,
        |server| server.player_decay = 1.0 - 1e-12,
        |server| server.player_decay = 0.0,
        |server| server.ball_decay = 1.0,
        |server| server.ball_decay = 0.0,
        |server| server.maxpower = 0.0,
        |server| (server.player_speed_max, server.player_decay) = (0.01, 1.0),
    ];
    for change in changes {
        let mut server = exact();
        change(&mut server);
        server.check().expect("it is allowed");
        decides_in_numbers(&server, 200);
    }
}

/// How soon somebody is at the ball is known for whoever is however far away.
#[test]
fn a_meeting_is_looked_for_so_long_and_no_longer() {
    let server = ServerParams { player_speed_max: 0.01, ..exact() };
    let kind = PlayerType::default_of(&server);
    let (cycles, _) = cycles_to_ball(&server, &kind, &at(1e300, 0.0), &at(0.0, 0.0));
    assert!(cycles <= 10_000, "{cycles}");
}

fn decides_in_numbers(server: &ServerParams, scenes: u64) {
    let kind = PlayerType::default_of(server);
    for number in 0..scenes {
        let mut draw = NoiseKey::for_owner(number, "scene").stream();
        let mut mover = || Mover {
            place: [draw.uniform(-55.0, 55.0), draw.uniform(-36.0, 36.0)],
            velocity: [draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0)],
            heading_rad: draw.uniform(-3.1, 3.1),
        };
        let me = mover();
        let ball = if number % 3 == 0 { me } else { mover() };
        let mut scene = scene(server, &kind, (number % 11) as u32 + 1, me, ball);
        scene.mates = (1..=11).filter(|unum| *unum != scene.unum).map(|unum| (unum, mover())).collect();
        scene.opponents = (0..11).map(|_| mover()).collect();
        scene.penalty_kicks = number as u32;
        for play in [
            Play::On,
            Play::Before,
            Play::Ours(SidedMode::KickIn),
            Play::OurPenalty(SidedMode::PenaltyReady),
            Play::OurPenalty(SidedMode::PenaltyTaken),
            Play::TheirPenalty(SidedMode::PenaltyTaken),
        ] {
            scene.play = play;
            let decision = decide(&scene);
            let numbers = decision.command.to_numbers(decision.turn_neck_rad);
            assert!(numbers.iter().all(|number| number.is_finite()), "scene {number}: {numbers:?}");
        }
    }
}
