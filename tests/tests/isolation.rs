//! Plugins in processes of their own: what they do costs them alone, and what they decide is the same. [P1, P6]

#![cfg(target_os = "linux")]

use crate::build::plugin_file;
use crate::client::Client;
use crate::program::{Outcome, Server, command, outcome, root, run, touchline};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A match in which a robot misbehaves after 20 steps; `isolate` stands in its file.
fn world(folder: &TempDir, how: &str, isolate: bool) -> String {
    let robot = format!(
        "model = \"bad\"\nmass_kg = 5.0\nbody = [{{ shape = \"circle\", radius_m = 0.1 }}]\n\
         motion = {{ plugin = \"misbehave\", isolate = {isolate}, params = {{ how = \"{how}\", after_steps = 20 }} }}\n"
    );
    fs::write(folder.path().join("bad.toml"), robot).unwrap();
    let world = fs::read_to_string(root().join("worlds/keeper.toml")).unwrap();
    let world = world.replace("../robots/", &format!("{}/", root().join("robots").display()));
    let bad = "\n[[robot]]\nname = \"bad\"\nteam = \"blue\"\nfile = \"bad.toml\"\n\
               pose = { x_m = 0.5, y_m = 2.5, theta_rad = 0.0 }\n";
    let file = folder.path().join("world.toml");
    fs::write(&file, world + bad).unwrap();
    file.display().to_string()
}

fn the_fault(outcome: &Outcome) -> String {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let summary = outcome.json();
    assert_eq!(summary["steps"], 200);
    let faults = summary["faults"].as_array().unwrap();
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    fault.as_str().unwrap().to_owned()
}

/// A busy machine may let a plugin stand that does nothing wrong, milliseconds.
const PATIENT: &str = "60000";
/// All plugins in processes of their own.
const APART: [&str; 3] = ["--isolate=all", "--isolate-ms", PATIENT];

/// P6: folders are named as the user sees them, though the plugins' processes are elsewhere.
#[test]
fn plugins_of_a_relative_folder_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let library = plugin_file("touchline-test-misbehave");
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::copy(&library, folder.path().join("mine").join(library.file_name().unwrap())).unwrap();
    let world = world(&folder, "error", false);
    let words = ["run", &world, "--steps", "5", "--json", "--plugins", "mine"];
    let mut program = command([&words[..], &APART[..]].concat());
    let ran = outcome(program.current_dir(folder.path()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["faults"], serde_json::json!([]), "{ran:?}");
}

/// P1, P6: whatever an isolated plugin does, the match ends, its robot alone has stopped, and what happened is named.
#[test]
fn an_isolated_plugin_costs_its_robot_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (how, says) in [
        ("panic", "panicked: misbehaves"),
        ("panic-twice", "panicked"),
        ("error", "misbehaves: step 21"),
        ("nan", "not finite"),
        ("infinite", "not finite"),
        ("infinite-data", "not finite"),
        ("hang", "it did not return within 300 ms: its process was ended"),
        ("abort", "its process ended: SIGABRT"),
        ("overflow", "its process ended: SIG"),
        ("exit", "its process ended: it left with exit code 0; a plugin must return"),
        ("leak", "its process ended: SIGABRT"),
    ] {
        let world = world(&folder, how, true);
        let limit = if how == "hang" { "300" } else { PATIENT };
        let line = ["run", &world, "--steps", "200", "--json", "--isolate-ms", limit, "--isolate-mb", "64"];
        let fault = the_fault(&run(line));
        assert!(fault.contains(": bad: ") && fault.contains("misbehave"), "{how}: {fault}");
        assert!(fault.contains(says), "{how}: {fault}");
    }
}

