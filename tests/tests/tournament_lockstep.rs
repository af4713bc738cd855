//! A tournament's match, played by hand over two message boards: the world waits for both, and each has its own robots alone. (B1, W6)

use crate::client::Client;
use crate::tournament_programs::{Cup, interrupt};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::process::{Child, Stdio};

/// A program that tells where its board is, and leaves the rest to the test.
const HAND: &str = "command = [\"sh\", \"-c\", \"echo $TOUCHLINE_SEED {match} {team} {robots} > $1.new; echo $0 $TOUCHLINE_KEY >> $1.new; mv $1.new $1; sleep 600\", \"{board}\", \"./{team}\"]\n";

/// A match of two that the test plays by hand.
struct ByHand {
    child: Child,
    clients: [Client; 2],
    boards: [SocketAddr; 2],
    keys: [String; 2],
    /// What each was told for its dice.
    dice: [u64; 2],
}

impl ByHand {
    fn start(cup: &Cup) -> Self {
        let mut child = cup.command(&["--match", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut connect = |team: &str| {
            let board = cup.path(team);
            while fs::read_to_string(&board).unwrap_or_default().lines().count() < 2 {
                assert_eq!(child.try_wait().unwrap(), None);
                std::thread::yield_now();
            }
            let text = fs::read_to_string(&board).unwrap();
            let (told, address) = text.trim().split_once('\n').unwrap();
            assert!(told.contains(&format!(" 0 {team} {team}-2,{team}-3")), "{text}");
            let (address, key) = address.split_once(' ').unwrap();
            let address = address.parse::<SocketAddr>().unwrap();
            let mut client = Client::connect_to(address);
            client.ok(&format!("HELLO 1 hand key={key}"));
            (client, address, key.to_owned(), told.split(' ').next().unwrap().parse().unwrap())
        };
        let ((a, a_board, a_key, a_dice), (b, b_board, b_key, b_dice)) = (connect("blue"), connect("yellow"));
        let (boards, keys) = ([a_board, b_board], [a_key, b_key]);
        Self { child, clients: [a, b], boards, keys, dice: [a_dice, b_dice] }
    }

    fn end(mut self) -> Value {
        let mut line = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut line).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{line}");
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for ByHand {
    /// A test that fails leaves no match behind.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            interrupt(&self.child);
            let _ = self.child.wait();
        }
    }
}

fn by_hand(name: &str) -> String {
    format!("[[entrant]]\nname = {name:?}\n{HAND}drives = [\"2\", \"3\"]\n")
}

/// B1, W6: a step is made when both have ordered it, and each waits for its own steps; an order before the robots are taken is answered
/// at once and does nothing. The last orders are answered before the end is told.
#[test]
fn the_world_waits_for_both_programs() {
    let cup = Cup::of(0.2, &by_hand("a"), &by_hand("b"));
    let mut hand = ByHand::start(&cup);
    let [blue, yellow] = &mut hand.clients;
    assert_eq!(blue.ok("STEP 5").number("step"), 0);
    blue.ok("TAKE blue-2");
    assert_eq!(blue.ok("STEP 5").number("step"), 0);
    blue.ok("TAKE blue-3");
    blue.send("STEP 5\n");
    for line in ["TAKE yellow-2", "TAKE yellow-3", "TWIST yellow-2 0.4 0 0"] {
        yellow.ok(line);
        assert_eq!(yellow.ok("STATUS").number("step"), 0, "the world waits");
    }
    yellow.send("STEP 12\n");
    assert_eq!(blue.answer().number("step"), 5);
    assert_eq!(blue.ok("STEP 7").number("step"), 12);
    assert_eq!(yellow.answer().number("step"), 12);
    blue.send("STEP 100\n");
    yellow.send("STEP 100\n");
    for client in [blue, yellow] {
        assert_eq!(client.answer().number("step"), 20);
        assert!(client.notice().head.starts_with("CLOSE board/stopping"));
    }
    let dice = hand.dice;
    let line = hand.end();
    assert_eq!((&line["ended"], &line["steps"], &line["faults"]), (&json!("time"), &json!(20), &json!([])));
    // Who had the match's own seed could calculate the errors of his sensors.
    assert!(dice[0] == dice[1] && json!(dice[0]) != line["seed"], "{dice:?}, {line}");
}

/// B1: a program drives its own robots and reads their sensors; the other team's, the truth and the rules are out of its reach.
#[test]
fn a_program_has_its_own_robots_alone() {
    let cup = Cup::of(0.1, &by_hand("a"), &by_hand("b"));
    let mut hand = ByHand::start(&cup);
    let [blue, yellow] = &mut hand.clients;
    for robot in ["blue-2", "blue-3"] {
        blue.ok(&format!("TAKE {robot}"));
        yellow.refused(&format!("TWIST {robot} 1 0 0"), "board/not-yours");
        yellow.ok(&format!("TAKE {}", robot.replace("blue", "yellow")));
    }
    for (line, code) in [
        ("TAKE blue-1", "board/benchmark"),
        ("GET blue-1 *", "board/benchmark"),
        ("SAY blue-2 hello", "board/benchmark"),
        ("TAKE yellow-2", "board/not-yours"),
        ("GIVE yellow-2", "board/not-yours"),
        ("GET yellow-2 *", "board/not-yours"),
        ("HEAR yellow-2", "board/not-yours"),
        ("WORLD", "board/role"),
        ("MOTION blue-2", "board/role"),
        ("BALL 0 4 0", "board/role"),
        ("PLACE blue-2 4 0 0", "board/role"),
        ("SETSCORE blue 3", "board/role"),
        ("RESET", "board/role"),
        ("SPEED max", "board/role"),
    ] {
        blue.refused(line, code);
    }
    blue.ok("GET blue-2 feature=ball");
    for client in [&mut *blue, &mut *yellow] {
        client.send("STEP 100\n");
    }
    assert_eq!(hand.end()["ended"], "time");
}

/// B1: another's board is closed; who shows its key there is named, and who shows none harms nobody's name. The match goes on.
#[test]
fn the_other_programs_board_is_closed() {
    let cup = Cup::of(0.1, &by_hand("a"), &by_hand("b"));
    let mut hand = ByHand::start(&cup);
    let mut spy = Client::connect_to(hand.boards[1]);
    for line in ["LIST", "GET yellow-2 *", "TAKE yellow-2", "STEP 100"] {
        spy.refused(line, "board/key-needed");
    }
    spy.refused("HELLO 1 spy role=operator", "board/key-needed");
    spy.refused(&format!("HELLO 1 spy key={}", hand.keys[0]), "board/key");
    spy.refused("GET yellow-2 *", "board/key-needed");
    for (client, team) in hand.clients.iter_mut().zip(["blue", "yellow"]) {
        client.ok(&format!("TAKE {team}-2"));
        client.ok(&format!("TAKE {team}-3"));
        client.send("STEP 100\n");
    }
    let line = hand.end();
    assert_eq!((&line["ended"], &line["steps"]), (&json!("time"), &json!(10)), "{line}");
    let faults = line["faults"].as_array().unwrap();
    assert_eq!((faults.len(), &faults[0]["entrant"]), (1, &json!("a")), "{line}");
    assert!(
        faults[0]["what"].as_str().unwrap().ends_with("has shown its key at the board of the yellow team")
    );
    assert_eq!(line["notes"].as_array().unwrap().len(), 1, "{line}");
}
