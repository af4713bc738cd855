//! Recordings of the built server: made, shown, wound back, verified, broken. [mechanism 7, W7, I3]

use crate::client::Client;
use crate::program::{Outcome, Server, command, outcome, root, run, touchline};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const WORLD: &str = "worlds/f2000.toml";

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn log(arguments: &[&str]) -> Outcome {
    run([&["log"], arguments].concat())
}

fn pioneer() -> String {
    std::fs::read_to_string(root().join("robots/pioneer.toml")).expect("a robot file")
}

/// Matches of different seeds are run again bit by bit, and end in the same state.
#[test]
fn ten_matches_verify() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 1..=10 {
        let (file, seed) = (path(&folder, &format!("{seed}.mcap")), seed.to_string());
        let played = run(["run", WORLD, "--for", "12", "--seed", &seed, "--json", "--record", &file]);
        assert_eq!(played.code, Some(0), "{played:?}");
        let verified = log(&["verify", &file, "--json"]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
        assert_eq!(verified.json()["compared"], 1201);
        assert_eq!(verified.json()["state_hash"], played.json()["state_hash"]);
    }
}

/// What is interrupted is closed, and says so.
#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_closes_its_recording() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = path(&folder, "long.mcap");
        let mut playing = command(["run", WORLD, "--for", "100000000", "--record", &file]);
        let mut playing = playing.stderr(Stdio::piped()).spawn().expect("it starts");
        // The first part of the recording is there: the steps have begun.
        while std::fs::metadata(&file).map_or(0, |file| file.len()) < 100_000 {
            assert_eq!(playing.try_wait().expect("it can be asked"), None, "it has ended");
            std::thread::yield_now();
        }
        let told = Command::new("kill").args(["-s", signal, &playing.id().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()));
        let ended = playing.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{signal}: {said}");
        assert!(said.contains("interrupted after") && said.contains("long.mcap"), "{said}");
        assert_eq!(log(&["info", &file, "--json"]).json()["whole"], true, "{signal}");
        assert_eq!(log(&["verify", &file]).code, Some(0), "{signal}");
    }
}

/// As ten matches, with robots of clients that join, drive and leave, with a reset, a pause with placements, and a seek back.
#[test]
fn ten_matches_with_clients_that_come_and_go_verify() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 1..=10 {
        let (file, seed) = (path(&folder, &format!("{seed}.mcap")), seed.to_string());
        let server = Server::start(
            WORLD,
            &["--studio", "off", "--speed", "lockstep", "--seed", &seed, "--record", &file],
        );
        let mut desk = Client::operator(&server);
        let mut guest = Client::connect(&server);
        guest.send(format!("HELLO 1 guest\nROBOT guest lines={}\n{}", pioneer().lines().count(), pioneer()));
        desk.ok("STEP 100");
        guest.send("TWIST me 0.4 0 0.5\nSAY me here\nANNOTATE me aim [1,2]\n");
        desk.ok("STEP 150");
        desk.ok("BALL 0 0.5 0.5 1 0");
        desk.ok("STEP 50");
        // The server may not have looked at the guest yet: then its robot would come and go at any time, also after the last look at the hash.
        desk.wait_for_event("robot-added", "name=guest");
        drop(guest);
        // That a client has gone is noticed some time later, and then its robot goes: that may not be after the last look at the hash.
        while desk.robots().iter().any(|line| line.split(' ').any(|word| word == "guest")) {}
        desk.ok("STEP 100");
        desk.ok("RESET");
        desk.ok("STEP 100");
        desk.ok("SEEK 250");
        desk.ok("STEP 120");
        let hash = desk.ok("STATUS").field("state_hash").to_owned();
        let ended = server.end_by("TERM");
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let verified = log(&["verify", &file, "--json"]);
        assert_eq!(verified.code, Some(0), "seed {seed}: {verified:?}");
        assert_eq!(verified.json()["state_hash"], hash.as_str(), "seed {seed}");
    }
}

