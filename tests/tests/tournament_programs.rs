//! `touchline tournament` with entrants that are programs: started by a command, over the message board, in lockstep. (B1, C1)
//!
//! Nothing here waits for time to pass, but for the timeouts of the tournament.

#![cfg(unix)]

use crate::program::{Outcome, command, root, run};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program that takes its robots, and then does what its first argument says. It notes its process and that of a child, which would
/// outlive it.
const TEAM: &str = r#"
import os, subprocess, sys, time
sys.path.insert(0, os.environ["CLIENT"])
from touchline_client import Client

how, board, robots = sys.argv[1], sys.argv[2], os.environ["TOUCHLINE_ROBOTS"].split(",")
child = subprocess.Popen(["sleep", "600"])
with open("processes", "a") as file:
    print(os.getpid(), child.pid, file=file, flush=True)
if how == "absent":
    time.sleep(600)
if how == "babble":
    import socket
    stream = socket.create_connection(board.rsplit(":", 1))
    while stream.send(b"what is this?\n" * 50):
        pass
team = [Client.take(board, robot=robot, name=how, timeout=600) for robot in robots]
step = 0
while True:
    for robot in team:
        robot.twist(0.3, 0.0, 0.5 if step % 20 else 0.0)
    step = team[0].step(10).step
    if step >= 50 and how == "crash":
        print("about to fail", file=sys.stderr)
        raise RuntimeError("no plan")
    if step >= 50 and how == "leave":
        sys.exit(0)
    if step >= 50 and how == "stall":
        time.sleep(600)
"#;

/// A folder with a tournament file on the field of 2003, and the program.
pub struct Cup {
    folder: TempDir,
}

impl Cup {
    pub fn new(match_s: f64, entrants: &str) -> Self {
        let cup = Self { folder: tempfile::tempdir().unwrap() };
        let world = root().join("worlds/f2000.toml");
        fs::write(cup.path("team.py"), TEAM).unwrap();
        let text = format!(
            "name = \"cup\"\nworld = {:?}\nmatch_s = {match_s}\npairs = 1\norder_timeout_s = 600\n{entrants}",
            world.to_str().unwrap()
        );
        fs::write(cup.path("cup.toml"), text).unwrap();
        cup
    }

    /// A tournament of two entrants, with matches of `match_s` seconds.
    pub fn of(match_s: f64, first: &str, second: &str) -> Self {
        Self::new(match_s, &[first, second].concat())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, options: &[&str]) -> Command {
        let file = self.path("cup.toml");
        let mut command = command([&["tournament", file.to_str().unwrap()], options].concat());
        command.env("CLIENT", root().join("clients/python/src"));
        command
    }

    pub fn play(&self, options: &[&str]) -> Outcome {
        crate::program::outcome(&mut self.command(options))
    }

    /// The line of a match that is played alone.
    pub fn line(&self, number: u32) -> Value {
        let outcome = self.play(&["--match", &number.to_string()]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.json()
    }

    pub fn results(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("cup.toml.results.jsonl")).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(Into::into).collect();
        lines.sort_unstable();
        lines
    }

    /// How many processes programs have noted; all have ended, or do so while this looks: they have been killed.
    pub fn ended_processes(&self) -> usize {
        let since = Instant::now();
        loop {
            let (running, all) = self.processes();
            if running.is_empty() {
                return all;
            }
            // They would live for ten minutes.
            assert!(since.elapsed() < Duration::from_secs(300), "still there: {running:?}");
            std::thread::yield_now();
        }
    }

    /// The processes that programs have noted: those that run, and how many there were.
    pub fn processes(&self) -> (Vec<String>, usize) {
        let text = fs::read_to_string(self.path("processes")).unwrap_or_default();
        let states = text.split_whitespace().map(|id| fs::read_to_string(format!("/proc/{id}/stat")));
        // One that is dead, and that nobody has collected yet, does not run.
        let running = states.flatten().filter(|state| !state.contains(") Z "));
        (running.collect(), text.split_whitespace().count())
    }
}

/// An entrant that does what `how` says.
fn program(name: &str, how: &str) -> String {
    format!(
        "[[entrant]]\nname = {name:?}\ncommand = [\"python3\", \"team.py\", {how:?}, \"{{board}}\"]\ndrives = [\"2\", \"3\"]\n"
    )
}

const OWN: &str = "[[entrant]]\nname = \"own\"\n";

const SLOW: &str = "[[entrant]]\nname = \"slow\"\nplayers.striker = { plugin = \"striker\", params = { speed_fraction = 0.5 } }\n";

