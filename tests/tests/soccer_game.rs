//! `touchline soccer` with two teams' start scripts: score, logs and recording, the same game from the same seed, and all that can go wrong.
#![cfg(target_os = "linux")]

use crate::program::{Server, command, outcome, root, run, touchline};
use std::fs;
use std::net::UdpSocket;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How a team of so many players is started.
fn team(name: &str, players: usize) -> String {
    let script = root().join("tests/tests/soccer_game/team.py");
    format!("exec python3 {} {{host}} {{port}} {name} {players}", script.display())
}

/// A game of two halves of so many seconds, of teams of so many players.
fn game(half_secs: u32, players: usize, more: &[&str]) -> Vec<String> {
    let mut words: Vec<String> =
        ["soccer", "--left", &team("Reds", players), "--right", &team("Blues", players), "--json"]
            .map(String::from)
            .to_vec();
    words.extend(["--address", "127.0.0.1:0", "--players-awaited"].map(String::from));
    words.push((2 * players).to_string());
    let half = format!("half_time={half_secs}");
    for setting in
        [&half, "nr_extra_halfs=0", "penalty_shoot_outs=false", "kick_off_wait=5", "game_over_wait=3"]
    {
        words.extend(["--set".to_owned(), format!("server::{setting}")]);
    }
    words.extend(more.iter().map(|word| (*word).to_owned()));
    words
}

fn in_folder(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// Issue of the league, numbers 1 and 7: a log that cannot be begun ends the program before a team is started, with its path.
#[test]
fn a_log_that_cannot_be_begun_is_said_before_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    let has_started = path("started");
    let start = format!("touch {has_started}");
    // Nobody, whoever runs the test, may make a file there.
    let without_rights = "/sys/kernel/touchline-game";
    let nowhere = path("no-such-folder/game");
    for (option, place, named, why) in [
        ("--logs", nowhere.as_str(), format!("{nowhere}.rcg"), "No such file or directory"),
        ("--logs", without_rights, format!("{without_rights}.rcg"), "Permission denied"),
        ("--record", nowhere.as_str(), nowhere.clone(), "No such file or directory"),
        ("--record", without_rights, without_rights.to_owned(), "Permission denied"),
    ] {
        let mut words = game(2, 1, &[option, place]);
        (words[2], words[4]) = (start.clone(), start.clone());
        let played = run(words);
        assert_eq!(played.code, Some(4), "{option} {place}: {played:?}");
        assert!(
            played.stderr.contains(&named) && played.stderr.contains(why),
            "{option} {place}: {played:?}"
        );
        assert_eq!(played.stdout, "", "{option} {place}: {played:?}");
        assert!(!Path::new(&has_started).exists(), "{option} {place}: a team was started");
    }
}

/// The logs and the recording of the game before are nobody's to overwrite: the start is refused, and leaves nothing of its own.
#[test]
fn the_files_of_the_game_before_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    let start = format!("touch {}", path("started"));
    let begin = |logs: &str, more: &[&str]| {
        let logs = path(logs);
        let mut words = game(2, 1, &[&["--logs", &logs], more].concat());
        (words[2], words[4]) = (start.clone(), "exit 3".to_owned());
        let refused = run(words);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(4), ""), "{refused:?}");
        assert!(!Path::new(&path("started")).exists(), "a team was started");
        refused.stderr
    };
    for name in ["old.rcg", "two.rcl", "old.mcap"] {
        fs::write(path(name), "of the game before").unwrap();
    }
    let said = begin("old", &[]);
    assert!(said.contains(&path("old.rcg")) && said.contains("there is such a file already"), "{said}");
    assert!(begin("two", &[]).contains(&path("two.rcl")));
    assert!(begin("new", &["--record", &path("old.mcap")]).contains(&path("old.mcap")));
    let serve = ["serve", "soccer", "--board", "127.0.0.1:0", "--studio", "off", "--soccer=127.0.0.1:0"];
    let refused = run(serve.into_iter().chain(["--soccer-logs", path("old").as_str()]));
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(refused.stderr.contains(&path("old.rcg")), "{refused:?}");
    let mut files: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["old.mcap", "old.rcg", "two.rcl"], "a refused start leaves none");
    for name in ["old.rcg", "two.rcl", "old.mcap"] {
        assert_eq!(fs::read_to_string(path(name)).unwrap(), "of the game before", "{name}");
    }
}

