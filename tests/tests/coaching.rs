//! A coach that exchanges the players of tired robots, on the built server. [Y1, Y2, W7]

use crate::client::{Client, field, number};
use crate::program::{Server, run};

const WORLD: &str = "worlds/coach.toml";
const DT_SECS: f64 = 0.02;
const STRIKER: &str = "striker";

/// A blue robot as it is: pose, speed, stamina, player.
struct Seen {
    pose: [f64; 3],
    speed_m_s: f64,
    stamina: f64,
    player: String,
}

fn look(desk: &mut Client, robot: &str) -> Seen {
    let world = desk.ok("WORLD");
    let of_robot = format!(" {robot} ");
    let row = world.lines.iter().find(|line| line.starts_with("ROBOT ") && line.contains(&of_robot)).unwrap();
    let pose = ["x", "y", "theta"].map(|key| number(row, key));
    let motion = desk.ok(&format!("MOTION {robot}"));
    let [forward, left] = ["forward", "left"].map(|key| number(&motion.head, key));
    let listed = desk.robots().into_iter().find(|line| line.contains(&of_robot)).unwrap();
    Seen {
        pose,
        speed_m_s: forward.hypot(left),
        stamina: number(motion.line("DATUM stamina "), "value"),
        player: field(&listed, "player").to_owned(),
    }
}

/// Y1, Y2: whoever falls below the limit gets the player that rests, and keeps its place and its stamina; rested, it plays again.
#[test]
fn a_tired_robot_rests_and_plays_again() {
    let server = Server::start(WORLD, &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    assert!(desk.robots().contains(&"TEAMPLAYER blue-coach team=blue player=coach".to_owned()));
    let mut since = 0;
    let mut exchanges = Vec::new();
    let mut before = ["blue-1", "blue-2"].map(|robot| look(&mut desk, robot));
    let is_over = |exchanges: &[(String, String)]| exchanges.iter().any(|of| of.1 == STRIKER);
    while !is_over(&exchanges) && desk.ok("STATUS").number("step") < 1500 {
        // The coach is asked every ten steps; it decides by what the step before has left.
        desk.ok("STEP 1");
        let events = desk.ok(&format!("EVENTS since={since} kind=player-exchanged"));
        since = events.number("next");
        let after = ["blue-1", "blue-2"].map(|robot| look(&mut desk, robot));
        for (index, (before, after)) in before.iter().zip(&after).enumerate() {
            let robot = format!("name=blue-{}", index + 1);
            let Some(event) = events.lines.iter().find(|line| line.contains(&robot)) else {
                assert_eq!(before.player, after.player);
                continue;
            };
            assert_eq!(field(event, "plugin"), after.player);
            assert_ne!(before.player, after.player);
            match after.player.as_str() {
                STRIKER => assert!(before.stamina >= 0.95, "{}", before.stamina),
                _ => assert!(before.stamina < 0.8, "{}", before.stamina),
            }
            // It goes on: as far as its speed takes it in a step, and its stamina as far as that costs.
            let gone_m = (after.pose[0] - before.pose[0]).hypot(after.pose[1] - before.pose[1]);
            let farthest_m = before.speed_m_s.max(after.speed_m_s) * DT_SECS;
            assert!(gone_m <= farthest_m + 1e-4, "{gone_m} {farthest_m}");
            assert!((after.stamina - before.stamina).abs() <= (0.1 * 1.7 + 0.04) * DT_SECS);
            exchanges.push((robot.clone(), after.player.clone()));
        }
        before = after;
    }
    let first = &exchanges[0].0;
    let of_first: Vec<&str> = exchanges.iter().filter(|of| of.0 == *first).map(|of| of.1.as_str()).collect();
    assert_eq!(of_first[0], "wanderer");
    let heard = desk.ok("HEAR blue-2");
    let said = heard.lines.iter().chain(&desk.ok("HEAR blue-1").lines).any(|line| {
        line.contains("name=blue-coach") && line.contains("channel=team") && line.ends_with("\"rest blue-1\"")
            || line.ends_with("\"rest blue-2\"")
    });
    assert!(said, "the coach says so");
    for yellow in ["yellow-1", "yellow-2"] {
        let heard = desk.ok(&format!("HEAR {yellow}"));
        assert!(heard.lines.iter().all(|line| !line.contains("blue-coach")), "{heard:?}");
    }
}

/// W7: a coach's decisions come again: the recording has no input, and the world runs as it was, bit by bit.
#[test]
fn a_coached_match_runs_again_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("coach.mcap").display().to_string();
    let ran = run(["run", WORLD, "--for", "40", "--record", &file, "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let verified = run(["log", "verify", &file, "--json"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert_eq!(verified.json()["same"], true);
    assert_eq!(verified.json()["state_hash"], ran.json()["state_hash"]);
}

/// Y2: an operator exchanges a player; the robot goes on, and what cannot be done is refused.
#[test]
fn an_operator_exchanges_a_player() {
    let server = Server::start(WORLD, &["--studio", "off", "--speed", "lockstep"]);
    let mut desk = Client::operator(&server);
    desk.ok("STEP 100");
    let before = look(&mut desk, "yellow-1");
    assert_eq!(before.player, STRIKER);
    desk.ok("EXCHANGE yellow-1 plugin=wanderer period_ms=50");
    let after = look(&mut desk, "yellow-1");
    assert_eq!((after.pose, after.stamina, after.player.as_str()), (before.pose, before.stamina, "wanderer"));
    desk.ok("STEP 100");
    assert_ne!(look(&mut desk, "yellow-1").pose, before.pose);
    desk.refused("EXCHANGE yellow-1 plugin=nobody", "plugin/not-found");
    desk.refused("EXCHANGE yellow-1 plugin=wanderer params=\"{\\\"speed\\\": 1}\"", "plugin/bad-parameter");
    desk.refused("EXCHANGE yellow-1", "board/missing-parameter");
    assert_eq!(look(&mut desk, "yellow-1").player, "wanderer");
    desk.ok("ROBOT mine file=pioneer x=-4 y=2");
    desk.refused("EXCHANGE mine plugin=wanderer", "sim/player");
    Client::connect(&server).refused("EXCHANGE yellow-1 plugin=wanderer", "board/role");
}
