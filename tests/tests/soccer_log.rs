//! Game logs of the RoboCup Soccer Server with the built program: imported, verified, shown, written in another version.

use crate::client::Client;
use crate::program::{Server, run};
use std::fs;

/// Three cycles, two of which have one number of the clock, as after a goal.
pub const GAME: &str = "ULG6
(playmode 1 kick_off_l)
(team 1 Reds Blues 0 0)
(show 1 ((b) 0 0 0 0) ((l 1) 0 0x9 -49 3 0.1 0 90 -45 (v h 180) (fp 0 0) (s 8000 1 1 130600) (c 0 0 0 0 0 0 0 0 0 0 0 0)))
(playmode 2 goal_l)
(team 2 Reds Blues 1 0)
(show 2 ((b) 52.6 -1.5 2 0) ((l 1) 0 0x9 -48.9 3 0.04 0 90 -45 (v h 180) (fp 0 0) (s 8000 1 1 130600) (c 0 1 0 0 0 0 0 0 0 0 0 0)))
(show 2 ((b) 0 0 0 0) ((l 1) 0 0x9 -48.86 3 0 0 100.5 -45 (v h 180) (fp 0 0) (s 8000 1 1 130600) (c 0 1 1 0 0 0 0 0 0 0 0 0)))
";

fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    fs::write(path.join("game.rcg"), GAME).unwrap();
    (folder, move |name: &str| path.join(name).display().to_string())
}

/// What is imported is a recording like others: it is verified bit by bit, and its table has each cycle where the log has it.
#[test]
fn a_game_is_a_recording() {
    let (_folder, path) = folder();
    let imported = run(["log", "import", &path("game.rcg"), "--out", &path("game.mcap")]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    assert!(imported.stdout.contains("Reds against Blues, 3 cycles"), "{imported:?}");
    let verified = run(["log", "verify", &path("game.mcap"), "--json"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let table = run(["log", "csv", &path("game.mcap")]).stdout;
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|&column| column.starts_with(name)).unwrap();
    let (name, x, y) = (column("object"), column("x"), column("y"));
    let of = |object: &str| -> Vec<[f64; 2]> {
        let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let rows = rows.filter(|row| row[name] == object);
        rows.map(|row| [row[x].parse().unwrap(), row[y].parse().unwrap()]).collect()
    };
    let near = |a: &[[f64; 2]], b: &[[f64; 2]]| {
        a.len() == b.len() && a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-4)
    };
    // Before the first cycle everything stands where the world file has it.
    assert!(near(&of("ball-0")[1..], &[[0.0, 0.0], [52.6, 1.5], [0.0, 0.0]]), "{table}");
    assert!(near(&of("l1")[1..], &[[-49.0, -3.0], [-48.9, -3.0], [-48.86, -3.0]]), "{table}");
}

/// `replay` takes the log itself; its teams, score and mode are those of the log.
#[test]
fn a_game_is_replayed() {
    let (_folder, path) = folder();
    let server = Server::replay(path("game.rcg"), &["--speed", "max"]);
    let mut client = Client::operator(&server);
    client.ok("SEEK 3");
    let score = client.ok("SCORE");
    let said = format!("{score:?}");
    assert!(said.contains("Reds") && said.contains("Blues") && said.contains("goal_l"), "{said}");
    let goal = client.ok("EVENTS kind=goal");
    assert_eq!(goal.lines.len(), 1, "{goal:?}");
}

/// Version 5 of it read again is version 5, and what is no log is named with its place.
#[test]
fn a_game_is_written_in_another_version() {
    let (_folder, path) = folder();
    for (from, to) in [("game.rcg", "5.rcg"), ("5.rcg", "again.rcg")] {
        let converted = run(["log", "convert", &path(from), "--version", "5", "--out", &path(to)]);
        assert_eq!(converted.code, Some(0), "{converted:?}");
    }
    let text = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert!(text("5.rcg").starts_with("ULG5\n"));
    assert_eq!(text("5.rcg"), text("again.rcg"));
    fs::write(path("bad.rcg"), "ULG6\n(show 1 ((b) 0 0 0))\n").unwrap();
    let refused = run(["replay", &path("bad.rcg")]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.stderr.contains("bad.rcg: line 2, column 19: a number expected"), "{refused:?}");
}

/// Who has won a shoot-out is told; a game without one has no penalties.
#[test]
fn the_statistics_tell_who_won_the_shoot_out() {
    let (_folder, path) = folder();
    let plain = run(["log", "statistics", &path("game.rcg"), "--json"]).json();
    assert!(plain["penalties"].is_null() && plain["score"] == serde_json::json!([1, 0]), "{plain}");
    fs::write(path("long.rcg"), format!("{GAME}(team 3 Reds Blues 1 1 4 1 3 2)\n")).unwrap();
    let told = run(["log", "statistics", &path("long.rcg"), "--json"]).json();
    let expected = serde_json::json!([[1, 1], [4, 3]]);
    assert_eq!(serde_json::json!([told["score"], told["penalties"]]), expected, "{told}");
    let printed = run(["log", "statistics", &path("long.rcg")]);
    assert!(printed.stdout.starts_with("Reds 1 : 1 Blues (4 : 3 on penalties)   3 cycles\n"), "{printed:?}");
}

/// What a referee marks as for programs is among the events, and no bookmark: when the Soccer Server's words were said.
#[test]
fn events_for_programs_are_no_bookmarks() {
    const KIND: &str = "data-said-at";
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("game.mcap").display().to_string();
    let ran = run(["run", "soccer-teams", "--for", "60", "--record", &recording]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let server = Server::replay(&recording, &["--speed", "max"]);
    let mut client = Client::connect(&server);
    client.ok("HELLO 1 reader");
    client.wait_for_event(KIND, "");
    assert_eq!(client.ok(&format!("TIMELINE kind={KIND}")).number("lines"), 0);
    assert!(client.ok("TIMELINE kind=announcement").number("lines") > 0);
}
