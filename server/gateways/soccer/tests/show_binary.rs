//! Binary records of monitors against those of the real server, whose pads hold rubbish.

use crate::samples;
use touchline_soccer::awareness::Awareness;
use touchline_soccer::state::{PLAYERS, State};
use touchline_soccer::wire::name::TeamNames;
use touchline_soccer::wire::show::{exact, teams};
use touchline_soccer::wire::show_binary::{player_param, server_param, show};
use touchline_soccer_law::params::{PlayerParams, ServerParams};

#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn parameters_are_those_of_the_server_but_for_the_pads() {
    let datagrams = samples::dumped("monitor_v2_binary_hexdump.txt");
    let theirs = datagrams.iter().find(|datagram| datagram[..2] == [0, 8]).unwrap();
    // The game was played with halves of 2 s.
    let server = ServerParams { half_time: 2, ..ServerParams::today() };
    let ours = server_param(&server);
    assert_eq!(ours.len(), 2056);
    // 396 bytes behind the head; pads are behind the head's mode and behind single short numbers.
    let differ: Vec<usize> = (2..400).filter(|&at| ours[at] != theirs[at]).collect();
    assert!(differ.iter().all(|at| ours[*at] == 0 && [2, 3].contains(&(at % 4))), "{differ:?}");
    assert_eq!(player_param(&PlayerParams::today()).len(), 2056);
}

/// Spec 11: version 2: ball at 40, players of 64 bytes at 56, time at 1464; version 1: 23 places of 12 bytes from 38, time at 314.
#[test]
fn shows_have_their_numbers_where_they_belong() {
    let mut state = State::empty();
    state.time = 258;
    state.ball.pos = [1.5, -2.0];
    state.players[21].motion.pos = [0.5, 0.25];
    let mut names = TeamNames::default();
    names.set(touchline_soccer_law::face::Side::Right, "Blues");
    let aware = [Awareness::new(&ServerParams::today()); PLAYERS];
    let (teams, record) = (teams(&state, &names), exact(&state, &aware));
    let fine = show(2, state.mode, &teams, &record);
    let long = |at: usize| i32::from_be_bytes(fine[4 + at..8 + at].try_into().unwrap());
    assert_eq!((fine.len(), long(40), long(44)), (2056, 98304, -131_072));
    assert_eq!((long(56 + 21 * 64 + 4), long(56 + 21 * 64 + 8)), (32768, 16384));
    assert_eq!(fine[4 + 1464..][..2], [1, 2]);
    let coarse = show(1, state.mode, &teams, &record);
    let short = |at: usize| i16::from_be_bytes(coarse[2 + at..4 + at].try_into().unwrap());
    assert_eq!((coarse.len(), short(0) >> 8, short(38 + 8), short(38 + 10)), (2052, 1, 24, -32));
    assert_eq!((short(38 + 22 * 12 + 2), short(38 + 22 * 12 + 4), short(38 + 22 * 12 + 8)), (-1, 11, 8));
    assert_eq!(&coarse[2 + 2 + 18..][..6], b"Blues\0");
    assert_eq!(short(314), 258);
}
