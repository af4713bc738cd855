//! Programs outside play over message boards, in lockstep: what `benchmark --policy tcp` and `tournament` share. (B1)
//!
//! Each participant has a board of its own, which knows by that who its clients are. The world waits for all of them.

use super::service::LONGEST_END;
use super::{Failure, addresses};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use touchline_board_server::{BoardConfig, BoardService, Lock};
use touchline_gate::LockstepBarrier;
use touchline_runtime::world_loop::{self, Evaluation, EvaluationEvent, Plan, Running};
use touchline_sim::PluginFactory;

/// So much may have happened before it is heard; then the world waits.
const EVENTS: usize = 256;
/// How often it is looked whether anything moves.
const LOOK: Duration = Duration::from_millis(100);

/// A turn that takes longer is a stall, and stalls are added up.
const STALL: Duration = Duration::from_millis(500);
/// So many times as long as for one order a participant is waited for in all its stalls together: who stalls just short of that each time holds
/// nobody for days.
const STALLS: u32 = 60;

/// The boards, the world behind them, and what is heard of it.
pub struct Lockstep {
    /// Address of each participant's message board.
    pub addresses: Vec<SocketAddr>,
    heard: Receiver<EvaluationEvent>,
    barrier: Arc<LockstepBarrier>,
    seen: Vec<Seen>,
    running: Running,
    stopping: watch::Sender<bool>,
    served: Vec<JoinHandle<()>>,
    tokio: tokio::runtime::Runtime,
}

/// A participant as it was seen last.
struct Seen {
    turn: u64,
    since: Instant,
    is_there: bool,
    /// How long all its stalls before this turn took.
    stalled: Duration,
}

/// Whether what went by from one number of the barrier to another was one turn of the participant: not the world's, whose steps may take long, and
/// where several have passed since the last look, none was a stall.
fn is_own_turn(from: u64, to: u64) -> bool {
    from.is_multiple_of(2) && to == from + 1
}

/// Why a participant is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// It has not its robots.
    Start,
    /// It has not ordered a step.
    Order,
    /// Its stalls together took too long.
    Stalls {
        /// How long.
        secs: u64,
    },
}

/// How long a participant is waited for, by the clock on the wall.
#[derive(Clone, Copy)]
pub struct Timeouts {
    /// Until it has its robots.
    pub start: Duration,
    /// For each order to step.
    pub order: Duration,
}

/// Events of a lockstep match.
pub enum Heard {
    /// An event of an episode or a participant.
    Event(EvaluationEvent),
    /// No event within the timeout.
    Nothing,
    /// The simulation has ended by itself.
    Broken,
}

impl Lockstep {
    /// Opens the boards at the addresses of `option`, one for each participant, each with its lock if there are any; nothing moves before all have taken their robots.
    ///
    /// # Errors
    /// When an address cannot be used, or the system has no threads to give.
    pub fn start(
        plan: Plan,
        factory: Arc<dyn PluginFactory>,
        (addresses, option): (&[&str], &str),
        locks: &[Arc<Lock>],
        may_read_truth: bool,
    ) -> Result<Self, Failure> {
        let participants = plan.participants.len();
        let (events, heard) = sync_channel(EVENTS);
        // A sensor that does not return a reading keeps one worker of its participant's board, and no other's.
        let workers = 1 + participants;
        let tokio =
            tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
        let mut listeners = Vec::new();
        for address in addresses {
            tokio.block_on(addresses::check(address, option, false))?;
            listeners.push(tokio.block_on(addresses::bind(address, option))?);
        }
        let addresses = listeners.iter().map(|listener| listener.local_addr()).collect::<Result<_, _>>()?;
        let (gate, running) =
            world_loop::start_evaluation(Evaluation::new(plan, events), factory, may_read_truth)?;
        let (stopping, stopped) = watch::channel(false);
        let served = listeners.into_iter().enumerate().map(|(participant, listener)| {
            let config = BoardConfig { lock: locks.get(participant).cloned(), ..BoardConfig::default() };
            let mut stopped = stopped.clone();
            let until = async move {
                let _ = stopped.wait_for(|&stop| stop).await;
            };
            tokio.spawn(BoardService::new(gate.of_participant(participant), config).serve(listener, until))
        });
        let served = served.collect();
        let barrier = Arc::clone(gate.barrier());
        let seen = (0..participants)
            .map(|_| Seen { turn: 0, since: Instant::now(), is_there: false, stalled: Duration::ZERO })
            .collect();
        Ok(Self { addresses, heard, barrier, seen, running, stopping, served, tokio })
    }

