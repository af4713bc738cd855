//! What referee, coaches and trainers say: when it is heard, and by whom.

use crate::rig::{Rig, config};
use touchline_soccer::PlayMode;
use touchline_soccer::sessions::{Config, Piece, Port};
use touchline_soccer::state::Happened;
use touchline_soccer_law::params::SoccerParams;

fn heard(rig: &mut Rig, client: u16) -> Vec<String> {
    rig.told_to(client).into_iter().filter(|text| text.starts_with("(hear")).collect()
}

/// What is said before the clock goes on has its time, with the players and in the log of commands; the freeform windows of coaches begin with it.
#[test]
fn words_have_the_time_at_which_they_were_said() {
    let mut params = SoccerParams::today();
    (params.server.freeform_wait_period, params.server.freeform_send_period) = (10, 1);
    let mut rig = Rig::of(Config { is_logged: true, ..config(params) });
    rig.send(1, "(init Reds (version 15))");
    rig.send_to(Port::Coach, 2, "(init Reds (version 18))");
    rig.step(Vec::new());
    (1..=2).for_each(|client| drop(rig.told_to(client)));
    rig.state.time = 11;
    rig.state.mode = PlayMode::PLAY_ON;
    rig.step(vec![
        Happened::EarlierWord("kick_off_l".into(), [10, 51]),
        Happened::EarlierWord("play_on".into(), [10, 51]),
        Happened::Word("goal_l_1".into()),
    ]);
    let heard: Vec<_> = rig.told_to(1).into_iter().filter(|text| text.starts_with("(hear")).collect();
    let expected =
        ["(hear 10 referee kick_off_l)", "(hear 10 referee play_on)", "(hear 11 referee goal_l_1)"];
    assert_eq!(heard, expected);
    let lines = rig.logs.iter().filter_map(|piece| match piece {
        Piece::Commands(text) => Some(text.as_str()),
        Piece::Game(_) => None,
    });
    let lines = lines.collect::<String>();
    assert!(lines.contains("10,51\t(referee kick_off_l)\n"), "{lines}");
    assert!(lines.ends_with("11,0\t(referee goal_l_1)\n"), "{lines}");
    let mut open = Vec::new();
    for time in 15..45 {
        rig.state.time = time;
        // A play_on while play is on begins them anew.
        rig.step(if time == 23 { vec![Happened::Word("play_on".into())] } else { Vec::new() });
        rig.told_to(2);
        rig.send_to(Port::Coach, 2, "(say (freeform \"x\"))");
        if rig.told_to(2).iter().any(|text| text == "(ok say)") {
            open.push(time);
        }
    }
    assert_eq!(open, [43], "20 after the last play_on, as 10 are not more than the wait");
}

/// A trainer's or an old coach's words are kept for the next cycle by players from version 8 on, and have its time then.
#[test]
fn a_coachs_words_have_the_time_at_which_they_are_heard() {
    let mut params = SoccerParams::today();
    params.server.coach_w_referee = true;
    let mut rig = Rig::new(params);
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Reds (version 7))");
    rig.send_to(Port::Trainer, 3, "(init (version 16))");
    rig.send_to(Port::Trainer, 3, "(ear on)");
    rig.send_to(Port::Coach, 4, "(init Reds (version 6))");
    rig.step(Vec::new());
    (1..=4).for_each(|client| drop(rig.told_to(client)));
    rig.send_to(Port::Trainer, 3, "(say go on)");
    rig.send_to(Port::Coach, 4, "(say press)");
    assert_eq!(heard(&mut rig, 2), ["(hear 0 coach \"go on\")", "(hear 0 online_coach_left \"press\")"]);
    assert_eq!(heard(&mut rig, 1), [""; 0]);
    assert_eq!(
        heard(&mut rig, 3),
        ["(hear 0 referee \"go on\")", "(hear 0 online_coach_left \"press\")"],
        "a trainer's own words are the referee's to it"
    );
    rig.state.time = 1;
    rig.step(Vec::new());
    assert_eq!(heard(&mut rig, 1), ["(hear 1 coach \"go on\")", "(hear 1 online_coach_left \"press\")"]);
}

