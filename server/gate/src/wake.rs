//! The queue between the gate and the loop, seen from the loop.

use crate::barrier::LockstepBarrier;
use crate::error::RequestError;
use crate::faults::Faults;
use crate::handle::Gate;
use crate::history::Tick;
use crate::inbox::{Given, Inbox, Rest};
use crate::mode::Mode;
use crate::priority::Priority;
use crate::published::{LoopStatus, Published};
use crate::{Control, Speed};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};
use touchline_sim::{Command, CommandError, Frame, PluginFactory, RobotNumber, Scenario, World};

/// Requests that may wait for the next step.
pub(crate) const QUEUE: usize = 4096;

/// Everything that can wake the loop.
pub enum Wake {
    /// For the world, at its next step.
    Command {
        /// In the order (client, sequence).
        command: Command,
        /// Hears what became of it.
        answer: oneshot::Sender<Answer>,
    },
    /// An order for the loop itself, such as a pause.
    Control {
        /// The order to carry out.
        control: Control,
        /// Index of the participant that orders steps.
        participant: usize,
        /// Hears that it was done; for steps, that they are made.
        done: oneshot::Sender<()>,
    },
    /// Go on from another tick.
    Seek {
        /// Tick on the timeline.
        to: Tick,
        /// A live world is handed the state that it shall go on from.
        world: Option<Box<World>>,
        /// Hears what became of it.
        done: oneshot::Sender<Result<(), RequestError>>,
    },
    /// Ends the loop.
    Stop,
}

/// What became of a command; the number of a new robot.
pub type Answer = Result<Option<RobotNumber>, CommandError>;

/// What goes through the loop's queue, and who looks at what comes out.
#[derive(Default)]
pub(crate) struct Traffic {
    pub waiting: AtomicU64,
    pub refused: AtomicU64,
    /// How many look at each step.
    pub followers: AtomicUsize,
    /// Since when the loop is in a step, microseconds of the server's clock; 0 when it waits.
    pub busy_since_us: AtomicU64,
    /// What keeps the loop from going on, for longer than anybody should wait.
    pub stall: Mutex<Option<Arc<str>>>,
    /// The recordings that are complete, oldest first.
    pub recorded: Mutex<Vec<PathBuf>>,
    /// The system's number of the loop's thread; 0 as long as it is not known.
    pub thread: AtomicI32,
    /// How the system treats it; none if that was never asked for.
    pub priority: Mutex<Option<Priority>>,
}

/// The loop's side of the gate.
pub struct LoopEnd {
    /// What comes in; tell [`LoopEnd::taken`] of each.
    pub wakes: Receiver<Wake>,
    /// Whose turn it is, for all to see.
    pub barrier: Arc<LockstepBarrier>,
    publisher: watch::Sender<Arc<Published>>,
    /// Counts Frames in which something happened, or robots are others.
    happenings: watch::Sender<u64>,
    traffic: Arc<Traffic>,
    inbox: Arc<Inbox>,
    faults: Arc<Faults>,
    epoch: Instant,
}

/// Ends the loop; can be given to another thread.
pub struct Stopper(SyncSender<Wake>);

/// Opens a gate to a world that stands at `frame`, for so many participants.
pub fn open(
    frame: Frame,
    speed: Speed,
    scenario: Arc<Scenario>,
    factory: Arc<dyn PluginFactory>,
    mode: Arc<dyn Mode>,
    participants: usize,
) -> (Gate, LoopEnd, Stopper) {
    let (queue, wakes) = sync_channel(QUEUE);
    let (faults, traffic) = (Arc::new(Faults::default()), Arc::new(Traffic::default()));
    let first = Published::new(Arc::new(frame), 0, LoopStatus::new(speed), Arc::clone(&faults));
    let (publisher, published) = watch::channel(Arc::new(first));
    let (happenings, happened) = watch::channel(0);
    let (barrier, epoch) = (Arc::new(LockstepBarrier::new(participants)), Instant::now());
    let stopper = Stopper(queue.clone());
    let inbox = Arc::<Inbox>::default();
    let end = LoopEnd {
        wakes,
        barrier: Arc::clone(&barrier),
        publisher,
        happenings,
        traffic: Arc::clone(&traffic),
        inbox: Arc::clone(&inbox),
        faults: Arc::clone(&faults),
        epoch,
    };
    let gate = Gate {
        queue,
        published,
        happened,
        scenario,
        factory,
        mode,
        epoch,
        inbox,
        next_client: Arc::new(AtomicU64::new(1)),
        traffic,
        faults,
        barrier,
        owners: Arc::default(),
        participant: 0,
    };
    (gate, end, stopper)
}

impl LoopEnd {
    /// The server's clock: time since the gate was opened, monotonic.
    pub fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// A wake was taken from the queue.
    pub fn taken(&self, wake: &Wake) {
        if !matches!(wake, Wake::Stop) {
            self.traffic.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// What the loop does until it takes what is in its inbox: whoever does not have to wake it does not.
    pub fn rests(&self, rest: Rest) {
        self.inbox.rests(rest);
    }

    /// Takes the commands that have woken nobody: those that stand, as they came, which are answered, and those for the next step.
    pub fn take_inbox(&self) -> (Vec<Command>, Vec<Given>) {
        let (standing, given) = self.inbox.take();
        self.traffic.waiting.fetch_sub((standing.len() + given.len()) as u64, Ordering::Relaxed);
        (standing, given)
    }

    /// Whether a command does no more than drive, and would be carried out.
    pub fn would_drive(&self, command: &Command) -> bool {
        self.publisher.borrow().frame.would_drive(command.client, &command.action)
    }

    /// Time stands, and this was taken: it stands as those that have woken nobody.
    pub fn stands(&self, command: Command) {
        self.traffic.waiting.fetch_add(1, Ordering::Relaxed);
        self.inbox.stands(command);
    }

    /// Since when the loop does what may take long; `None` while it waits.
    pub fn set_busy(&self, since: Option<Duration>) {
        let since_us = since.map_or(0, |since| (since.as_micros() as u64).max(1));
        self.traffic.busy_since_us.store(since_us, Ordering::Relaxed);
    }

    /// The system's number of this thread.
    pub fn set_thread(&self, number: i32) {
        self.traffic.thread.store(number, Ordering::Relaxed);
    }

    /// Whether somebody looks at each step.
    pub fn is_followed(&self) -> bool {
        self.traffic.followers.load(Ordering::Relaxed) > 0
    }

    /// Shows what is true now to all who look.
    pub fn publish(&self, frame: Frame, status: LoopStatus, now: Duration) {
        let stamp_us = now.as_micros() as u64;
        let published = Published::new(Arc::new(frame), stamp_us, status, Arc::clone(&self.faults));
        let before = self.publisher.send_replace(Arc::new(published));
        if self.publisher.borrow().happens_after(&before) {
            self.happenings.send_modify(|count| *count += 1);
        }
        self.inbox.shown();
    }
}

impl Stopper {
    /// Whether the loop was there to be told; it may take until the queue has a place.
    pub fn stop(self) -> bool {
        // A full queue is being emptied: waiting for a place is right here.
        self.0.send(Wake::Stop).is_ok()
    }
}
