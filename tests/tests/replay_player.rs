//! Shadow players on recorded worlds, with the built program: `replay --player`, `log verify --player`. [Y1, W7]

use crate::client::{Client, number};
use crate::program::{Outcome, Server, outcome, root, run, touchline};
use serde_json::Value;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;

const WORLD: &str = "worlds/f2000.toml";
const STRIKER: &str = "touchline_player_striker";
const GOALKEEPER: &str = "touchline_player_goalkeeper";
/// It drives slower than the recorded one.
const SLOWER: &str = "blue-2={\"speed_fraction\": 0.5}";

/// A match of twelve seconds.
fn recorded(folder: &tempfile::TempDir) -> String {
    let file = folder.path().join("match.mcap").display().to_string();
    let ran = run(["run", WORLD, "--for", "12", "--seed", "4", "--record", &file]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    file
}

fn library(name: &str) -> PathBuf {
    touchline().with_file_name(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"))
}

/// A second library of the same plugin, as after a build elsewhere.
fn copy(folder: &tempfile::TempDir, name: &str) -> String {
    let copied = folder.path().join(format!("new-{name}{DLL_SUFFIX}"));
    std::fs::copy(library(name), &copied).unwrap();
    copied.display().to_string()
}

fn verify(file: &str, options: &[&str]) -> Outcome {
    run([&["log", "verify", file], options].concat())
}

fn players(outcome: &Outcome) -> Vec<Value> {
    outcome.json()["players"].as_array().unwrap().clone()
}

/// The unchanged players, from libraries of their own, decide the same as was recorded, bit by bit; the world is not touched.
#[test]
fn unchanged_players_differ_in_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder);
    let (striker, goalkeeper) = (copy(&folder, STRIKER), copy(&folder, GOALKEEPER));
    let mut options = vec!["--json".to_owned()];
    for team in ["blue", "yellow"] {
        options.push(format!("--player={team}-1={goalkeeper}"));
        options.extend((2..=4).map(|number| format!("--player={team}-{number}={striker}")));
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let verified = verify(&file, &options);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert_eq!(verified.json()["state_hash"], verify(&file, &["--json"]).json()["state_hash"]);
    let players = players(&verified);
    assert_eq!(players.len(), 8);
    for player in players {
        assert_eq!((&player["same_bits"], &player["first"]), (&true.into(), &Value::Null), "{player}");
        assert_eq!(player["compared"], 360, "thirty a second for twelve seconds: {player}");
    }
    let text = verify(&file, &["--player", &format!("blue-2={striker}")]);
    assert_eq!(text.code, Some(0));
    assert!(text.stdout.contains("blue-2: striker: 360 decisions, all the same, bit by bit"), "{text:?}");
}

/// Another one differs: the first decision is named with both values, and has a bookmark on the timeline; what is said to be recorded
/// is what the robot was told then.
#[test]
fn the_first_difference_is_named_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let (file, striker) = (recorded(&folder), format!("blue-2={}", copy(&folder, STRIKER)));
    let options = ["--player", &striker, "--player-parameters", SLOWER];
    let verified = verify(&file, &[&options[..], &["--json"]].concat());
    assert_eq!(verified.code, Some(1), "{verified:?}");
    assert_eq!(verified.json()["same"], true, "the world is the recorded one");
    let [player] = &players(&verified)[..] else { panic!("{verified:?}") };
    let (first, field) = (&player["first"], &player["first"]["fields"][0]);
    assert_eq!(field["field"], "forward");
    let value = |key: &str| field[key].as_str().unwrap().parse::<f64>().unwrap();
    assert_ne!(value("recorded"), value("new"));
    assert!(
        player["differing"].as_u64() > Some(50) && player["largest"][0]["by"].as_f64() > Some(0.3),
        "{player}"
    );
    let text = verify(&file, &options);
    assert_eq!(text.code, Some(1));
    let told = format!("first in step {} (tick {}, ", first["step"], first["tick"]);
    assert!(text.stdout.contains(&told), "{told}: {text:?}");

    let replay = Server::replay(&file, &[&options[..], &["--studio", "off", "--speed", "0.001"]].concat());
    let mut desk = Client::operator(&replay);
    desk.ok("PAUSE");
    let timeline = desk.ok("TIMELINE kind=difference");
    let [bookmark] = &timeline.lines[..] else { panic!("{timeline:?}") };
    assert!(
        bookmark.starts_with(&format!(
            "BOOKMARK {} difference \"blue-2 would do something else: forward",
            first["tick"]
        )),
        "{bookmark}"
    );
    assert_eq!(desk.ok("STATUS").head.find("departs="), None);
    // There and back, and to and fro: what the robot was told at the bookmark is what the bookmark says.
    for tick in [first["tick"].as_u64().unwrap(), 900, first["tick"].as_u64().unwrap()] {
        desk.ok(&format!("SEEK {tick}"));
        let told = number(desk.ok("MOTION blue-2").line("DIM forward"), "value");
        if tick != 900 {
            assert!((told - value("recorded")).abs() < 1e-6, "{told} is not {field}");
        }
    }
}

