//! Sessions of players, coaches, trainers and monitors, without sockets.

use crate::rig::{Rig, config};
use touchline_soccer::PlayMode;
use touchline_soccer::sessions::{Order, Port};
use touchline_soccer::state::{Happened, Who};
use touchline_soccer_law::face::{RefereeCommand, Side, state};
use touchline_soccer_law::params::SoccerParams;

const LEFT_1: Who = Who { side: Side::Left, unum: 1 };
const RIGHT_1: Who = Who { side: Side::Right, unum: 1 };

fn today() -> Rig {
    Rig::new(SoccerParams::today())
}

/// Spec 2.1: sides, numbers, goalkeepers, and each refusal.
#[test]
fn players_come_to_sides_and_numbers() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15) (goalie))");
    rig.send(2, "(init Blues (version 8))");
    rig.send(3, "(init Reds (version 15))");
    let first = |rig: &mut Rig, client| rig.told_to(client).first().cloned().unwrap_or_default();
    assert_eq!(first(&mut rig, 1), "(init l 1 before_kick_off)");
    assert_eq!(first(&mut rig, 2), "(init r 1 before_kick_off)");
    assert_eq!(first(&mut rig, 3), "(init l 2 before_kick_off)");
    rig.send(4, "(init Greens (version 8))");
    assert_eq!(rig.told_to(4), ["(error no_more_team)"]);
    let full = ["(error no_more_player_or_goalie_or_illegal_client_version)"];
    for (client, wrong) in [(5, "(init Reds (version 20))"), (6, "(init Reds (version 15) (goalie))")] {
        rig.send(client, wrong);
        assert_eq!(rig.told_to(client), full, "{wrong}");
    }
    for client in 10..19 {
        rig.send(client, "(init Reds (version 7))");
        assert_eq!(rig.told_to(client).len(), 21, "init, two heads, 18 types");
    }
    rig.send(20, "(init Reds (version 7))");
    assert_eq!(rig.told_to(20), full);
    let joins = rig.orders.iter().filter(|order| matches!(order, Order::Join { .. })).count();
    assert_eq!(joins, 12);
    let goalie = RefereeCommand::Goalie { side: Side::Left, unum: 1 };
    let is_told = |order: &Order| matches!(order, Order::Referee { command, .. } if *command == goalie);
    assert!(rig.orders.iter().any(is_told));
    // From version 8 on, only the own port; before that, the common one too.
    rig.send_to_port(Port::Player, 1, b"(turn 5)\0");
    assert_eq!(rig.told_to(1), ["(error only_init_allowed_on_init_port)"]);
    rig.send_to_port(Port::Player, 10, b"(turn 60)");
    let turned = rig.driven(Who { side: Side::Left, unum: 3 }).unwrap();
    assert_eq!(turned[..2], [2.0, -60_f64.to_radians()]);
}

#[test]
fn version_18_sees_synchronously_without_asking() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 18))");
    assert_eq!(rig.told_to(1).last().map(String::as_str), Some("(ok synch_see)"));
    for _ in 0..6 {
        rig.cycle();
    }
    // Normal: every second cycle, each sense_body before its see.
    let words: Vec<_> = rig.told_to(1).iter().map(|text| text[1..6].to_owned()).collect();
    assert_eq!(words, ["sense", "sense", "see 0", "sense", "sense", "see 0", "sense", "sense", "see 0"]);
}

/// Spec 5: the first body command of a cycle counts; necks turn beside it.
#[test]
fn one_body_command_a_cycle() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.cycle();
    rig.told_to(1);
    rig.send(1, "(turn 30)(dash 100)(kick 50 0)(turn_neck 20)(turn_neck 30)");
    let numbers = rig.driven(LEFT_1).unwrap();
    assert_eq!(numbers[..2], [2.0, -30_f64.to_radians()]);
    assert_eq!(numbers[5], -20_f64.to_radians());
    rig.cycle();
    rig.send(1, "(dash (l 60 0)(r 40 10))");
    let numbers = rig.driven(LEFT_1).unwrap();
    assert_eq!(numbers[..5], [1.0, 60.0, 0.0, 40.0, -10_f64.to_radians()]);
    rig.cycle();
    rig.state.players[0].tackle_cycles = 3;
    rig.cycle();
    let before = rig.orders.len();
    rig.send(1, "(dash 100)(tackle 0)(dash (l 50 0))");
    assert_eq!(rig.orders.len(), before, "who lies does not run");
    let body = rig.told_to(1).into_iter().rfind(|text| text.starts_with("(sense_body")).unwrap();
    assert!(body.contains("(kick 0) (dash 1) (turn 1) (say 0) (turn_neck 1) (catch 0) (move 0)"), "{body}");
    assert!(body.contains("(tackle (expires 3) (count 0))"), "{body}");
}

