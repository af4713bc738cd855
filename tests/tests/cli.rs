//! The command line's contract: commands, exit codes, `--json` outputs, messages. [P1, P6, W1, R1]

use crate::build::plugin_dir;
use crate::program::{Outcome, Server, command, outcome, root, run};
use serde_json::Value;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use tempfile::TempDir;

/// The files of a folder of the repository with this ending, as the user would name them.
pub fn shipped(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    let names = entries.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".toml"));
    let mut files: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} is empty");
    files
}

pub fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The path of a shipped robot file, to be named in a world file anywhere.
pub fn robot(name: &str) -> String {
    root().join("robots").join(name).to_str().unwrap().to_owned()
}

pub fn assert_code(outcome: &Outcome, code: i32) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
}

/// The commands that `--help` lists, but for `help` itself.
fn listed_commands(help: &str) -> Vec<&str> {
    let (_, list) = help.split_once("\nCommands:\n").unwrap();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    // What an explanation goes on with on a line of its own stands further to the right.
    let names = lines.filter_map(|line| line[2..].split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").collect()
}

#[test]
fn every_command_explains_itself() {
    let help = run(["--help"]);
    assert_code(&help, 0);
    assert!(help.stdout.contains("Exit codes:"), "{}", help.stdout);
    let names = listed_commands(&help.stdout);
    assert!(names.contains(&"serve") && names.len() >= 14, "{names:?} in {}", help.stdout);
    for name in names {
        let help = run([name, "--help"]);
        assert_code(&help, 0);
        assert!(help.stdout.contains(&format!("Usage: touchline {name}")), "{}", help.stdout);
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
    }
    assert_eq!(run(["--version"]).stdout.trim(), concat!("touchline ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_command_line_is_code_2_with_a_hint_and_no_output() {
    let lines: &[(&[&str], &str)] = &[
        (&[], "Usage"),
        (&["frobnicate"], "frobnicate"),
        (&["--frobnicate"], "--frobnicate"),
        (&["run"], "WORLD"),
        (&["run", "worlds/empty.toml", "--stepps", "1"], "--steps"),
        (&["run", "worlds/empty.toml", "--steps", "1", "--for", "1"], "cannot be used with"),
        (&["run", "worlds/empty.toml", "--for", "nan"], "from 0 to 1e9"),
        (&["run", "worlds/empty.toml", "--for", "inf"], "from 0 to 1e9"),
        (&["run", "worlds/empty.toml", "--steps", "-1"], "0 or more"),
        (&["run", "worlds/empty.toml", "--steps", "1.5"], "0 or more"),
        (&["run", "worlds/empty.toml", "--for=-1"], "from 0 to 1e9"),
        (&["run", "worlds/empty.toml", "--seed", "x"], "--seed"),
        (&["serve", "worlds/empty.toml", "--speed", "0"], "lockstep"),
        (&["check"], "FILE"),
        (&["describe"], "ROBOT"),
        (&["schema", "ball"], "robot"),
        (&["completions", "csh"], "bash"),
        (&["new-plugin", "wheel", "x"], "motion, sensor, player, referee"),
        (&["new-plugin", "sensor", "Compass"], "lower-case"),
        (&["new-plugin", "sensor", "../x"], "lower-case"),
    ];
    for (line, hint) in lines {
        let outcome = run(*line);
        assert_code(&outcome, 2);
        assert!(outcome.stderr.contains(hint) && outcome.stdout.is_empty(), "{line:?}: {outcome:?}");
    }
}

/// W3: one JSON object with what is promised; the same command gives the same state.
#[test]
fn run_prints_one_json_object() {
    let run_empty = |length: [&str; 2], seed: &str| {
        let outcome = run(["run", "worlds/empty.toml", length[0], length[1], "--seed", seed, "--json"]);
        assert_code(&outcome, 0);
        assert_eq!((outcome.stdout.lines().count(), outcome.stderr.as_str()), (1, ""), "{outcome:?}");
        outcome.json()
    };
    let summary = run_empty(["--steps", "150"], "7");
    let keys: Vec<&str> = summary.as_object().unwrap().keys().map(String::as_str).collect();
    let promised = [
        "cpu_seconds",
        "faults",
        "real_time_factor",
        "score",
        "seed",
        "sim_seconds",
        "state_hash",
        "steps",
        "wall_seconds",
        "world",
    ];
    assert_eq!(keys, promised);
    assert_eq!(
        (&summary["world"], &summary["seed"], &summary["steps"]),
        (&"empty".into(), &7.into(), &150.into())
    );
    assert_eq!(summary["sim_seconds"], 1.5);
    assert_eq!(summary["score"], serde_json::json!({ "blue": 0, "yellow": 0 }));
    assert_eq!(summary["faults"], serde_json::json!([]));
    for key in ["wall_seconds", "cpu_seconds", "real_time_factor"] {
        assert!(summary[key].as_f64().is_some_and(|number| number >= 0.0), "{key}: {summary}");
    }
    let hash = summary["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");

    assert_eq!(run_empty(["--for", "1.5"], "7")["state_hash"], hash);
    assert_ne!(run_empty(["--steps", "151"], "7")["state_hash"], hash);
}

#[test]
fn run_without_json_tells_people_the_same() {
    let outcome = run(["run", "worlds/empty.toml", "--steps", "100"]);
    assert_code(&outcome, 0);
    for part in ["empty: 100 steps", "1.0 simulated seconds", "blue 0, yellow 0", "seed 1"] {
        assert!(outcome.stdout.contains(part), "{part}: {outcome:?}");
    }
}

#[test]
fn run_opens_no_port() {
    // If somebody else has them, they are taken all the better.
    let _taken = [7050, 7051].map(|port| TcpListener::bind(("127.0.0.1", port)));
    assert_code(&run(["run", "worlds/empty.toml", "--steps", "1"]), 0);
}

/// Board and studio listen when the ready line says so; SIGTERM, SIGINT and SIGHUP are a graceful end.
#[test]
fn serve_says_when_it_is_ready_and_ends_by_signal() {
    for signal in ["TERM", "INT", "HUP"] {
        let server = Server::start("worlds/f2000.toml", &[]);
        let keys: Vec<&str> = server.ready.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            (keys, &server.ready["event"]),
            (vec!["board", "event", "priority", "studio"], &"ready".into())
        );

        let mut greeting = String::new();
        let board = TcpStream::connect(server.board).unwrap();
        BufReader::new(board.try_clone().unwrap()).read_line(&mut greeting).unwrap();
        assert!(greeting.starts_with("TOUCHLINE 1 "), "{greeting:?}");

        let mut studio = TcpStream::connect(server.studio().unwrap()).unwrap();
        let host = server.studio().unwrap();
        write!(studio, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut page = String::new();
        studio.read_to_string(&mut page).unwrap();
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("<html"), "{page}");

        // With a client that is still there.
        let end = server.end_by(signal);
        assert_eq!((end.code, end.stdout.as_str()), (Some(0), ""), "{end:?}");
        assert!(!end.stderr.contains("ERROR") && !end.stderr.contains("panicked"), "{}", end.stderr);
        drop(board);
    }
}

#[test]
fn the_studio_can_be_off() {
    let server = Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep"]);
    assert_eq!(server.ready["studio"], Value::Null);
    assert_eq!(server.end_by("TERM").code, Some(0));
}

/// What `cargo play` shows: world, robots, plugins, and where to look.
#[test]
fn serve_tells_people_what_runs_and_where() {
    let mut command =
        command(["serve", "worlds/f2000.toml", "--board", "127.0.0.1:0", "--studio", "127.0.0.1:0"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let told: Vec<String> = lines.take_while(|line| line != "Ctrl-C stops.").collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let told = told.join("\n");
    for part in [
        "world    f2000",
        "blue-1 (keeper, goalkeeper)",
        "sensor-laser",
        "board    127.0.0.1:",
        "HELP",
        "http://127.0.0.1:",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_port_in_use_is_code_4_with_a_hint() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (option, other) in [("--board", "--studio"), ("--studio", "--board")] {
        let outcome = run(["serve", "worlds/empty.toml", option, &address, other, "127.0.0.1:0"]);
        assert_code(&outcome, 4);
        assert!(outcome.stderr.contains(&format!("{option} {address}")), "{outcome:?}");
        assert!(outcome.stderr.contains("hint     another program listens there"), "{outcome:?}");
        assert_eq!(outcome.stdout, "");
    }
    let outcome = run(["serve", "worlds/empty.toml", "--board", "nowhere"]);
    assert_code(&outcome, 4);
    assert!(outcome.stderr.contains("HOST:PORT"), "{outcome:?}");
}

#[test]
fn a_file_that_is_not_there_is_code_4() {
    for name in ["serve", "run"] {
        let outcome = run([name, "worlds/f200.toml"]);
        assert_code(&outcome, 4);
        assert!(outcome.stderr.contains("worlds/f200.toml"), "{outcome:?}");
    }
    let outcome = run(["serve", "worlds/empty.toml", "--keys", "no/such/file"]);
    assert_code(&outcome, 4);
    assert!(outcome.stderr.contains("no/such/file"), "{outcome:?}");
}

/// R1: all that is wrong is said at once, each at its place, and nothing runs.
#[test]
fn a_wrong_world_is_code_3_with_every_problem_at_its_place() {
    let folder = folder();
    let world = write(
        &folder,
        "wrong.toml",
        "name = \"wrong\"\nseeed = 1\ndt_s = nan\n\n[[ball]]\nradius_m = -1.0\nmass_kg = \"heavy\"\n",
    );
    for name in ["run", "serve"] {
        let outcome = run([name, &world]);
        assert_code(&outcome, 3);
        for place in [":2:1: ", ":3:8: ", ":6:12: ", ":7:11: "] {
            assert!(outcome.stderr.contains(&format!("{world}{place}")), "{place}: {}", outcome.stderr);
        }
        assert!(outcome.stderr.contains("hint     did you mean \"seed\"?"), "{}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
}

/// W2: robots that stand in each other are an error of the file, not of the simulation.
#[test]
fn overlapping_robots_are_code_3() {
    let folder = folder();
    let robot = |name: &str, x_m: f64| {
        let file = robot("scout.toml");
        format!(
            "[[robot]]\nname = \"{name}\"\nfile = {file:?}\npose = {{ x_m = {x_m:?}, y_m = 0.0, theta_rad = 0.0 }}\n"
        )
    };
    let text = format!("name = \"crowd\"\n{}{}", robot("left", 0.0), robot("right", 0.2));
    let world = write(&folder, "crowd.toml", &text);
    let outcome = run(["run", &world, "--steps", "1"]);
    assert_code(&outcome, 3);
    for part in ["left", "right", "overlap"] {
        assert!(outcome.stderr.contains(part), "{part}: {outcome:?}");
    }
}

/// P1: the name that was meant, and every file that was looked at in vain.
#[test]
fn a_missing_plugin_is_code_5_and_names_every_attempt() {
    let folder = folder();
    let broken = write(&folder, &format!("libbroken{DLL_SUFFIX}"), "not a library");
    let text = fs::read_to_string(root().join("robots/scout.toml")).unwrap();
    // The robot without its parts, which are elsewhere.
    let text: String =
        text.lines().filter(|line| !line.starts_with("include")).map(|line| format!("{line}\n")).collect();
    write(&folder, "robot.toml", &text.replace("\"differential\"", "\"diferential\""));
    let world =
        write(&folder, "world.toml", "name = \"w\"\n[[robot]]\nname = \"r\"\nfile = \"robot.toml\"\n");
    let outcome = run(["run", &world, "--steps", "1", "--plugins", folder.path().to_str().unwrap()]);
    assert_code(&outcome, 5);
    for part in [
        "no plugin \"diferential\"",
        "differential, learned, misbehave, omni",
        "did you mean \"differential\"?",
        &broken,
    ] {
        assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
    }
}

#[test]
fn completions_and_man_page_know_the_commands() {
    let help = run(["--help"]).stdout;
    let names = listed_commands(&help);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let outcome = run(["completions", shell]);
        assert_code(&outcome, 0);
        assert!(names.iter().all(|name| outcome.stdout.contains(name)), "{shell}");
    }
    let man = run(["man"]);
    assert_code(&man, 0);
    assert!(man.stdout.starts_with(".ie") || man.stdout.starts_with(".TH"), "{}", man.stdout);
    assert!(man.stdout.contains(".TH touchline 1") && man.stdout.contains("ready\\-json"), "{}", man.stdout);
}

/// C7: the catalogue of a robot without a server: the answer to DESCRIBE, with a row for each team of the world that is named.
#[test]
fn describe_prints_what_a_server_answers() {
    let goals = |rest: &[&str]| {
        let outcome = run([&["describe", "pioneer"], rest].concat());
        assert_code(&outcome, 0);
        let (head, lines) = outcome.stdout.split_once('\n').unwrap();
        assert!(head.starts_with("OK DESCRIBE robot=0 name=pioneer "), "{head}");
        assert!(head.ends_with(&format!(" lines={}", lines.lines().count())), "{head}");
        let goals = lines.lines().find_map(|line| line.strip_prefix("FEATURE goals integers="));
        goals.unwrap().parse::<usize>().unwrap()
    };
    assert_eq!((goals(&[]), goals(&["--world", "f2000"])), (0, 8));
    let wrong = run(["describe", "pioneer", "--world", "nowhere"]);
    assert_code(&wrong, 4);
    assert!(wrong.stderr.contains("no world of this name"), "{}", wrong.stderr);
}

/// Who is read by nobody any more, as in `… | head -1`, ends without a word.
#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = folder();
    let dir = folder.path().to_str().unwrap();
    let lines: &[&[&str]] = &[
        &["--help"],
        &["plugins"],
        &["plugins", "--json"],
        &["check", "worlds/empty.toml", "worlds/f2000.toml"],
        &["describe", "pioneer"],
        &["schema", "world"],
        &["completions", "bash"],
        &["man"],
        &["run", "worlds/empty.toml", "--steps", "1"],
        &["run", "worlds/empty.toml", "--steps", "1", "--json"],
        &["new-plugin", "sensor", "sonar", dir],
    ];
    for line in lines {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = command(*line).stdout(writer).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""), "{line:?}");
    }
}

/// P6: a robot whose motion model or sensor fails is stopped and named; the match goes on.
#[test]
fn a_plugin_that_fails_stops_its_robot_only() {
    let folder = folder();
    let body = "mass_kg = 5.0\n[[body]]\nshape = \"circle\"\nradius_m = 0.1\n";
    for how in ["panic", "panic-twice", "error", "nan", "infinite", "infinite-data"] {
        let motion =
            format!("[motion]\nplugin = \"misbehave\"\nparams = {{ how = \"{how}\", after_steps = 20 }}\n");
        write(&folder, &format!("{how}.toml"), &format!("model = \"bad\"\n{body}{motion}"));
    }
    let sensor = "[[sensor]]\nid = \"s\"\nplugin = \"misbehave\"\nparams = { how = \"panic-in-advance\", after_steps = 20 }\n";
    let motion = "[motion]\nplugin = \"differential\"\n";
    write(&folder, "sensor.toml", &format!("model = \"bad\"\n{body}{motion}{sensor}"));

    for how in ["panic", "panic-twice", "error", "nan", "infinite", "infinite-data", "sensor"] {
        let world = fs::read_to_string(root().join("worlds/keeper.toml")).unwrap();
        let world = world.replace("../robots/", &format!("{}/", root().join("robots").display()));
        let bad = format!(
            "\n[[robot]]\nname = \"bad\"\nteam = \"blue\"\nfile = \"{how}.toml\"\n\
             pose = {{ x_m = 0.5, y_m = 2.5, theta_rad = 0.0 }}\n"
        );
        let world = write(&folder, "world.toml", &(world + &bad));
        let outcome = run(["run", &world, "--steps", "200", "--json"]);
        assert_code(&outcome, 0);
        let summary = outcome.json();
        assert_eq!(summary["steps"], 200);
        let faults = summary["faults"].as_array().unwrap();
        let [fault] = faults.as_slice() else { panic!("{how}: {faults:?}") };
        let fault = fault.as_str().unwrap();
        assert!(
            fault.starts_with("step 2") && fault.contains(": bad: ") && fault.contains("misbehave"),
            "{how}: {fault}"
        );
        assert_others_play(&world);
    }
}

/// The attacker of this world runs at the ball though another robot has failed.
fn assert_others_play(world: &str) {
    let host = touchline_host::Host::scan(&[plugin_dir().to_owned()]);
    let scenario =
        touchline_config::load_world(Path::new(world), &host).unwrap_or_else(|report| panic!("{report}"));
    let mut world = touchline_sim::World::new(scenario, std::sync::Arc::new(host)).unwrap();
    for _ in 0..200 {
        world.step(&[]);
    }
    let frame = world.frame();
    let [attacker, bad] = ["attacker", "bad"].map(|name| frame.robot_named(name).unwrap());
    assert!(attacker.fault.is_none() && bad.fault.is_some());
    assert!(attacker.pose.x_m > 1.25, "the attacker stands still: {:?}", attacker.pose);
}

/// A plugin that fails when it is made is a wrong plugin, before anything moves.
#[test]
fn a_plugin_that_cannot_be_made_is_code_5() {
    let folder = folder();
    let text = "model = \"bad\"\nmass_kg = 5.0\n[[body]]\nshape = \"circle\"\nradius_m = 0.1\n\
                [motion]\nplugin = \"misbehave\"\nparams = { how = \"panic-in-new\" }\n";
    write(&folder, "robot.toml", text);
    let world =
        write(&folder, "world.toml", "name = \"w\"\n[[robot]]\nname = \"r\"\nfile = \"robot.toml\"\n");
    let outcome = outcome(&mut command(["run", &world]));
    assert_code(&outcome, 5);
    assert!(outcome.stderr.contains("robot.toml:7:") && outcome.stderr.contains("panicked"), "{outcome:?}");
}
