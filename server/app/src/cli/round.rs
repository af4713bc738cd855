//! Programs play in a world, each over a board of its own, in lockstep: what tournaments and challenges share. (B1, CH2)

use super::Failure;
use super::lockstep::{Heard, Late, Lockstep, Timeouts};
use super::process::Process;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchline_board_server::{Lock, Neighbours};
use touchline_gate::{Digest, Keys, Pass};
use touchline_runtime::world_loop::{EvaluationEvent, Plan};
use touchline_sim::PluginFactory;

/// A board of a program is for programs of this machine.
const ANY_PORT: &str = "127.0.0.1:0";
/// When all is over a program may take so long to end by itself.
pub const GRACE: Duration = Duration::from_secs(2);
/// What the clock on the wall alone has decided is played at most so often.
pub const ATTEMPTS: u32 = 3;
/// One that has given its robots back is perhaps about to end: then it is known how. Only one that stays takes so long, as on a busy machine an end may.
const LAST_BREATH: Duration = Duration::from_secs(5);

/// The boards of all rounds that are played at once: a program can come to any of them.
static NEIGHBOURS: Neighbours = Neighbours::new();

/// The locks of the participants' boards: each opens to its own key alone, and knows those of the others, and of all other rounds of this process. Theirs
/// call this one by the `round`'s name.
pub fn locks(keys: &[(Digest, Pass)], round: &str) -> Vec<Arc<Lock>> {
    let others = |own: usize| keys.iter().enumerate().filter(move |(other, _)| *other != own);
    let lock = |own: usize| {
        let others = Keys::new(others(own).map(|(_, key)| key.clone()));
        Lock::among(Keys::new([keys[own].clone()]), others, &NEIGHBOURS, round)
    };
    (0..keys.len()).map(lock).collect()
}

/// A round of episodes that is played by external programs.
pub struct Round {
    timeouts: Timeouts,
    lockstep: Lockstep,
    processes: Vec<Process>,
    /// The participants that have failed, and what they did.
    failed: BTreeMap<usize, Why>,
}

/// Why a program has failed.
#[derive(Clone, Copy, PartialEq)]
enum Why {
    Ended,
    Left,
    Late(Late),
}

/// End of a round that was followed.
pub enum Followed {
    Over,
    Failed,
    Stopped,
}

impl Round {
    /// Opens a board for each participant of the plan, and starts their programs: `start` is told which participant, and where its board is.
    ///
    /// # Errors
    /// Which participant cannot be started, and why; the others are ended.
    pub fn start(
        plan: Plan,
        (factory, may_read_truth): (Arc<dyn PluginFactory>, bool),
        locks: &[Arc<Lock>],
        timeouts: Timeouts,
        mut start: impl FnMut(usize, SocketAddr) -> Result<Process, String>,
    ) -> Result<Self, (usize, String)> {
        let boards = vec![ANY_PORT; plan.participants.len()];
        let lockstep = Lockstep::start(plan, factory, (&boards, "a board at"), locks, may_read_truth);
        let lockstep = lockstep.map_err(|failure: Failure| (0, failure.to_string()))?;
        let mut round = Self { timeouts, lockstep, processes: Vec::new(), failed: BTreeMap::new() };
        for (participant, address) in round.lockstep.addresses.clone().into_iter().enumerate() {
            match start(participant, address) {
                Ok(process) => round.processes.push(process),
                Err(why) => {
                    round.close(Duration::ZERO);
                    return Err((participant, why));
                }
            }
        }
        Ok(round)
    }

    /// Until all is over, or a program has failed and each other has failed too or waits for the world: so it does not depend
    /// on which of two that fail in the same step is heard of first.
    pub fn follow(&mut self, stop: &AtomicBool) -> Followed {
        let participants = self.processes.len();
        while !stop.load(Ordering::Relaxed) {
            let is_settled = |participant: usize| {
                self.failed.contains_key(&participant) || self.lockstep.waits(participant)
            };
            if !self.failed.is_empty() && (0..participants).all(is_settled) {
                return Followed::Failed;
            }
            match self.lockstep.hear() {
                Heard::Event(EvaluationEvent::Taken(_)) => {}
                Heard::Event(EvaluationEvent::Left(participant)) => {
                    self.failed.entry(participant).or_insert(Why::Left);
                }
                Heard::Event(EvaluationEvent::Ended { .. }) | Heard::Broken => return Followed::Over,
                Heard::Nothing => {
                    if self.look() {
                        return Followed::Over;
                    }
                }
            }
        }
        Followed::Stopped
    }

    /// Looks after processes that have ended, or do nothing; whether all is over meanwhile.
    fn look(&mut self) -> bool {
        let mut failed = BTreeMap::new();
        for (participant, process) in self.processes.iter_mut().enumerate() {
            if process.ended().is_some() {
                failed.insert(participant, Why::Ended);
            } else if let Some(late) = self.lockstep.is_late(participant, self.timeouts) {
                failed.insert(participant, Why::Late(late));
            }
        }
        // One that ends because all is over has not failed.
        while !failed.is_empty() {
            match self.lockstep.hear_now() {
                Heard::Event(EvaluationEvent::Ended { .. }) | Heard::Broken => return true,
                Heard::Event(EvaluationEvent::Left(participant)) => {
                    failed.entry(participant).or_insert(Why::Left);
                }
                Heard::Event(EvaluationEvent::Taken(_)) => {}
                Heard::Nothing => break,
            }
        }
        for (participant, why) in failed {
            self.failed.entry(participant).or_insert(why);
        }
        false
    }

    /// Whether the clock on the wall alone says that somebody has failed.
    pub fn is_late(&self) -> bool {
        self.failed.values().all(|why| matches!(why, Why::Late(_)))
    }

    /// Ends the programs that have failed, and tells which participant's, what they did, and what they said last.
    pub fn failures(&mut self) -> Vec<(usize, Failed)> {
        let mut failures = Vec::new();
        for (&participant, why) in &self.failed {
            let process = &mut self.processes[participant];
            let status = process.end(if *why == Why::Left { LAST_BREATH } else { Duration::ZERO });
            let Timeouts { start, order } = self.timeouts;
            let what = match (status, why) {
                (Some(status), _) => format!("has ended, {status}"),
                (None, Why::Late(Late::Start)) => {
                    format!("has not taken its robots within {} s (start_timeout_s)", start.as_secs_f64())
                }
                (None, Why::Late(Late::Order)) => {
                    format!("has ordered no step for {} s (order_timeout_s)", order.as_secs_f64())
                }
                (None, Why::Late(Late::Stalls { secs })) => {
                    format!(
                        "was waited for {secs} s in turns of over half a second (60 times order_timeout_s is allowed)"
                    )
                }
                (None, _) => "has given its robots back".into(),
            };
            failures.push((participant, Failed { what, said: process.last_words() }));
        }
        failures
    }

    /// Ends it for all that take part, and gives what each has said last.
    pub fn close(mut self, grace: Duration) -> Vec<String> {
        if grace.is_zero() {
            // Nobody waits for what they would still do.
            self.processes.clear();
        }
        self.lockstep.stop();
        let end = |process: &mut Process| {
            process.end(grace);
            process.last_words()
        };
        self.processes.iter_mut().map(end).collect()
    }
}

/// What a program that failed did, and what it said last.
pub struct Failed {
    /// Such as `has ended, exit status: 1`.
    pub what: String,
    /// Last lines of its output.
    pub said: String,
}
