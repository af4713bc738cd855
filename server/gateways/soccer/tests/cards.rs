//! Who is sent off: its client is closed, and monitors are shown it until the end.

use crate::rig::{Rig, config};
use touchline_soccer::PlayMode;
use touchline_soccer::sessions::{Config, Order, Piece, Port};
use touchline_soccer::state::{Happened, Who};
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::params::SoccerParams;

const LEFT_2: Who = Who { side: Side::Left, unum: 2 };

/// Two players of the left team in play, the second of type 5; its coach, and a monitor.
fn in_play() -> Rig {
    let mut rig = Rig::of(Config { is_logged: true, ..config(SoccerParams::today()) });
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Reds (version 15))");
    rig.send_to(Port::Coach, 3, "(init Reds (version 18))");
    rig.send(4, "(dispinit version 5)");
    (rig.state.time, rig.state.mode) = (10, PlayMode::PLAY_ON);
    rig.state.players[1].kind = 5;
    rig.step(Vec::new());
    (1..=4).for_each(|client| drop(rig.told_to(client)));
    rig
}

/// The law takes a player off the field.
fn taken_off(rig: &mut Rig, word: Option<&str>) {
    rig.state.players[1] = touchline_soccer::state::Body::nobody(LEFT_2);
    rig.state.time = 11;
    rig.step(word.into_iter().map(|word| Happened::Word(word.into())).collect());
}

/// It hears the card, and then its port is closed: it says and commands nothing more.
#[test]
fn who_is_sent_off_is_closed() {
    let mut rig = in_play();
    taken_off(&mut rig, Some("red_card_l_2"));
    let left = |order: &&Order| matches!(order, Order::Leave { who: LEFT_2, .. });
    assert_eq!(rig.orders.iter().filter(left).count(), 1);
    assert!(!rig.has_port(2) && rig.has_port(1));
    assert_eq!(rig.told_to(2)[0], "(hear 11 referee red_card_l_2)");
    assert_eq!(rig.told_to(1)[0], "(hear 11 referee red_card_l_2)");
    rig.told_to(3);
    let orders = rig.orders.len();
    rig.send(2, "(say \"x\")");
    assert_eq!(rig.told_to(3), [""; 0], "the coach hears nothing");
    assert_eq!((rig.told_to(2), rig.orders.len()), (vec!["(error unknown_command)".to_owned()], orders));
    let is_logged = |piece: &Piece| matches!(piece, Piece::Commands(text) if text.contains("(say"));
    assert!(!rig.logs.iter().any(is_logged));
    rig.state.mode = PlayMode::from_word("free_kick_l").unwrap();
    rig.step(Vec::new());
    rig.send(2, "(reconnect Reds 2)");
    assert_eq!(rig.told_to(2), ["(error red_carded_player)"]);
}

/// So is who is only taken off the field; a world that begins anew takes off nobody.
#[test]
fn who_is_taken_off_is_closed() {
    let mut rig = in_play();
    taken_off(&mut rig, None);
    assert!(!rig.has_port(2) && rig.has_port(1));
    let mut rig = in_play();
    (rig.state.step, rig.state.time) = (0, 0);
    rig.state.players[1].bits = 0;
    rig.sessions.stepped(rig.state.clone(), Vec::new());
    rig.tick();
    assert!(rig.has_port(2));
    // Nor is who comes back before its new body is there.
    let mut rig = in_play();
    rig.state.mode = PlayMode::from_word("free_kick_l").unwrap();
    rig.step(Vec::new());
    rig.send(2, "(bye)");
    rig.send(2, "(reconnect Reds 2)");
    rig.state.players[1].bits = 0;
    rig.step(Vec::new());
    assert!(rig.has_port(2));
}

/// In synchronous mode nobody waits for it.
#[test]
fn nobody_waits_for_who_is_sent_off() {
    let mut params = SoccerParams::today();
    params.server.synch_mode = true;
    let mut rig = Rig::of(Config { players_awaited: 2, ..config(params) });
    rig.start();
    rig.send(1, "(init Reds (version 15))");
    rig.send(2, "(init Reds (version 15))");
    rig.step(Vec::new());
    rig.send(1, "(done)");
    rig.send(2, "(done)");
    taken_off(&mut rig, Some("red_card_l_2"));
    let steps = |rig: &Rig| rig.orders.iter().filter(|order| **order == Order::Step).count();
    let before = steps(&rig);
    rig.send(1, "(done)");
    assert_eq!(steps(&rig), before + 1);
}

/// As captured of that server: beside the field, with its type and its card, in every show from the card on.
#[test]
fn who_is_sent_off_is_shown_until_the_end() {
    let mut rig = in_play();
    rig.state.players[1].body_rad = 27.635_f64.to_radians();
    rig.state.players[1].capacity = 123_305.0;
    rig.step(Vec::new());
    rig.told_to(4);
    taken_off(&mut rig, Some("red_card_l_2"));
    rig.state.time = 12;
    rig.step(Vec::new());
    let mut shown = rig.told_to(4);
    shown.retain(|text| text.starts_with("(show"));
    assert_eq!(shown.len(), 2);
    let player = "((l 2) 5 0x80000 -6 -37 0 0 27.635 0 (v h 90) (fp 0 0) (s 8000 1 1 123305)";
    for show in shown {
        assert!(show.contains(player), "{show}");
    }
    let cards = |bits: u32| bits & (state::YELLOW_CARD | state::RED_CARD);
    assert_eq!(cards(rig.sessions.state().body(LEFT_2).bits), state::RED_CARD);
    let is_last = |piece: &&Piece| matches!(piece, Piece::Game(bytes) if String::from_utf8_lossy(bytes).contains(player));
    assert_eq!(rig.logs.iter().filter(is_last).count(), 2, "in the game log too");
}

/// A reset begins another game: who was sent off before it is shown no card, and may come back. Wound back to where it is off, a world keeps
/// it off.
#[test]
fn a_card_is_of_its_game() {
    for (step, run, is_forgotten) in [(0, 1, true), (900, 1, true), (1, 0, false)] {
        let mut rig = in_play();
        taken_off(&mut rig, Some("red_card_l_2"));
        rig.told_to(4);
        (rig.state.step, rig.state.run) = (step, run);
        (rig.state.time, rig.state.mode) = (0, PlayMode::BEFORE_KICK_OFF);
        rig.step(Vec::new());
        rig.step(Vec::new());
        let mut shown = rig.told_to(4);
        shown.retain(|text| text.starts_with("(show"));
        assert_eq!(shown.len(), 2);
        for show in shown {
            assert_eq!(show.contains("((l 2) 5 0x80000"), !is_forgotten, "{show}");
        }
        rig.send(2, "(reconnect Reds 2)");
        let refusal = "(error red_carded_player)".to_owned();
        assert_eq!(rig.told_to(2).contains(&refusal), !is_forgotten);
        assert_eq!(rig.has_port(2), is_forgotten);
    }
    // Wound back to before the card, it plays again.
    let mut rig = in_play();
    let before = rig.state.clone();
    taken_off(&mut rig, Some("red_card_l_2"));
    rig.sessions.stepped(before, Vec::new());
    assert!(rig.sessions.state().body(LEFT_2).is_enabled());
    rig.state.mode = PlayMode::BEFORE_KICK_OFF;
    rig.step(Vec::new());
    rig.send(2, "(reconnect Reds 2)");
    assert!(rig.has_port(2));
}
