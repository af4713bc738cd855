//! `touchline benchmark goalkeeper --policy tcp`: a program outside attacks, over the message board, in lockstep. (B1)

use super::Failure;
use super::benchmark_options::GoalkeeperOptions;
use super::lockstep::{Heard, Late, Lockstep, Timeouts};
use serde_json::json;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchline_benchmark::conditions::{ATTACKER, Attacker, Conditions, SetUp};
use touchline_benchmark::keeper::Keeper;
use touchline_benchmark::play::{Played, seed_of};
use touchline_host::Host;
use touchline_runtime::world_loop::{EvaluationEvent, Plan};
use touchline_sim::{RobotNumber, World};

/// It comes first in the world file.
const ATTACKER_NUMBER: RobotNumber = 0;

/// Where the board listens if nobody says otherwise.
const BOARD: &str = "127.0.0.1:7050";
/// A client has so long if nobody says otherwise.
const TIMEOUT_SECS: f64 = 60.0;

/// Serves until all is played, and tells of the episodes against each keeper, in their order; the last may be incomplete.
///
/// # Errors
/// Why not all was played; what was is told before.
pub fn play(
    options: &GoalkeeperOptions,
    conditions: &Conditions,
    host: &Arc<Host>,
    stop: &AtomicBool,
    mut done: impl FnMut(),
    mut told: impl FnMut(Keeper, Vec<Option<Played>>),
) -> Result<(), Failure> {
    let keepers = &options.levels.0;
    let mut worlds = Vec::new();
    for &keeper in keepers {
        let scenario = conditions.scenario(keeper, &Attacker::Remote);
        worlds.push(World::new(scenario, Arc::clone(host) as _)?);
    }
    let (episodes, seed) = (options.episodes as usize, options.seed);
    let plan = Plan {
        worlds,
        episodes,
        seed_of: Some(Box::new(move |episode| seed_of(seed, episode))),
        recorder: None,
        participants: vec![vec![ATTACKER_NUMBER]],
        end_of: Box::new(|world| world.episode_end().map(|end| end.outcome().to_owned())),
    };
    let board = (&[options.board.as_deref().unwrap_or(BOARD)][..], "--board");
    let may_read_truth = options.set_up == SetUp::Truth;
    let mut lockstep = Lockstep::start(plan, Arc::clone(host) as _, board, &[], may_read_truth)?;
    let mut played: Vec<Vec<Option<Played>>> = vec![vec![None; episodes]; keepers.len()];
    let timeout = Duration::from_secs_f64(options.timeout.unwrap_or(TIMEOUT_SECS));
    let result = announce(options, lockstep.addresses[0]).and_then(|()| {
        follow(&mut lockstep, stop, timeout, keepers.len() * episodes, |world, episode, ended| {
            played[world][episode] = Some(ended);
            done();
        })
    });
    lockstep.stop();
    for (&keeper, played) in keepers.iter().zip(played) {
        if played.iter().any(Option::is_some) {
            told(keeper, played);
        }
    }
    result
}

/// Follows what the client does, and hands out episodes until all are there.
fn follow(
    lockstep: &mut Lockstep,
    stop: &AtomicBool,
    timeout: Duration,
    mut missing: usize,
    mut ended: impl FnMut(usize, usize, Played),
) -> Result<(), Failure> {
    let failed = |message: String| Err(Failure::Resource(message));
    while missing > 0 && !stop.load(Ordering::Relaxed) {
        match lockstep.hear() {
            Heard::Event(EvaluationEvent::Taken(_)) => {}
            Heard::Event(EvaluationEvent::Left(_)) => {
                return failed(format!("the client has left, with {missing} episodes to play"));
            }
            Heard::Event(EvaluationEvent::Ended { world, episode, outcome, steps, seed, fault }) => {
                missing -= 1;
                let is_broken = fault.is_some();
                ended(world, episode, Played { outcome, steps, seed, fault });
                if is_broken {
                    // Whoever counts says what it was.
                    return Ok(());
                }
            }
            Heard::Nothing => {
                let secs = timeout.as_secs_f64();
                match lockstep.is_late(0, Timeouts { start: timeout, order: timeout }) {
                    // It holds nobody but itself.
                    None | Some(Late::Stalls { .. }) => {}
                    Some(Late::Order) => {
                        return failed(format!(
                            "the client has made no step for {secs} s, with {missing} episodes to play\n  hint     --timeout"
                        ));
                    }
                    Some(Late::Start) => {
                        return failed(format!(
                            "no client has taken the robot \"{ATTACKER}\" within {secs} s\n  hint     HELLO 1 NAME role=operator, then TAKE {ATTACKER}; --timeout"
                        ));
                    }
                }
            }
            Heard::Broken => {
                return failed("the simulation ended by itself; its last message says why".into());
            }
        }
    }
    Ok(())
}

/// On stderr: the table is what is printed.
fn announce(options: &GoalkeeperOptions, address: SocketAddr) -> Result<(), Failure> {
    let line = if options.ready_json {
        json!({ "event": "ready", "board": address.to_string(), "robot": ATTACKER }).to_string()
    } else {
        format!(
            "board    {address}   waits for a client that takes the robot \"{ATTACKER}\" (docs/goalkeeper-benchmark.md)"
        )
    };
    writeln!(std::io::stderr(), "{line}")
        .map_err(|error| Failure::Resource(format!("standard error: cannot be written: {error}")))
}