/// What is looked at and gone on from is what was, bit by bit; what came after can be had as well.
#[test]
fn a_live_world_is_wound_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let recordings = folder.path().display().to_string();
    let options = ["--studio", "off", "--speed", "lockstep", "--seed", "3", "--recordings", &recordings];
    let server = Server::start(WORLD, &options);
    let mut desk = Client::operator(&server);
    let mut hashes = Vec::new();
    for _ in 0..40 {
        desk.ok("STEP 10");
        hashes.push(desk.ok("STATUS").field("state_hash").to_owned());
    }
    // Each time the world is brought back, it goes on as before: nothing came in that it could differ by.
    for back in [5, 30, 1, 38] {
        let tick = (back + 1) * 10;
        assert_eq!(desk.ok(&format!("SEEK {tick}")).number("step"), tick);
        assert_eq!(desk.ok("STATUS").field("state_hash"), hashes[back as usize]);
        desk.ok("STEP 10");
        if let Some(next) = hashes.get(back as usize + 1) {
            assert_eq!(desk.ok("STATUS").field("state_hash"), next);
        }
    }
    let timeline = desk.ok("TIMELINE kind=none");
    assert_eq!((timeline.number("oldest"), timeline.number("now")), (0, 440));
    assert!(desk.fails("SEEK 441").contains("record/not-kept"));
    let mut looker = Client::connect(&server);
    assert!(looker.fails("SEEK 5").contains("board/role"));
    // Each fork has its bookmark, live and in what is saved of it.
    let forks = desk.ok("TIMELINE kind=fork").lines;
    assert_eq!(forks.len(), 4, "{forks:?}");
    assert!(forks[0].contains("400 fork \"the world goes on from 0:00.60\""), "{}", forks[0]);
    desk.ok("RECORD save forks");
    server.end_by("TERM");
    let replay = Server::replay(path(&folder, "forks.mcap"), &["--speed", "0.001"]);
    assert_eq!(Client::operator(&replay).ok("TIMELINE kind=fork").lines, forks);
}

/// W6: a recording that is played as fast as possible is shown to its end, and stands there.
#[test]
fn a_recording_is_played_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "short.mcap");
    let played = run(["run", WORLD, "--for", "5", "--json", "--record", &file]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let replay = Server::replay(&file, &["--studio", "off", "--speed", "max"]);
    let mut desk = Client::operator(&replay);
    let end = loop {
        let status = desk.ok("STATUS");
        if status.number("paused") == 1 {
            break status;
        }
    };
    assert_eq!((end.number("step"), end.number("tick")), (500, 500));
    assert_eq!(played.json()["state_hash"], end.field("state_hash"));
    assert_eq!(desk.ok("WORLD").number("step"), 500);
}

/// A robot whose client has gone meanwhile does not come back as a ghost; one whose player drives it does.
#[test]
fn a_jump_brings_back_no_ghosts() {
    let server = Server::start(WORLD, &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    let mut guest = Client::connect(&server);
    guest.send("ROBOT guest file=pioneer\n");
    desk.ok("STEP 50");
    assert!(guest.answer().head.starts_with("OK ROBOT"));
    desk.ok("STEP 50");
    drop(guest);
    desk.ok("REMOVE blue-2");
    while desk.ok("LIST").lines.len() > 7 {
        desk.ok("STEP 10");
    }
    desk.ok("SEEK 60");
    let robots = desk.ok("LIST").lines;
    assert!(robots.iter().any(|line| line.contains(" blue-2 ")), "{robots:?}");
    assert!(!robots.iter().any(|line| line.contains(" guest ")), "{robots:?}");
    assert_eq!(robots.len(), 8);
}

/// Files by name: begun, ended, saved; never over another, never elsewhere.
#[test]
fn recordings_are_begun_and_saved_over_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let recordings = folder.path().display().to_string();
    let server =
        Server::start(WORLD, &["--studio", "off", "--speed", "lockstep", "--recordings", &recordings]);
    let mut desk = Client::operator(&server);
    desk.ok("STEP 300");
    assert!(desk.fails("RECORD stop").contains("record/not-recording"));
    desk.ok("RECORD start first");
    assert!(desk.fails("RECORD start second").contains("record/recording"));
    assert!(desk.ok("STATUS").field("recording").contains("first.mcap"));
    desk.ok("STEP 200");
    desk.ok("RECORD stop");
    desk.ok("STEP 2500");
    desk.ok("RECORD save goal");
    assert!(desk.fails("RECORD save goal").contains("already"));
    for name in ["../up", "a/b", ".hidden", "\"\"", "x\u{7f}"] {
        desk.fails(&format!("RECORD save {name}"));
    }
    let unnamed = desk.ok("RECORD save").field("file").to_owned();
    assert!(unnamed.contains("f2000-3000"), "{unnamed}");
    let first = log(&["info", &path(&folder, "first.mcap"), "--json"]).json();
    assert_eq!(
        (&first["first_tick"], &first["ticks"], &first["whole"]),
        (&0.into(), &500.into(), &true.into())
    );
    let goal = log(&["info", &path(&folder, "goal.mcap"), "--json"]).json();
    assert_eq!((&goal["first_tick"], &goal["ticks"]), (&1000.into(), &2000.into()), "the last 20 s");
    for name in ["first.mcap", "goal.mcap"] {
        let verified = log(&["verify", &path(&folder, name)]);
        assert_eq!(verified.code, Some(0), "{name}: {verified:?}");
    }
}