/// Kick-off positions of the right team are mirrored, and a place in the other half is warned of.
#[test]
fn players_move_before_the_kick_off() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Blues (version 15))");
    rig.cycle();
    rig.told_to(1);
    rig.send(2, "(move -10 5)");
    assert_eq!(rig.driven(RIGHT_1).unwrap()[..3], [6.0, 10.0, 5.0]);
    rig.send(1, "(move 5 0)");
    assert_eq!(rig.told_to(1), ["(warning moving_to_opponent_field)"]);
    assert_eq!(rig.driven(LEFT_1).unwrap()[..3], [6.0, 5.0, 0.0]);
    rig.state.mode = PlayMode::PLAY_ON;
    rig.cycle();
    let before = rig.orders.len();
    rig.send(1, "(move -10 5)");
    assert_eq!(rig.orders.len(), before);
}

#[test]
fn wrong_commands_are_answered_by_the_words() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Reds (version 7))");
    rig.cycle();
    (1..=2).for_each(|client| drop(rig.told_to(client)));
    rig.send(1, "(turn 5)(fly)");
    assert_eq!(rig.told_to(1), ["(error illegal_command_form)"]);
    assert!(rig.driven(LEFT_1).is_some());
    rig.send_bytes(Port::Player, 1, b"(turn_neck 5)");
    assert_eq!(rig.told_to(1), ["(warning message_not_null_terminated)"]);
    rig.send_bytes(Port::Player, 2, b"(turn_neck 5)");
    assert!(rig.told_to(2).is_empty());
    rig.send(1, "(score)(clang (ver 7 8))(ear (off Greens))(compression 10)");
    assert_eq!(rig.told_to(1), ["(score 0 0 0)", "(ok clang (ver 7 8))", "(error no team with name Greens)"]);
    rig.send(1, "(ear (off \"Reds\"))(attentionto \"Reds\" 2)(dash 1e400)");
    assert_eq!(rig.told_to(1), ["(error no team with name \"Reds\")"]);
    rig.send(1, &"(".repeat(8000));
    assert_eq!(rig.told_to(1), ["(error illegal_command_form)"]);
}

/// Spec 8: one whole message of a team and cycle; the others are known to have spoken. Own words come back; far ones are not heard.
#[test]
fn messages_are_heard_in_the_next_cycle() {
    let mut rig = today();
    for client in 1..=4 {
        rig.send(client, "(init Reds (version 15))");
    }
    rig.send(5, "(init Blues (version 7))");
    rig.cycle();
    (1..=5).for_each(|client| drop(rig.told_to(client)));
    rig.send(1, "(attentionto our 3)");
    rig.send(4, "(attentionto our 3)");
    rig.send(1, "(ear (on partial))");
    rig.send(2, "(say two)");
    rig.send(3, "(say \"three\")");
    rig.send(2, "(say 12345678901)");
    let said: Vec<_> = rig.orders.iter().filter(|order| matches!(order, Order::Say { .. })).collect();
    assert_eq!(said.len(), 2, "what is too long is not said");
    // Version 7 hears at once, the first one wholly.
    let heard = rig.told_to(5);
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(heard[0].starts_with("(hear 0 ") && heard[0].ends_with(" \"two\")"), "{heard:?}");
    let all = vec![
        Happened::Said(Who { side: Side::Left, unum: 2 }, "two".into()),
        Happened::Said(Who { side: Side::Left, unum: 3 }, "three".into()),
    ];
    rig.step(all);
    let heard: Vec<_> = rig.told_to(1).into_iter().filter(|text| text.starts_with("(hear")).collect();
    assert_eq!(heard, ["(hear 0 180 our 3 \"three\")", "(hear 0 our 2)"]);
    let heard: Vec<_> = rig.told_to(4).into_iter().filter(|text| text.starts_with("(hear")).collect();
    assert_eq!(heard, ["(hear 0 0 our 3 \"three\")"], "that others have spoken is heard by who asks");
    let own: Vec<_> = rig.told_to(3).into_iter().filter(|text| text.contains("self")).collect();
    assert_eq!(own, ["(hear 0 self \"three\")"]);
    assert!(rig.told_to(5).iter().all(|text| !text.starts_with("(hear")));
}

