//! One state hash, however the match is run. [W3, W7, I2]
//!
//! The shipped match with the built plugins, 36,000 steps in release mode, fewer in debug mode. What small worlds can show
//! is in server/sim/tests/determinism.rs.

use crate::build::plugin_dir;
#[cfg(not(debug_assertions))]
use crate::build::{Profile, program};
use crate::program::{Server, command, outcome, root, touchline};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use touchline_host::Host;
use touchline_sim::World;
use touchline_sim::scenario::SensorSpec;

const WORLD: &str = "worlds/f2000.toml";
const STEPS: u64 = if cfg!(debug_assertions) { 6_000 } else { 36_000 };

/// The state hash that a program prints.
fn hash_of_run(program: &Path, steps: u64) -> String {
    let mut run = std::process::Command::new(program);
    run.current_dir(root()).args(["run", WORLD, "--seed", "1", "--json", "--steps", &steps.to_string()]);
    let outcome = outcome(&mut run);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let summary = outcome.json();
    assert_eq!(summary["faults"], serde_json::json!([]), "a plugin failed, so this is not the match");
    summary["state_hash"].as_str().expect("a hash").to_owned()
}

/// What all others must give.
fn straight() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hash_of_run(touchline(), STEPS))
}

fn world() -> World {
    world_with(|_| true)
}

/// The match with those sensors only.
fn world_with(is_wanted: impl Fn(&SensorSpec) -> bool) -> World {
    let host = Host::scan(&[plugin_dir().to_owned()]);
    let scenario = touchline_config::load_world(&root().join(WORLD), &host);
    let mut scenario = scenario.unwrap_or_else(|report| panic!("{report}"));
    scenario.seed = 1;
    for robot in &mut scenario.robots {
        Arc::make_mut(&mut robot.spec).sensors.retain(&is_wanted);
    }
    World::new(scenario, Arc::new(host)).unwrap_or_else(|error| panic!("{error}"))
}

fn hash(world: &World) -> String {
    format!("{:016x}", world.state_hash())
}

/// W3: two processes; and another seed is another match.
#[test]
fn two_runs_of_the_match_are_one() {
    assert_eq!(hash_of_run(touchline(), STEPS), straight());
    let mut other = command(["run", WORLD, "--seed", "2", "--json", "--steps", &STEPS.to_string()]);
    assert_ne!(outcome(&mut other).json()["state_hash"], straight());
}

/// I2: all sensors of all robots, at every tenth step.
#[test]
fn reading_all_sensors_changes_nothing() {
    let mut world = world();
    let (mut quantised, mut integers) = (Vec::new(), 0);
    for step in 1..=STEPS {
        world.step(&[]);
        if step % 10 == 0 {
            let frame = world.frame();
            for robot in &frame.robots {
                for sensor in 0..robot.identity.sensors.len() {
                    let read = frame.read_sensor(robot, sensor, &mut quantised);
                    read.unwrap_or_else(|fault| panic!("{}: {fault}", robot.identity.name));
                    integers += quantised.len() as u64;
                }
            }
        }
    }
    assert!(integers > STEPS, "no sensor was read: {integers}");
    assert_eq!(hash(&world), straight());
}

/// P5: players take the first sensor that gives what they look for. With the mirrors and sonars that stand behind the
/// cameras, and without, every object is at the same place at every hundredth step, bit by bit.
#[test]
fn sensors_that_nobody_takes_change_nothing() {
    let is_taken =
        |sensor: &SensorSpec| !["omnivision", "ultrasonic"].contains(&sensor.choice.plugin.as_str());
    let mut worlds = [world(), world_with(is_taken)];
    let sensors = worlds
        .each_ref()
        .map(|world| world.frame().robots.iter().map(|robot| robot.identity.sensors.len()).sum::<usize>());
    assert!(sensors[0] > sensors[1], "{sensors:?}");
    for step in (100..=3_000).step_by(100) {
        let objects = worlds.each_mut().map(|world| {
            (0..100).for_each(|_| drop(world.step(&[])));
            world.frame().objects.clone()
        });
        assert_eq!(objects[0], objects[1], "step {step}");
    }
}

