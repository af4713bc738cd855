//! A shoot-out between two teams of ours: the players decide as the plugin and the client over the network do. (G1, Y1)

use super::field::Field;
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::face::{Datum, Side, Value, mode_of_phase, state};
use touchline_soccer_law::params::SoccerParams;
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_team::{Frame, Mover, Play, Restraint, Scene, decide};

struct Body {
    robot: u32,
    side: Side,
    unum: u32,
    restraint: Restraint,
}

fn mover(field: &Field, robot: u32, frame: Frame) -> Mover {
    Mover {
        place: frame.turn(field.place(robot)),
        velocity: frame.turn(field.velocity(robot)),
        heading_rad: frame.turn_angle(wrap_angle(field.heading(robot))),
    }
}

fn value(field: &Field, value: Value) -> u32 {
    field.game.values[value.index()] as u32
}

/// Scored and missed kicks of both sides, the left one's first.
fn kicks(field: &Field) -> [[u32; 2]; 2] {
    [[Value::PenaltyScoreLeft, Value::PenaltyMissLeft], [Value::PenaltyScoreRight, Value::PenaltyMissRight]]
        .map(|of_side| of_side.map(|of| value(field, of)))
}

/// What each player decides for the next cycle.
fn play(field: &mut Field, bodies: &mut [Body], params: &SoccerParams) {
    let Some(mode) = mode_of_phase(field.game.phase) else { return };
    let kind = PlayerType::default_of(&params.server);
    let bodies_there: Vec<(u32, Side, u32)> =
        bodies.iter().map(|body| (body.robot, body.side, body.unum)).collect();
    for body in bodies {
        body.restraint.pass_cycle();
        let frame = Frame::of(body.side);
        let ball = Mover {
            place: frame.turn(field.ball()),
            velocity: frame.turn(field.ball_velocity()),
            heading_rad: 0.0,
        };
        let others = || bodies_there.iter().filter(|(robot, ..)| *robot != body.robot);
        let taken = kicks(field)[body.side.team() as usize];
        let mut scene = Scene {
            neck_rad: field.datum(body.robot, Datum::Neck),
            stamina: field.datum(body.robot, Datum::Stamina),
            obeys: field.datum(body.robot, Datum::TackleCycles) == 0.0,
            is_goalie: field.has_state(body.robot, state::GOALIE),
            mates: others()
                .filter(|(_, side, _)| *side == body.side)
                .map(|(robot, _, unum)| (*unum, mover(field, *robot, frame)))
                .collect(),
            opponents: others()
                .filter(|(_, side, _)| *side != body.side)
                .map(|(robot, ..)| mover(field, *robot, frame))
                .collect(),
            play: Play::of(mode, body.side),
            penalty_kicks: taken.iter().sum(),
            ..Scene::new(&params.server, &kind, body.unum, mover(field, body.robot, frame), ball)
        };
        body.restraint.apply(&mut scene);
        let decision = decide(&scene);
        body.restraint.note(&decision, &scene);
        field.order_with_neck(body.robot, decision.command, decision.turn_neck_rad);
    }
}

/// Both teams of eleven, spread over the field as at the end of a game, whose two halves of a second were level.
fn shoot_out(seed: u64, change: fn(&mut SoccerParams)) -> Field {
    let mut params = SoccerParams::today();
    (params.server.half_time, params.server.nr_extra_halfs) = (1, 0);
    params.player.player_types = 1;
    change(&mut params);
    let mut field = Field::new(params.clone()).with_seed(seed);
    let mut bodies = Vec::new();
    for side in Side::BOTH {
        for unum in 1..=11 {
            let x_m = -side.sign() * (50.0 - 4.5 * f64::from(unum - 1));
            let place = [x_m, 5.0 * f64::from(unum % 5) - 10.0];
            let robot = field.add(side, unum, place, 0.0);
            bodies.push(Body { robot, side, unum, restraint: Restraint::default() });
        }
    }
    field.tell("goalie left 1").tell("goalie right 1").step().tell("start").step();
    for _ in 0..5000 {
        if field.mode() == "time_over" {
            return field;
        }
        if field.mode() == "before_kick_off" {
            field.tell("start");
        }
        // Until the shoot-out all stand.
        if field.mode().starts_with("penalty_") {
            play(&mut field, &mut bodies, &params);
        }
        field.step();
    }
    panic!("{} after 5000 cycles: {:?}", field.mode(), field.said);
}

fn count(field: &Field, word: &str) -> usize {
    field.said.iter().filter(|said| said.starts_with(word)).count()
}

/// Each kick is taken in time; some are scored and some are not. A keeper that kicks the ball away makes a foul of the taker's by that server's rule, a miss.
#[test]
fn our_teams_take_their_kicks() {
    let (mut scored, mut missed) = (0, 0);
    for seed in 1..=4 {
        let field = shoot_out(seed, |_| ());
        let kicks = kicks(&field);
        let all: u32 = kicks.iter().flatten().sum();
        assert!(all >= 6, "seed {seed}: {kicks:?}");
        assert_eq!(
            count(&field, "penalty_taken") as u32,
            all,
            "seed {seed}: each is kicked: {:?}",
            field.said
        );
        scored += kicks[0][0] + kicks[1][0];
        missed += kicks[0][1] + kicks[1][1];
    }
    assert!(scored > 0 && missed > 0, "{scored} scored, {missed} missed");
}

/// The players find their places by themselves where the referee moves none.
#[test]
fn our_teams_stand_where_they_may() {
    let field = shoot_out(5, |params| {
        params.server.pen_coach_moves_players = false;
        params.server.pen_setup_wait = 150;
    });
    let fouls = count(&field, "penalty_foul");
    assert_eq!(fouls, 0, "{:?}", field.said);
    assert_eq!(count(&field, "penalty_taken") as u32, kicks(&field).iter().flatten().sum::<u32>());
}