#[test]
fn the_referees_words_reach_everybody_in_their_form() {
    let params = SoccerParams {
        server: touchline_soccer_law::params::ServerParams { coach_w_referee: true, ..Default::default() },
        ..Default::default()
    };
    let mut rig = Rig::new(params);
    rig.send(1, "(init Reds (version 15))");
    rig.send_to(Port::Coach, 2, "(init Reds (version 18))");
    rig.send_to(Port::Trainer, 3, "(init (version 16))");
    rig.send_to(Port::Trainer, 3, "(ear on)");
    rig.step(Vec::new());
    (1..=3).for_each(|client| drop(rig.told_to(client)));
    rig.state.time = 7;
    rig.step(vec![Happened::Word("goal_l_1".into()), Happened::Type(LEFT_1, 4)]);
    assert_eq!(rig.told_to(1)[..2], ["(hear 7 referee goal_l_1)", "(change_player_type 1 4)"]);
    assert_eq!(rig.told_to(2)[..2], ["(hear 7 referee goal_l_1)", "(change_player_type 1 4)"]);
    assert_eq!(rig.told_to(3)[..1], ["(hear referee 7 goal_l_1)"]);
    rig.send_to(Port::Trainer, 4, "(init (version 16))");
    assert_eq!(rig.told_to(4), ["(error already_have_offline_coach)"]);
}