/// `touchline run` makes each plugin once: what the file was checked with plays.
#[test]
fn a_run_makes_each_plugin_once() {
    let folder = tempfile::tempdir().unwrap();
    let (world, notes) = (world(&folder, "not", false), folder.path().join("notes"));
    let robot = fs::read_to_string(folder.path().join("bad.toml")).unwrap();
    let robot = robot.replace("how = \"not\"", &format!("how = \"not\", notes = \"{}\"", notes.display()));
    fs::write(folder.path().join("bad.toml"), robot).unwrap();
    let second = "\n[[robot]]\nname = \"worse\"\nteam = \"blue\"\nfile = \"bad.toml\"\n\
                  pose = { x_m = 1.0, y_m = 2.5, theta_rad = 0.0 }\n";
    fs::write(&world, fs::read_to_string(&world).unwrap() + second).unwrap();
    let outcome = run(["run", &world, "--steps", "1"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "bad\nworse\n");
}

/// P1: an isolated plugin is refused what is not its business; where it is not isolated, it is let.
#[test]
fn an_isolated_plugin_has_no_files_no_network_no_programs_and_no_threads() {
    let folder = tempfile::tempdir().unwrap();
    for how in ["read-file", "write-file", "listen", "spawn", "thread"] {
        let world = world(&folder, how, false);
        let free = the_fault(&run(["run", &world, "--steps", "200", "--json"]));
        assert!(free.contains("it was let"), "{how}: {free}");
        let isolated = [&["run", &world, "--steps", "200", "--json"], &APART[..]].concat();
        let isolated = the_fault(&run(isolated));
        assert!(isolated.contains("it was refused"), "{how}: {isolated}");
    }
}

/// P1: one robot file that a player sends asks for 65 processes: it gets none, and the match goes on; a file of the server's may ask for them.
#[test]
fn a_robot_file_that_is_sent_starts_no_processes() {
    let folder = tempfile::tempdir().unwrap();
    let head = "model = \"many\"\nmass_kg = 5.0\nisolate = true\nbody = [{ shape = \"circle\", radius_m = 0.05 }]\n\
                motion = { plugin = \"differential\" }\n";
    let sensor = |n: u32| format!("[[sensor]]\nid = \"s{n}\"\nmodel = \"c\"\nplugin = \"compass\"\n");
    let sent = (0..64).fold(head.to_owned(), |file, n| file + &sensor(n));
    fs::write(folder.path().join("apart.toml"), head.to_owned() + &sensor(0)).unwrap();
    let robots = ["--robots", folder.path().to_str().unwrap(), "--studio", "off"];
    let server = Server::start(root().join("worlds/keeper.toml"), &robots);
    let mut client = Client::connect(&server);
    let answer = client.upload("ROBOT many", &sent);
    assert!(answer.head.starts_with("ERR config/bad-file "), "{answer:?}");
    assert!(format!("{answer:?}").contains("leave `isolate` out"), "{answer:?}");
    let apart = || children_of(server.id()).iter().filter(|child| is_isolated_plugin(child)).count();
    assert_eq!(apart(), 0);
    client.ok("ROBOT two file=apart");
    assert_eq!(apart(), 2);
}

/// P1: who comes in place of an isolated player is isolated, and so is another player of a plugin that the world file isolates: each is made once.
#[test]
fn who_is_chosen_in_place_of_an_isolated_player_is_isolated() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(&folder, "not", false);
    let robots = root().join("robots");
    let player = format!(
        "\n[[robot]]\nname = \"a\"\nteam = \"blue\"\nfile = {:?}\npose = {{ x_m = 1.5, y_m = 2.0, theta_rad = 0.0 }}\n\
         player = {{ plugin = \"striker\", isolate = true }}\n",
        robots.join("pioneer.toml")
    );
    fs::write(&world, fs::read_to_string(&world).unwrap() + &player).unwrap();
    let server = Server::start(&world, &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    let apart = || children_of(server.id()).iter().filter(|child| is_isolated_plugin(child)).count();
    assert_eq!(apart(), 1);
    // What the world began with is kept for a reset.
    desk.ok("EXCHANGE a plugin=striker params=\"{\\\"speed_fraction\\\": 0.5}\"");
    assert_eq!(apart(), 2);
    desk.ok("STEP 5");
    desk.ok("START b plugin=striker file=pioneer team=blue");
    assert_eq!(apart(), 3);
    desk.ok("START c plugin=wanderer file=pioneer");
    assert_eq!(apart(), 3, "nobody isolates that one");
}

/// I2: a match whose plugins all run in processes of their own is bit by bit the match without: every call of all four kinds goes
/// through bytes to another process and back.
#[test]
fn a_match_with_all_plugins_apart_is_the_same_bits() {
    for world in ["worlds/f2000.toml", "worlds/keeper.toml"] {
        let world = root().join(world).display().to_string();
        let hash = |extra: &[&str]| {
            let line = [&["run", &world, "--steps", "200", "--seed", "5", "--json"], extra].concat();
            let outcome = run(line);
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
            outcome.json()["state_hash"].clone()
        };
        let here = hash(&[]);
        assert!(here.is_string());
        assert_eq!(hash(&APART), here, "{world}");
    }
}

/// P3, I2: the grid that the view of many objects has goes to another process too: a robot that drives by an isolated laser in a crowd drives as one
/// whose laser is here.
#[test]
fn a_crowd_is_the_same_to_a_laser_apart() {
    let folder = tempfile::tempdir().unwrap();
    let robot = |isolate: bool| {
        format!(
            "model = \"disc\"\nmass_kg = 5.0\nbody = [{{ shape = \"circle\", radius_m = 0.1 }}]\n\
             [motion]\nplugin = \"differential\"\n\
             [[sensor]]\nid = \"laser\"\nmodel = \"laser\"\nplugin = \"laser\"\nisolate = {isolate}\n\
             mount = {{ z_m = 0.05 }}\nparams = {{ beams = 45, range_max_m = 2.0 }}\n"
        )
    };
    fs::write(folder.path().join("here.toml"), robot(false)).unwrap();
    fs::write(folder.path().join("apart.toml"), robot(true)).unwrap();
    let hash = |first: &str| {
        let robots: String = (0..289)
            .map(|index| {
                let file = if index == 144 { first } else { "here.toml" };
                let (x, y, theta) = (f64::from(index % 17) * 0.5, f64::from(index / 17) * 0.5, f64::from(index % 7));
                format!(
                    "[[robot]]\nname = \"r{index}\"\nfile = \"{file}\"\npose = {{ x_m = {x}, y_m = {y}, theta_rad = {theta} }}\n\
                     player = {{ plugin = \"wanderer\", rate_hz = 10 }}\n"
                )
            })
            .collect();
        let file = folder.path().join("crowd.toml");
        fs::write(&file, format!("name = \"crowd\"\ndt_s = 0.02\n{robots}")).unwrap();
        let file = file.display().to_string();
        let outcome = run(["run", &file, "--steps", "50", "--seed", "5", "--json", "--isolate-ms", PATIENT]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(outcome.json()["faults"], serde_json::json!([]), "{outcome:?}");
        outcome.json()["state_hash"].clone()
    };
    assert_eq!(hash("apart.toml"), hash("here.toml"));
}

/// P1: bits of a library are flipped: whatever its code does then, it does to the process that tries it; `check` says what it found.
#[test]
fn a_damaged_library_does_not_end_who_looks_at_it() {
    let folder = tempfile::tempdir().unwrap();
    let sound = fs::read(plugin_file("touchline-motion-differential")).unwrap();
    let file = folder.path().join("libdamaged.so");
    // A step that shares no factor with a power of two, so that all parts of the file have their turn.
    for turn in 0..20_usize {
        let mut damaged = sound.clone();
        for place in 0..8 {
            let bit = (turn * 8 + place) * 1_000_003 % (sound.len() * 8);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        fs::write(&file, &damaged).unwrap();
        let outcome = run(["check", &file.display().to_string()]);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.code.is_some_and(|code| code <= 1) && !said.is_empty(), "turn {turn}: {outcome:?}");
    }
}

/// P1: a library that ends whoever loads it lies in the plugin folder: every command goes on, and it is named.
#[test]
fn a_library_that_ends_who_loads_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    library_that_begins_by(&folder, "abort();");
    fs::copy(plugin_file("touchline-motion-omni"), folder.path().join("libzlast.so")).unwrap();
    let folder_name = folder.path().display().to_string();
    let outcome = run(["plugins", "--plugins", &folder_name]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let refused = outcome.stdout.lines().find(|line| line.contains("libbegins.so")).unwrap();
    assert!(refused.contains("it failed when it was tried: its process ended: SIGABRT"), "{refused}");
    let found = run(["plugins", "--json", "--plugins", &folder_name]).json();
    let omni =
        found["plugins"].as_array().unwrap().iter().find(|plugin| plugin["name"] == "omni").unwrap().clone();
    assert!(omni["path"].as_str().unwrap().ends_with("libzlast.so"), "{omni}");
}

/// P1: a library that goes well where it is tried, and ends the program where it is used, is named, as bits that are flipped can have it.
#[test]
fn a_library_that_ends_only_the_program_is_named() {
    for (how, says) in
        [("abort();", "crashed the program: SIGABRT"), ("exit(0);", "ended the program by exit()")]
    {
        let folder = tempfile::tempdir().unwrap();
        library_that_begins_by(&folder, &format!("if (argc > 1 && strcmp(argv[1], \"plugins\") == 0) {how}"));
        let outcome = run(["plugins", "--plugins", &folder.path().display().to_string()]);
        assert_ne!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stderr.contains("libbegins.so") && outcome.stderr.contains(says), "{outcome:?}");
    }
}

/// A sound plugin written in C that does something when it is loaded.
fn library_that_begins_by(folder: &tempfile::TempDir, what: &str) {
    let source = folder.path().join("begins.c");
    let sonar = fs::read_to_string(root().join("plugin-api/examples/sensor-sonar-c/sonar.c")).unwrap();
    let begin = format!(
        "#include <stdlib.h>\n#include <string.h>\n\
         __attribute__((constructor)) static void begin(int argc, char **argv) {{ (void)argc; (void)argv; {what} }}\n"
    );
    fs::write(&source, begin + &sonar).unwrap();
    let library = folder.path().join("libbegins.so");
    let mut compiler = std::process::Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-DPLUGIN_VERSION=\"1\"", "-I"])
        .arg(root().join("plugin-api/include"))
        .arg("-o");
    let compiled = compiler.arg(&library).arg(&source).arg("-lm").status();
    assert!(compiled.unwrap().success());
}

/// P1: the server is killed: no process of a plugin stays behind.
#[test]
fn no_process_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(&folder, "not", true);
    let mut server = std::process::Command::new(touchline())
        .args(["serve", &world, "--board", "127.0.0.1:0", "--studio", "127.0.0.1:0", "--ready-json"])
        .args(APART)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut line)
        .unwrap();
    assert!(line.contains("board"), "{line}");
    let children = children_of(server.id());
    assert!(children.len() > 3, "{children:?}");
    server.kill().unwrap();
    server.wait().unwrap();
    // The system ends them when it takes the server apart.
    while children.iter().any(|child| is_isolated_plugin(child)) {
        std::thread::yield_now();
    }
}

fn children_of(server: u32) -> Vec<String> {
    let parent = |id: &str| {
        let stat = fs::read_to_string(Path::new("/proc").join(id).join("stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1).map(str::to_owned)
    };
    let ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    ids.filter(|id| parent(id).is_some_and(|parent| parent == server.to_string())).collect()
}

fn is_isolated_plugin(id: &str) -> bool {
    fs::read(Path::new("/proc").join(id).join("cmdline"))
        .is_ok_and(|line| line.windows(15).any(|word| word == b"isolated-plugin"))
}