    /// Waits a little for events.
    pub fn hear(&mut self) -> Heard {
        let heard = self.heard.recv_timeout(LOOK);
        self.note(match heard {
            Ok(events) => Heard::Event(events),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Broken,
        })
    }

    /// EvaluationEvent that are there already.
    pub fn hear_now(&mut self) -> Heard {
        let heard = self.heard.try_recv();
        self.note(match heard {
            Ok(events) => Heard::Event(events),
            Err(TryRecvError::Empty) => Heard::Nothing,
            Err(TryRecvError::Disconnected) => Heard::Broken,
        })
    }

    fn note(&mut self, heard: Heard) -> Heard {
        let now = Instant::now();
        match &heard {
            Heard::Event(EvaluationEvent::Taken(participant)) => self.note_presence(*participant, true),
            Heard::Event(EvaluationEvent::Left(participant)) => self.note_presence(*participant, false),
            Heard::Event(EvaluationEvent::Ended { .. }) => {
                self.seen.iter_mut().for_each(|seen| seen.since = now)
            }
            _ => {}
        }
        for (participant, seen) in self.seen.iter_mut().enumerate() {
            let (turn, _) = self.barrier.turn_of(participant);
            if turn != seen.turn {
                let took = now.saturating_duration_since(seen.since);
                if seen.is_there && is_own_turn(seen.turn, turn) && took > STALL {
                    seen.stalled += took;
                }
                (seen.turn, seen.since) = (turn, now);
            }
        }
        heard
    }

    fn note_presence(&mut self, participant: usize, is_there: bool) {
        if let Some(seen) = self.seen.get_mut(participant) {
            (seen.is_there, seen.since) = (is_there, Instant::now());
        }
    }

    /// Whether a participant has ordered steps that are not made: it is not the one that is waited for.
    pub fn waits(&self, participant: usize) -> bool {
        self.barrier.turn_of(participant).1
    }

    /// Whether it was this participant's turn for longer than it may be.
    pub fn is_late(&self, participant: usize, timeouts: Timeouts) -> Option<Late> {
        let seen = self.seen.get(participant)?;
        let most = timeouts.order.saturating_mul(STALLS);
        let takes = if self.waits(participant) { Duration::ZERO } else { seen.since.elapsed() };
        match seen.is_there {
            false => (takes > timeouts.start).then_some(Late::Start),
            true if takes > timeouts.order => Some(Late::Order),
            true => (seen.stalled > most).then_some(Late::Stalls { secs: seen.stalled.as_secs() }),
        }
    }

    /// Answers what was begun, tells all clients that this is the end, and waits until they have gone.
    pub fn stop(self) {
        // Nobody listens any more: the world waits for nobody.
        drop(self.heard);
        let _ = self.stopping.send(true);
        for served in self.served {
            if self.tokio.block_on(served).is_err() {
                tracing::error!("the message board ended badly");
            }
        }
        self.running.stop();
        self.tokio.shutdown_timeout(LONGEST_END);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [B1] A world that takes long over a step, or is shown in real time, makes no participant late.
    #[test]
    fn what_the_world_takes_is_no_stall_of_a_participant() {
        // Of the barrier's numbers the odd ones are the world's.
        assert!(is_own_turn(4, 5));
        assert!(!is_own_turn(5, 6), "the world's");
        assert!(!is_own_turn(4, 6), "both");
    }
}
