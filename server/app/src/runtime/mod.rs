//! The one loop: a thread that owns the World, steps it in time, and publishes what is true.
//!
//! [`start`] begins it. A [`Runtime`] is the handle by which the board and the studio reach it: commands and control
//! go in through one bounded queue, [`Published`] comes out through a watch in which the newest wins. The loop
//! waits for its next step and for its queue, and for nobody else.
//!
//! # Invariants
//! - I3: a reader cannot slow a step: it takes the newest [`Published`], or misses one.
//! - Everything that can wake the loop is a `Wake`.
//! - After a suspend or an overload it goes on from now; it does not make up for what it missed.
//!
//! # Not here
//! When a step is due: `pace.rs`, which knows no clock. Sockets: `board`, `studio`.

mod pace;
mod published;
mod thread;

pub use published::{LoopStatus, Published};
pub use touchline_board::Speed;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Instant;
use tokio::sync::{oneshot, watch};
use touchline_sim::{Action, Command, CommandError, PluginFactory, RobotNumber, Scenario, World};

/// Commands that may wait for the next step.
const QUEUE: usize = 4096;

/// A request to the loop itself. (W6)
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Stands still.
    Pause,
    /// Goes on.
    Resume,
    /// Makes this many steps at once, and then stands still.
    Step(u32),
    /// Sets the speed.
    Speed(Speed),
}

impl Control {
    /// The speed factors that can be asked for.
    pub const SPEED_FACTORS: std::ops::RangeInclusive<f64> = 0.001..=1000.0;
    /// The most steps that can be asked for at once: what a client cannot wait for, nobody needs.
    pub const MAX_STEPS: u32 = 1_000_000;

    fn check(self) -> Result<(), RequestError> {
        match self {
            Self::Speed(Speed::Factor(factor)) if !Self::SPEED_FACTORS.contains(&factor) => {
                Err(RequestError::OutOfRange("a speed factor is from 0.001 to 1000".into()))
            }
            Self::Step(steps) if steps > Self::MAX_STEPS => {
                Err(RequestError::OutOfRange(format!("at most {} steps at a time", Self::MAX_STEPS)))
            }
            _ => Ok(()),
        }
    }
}

/// Everything that can wake the loop.
enum Wake {
    Command { command: Command, answer: oneshot::Sender<Answer> },
    Control { control: Control, done: oneshot::Sender<()> },
    Stop,
}

type Answer = Result<Option<RobotNumber>, CommandError>;

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The world refused it.
    #[error(transparent)]
    Refused(#[from] CommandError),
    /// Too many commands wait already.
    #[error("the simulation has {QUEUE} commands waiting; try again")]
    Busy,
    /// A speed or a number of steps out of range.
    #[error("{0}")]
    OutOfRange(String),
    /// The loop has ended.
    #[error("the simulation is stopping")]
    Stopping,
}

/// The handle to the loop; cheap to clone.
#[derive(Clone)]
pub struct Runtime {
    queue: SyncSender<Wake>,
    published: watch::Receiver<Arc<Published>>,
    scenario: Arc<Scenario>,
    factory: Arc<dyn PluginFactory>,
    epoch: Instant,
    next_client: Arc<AtomicU64>,
}

/// The loop's thread.
pub struct Running {
    thread: std::thread::JoinHandle<()>,
    queue: SyncSender<Wake>,
}

/// Starts the loop.
///
/// # Errors
/// When the system has no thread to give.
pub fn start(
    world: World,
    factory: Arc<dyn PluginFactory>,
    speed: Speed,
) -> std::io::Result<(Runtime, Running)> {
    let epoch = Instant::now();
    let scenario = Arc::new(world.scenario().clone());
    let (queue, wakes) = sync_channel(QUEUE);
    let (publisher, published) =
        watch::channel(Arc::new(Published::new(world.frame(), 0, LoopStatus::new(speed))));
    let thread = std::thread::Builder::new()
        .name("world".into())
        .spawn(move || thread::Loop::new(world, speed, epoch, publisher).run(&wakes))?;
    let next_client = Arc::new(AtomicU64::new(1));
    let runtime = Runtime { queue: queue.clone(), published, scenario, factory, epoch, next_client };
    Ok((runtime, Running { thread, queue }))
}

