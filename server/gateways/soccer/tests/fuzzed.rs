//! Any datagrams from anybody: no panic, bounded answers, the same twice, and only sensible numbers reach the world. (I6)
//!
//! What the fuzz target `soccer` asks, and what is asked here of its corpus.

use crate::rig::{Rig, config};
use touchline_soccer::sessions::{Config, Order, Port};
use touchline_soccer_law::params::SoccerParams;

/// Ends a datagram of the script; the byte before says who sends it, and where to.
const END: u8 = 0x1e;
/// A datagram is answered by so many at most: an init by all parameters and types.
const MOST_ANSWERS: usize = 64;

/// A script of datagrams: each ends with [`END`], and begins with a byte that chooses client and port.
pub fn soccer(bytes: &[u8]) {
    let first = play(bytes);
    assert_eq!(first, play(bytes), "the same datagrams, the same answers");
}

fn play(bytes: &[u8]) -> Vec<String> {
    let mut params = SoccerParams::today();
    params.server.coach_w_referee = true;
    params.server.synch_mode = bytes.len() % 2 == 1;
    let mut rig = Rig::of(Config { monitors: 2, ..config(params) });
    rig.sessions.start();
    let mut all = Vec::new();
    for datagram in bytes.split(|byte| *byte == END) {
        let Some((&chosen, datagram)) = datagram.split_first() else { continue };
        let client = u16::from(chosen % 5);
        let port = [Port::Player, Port::Player, Port::Trainer, Port::Coach][usize::from(chosen / 5 % 4)];
        rig.send_bytes(port, client, datagram);
        if chosen >= 128 {
            rig.cycle();
        }
        for client in 0..5 {
            let told = rig.told_to(client);
            let commands = datagram.iter().filter(|byte| **byte == b'(').count();
            assert!(told.len() <= MOST_ANSWERS + 2 * commands, "{} answers", told.len());
            assert!(told.iter().all(|text| text.len() <= 8192), "a datagram is no longer than 8 kB");
            all.extend(told);
        }
    }
    for order in &rig.orders {
        if let Order::Drive { numbers, .. } = order {
            assert!(numbers.iter().all(|number| number.abs() <= 1000.0), "{numbers:?}");
        }
        if let Order::Referee { command, .. } = order {
            let line = command.to_string();
            assert!(line.parse::<touchline_soccer_law::face::RefereeCommand>().is_ok(), "{line}");
        }
    }
    all
}

#[cfg(test)]
fn script(datagrams: &[(u8, &str)]) -> Vec<u8> {
    let one = |(chosen, text): &(u8, &str)| [&[*chosen], text.as_bytes(), &[0, END]].concat();
    datagrams.iter().flat_map(one).collect()
}

#[test]
fn no_datagram_ends_in_a_panic() {
    let player = [
        (0, "(init Reds (version 18) (goalie))"),
        (1, "(init Blues (version 15))"),
        (128, "(turn 5)(dash (l 50 10)(r 20 0))(turn_neck 20)(say hello)(done)"),
        (
            129,
            "(attentionto opp 1)(pointto 10 20)(change_view wide)(ear (off our p))(tackle 30 on)(score)(done)",
        ),
        (128, "(change_focus 5 5)(gaussian_see)(synch_see)(move 3 4)(catch 5)(compression 3)"),
        (129, "(kick 100 -180)(sense_body)(bye)"),
        (1, "(reconnect Blues 1)"),
    ];
    let others = [
        (0, "(init Reds (version 7))"),
        (12, "(init (version 16))"),
        (12, "(move (player Reds 1) 1 2 3 4 5)(look)"),
        (12, "(change_mode play_on)"),
        (18, "(init Reds Boss (version 18))"),
        (146, "(eye on)"),
        (18, "(say (define (definec \"a\" (true))))"),
        (18, "(change_player_type 1 4)"),
        (4, "(dispinit version 5)"),
        (132, "(dispfoul 10 -20 1)"),
        (4, "(dispplayer 1 1 160 -80 90)"),
        (3, "(dispinit version -1)"),
    ];
    crate::replay_of_corpus::replay("soccer", vec![script(&player), script(&others)], soccer);
}
