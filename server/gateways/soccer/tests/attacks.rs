//! Clients that want more than is theirs: other teams' places, second lives, uncounted words, endless answers.

use crate::rig::{Rig, config};
use touchline_soccer::PlayMode;
use touchline_soccer::sessions::{Config, Order, Port};
use touchline_soccer::state::{Happened, Who};
use touchline_soccer_law::face::{RefereeCommand, Side, state};
use touchline_soccer_law::params::{ServerParams, SoccerParams};

fn with(change: impl FnOnce(&mut ServerParams)) -> SoccerParams {
    let mut params = SoccerParams::today();
    change(&mut params.server);
    params
}

/// Two players of the left team and one of the right one, in steps that wait for them.
fn synchronous(players_awaited: usize) -> Rig {
    let params = with(|server| server.synch_mode = true);
    let mut rig = Rig::of(Config { players_awaited, ..config(params) });
    rig.start();
    for (client, team) in [(1, "Reds"), (2, "Reds"), (3, "Blues")] {
        rig.send(client, &format!("(init {team} (version 15))"));
    }
    rig
}

fn steps(rig: &Rig) -> usize {
    rig.orders.iter().filter(|order| **order == Order::Step).count()
}

/// Spec 2.1: a red card is for the whole game; the player's client may go and come as it likes.
#[test]
fn who_was_sent_off_does_not_come_back() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init Reds (version 15))");
    rig.step(vec![Happened::Word("red_card_l_1".into())]);
    rig.state.players[0].bits = 0;
    rig.step(Vec::new());
    rig.send(1, "(bye)");
    rig.told_to(1);
    rig.send(2, "(reconnect Reds 1)");
    assert_eq!(rig.told_to(2), ["(error red_carded_player)"]);
}

/// Substitutions and words are the team's, whichever coach uses them.
#[test]
fn a_new_coach_has_what_the_old_one_has_left() {
    let mut rig = Rig::new(with(|server| server.say_coach_cnt_max = 2));
    rig.send(1, "(init Reds (version 15))");
    (rig.state.time, rig.state.mode) = (10, PlayMode::from_word("free_kick_l").unwrap());
    rig.step(Vec::new());
    let answers = |rig: &mut Rig, client, version: u32, texts: &[&str]| {
        rig.send_to(Port::Coach, client, &format!("(init Reds X (version {version}))"));
        rig.told_to(client);
        texts.iter().for_each(|text| rig.send_to(Port::Coach, client, text));
        rig.send_to(Port::Coach, client, "(bye)");
        rig.told_to(client)
    };
    let first = answers(&mut rig, 2, 15, &["(change_player_type 1 1)", "(say (freeform \"a\"))"]);
    assert_eq!(first, ["(ok change_player_type 1 1)", "(ok say)"]);
    let second = answers(&mut rig, 3, 6, &["(say b)", "(say c)"]);
    assert_eq!(second, ["(ok say)", "(error said_too_many_messages)"]);
    for kind in [2, 3] {
        let text = format!("(change_player_type 1 {kind})");
        assert_eq!(answers(&mut rig, 4, 15, &[&text]), [format!("(ok change_player_type 1 {kind})")]);
    }
    let last = answers(&mut rig, 5, 15, &["(change_player_type 1 4)", "(say (freeform \"d\"))"]);
    assert_eq!(last, ["(warning no_subs_left)", "(error said_too_many_freeform_messages)"]);
}

/// A type counts from the moment it is given, also for the next command of the same cycle.
#[test]
fn types_are_counted_at_once() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Reds (version 15))");
    rig.step(Vec::new());
    rig.send_to(Port::Coach, 3, "(init Reds X (version 15))");
    rig.told_to(3);
    rig.send_to(Port::Coach, 3, "(change_player_type 1 5)");
    rig.send_to(Port::Coach, 3, "(change_player_type 2 5)");
    rig.send_to(Port::Coach, 3, "(change_player_type 1 5)");
    let ok = "(ok change_player_type 1 5)";
    assert_eq!(rig.told_to(3), [ok, "(warning max_of_that_type_on_field)", ok]);
    // Once played with, a type is used up.
    (rig.state.time, rig.state.mode) = (5, PlayMode::from_word("kick_in_l").unwrap());
    rig.step(Vec::new());
    rig.send_to(Port::Coach, 3, "(change_player_type 1 6)");
    rig.send_to(Port::Coach, 3, "(change_player_type 2 5)");
    assert_eq!(
        rig.told_to(3)
            .into_iter()
            .filter(|text| text.contains("type ") || text.contains("left"))
            .collect::<Vec<_>>(),
        ["(ok change_player_type 1 6)", "(warning no_left_of_that_type)"]
    );
}