/// A game that never began leaves no logs, which would be in the way of the next start: a start script fails, players do not come, a server is ended.
#[test]
fn a_game_that_never_began_leaves_no_logs() {
    let folder = tempfile::tempdir().unwrap();
    let logs = in_folder(folder.path(), "new");
    let files = || fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    for _ in 0..2 {
        let mut words = game(2, 1, &["--logs", &logs]);
        (words[2], words[4]) = ("exit 3".to_owned(), "exit 3".to_owned());
        let failed = run(words);
        assert_eq!((failed.code, failed.stdout.as_str()), (Some(5), ""), "{failed:?}");
        assert_eq!(files().next(), None, "{failed:?}");
    }
    // One comes, and is in the log of commands.
    let mut words = game(2, 1, &["--logs", &logs, "--wait-secs", "5"]);
    words[4] = "true".into();
    let missing = run(words);
    assert_eq!(missing.code, Some(5), "{missing:?}");
    assert_eq!(files().next(), None, "{missing:?}");
    for _ in 0..2 {
        let server = Server::launch(
            command(["serve", "soccer"]),
            &["--studio", "off", "--soccer=127.0.0.1:0", "--soccer-logs", &logs],
        );
        let ended = server.end_by("TERM");
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(files().next(), None, "{ended:?}");
    }
}

/// A game that is stopped is not one that was played: exit code 130, and the result says so; the same before it begins.
#[test]
fn a_game_that_is_stopped_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    let stopped = |words: Vec<String>, has_begun: &dyn Fn() -> bool| {
        let mut game = command(words);
        let mut game = game.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !has_begun() {
            assert_eq!(game.try_wait().unwrap(), None, "it has ended");
            std::thread::sleep(Duration::from_millis(20));
        }
        let told = Command::new("kill").args(["-s", "INT", &game.id().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()));
        let ended = game.wait_with_output().unwrap();
        let [said, printed] = [ended.stderr, ended.stdout].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(ended.status.code(), Some(130), "{said}");
        (printed, said)
    };
    let mut words = game(2, 1, &["--wait-secs", "600", "--logs", &path("game")]);
    words[4] = format!("touch {}; exec sleep 600", path("started"));
    let (printed, said) = stopped(words, &|| Path::new(&path("started")).exists());
    assert_eq!(printed, "");
    assert!(said.contains("stopped before the game began"), "{said}");
    assert!(!["game.rcg", "game.rcl"].iter().any(|log| Path::new(&path(log)).exists()), "no game, no logs");

    let words = game(10_000, 1, &["--logs", &path("game")]);
    let is_played = || fs::metadata(path("game.rcg")).is_ok_and(|log| log.len() > 60_000);
    let (printed, said) = stopped(words, &is_played);
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&printed["interrupted"], &printed["teams"][0]), (&true.into(), &"Reds".into()), "{printed}");
    assert!(said.contains("before the game's end"), "{said}");
    assert_eq!(printed["logs"], serde_json::json!([path("game.rcg"), path("game.rcl")]));
    assert!(is_played() && Path::new(&path("game.rcl")).exists(), "what was played stays");
}

