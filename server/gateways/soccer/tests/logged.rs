//! The logs of a game that is played, against those of the real server: when shows are written, who has come, and the result.

use crate::rig::{Rig, config};
use touchline_soccer::PlayMode;
use touchline_soccer::log::{GameLog, Record};
use touchline_soccer::sessions::{Config, Piece, Port};
use touchline_soccer::state::Happened;
use touchline_soccer_law::params::{ServerParams, SoccerParams};

fn logged(change: impl FnOnce(&mut ServerParams)) -> Rig {
    let mut params = SoccerParams::today();
    change(&mut params.server);
    Rig::of(Config { is_logged: true, ..config(params) })
}

/// A step at a time of the clock in a mode, with what the referee says in it.
fn step(rig: &mut Rig, time: u32, mode: &str, said: &[&str]) {
    (rig.state.time, rig.state.mode) = (time, PlayMode::from_word(mode).unwrap());
    rig.step(said.iter().map(|word| Happened::Word((*word).to_owned())).collect());
}

/// What was written: the game log and the log of commands.
fn logs(mut rig: Rig) -> (GameLog, String) {
    rig.sessions.finish();
    // What was left is taken with the next datagram.
    rig.send(99, "(x)");
    let (mut game, mut commands) = (Vec::new(), String::new());
    for piece in rig.logs {
        match piece {
            Piece::Game(bytes) => game.extend(bytes),
            Piece::Commands(text) => commands.push_str(&text),
        }
    }
    (GameLog::read(&game).unwrap(), commands)
}

fn shown(log: &GameLog) -> Vec<u32> {
    log.shows().map(|show| show.cycle).collect()
}

/// That server writes a step's show before it kicks off, and none before a kick-off: the clock has begun to go in the first one.
#[test]
fn the_first_show_is_of_the_first_cycle() {
    let mut rig = logged(|_| {});
    rig.send(1, "(init Reds (version 15))");
    step(&mut rig, 0, "before_kick_off", &[]);
    step(&mut rig, 0, "kick_off_l", &["kick_off_l"]);
    assert!(!rig.sessions.has_log(), "a head and what clients say are no game");
    step(&mut rig, 1, "kick_off_l", &[]);
    assert!(rig.sessions.has_log());
    let (log, _) = logs(rig);
    let [Record::Mode { cycle: 1, mode }, Record::Teams { cycle: 1, .. }, Record::Show(show), ..] =
        &log.records[..]
    else {
        panic!("{:?}", log.records);
    };
    assert_eq!((mode.word(), show.cycle), ("kick_off_l", 1));
}

/// An empty game of two halves of 20 cycles has the shows of that server's `null_40cycles_v5.rcg`: 1 to 19, 21 to 39, 40; so also where the second half is
/// kicked off in the step that ends the first.
#[test]
fn a_game_has_as_many_shows_as_at_that_server() {
    for kick_off_wait in [3, 0] {
        let mut rig = logged(|_| {});
        for _ in 0..5 {
            step(&mut rig, 0, "before_kick_off", &[]);
        }
        step(&mut rig, 0, "kick_off_l", &["kick_off_l"]);
        (1..20).for_each(|time| step(&mut rig, time, "kick_off_l", &[]));
        if kick_off_wait == 0 {
            step(&mut rig, 20, "kick_off_r", &["half_time", "before_kick_off", "kick_off_r"]);
        } else {
            step(&mut rig, 20, "before_kick_off", &["half_time", "before_kick_off"]);
            (1..kick_off_wait).for_each(|_| step(&mut rig, 20, "before_kick_off", &[]));
            step(&mut rig, 20, "kick_off_r", &["kick_off_r"]);
        }
        (21..40).for_each(|time| step(&mut rig, time, "kick_off_r", &[]));
        (0..4).for_each(|_| step(&mut rig, 40, "time_over", &[]));
        let (log, _) = logs(rig);
        let expected: Vec<u32> = (1..20).chain(21..40).chain([40]).collect();
        assert_eq!(shown(&log), expected, "{kick_off_wait}");
        let modes = log.records.iter().filter_map(|record| match record {
            Record::Mode { cycle, mode } => Some((*cycle, mode.word())),
            _ => None,
        });
        assert_eq!(modes.collect::<Vec<_>>(), [(1, "kick_off_l"), (21, "kick_off_r"), (40, "time_over")]);
    }
}