impl Runtime {
    /// What is true now.
    pub fn newest(&self) -> Arc<Published> {
        self.published.borrow().clone()
    }

    /// Completes when the loop has ended, for whatever reason.
    pub async fn ended(&self) {
        let mut published = self.published.clone();
        while published.changed().await.is_ok() {}
    }

    /// To wait for what is true next.
    pub fn watch(&self) -> watch::Receiver<Arc<Published>> {
        self.published.clone()
    }

    /// What the world was made from.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The plugins.
    pub fn factory(&self) -> &Arc<dyn PluginFactory> {
        &self.factory
    }

    /// The server's clock: microseconds since it began, monotonic.
    pub fn now_us(&self) -> u64 {
        self.epoch.elapsed().as_micros() as u64
    }

    /// A number for a new client: commands of one step are carried out in the order of these.
    pub fn new_client(&self) -> u64 {
        self.next_client.fetch_add(1, Ordering::Relaxed)
    }

    /// Queues a command for the next step; the answer comes when it was carried out.
    ///
    /// # Errors
    /// When it was refused, or the queue is full.
    pub fn command(
        &self,
        client: u64,
        sequence: u64,
        action: Action,
    ) -> Result<PendingCommand, RequestError> {
        let (answer, answered) = oneshot::channel();
        let command = Command { client, sequence, action };
        self.send(Wake::Command { command, answer })?;
        Ok(PendingCommand(answered))
    }

    /// Hands a request to the loop; completes when it was carried out.
    ///
    /// # Errors
    /// When the queue is full, or the request is out of range.
    pub fn control(&self, control: Control) -> Result<PendingControl, RequestError> {
        control.check()?;
        let (done, waiting) = oneshot::channel();
        self.send(Wake::Control { control, done })?;
        Ok(PendingControl(waiting))
    }

    fn send(&self, wake: Wake) -> Result<(), RequestError> {
        self.queue.try_send(wake).map_err(|error| match error {
            TrySendError::Full(_) => RequestError::Busy,
            TrySendError::Disconnected(_) => RequestError::Stopping,
        })
    }
}

/// A command that waits for its step.
pub struct PendingCommand(oneshot::Receiver<Answer>);

impl PendingCommand {
    /// What became of it; the number of a new robot.
    ///
    /// # Errors
    /// When it was refused.
    pub async fn done(self) -> Result<Option<RobotNumber>, RequestError> {
        Ok(self.0.await.map_err(|_| RequestError::Stopping)??)
    }
}

/// A control request that waits to be carried out.
pub struct PendingControl(oneshot::Receiver<()>);

impl PendingControl {
    /// Completes when it was carried out: for [`Control::Step`] when all its steps are made.
    ///
    /// # Errors
    /// When the loop ended before.
    pub async fn done(self) -> Result<(), RequestError> {
        self.0.await.map_err(|_| RequestError::Stopping)
    }
}

impl Running {
    /// Ends the loop and waits for its thread.
    pub fn stop(self) {
        // A full queue is being emptied: waiting for a place is right here.
        if self.queue.send(Wake::Stop).is_ok() && self.thread.join().is_err() {
            tracing::error!("the simulation's thread panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W6: what an operator may ask for is bounded, whichever way he asks.
    #[test]
    fn speeds_and_steps_out_of_range_are_refused() {
        for factor in [0.0, -1.0, 1e-300, 1e308, f64::NAN, f64::INFINITY] {
            assert!(Control::Speed(Speed::Factor(factor)).check().is_err(), "{factor}");
        }
        assert!(Control::Speed(Speed::Factor(0.5)).check().is_ok());
        assert!(Control::Step(u32::MAX).check().is_err());
        assert!(Control::Step(1000).check().is_ok());
    }
}
