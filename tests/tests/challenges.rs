//! `touchline challenge`: scripts and players in, the same tables out, however often and in however many pieces. (CH1-CH11)
//!
//! Nothing here waits for time to pass; the scripts speak to boards of this machine alone.

#![cfg(unix)]

use crate::patient::patient_challenge;
use crate::program::{Outcome, run};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Drives to the ball and kicks, after it has done what its name says.
const SCRIPT: &str = r#"#!/usr/bin/env python3
import os, socket, subprocess, sys

how = os.path.basename(sys.argv[0])
robot, key = os.environ["TOUCHLINE_ROBOT"], os.environ["TOUCHLINE_KEY"]
board = socket.create_connection((sys.argv[1], int(sys.argv[2])))
lines = board.makefile("r", encoding="ascii")

def ask(line):
    try:
        board.sendall((line + "\n").encode("ascii"))
        while answer := lines.readline():
            if answer.startswith(("OK", "ERR")):
                return answer
    except OSError:
        pass
    sys.exit(0)

if how == "absent":
    sys.exit(3)
if how == "flood":
    for _ in range(2000):
        print("x" * 500)
    print("the last words", flush=True)
if how == "child":
    child = subprocess.Popen(["sleep", "600"])
    with open("children", "a") as file:
        print(child.pid, file=file, flush=True)
ask(f"HELLO 1 script key={key}")
ask(f"TAKE {robot}")
if how == "cheat":
    for line in [f"PLACE {robot} -1 0 0", "PLACE ball:0 0 0", "PAUSE", "RESET"]:
        if not ask(line).startswith("ERR"):
            print("it was let", line)
            sys.exit(1)
if how == "where":
    print("told", " ".join(sys.argv[3:]), flush=True)
step = 0
while True:
    ask(f"TWIST {robot} 0.5 0.0 0.0")
    ask(f"MANIPULATE {robot} kicker kick")
    ask("STEP 10")
    step += 1
    if how == "crash" and step == 5:
        print("about to fail", file=sys.stderr, flush=True)
        os._exit(7)
"#;

/// A folder with scripts that do what their names say.
struct Cup(TempDir);

