//! What somebody is told who took the wrong command, port or name: where the right one is. [W1, P8]

use crate::cli::{assert_code, folder, write};
use crate::program::{Server, command, outcome, run};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// A recording is no world: the command that shows it is named. Game logs as well, however short they are.
#[test]
fn a_recording_in_a_worlds_place_is_told_as_one() {
    let folder = folder();
    let log = folder.path().join("match.mcap").to_str().unwrap().to_owned();
    assert_code(&run(["run", "worlds/empty.toml", "--steps", "5", "--record", &log]), 0);
    let long = folder.path().join("long.mcap").to_str().unwrap().to_owned();
    let mut bytes = fs::read(&log).unwrap();
    bytes.resize(2 << 20, 0);
    fs::write(&long, bytes).unwrap();
    let game = write(&folder, "game.log", "ULG5\n(server_param)\n");
    let named = write(&folder, "game.rcg", "[\n{\"type\": \"header\"}\n]\n");
    for file in [&log, &long, &game, &named] {
        let what = if file.ends_with(".mcap") { "it is a recording" } else { "it is a game log" };
        for name in ["serve", "run", "check", "describe"] {
            let outcome = run([name, file]);
            assert_code(&outcome, if name == "check" { 1 } else { 4 });
            let said = format!("{}{}", outcome.stdout, outcome.stderr);
            for part in [what.to_owned(), format!("touchline replay {file}")] {
                assert!(said.contains(&part), "{name} {file}: {part}: {said}");
            }
        }
    }
}

#[test]
fn a_world_in_a_recordings_place_is_told_who_runs_it() {
    for line in [&["replay", "worlds/empty.toml"][..], &["log", "info", "worlds/empty.toml"]] {
        let outcome = run(line);
        assert_code(&outcome, 3);
        for part in ["touchline serve worlds/empty.toml", "touchline run worlds/empty.toml"] {
            assert!(outcome.stderr.contains(part), "{part}: {outcome:?}");
        }
    }
}

/// The page's port answers in HTTP, and is not the board's.
#[test]
fn connect_says_that_a_port_is_the_pages() {
    let server = Server::start("worlds/empty.toml", &["--studio", "127.0.0.1:0"]);
    let page = server.studio().unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut connect = command(["connect", &page]);
    let outcome = outcome(connect.stdin(Stdio::null()));
    assert_code(&outcome, 4);
    assert_eq!(outcome.stdout, "", "{outcome:?}");
    for part in [page.as_str(), "a web page is served there", "the board has another one"] {
        assert!(outcome.stderr.contains(part), "{part}: {outcome:?}");
    }
}

/// A number with a minus is the option's value, and what may stand there is said.
#[test]
fn negative_numbers_are_values() {
    for (line, allowed) in [
        (&["log", "cut", "x", "--out", "y", "--from", "-5"][..], "from 0 to 1e9"),
        (&["log", "cut", "x", "--out", "y", "--to", "-0.5"], "from 0 to 1e9"),
        (&["replay", "x", "--video-from", "-5"], "from 0 to 1e9"),
        (&["run", "worlds/empty.toml", "--steps", "-1"], "0 or more"),
        (&["plugins", "--isolate-ms", "-1"], "-1 is not in 1..=600000"),
        (&["benchmark", "goalkeeper", "--policy", "random", "--episodes", "-5"], "a whole number from 1"),
        (&["key", "keys.toml", "a", "--role", "team", "--max-robots", "-5"], "a whole number from 1 to 4096"),
    ] {
        let outcome = run(line);
        assert_code(&outcome, 2);
        assert!(outcome.stderr.contains(allowed) && !outcome.stderr.contains("'-- -"), "{outcome:?}");
    }
}