/// What is wrong with an address begins with the option of the command that was called.
#[test]
fn messages_name_the_option_of_their_command() {
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (address, code) in [("nowhere", 3), ("127.0.0.1:65535", 3), ("0.0.0.0:0", 4), (taken.as_str(), 4)] {
        let mut words = game(2, 1, &[]);
        let place = words.iter().position(|word| word == "127.0.0.1:0").unwrap();
        address.clone_into(&mut words[place]);
        let refused = run(words);
        assert_eq!(refused.code, Some(code), "{address}: {refused:?}");
        assert!(refused.stderr.starts_with("--address"), "{address}: {refused:?}");
        assert!(!refused.stderr.contains("--soccer"), "{address}: {refused:?}");
        let serve = ["serve", "soccer", "--board", "127.0.0.1:0", "--studio", "off"];
        let refused = run(serve.into_iter().chain([format!("--soccer={address}").as_str()]));
        assert_eq!(refused.code, Some(code), "{address}: {refused:?}");
        assert!(refused.stderr.starts_with("--soccer"), "{address}: {refused:?}");
    }
}

/// A log that ends on a full disk is a failure, and the game goes on to its end: its score is printed, and the other log is whole.
#[test]
fn a_log_that_ends_on_a_full_disk_is_a_failure_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    for (full, whole, end) in [
        ("game.rcg", "game.rcl", "(referee time_over)\n"),
        ("game.rcl", "game.rcg", "(team 40 Reds Blues 0 0)\n"),
    ] {
        let _ = (fs::remove_file(path("game.rcg")), fs::remove_file(path("game.rcl")));
        symlink("/dev/full", path(full)).unwrap();
        let played = run(game(2, 1, &["--logs", &path("game")]));
        assert_eq!(played.code, Some(4), "{played:?}");
        let is_named =
            played.stderr.contains(&path(full)) && played.stderr.contains("No space left on device");
        assert!(is_named && !played.stderr.contains(&path(whole)), "{played:?}");
        assert_eq!(played.json()["mode"], "time_over", "{played:?}");
        let whole = fs::read_to_string(path(whole)).unwrap();
        assert!(whole.ends_with(end), "{}", &whole[whole.len().saturating_sub(200)..]);
    }
}

/// The same of the recording, which takes no link: no file may be above a size.
#[test]
fn a_recording_that_ends_on_a_full_disk_is_a_failure_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""])
        .arg(touchline())
        .current_dir(root());
    let played = outcome(limited.args(game(2, 1, &["--record", &path("game.mcap")])));
    assert_eq!(played.code, Some(4), "{played:?}");
    assert!(
        played.stderr.contains(&path("game.mcap")) && played.stderr.contains("File too large"),
        "{played:?}"
    );
    assert_eq!(played.json()["mode"], "time_over", "{played:?}");
}

/// A server with the league's ports says at its end which log it could not write.
#[test]
fn a_server_ends_badly_when_a_log_could_not_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    let serve = ["serve", "soccer", "--board", "127.0.0.1:0", "--studio", "off", "--soccer=127.0.0.1:0"];
    let refused = run(serve.into_iter().chain(["--soccer-logs", "/sys/kernel/touchline-game"]));
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(refused.stderr.contains("/sys/kernel/touchline-game.rcg: Permission denied"), "{refused:?}");

    symlink("/dev/full", path("game.rcg")).unwrap();
    let server = Server::launch(
        command(["serve", "soccer"]),
        &["--studio", "off", "--soccer=127.0.0.1:0", "--soccer-logs", &path("game")],
    );
    let ended = server.end_by("TERM");
    assert_eq!(ended.code, Some(4), "{ended:?}");
    let is_named =
        ended.stderr.contains(&path("game.rcg")) && ended.stderr.contains("No space left on device");
    assert!(is_named, "{ended:?}");
}

/// The records of a game log of text, without the minute in which it began.
fn records(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("game.rcg")).unwrap();
    let (head, end) = text.split_once("\"(result ").unwrap();
    let (minute, end) = end.split_once(' ').unwrap();
    assert_eq!((minute.len(), minute.parse::<u64>().is_ok()), (12, true), "{minute}");
    format!("{head}\"(result {end}")
}