/// A goalkeeper is changed by the rules, and all who know of it are told.
#[test]
fn a_coach_names_a_goalkeeper_when_there_is_none() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init Reds (version 16))");
    rig.send(2, "(init Blues (version 15))");
    rig.send(4, "(dispinit version 5)");
    rig.state.mode = PlayMode::PLAY_ON;
    rig.step(Vec::new());
    rig.send_to(Port::Coach, 3, "(init Reds X (version 16))");
    (1..=4).for_each(|client| drop(rig.told_to(client)));
    rig.send_to(Port::Coach, 3, "(change_player_type 1 goalie)");
    assert_eq!(rig.told_to(3), ["(warning cannot_change_goalie_while_playon)"]);
    rig.state.mode = PlayMode::from_word("penalty_ready_l").unwrap();
    rig.step(Vec::new());
    rig.told_to(3);
    rig.send_to(Port::Coach, 3, "(change_player_type 1 goalie)");
    assert_eq!(rig.told_to(3), ["(warning cannot_change_goalie_while_penalty_taken)"]);
    rig.state.mode = PlayMode::from_word("free_kick_l").unwrap();
    rig.step(Vec::new());
    (1..=4).for_each(|client| drop(rig.told_to(client)));
    rig.send_to(Port::Coach, 3, "(change_player_type 1 goalie)");
    let told = "(change_player_type l 1 goalie)";
    assert_eq!(rig.told_to(3), ["(ok change_player_type 1 goalie)", told]);
    assert_eq!(rig.told_to(1), [told]);
    assert!(rig.told_to(2).is_empty(), "version 15 does not know it");
    assert!(rig.told_to(4).iter().any(|text| text.contains(told)));
    let goalie = RefereeCommand::Goalie { side: Side::Left, unum: 1 };
    assert!(
        rig.orders.iter().any(|order| matches!(order, Order::Referee { command, .. } if *command == goalie))
    );
}

/// Where each team has its own ports nobody comes to the other one's side, by whatever name.
#[test]
fn a_team_comes_by_its_own_port_only() {
    let mut rig = Rig::of(Config { has_team_ports: true, ..config(SoccerParams::today()) });
    let (left, right) = (Port::Team(Side::Left), Port::Team(Side::Right));
    // Who is faster does not matter.
    rig.send_to(right, 1, "(init Blues (version 15))");
    rig.send_to(left, 2, "(init Reds (version 15))");
    assert_eq!(rig.told_to(1)[0], "(init r 1 before_kick_off)");
    assert_eq!(rig.told_to(2)[0], "(init l 1 before_kick_off)");
    for (client, port, text, answer) in [
        (3, right, "(init Reds (version 15))", "no_more_team"),
        (3, left, "(init Blues (version 15))", "no_more_team"),
        (3, right, "(init Greens (version 15))", "no_more_team"),
        (3, Port::Player, "(init Reds (version 15))", "no_more_team"),
        (3, right, "(reconnect Reds 1)", "no_such_team_or_player"),
        (3, Port::Player, "(reconnect Reds 1)", "no_such_team_or_player"),
        (3, right, "(dispinit version 5)", "no_more_monitor"),
        (3, Port::TeamCoach(Side::Right), "(init Reds X (version 15))", "no_such_team"),
        (3, Port::Coach, "(init Reds X (version 15))", "no_such_team"),
    ] {
        rig.send_to(port, client, text);
        assert_eq!(rig.told_to(client), [format!("(error {answer})")], "{port:?} {text}");
    }
    rig.send_to(Port::TeamCoach(Side::Right), 4, "(init Blues X (version 15))");
    assert_eq!(rig.told_to(4)[0], "(init r ok)");
    rig.send(5, "(dispinit version 5)");
    assert!(!rig.told_to(5)[0].starts_with("(error"));
}