/// Spec 13: the trainer's commands and their answers.
#[test]
fn a_trainer_arranges_the_world() {
    let mut params = SoccerParams::today();
    params.server.coach = true;
    let mut rig = Rig::new(params);
    rig.send(1, "(init Reds (version 15))");
    rig.send_to(Port::Trainer, 3, "(init (version 16))");
    rig.step(Vec::new());
    rig.told_to(3);
    for (command, answer) in [
        ("(start)", "(ok start)"),
        ("(change_mode play_on)", "(ok change_mode)"),
        ("(change_mode tea_time)", "(error illegal_mode)"),
        ("(move (ball) 10 -5)", "(ok move)"),
        ("(move (player Reds 1) -3 4 90 1 0)", "(ok move)"),
        ("(move (player Reds 1 goalie) -12 6)", "(ok move)"),
        ("(move (player Reds 12) 0 0)", "(error illegal_object_form)"),
        ("(move (ball) nan 0)", "(error illegal_object_form)"),
        ("(team_names)", "(ok team_names (team l Reds))\n"),
        ("(recover)", "(ok recover)\n"),
        ("(check_ball)", "(ok check_ball 0 in_field)"),
        ("(ear on)", "(ok ear on)"),
        ("(eye on)", "(ok eye on)"),
        ("(change_player_type Reds 1 3)", "(ok change_player_type Reds 1 3)"),
        ("(change_player_type Greens 1 3)", "(warning no_team_found)"),
        ("(change_player_type Reds 1 goalie)", "(error illegal_command_form)"),
        ("(say)", "(error illegal_command_form)"),
        ("(change_player_type Reds 1 99)", "(error out_of_range_player_type)"),
        (
            "(look)",
            "(ok look 0 ((g r) 52.5 0) ((g l) -52.5 0) ((b) 0 0 0 0) ((p \"Reds\" 1) -3 -37 0 0 0 0))",
        ),
        ("(dance)", "(error unknown_command)"),
        ("()", "(error illegal_command_form)"),
    ] {
        rig.send_to(Port::Trainer, 3, command);
        assert_eq!(rig.told_to(3), [answer], "{command}");
    }
    let commands: Vec<_> = rig
        .orders
        .iter()
        .filter_map(|order| match order {
            Order::Referee { command, .. } => Some(command.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(commands[..3], ["start", "mode play_on", "ball 10 5"]);
    assert_eq!(commands[3], format!("move left 1 -3 -4 {} 10 0", -std::f64::consts::FRAC_PI_2));
    assert_eq!(commands[4], "move left 1 -12 -6");
}

#[test]
fn without_coach_mode_there_is_no_trainer() {
    let mut rig = today();
    rig.send_to(Port::Trainer, 3, "(init (version 16))");
    assert_eq!(rig.told_to(3), ["(error connected_offline_coach_without_coach_mode)"]);
    rig.send_to(Port::Coach, 4, "(init Reds (version 18))");
    assert_eq!(rig.told_to(4), ["(error no_such_team)"]);
}

/// Spec 13: an online coach substitutes, and speaks freely while play is off.
#[test]
fn an_online_coach_sees_speaks_and_substitutes() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.send(1, "(clang (ver 7 8))");
    rig.send_to(Port::Coach, 2, "(init Reds Boss (version 18))");
    let told = rig.told_to(2);
    assert_eq!(told[0], "(init l ok)");
    assert_eq!(told.last().unwrap(), "(clang (ver (p \"Reds\" 1) 7 8))");
    let ask = |rig: &mut Rig, command: &str| {
        rig.send_to(Port::Coach, 2, command);
        rig.told_to(2).join("|")
    };
    rig.step(Vec::new());
    rig.told_to(1);
    assert_eq!(ask(&mut rig, "(change_player_type 1 5)"), "(ok change_player_type 1 5)");
    assert_eq!(ask(&mut rig, "(change_player_type 9 5)"), "(warning no_such_player)");
    assert_eq!(ask(&mut rig, "(change_player_type 1 99)"), "(error out_of_range_player_type)");
    assert_eq!(ask(&mut rig, "(say (freeform \"attack\"))"), "(ok say)");
    assert_eq!(ask(&mut rig, "(say attack)"), "(error could_not_parse_say)");
    rig.step(Vec::new());
    let heard: Vec<_> = rig.told_to(1).into_iter().filter(|text| text.starts_with("(hear")).collect();
    assert_eq!(heard, ["(hear 0 online_coach_left (freeform \"attack\"))"]);
    rig.state.mode = PlayMode::PLAY_ON;
    rig.step(Vec::new());
    assert_eq!(ask(&mut rig, "(change_player_type 1 5)"), "(warning cannot_sub_while_playon)");
    assert_eq!(ask(&mut rig, "(say (freeform \"x\"))"), "(error cannot_say_freeform_while_playon)");
    assert_eq!(ask(&mut rig, "(say (info (6000 (true))))"), "(ok say)");
    assert_eq!(ask(&mut rig, "(say (info (6000 (true))))"), "(error said_too_many_info_messages)");
    rig.send_to(Port::Coach, 3, "(init Reds (version 18))");
    assert_eq!(rig.told_to(3), ["(error already_have_coach)"]);
}

/// Spec 11: monitors are shown every step, and command as the human referee where they may.
#[test]
fn monitors_are_shown_and_command() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15) (goalie))");
    for (client, version) in
        [(2, "(dispinit version 5)"), (3, "(dispinit version 3)"), (4, "(dispinit version -1)")]
    {
        rig.send(client, version);
        assert_eq!(rig.told_to(client).len(), 20);
    }
    rig.send(5, "(dispinit version 9)");
    assert_eq!(rig.told_to(5), ["(error illegal_client_version)"]);
    rig.state.time = 12;
    rig.step(Vec::new());
    let shows = rig.told_to(2);
    let head = "(show 12 (pm 1) (tm Reds null 0 0) ((b) 0 0 0 0) ((l 1) 0 0x9 -3 -37 0 0 0 0 (v h 90) (fp 0 0) (s 8000 1 1 130600) (c 0 0 0 0 0 0 0 0 0 0 0 0))";
    assert!(shows[0].starts_with(head), "{}", shows[0]);
    assert!(rig.told_to(3)[0].contains("(s 8000 1 1) (c 0 0 0 0 0 0 0 0 0 0 0))"));
    let json: serde_json::Value = serde_json::from_str(&rig.told_to(4)[0]).unwrap();
    assert_eq!(json["show"]["players"][0]["state"], 9);
    for command in [
        "(dispstart)",
        "(dispfoul 160 80 1)",
        "(dispfoul 0 0 0)",
        "(dispcard 1 1 yellow)",
        "(dispdiscard 1 1)",
        "(dispplayer 1 1 -160 0 90)",
    ] {
        rig.send(2, command);
        assert!(rig.told_to(2).is_empty(), "{command}");
    }
    let commands: Vec<_> = rig
        .orders
        .iter()
        .filter_map(|order| match order {
            Order::Referee { command, .. } => Some(command.to_string()),
            _ => None,
        })
        .collect();
    let expected =
        ["goalie left 1", "start", "foul left 10 -5", "drop 0 0", "card left 1 yellow", "discard left 1"];
    assert_eq!(commands[..6], expected);
    rig.send(2, "(dispcard 1 1 green)");
    assert_eq!(rig.told_to(2), ["(msg 12 1 \"(error illegal_command_form)\")"]);
    rig.send(2, "(dispbye)");
    rig.step(Vec::new());
    assert!(rig.told_to(2).is_empty());

    let mut rig = Rig::of(touchline_soccer::sessions::Config {
        monitors_command: false,
        monitors: 1,
        ..config(SoccerParams::today())
    });
    rig.send(2, "(dispinit version 5)");
    rig.told_to(2);
    rig.send(2, "(dispstart)");
    assert_eq!(rig.told_to(2), ["(msg 0 1 \"(error not_allowed)\")"]);
    assert!(rig.orders.is_empty());
    rig.send(3, "(dispinit version 5)");
    assert_eq!(rig.told_to(3), ["(error no_more_monitor)"]);
}

