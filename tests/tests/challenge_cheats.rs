//! Scripts that cheat at a challenge, each as somebody would: refused, counted, and of no use. (CH4, CH10)
//!
//! Nothing here waits for time to pass, but for who keeps silent; the scripts speak to boards of this machine alone.

#![cfg(unix)]

use crate::den::Den;
use crate::patient::patient_challenge;
use crate::program::{command, outcome, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Drives straight ahead, after it has done what its name says.
const SCRIPT: &str = r#"#!/usr/bin/env python3
import glob, os, signal, socket, subprocess, sys, time

how = os.path.basename(sys.argv[0])
robot, key = os.environ["TOUCHLINE_ROBOT"], os.environ["TOUCHLINE_KEY"]

class Board:
    def __init__(self, port):
        self.socket = socket.create_connection((sys.argv[1], int(port)))
        self.lines = self.socket.makefile("r", encoding="ascii")
    def ask(self, line):
        try:
            self.socket.sendall((line + "\n").encode("ascii"))
            while answer := self.lines.readline():
                if answer.startswith(("OK", "ERR")):
                    return answer
        except OSError:
            pass
        sys.exit(0)

def tell(what):
    with open(f"{how}.told", "a") as file:
        print(what, file=file, flush=True)

board = Board(sys.argv[2])
board.ask(f"HELLO 1 script key={key}")
board.ask(f"TAKE {robot}")
if how == "output":
    part = b"x" * (1 << 20)
    for _ in range(1024):
        os.write(1, part)
    os.write(1, b"\nthe last words\n")
if how == "forks":
    for _ in range(100):
        tell(subprocess.Popen(["sleep", "600"]).pid)
if how == "daemon" and os.fork() == 0:
    # Two times away from its parents, in a session of its own, with nothing of what it was given.
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", [f"{sys.argv[0]}-stays", "600"], {})
    os._exit(0)
if how == "bomb" and os.fork() == 0:
    # 512 of them, half in sessions of their own; each tries to go on as if nothing was.
    for _ in range(9):
        if os.fork() == 0:
            try:
                os.setsid()
            except OSError:
                pass
    while True:
        time.sleep(600)
if how == "runaway" and os.fork() == 0:
    while True:
        if os.fork():
            os._exit(0)
        os.setsid()
if how == "patricide":
    os.kill(os.getppid(), 9)
    time.sleep(600)
if how == "stops":
    os.kill(os.getppid(), signal.SIGSTOP)
if how == "stops-again" and (keeper := os.getppid()) and os.fork() == 0:
    # In a session of its own, and never tired of it.
    os.setsid()
    while True:
        os.kill(keeper, signal.SIGSTOP)
if how == "holds":
    keeper = os.getppid()
    if os.fork() == 0:
        os.setsid()
        for number in "012":
            try:
                os.open(f"/proc/{keeper}/fd/{number}", os.O_RDWR)
            except OSError:
                pass
        time.sleep(600)
if how == "stops-and-ends":
    os.kill(os.getppid(), signal.SIGSTOP)
    sys.exit(7)
if how == "stops-and-waits":
    os.kill(os.getppid(), signal.SIGSTOP)
    tell("it waits")
    time.sleep(600)
if how == "silence":
    time.sleep(600)
if how == "robber":
    others = [name for name in ("keeper-1", "keeper-2", "keeper-3", "taker") if name != robot]
    for line in [f"TAKE {name}" for name in others] + [f"TWIST {others[0]} 1 0 0", f"REMOVE {others[0]}", "REFEREE end"]:
        if not board.ask(line).startswith("ERR"):
            tell(f"it was let {line}")
if how == "door":
    run = os.environ["TOUCHLINE_SEED"]
    with open(f"port-{run}-{robot}.tmp", "w") as file:
        file.write(sys.argv[2])
    os.rename(f"port-{run}-{robot}.tmp", f"port-{run}-{robot}")
    if robot == "keeper-1":
        while not (found := [name for name in glob.glob("port-*-keeper-2")]):
            pass
        other = Board(open(found[0]).read())
        if not other.ask(f"HELLO 1 guest key={key}").startswith("ERR"):
            tell("it was let in")
if how == "spy":
    for line in ["WORLD", f"DESCRIBE {robot}", "GET keeper type=truth", "PUSH keeper 10 type=truth", "TIMELINE"]:
        answer = board.ask(line)
        if answer.startswith("OK") and line != f"DESCRIBE {robot}":
            tell(f"{line}: {answer}")
while True:
    board.ask(f"TWIST {robot} 1.0 0.0 0.0")
    board.ask("STEP 10")
"#;

impl Den {
    /// What each team's first attempt at a challenge that came with the program came to.
    fn first_attempts(&self, challenge: &str) -> Value {
        self.play_file(&patient_challenge(self.0.path(), challenge))
    }

    /// The same of a challenge's file.
    fn play_file(&self, challenge: &Path) -> Value {
        let outcome =
            run([&self.competition(challenge)[..], &["--runs", "1", "--json"].map(String::from)].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let mut found = json!({});
        for team in outcome.json()["challenges"][0]["teams"].as_array().unwrap() {
            let attempt = &team["runs"][0]["attempts"][0];
            found[team["team"].as_str().unwrap()] = attempt.clone();
        }
        found
    }

    /// The beginning of the command that plays a challenge's file.
    fn competition(&self, challenge: &Path) -> Vec<String> {
        let (table, challenge) = (self.path("teams.csv"), challenge.display().to_string());
        ["challenge", "competition", table.to_str().unwrap(), "--challenge", &challenge]
            .map(String::from)
            .to_vec()
    }

    /// What a cheat has told of its success.
    fn told(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.told"))).unwrap_or_default()
    }
}

fn play(attempt: &Value) -> Value {
    json!([attempt["score"], attempt["state_hash"], attempt["valid"]])
}

/// CH4: another's robot, and what is the referee's, cannot be had; who shows his key at another's board is found, and his run is void.
#[test]
fn robbers_and_second_doors_are_found() {
    let den = Den::new(SCRIPT, &["honest", "robber", "door"]);
    let found = den.first_attempts("keep-away-small-size");
    assert_eq!(den.told("robber"), "", "a robber was let");
    assert_eq!(play(&found["robber"]), play(&found["honest"]), "it changed something");
    let refused = &found["robber"]["refused"];
    // Three robots' scripts: three takes each, a twist, a removal and a word.
    assert_eq!(refused, &json!({ "REFEREE": 3, "REMOVE": 3, "TAKE": 9, "TWIST": 3 }));
    assert_eq!(den.told("door"), "", "it was let in at another's");
    assert_eq!(
        (&found["door"]["valid"], &found["door"]["refused"]["second-door"]),
        (&json!(false), &json!(1))
    );
    assert!(found["door"]["reason"].as_str().unwrap().contains("has shown its key at the board of keeper-2"));
}

/// CH4: where the truth is hidden, none of the commands that would tell it does, and each is counted.
#[test]
fn the_truth_cannot_be_read_where_it_is_hidden() {
    let den = Den::new(SCRIPT, &["honest", "spy"]);
    let found = den.first_attempts("goalie-small-size");
    assert_eq!(den.told("spy"), "");
    assert_eq!(play(&found["spy"]), play(&found["honest"]));
    let refused = found["spy"]["refused"].as_object().unwrap();
    assert!(refused.contains_key("WORLD") && refused.contains_key("TIMELINE"), "{refused:?}");
}

/// CH10: a gigabyte of output and a hundred children cost the others nothing; the last words are kept, and no child is.
#[test]
fn floods_and_crowds_of_children_leave_nothing() {
    let den = Den::new(SCRIPT, &["honest", "output", "forks"]);
    let found = den.first_attempts("run-small-size");
    for name in ["output", "forks"] {
        assert_eq!(play(&found[name]), play(&found["honest"]), "{name}");
    }
    let said = found["output"]["said"][0].as_str().unwrap();
    assert!(said.len() <= 2000 && said.ends_with("the last words"), "{said}");
    let children = den.told("forks");
    assert_eq!(children.lines().count(), 100);
    let since = Instant::now();
    for id in children.lines() {
        let state = || fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        while !state().is_empty() && !state().contains(") Z ") {
            assert!(since.elapsed() < Duration::from_secs(300), "{id} is still there");
            std::thread::yield_now();
        }
    }
}

/// Processes whose command line names this folder, but for the dead.
fn of_folder(folder: &Path) -> Vec<String> {
    let folder = folder.to_str().unwrap();
    let ids = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let line = |process: PathBuf| {
        let line = fs::read(process.join("cmdline")).ok()?;
        Some(format!("{}: {}", process.display(), String::from_utf8_lossy(&line).replace('\0', " ")))
    };
    ids.filter_map(line).filter(|line| line.contains(folder)).collect()
}

/// CH10: children that leave group and session, forget what they were given, are many, or run away from one to the next: none is left when the attempt is over.
#[cfg(target_os = "linux")]
#[test]
fn nobody_stays_wherever_he_has_gone() {
    let den = Den::new(SCRIPT, &["honest", "daemon", "bomb", "runaway"]);
    let found = den.first_attempts("run-small-size");
    for name in ["daemon", "bomb", "runaway"] {
        assert_eq!(play(&found[name]), play(&found["honest"]), "{name}: {}", found[name]);
    }
    assert_eq!(of_folder(den.0.path()), [""; 0], "somebody is left");
}

/// CH10: who ends the one that keeps it has failed; the others play on.
#[cfg(target_os = "linux")]
#[test]
fn who_ends_its_keeper_has_failed() {
    let den = Den::new(SCRIPT, &["honest", "patricide"]);
    let found = den.first_attempts("run-small-size");
    assert_eq!(found["honest"]["outcome"], json!("line"), "{}", found["honest"]);
    let failed = &found["patricide"];
    assert_eq!((&failed["outcome"], &failed["score"]), (&json!("failed"), &json!(0.0)), "{failed}");
    assert!(failed["reason"].as_str().unwrap().contains("signal: 9"), "{failed}");
    assert_eq!(of_folder(den.0.path()), [""; 0], "somebody is left");
}

/// CH10: who stops the one that keeps it, once or for ever, or holds open what that hears of the end by, keeps nobody waiting, and is gone at the end.
#[cfg(target_os = "linux")]
#[test]
fn who_stops_or_deafens_its_keeper_ends_with_the_attempt() {
    let den = Den::new(SCRIPT, &["honest", "stops", "stops-again", "stops-and-ends", "holds"]);
    let found = den.first_attempts("run-small-size");
    for name in ["stops", "stops-again", "holds"] {
        assert_eq!(play(&found[name]), play(&found["honest"]), "{name}: {}", found[name]);
    }
    let failed = &found["stops-and-ends"];
    assert_eq!((&failed["outcome"], &failed["score"]), (&json!("failed"), &json!(0.0)), "{failed}");
    assert_eq!(of_folder(den.0.path()), [""; 0], "somebody is left");
}

/// CH10: who has stopped the one that keeps it does not outlive a competition that is killed.
#[cfg(target_os = "linux")]
#[test]
fn who_has_stopped_its_keeper_ends_with_a_competition_that_is_killed() {
    let den = Den::new(SCRIPT, &["stops-and-waits"]);
    let mut playing =
        command(den.competition(&patient_challenge(den.0.path(), "run-small-size"))).spawn().unwrap();
    while den.told("stops-and-waits").is_empty() {
        assert_eq!(playing.try_wait().unwrap(), None, "it has ended");
        std::thread::yield_now();
    }
    playing.kill().unwrap();
    playing.wait().unwrap();
    while !of_folder(den.0.path()).is_empty() {
        std::thread::yield_now();
    }
}

/// CH7, CH10: who keeps silent beyond its time has no score, whatever it did before.
#[test]
fn silence_voids_its_run() {
    let den = Den::new(SCRIPT, &["silence"]);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../worlds/challenges");
    let text = fs::read_to_string(format!("{folder}/run-small-size.toml")).unwrap();
    let text = text.replace("world = \"", &format!("order_timeout_s = 0.2\nworld = \"{folder}/"));
    fs::write(den.path("impatient.toml"), text).unwrap();
    let found = den.play_file(&den.path("impatient.toml"));
    let silence = &found["silence"];
    assert_eq!((&silence["outcome"], &silence["valid"]), (&json!("late"), &json!(false)), "{silence}");
    let reason = silence["reason"].as_str().unwrap();
    assert!(reason.contains("order_timeout_s") || reason.contains("start_timeout_s"), "{reason}");
}

/// CH10: on a full disk the competition ends with an error; what was kept stays, and goes on when there is room.
#[test]
fn a_full_disk_costs_what_was_not_kept() {
    let den = Den::new(SCRIPT, &[]);
    let table = den.path("teams.csv");
    fs::write(&table, "name;plugin;params\nours;challenger;\"{\"\"play\"\": \"\"run\"\"}\"\n").unwrap();
    let words = ["challenge", "competition", table.to_str().unwrap(), "--challenge", "run-small-size"];
    let words = [&words[..], &["--threads", "1", "--json"]].concat();
    let whole = command(&words);
    // No file becomes larger than eight blocks.
    let mut cramped = Command::new("sh");
    cramped
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(whole.get_program())
        .args(whole.get_args());
    for (name, value) in whole.get_envs() {
        if let Some(value) = value {
            cramped.env(name, value);
        }
    }
    let ended = outcome(&mut cramped);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert!(ended.stderr.contains("cannot be kept in the journal"), "{ended:?}");
    let lines = || fs::read_to_string(den.path("teams.csv.runs.jsonl")).unwrap().matches('\n').count();
    let kept = lines();
    assert!((1..10).contains(&kept), "{kept} runs were kept");
    let results = run(&words);
    assert_eq!(results.code, Some(0), "{results:?}");
    assert_eq!(results.json()["challenges"][0]["teams"][0]["score"], 2.979);
    assert_eq!(lines(), 10, "what was kept is not played again");
}
