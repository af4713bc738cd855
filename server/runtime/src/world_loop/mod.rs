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

mod each_step;
mod faults;
mod pace;
mod published;
mod replay;
mod stage;
mod step_times;
mod thread;
mod trials;
mod turns;

pub use each_step::EachStep;
pub use replay::Replay;
pub use stage::Live;
pub use trials::{News, Plan, Trials};
pub use turns::Turns;

pub use published::{LoopStatus, Published};
pub use step_times::StepTimes;
pub use touchline_board::Speed;

use crate::recorder::{Mark, RecordError, Recorder, Stream};
use stage::Stage;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Instant;
use tokio::sync::{oneshot, watch};
use touchline_record::{Difference, Moment};
use touchline_sim::{Action, Command, CommandError, Frame, PluginFactory, RobotNumber, Scenario, World};

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

    fn check(self, is_replay: bool) -> Result<(), RequestError> {
        match self {
            Self::Speed(Speed::Factor(factor)) if factor < 0.0 && !is_replay => {
                Err(RequestError::OutOfRange(
                    "only a recording runs backwards; to go back in a live world, JUMP".into(),
                ))
            }
            Self::Speed(Speed::Factor(factor)) if !Self::SPEED_FACTORS.contains(&factor.abs()) => {
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
    Command {
        command: Command,
        answer: oneshot::Sender<Answer>,
    },
    Control {
        control: Control,
        /// Who orders steps.
        party: usize,
        done: oneshot::Sender<()>,
    },
    /// A live world is handed the state that it shall go on from.
    Jump {
        to: Moment,
        world: Option<Box<World>>,
        done: oneshot::Sender<Result<(), RequestError>>,
    },
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
    /// The past is not there, or not to be changed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Nothing can be changed in a recording.
    #[error("this is a recording: it can be looked at, and not be changed")]
    Replay,
    /// Nobody may help who is measured.
    #[error(
        "you can drive the robots that are yours here, and the world goes on by STEP; nothing else can be changed"
    )]
    Trials,
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
    past: Past,
    epoch: Instant,
    next_client: Arc<AtomicU64>,
    traffic: Arc<Traffic>,
    faults: Arc<faults::Faults>,
    turns: Arc<Turns>,
    /// For whom steps are ordered by this handle.
    party: usize,
}

/// What goes through the loop's queue, and who looks at what comes out.
#[derive(Default)]
struct Traffic {
    waiting: AtomicU64,
    refused: AtomicU64,
    /// How many look at each step.
    followers: AtomicUsize,
}

/// Where moments that are over can be had.
#[derive(Clone)]
enum Past {
    Recorder(Recorder),
    Replay(Arc<Replay>),
    /// Of trials none is kept. The robots of each party.
    Trials(Arc<[Vec<RobotNumber>]>),
}

/// The loop's thread.
pub struct Running {
    thread: std::thread::JoinHandle<()>,
    queue: SyncSender<Wake>,
}

/// Starts the loop of a live world.
///
/// # Errors
/// When the system has no thread to give.
pub fn start(
    live: Live,
    recorder: Recorder,
    factory: Arc<dyn PluginFactory>,
    speed: Speed,
) -> std::io::Result<(Runtime, Running)> {
    let scenario = Arc::new(live.world().scenario().clone());
    start_stage(Box::new(live), scenario, Past::Recorder(recorder), factory, speed, 1)
}

/// Starts the loop of a recording: it is served as a live world is, but cannot be changed. Those who watch hear of it by `stream`.
///
/// # Errors
/// When the system has no thread to give.
pub fn start_replay(
    replay: Arc<Replay>,
    factory: Arc<dyn PluginFactory>,
    speed: Speed,
    stream: Option<Stream>,
) -> std::io::Result<(Runtime, Running)> {
    let scenario = Arc::new(replay.scenario().clone());
    let stage = Box::new(replay::Playing::new(Arc::clone(&replay), stream));
    start_stage(stage, scenario, Past::Replay(replay), factory, speed, 1)
}