/// The same for another plugin, by its name.
#[test]
fn another_plugin_is_compared_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder);
    let still =
        ["--player", "yellow-1=goalkeeper", "--player-parameters", "yellow-1={\"policy\": \"still\"}"];
    // The recorded player's parameters are not those of another plugin.
    let wanders = ["--player", "blue-3=wanderer", "--player-parameters", "blue-3={}", "--json"];
    let verified = verify(&file, &[&still[..], &wanders].concat());
    assert_eq!(verified.code, Some(1), "{verified:?}");
    let players = players(&verified);
    let of = |robot: &str| players.iter().find(|player| player["robot"] == robot).unwrap();
    assert!(of("yellow-1")["first"].is_object() && of("blue-3")["first"].is_object());
    assert_eq!(of("blue-3")["plugin"], "wanderer");
}

/// A robot that a client drove has no player: the new one's command stands beside the client's.
#[test]
fn a_clients_robot_can_have_a_new_player() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clients.mcap").display().to_string();
    let server = Server::start(WORLD, &["--studio", "off", "--speed", "lockstep", "--record", &file]);
    let mut desk = Client::operator(&server);
    let mut guest = Client::connect(&server);
    guest.ok("HELLO 1 guest");
    guest.ok("ROBOT guest file=pioneer");
    desk.ok("STEP 50");
    guest.ok("TWIST me 0.25 0 0");
    desk.ok("STEP 200");
    assert_eq!(server.end_by("TERM").code, Some(0));
    let verified = verify(&file, &["--player", "guest=wanderer", "--json"]);
    assert_eq!(verified.code, Some(1), "{verified:?}");
    let [player] = &players(&verified)[..] else { panic!("{verified:?}") };
    assert_eq!(player["driven_by_client"], true);
    assert!(player["compared"].as_u64() > Some(50), "{player}");
}

/// Each thing that can be wrong is told with what to do, and nothing is served.
#[test]
fn wrong_players_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder);
    let sensor = library("touchline_sensor_truth").display().to_string();
    let wrong: [(&[&str], i32, &str); 8] = [
        (&["--player", "red-1=striker"], 3, "robots with players: blue-1 (goalkeeper), blue-2 (striker)"),
        (
            &["--player", "blue-2=stricker"],
            5,
            "there are: challenger, coach, goalkeeper, onnx, soccer, striker, wanderer",
        ),
        (&["--player", "blue-2=./nowhere.so"], 5, "nowhere.so"),
        (&["--player", &format!("blue-2={sensor}")], 5, "not a player"),
        (&["--player", "blue-2"], 2, "ROBOT=PLUGIN"),
        (&["--player", "blue-1=striker"], 5, "--player-parameters blue-1=JSON"),
        (&["--player", "blue-2=striker", "--player", "blue-2=wanderer"], 3, "named before"),
        (&["--player-parameters", SLOWER], 3, "has no --player"),
    ];
    for (options, code, word) in wrong {
        for command in [&["log", "verify", &file][..], &["replay", &file, "--board", "127.0.0.1:0"]] {
            let refused = run([command, options].concat());
            assert_eq!(refused.code, Some(code), "{refused:?}");
            assert!(refused.stderr.contains(word), "{word}: {refused:?}");
        }
    }
}

/// The program and its plugins in another place, but for one.
fn program_without(folder: &Path, missing: &Path) -> PathBuf {
    let (program, missing) = (touchline(), missing.file_name().unwrap());
    for entry in std::fs::read_dir(program.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_owned();
        let is_wanted = path == program || name.to_string_lossy().ends_with(DLL_SUFFIX);
        if is_wanted && name != missing {
            let to = folder.join(&name);
            std::fs::hard_link(&path, &to).or_else(|_| std::fs::copy(&path, &to).map(drop)).unwrap();
        }
    }
    folder.join(program.file_name().unwrap())
}

/// Where a recording cannot be run again, that is said: in the status and on the timeline, with the reason; and nothing is compared
/// that nobody knows.
#[test]
fn a_replay_that_departs_says_so() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, striker) = (recorded(&folder), copy(&folder, STRIKER));
    let program = program_without(elsewhere.path(), &library(STRIKER));
    let call = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(root());
        command
    };
    let new = format!("blue-2={striker}");
    for arguments in [&["log", "verify", &file, "--player", &new][..], &["replay", &file, "--player", &new]] {
        let refused = outcome(&mut call(arguments));
        assert_eq!(refused.code, Some(5), "{refused:?}");
        assert!(
            refused.stderr.contains("\"striker\" is not here") && refused.stderr.contains("--plugins"),
            "{refused:?}"
        );
    }
    let command = call(&["replay", &file, "--player", "yellow-1=goalkeeper"]);
    let replay = Server::launch(command, &["--studio", "off", "--speed", "0.001"]);
    let mut desk = Client::operator(&replay);
    let status = desk.ok("STATUS");
    let departs = status.number("departs");
    assert!((1..20).contains(&departs), "the strikers drive at once: {status:?}");
    let timeline = desk.ok("TIMELINE kind=divergence");
    assert!(timeline.lines[0].starts_with(&format!("BOOKMARK {departs} divergence ")), "{timeline:?}");
    assert!(timeline.lines[0].contains("player-striker"), "{timeline:?}");
    assert!(desk.ok("TIMELINE kind=difference").lines.is_empty());
}
