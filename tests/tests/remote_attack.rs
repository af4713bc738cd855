//! The goalkeeper benchmark measures a program outside: over the message board, in lockstep. [B1, C1]

use crate::client::Client;
use crate::program::{Outcome, command, root};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStderr, Command, Stdio};

/// A running benchmark that waits for its client.
struct Measuring {
    child: Child,
    stderr: BufReader<ChildStderr>,
    board: SocketAddr,
}

impl Measuring {
    fn start(options: &[&str]) -> Self {
        let mut command = command(["benchmark", "goalkeeper", "--policy", "tcp", "--board", "127.0.0.1:0"]);
        command.args(["--ready-json", "--json"]).args(options);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!((&ready["event"], &ready["robot"]), (&"ready".into(), &"attacker".into()));
        let board = ready["board"].as_str().unwrap().parse().unwrap();
        Self { child, stderr, board }
    }

    fn end(mut self) -> Outcome {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stderr.read_to_string(&mut stderr).unwrap();
        self.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        Outcome { code: self.child.wait().unwrap().code(), stdout, stderr }
    }
}

/// An operator who has taken the attacker over.
fn attacker(measuring: &Measuring) -> Client {
    let mut client = Client::connect_to(measuring.board);
    client.ok("HELLO 1 hand role=operator");
    client.ok("TAKE attacker");
    client
}

/// B1: the example client in Python plays ten episodes against each keeper, twice with the same results and the digest of all others.
#[test]
fn a_program_in_another_language_is_measured() {
    let options = ["--levels", "none,block-2", "--episodes", "10"];
    let play = || {
        let measuring = Measuring::start(&options);
        let client = root().join("clients/python/examples/goalkeeper_attack.py");
        let client =
            Command::new("python3").arg(client).args(["--addr", &measuring.board.to_string()]).output();
        let client = client.unwrap();
        let outcome = measuring.end();
        assert_eq!(outcome.code, Some(0), "{outcome:?} {client:?}");
        assert!(client.status.success(), "{client:?}");
        outcome.json()
    };
    let (first, second) = (play(), play());
    assert_eq!(first["rows"], second["rows"]);
    let [none, block] = [0, 1].map(|row| &first["rows"][row]);
    assert_eq!((&none["episodes"], &block["episodes"]), (&10.into(), &10.into()));
    assert!(none["goals"].as_u64().unwrap() >= 5, "{none}");
    assert_eq!((&first["policy"], &first["interrupted"]), (&"tcp".into(), &false.into()));
    let random =
        command(["benchmark", "goalkeeper", "--policy", "random", "--json"]).args(options).output().unwrap();
    let random: Value = serde_json::from_slice(&random.stdout).unwrap();
    assert_eq!(first["digest"], random["digest"]);
}

/// B1: an order to step ends with its episode; the next one has another number and begins with step 0 and its own start.
#[test]
fn a_client_knows_that_a_new_episode_has_begun() {
    let measuring = Measuring::start(&["--levels", "still-1,block-1", "--episodes", "2"]);
    let mut client = attacker(&measuring);
    let place = |client: &mut Client| client.ok("WORLD").line("ROBOT 0").to_owned();
    let start = place(&mut client);
    let moved = client.ok("STEP 5");
    assert_eq!((moved.number("step"), moved.number("episode")), (5, 0));
    // Nobody drives: the time of each episode is up after 1000 steps.
    let moved = client.ok("STEP 5000");
    assert_eq!((moved.number("step"), moved.number("episode")), (0, 1));
    assert_eq!(client.ok("SCORE").number("episode"), 1);
    assert_ne!(place(&mut client), start);
    client.ok("TWIST attacker 0.5 0 0");
    assert_eq!(client.ok("STEP 1000").number("episode"), 2);
    // The other keeper has the same starts.
    assert_eq!(place(&mut client), start);
    client.ok("STEP 1000");
    client.ok("STEP 1000");
    let outcome = measuring.end();
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.json()["rows"][1]["episodes"], 2);
}

/// B1, C7: what was ordered last is answered before the connection is closed, however soon the benchmark ends after it.
#[test]
fn the_last_order_is_answered_before_the_end() {
    for _ in 0..5 {
        let measuring = Measuring::start(&["--levels", "none", "--episodes", "1"]);
        let mut client = attacker(&measuring);
        client.ok("STEP 1000");
        assert!(client.notice().head.starts_with("CLOSE board/stopping "));
        assert!(client.message().is_none(), "nothing comes after it");
        assert_eq!(measuring.end().code, Some(0));
    }
}

/// B1: whoever is measured drives the attacker and reads its sensors, and can help himself to nothing else.
#[test]
fn nobody_helps_who_is_measured() {
    let measuring = Measuring::start(&["--levels", "still-1", "--episodes", "1", "--set-up", "camera"]);
    let mut client = attacker(&measuring);
    for line in [
        "RESET",
        "BALL 0 4 0",
        "PLACE attacker 4 0 0",
        "SPEED max",
        "PAUSE",
        "SEEK 0",
        "RECORD start",
        "REFEREE X",
        "SETSCORE blue 3",
        "REMOVE keeper",
        "STOP keeper",
        "TAKE keeper",
        "START attacker plugin=striker",
        "WORLD",
        "MOTION attacker",
        "GET keeper *",
    ] {
        let answer = client.ask(line);
        assert!(answer.head.starts_with("ERR board/benchmark"), "{line}: {}", answer.head);
    }
    client.ok("GET attacker camera odometry");
    client.ok("MANIPULATE attacker kicker kick");
    client.ok("STEP 1000");
    assert_eq!(measuring.end().code, Some(0));
}

/// B1: a client that leaves or stands still ends the run; what was finished is told.
#[test]
fn a_client_that_does_not_do_its_part_ends_the_run() {
    let measuring = Measuring::start(&["--levels", "still-1,still-2", "--episodes", "3"]);
    let mut client = attacker(&measuring);
    client.ok("STEP 1000");
    client.ok("STEP 10");
    drop(client);
    let outcome = measuring.end();
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(outcome.stderr.contains("the client has left, with 5 episodes to play"), "{outcome:?}");
    let report = outcome.json();
    assert_eq!((&report["rows"][0]["episodes"], &report["interrupted"]), (&1.into(), &true.into()));
    assert_eq!(report["rows"].as_array().unwrap().len(), 1);

    let measuring = Measuring::start(&["--levels", "still-1", "--episodes", "3", "--timeout", "5"]);
    let mut client = attacker(&measuring);
    client.ok("STEP 1000");
    let outcome = measuring.end();
    assert_eq!(outcome.code, Some(4), "{outcome:?}");
    assert!(outcome.stderr.contains("no step for 5 s, with 2 episodes to play"), "{outcome:?}");
    assert_eq!(outcome.json()["rows"][0]["episodes"], 1);

    let outcome = Measuring::start(&["--levels", "still-1", "--episodes", "3", "--timeout", "0.5"]).end();
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(4), ""));
    assert!(outcome.stderr.contains("no client has taken the robot \"attacker\""), "{outcome:?}");
}