impl Cup {
    fn new(table: &str) -> Self {
        let cup = Self(tempfile::tempdir().unwrap());
        for how in ["honest", "absent", "flood", "child", "cheat", "where", "crash"] {
            fs::write(cup.path(how), SCRIPT).unwrap();
            fs::set_permissions(cup.path(how), fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(cup.path("teams.csv"), table).unwrap();
        cup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn arguments(&self, what: &str, options: &[&str]) -> Vec<String> {
        let (file, challenge) = (self.path("teams.csv"), patient_challenge(self.0.path(), "kick-small-size"));
        let [file, challenge] = [&file, &challenge].map(|path| path.to_str().unwrap());
        let first = ["challenge", what, file, "--challenge", challenge];
        first.iter().chain(options).map(|word| (*word).to_owned()).collect()
    }

    fn compete(&self, options: &[&str]) -> Outcome {
        run(self.arguments("competition", options))
    }

    fn results(&self, options: &[&str]) -> Value {
        let outcome = self.compete(&[options, &["--json"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.json()
    }
}

fn team<'a>(results: &'a Value, name: &str) -> &'a Value {
    let teams = results["challenges"][0]["teams"].as_array().unwrap();
    teams.iter().find(|team| team["team"] == name).unwrap()
}

/// The attempts of a team's first run.
fn attempts<'a>(results: &'a Value, name: &str) -> &'a [Value] {
    team(results, name)["runs"][0]["attempts"].as_array().unwrap()
}

/// CH20-CH28: every challenge that is listed has reference players, which reach what they are published with.
#[test]
fn every_reference_reaches_its_score() {
    let listed = run(["challenge", "list", "--json"]).json();
    let listed = listed.as_array().unwrap();
    assert!(listed.len() >= 23, "{listed:?}");
    for challenge in listed {
        let name = challenge["name"].as_str().unwrap();
        let outcome = run(["challenge", "run", name, "--json"]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let results = outcome.json();
        let published = challenge["references"].as_object().unwrap();
        assert!(!published.is_empty(), "{name}");
        for (reference, score) in published {
            let row = team(&results, reference);
            assert_eq!((&row["score"], &row["status"]), (score, &json!("done")), "{name}: {reference}");
        }
    }
}

/// CH2, CH22: the start script in Python that comes with the client kicks far better than who does not know how far a ball rolls (5.981 m).
#[test]
fn the_script_in_python_kicks_to_the_target() {
    let script = crate::program::root().join("clients/python/examples/challenge_kick.py");
    let outcome = run(["challenge", "run", "kick", "--script", script.to_str().unwrap(), "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let results = outcome.json();
    let row = team(&results, "team");
    assert!(row["score"].as_f64().unwrap() < 2.0 && row["fault"].is_null(), "{row}");
    assert!(attempts(&results, "team").iter().all(|attempt| attempt["outcome"] == "rest"), "{row}");
}

/// CH2, CH4, CH10: what a script must not do is refused, counted and changes nothing; one that fails costs its own attempts; what it says last is
/// kept, however much it says; where its robot is placed it is told; no child stays behind.
#[test]
fn cheats_and_failures_cost_their_own_runs() {
    let names = ["honest", "cheat", "flood", "child", "where", "crash", "absent"];
    let table: String = names.iter().map(|name| format!("{name};{name}\n")).collect();
    let cup = Cup::new(&format!("name;script\n{table}"));
    let results = cup.results(&["--runs", "1", "--markdown", cup.path("r.md").to_str().unwrap()]);
    let scores = |name: &str| -> Vec<Value> {
        attempts(&results, name)
            .iter()
            .map(|attempt| json!([attempt["score"], attempt["state_hash"]]))
            .collect()
    };
    for name in ["cheat", "flood", "child", "where"] {
        assert_eq!(scores(name), scores("honest"), "{name}");
    }
    for attempt in attempts(&results, "cheat") {
        assert_eq!(attempt["refused"], json!({ "PAUSE": 1, "PLACE": 2, "RESET": 1 }), "{attempt}");
    }
    assert_eq!(team(&results, "honest")["refused"], json!({}));
    for attempt in attempts(&results, "flood") {
        let said = attempt["said"][0].as_str().unwrap();
        assert!(said.len() <= 2000 && said.ends_with("the last words"), "{said}");
    }
    for attempt in attempts(&results, "where") {
        let said = attempt["said"][0].as_str().unwrap();
        let numbers: Vec<f64> = said.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
        let [x, y] = numbers[..] else { panic!("{said}") };
        // Half a metre behind a ball that lies 1 to 5 m from the centre.
        assert!((1.49..5.51).contains(&x.hypot(y)) && x < 0.0, "{said}");
    }
    for (name, what) in [("crash", "exit status: 7"), ("absent", "exit status: 3")] {
        for attempt in attempts(&results, name) {
            let reason = attempt["reason"].as_str().unwrap();
            assert_eq!(
                (&attempt["outcome"], &attempt["score"]),
                (&json!("failed"), &json!(13.0)),
                "{attempt}"
            );
            assert!(reason.contains(what), "{reason}");
        }
    }
    let since = Instant::now();
    for id in fs::read_to_string(cup.path("children")).unwrap().lines() {
        let state = || fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        while !state().is_empty() && !state().contains(") Z ") {
            assert!(since.elapsed() < Duration::from_secs(300), "{id} is still there");
            std::thread::yield_now();
        }
    }
    let markdown = fs::read_to_string(cup.path("r.md")).unwrap();
    assert!(names.iter().all(|name| markdown.contains(&format!("| {name} |"))), "{markdown}");

    // The same, tried in short: who fails is told, with what it said.
    let tried = run(cup.arguments("test", &[]));
    assert_eq!(tried.code, Some(1));
    assert!(
        tried.stdout.contains("honest: works") && tried.stdout.contains("crash: does not work"),
        "{tried:?}"
    );
    assert!(tried.stdout.contains("| about to fail"), "{tried:?}");
}

/// CH6, CH9: what was published is played again and compared; every attempt is recorded and can be run again.
#[test]
fn results_are_checked_and_recordings_verified() {
    let cup = Cup::new("name;plugin\nours;challenger\n");
    let (results, recordings) = (cup.path("results.json"), cup.path("recordings"));
    let (results, recordings) = (results.to_str().unwrap(), recordings.to_str().unwrap());
    let outcome = cup.compete(&["--runs", "1", "--json", results, "--recordings", recordings]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(run(["challenge", "check", results]).code, Some(0));
    assert_eq!(fs::read_dir(recordings).unwrap().count(), 10);
    let one = format!("{recordings}/kick-small-size-ours-run0-attempt3.mcap");
    let verified = run(["log", "verify", &one]);
    assert_eq!(verified.code, Some(0), "{verified:?}");

    // Another time nothing of them is lost.
    let before = fs::read(&one).unwrap();
    let journal = || fs::read_to_string(cup.path("teams.csv.runs.jsonl")).unwrap();
    let kept = journal();
    let again = cup.compete(&["--runs", "1", "--restart", "--recordings", recordings]);
    assert_eq!(again.code, Some(4), "{again:?}");
    assert!(again.stderr.contains("attempt0.mcap") && again.stderr.contains("another folder"), "{again:?}");
    assert!(fs::read(&one).unwrap() == before, "it was written over");
    assert_eq!(journal(), kept, "no result is thrown away for nothing");

    let text = fs::read_to_string(results).unwrap();
    let score = text.find("\"score\": ").map(|place| place + "\"score\": ".len());
    let mut wrong: Value = serde_json::from_str(&text).unwrap();
    wrong["challenges"][0]["teams"][0]["runs"][0]["attempts"][3]["score"] = json!(0.001);
    assert!(score.is_some());
    fs::write(results, wrong.to_string()).unwrap();
    let outcome = run(["challenge", "check", results]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stdout.contains("DIFFERS"), "{outcome:?}");
    for (key, value) in [("version", json!("0.0.1")), ("challenges", json!([{}]))] {
        let mut wrong: Value = serde_json::from_str(&text).unwrap();
        wrong[key] = value;
        fs::write(results, wrong.to_string()).unwrap();
        assert_eq!(run(["challenge", "check", results]).code, Some(3));
    }
    fs::write(results, text.replacen("\"digest\": \"", "\"digest\": \"0", 1)).unwrap();
    assert_eq!(run(["challenge", "check", results]).code, Some(3), "other conditions are refused");
}

/// CH3: what is wrong with a competition file is said with its line and what would do.
#[test]
fn wrong_tables_are_told_by_their_lines() {
    let told = |table: &str| {
        let cup = Cup::new(table);
        fs::write(cup.path("plain"), "").unwrap();
        let outcome = cup.compete(&[]);
        assert!(outcome.code.is_some_and(|code| code >= 3), "{table}: {outcome:?}");
        outcome.stderr
    };
    for (table, line, what) in [
        ("name;script\na;honest\na;honest\n", 3, "line 2"),
        ("name;script\na;plain\n", 2, "chmod +x"),
        ("name;script\na;nowhere\n", 2, "nowhere"),
        ("name;script;height\na;honest;0.4\n", 1, "height"),
        ("name;script\na;honest;x\n", 2, "3 columns"),
        ("name;script;rate_hz\na;honest;fast\n", 2, "fast"),
        ("team;script\na;honest\n", 1, "no column \"name\""),
        ("name;script\na;\n", 2, "no script and no plugin"),
        ("name;plugin;params\na;challenger;{oops\n", 2, "params"),
        ("name;script;params\na;honest;\"{\"\"a\"\": 1}\"\n", 2, "takes no params"),
    ] {
        let message = told(table);
        assert!(
            message.contains(&format!("teams.csv:{line}:")) && message.contains(what),
            "{table}: {message}"
        );
    }
    assert!(told("name;plugin\na;nobody\n").contains("nobody"));
    assert_eq!(run(["challenge", "run", "nothing"]).code, Some(4));
    assert_eq!(run(["challenge", "run", "kick", "--plugin", "challenger", "--params", "1"]).code, Some(2));
}

/// CH6: a file that cannot be written costs no other, and no result that was played.
#[test]
fn each_output_is_written_whatever_becomes_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let [nowhere, markdown] = ["no/such/folder/x.csv", "results.md"].map(|name| folder.path().join(name));
    let [nowhere, markdown] = [&nowhere, &markdown].map(|path| path.to_str().unwrap());
    let play = ["challenge", "run", "run-small-size", "--runs", "1"];
    let outcome = run([&play[..], &["--csv", nowhere, "--markdown", markdown, "--json"]].concat());
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(outcome.stderr.contains(nowhere), "{outcome:?}");
    assert_eq!(outcome.json()["challenges"][0]["challenge"], "run-small-size");
    assert!(fs::read_to_string(markdown).unwrap().contains("| good |"));
}

/// CH11: a new challenge can be played as it is, by its reference and by its script.
#[test]
fn a_new_challenge_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let made = || run(["new-challenge", "sprint", "--dir", dir]);
    assert_eq!(made().code, Some(0));
    assert_eq!(made().code, Some(4), "what is there is not written over");
    let (file, script) =
        (format!("{dir}/sprint/sprint.toml"), format!("{dir}/sprint/startChallengePlayer.sh"));
    let results = run(["challenge", "run", &file, "--json"]).json();
    assert_eq!(team(&results, "ours")["score"], 1.0);
    let outcome = run(["challenge", "run", &file, "--script", &script, "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(team(&outcome.json(), "team")["score"], 1.0);
}

/// CH1: `check` knows what a challenge file is, and names what is wrong in one.
#[test]
fn challenge_files_are_checked() {
    let checked = run(["check", "worlds/challenges/kick.toml"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(
        checked.stdout.contains("challenge \"kick\": 1 runs of 10 attempts; references simple, good"),
        "{checked:?}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.toml");
    fs::write(&file, "name = \"bad\"\nworld = \"nowhere.toml\"\n[score]\nbetter = \"sideways\"\n").unwrap();
    let checked = run(["check", file.to_str().unwrap()]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let said = format!("{}{}", checked.stdout, checked.stderr);
    assert!(said.contains("bad.toml:4:10") && said.contains("sideways"), "{said}");
}
