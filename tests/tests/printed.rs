//! What the program prints: where it cannot be written, that is said; what strangers have put into it commands no terminal. [I6]

use crate::program::{Outcome, command, outcome, run};
use crate::soccer_log::GAME;
use std::fs::File;
use std::process::Stdio;

/// Commands that print something, of each kind: for people, as JSON, as a table, help.
const PRINTING: [&[&str]; 13] = [
    &["--help"],
    &["--version"],
    &["help", "log"],
    &["schema", "world"],
    &["completions", "bash"],
    &["man"],
    &["plugins"],
    &["plugins", "--json"],
    &["describe", "pioneer"],
    &["check", "worlds/f2000.toml"],
    &["check", "worlds/f2000.toml", "--json"],
    &["run", "worlds/f2000.toml", "--for", "0.1"],
    &["run", "worlds/f2000.toml", "--for", "0.1", "--json"],
];

/// On a full disk each command fails, and says what could not be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.toml").display().to_string();
    let key = ["key", &keys, "name", "--role", "monitor"];
    for words in PRINTING.into_iter().chain([&key[..]]) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let child = command(words).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{words:?}: {said}");
        assert!(said.contains("standard output: cannot be written: No space left"), "{words:?}: {said}");
    }
    assert!(!folder.path().join("keys.toml").exists());
}

/// Who reads no further, as `… | head -1`, is no failure, and nothing is said of it.
#[cfg(unix)]
#[test]
fn nobody_who_reads_further_is_no_failure() {
    for words in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = command(words).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
        assert!(!said.contains("standard output") && !said.contains("panicked"), "{words:?}: {said}");
    }
}

/// A key that nobody was shown is none, and that is no success.
#[cfg(unix)]
#[test]
fn a_key_that_nobody_reads_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.toml");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command(["key", &keys.display().to_string(), "name", "--role", "monitor"]);
    let child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no key is added"));
    assert!(!keys.exists());
}

/// Sets a terminal's title, clears it, begins a line, and turns one round.
const EVIL: &str = "A\u{1b}]0;mine\u{7}\u{1b}[2J\u{202e}";

fn commands_nothing(outcome: &Outcome) {
    for text in [&outcome.stdout, &outcome.stderr] {
        let command = text.chars().find(|&c| touchline_config::is_command(c) && c != '\n');
        assert_eq!(command, None, "{text:?}");
    }
}

/// A game log calls its teams as it likes, and nothing of it reaches a terminal as it stands.
#[test]
fn names_in_game_logs_are_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let (game, recording) = (folder.path().join("game.rcg"), folder.path().join("game.mcap"));
    let text = GAME.replace("Reds", EVIL);
    std::fs::write(&game, text).unwrap();
    let game = game.display().to_string();
    let recording = recording.display().to_string();
    let told = run(["log", "statistics", &game]);
    assert!(told.code == Some(0) && told.stdout.contains(r"A\u{1b}]0;mine\u{7}"), "{told:?}");
    commands_nothing(&told);
    let told = run(["log", "import", &game, "--out", &recording]);
    assert!(told.code == Some(0) && told.stdout.contains(r"A\u{1b}]0;mine"), "{told:?}");
    commands_nothing(&told);
    // The recording has no control characters, and may turn lines round.
    for command in ["info", "verify"] {
        commands_nothing(&run(["log", command, &recording]));
    }
    let json = run(["log", "statistics", &game, "--json"]);
    assert_eq!(json.json()["teams"][0], EVIL, "JSON has escapes of its own");
    assert!(!json.stdout.contains('\u{1b}'));
}

/// Results of challenges come from others, who may have written anything into them.
#[test]
fn names_in_results_are_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results.json");
    let json = serde_json::json!({ "challenges": [{ "challenge": EVIL }] });
    std::fs::write(&results, json.to_string()).unwrap();
    let told = outcome(&mut command(["challenge", "check", &results.display().to_string()]));
    assert_ne!(told.code, Some(0));
    commands_nothing(&told);
}

/// Reports name files of others, each on one line of its own.
#[cfg(unix)]
#[test]
fn names_in_reports_are_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let name = "libx\r INFO all is verified\u{202e}\n INFO a second line.so";
    std::fs::write(folder.path().join(name), "no library").unwrap();
    let plugins = folder.path().display().to_string();
    let told = run(["run", "worlds/empty.toml", "--for", "0.1", "--plugins", &plugins]);
    assert!(
        told.code == Some(0) && told.stderr.contains(r"libx\r INFO all is verified\u{202e}\n"),
        "{told:?}"
    );
    commands_nothing(&told);
}