fn recorded(folder: &tempfile::TempDir) -> String {
    let file = path(folder, "match.mcap");
    let server = Server::start(WORLD, &["--studio", "off", "--speed", "lockstep", "--record", &file]);
    let mut desk = Client::operator(&server);
    desk.ok("STEP 200");
    desk.ok("BALL 0 0.5 0.5 1 0");
    desk.ok("STEP 200");
    server.end_by("TERM");
    file
}

/// A recording answers as the live world did: the same sensors, the same truth; and nothing in it can be changed.
#[test]
fn a_recording_is_served_as_if_it_were_live() {
    let folder = tempfile::tempdir().expect("a folder");
    let live = Server::start(
        WORLD,
        &["--studio", "off", "--speed", "lockstep", "--record", &path(&folder, "a.mcap")],
    );
    let mut desk = Client::operator(&live);
    let mut then = Vec::new();
    for _ in 0..6 {
        desk.ok("STEP 50");
        then.push((desk.ok("GET blue-2 *").lines, desk.ok("WORLD").lines, desk.ok("SCORE").head));
    }
    live.end_by("TERM");
    let replay = Server::replay(path(&folder, "a.mcap"), &["--speed", "0.001"]);
    let mut desk = Client::operator(&replay);
    desk.ok("PAUSE");
    for index in [5, 0, 3, 2] {
        let (sensors, truth, score) = &then[index];
        desk.ok(&format!("SEEK {}", (index + 1) * 50));
        // Stamps are of another time: DATA, the sensor, its stamp, its integers.
        let without_stamp = |lines: &[String]| -> Vec<(String, String)> {
            let parts = |line: &String| {
                let mut parts = line.splitn(4, ' ').map(str::to_owned);
                (parts.nth(1).expect("a sensor"), parts.nth(1).expect("integers"))
            };
            lines.iter().map(parts).collect()
        };
        assert_eq!(without_stamp(&desk.ok("GET blue-2 *").lines), without_stamp(sensors));
        assert_eq!(&desk.ok("WORLD").lines, truth);
        assert_eq!(&desk.ok("SCORE").head, score);
    }
    for change in ["BALL 0 0 0", "RESET", "SETSCORE blue 3", "REMOVE blue-1", "RECORD start x", "TAKE blue-1"]
    {
        assert!(desk.fails(change).contains("record/replay"), "{change}");
    }
    desk.ok("SEEK 300");
    desk.ok("SPEED -1000");
    desk.ok("RESUME");
    while desk.ok("STATUS").number("tick") > 0 {}
    assert_eq!(desk.ok("STATUS").number("paused"), 1, "it stands at its beginning");
    desk.ok("STEP 7");
    let status = desk.ok("STATUS");
    assert_eq!((status.number("tick"), status.number("replay")), (7, 1));
}

/// Only a live world has no way back but by SEEK.
#[test]
fn a_live_world_does_not_run_backwards() {
    let server = Server::start("worlds/empty.toml", &["--studio", "off"]);
    assert!(Client::operator(&server).fails("SPEED -1").contains("SEEK"));
}

