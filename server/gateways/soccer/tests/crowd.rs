//! A crowd of strangers: ten thousand who come, floods, and what they leave for those who play.

use crate::rig::Rig;
use touchline_soccer::sessions::{Order, Port};
use touchline_soccer_law::params::SoccerParams;

/// Twenty-two play; the rest is sent away with one short answer each.
#[test]
fn ten_thousand_come_and_twenty_two_play() {
    let mut rig = Rig::new(SoccerParams::today());
    for client in 0..10_000_u16 {
        let team = if client % 2 == 0 { "Reds" } else { "Blues" };
        rig.send(client, &format!("(init {team} (version {}))", client % 25));
        let told = rig.told_to(client);
        assert!(told.len() <= 22, "{}", told.len());
    }
    assert_eq!(rig.sessions.players(), 22);
    let joins = rig.orders.iter().filter(|order| matches!(order, Order::Join { .. })).count();
    assert_eq!(joins, 22);
}

/// Who floods is looked at 64 times a cycle; the bytes of the others are those of a game without it.
#[test]
fn a_flood_changes_nobodys_bytes() {
    let play = |flood: usize| {
        let mut rig = Rig::new(SoccerParams::today());
        rig.send(1, "(init Reds (version 15))");
        rig.send(2, "(init Blues (version 18))");
        rig.send(3, "(dispinit version 5)");
        for _ in 0..5 {
            rig.cycle();
            rig.send(1, "(dash 100)(turn_neck 10)");
            (0..flood).for_each(|_| rig.send(3, "(dispcard 9 9 green)"));
            (0..flood).for_each(|_| rig.send_to_port(Port::Player, 2, b"(turn 5)\0"));
            let answers = rig.told_to(2).iter().filter(|text| text.starts_with("(error")).count();
            assert!(answers <= 64, "{answers}");
        }
        let drives = rig.orders.clone();
        (rig.told_to(1), drives)
    };
    assert_eq!(play(0), play(1000));
}

/// Datagrams that are cut, torn, binary, or deep.
#[test]
fn nonsense_is_answered_or_ignored() {
    let mut rig = Rig::new(SoccerParams::today());
    let binary: Vec<u8> = (0..=255).cycle().take(9000).collect();
    for bytes in
        [&b"\0"[..], b"", b"\n", b"(", b")", b"(init", b"(init ", &binary, &[b'('; 8192], &[0xff; 100]]
    {
        for port in [Port::Player, Port::Trainer, Port::Coach] {
            rig.send_to_port(port, 1, bytes);
            let told = rig.told_to(1);
            assert!(told.len() <= 1 && told.iter().all(|text| text.starts_with("(error ")), "{told:?}");
        }
    }
    rig.send(1, "(init Reds (version 15))");
    rig.told_to(1);
    for bytes in [&b"\0"[..], b"\n", b"(", &binary, &[b'('; 8192], &[0xff; 100]] {
        rig.send_bytes(Port::Player, 1, bytes);
        let told = rig.told_to(1);
        assert!(!told.is_empty() && told.len() <= 2, "{told:?}");
        rig.cycle();
        rig.told_to(1);
    }
    assert!(rig.orders.iter().all(|order| !matches!(order, Order::Drive { .. })));
}