/// Many commands in one datagram have no more answers than many datagrams.
#[test]
fn answers_of_a_cycle_are_bounded() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init Reds (version 15))");
    rig.cycle();
    rig.told_to(1);
    for _ in 0..100 {
        rig.send(1, &"(score)".repeat(1100));
        rig.send(1, &"(sense_body)".repeat(600));
    }
    let told = rig.told_to(1);
    assert!(!told.is_empty() && told.len() <= 128, "{}", told.len());
    rig.cycle();
    rig.told_to(1);
    rig.send(1, "(score)");
    assert_eq!(rig.told_to(1).len(), 1, "and the next cycle is as any other");
}

/// A player that chatters reaches coaches and world a few times in a cycle.
#[test]
fn words_of_a_cycle_are_bounded() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init Reds (version 15))");
    rig.send_to(Port::Coach, 2, "(init Reds X (version 15))");
    rig.cycle();
    rig.told_to(2);
    rig.send(1, &"(say \"hello\")".repeat(100));
    let said = rig.orders.iter().filter(|order| matches!(order, Order::Say { .. })).count();
    assert_eq!((said, rig.told_to(2).len()), (8, 8));
}

/// Who takes a place and is silent keeps it only as long as nobody wants it, or for a minute.
#[test]
fn silent_clients_give_way() {
    let mut rig = Rig::of(Config { monitors: 2, ..config(SoccerParams::today()) });
    for client in 0..22 {
        rig.send(client, &format!("(init {} (version 15))", if client < 11 { "X" } else { "Y" }));
    }
    rig.send(30, "(dispinit version 5)");
    rig.send(31, "(dispinit version 5)");
    rig.cycle();
    rig.at(30_000);
    rig.send(31, "(compression 0)");
    rig.send(40, "(init Reds (version 15))");
    rig.send(32, "(dispinit version 5)");
    assert_eq!(rig.told_to(40), ["(error no_more_team)"]);
    assert_eq!(rig.told_to(32), ["(error no_more_monitor)"]);
    rig.at(70_000);
    rig.send(0, "(turn 5)");
    rig.send(40, "(init Reds (version 15))");
    assert_eq!(rig.told_to(40)[0], "(init r 1 before_kick_off)", "all of Y were silent, X was not");
    rig.send(41, "(init X (version 15))");
    assert_eq!(rig.told_to(41)[0], "(init l 2 before_kick_off)");
    rig.send(32, "(dispinit version 5)");
    rig.told_to(32);
    rig.cycle();
    assert!(rig.told_to(30).iter().all(|text| !text.contains("(show 1 ")), "the silent one has gone");
    assert!(rig.told_to(32).iter().any(|text| text.starts_with("(show")));
}

/// A game that has begun does not wait again for who has left before the first kick-off.
#[test]
fn a_game_goes_on_when_a_client_leaves_at_clock_zero() {
    let mut rig = synchronous(3);
    assert_eq!(steps(&rig), 1);
    rig.step(Vec::new());
    rig.lose(3);
    for cycle in 2..6 {
        rig.send(1, "(done)");
        rig.send(2, "(done)");
        assert_eq!(steps(&rig), cycle);
        rig.step(Vec::new());
    }
}

/// While others are awaited, who is there hears from the server.
#[test]
fn who_waits_for_others_is_kept_awake() {
    let mut rig = synchronous(4);
    assert_eq!((steps(&rig), rig.sessions.is_gathering()), (0, true));
    rig.told_to(1);
    rig.sessions.keep_awake();
    rig.send(4, "(init Blues (version 15))");
    assert_eq!(rig.told_to(1)[0], "(warning waiting_for_others)");
    assert_eq!((steps(&rig), rig.sessions.is_gathering()), (1, false));
    rig.step(Vec::new());
    rig.send(1, "(done)");
    rig.told_to(1);
    rig.sessions.keep_awake();
    rig.send(2, "(done)");
    assert_eq!(rig.told_to(1), ["(warning waiting_for_others)"], "others think");
}