/// The server is killed at any tick: what is left opens, is made whole, and is the world that was. `TOUCHLINE_KILLS` says how often; what was
/// lost is told, for only a machine with a free core can show that it is at most 200 ms.
#[test]
fn a_killed_server_loses_little() {
    let times: u64 =
        std::env::var("TOUCHLINE_KILLS").ok().map_or(8, |times| times.parse().expect("a number"));
    let mut lost_steps = Vec::new();
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..times {
        let (file, whole) =
            (path(&folder, &format!("{number}.mcap")), path(&folder, &format!("{number}-whole.mcap")));
        let server = Server::start(WORLD, &["--studio", "off", "--record", &file]);
        let mut desk = Client::operator(&server);
        // Every time at another place between two flushes.
        while desk.ok("STATUS").number("step") < 60 + 7 * (number % 20) {}
        while log(&["info", &file, "--json"]).json()["ticks"] == 0 {}
        let step = desk.ok("STATUS").number("step");
        server.kill();
        let info = log(&["info", &file, "--json"]);
        assert_eq!(info.code, Some(0), "{info:?}");
        let info = info.json();
        assert_eq!(info["whole"], false);
        let newest = info["ticks"].as_u64().expect("a number");
        assert!(newest > 0, "step {step} was made, nothing is there");
        lost_steps.push(step.saturating_sub(newest));
        let recovered = log(&["recover", &file, "--out", &whole]);
        assert_eq!(recovered.code, Some(0), "{recovered:?}");
        let verified = log(&["verify", &whole, "--json"]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
        assert_eq!(log(&["info", &whole, "--json"]).json()["whole"], true);
    }
    let within = lost_steps.iter().filter(|&&lost| lost <= 20).count();
    let most = lost_steps.iter().max();
    println!(
        "{times} of {times} recovered and verified; at most 200 ms lost: {within}; most: {most:?} steps of 10 ms"
    );
}

/// A process that may write no file above this size sees a full disk.
fn on_a_full_disk(arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 800; exec \"$0\" \"$@\"";
    command.args(["-c", script]).arg(touchline()).args(arguments).current_dir(root());
    command
}

/// A full disk ends the recording with its reason, and nothing else.
#[test]
#[cfg(unix)]
fn a_full_disk_ends_the_file_and_not_the_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "full.mcap");
    let ran = outcome(&mut on_a_full_disk(&["run", WORLD, "--for", "120", "--record", &file]));
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.stderr.contains("full.mcap") && ran.stderr.contains("can be read"), "{ran:?}");
    let info = log(&["info", &file, "--json"]).json();
    assert!(info["ticks"].as_u64().is_some_and(|ticks| ticks > 50), "{info}");

    let file = path(&folder, "served.mcap");
    let command = on_a_full_disk(&["serve", WORLD]);
    let server = Server::launch(command, &["--studio", "off", "--speed", "lockstep", "--record", &file]);
    let mut desk = Client::operator(&server);
    desk.ok("STEP 12000");
    // The recorder reads its queue every few milliseconds.
    while !desk.ok("STATUS").head.contains("recording_failure=") {}
    let status = desk.ok("STATUS");
    assert_eq!(status.number("step"), 12000);
    assert!(status.head.contains("recording_failure="), "{status:?}");
}

/// What is no recording is refused with what it is and what to do; a recording is never written over.
#[test]
fn bad_recordings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = recorded(&folder);
    let bytes = std::fs::read(&file).expect("a recording");
    let write = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    };
    let refused = |file: &Path, word: &str| {
        for command in [&["log", "info"][..], &["log", "verify"], &["replay"]] {
            let outcome = run([command, &[&file.display().to_string()]].concat());
            assert_eq!(outcome.code, Some(3), "{outcome:?}");
            assert!(outcome.stderr.contains(word), "{word}: {outcome:?}");
        }
    };
    refused(&write("text.mcap", b"[world]\nname = 1\nand more, so that there is something"), "no MCAP file");
    refused(&write("empty.mcap", b""), "no MCAP file");
    refused(&write("head.mcap", &bytes[..300]), "nothing to recover");
    let again = run(["run", WORLD, "--steps", "10", "--record", &file]);
    assert_eq!(again.code, Some(4));
    assert!(again.stderr.contains("already"), "{again:?}");
    assert_eq!(std::fs::read(&file).expect("a recording"), bytes);
    assert_eq!(log(&["info", "nowhere.mcap"]).code, Some(4));
    let cut = log(&["cut", &file, "--from", "3", "--to", "2", "--out", &path(&folder, "cut.mcap")]);
    assert_eq!(cut.code, Some(3), "{cut:?}");
}