/// Starts the loop of episodes that programs outside play, in lockstep. The handle is that of the first party.
///
/// # Errors
/// When the system has no thread to give.
pub fn start_trials(trials: Trials, factory: Arc<dyn PluginFactory>) -> std::io::Result<(Runtime, Running)> {
    let scenario = Arc::new(trials.world().scenario().clone());
    let parties: Arc<[Vec<RobotNumber>]> = trials.parties().into();
    let count = parties.len();
    start_stage(Box::new(trials), scenario, Past::Trials(parties), factory, Speed::Lockstep, count)
}

fn start_stage(
    stage: Box<dyn Stage>,
    scenario: Arc<Scenario>,
    past: Past,
    factory: Arc<dyn PluginFactory>,
    speed: Speed,
    parties: usize,
) -> std::io::Result<(Runtime, Running)> {
    let epoch = Instant::now();
    let (queue, wakes) = sync_channel(QUEUE);
    let faults = Arc::new(faults::Faults::default());
    let frame = Arc::new(stage.frame());
    let first = Published::new(frame, 0, LoopStatus::new(speed), Arc::clone(&faults));
    let (publisher, published) = watch::channel(Arc::new(first));
    let traffic = Arc::new(Traffic::default());
    let (taken, failed) = (Arc::clone(&traffic), Arc::clone(&faults));
    let turns = Arc::new(Turns::new(parties));
    let shown = Arc::clone(&turns);
    let thread = std::thread::Builder::new()
        .name("world".into())
        .spawn(move || thread::Loop::new(stage, speed, epoch, publisher, taken, failed, shown).run(&wakes))?;
    let next_client = Arc::new(AtomicU64::new(1));
    let runtime = Runtime {
        queue: queue.clone(),
        published,
        scenario,
        factory,
        past,
        epoch,
        next_client,
        traffic,
        faults,
        turns,
        party: 0,
    };
    Ok((runtime, Running { thread, queue }))
}

impl Runtime {
    /// The handle of a party: it drives this party's robots and orders its steps. The numbers of its clients do not depend on the others'.
    pub fn of_party(&self, party: usize) -> Self {
        let first = ((party as u64) << 32) | 1;
        Self { party, next_client: Arc::new(AtomicU64::new(first)), ..self.clone() }
    }

    /// Whose turn it is.
    pub fn turns(&self) -> &Arc<Turns> {
        &self.turns
    }

    /// What is true now.
    pub fn newest(&self) -> Arc<Published> {
        self.published.borrow().clone()
    }

    /// Completes when the loop has ended, for whatever reason.
    pub async fn ended(&self) {
        let mut published = self.published.clone();
        while published.changed().await.is_ok() {}
    }

    /// A moment of the past as if it were published now.
    pub fn past(&self, frame: Arc<Frame>) -> Published {
        Published::new(frame, self.now_us(), self.newest().status, Arc::clone(&self.faults))
    }

    /// To wait for what is true next.
    pub fn watch(&self) -> watch::Receiver<Arc<Published>> {
        self.published.clone()
    }

    /// To look at each step, as long as this is kept: at those that are ordered as well.
    pub fn each_step(&self) -> EachStep {
        EachStep::new(self.watch(), Arc::clone(&self.traffic))
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
        match &self.past {
            Past::Recorder(_) => {}
            Past::Replay(_) => return Err(RequestError::Replay),
            Past::Trials(parties) => {
                let own = parties.get(self.party).map_or(&[][..], Vec::as_slice);
                if !own.iter().any(|&robot| action.drives(robot)) {
                    return Err(RequestError::Trials);
                }
            }
        }
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
        control.check(self.is_replay())?;
        if matches!(self.past, Past::Trials(_)) && !matches!(control, Control::Step(_)) {
            return Err(RequestError::Trials);
        }
        let (done, waiting) = oneshot::channel();
        self.send(Wake::Control { control, party: self.party, done })?;
        Ok(PendingControl(waiting))
    }

    /// Whether this is a recording.
    pub fn is_replay(&self) -> bool {
        matches!(self.past, Past::Replay(_))
    }

    /// Requests that wait for the next step.
    pub fn waiting(&self) -> u64 {
        self.traffic.waiting.load(Ordering::Relaxed)
    }

    /// Requests that were turned away because too many waited.
    pub fn refused(&self) -> u64 {
        self.traffic.refused.load(Ordering::Relaxed)
    }