/// Spec 2.1: a player that has gone is taken up again, but not in play, and not one that is played.
#[test]
fn players_come_back() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(reconnect Reds 1)");
    assert_eq!(rig.told_to(2), ["(error no_such_team_or_player)"]);
    rig.send(1, "(bye)");
    assert!(matches!(rig.orders.last(), Some(Order::Leave { who: LEFT_1, .. })));
    rig.send(3, "(init Reds (version 15))");
    assert_eq!(rig.told_to(3)[0], "(init l 2 before_kick_off)", "a number is not given twice");
    rig.send(2, "(reconnect Reds 1)");
    assert_eq!(rig.told_to(2)[0], "(reconnect l before_kick_off)");
    rig.state.mode = PlayMode::PLAY_ON;
    rig.step(Vec::new());
    rig.send(4, "(reconnect Reds 1)");
    assert_eq!(rig.told_to(4), ["(error cannot_reconnect_while_playon)"]);
}

/// Spec 4, synchronous mode: a step is ordered when all who were asked to think are done; who is silent for too long goes.
#[test]
fn steps_wait_for_those_who_think() {
    let mut params = SoccerParams::today();
    params.server.synch_mode = true;
    let mut rig = Rig::of(touchline_soccer::sessions::Config { players_awaited: 2, ..config(params) });
    rig.sessions.start();
    let steps = |rig: &Rig| rig.orders.iter().filter(|order| **order == Order::Step).count();
    rig.send(1, "(init Reds (version 15))");
    assert_eq!(steps(&rig), 0, "the second player is awaited");
    rig.send(2, "(init Blues (version 15))");
    assert_eq!(steps(&rig), 1);
    (1..=2).for_each(|client| drop(rig.told_to(client)));
    rig.step(Vec::new());
    let told = rig.told_to(1);
    assert_eq!(told.last().map(String::as_str), Some("(think)"));
    assert!(told[0].starts_with("(sense_body 0 "));
    rig.send(1, "(dash 100)(done)");
    assert_eq!(steps(&rig), 1);
    rig.send(2, "(done)");
    assert_eq!(steps(&rig), 2);
    rig.state.time = 1;
    rig.step(Vec::new());
    for miss in 0..=20 {
        rig.send(1, "(done)");
        assert!(rig.sessions.is_waiting(), "{miss}");
        rig.sessions.miss();
        rig.step(Vec::new());
    }
    assert_eq!(rig.sessions.players(), 1);
    rig.send(1, "(done)");
    assert!(!rig.sessions.is_waiting());
}

