//! A competition that is killed again and again comes to the bits of one that was not. (CH7, CH10)
//!
//! It is killed by its progress, which is what its journal and its script say of themselves, and not by time.

#![cfg(unix)]

use crate::patient::patient_challenge;
use crate::program::{command, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Drives and kicks, and writes a byte for each decision.
const SCRIPT: &str = r#"#!/usr/bin/env python3
import os, socket, sys

robot, key = os.environ["TOUCHLINE_ROBOT"], os.environ["TOUCHLINE_KEY"]
board = socket.create_connection((sys.argv[1], int(sys.argv[2])))
lines = board.makefile("r", encoding="ascii")
progress = open("progress", "ab", buffering=0)

def ask(line):
    try:
        board.sendall((line + "\n").encode("ascii"))
        while answer := lines.readline():
            if answer.startswith(("OK", "ERR")):
                return
    except OSError:
        pass
    sys.exit(0)

ask(f"HELLO 1 script key={key}")
ask(f"TAKE {robot}")
while True:
    ask(f"TWIST {robot} 0.5 0.0 0.0")
    ask(f"MANIPULATE {robot} kicker kick")
    ask("STEP 10")
    progress.write(b".")
"#;

const TEAMS: &str = "name;script;plugin;params\n\
    script;script;;\n\
    ours;;challenger;\"{\"\"play\"\": \"\"kick\"\", \"\"kick_m_s\"\": 6.0, \"\"roll_s2_m\"\": 1.589, \"\"speed_fraction\"\": 0.3}\"\n";

/// A run of the script decides at least so often.
const DECISIONS: u64 = 300;

/// How far a competition is: runs that it has kept, and decisions of its script.
#[derive(Debug, PartialEq, PartialOrd, Eq, Ord)]
struct Moment {
    kept: u64,
    decisions: u64,
}

/// A competition in a folder of its own.
struct Cup {
    folder: TempDir,
    runs: u32,
}

impl Cup {
    fn new(runs: u32) -> Self {
        let cup = Self { folder: tempfile::tempdir().unwrap(), runs };
        fs::write(cup.path("script"), SCRIPT).unwrap();
        fs::set_permissions(cup.path("script"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(cup.path("teams.csv"), TEAMS).unwrap();
        cup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, threads: u64) -> Vec<String> {
        let (table, runs, threads) = (self.path("teams.csv"), self.runs.to_string(), threads.to_string());
        let challenge = patient_challenge(self.folder.path(), "kick-small-size");
        let recordings = self.path("recordings");
        let [table, challenge, recordings] =
            [&table, &challenge, &recordings].map(|path| path.to_str().unwrap());
        let words = ["challenge", "competition", table, "--challenge", challenge];
        let options = ["--runs", &runs, "--threads", &threads, "--json", "--recordings", recordings];
        words.iter().chain(&options).map(|word| (*word).to_owned()).collect()
    }

    /// Plays what is left; the results without what names the folder.
    fn results(&self, threads: u64) -> Value {
        let outcome = run(self.arguments(threads));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let mut results = outcome.json();
        for row in results["challenges"][0]["teams"].as_array_mut().unwrap() {
            row["entry"] = Value::Null;
            for run in row["runs"].as_array_mut().unwrap() {
                run["digest"] = Value::Null;
            }
        }
        results
    }

    /// Names of what is in the folder of recordings.
    fn recorded(&self) -> BTreeSet<OsString> {
        fs::read_dir(self.path("recordings")).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    fn kept(&self) -> u64 {
        let journal = fs::read_to_string(self.path("teams.csv.runs.jsonl")).unwrap_or_default();
        journal.matches('\n').count() as u64
    }

    fn decisions(&self) -> u64 {
        fs::metadata(self.path("progress")).map_or(0, |file| file.len())
    }

    /// Goes on until it has kept so many runs, and its script has then decided so often, or has kept another one; and is killed.
    fn kill_at(&self, moment: &Moment, threads: u64) {
        let mut command = command(self.arguments(threads));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (mut kept, mut before) = (self.kept(), self.decisions());
        let since = Instant::now();
        while (Moment { kept, decisions: self.decisions() - before }) < *moment {
            assert!(since.elapsed() < Duration::from_secs(600), "it does not go on");
            assert_eq!(child.try_wait().unwrap(), None, "it ended before {moment:?}");
            std::thread::yield_now();
            if self.kept() > kept {
                (kept, before) = (self.kept(), self.decisions());
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// So many moments of a competition, drawn from a seed (splitmix64), in their order. The last two runs are begun by none of them, so that
/// each comes before the end.
fn moments(seed: u64, count: u64, runs: u64) -> Vec<Moment> {
    let mut state = seed;
    let mut below = |bound: u64| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    };
    let mut moments: Vec<Moment> =
        (0..count).map(|_| Moment { kept: below(runs - 1), decisions: below(DECISIONS) }).collect();
    moments.sort();
    moments
}

/// Plays a competition at one run at a time, at two, and in pieces that are played at one and at two by turns.
pub fn pieces_are_the_whole(runs: u32, kills: u64) {
    let cup = Cup::new(runs);
    let whole = cup.results(1);
    let scores: Vec<&Value> =
        whole["challenges"][0]["teams"].as_array().unwrap().iter().map(|team| &team["team"]).collect();
    assert_eq!(scores, ["ours", "script"], "who aims is better than who does not");
    assert_eq!(Cup::new(runs).results(2), whole);
    let killed = Cup::new(runs);
    for (piece, moment) in (0..).zip(&moments(19, kills, 2 * u64::from(runs))) {
        killed.kill_at(moment, 1 + piece % 2);
    }
    assert!(killed.kept() < 2 * u64::from(runs), "there is something left");
    assert_eq!(killed.results(2), whole);
    assert_eq!(killed.kept(), 2 * u64::from(runs), "what was kept is not played again");
    assert_eq!(killed.recorded(), cup.recorded(), "each attempt is recorded, and nothing else is left");
}

/// CH7, CH10: scripts and players score the same bits at one run at a time, at two, and after three kills; `full` has ten.
#[test]
fn a_killed_competition_comes_to_the_same_results() {
    pieces_are_the_whole(2, 3);
}
