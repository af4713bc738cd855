//! Robots that an operator takes over from their players, on the built server. [Y2, C2, C6]
//!
//! Nothing here waits for time to pass: what has to happen is waited for on the board itself.

use crate::client::{Client, field, number};
use crate::program::Server;

fn server() -> Server {
    Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep"])
}

fn row(client: &mut Client, robot: &str) -> String {
    let word = format!(" {robot} ");
    client.robots().into_iter().find(|row| row.contains(&word)).expect("the robot is there")
}

/// Y2: a robot is started where it is told to be, taken over, driven, and given back to a player that goes on.
#[test]
fn a_player_is_silent_while_its_robot_is_taken() {
    let server = server();
    let mut desk = Client::operator(&server);
    desk.ok(
        "START walker plugin=wanderer file=scout x=-2 y=1 theta=1.5 params=\"{\\\"speed_fraction\\\": 0.3}\"",
    );
    let place = |client: &mut Client| {
        let world = client.ok("WORLD");
        let robot = world.line("ROBOT ");
        [number(robot, "x"), number(robot, "y"), number(robot, "theta")]
    };
    assert_eq!(place(&mut desk), [-2.0, 1.0, 1.5]);
    desk.refused("START walker plugin=wanderer x=1 y=1", "board/bad-parameter");
    desk.ok("STEP 100");
    desk.ok("TAKE walker");
    desk.ok("STEP 100");
    let still = place(&mut desk);
    assert_ne!(still, [-2.0, 1.0, 1.5], "its player drove");
    desk.ok("STEP 50");
    assert_eq!(place(&mut desk), still, "and drives no more");
    desk.ok("TWIST walker 0.3 0 0");
    desk.ok("STEP 100");
    let [x, y, theta] = place(&mut desk);
    assert_eq!(theta, still[2], "straight ahead");
    let gone_m = (x - still[0]).hypot(y - still[1]);
    assert!((0.15..0.31).contains(&gone_m), "{gone_m} m in a second at 0.3 m/s");
    assert!(row(&mut desk, "walker").contains(" player=wanderer taken_by="), "its player lives");
    desk.ok("GIVE walker");
    desk.refused("GIVE walker", "sim/taken");
    desk.ok("STEP 100");
    assert_ne!(place(&mut desk), [x, y, theta], "its player drives again");
    assert!(!row(&mut desk, "walker").contains("fault="));
}

/// C6: a robot has one driver: its maker and other operators are told, and may still speak.
#[test]
fn only_the_taker_drives_a_taken_robot() {
    let server = server();
    let mut maker = Client::connect(&server);
    maker.ok("ROBOT chaser file=pioneer");
    maker.refused("TAKE me", "board/role");
    let mut desk = Client::operator(&server);
    desk.ok("HELLO 1 desk role=operator");
    desk.ok("TAKE chaser");
    desk.ok("TAKE chaser");
    for line in ["FORWARD me 1", "TURN me 1", "TWIST me 1 0 0", "DRIVE me 1 1", "MANIPULATE me kicker kick"] {
        maker.refused(line, "sim/taken");
    }
    maker.ok("SAY me \"I am still here\"");
    let mut other = Client::operator(&server);
    other.refused("TAKE chaser", "sim/taken");
    other.refused("FORWARD chaser 1", "sim/taken");
    assert_eq!(field(&row(&mut other, "chaser"), "taken_by"), "desk");
    desk.ok("FORWARD chaser 0.2");
    other.ok("GIVE chaser");
    maker.ok("FORWARD me 0.2");
}

/// C2: a connection that ends gives back all that it has taken, even what it was about to take.
#[test]
fn a_connection_that_ends_gives_its_robots_back() {
    let server = server();
    let mut watcher = Client::operator(&server);
    for name in ["a", "b", "c"] {
        watcher.ok(&format!("START {name} plugin=wanderer file=scout"));
    }
    watcher.ok("TAKE c");
    let mut desk = Client::operator(&server);
    desk.ok("TAKE a");
    assert!(row(&mut watcher, "a").contains("taken_by="));
    desk.send("TAKE b\n");
    drop(desk);
    while ["a", "b"].iter().any(|robot| row(&mut watcher, robot).contains("taken_by=")) {}
    assert!(row(&mut watcher, "c").contains("taken_by="), "nobody else's");
}

/// G1: a referee lists what it obeys.
#[test]
fn the_referee_says_what_it_knows() {
    let server = Server::start("worlds/f2000.toml", &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    let known = desk.ok("REFEREE").lines;
    assert!(known.contains(&"COMMAND \"KICKOFF <team>\"".to_owned()), "{known:?}");
    Client::connect(&server).refused("REFEREE", "board/role");
}

/// C2: who made a robot is told that another has removed it, and drives it no more.
#[test]
fn its_maker_is_told_that_a_robot_has_gone() {
    let server = server();
    let mut maker = Client::connect(&server);
    maker.ok("ROBOT chaser file=pioneer");
    let mut other = Client::connect(&server);
    other.refused("REMOVE chaser", "board/not-yours");
    Client::operator(&server).ok("REMOVE chaser");
    let told = maker.notice();
    assert!(told.head.starts_with("GONE robot=") && told.head.ends_with("\"removed\""), "{told:?}");
    maker.refused("FORWARD me 1", "board/no-robot");
}
