//! Programs play in a world, each over a board of its own, in lockstep: what tournaments and challenges share. (B1, CH2)

use super::Failure;
use super::lockstep::{Heard, Lockstep, Patience};
use super::process::Process;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use touchline_board_server::Lock;
use touchline_gate::{Digest, Keys, Pass};
use touchline_runtime::world_loop::{News, Plan};
use touchline_sim::PluginFactory;

/// A board of a program is for programs of this machine.
const ANY_PORT: &str = "127.0.0.1:0";
/// When all is over a program may take so long to end by itself.
pub const GRACE: Duration = Duration::from_secs(2);
/// What the clock on the wall alone has decided is played at most so often.
pub const ATTEMPTS: u32 = 3;
/// One that has given its robots back is perhaps about to end: then it is known how.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// The locks of the parties' boards: each opens to its own key alone, and knows those of the others.
pub fn locks(keys: &[(Digest, Pass)]) -> Vec<Arc<Lock>> {
    let others = |own: usize| keys.iter().enumerate().filter(move |(other, _)| *other != own);
    let lock = |own: usize| {
        Arc::new(Lock::beside(
            Keys::new([keys[own].clone()]),
            Keys::new(others(own).map(|(_, key)| key.clone())),
        ))
    };
    (0..keys.len()).map(lock).collect()
}

/// A round of episodes that is played by external programs.
pub struct Round {
    patience: Patience,
    lockstep: Lockstep,
    processes: Vec<Process>,
    /// The parties that have failed, and what they did.
    failed: BTreeMap<usize, Why>,
}

/// Why a program has failed.
#[derive(Clone, Copy, PartialEq)]
enum Why {
    Ended,
    Left,
    Late { is_there: bool },
}

/// End of a round that was followed.
pub enum Followed {
    Over,
    Failed,
    Stopped,
}

impl Round {
    /// Opens a board for each party of the plan, and starts their programs: `start` is told which party, and where its board is.
    ///
    /// # Errors
    /// Which party cannot be started, and why; the others are ended.
    pub fn start(
        plan: Plan,
        (factory, may_read_truth): (Arc<dyn PluginFactory>, bool),
        locks: &[Arc<Lock>],
        patience: Patience,
        mut start: impl FnMut(usize, SocketAddr) -> Result<Process, String>,
    ) -> Result<Self, (usize, String)> {
        let boards = vec![ANY_PORT; plan.parties.len()];
        let lockstep = Lockstep::start(plan, factory, (&boards, "a board at"), locks, may_read_truth);
        let lockstep = lockstep.map_err(|failure: Failure| (0, failure.to_string()))?;
        let mut round = Self { patience, lockstep, processes: Vec::new(), failed: BTreeMap::new() };
        for (party, address) in round.lockstep.addresses.clone().into_iter().enumerate() {
            match start(party, address) {
                Ok(process) => round.processes.push(process),
                Err(why) => {
                    round.close(Duration::ZERO);
                    return Err((party, why));
                }
            }
        }
        Ok(round)
    }

    /// Until all is over, or a program has failed and each other has failed too or waits for the world: so it does not depend
    /// on which of two that fail in the same step is heard of first.
    pub fn follow(&mut self, stop: &AtomicBool) -> Followed {
        let parties = self.processes.len();
        while !stop.load(Ordering::Relaxed) {
            let is_settled = |party: usize| self.failed.contains_key(&party) || self.lockstep.waits(party);
            if !self.failed.is_empty() && (0..parties).all(is_settled) {
                return Followed::Failed;
            }
            match self.lockstep.hear() {
                Heard::News(News::Taken(_)) => {}
                Heard::News(News::Left(party)) => {
                    self.failed.entry(party).or_insert(Why::Left);
                }
                Heard::News(News::Ended { .. }) | Heard::Broken => return Followed::Over,
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
        for (party, process) in self.processes.iter_mut().enumerate() {
            if process.ended().is_some() {
                failed.insert(party, Why::Ended);
            } else if let Some(is_there) = self.lockstep.is_late(party, self.patience) {
                failed.insert(party, Why::Late { is_there });
            }
        }
        // One that ends because all is over has not failed.
        while !failed.is_empty() {
            match self.lockstep.hear_now() {
                Heard::News(News::Ended { .. }) | Heard::Broken => return true,
                Heard::News(News::Left(party)) => {
                    failed.entry(party).or_insert(Why::Left);
                }
                Heard::News(News::Taken(_)) => {}
                Heard::Nothing => break,
            }
        }
        for (party, why) in failed {
            self.failed.entry(party).or_insert(why);
        }
        false
    }

    /// Whether the clock on the wall alone says that somebody has failed.
    pub fn is_late(&self) -> bool {
        self.failed.values().all(|why| matches!(why, Why::Late { .. }))
    }

    /// Ends the programs that have failed, and tells which party's, what they did, and what they said last.
    pub fn failures(&mut self) -> Vec<(usize, Failed)> {
        let mut failures = Vec::new();
        for (&party, why) in &self.failed {
            let process = &mut self.processes[party];
            let status = process.end(if *why == Why::Left { LAST_BREATH } else { Duration::ZERO });
            let Patience { start, order } = self.patience;
            let what = match (status, why) {
                (Some(status), _) => format!("has ended, {status}"),
                (None, Why::Late { is_there: false }) => {
                    format!("has not taken its robots within {} s (start_patience_s)", start.as_secs_f64())
                }
                (None, Why::Late { is_there: true }) => {
                    format!("has ordered no step for {} s (patience_s)", order.as_secs_f64())
                }
                (None, _) => "has given its robots back".into(),
            };
            failures.push((party, Failed { what, said: process.last_words() }));
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