/// Spec 1, compression: both ways, each datagram by itself.
#[test]
fn compression_is_agreed() {
    use flate2::{Compress, Compression, FlushCompress};
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.cycle();
    rig.told_to(1);
    rig.send(1, "(compression 6)");
    assert_eq!(rig.told_to(1), ["(ok compression 6)"]);
    let mut packed = Vec::with_capacity(200);
    let text = b"(turn 45)(compression -1)\0";
    Compress::new(Compression::new(6), true).compress_vec(text, &mut packed, FlushCompress::Sync).unwrap();
    rig.send_bytes(Port::Player, 1, &packed);
    assert_eq!(rig.driven(LEFT_1).unwrap()[1], -45_f64.to_radians());
    rig.told_to(1);
    rig.send(1, "(score)");
    assert_eq!(rig.told_to(1), ["(score 0 0 0)"]);
}

/// A goalkeeper is told as such, a tackling player marked, and a card shown in sense_body.
#[test]
fn what_is_seen_is_told_in_the_form_of_the_version() {
    let mut rig = today();
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Blues (version 15) (goalie))");
    rig.cycle();
    let body = &mut rig.state.players[0];
    body.motion.pos = [0.0, 0.0];
    body.bits |= state::YELLOW_CARD | state::BALL_COLLIDE;
    rig.state.players[11].motion.pos = [10.0, 0.0];
    rig.state.players[11].tackle_cycles = 2;
    rig.told_to(1);
    for _ in 0..2 {
        rig.cycle();
    }
    let told = rig.told_to(1);
    let see = told.iter().rfind(|text| text.starts_with("(see")).unwrap();
    assert!(see.contains("((p \"Blues\" 1 goalie) 10 0 0 0 180 180 t)"), "{see}");
    let sense = told.iter().rfind(|text| text.starts_with("(sense_body")).unwrap();
    assert!(sense.contains("(collision (ball)) (foul (charged 0) (card yellow))"), "{sense}");
}

/// Spec 12: nothing is logged before the kick-off, one show after the end, result and teams last; what is written is read again by the reader of logs.
#[test]
fn a_game_is_logged_as_the_server_does() {
    use touchline_soccer::log::{GameLog, Record};
    use touchline_soccer::sessions::{Config, Piece};
    let mut rig = Rig::of(Config { is_logged: true, ..config(SoccerParams::today()) });
    rig.send(1, "(init Reds (version 15))");
    rig.step(Vec::new());
    rig.send(1, "(turn 30)(turn_neck 10)");
    rig.state.mode = PlayMode::from_word("kick_off_l").unwrap();
    rig.state.time = 1;
    rig.step(vec![Happened::Word("kick_off_l".into())]);
    rig.state.time = 2;
    rig.state.scores = [1, 0];
    rig.step(Vec::new());
    rig.state.mode = PlayMode::TIME_OVER;
    rig.step(Vec::new());
    rig.step(Vec::new());
    rig.sessions.finish();
    rig.send(2, "(x)");
    let (mut game, mut commands) = (String::new(), String::new());
    for piece in &rig.logs {
        match piece {
            Piece::Game(bytes) => game.push_str(std::str::from_utf8(bytes).unwrap()),
            Piece::Commands(text) => commands.push_str(text),
        }
    }
    let log = GameLog::read(game.as_bytes()).unwrap();
    assert_eq!(log.parameters.len(), 20);
    let kinds: String = log
        .records
        .iter()
        .map(|record| match record {
            Record::Mode { .. } => 'm',
            Record::Teams { .. } => 't',
            Record::Show(_) => 's',
            Record::Message { .. } => 'r',
        })
        .collect();
    assert_eq!(kinds, "mtstsmsrt", "{game}");
    assert!(
        game.ends_with("(msg 2 1 \"(result 202601312359 Reds_1-vs-null)\")\n(team 2 Reds null 1 0)\n"),
        "{game}"
    );
    let hello = "0,0\tRecv Reds_1: (init Reds (version 15))\n";
    assert_eq!(
        commands,
        format!("{hello}0,0\tRecv Reds_1: (turn 30)(turn_neck 10)\n1,0\t(referee kick_off_l)\n")
    );
    let mut again = Vec::new();
    log.write(log.version, &mut again).unwrap();
    assert_eq!(String::from_utf8(again).unwrap(), game);
}