/// With `send_comms` monitors are told all that is said; without it nothing of it.
#[test]
fn monitors_are_told_what_is_said_where_the_parameter_has_it_so() {
    for send_comms in [true, false] {
        let mut params = SoccerParams::today();
        (params.server.coach_w_referee, params.server.send_comms) = (true, send_comms);
        let mut rig = Rig::new(params);
        rig.send(1, "(init A (version 15) (goalie))");
        rig.send_to(Port::Trainer, 3, "(init (version 16))");
        rig.send_to(Port::Coach, 4, "(init A (version 18))");
        rig.send(5, "(dispinit version 4)");
        rig.send(6, "(dispinit version -1)");
        rig.state.time = 5;
        rig.step(Vec::new());
        (1..=6).for_each(|client| drop(rig.told_to(client)));
        rig.send(1, "(say hi)");
        rig.send_to(Port::Trainer, 3, "(say go on)");
        rig.send_to(Port::Coach, 4, "(say (freeform \"x\"))");
        rig.state.time = 6;
        rig.step(vec![Happened::EarlierWord("foul_charge_l".into(), [5, 0])]);
        let told: Vec<_> = rig.told_to(5).into_iter().filter(|text| text.starts_with("(msg")).collect();
        let expected = [
            "(msg 5 1 \"((player A 1) hi)\")",
            "(msg 5 1 \"(referee go on)\")",
            "(msg 5 1 \"(online_coach_left 5 (freeform \"x\"))\")",
            "(msg 5 1 \"(referee foul_charge_l)\")",
        ];
        assert_eq!(told, if send_comms { expected.to_vec() } else { Vec::new() });
        let json = rig.told_to(6).into_iter().find(|text| text.contains("\"msg\""));
        let first = r#"{"msg":{"time":5,"board":1,"message":"((player A 1) hi)"}}"#;
        assert_eq!(json.as_deref(), send_comms.then_some(first));
    }
}

/// Who listens to whom is shown of players from version 8 on; before that nobody listens to one more than to others.
#[test]
fn players_of_old_versions_listen_to_nobody() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init A (version 7))");
    rig.send(2, "(init A (version 8))");
    rig.send(5, "(dispinit version 5)");
    rig.step(Vec::new());
    rig.send(1, "(attentionto our 2)");
    rig.send(2, "(attentionto our 1)");
    rig.told_to(5);
    rig.step(Vec::new());
    let show = rig.told_to(5).remove(0);
    assert!(show.contains("(f l 1)") && !show.contains("(f l 2)"), "{show}");
    assert_eq!(show.matches("(c 0 0 0 0 0 0 0 0 0 0 1 0)").count(), 2, "it is counted: {show}");
}

/// As at that server, halves without end are two of -9 cycles: coaches may say more freely in each eighteenth.
#[test]
fn coaches_may_say_more_when_halves_have_no_end() {
    let mut params = SoccerParams::today();
    (params.server.half_time, params.server.say_coach_cnt_max) = (-1, 1);
    let mut rig = Rig::new(params);
    rig.send(1, "(init A (version 18))");
    rig.send_to(Port::Coach, 2, "(init A (version 18))");
    rig.state.mode = PlayMode::from_word("kick_in_l").unwrap();
    let mut said = Vec::new();
    for time in 1..40 {
        rig.state.time = time;
        rig.step(Vec::new());
        rig.told_to(2);
        rig.send_to(Port::Coach, 2, "(say (freeform \"x\"))");
        if rig.told_to(2).iter().any(|text| text == "(ok say)") {
            said.push(time);
        }
    }
    assert_eq!(said, [1, 18, 36]);
}