/// Whoever comes is logged with what it came with; who is refused and who watches is not.
#[test]
fn the_log_of_commands_begins_with_who_has_come() {
    let mut rig = logged(|server| server.coach_w_referee = true);
    rig.state.stoppage = 32;
    rig.step(Vec::new());
    rig.send(1, "(init HeliosA (version 18) (goalie))");
    rig.send(2, "(init HeliosA (version 12.000000))\n");
    rig.send(3, "(init HeliosA (version 99))");
    rig.send(4, "(dispinit version 5)");
    rig.send_to(Port::Coach, 5, "(init HeliosA Boss (version 18))");
    rig.send_to(Port::Trainer, 6, "(init (version 16))");
    rig.send(1, "(bye)");
    rig.send(7, "(reconnect HeliosA 1)");
    let (_, commands) = logs(rig);
    let expected = "0,32\tRecv HeliosA_1: (init HeliosA (version 18) (goalie))\n\
                    0,32\tRecv HeliosA_2: (init HeliosA (version 12.000000))\n\
                    0,32\tRecv HeliosA_Coach: (init HeliosA Boss (version 18))\n\
                    0,32\tRecv Coach: (init (version 16))\n\
                    0,32\tRecv HeliosA_1: (bye)\n\
                    0,32\tRecv HeliosA_1: (reconnect HeliosA 1)\n";
    assert_eq!(commands, expected);
    // A trainer of the oldest form comes with its first command, which is logged once.
    let mut rig = logged(|server| server.coach_w_referee = true);
    rig.send_to(Port::Trainer, 1, "(move (ball) 1 2)");
    assert_eq!(logs(rig).1, "0,0\tRecv Coach: (move (ball) 1 2)\n");
}

/// `TEAM[_COACH]_SCORE[_PENALTIES[w]]`: penalties only behind level goals and when both teams have kicked, `w` at who has won by lot.
#[test]
fn the_result_names_coaches_penalties_and_the_winner_by_lot() {
    // Five kicks each, and then at most five more each: with the twenty-first the lot decides.
    for (coach, scores, penalties, winner, expected) in [
        ("", [1, 0], [[0; 2]; 2], None, "Reds_1-vs-Blues_0"),
        (" Boss", [1, 0], [[0; 2]; 2], None, "Reds_Boss_1-vs-Blues_0"),
        (" Boss", [1, 1], [[3, 2], [2, 3]], Some("penalty_winner_l"), "Reds_Boss_1_3-vs-Blues_1_2"),
        ("", [2, 1], [[3, 2], [2, 3]], None, "Reds_2-vs-Blues_1"),
        ("", [1, 1], [[1, 0], [0, 0]], None, "Reds_1-vs-Blues_1"),
        ("", [0, 0], [[4, 7], [4, 6]], Some("penalty_winner_r"), "Reds_0_4-vs-Blues_0_4w"),
        ("", [0, 0], [[5, 6], [4, 6]], Some("penalty_winner_r"), "Reds_0_5-vs-Blues_0_4w"),
        ("", [0, 0], [[4, 7], [4, 6]], Some("penalty_draw"), "Reds_0_4-vs-Blues_0_4"),
    ] {
        let mut rig = logged(|_| {});
        rig.send(1, "(init Reds (version 15))");
        rig.send(2, "(init Blues (version 15))");
        if !coach.is_empty() {
            rig.send_to(Port::Coach, 3, &format!("(init Reds{coach} (version 18))"));
            // The name stays when the coach goes.
            rig.send_to(Port::Coach, 3, "(bye)");
        }
        (rig.state.scores, rig.state.penalties) = (scores, penalties);
        step(&mut rig, 6000, "time_over", &winner.into_iter().collect::<Vec<_>>());
        let (log, _) = logs(rig);
        let said = log.records.iter().filter_map(|record| match record {
            Record::Message { text, .. } => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(said.collect::<Vec<_>>(), [format!("(result 202601312359 {expected})")]);
    }
}