/// Issue of the league, number 5: in synchronous mode the log of commands does not depend on whose datagram was faster.
#[test]
fn the_log_of_commands_is_in_the_order_of_the_players() {
    use touchline_soccer::sessions::{Config, Piece};
    let logged = |order: [u16; 2]| {
        let mut params = SoccerParams::today();
        params.server.synch_mode = true;
        let mut rig = Rig::of(Config { is_logged: true, players_awaited: 2, ..config(params) });
        rig.start();
        for client in [1, 2] {
            rig.send(client, "(init Reds (version 15))");
        }
        for client in order {
            rig.send(client, "(turn 30)");
            rig.send(client, &format!("(dash {client})(done)"));
        }
        rig.step(vec![Happened::Word("kick_off_l".into())]);
        let lines = rig.logs.iter().filter_map(|piece| match piece {
            Piece::Commands(text) => Some(text.as_str()),
            Piece::Game(_) => None,
        });
        lines.collect::<String>()
    };
    let expected = "0,0\tRecv Reds_1: (init Reds (version 15))\n0,0\tRecv Reds_1: (turn 30)\n\
                    0,0\tRecv Reds_1: (dash 1)(done)\n\
                    0,0\tRecv Reds_2: (init Reds (version 15))\n0,0\tRecv Reds_2: (turn 30)\n0,0\tRecv Reds_2: (dash 2)(done)\n0,0\t(referee kick_off_l)\n";
    assert_eq!(logged([1, 2]), expected);
    assert_eq!(logged([2, 1]), expected);
}

/// Issue of the league, number 7: the parameter `game_log_version` says in which version a game is logged, and each is read again.
#[test]
fn a_game_is_logged_in_the_version_of_its_parameter() {
    use touchline_soccer::log::{GameLog, Version};
    use touchline_soccer::sessions::{Config, Piece};
    for number in [1, 2, 3, 4, 5, 6, -1] {
        let mut params = SoccerParams::today();
        params.server.game_log_version = number;
        let mut rig = Rig::of(Config { is_logged: true, ..config(params) });
        rig.send(1, "(init Reds (version 15))");
        rig.step(Vec::new());
        rig.state.mode = PlayMode::from_word("kick_off_l").unwrap();
        for time in 1..=3 {
            rig.state.time = time;
            rig.state.players[0].motion.pos = [f64::from(time) / 16.0, 0.5];
            rig.step(Vec::new());
        }
        rig.sessions.finish();
        // What was left is taken with the next datagram.
        rig.send(2, "(x)");
        let pieces = rig.logs.iter().filter_map(|piece| match piece {
            Piece::Game(bytes) => Some(bytes.as_slice()),
            Piece::Commands(_) => None,
        });
        let bytes: Vec<u8> = pieces.collect::<Vec<_>>().concat();
        let log = GameLog::read(&bytes).unwrap();
        assert_eq!(Some(log.version), Version::from_number(number));
        let places: Vec<[f64; 2]> =
            log.shows().map(|show| [show.players[0].motion[0], show.players[0].motion[1]]).collect();
        let exact = [[0.0625, 0.5], [0.125, 0.5], [0.1875, 0.5]];
        assert_eq!(places, exact, "{number}");
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("(result 202601312359 Reds_0-vs-null)"), "{number}");
        assert_eq!(text.contains("2026-01-31T23:59:58+0000"), number == -1, "{number}");
    }
}