/// C4: a folder of recordings that is not there is told, and not taken for an empty one.
#[test]
fn a_folder_of_recordings_has_to_be_there() {
    let refused = run(["replay", "x.mcap", "--recordings", "no/such/folder"]);
    assert_code(&refused, 4);
    assert!(refused.stderr.contains("--recordings no/such/folder: "), "{refused:?}");
    for folder in ["no/such/folder", "Cargo.toml"] {
        let serve =
            ["serve", "worlds/empty.toml", "--board", "127.0.0.1:0", "--studio", "off", "--recordings"];
        let refused = run(serve.into_iter().chain([folder]));
        assert_code(&refused, 4);
        assert!(refused.stderr.contains(&format!("--recordings {folder}: ")), "{refused:?}");
    }
}

/// C1: a name is said also without a key or a role; one that the board would not take is refused before.
#[test]
fn connect_says_the_name() {
    let server = Server::start("worlds/empty.toml", &["--studio", "off"]);
    let board = server.board.to_string();
    let ask = |robot: &str, options: &[&str]| {
        let mut connect = command(["connect", &board]);
        connect.args(options).env_remove("TOUCHLINE_KEY").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut asked = connect.spawn().unwrap();
        asked
            .stdin
            .take()
            .unwrap()
            .write_all(format!("ROBOT {robot} file=pioneer\nLIST\n").as_bytes())
            .unwrap();
        String::from_utf8(asked.wait_with_output().unwrap().stdout).unwrap()
    };
    assert!(ask("a", &["--name", "bob"]).contains(" a model=pioneer client=bob"));
    assert!(ask("b", &["--name", "bob", "--role", "operator"]).contains(" b model=pioneer client=bob"));
    assert!(ask("c", &["--role", "operator"]).contains(" c model=pioneer client=hand"));
    assert!(ask("d", &[]).contains(" d model=pioneer client=127.0.0.1:"));
    for name in ["", "a b", "17", "me", "bob=x", "-"] {
        let refused = run(["connect", &board, &format!("--name={name}")]);
        assert_code(&refused, 2);
        assert!(refused.stderr.contains("1 to 32 of A-Z"), "{refused:?}");
    }
}

/// B1: what is of a client of the message board is refused where none attacks, and not swallowed.
#[test]
fn options_of_a_client_are_of_no_other_policy() {
    for option in [&["--board", "127.0.0.1:0"][..], &["--timeout", "5"], &["--ready-json"]] {
        let line = ["benchmark", "goalkeeper", "--policy", "random", "--levels", "none", "--episodes", "1"];
        let refused = run(line.iter().chain(option));
        assert_code(&refused, 2);
        assert!(refused.stderr.contains(option[0]) && refused.stderr.contains("--policy tcp"), "{refused:?}");
    }
}

/// P8: two plugins of one kind and name cannot be loaded together: none is made that could not be.
#[test]
fn a_shipped_plugins_name_is_taken() {
    let folder = folder();
    let into = folder.path().to_str().unwrap();
    let made = run(["new-plugin", "sensor", "laser", into]);
    assert_code(&made, 4);
    assert!(made.stderr.contains("\"laser\" already") && made.stderr.contains("another name"), "{made:?}");
    assert_eq!(fs::read_dir(into).unwrap().count(), 0);
    // Of another kind it may be.
    assert_code(&run(["new-plugin", "player", "laser", into]), 0);
}

/// What is to be typed next can be typed.
#[test]
fn a_folder_with_a_space_is_quoted_for_the_shell() {
    let folder = folder();
    let into = folder.path().join("neu er").to_str().unwrap().to_owned();
    let made = run(["new-plugin", "sensor", "a", &into]);
    assert_code(&made, 0);
    assert!(made.stdout.contains(&format!("  cd '{into}/sensor-a'\n")), "{made:?}");
    let world = fs::read_to_string(format!("{into}/sensor-a/try/world.toml")).unwrap();
    assert!(world.starts_with("# A walled room of 6 x 4 m "), "{world}");
    let made = run(["new-challenge", "sprint", "--dir", &into]);
    assert_code(&made, 0);
    assert!(made.stdout.contains(&format!("challenge run '{into}/sprint/sprint.toml'")), "{made:?}");
}
