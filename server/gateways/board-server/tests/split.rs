//! However the bytes are cut, whatever the bytes are: the same requests, bounded output, no panic. (C1)
//!
//! The same properties hold for the fuzz target `board`; its corpus is replayed here.

use crate::common::config;
use crate::fuzzed::{Told, comparable};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use touchline_board_server::{COMMANDS, Door};

fn requests<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Told {
    crate::fuzzed::requests(config(Door::Open), pieces)
}

/// Checks one input, cut in the ways that `cuts` says.
fn check(bytes: &[u8], cuts: &[usize]) -> Result<(), TestCaseError> {
    let whole = requests([bytes]);
    let output = &whole.1;
    // The longest answers are those of HELP (3 kB to five bytes) and DESCRIBE.
    prop_assert!(output.len() <= 1000 * bytes.len() + 1000, "{} bytes of output", output.len());
    prop_assert!(output.ends_with('\n'));
    if let Some((by_bytes, whole)) = comparable(requests(bytes.chunks(1)), whole.clone()) {
        prop_assert_eq!(by_bytes, whole);
    }
    for &cut in cuts {
        let (a, b) = bytes.split_at(cut % (bytes.len() + 1));
        if let Some((in_pieces, whole)) = comparable(requests([a, b]), whole.clone()) {
            prop_assert_eq!(in_pieces, whole, "cut at {}", a.len());
        }
    }
    Ok(())
}

/// Something near to a command, so that more than the first word is read.
fn near_command() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        4 => (0..COMMANDS.len()).prop_map(|i| COMMANDS[i].word.to_string()),
        4 => prop::sample::select(vec![
            "me", "blue-1", "1", "7", "0.5", "-1e3", "nan", "inf", "*", "laser", "laser.scan", "feature=ball",
            "model=LMS200,type=laser", "off", "100", "since=3", "lines=2", "lines=0", "file=pioneer", "team=blue",
            "x=1", "y=2", "role=operator", "role=monitor", "key=sesame", "max", "\"two words\"", "\"open", "{\"a\": [1, 2]}",
            "plugin=striker", "#7", "#", ".", "kicker", "out", "18446744073709551616",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
    ];
    let line = prop::collection::vec(word, 0..5).prop_map(|words| words.join(" ").into_bytes());
    let junk = prop::collection::vec(any::<u8>(), 0..20);
    let long = (4090usize..4100).prop_map(|n| vec![b'x'; n]);
    let ending = prop::sample::select(vec![&b"\n"[..], b"\r\n", b"\n\n", b""]);
    prop::collection::vec((prop_oneof![8 => line, 1 => junk, 1 => long], ending), 0..12)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end.to_vec()].concat()).collect())
}

proptest! {
    #[test]
    fn any_split_gives_the_same_requests(bytes in near_command(), cuts in any::<[usize; 4]>()) {
        check(&bytes, &cuts)?;
    }
}

/// A small generator of its own (splitmix64), so that the strings are the same for ever.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Ten thousand strings of random bytes: each answered, and the session still answers after it.
#[test]
fn ten_thousand_random_strings_do_no_harm() {
    let mut state = 1;
    for round in 0..10_000 {
        let len = random(&mut state) % 64;
        let mut bytes = b"HELLO 1 rosie\n".to_vec();
        bytes.extend((0..len).map(|_| random(&mut state) as u8));
        bytes.extend_from_slice(b"\nSTATUS\n");
        let (_, text) = requests([&bytes[..]]);
        assert!(text.lines().last().unwrap().starts_with("OK STATUS "), "round {round}: {text}");
        // Every line that is not empty has its answer, and there are few of them.
        assert!(text.len() < 1000 + 400 * bytes.len(), "round {round}");
    }
}

#[test]
fn the_fuzz_corpus_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fuzz/corpus/board");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let cuts: Vec<usize> = (0..bytes.len().min(50)).collect();
        if let Err(error) = check(&bytes, &cuts) {
            panic!("{}: {error}", path.display());
        }
        files += 1;
    }
    assert!(files >= 10, "{files} files");
}