/// Issue of the league, numbers 1, 2 and 5: two start scripts play a game; its score is that of the goals in its log, its recording is run again bit by
/// bit, and the same seed gives the same hash and the same bytes of both logs.
#[test]
fn the_same_seed_gives_the_same_game() {
    let play = |folder: &Path, seed: &str| {
        let (logs, recording) = (in_folder(folder, "game"), in_folder(folder, "game.mcap"));
        let played = run(game(15, 2, &["--logs", &logs, "--record", &recording, "--seed", seed]));
        assert_eq!((played.code, played.stderr.as_str()), (Some(0), ""), "{played:?}");
        let json = played.json();
        assert_eq!((&json["teams"][0], &json["mode"]), (&"Reds".into(), &"time_over".into()), "{json}");
        assert_eq!((&json["cycle"], &json["missed_cycles"]), (&300.into(), &0.into()), "{json}");
        assert_eq!(json["interrupted"], false, "{json}");
        json
    };
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let first = play(folders[0].path(), "7");
    let log = records(folders[0].path());
    let goals = ["goal_l)\n", "goal_r)\n"].map(|mode| log.matches(mode).count() as u64);
    assert_eq!(first["score"], serde_json::json!(goals));
    assert!(goals[0] + goals[1] > 0, "somebody scores, so that the score says something");
    let result = format!("Reds_{}-vs-Blues_{})\")\n", goals[0], goals[1]);
    assert!(log.contains(&result), "{}", &log[log.len() - 200..]);
    // Every kick at an empty goal is a shot; its log tells the same of the game as the game did.
    let shots = first["statistics"]["shots"].as_array().unwrap();
    assert!(shots.iter().zip(goals).all(|(shots, goals)| shots.as_u64().unwrap() >= goals), "{first}");
    let told = run(["log", "statistics", &in_folder(folders[0].path(), "game.rcg"), "--json"]).json();
    for key in ["teams", "score", "statistics"] {
        assert_eq!(told[key], first[key], "{key}");
    }
    let verified = run(["log", "verify", &in_folder(folders[0].path(), "game.mcap")]);
    assert_eq!(verified.code, Some(0), "{verified:?}");

    let second = play(folders[1].path(), "7");
    assert_eq!(first["state_hash"], second["state_hash"]);
    assert!(log == records(folders[1].path()), "the game logs differ");
    let commands = |folder: &tempfile::TempDir| fs::read(folder.path().join("game.rcl")).unwrap();
    assert!(commands(&folders[0]) == commands(&folders[1]), "the logs of commands differ");
    let third = play(folders[2].path(), "8");
    assert_ne!(first["state_hash"], third["state_hash"]);
    assert!(log != records(folders[2].path()), "another seed, another game");
}

/// Issue of the league, number 1: a start script that fails ends the program at once, and is named with what it said; so are both where players are missing.
#[test]
fn a_start_script_that_fails_is_named() {
    let mut words = game(2, 1, &["--wait-secs", "3600"]);
    words[4] = "echo no such player >&2; exit 3".into();
    let failed = run(&words);
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(5), ""), "{failed:?}");
    let said = "the right team's start script has failed, exit status: 3: echo no such player >&2; exit 3\n\
                the right team's start script says: no such player\n";
    assert_eq!(failed.stderr, said);

    // It ends well, and nobody has come. The other's player has to come in that time.
    let mut words = game(2, 1, &["--wait-secs", "10"]);
    words[4] = "echo gone home".into();
    let missing = run(&words);
    assert_eq!(missing.code, Some(5), "{missing:?}");
    for line in ["1 of 2 players have come in 10 s\n", "the right team's start script says: gone home\n"] {
        assert!(missing.stderr.contains(line), "{missing:?}");
    }
}

