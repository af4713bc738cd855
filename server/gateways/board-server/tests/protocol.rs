//! The written protocol is the real one: every example in docs/protocol.md and every transcript in
//! tests/conformance is played against a session. [C1-C7]

use crate::common::{NOW_US, config, locked};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use touchline_board_server::testing::FakeServer;
use touchline_board_server::{COMMANDS, Door, Session};

/// `…` stands for anything within a line.
fn fits(pattern: &str, line: &str) -> bool {
    let pieces: Vec<&str> = pattern.split('…').collect();
    let [first, middle @ .., last] = pieces.as_slice() else { return pattern == line };
    let Some(mut rest) = line.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    middle.iter().all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// Plays it; the error says which line was not as written. Lines that begin otherwise are remarks; `= keys` makes
/// the server ask for a key, `= end` checks that the connection ends.
fn play(name: &str, transcript: &str) {
    let door = if transcript.lines().any(|line| line == "= keys") { locked() } else { Door::Open };
    let mut server = FakeServer::new(config(door), NOW_US);
    let mut got: Vec<String> = Vec::new();
    let mut now_us = NOW_US;
    for (number, line) in transcript.lines().enumerate() {
        let place = format!("{name}:{}: {line}", number + 1);
        if let Some(text) = line.strip_prefix("> ").or((line == ">").then_some("")) {
            assert!(got.is_empty(), "{place}: before this, the server also sent {got:#?}");
            server.session().receive(format!("{text}\n").as_bytes(), now_us);
            server.serve(now_us);
        } else if let Some(pattern) = line.strip_prefix("< ") {
            assert!(
                !got.is_empty() || !server.session().output().is_empty(),
                "{place}: the server sent nothing"
            );
            take(server.session(), &mut got);
            let line = got.remove(0);
            assert!(fits(pattern, &line), "{place}\n  got: {line}");
        } else if let Some(wait_ms) = line.strip_prefix("= wait_ms ") {
            now_us += 1000 * wait_ms.parse::<u64>().unwrap();
            server.serve(now_us);
        } else if line == "= end" {
            assert!(server.session().is_closing(), "{place}: the connection stays open");
        }
        take(server.session(), &mut got);
    }
    assert!(got.is_empty(), "{name}: at the end, the server also sent {got:#?}");
}

fn take(session: &mut Session, got: &mut Vec<String>) {
    let text = String::from_utf8(session.output().to_vec()).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    got.extend(text.lines().map(str::to_owned));
    session.consume_output(text.len());
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn document() -> String {
    fs::read_to_string(root().join("docs/protocol.md")).unwrap()
}

/// The examples: fenced blocks marked `session`, each with its line number.
fn examples(document: &str) -> Vec<(usize, String)> {
    let mut examples = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in document.lines().enumerate() {
        match (&mut open, line) {
            (None, "```session") => open = Some((number + 1, String::new())),
            (Some(_), "```") => examples.extend(open.take()),
            (Some((_, text)), line) => *text += &format!("{line}\n"),
            _ => {}
        }
    }
    examples
}

#[test]
fn every_example_of_the_document_is_what_the_server_says() {
    let examples = examples(&document());
    assert!(examples.len() >= 10, "{} examples", examples.len());
    for (line, text) in examples {
        play(&format!("docs/protocol.md from line {line}"), &text);
    }
}

/// C1: each command has its usage line and an example, and there is no other.
#[test]
fn the_document_has_every_command_and_an_example_of_each() {
    let document = document();
    let shown: String = examples(&document).into_iter().map(|(_, text)| text).collect();
    for command in COMMANDS {
        let usage = format!("### `{}`", command.usage());
        assert!(document.contains(&usage), "docs/protocol.md lacks: {usage}");
        let sent = |line: &str| {
            line.strip_prefix("> ").and_then(|line| line.split(' ').find(|word| !word.starts_with('#')))
                == Some(command.word)
        };
        assert!(shown.lines().any(sent), "docs/protocol.md has no example of {}", command.word);
    }
    let headings = document.lines().filter(|line| line.starts_with("### `")).count();
    assert_eq!(headings, COMMANDS.len(), "docs/protocol.md describes a command that is not there");
}

/// Every `board/…` code that the source gives is explained, and every explained one is given.
#[test]
fn the_document_has_every_error_code() {
    let codes = |text: &str| -> BTreeSet<String> {
        text.split(['"', '`'])
            .filter(|word| word.strip_prefix("board/").is_some_and(|slug| !slug.contains([' ', '…'])))
            .map(str::to_owned)
            .collect()
    };
    let mut given = BTreeSet::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in [source.join("session"), source.join("commands"), source] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && path.file_name().is_some_and(|name| name != "testing.rs") {
                given.extend(codes(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    let explained = codes(&document());
    let missing: Vec<_> = given.difference(&explained).collect();
    assert!(missing.is_empty(), "docs/protocol.md does not explain {missing:?}");
}

#[test]
fn every_transcript_is_what_the_server_says() {
    let mut played = 0;
    for entry in fs::read_dir(root().join("tests/conformance")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            play(&path.file_name().unwrap().to_string_lossy(), &fs::read_to_string(&path).unwrap());
            played += 1;
        }
    }
    assert!(played >= 5, "{played} transcripts");
}

#[test]
fn patterns_of_transcripts() {
    for (pattern, line, want) in [
        ("OK", "OK", true),
        ("OK", "OK x", false),
        ("OK …", "OK x", true),
        ("OK … y=2", "OK x=1 y=2", true),
        ("OK … y=2", "OK x=1 y=2 z", false),
        ("… b …", "a b c", true),
        ("… b …", "a c d", false),
    ] {
        assert_eq!(fits(pattern, line), want, "{pattern} / {line}");
    }
}