/// B1: the shipped example plays, against players and against itself; the same matches come out twice, whatever is played beside them; what
/// is done is not played again, and other words are other conditions.
#[test]
fn programs_play_and_a_match_is_the_same_twice() {
    let shipped = root().join("worlds/tournaments");
    let text = fs::read_to_string(shipped.join("chase-team.toml")).unwrap();
    let example = root().join("clients/python/examples/chase_team.py");
    let entrants = text[text.find("[[entrant]]").unwrap()..]
        .replace("../../clients/python/examples/chase_team.py", example.to_str().unwrap());
    let cup = Cup::new(3.0, &entrants);
    let play = |options: &[&str]| {
        let outcome = cup.play(&[options, &["--json"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.json()
    };
    let first = play(&["--threads", "2"]);
    assert_eq!((&first["played"], &first["void"], &first["faults"]), (&json!(6), &json!(0), &json!([])));
    let lines = cup.results();
    assert_eq!(lines.len(), 6);
    let again = play(&[]);
    assert_eq!((&again["results"], cup.results()), (&first["results"], lines.clone()));
    let recordings = cup.path("recordings").display().to_string();
    let recorded = play(&["--restart", "--threads", "1", "--recordings", &recordings]);
    assert_eq!(recorded["results"], first["results"]);
    let verified = run(["log", "verify", &recordings, "--json"]);
    assert_eq!((verified.code, &verified.json()["same"]), (Some(0), &json!(6)), "{verified:?}");
    assert_eq!(cup.results(), lines);
    let changed = fs::read_to_string(cup.path("cup.toml")).unwrap().replace("0.5", "0.6");
    fs::write(cup.path("cup.toml"), changed).unwrap();
    let refused = cup.play(&[]);
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(refused.stderr.contains("other conditions"), "{refused:?}");
}

/// B1: a program that fails has lost, with its reason and what it said last; the others' matches go on, and nothing is left behind.
#[test]
fn a_program_that_fails_is_named_and_the_others_play_on() {
    let cup = Cup::new(1.5, &[OWN, SLOW, &program("crash", "crash")].concat());
    let outcome = cup.play(&["--json"]);
    assert_eq!(outcome.code, Some(5), "{outcome:?}");
    let report = outcome.json();
    assert_eq!((&report["played"], &report["void"]), (&json!(6), &json!(0)));
    assert_eq!(report["entrants"][2]["name"], "crash");
    assert_eq!(
        (&report["entrants"][2]["losses"], &report["entrants"][2]["failed_in"]),
        (&json!(4), &json!(4))
    );
    assert_eq!(report["entrants"][2]["goals_against"], 12);
    let fault = &report["faults"][0];
    assert_eq!((&fault["entrant"], &fault["step"]), (&json!("crash"), &json!(50)));
    let what = fault["what"].as_str().unwrap();
    assert!(what.starts_with("python3 team.py crash {board}: has ended, exit status: 1\n"), "{what}");
    assert!(what.contains("| about to fail") && what.ends_with("| RuntimeError: no plan"), "{what}");
    assert!(
        outcome.stderr.starts_with("programs or plugins failed in 4 matches, first in match "),
        "{outcome:?}"
    );
    assert_eq!(cup.ended_processes(), 8);
    let lines = cup.results();
    assert_eq!(cup.play(&["--restart"]).code, Some(5));
    assert_eq!(cup.results(), lines, "a failure comes out twice as well");
}

/// B1: whatever a program does not do, it is told from the others, and its match is lost.
#[test]
fn each_way_to_fail_has_its_reason() {
    for (how, step, reason) in
        [("leave", 50, "has ended, exit status: 0"), ("babble", 0, "has ended, exit status: 1")]
    {
        let cup = Cup::of(60.0, &program("failing", how), OWN);
        let line = cup.line(1);
        assert_eq!(
            (&line["entrants"], &line["goals"]),
            (&json!(["own", "failing"]), &json!([3, 0])),
            "{line}"
        );
        assert_eq!((&line["ended"], &line["steps"]), (&json!("forfeit"), &json!(step)), "{line}");
        let what = line["faults"][0]["what"].as_str().unwrap();
        assert!(what.lines().next().unwrap().ends_with(reason), "{how}: {what}");
        assert_eq!(cup.ended_processes(), 2, "{how}");
    }
}

/// B1: who is waited for in vain has not lost: the match is played three times, and is void. A tournament that goes on plays it again.
#[test]
fn the_clock_on_the_wall_is_no_result() {
    let play = |how: &str, timeout: &str, step: u32, reason: &str| {
        let cup = Cup::of(60.0, &program("slow", how), OWN);
        let text = fs::read_to_string(cup.path("cup.toml")).unwrap();
        fs::write(cup.path("cup.toml"), text.replace("order_timeout_s = 600", timeout)).unwrap();
        let line = cup.line(1);
        assert_eq!((&line["ended"], &line["goals"]), (&json!("late"), &json!([0, 0])), "{line}");
        assert_eq!(line["steps"], json!(step), "{line}");
        let fault = &line["faults"][0];
        assert_eq!(fault["entrant"], "slow");
        let what = fault["what"].as_str().unwrap();
        assert!(what.lines().next().unwrap().ends_with(reason), "{how}: {what}");
        // Of the tries before nothing else is left.
        let notes = line["notes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_told = |note: &Value| {
            note.as_str().is_some_and(|note| note.contains(": slow: python3 ") && note.ends_with(reason))
        };
        assert!(notes.len() == 2 && notes.iter().all(is_told), "{how}: {line}");
        // A second may be too short for a program to say that it is there.
        let attempts = cup.ended_processes();
        assert!(attempts == 6 || how == "absent", "{how}: {attempts}, not three, each with a child");
        if how == "absent" {
            // A recording of what is played again is no reason not to play it.
            let recordings = cup.path("recordings").display().to_string();
            let played = || cup.play(&["--json", "--recordings", &recordings]).json();
            let report = played();
            assert_eq!((&report["played"], &report["void"]), (&json!(2), &json!(2)), "{report}");
            let report = played();
            assert_eq!(
                (&report["played"], &report["void"]),
                (&json!(2), &json!(2)),
                "both are played again: {report}"
            );
        }
    };
    // Both at once, as they do nothing but wait.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let reason = "has not taken its robots within 1 s (start_timeout_s)";
            play("absent", "order_timeout_s = 600\nstart_timeout_s = 1", 0, reason);
        });
        play("stall", "order_timeout_s = 10", 50, "has ordered no step for 10 s (order_timeout_s)");
    });
}