/// Each client's misses are its own: one that is late once is not sent away with one that is dead.
#[test]
fn misses_are_counted_for_each_client() {
    let mut rig = synchronous(0);
    rig.step(Vec::new());
    for cycle in 0..30 {
        rig.state.time += 1;
        rig.send(1, "(done)");
        if cycle != 20 {
            rig.send(3, "(done)");
        }
        rig.miss();
        rig.step(Vec::new());
    }
    assert_eq!(rig.sessions.players(), 2);
    assert_eq!(
        rig.orders
            .iter()
            .filter(
                |order| matches!(order, Order::Leave { who, .. } if *who == Who { side: Side::Left, unum: 2 })
            )
            .count(),
        1
    );
}

/// Clients are asked to think in each cycle, whenever in it.
#[test]
fn every_offset_of_thinking_is_asked() {
    for offset in [0, 1, 10, 55, 90, 91, 95, 99, 100, 160] {
        let params = with(|server| (server.synch_mode, server.synch_offset) = (true, offset));
        let mut rig = Rig::of(config(params));
        rig.send(1, "(init Reds (version 15))");
        rig.start();
        for _ in 0..5 {
            rig.told_to(1);
            rig.step(Vec::new());
            let thinks = rig.told_to(1).iter().filter(|text| *text == "(think)").count();
            assert_eq!(thinks, 1, "synch_offset {offset}");
            rig.send(1, "(done)");
        }
    }
}

/// Where steps wait for all, who hears at once hears in the order of the numbers, and not of the datagrams.
#[test]
fn old_versions_hear_in_one_order() {
    let heard = |first: u16, second: u16| {
        let mut rig = synchronous(0);
        rig.send(4, "(init Blues (version 7))");
        rig.step(Vec::new());
        rig.told_to(4);
        for client in [first, second] {
            rig.send(client, &format!("(say \"w{client}\")(done)"));
        }
        rig.send(3, "(done)");
        rig.send(4, "(done)");
        rig.told_to(4)
    };
    assert_eq!(heard(1, 2), heard(2, 1));
    assert!(heard(2, 1).iter().any(|text| text.contains("\"w1\"")), "hear_max allows one of a team");
}

/// Monitors say any number; the world is told sensible ones.
#[test]
fn monitors_numbers_are_held_to_the_field() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(dispinit version 5)");
    rig.send(1, "(dispplayer 1 1 2147483647 -2147483648 2147483647)");
    rig.send(1, "(dispfoul 2147483647 0 1)");
    for order in &rig.orders {
        let Order::Referee { command, .. } = order else { continue };
        match command {
            RefereeCommand::Move { place, theta_rad, .. } => {
                assert_eq!((*place, theta_rad.map(f64::abs)), ([200.0, 200.0], Some(std::f64::consts::PI)));
            }
            RefereeCommand::Foul { place, .. } => assert_eq!(*place, [200.0, 0.0]),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(rig.orders.len(), 2);
}

/// `null` is how logs call a team that has not come.
#[test]
fn no_team_is_called_null() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init null (version 15))");
    assert_eq!(rig.told_to(1), ["(error illegal_teamname)"]);
}

/// Spec 8: near enough is who was near when it was said, whoever has moved since.
#[test]
fn distance_counts_when_it_is_said() {
    let mut rig = Rig::new(SoccerParams::today());
    for client in 1..=2 {
        rig.send(client, "(init Reds (version 15))");
    }
    rig.state.players[1].motion.pos = [40.0, 0.0];
    rig.state.players[0].motion.pos = [0.0, 0.0];
    rig.step(Vec::new());
    rig.told_to(2);
    let said = || vec![Happened::Said(Who { side: Side::Left, unum: 1 }, "hi".into())];
    rig.state.players[0].motion.pos = [-20.0, 0.0];
    rig.step(said());
    assert!(rig.told_to(2).iter().any(|text| text.contains("\"hi\"")), "40 m away when it was said");
    rig.state.players[0].motion.pos = [0.0, 0.0];
    rig.step(said());
    assert!(!rig.told_to(2).iter().any(|text| text.contains("\"hi\"")), "60 m away when it was said");
    assert!(rig.state.players[0].is(state::STAND));
}
