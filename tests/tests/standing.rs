//! While time stands, a command that drives is answered at once and stands until the next step. On the built server. [C2, R3]

use crate::client::{Client, number};
use crate::program::Server;

fn server() -> Server {
    Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep"])
}

/// What a robot is told, by dimension.
fn told(client: &mut Client, robot: &str) -> Vec<f64> {
    let motion = client.ok(&format!("MOTION {robot}"));
    motion.lines.iter().filter(|line| line.starts_with("DIM ")).map(|line| number(line, "value")).collect()
}

fn state(client: &mut Client) -> (String, u64) {
    let status = client.ok("STATUS");
    (status.field("state_hash").to_owned(), status.number("tick"))
}

/// Everybody is shown it at once, the last one counts, and the world is another only with the next step.
#[test]
fn a_drive_is_shown_at_once_and_carried_out_at_the_step() {
    let server = server();
    let (mut player, mut desk) = (Client::connect(&server), Client::operator(&server));
    player.ok("ROBOT mine file=pioneer x=1 y=1 theta=0");
    // A drive may be in the state before the step, with whatever else wakes the world; it moves nobody before that.
    let seen = |client: &mut Client| (state(client).1, client.ok("WORLD").lines);
    let before = seen(&mut desk);
    player.ok("TWIST me 0.5 0 0.25");
    assert_eq!((told(&mut player, "me"), told(&mut desk, "mine")), (vec![0.5, 0.25], vec![0.5, 0.25]));
    player.ok("TURN me -1");
    player.ok("FORWARD me 0.1");
    assert_eq!(told(&mut desk, "mine"), [0.1, -1.0]);
    assert_eq!(seen(&mut desk), before, "nothing has happened yet");
    // Far more than lie in the inbox; each is answered.
    for round in 0..4 {
        let drives: String = (0..1000).map(|drive| format!("DRIVE me 0.{round}{drive} 0\n")).collect();
        player.send(&drives);
        (0..1000).for_each(|_| assert!(player.answer().head.starts_with("OK ")));
    }
    assert_eq!(told(&mut desk, "mine"), [0.3999, 0.0]);
    desk.ok("STEP 50");
    let motion = desk.ok("MOTION mine");
    assert!((number(&motion.head, "forward") - 0.3999).abs() < 1e-3, "{motion:?}");
    // What cannot be is refused as ever.
    assert!(player.fails("DRIVE me 0.1").contains("this robot takes 2"));
    player.refused("TWIST me 0 1 0", "sim/no-such-velocity");
    desk.ok("TAKE mine");
    player.refused("TWIST me 0.1 0 0", "sim/taken");
    assert_eq!(told(&mut player, "me"), [0.0, 0.0]);
}

/// I2: however often somebody asks meanwhile, and whatever else is done, the world goes the same way, and counts the same ticks.
#[test]
fn whoever_looks_changes_no_tick_and_no_state() {
    let played = |looks: bool| {
        let server = server();
        let (mut player, mut desk) = (Client::connect(&server), Client::operator(&server));
        player.ok("ROBOT mine file=pioneer x=1 y=1 theta=0");
        let mut states = Vec::new();
        for round in 0..40 {
            player.ok(&format!("TWIST me 0.{} 0 0.{}", round % 7, round % 5));
            if looks {
                for question in ["MOTION mine", "STATUS", "TIMELINE", "LIST", "GET mine *"] {
                    desk.ok(question);
                }
            }
            match round % 5 {
                0 => drop(player.ok("SAY me \"hello\"")),
                1 => drop(desk.ok(&format!("PLACE mine -2 0.{round} 0"))),
                2 => drop(desk.ok("PAUSE")),
                _ => {}
            }
            desk.ok("STEP 3");
            states.push(state(&mut desk));
        }
        states
    };
    assert_eq!(played(true), played(false));
}

/// What was given to the world before a seek is not given to the one behind it.
#[test]
fn a_drive_before_a_jump_stays_before_it() {
    let server = server();
    let mut desk = Client::operator(&server);
    desk.ok("ROBOT mine file=pioneer x=1 y=1 theta=0");
    desk.ok("STEP 10");
    let (hash, tick) = state(&mut desk);
    desk.ok("STEP 10");
    desk.ok("TWIST mine 0.5 0 0");
    desk.ok(&format!("SEEK {tick}"));
    assert_eq!(told(&mut desk, "mine"), [0.0, 0.0]);
    assert_eq!(state(&mut desk).0, hash);
}

/// Whoever speaks last counts, though he came first: drives stand in the order in which they were given, and before all that comes later.
#[test]
fn the_last_word_counts() {
    let server = server();
    let (mut desk, mut player) = (Client::operator(&server), Client::connect(&server));
    player.ok("ROBOT mine file=pioneer x=-2 y=1 theta=0");
    player.ok("TWIST me 0.5 0 0.25");
    desk.ok("TWIST mine 0.1 0 0");
    assert_eq!((told(&mut player, "me"), told(&mut desk, "mine")), (vec![0.1, 0.0], vec![0.1, 0.0]));
    player.ok("FORWARD me 0.2");
    desk.ok("SETSCORE blue 1");
    assert_eq!(told(&mut desk, "mine"), [0.2, 0.0]);
    desk.ok("TAKE mine");
    assert_eq!(told(&mut desk, "mine"), [0.0, 0.0], "it stands when it is taken");
    desk.ok("STEP 100");
    let forward = number(&desk.ok("MOTION mine").head, "forward");
    assert_eq!(forward, 0.0);
}