/// B1: if both programs fail, which of them is heard of first plays no part: the match is void.
#[test]
fn a_match_in_which_both_programs_fail_is_void() {
    let cup = Cup::of(60.0, &program("a", "crash"), &program("b", "crash"));
    let outcome = cup.play(&["--json"]);
    assert_eq!(outcome.code, Some(5), "{outcome:?}");
    let report = outcome.json();
    assert_eq!((&report["played"], &report["void"]), (&json!(2), &json!(2)));
    let entrants: Vec<&Value> =
        report["faults"].as_array().unwrap().iter().map(|fault| &fault["entrant"]).collect();
    assert_eq!(entrants, ["a", "b", "b", "a"]);
}

/// A match without end between two programs that have started.
fn playing(cup: &Cup) -> Child {
    let mut child = cup.command(&["--json"]).stdout(Stdio::piped()).spawn().unwrap();
    while fs::read_to_string(cup.path("processes")).unwrap_or_default().lines().count() < 2 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::yield_now();
    }
    child
}

/// B1: after Ctrl-C no program is left behind, and what was finished is kept.
#[test]
fn nothing_is_left_behind_after_an_interrupt() {
    let cup = Cup::of(1e5, &program("a", "play"), &program("b", "play"));
    let child = playing(&cup);
    interrupt(&child);
    let outcome = child.wait_with_output().unwrap();
    assert_eq!(outcome.status.code(), Some(0), "{outcome:?}");
    let report: Value = serde_json::from_slice(&outcome.stdout).unwrap();
    assert_eq!((&report["interrupted"], &report["played"]), (&json!(true), &json!(0)));
    assert!(cup.ended_processes() >= 4);
}

/// B1: nor if the tournament has no chance to end them.
#[test]
fn nothing_is_left_behind_by_a_tournament_that_is_killed() {
    let cup = Cup::of(1e5, &program("a", "play"), &program("b", "play"));
    let mut child = playing(&cup);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(cup.ended_processes() >= 4);
}

pub fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
}

/// B1: a command that cannot be started is said before anything is played.
#[test]
fn a_command_that_cannot_be_started_has_a_hint() {
    let cases = [
        (
            "no-such-program",
            "cannot start \"no-such-program\": it is in none of the folders of PATH",
            "hint     install it",
        ),
        (
            "team.py",
            "in none of the folders of PATH",
            "hint     the one beside the tournament file is \"./team.py\"",
        ),
        ("./none.py", "none.py: No such file", "relative to the tournament file"),
        ("./team.py", "team.py: Permission denied", "hint     is it a program? chmod +x"),
    ];
    for (program, what, hint) in cases {
        let cup = Cup::of(1.0, OWN, &format!("[[entrant]]\nname = \"p\"\ncommand = [{program:?}]\n"));
        let outcome = cup.play(&[]);
        assert_eq!(outcome.code, Some(5), "{program}: {outcome:?}");
        for text in ["entrant \"p\": ", what, hint] {
            assert!(outcome.stderr.contains(text), "{program}: {text}: {}", outcome.stderr);
        }
        assert_eq!(cup.results().len(), 0);
    }
}

/// B1: the schema says what the file can have.
#[test]
fn the_schema_has_commands() {
    let schema = run(["schema", "tournament"]);
    assert!(
        schema.stdout.contains("\"command\"") && schema.stdout.contains("\"order_timeout_s\""),
        "{schema:?}"
    );
}