/// Issue of the league, number 7: logs of every version, packed if the parameters say so, are those of the same game.
#[test]
fn a_game_is_logged_in_the_version_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    let play = |name: &str, set: &[&str]| {
        let logs = path(name);
        let mut more = vec!["--logs", &logs, "--seed", "7"];
        set.iter().for_each(|setting| more.extend(["--set", setting]));
        let played = run(game(2, 1, &more));
        assert_eq!(played.code, Some(0), "{played:?}");
    };
    play("six", &[]);
    play("json", &["server::game_log_version=-1", "server::game_log_compression=9"]);
    play("two", &["server::game_log_version=2"]);
    assert!(fs::read(path("json.rcg.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
    assert!(fs::read(path("two.rcg")).unwrap().starts_with(b"ULG\x02"));
    for (from, version, to) in [
        ("json.rcg.gz", "6", "json.6"),
        ("six.rcg", "2", "six.2"),
        ("two.rcg", "2", "two.2"),
        ("six.rcg", "json", "six.gz"),
    ] {
        let converted = run(["log", "convert", &path(from), "--version", version, "--out", &path(to)]);
        assert_eq!(converted.code, Some(0), "{converted:?}");
    }
    // The first lines are of parameters, which are others.
    let shows = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(path(name)).unwrap();
        let lines = text.lines().filter(|line| line.starts_with("(show") || line.starts_with("(team"));
        // JSON tells no focus; nobody focuses on anything here.
        lines.map(str::to_owned).collect()
    };
    assert!(shows("six.rcg").len() > 40);
    // As at that server: no show of the cycles at which it is kicked off, also where nothing is waited for.
    play("hasty", &["server::kick_off_wait=0"]);
    for name in ["six.rcg", "hasty.rcg"] {
        let shows = shows(name);
        let cycles = shows.iter().filter_map(|line| line.strip_prefix("(show ")?.split(' ').next());
        let mut cycles: Vec<u32> = cycles.map(|cycle| cycle.parse().unwrap()).collect();
        cycles.dedup();
        assert_eq!(cycles, (1..20).chain(21..41).collect::<Vec<_>>(), "{name}");
    }
    let commands = fs::read_to_string(path("six.rcl")).unwrap();
    assert!(commands.starts_with("0,0\tRecv Reds_1: (init Reds (version 18))\n"), "{commands}");
    assert_eq!(shows("json.6"), shows("six.rcg"));
    // Six digits of text are finer than sixteenths of a metre, but where a place lies between two of them.
    let binary = |name: &str| fs::read(path(name)).unwrap();
    assert_eq!(binary("two.2"), binary("two.rcg"));
    assert_eq!(binary("six.2").len(), binary("two.rcg").len());
    assert!(binary("six.gz").starts_with(&[0x1f, 0x8b]));
}

/// Issue of the league, number 3: that server's own files of parameters are read beside the world file, and what they cannot mean is named.
#[test]
fn files_of_the_server_stand_before_the_world_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| in_folder(folder.path(), name);
    fs::write(path("server.conf"), "# Configurations\nserver::half_time = 3\nserver::auto_mode = false\n")
        .unwrap();
    fs::write(path("bad.conf"), "server::half_time = 2\nserver::half_tme = 3\nplayer::pt_mx = 3\n").unwrap();
    // No setting of its own says how long a half is.
    let mut words = game(2, 1, &["--seed", "7", "--conf", &path("server.conf")]);
    let half = words.iter().position(|word| word == "server::half_time=2").unwrap();
    words.drain(half - 1..=half);
    let played = run(&words);
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!(played.json()["cycle"], 60, "{played:?}");

    let refused = run(game(2, 1, &["--conf", &path("bad.conf")]));
    assert_eq!(refused.code, Some(3), "{refused:?}");
    let bad = path("bad.conf");
    let said = format!(
        "{bad}: line 2: there is no parameter `half_tme`; did you mean `half_time`?\n\
         {bad}: line 3: there is no parameter `pt_mx`; did you mean `pt_max`?\n"
    );
    assert_eq!(refused.stderr, said);
    let serve = ["serve", "soccer", "--soccer=127.0.0.1:0", "--board", "127.0.0.1:0", "--studio", "off"];
    let refused = run(serve.into_iter().chain(["--soccer-conf", bad.as_str()]));
    assert_eq!((refused.code, refused.stderr), (Some(3), said));
}