    /// The recorder; a recording has none.
    ///
    /// # Errors
    /// When this is a recording.
    pub fn recorder(&self) -> Result<&Recorder, RequestError> {
        match &self.past {
            Past::Recorder(recorder) => Ok(recorder),
            Past::Replay(_) => Err(RequestError::Replay),
            Past::Trials(_) => Err(RequestError::Trials),
        }
    }

    /// The first moment from which on a recording is not what comes out when its world is run again.
    pub fn departure(&self) -> Option<Difference> {
        match &self.past {
            Past::Recorder(_) | Past::Trials(_) => None,
            Past::Replay(replay) => replay.difference(),
        }
    }

    /// The first and the last moment that can be had.
    pub fn moments(&self) -> (Moment, Moment) {
        match &self.past {
            Past::Recorder(recorder) => {
                let status = recorder.status();
                (status.oldest, status.newest)
            }
            Past::Replay(replay) => (0, replay.newest()),
            Past::Trials(_) => {
                let now = self.newest().status.moment;
                (now, now)
            }
        }
    }

    /// What happened, for a timeline.
    ///
    /// # Errors
    /// When the recorder is busy.
    pub async fn marks(&self) -> Result<Vec<Mark>, RequestError> {
        match &self.past {
            Past::Recorder(recorder) => Ok(recorder.marks().await?),
            Past::Replay(replay) => Ok(replay.marks().to_vec()),
            Past::Trials(_) => Ok(Vec::new()),
        }
    }

    /// What was true at a moment; the world is not touched.
    ///
    /// # Errors
    /// When the moment is not kept.
    pub async fn frame_at(&self, moment: Moment) -> Result<Arc<Frame>, RequestError> {
        match &self.past {
            Past::Recorder(recorder) => Ok(Arc::new(recorder.world_at(moment).await?.frame())),
            Past::Replay(replay) => {
                let replay = Arc::clone(replay);
                let walked = tokio::task::spawn_blocking(move || replay.frame_at(moment)).await;
                Ok(Arc::new(walked.map_err(|_| RequestError::Stopping)?.map_err(RecordError::from)?))
            }
            Past::Trials(_) => Err(RequestError::Trials),
        }
    }

    /// Brings the world back to a moment, and lets it go on from there; in a recording, moves to it.
    ///
    /// # Errors
    /// When the moment is not kept.
    pub async fn jump(&self, to: Moment) -> Result<(), RequestError> {
        let world = match &self.past {
            Past::Recorder(recorder) => Some(recorder.world_at(to).await?),
            Past::Replay(_) => None,
            Past::Trials(_) => return Err(RequestError::Trials),
        };
        let (done, waiting) = oneshot::channel();
        self.send(Wake::Jump { to, world, done })?;
        waiting.await.map_err(|_| RequestError::Stopping)?
    }

    fn send(&self, wake: Wake) -> Result<(), RequestError> {
        // Counted before the loop can take it.
        self.traffic.waiting.fetch_add(1, Ordering::Relaxed);
        self.queue.try_send(wake).map_err(|error| {
            self.traffic.waiting.fetch_sub(1, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => {
                    self.traffic.refused.fetch_add(1, Ordering::Relaxed);
                    RequestError::Busy
                }
                TrySendError::Disconnected(_) => RequestError::Stopping,
            }
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

    /// Only what is over can be gone through backwards.
    #[test]
    fn only_a_recording_runs_backwards() {
        let backwards = Control::Speed(Speed::Factor(-2.0));
        assert!(backwards.check(false).is_err());
        assert!(backwards.check(true).is_ok());
        assert!(Control::Speed(Speed::Factor(-1e9)).check(true).is_err());
    }

    /// W6: what an operator may ask for is bounded, whichever way he asks.
    #[test]
    fn speeds_and_steps_out_of_range_are_refused() {
        for factor in [0.0, -1.0, 1e-300, 1e308, f64::NAN, f64::INFINITY] {
            assert!(Control::Speed(Speed::Factor(factor)).check(false).is_err(), "{factor}");
        }
        assert!(Control::Speed(Speed::Factor(0.5)).check(false).is_ok());
        assert!(Control::Step(u32::MAX).check(false).is_err());
        assert!(Control::Step(1000).check(false).is_ok());
    }
}
