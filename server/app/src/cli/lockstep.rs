//! Programs outside play over message boards, in lockstep: what `benchmark --policy tcp` and `tournament` share. (B1)
//!
//! Each party has a board of its own, which knows by that who its clients are. The world waits for all of them.

use super::service::LONGEST_END;
use super::{Failure, addresses};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use touchline_board_server::{BoardConfig, BoardService, Lock};
use touchline_gate::Turns;
use touchline_runtime::world_loop::{self, News, Plan, Running, Trials};
use touchline_sim::PluginFactory;

/// So much may have happened before it is heard; then the world waits.
const NEWS: usize = 256;
/// How often it is looked whether anything moves.
const LOOK: Duration = Duration::from_millis(100);

/// The boards, the world behind them, and what is heard of it.
pub struct Lockstep {
    /// Address of each party's message board.
    pub addresses: Vec<SocketAddr>,
    heard: Receiver<News>,
    turns: Arc<Turns>,
    seen: Vec<Seen>,
    running: Running,
    stopping: watch::Sender<bool>,
    served: Vec<JoinHandle<()>>,
    tokio: tokio::runtime::Runtime,
}

/// A party as it was seen last.
struct Seen {
    turn: u64,
    since: Instant,
    is_there: bool,
}

/// How long a party is waited for, by the clock on the wall.
#[derive(Clone, Copy)]
pub struct Patience {
    /// Until it has its robots.
    pub start: Duration,
    /// For each order to step.
    pub order: Duration,
}

/// Events of a lockstep match.
pub enum Heard {
    /// An event of an episode or a party.
    News(News),
    /// No event within the timeout.
    Nothing,
    /// The simulation has ended by itself.
    Broken,
}

impl Lockstep {
    /// Opens the boards at the addresses of `option`, one for each party, each with its lock if there are any; nothing moves before all have taken their robots.
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
        let parties = plan.parties.len();
        let (news, heard) = sync_channel(NEWS);
        // A sensor that does not return a reading keeps one worker of its party's board, and no other's.
        let workers = 1 + parties;
        let tokio =
            tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
        let mut listeners = Vec::new();
        for address in addresses {
            tokio.block_on(addresses::check(address, option, false))?;
            listeners.push(tokio.block_on(addresses::bind(address, option))?);
        }
        let addresses = listeners.iter().map(|listener| listener.local_addr()).collect::<Result<_, _>>()?;
        let (gate, running) = world_loop::start_trials(Trials::new(plan, news), factory, may_read_truth)?;
        let (stopping, stopped) = watch::channel(false);
        let served = listeners.into_iter().enumerate().map(|(party, listener)| {
            let config = BoardConfig { lock: locks.get(party).cloned(), ..BoardConfig::default() };
            let mut stopped = stopped.clone();
            let until = async move {
                let _ = stopped.wait_for(|&stop| stop).await;
            };
            tokio.spawn(BoardService::new(gate.of_party(party), config).serve(listener, until))
        });
        let served = served.collect();
        let turns = Arc::clone(gate.turns());
        let seen = (0..parties).map(|_| Seen { turn: 0, since: Instant::now(), is_there: false }).collect();
        Ok(Self { addresses, heard, turns, seen, running, stopping, served, tokio })
    }

    /// Waits a little for news.
    pub fn hear(&mut self) -> Heard {
        let heard = self.heard.recv_timeout(LOOK);
        self.note(match heard {
            Ok(news) => Heard::News(news),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Broken,
        })
    }

    /// News that are there already.
    pub fn hear_now(&mut self) -> Heard {
        let heard = self.heard.try_recv();
        self.note(match heard {
            Ok(news) => Heard::News(news),
            Err(TryRecvError::Empty) => Heard::Nothing,
            Err(TryRecvError::Disconnected) => Heard::Broken,
        })
    }

    fn note(&mut self, heard: Heard) -> Heard {
        let now = Instant::now();
        match &heard {
            Heard::News(News::Taken(party)) => self.note_presence(*party, true),
            Heard::News(News::Left(party)) => self.note_presence(*party, false),
            Heard::News(News::Ended { .. }) => self.seen.iter_mut().for_each(|seen| seen.since = now),
            _ => {}
        }
        for (party, seen) in self.seen.iter_mut().enumerate() {
            let (turn, _) = self.turns.of(party);
            if turn != seen.turn {
                (seen.turn, seen.since) = (turn, now);
            }
        }
        heard
    }

    fn note_presence(&mut self, party: usize, is_there: bool) {
        if let Some(seen) = self.seen.get_mut(party) {
            (seen.is_there, seen.since) = (is_there, Instant::now());
        }
    }

    /// Whether a party has ordered steps that are not made: it is not the one that is waited for.
    pub fn waits(&self, party: usize) -> bool {
        self.turns.of(party).1
    }

    /// Whether it was this party's turn for longer than its patience, and if so, whether it has its robots.
    pub fn is_late(&self, party: usize, patience: Patience) -> Option<bool> {
        let seen = self.seen.get(party)?;
        let patience = if seen.is_there { patience.order } else { patience.start };
        (!self.waits(party) && seen.since.elapsed() > patience).then_some(seen.is_there)
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