/// W7: at a hundred steps, chosen by a fixed rule, a snapshot, a detour of some steps, and back.
#[test]
fn a_hundred_snapshots_change_nothing() {
    // A linear congruential generator (Knuth, MMIX): the steps are scattered, and the same in every run.
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut at = BTreeSet::new();
    while at.len() < 100 {
        at.insert(draw() % STEPS);
    }
    let mut world = world();
    for step in 0..STEPS {
        if at.contains(&step) {
            let before = world.state_hash();
            let snapshot = world.snapshot();
            for _ in 0..=draw() % 20 {
                world.step(&[]);
            }
            assert_ne!(world.state_hash(), before);
            world.restore(&snapshot);
            assert_eq!(world.state_hash(), before, "step {step}");
        }
        world.step(&[]);
    }
    assert_eq!(hash(&world), straight());
}

/// The same bits with and without the optimiser. Only in release mode: `cargo verify` has built the debug program by then.
#[cfg(not(debug_assertions))]
#[test]
fn debug_and_release_builds_agree() {
    assert_eq!(hash_of_run(program(Profile::Debug), STEPS), straight());
}

/// I3, I2: an operator orders the steps, while fifty others read all that they can.
#[test]
fn fifty_watchers_change_nothing() {
    const WATCHERS: usize = 50;
    const ORDER: u64 = 1_000;
    let server = Server::start(WORLD, &["--speed", "lockstep", "--seed", "1"]);
    let over = AtomicBool::new(false);
    let (is_there, all_are_there) = sync_channel::<()>(0);
    std::thread::scope(|scope| {
        let watch = |number: usize| {
            let (over, board, is_there) = (&over, server.board, is_there.clone());
            move || watch(board, number, is_there, over)
        };
        let watchers: Vec<_> = (0..WATCHERS).map(|number| scope.spawn(watch(number))).collect();
        drop(is_there);
        // However the operator ends, the watchers shall end as well.
        let played = catch_unwind(AssertUnwindSafe(|| {
            let mut operator = Line::open(server.board);
            operator.ask("HELLO 1 judge role=operator");
            // On a busy machine the match could be over before a watcher has come. None has read nothing: this ends when each has read, or has failed.
            assert!(all_are_there.recv().is_err());
            for _ in 0..STEPS / ORDER {
                operator.ask(&format!("STEP {ORDER}"));
            }
            operator.ask("STATUS")
        }));
        over.store(true, Ordering::Relaxed);
        watchers.into_iter().for_each(|watcher| watcher.join().expect("a watcher"));
        let status = played.unwrap_or_else(|panic| resume_unwind(panic));
        let field = |key: &str| status.split(' ').find_map(|word| word.strip_prefix(key)).unwrap_or_default();
        assert_eq!(field("step="), STEPS.to_string(), "{status}");
        assert_eq!(field("state_hash="), straight(), "{status}");
    });
}

/// Reads and lets itself be pushed all sensors of one robot until all is over; lets go of `is_there` when the first have come.
fn watch(board: SocketAddr, number: usize, is_there: SyncSender<()>, over: &AtomicBool) {
    let mut line = Line::open(board);
    line.ask(&format!("HELLO 1 watcher-{number} role=monitor"));
    let robot = format!("{}-{}", ["blue", "yellow"][number % 2], number / 2 % 4 + 1);
    line.ask(&format!("PUSH {robot} 1 *"));
    line.ask(&format!("GET {robot} *"));
    drop(is_there);
    while !over.load(Ordering::Relaxed) {
        line.ask(&format!("GET {robot} *"));
    }
}

/// A connection to the board that sends a line and waits for its answer.
struct Line {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Line {
    fn open(board: SocketAddr) -> Self {
        let stream = TcpStream::connect(board).expect("the board listens");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        Self { stream, reader }
    }

    /// The head of the answer; what comes unasked, and the rest of blocks, is read and dropped.
    fn ask(&mut self, request: &str) -> String {
        writeln!(self.stream, "{request}").expect("the board takes a line");
        loop {
            let head = self.read();
            let rest = head.split(' ').find_map(|word| word.strip_prefix("lines=")?.parse().ok());
            (0..rest.unwrap_or(0)).for_each(|_| drop(self.read()));
            assert!(!head.starts_with("ERR") && !head.starts_with("CLOSE"), "{request}: {head}");
            if head.starts_with("OK ") {
                return head;
            }
        }
    }

    fn read(&mut self) -> String {
        let mut line = String::new();
        let length = self.reader.read_line(&mut line).expect("the board answers");
        assert!(length > 0, "the board has closed the connection");
        line.trim_end().to_owned()
    }
}
