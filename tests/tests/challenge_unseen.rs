//! What a script could do unseen: wait for better luck, or knock at the board of another team's attempt. It is told all the same. (CH4, CH7)

#![cfg(unix)]

use crate::den::Den;
use crate::patient::patient_challenge;
use crate::program::run;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Does what its name says, and then stands still.
const SCRIPT: &str = r#"#!/usr/bin/env python3
import os, socket, sys, time

how = os.path.basename(sys.argv[0])
robot, key, attempt = (os.environ[f"TOUCHLINE_{word}"] for word in ("ROBOT", "KEY", "ATTEMPT"))

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

def leave(name, text):
    with open(f"{name}.tmp", "w") as file:
        file.write(text)
    os.rename(f"{name}.tmp", name)

def wait_for(name):
    while not os.path.exists(name):
        time.sleep(0.01)
    return open(name).read()

board = Board(sys.argv[2])
board.ask(f"HELLO 1 script key={key}")
if how == "sleeper":
    leave(f"port-{robot}", sys.argv[2])
if how == "sleeper" and robot == "keeper-1":
    Board(wait_for("port-keeper-2")).ask(f"HELLO 1 guest key={key}")
    board.ask(f"TAKE {robot}")
    time.sleep(600)
board.ask(f"TAKE {robot}")
board.ask("STEP 10")
if how == "unlucky" and not os.path.exists(f"tried-{attempt}"):
    # What it has seen does not please it.
    leave(f"tried-{attempt}", "")
    time.sleep(600)
if how == "host":
    leave("port", sys.argv[2])
    wait_for("was-there")
if how == "guest":
    port = wait_for("port")
    for shown in [key, key, "k" * 30]:
        if not Board(port).ask(f"HELLO 1 guest key={shown}").startswith("ERR"):
            print("it was let in", flush=True)
    leave("was-there", "")
while True:
    board.ask("STEP 10")
"#;

impl Den {
    /// A challenge that came with the program, in which scripts may take all their time to start, and a few seconds for an order.
    fn hasty(&self, challenge: &str, attempts: u32) -> PathBuf {
        let file = patient_challenge(self.0.path(), challenge);
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace("order_timeout_s = 600.0", "order_timeout_s = 3.0");
        let lines = text.lines().map(|line| match line.starts_with("attempts = ") {
            true => format!("attempts = {attempts}\n"),
            false => format!("{line}\n"),
        });
        fs::write(&file, lines.collect::<String>()).unwrap();
        file
    }

    /// The rows of the teams at a challenge's file, by their names, and what is told to people.
    fn play(&self, challenge: &Path) -> (Value, String) {
        let files = ["teams.csv", "results.json", "attempts.csv"].map(|name| self.path(name));
        let [table, json, csv] = files.each_ref().map(|path| path.to_str().unwrap());
        let outcome = run([
            ["challenge", "competition", table, "--challenge", challenge.to_str().unwrap()].as_slice(),
            &["--runs", "1", "--threads", "2", "--json", json, "--csv", csv],
        ]
        .concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let results: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
        let mut rows = json!({});
        for row in results["challenges"][0]["teams"].as_array().unwrap() {
            rows[row["team"].as_str().unwrap()] = row.clone();
        }
        (rows, outcome.stdout)
    }
}

/// CH7: who stalls and is played again with the same start is told with how often; after two such attempts a run has no third.
#[test]
fn who_waits_for_better_luck_is_seen() {
    let play = |attempts: u32| {
        let den = Den::new(SCRIPT, &["unlucky"]);
        let (rows, told) = den.play(&den.hasty("kick-small-size", attempts));
        (rows["unlucky"].clone(), told, fs::read_to_string(den.path("attempts.csv")).unwrap())
    };
    let (row, told, csv) = play(1);
    let attempt = &row["runs"][0]["attempts"][0];
    assert_eq!((&attempt["valid"], &row["status"]), (&json!(true), &json!("done")), "{attempt}");
    // On a busy machine the next try may be late as well.
    let late = attempt["late"].as_u64().unwrap_or_default();
    assert!((1..=2).contains(&late), "{attempt}");
    assert_eq!(row["late"], json!(late), "{row}");
    let note = attempt["notes"][0].as_str().unwrap();
    assert!(note.starts_with("played again after step") && note.ends_with("(order_timeout_s)"), "{attempt}");
    let line = told.lines().find(|line| line.contains("unlucky")).unwrap();
    assert_eq!(line.split_whitespace().nth(6), Some(late.to_string().as_str()), "{told}");
    assert!(csv.lines().nth(1).unwrap().ends_with(&format!(";{late}")), "{csv}");

    let (row, ..) = play(3);
    let attempts = row["runs"][0]["attempts"].as_array().unwrap();
    assert!(attempts.iter().take(2).all(|attempt| attempt["valid"] == true), "{row}");
    assert_eq!((&attempts[2]["outcome"], &attempts[2]["late"]), (&json!("late"), &json!(1)), "{row}");
    assert_eq!((&row["status"], &row["score"]), (&json!("void"), &json!(null)), "{row}");
}

/// CH4: a key that is shown at the board of another team's attempt voids the attempt whose key it is, and nothing of the other's.
#[test]
fn a_key_at_another_teams_board_is_found() {
    let den = Den::new(SCRIPT, &["host", "guest"]);
    let (rows, _) = den.play(&patient_challenge(den.0.path(), "run-small-size"));
    let [host, guest] = ["host", "guest"].map(|team| &rows[team]["runs"][0]["attempts"][0]);
    assert_eq!((&host["valid"], &host["refused"]), (&json!(true), &json!({})), "{host}");
    let notes = host["notes"].as_array().unwrap();
    assert!(
        notes.len() == 1 && notes[0].as_str().unwrap().contains("asked 1 times without its key"),
        "{host}"
    );
    assert_eq!(guest["valid"], json!(false), "{guest}");
    assert_eq!(guest["refused"], json!({ "second-door": 2 }), "{guest}");
    let reason = guest["reason"].as_str().unwrap();
    assert!(
        reason.contains("has shown its key at the board of team \"host\" (run 0, attempt 0)"),
        "{reason}"
    );
    assert_eq!(guest["said"], json!([""]), "{guest}");
    assert_eq!((&rows["host"]["status"], &rows["guest"]["status"]), (&json!("done"), &json!("void")));
}

/// CH4: who has shown its key at another's board and then stalls is not played again: the next try would know nothing of it.
#[test]
fn a_stall_hides_no_key() {
    let den = Den::new(SCRIPT, &["sleeper"]);
    let (rows, _) = den.play(&den.hasty("keep-away-small-size", 1));
    let attempt = &rows["sleeper"]["runs"][0]["attempts"][0];
    assert_eq!((&attempt["valid"], &attempt["outcome"]), (&json!(false), &json!("failed")), "{attempt}");
    assert_eq!(attempt["refused"], json!({ "second-door": 1 }), "{attempt}");
    assert!(attempt["reason"].as_str().unwrap().contains("at the board of keeper-2"), "{attempt}");
}
