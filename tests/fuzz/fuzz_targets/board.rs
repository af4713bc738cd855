//! Arbitrary bytes, cut in arbitrary pieces, through a session of the message board: no panic, bounded output, and the
//! same commands and answers however they are cut.
//!
//! `server/gateways/board-server/tests/split.rs` checks the same on the corpus, on near commands and on random strings.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchline_board_server::testing::FakeServer;
use touchline_board_server::{Limits, SessionConfig};
use touchline_sim::Action;

const NOW_US: u64 = 88_000_000;

fn requests<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Action>, Vec<u8>) {
    let config = SessionConfig {
        server_version: "0.1.0".into(),
        peer: [127, 0, 0, 1].into(),
        door: touchline_board_server::Door::Open,
        limits: Limits::default(),
    };
    let mut server = FakeServer::new(config, NOW_US);
    let mut output = Vec::new();
    for piece in [&b""[..]].into_iter().chain(pieces) {
        server.session().receive(piece, NOW_US);
        loop {
            server.answer(NOW_US);
            let session = server.session();
            let sent = session.output().len();
            if sent == 0 {
                break;
            }
            output.extend_from_slice(session.output());
            session.consume_output(sent);
        }
    }
    (server.actions(), output)
}

fuzz_target!(|bytes: &[u8]| {
    let whole = requests([bytes]);
    assert!(whole.1.len() <= 1000 * bytes.len() + 1000);
    assert!(std::str::from_utf8(&whole.1).is_ok());
    // Where to cut follows from the bytes, so that a corpus file is nothing but what a client sends.
    let sum: usize = bytes.iter().map(|&byte| usize::from(byte)).sum();
    let (a, b) = bytes.split_at(sum % (bytes.len() + 1));
    assert_eq!(requests([a, b]), whole);
});