/// A part of a recording is a recording; and there are tables of it.
#[test]
fn recordings_are_cut_and_made_tables_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, part) = (recorded(&folder), path(&folder, "part.mcap"));
    assert_eq!(log(&["cut", &file, "--from", "1", "--to", "3", "--out", &part]).code, Some(0));
    let info = log(&["info", &part, "--json"]).json();
    assert_eq!(
        (&info["first_tick"], &info["last_tick"], &info["ticks"]),
        (&json!(100), &json!(300), &json!(200))
    );
    assert_eq!(info["seconds"], 2.0);
    assert_eq!(log(&["verify", &part]).code, Some(0));
    let table = log(&["csv", &part]).stdout;
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("tick,step,time_s,object,x_m,y_m,theta_rad,z_m"));
    assert!(table.contains(",ball-0,") && table.contains(",yellow-4,"));
    let states = log(&["csv", &part, "--topic", "/touchline/state"]).stdout;
    assert_eq!(
        states.lines().count(),
        1 + 22,
        "a head, ten a second from 1 s to 3 s, and the ball's new place"
    );
    let unknown = log(&["csv", &part, "--topic", "/odom"]);
    assert_eq!(unknown.code, Some(3));
    assert!(unknown.stderr.contains("/touchline/state"), "{unknown:?}");
    let empty = log(&["csv", &part, "--topic", "/touchline/gaps"]);
    assert_eq!(empty.code, Some(3));
    assert!(empty.stderr.contains("has no messages in this recording"), "{empty:?}");
    assert_eq!(empty.stderr.matches("/touchline/gaps").count(), 1, "it is not offered: {empty:?}");
}

/// A part begins where it was cut out, whoever looks at it; outside of it there is nothing to cut.
#[test]
fn a_part_begins_where_it_was_cut_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, part) = (recorded(&folder), path(&folder, "part.mcap"));
    assert_eq!(log(&["cut", &file, "--from", "1", "--to", "3", "--out", &part]).code, Some(0));
    let server = Server::replay(&part, &["--studio", "off", "--speed", "0.001"]);
    let mut desk = Client::operator(&server);
    desk.ok("PAUSE");
    assert!((100..110).contains(&desk.ok("STATUS").number("tick")), "it begins there");
    let timeline = desk.ok("TIMELINE");
    assert_eq!((timeline.number("oldest"), timeline.number("newest")), (100, 300));
    assert!(desk.fails("SEEK 99").contains("100 to 300"));
    desk.ok("SEEK 101");
    desk.ok("SPEED -1000");
    desk.ok("RESUME");
    while desk.ok("STATUS").number("paused") == 0 {}
    assert_eq!(desk.ok("STATUS").number("tick"), 100, "it stands at its beginning");
    let again = path(&folder, "again.mcap");
    for (of, from, to) in [(&part, "0", "0.5"), (&part, "4", "5"), (&file, "100", "200")] {
        let cut = log(&["cut", of, "--from", from, "--to", to, "--out", &again]);
        assert_eq!(cut.code, Some(3), "{cut:?}");
        assert!(cut.stderr.contains("nothing of it lies there: the recording has"), "{cut:?}");
        assert!(!Path::new(&again).exists(), "no file is left");
    }
}

