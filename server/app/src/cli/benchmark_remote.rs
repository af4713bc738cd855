//! `touchline benchmark goalkeeper --policy tcp`: a program outside attacks, over the message board, in lockstep. (B1)

use super::benchmark_options::GoalkeeperOptions;
use super::{Failure, service};
use crate::board::{BoardConfig, BoardService, TrialRules};
use crate::runtime::{self, News, Plan, Trials};
use serde_json::json;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::watch;
use touchline_benchmark::conditions::{ATTACKER, Attacker, Conditions, SetUp};
use touchline_benchmark::keeper::Keeper;
use touchline_benchmark::play::{Played, seed_of};
use touchline_host::Host;
use touchline_sim::{RobotNumber, World};

/// So much may have happened before it is counted; then the world waits.
const NEWS: usize = 256;
/// How often it is looked whether anything moves.
const LOOK: Duration = Duration::from_millis(100);

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
    mut told: impl FnMut(Keeper, Vec<Option<Played>>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let keepers = &options.levels.0;
    let mut worlds = Vec::new();
    for &keeper in keepers {
        let scenario = conditions.scenario(keeper, &Attacker::Remote);
        worlds.push(World::new(scenario, Arc::clone(host) as _)?);
    }
    // It comes first in the world file.
    let attacker: RobotNumber = 0;
    let (episodes, seed) = (options.episodes as usize, options.seed);
    let seed_of = Box::new(move |episode| seed_of(seed, episode));
    let (news, heard) = sync_channel(NEWS);
    let (trials, steps) = Trials::new(Plan { worlds, episodes, seed_of, robot: attacker }, news);
    let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (stopping, stopped) = watch::channel(false);
    let (served, running) = tokio.block_on(async {
        let listener = service::bind(&options.board, "--board").await?;
        let (runtime, running) = runtime::start_trials(trials, attacker, Arc::clone(host) as _)?;
        let rules = TrialRules { robot: attacker, may_read_truth: options.set_up == SetUp::Truth };
        let config = BoardConfig { trials: Some(rules), ..BoardConfig::default() };
        announce(options, &listener)?;
        let mut stopped = stopped;
        let until = async move {
            let _ = stopped.wait_for(|&stop| stop).await;
        };
        Ok::<_, Failure>((tokio::spawn(BoardService::new(runtime, config).serve(listener, until)), running))
    })?;
    let mut played: Vec<Vec<Option<Played>>> = vec![vec![None; episodes]; keepers.len()];
    let watch = Watch { heard, steps, stop, patience: Duration::from_secs_f64(options.patience) };
    let result = watch.all(keepers.len() * episodes, |world, episode, ended| {
        played[world][episode] = Some(ended);
        done();
    });
    // The answer to its last order is on its way to the client.
    std::thread::sleep(LOOK);
    let _ = stopping.send(true);
    if tokio.block_on(served).is_err() {
        tracing::error!("the message board ended badly");
    }
    running.stop();
    for (&keeper, played) in keepers.iter().zip(played) {
        if played.iter().any(Option::is_some) {
            told(keeper, played)?;
        }
    }
    result
}

/// Follows what the client does.
struct Watch<'a> {
    heard: Receiver<News>,
    steps: Arc<AtomicU64>,
    stop: &'a AtomicBool,
    patience: Duration,
}

impl Watch<'_> {
    /// Hands out episodes until all are there.
    fn all(self, mut missing: usize, mut ended: impl FnMut(usize, usize, Played)) -> Result<(), Failure> {
        let (mut is_taken, mut seen, mut since) = (false, 0, Instant::now());
        let failed = |message: String| Err(Failure::Resource(message));
        while missing > 0 && !self.stop.load(Ordering::Relaxed) {
            match self.heard.recv_timeout(LOOK) {
                Ok(News::Taken) => (is_taken, since) = (true, Instant::now()),
                Ok(News::Left) => {
                    return failed(format!("the client has left, with {missing} episodes to play"));
                }
                Ok(News::Ended { world, episode, outcome, steps, seed, fault }) => {
                    missing -= 1;
                    since = Instant::now();
                    let is_broken = fault.is_some();
                    ended(world, episode, Played { outcome, steps, seed, fault });
                    if is_broken {
                        // Whoever counts says what it was.
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let steps = self.steps.load(Ordering::Relaxed);
                    if steps != seen {
                        (seen, since) = (steps, Instant::now());
                    }
                    if since.elapsed() > self.patience {
                        let secs = self.patience.as_secs_f64();
                        return failed(match is_taken {
                            true => format!(
                                "the client has made no step for {secs} s, with {missing} episodes to play\n  hint     --patience"
                            ),
                            false => format!(
                                "no client has taken the robot \"{ATTACKER}\" within {secs} s\n  hint     HELLO 1 NAME role=operator, then TAKE {ATTACKER}; --patience"
                            ),
                        });
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return failed("the simulation ended by itself; its last message says why".into());
                }
            }
        }
        Ok(())
    }
}

/// On stderr: the table is what is printed.
fn announce(options: &GoalkeeperOptions, listener: &TcpListener) -> Result<(), Failure> {
    let address = listener.local_addr()?;
    let line = if options.ready_json {
        json!({ "event": "ready", "board": address.to_string(), "robot": ATTACKER }).to_string()
    } else {
        format!(
            "board    {address}   waits for a client that takes the robot \"{ATTACKER}\" (docs/goalkeeper-benchmark.md)"
        )
    };
    Ok(writeln!(std::io::stderr(), "{line}")?)
}