/// What a client may call things can be read again; what cannot be told in a line is refused at once.
#[test]
fn whatever_a_client_calls_things_the_recording_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "names.mcap");
    let server =
        Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep", "--record", &file]);
    let mut desk = Client::operator(&server);
    desk.ok("ROBOT g file=pioneer");
    for escape in ["\\n", "\\t"] {
        let name = format!("\"a{escape}b\"");
        desk.refused(&format!("ANNOTATE g {name} 1"), "board/bad-key");
        for line in [format!("ROBOT {name} file=pioneer"), format!("MANIPULATE g {name} open")] {
            desk.fails(&line);
        }
        // A text may have any characters.
        desk.ok(&format!("SAY g {name}"));
    }
    desk.ok("ANNOTATE g \"any key: 日本 'so'\" 1");
    desk.ok("STEP 10");
    server.end_by("TERM");
    assert_eq!(log(&["verify", &file]).code, Some(0));
    let annotations = log(&["csv", &file, "--topic", "/touchline/annotations"]);
    assert!(annotations.stdout.contains("any key: 日本 'so'"), "{annotations:?}");
}

/// A damaged part that is made whole begins where it was cut out, and lacks no more than was damaged.
#[test]
fn a_part_that_is_recovered_begins_where_it_was_cut_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, part, whole) =
        (path(&folder, "long.mcap"), path(&folder, "part.mcap"), path(&folder, "whole.mcap"));
    assert_eq!(run(["run", WORLD, "--for", "60", "--record", &file]).code, Some(0));
    assert_eq!(log(&["cut", &file, "--from", "5", "--out", &part]).code, Some(0));
    let mut bytes = std::fs::read(&part).expect("a recording");
    // Behind the head stands the first chunk.
    let (mut at, mut record) = (8, 0);
    while bytes[at] != 6 {
        record = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().expect("eight bytes")) as usize;
        at += 9 + record;
    }
    assert!(record > 0);
    bytes[at + 9 + 100] ^= 4;
    std::fs::write(&part, &bytes).expect("a file");
    let recovered = log(&["recover", &part, "--out", &whole, "--json"]);
    assert_eq!(recovered.code, Some(0), "{recovered:?}");
    let recovered = recovered.json();
    assert_eq!(
        (&recovered["first_tick"], &recovered["last_tick"]),
        (&json!(500), &json!(6000)),
        "{recovered}"
    );
    assert_eq!(recovered["gaps"][0]["from"], 500);
    assert_eq!(log(&["info", &whole, "--json"]).json()["ticks"], 5500);
}

/// A folder's table is shown whole or not at all.
#[test]
fn a_folder_with_a_damaged_recording_gives_no_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = recorded(&folder);
    let bytes = std::fs::read(&file).expect("a recording");
    let both = folder.path().join("both");
    std::fs::create_dir(&both).expect("a folder");
    std::fs::write(both.join("a.mcap"), &bytes).expect("a file");
    let whole = log(&["csv", &both.display().to_string()]);
    assert_eq!(whole.code, Some(0));
    assert!(whole.stdout.lines().count() > 400, "{}", whole.stdout.len());
    std::fs::write(both.join("b.mcap"), &bytes[..bytes.len() * 2 / 3]).expect("a file");
    for format in [&[][..], &["--json"]] {
        let table = log(&[&["csv", &both.display().to_string()], format].concat());
        assert_eq!((table.code, table.stdout.as_str()), (Some(3), ""), "{}", table.stderr);
    }
    let verified = log(&["verify", &both.display().to_string(), "--json"]).json();
    let sound = |index: usize| verified["recordings"][index]["sound"].clone();
    assert_eq!((sound(0), sound(1), &verified["other"]), (json!(true), json!(false), &json!(1)));
}

/// Who mistypes a recording's name is told what lies there.
#[test]
fn a_missing_recording_is_told_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let replayed = |name: &str| {
        let outcome = run(["replay", &path(name), "--board", "127.0.0.1:0", "--studio", "off"]);
        assert_eq!(outcome.code, Some(4), "{outcome:?}");
        outcome.stderr
    };
    assert!(replayed("no/match.mcap").contains(&format!("hint     there is no folder {}", path("no"))));
    assert!(replayed("match.mcap").contains("hint     no recording lies in the folder"));
    std::fs::write(path("match-1.mcap"), "").unwrap();
    assert!(
        replayed("match-7.mcap").contains(&format!("hint     did you mean \"{}\"?", path("match-1.mcap")))
    );
    assert!(replayed("cup.rcg").contains("hint     there are in its folder: match-1.mcap"));
}
