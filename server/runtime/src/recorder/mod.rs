//! The recorder: a thread that keeps the last seconds and keyframes of the world, and writes the log if there is one.
//!
//! [`start`] begins it. The [`Producer`] is called by the loop after each step and only puts copies into a bounded queue;
//! the [`Recorder`] is the handle by which others ask for files and for ticks of the past.
//!
//! # Invariants
//! - I3: the loop never waits for the disk: poses that find no place in the queue are lost, counted, and named in the log as a gap;
//!   their digests come later, so that every step can be verified.
//!   Only a world that has no clock (`touchline run`) waits for the recorder instead.
//! - Inputs are lost last: as long as they are whole, a gap can be run again.
//! - A disk that is full ends the file, never the world.

mod file;
mod producer;
mod thread;

pub use producer::Producer;

use crate::past::{Past, Turn};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use tokio::sync::{oneshot, watch};
use touchline_gate::{Bookmark, RecordError};
use touchline_record::{Capture, CaptureOptions, Entry, Header, NotKept, SensorChoice, Stream, Tick, Way};
use touchline_sim::{Frame, World};

/// Notes that may wait for the recorder's thread.
const QUEUE: usize = 4096;
/// Items that were written and wait to be used again.
const SPARES: usize = 256;
/// Simulated seconds that can always be saved.
pub const RING_SECS: f64 = 20.0;

/// What the recorder shall do.
pub struct Options {
    /// The log that is written from the first step on.
    pub file: Option<PathBuf>,
    /// Where files go that are asked for by name.
    pub folder: PathBuf,
    /// The sensors whose readings are recorded.
    pub sensors: Vec<SensorChoice>,
    /// Whether the world may be wound back, and its last seconds saved.
    pub keeps_past: bool,
    /// Whether the world waits for the recorder when it cannot keep up.
    pub waits: bool,
    /// Whether what was written is brought to the disk each second, so that it is there when the power has gone.
    pub syncs: bool,
    /// Where those listen who watch.
    pub stream: Option<Stream>,
}

impl Options {
    /// For a world that is served: nothing is written unless asked for, and the past is kept.
    pub fn live(folder: PathBuf) -> Self {
        Self {
            file: None,
            folder,
            sensors: Vec::new(),
            keeps_past: true,
            waits: false,
            syncs: false,
            stream: None,
        }
    }
}

/// How the recorder is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The log that is being written.
    pub file: Option<PathBuf>,
    /// Why the last log ended before its time.
    pub failure: Option<String>,
    /// Ticks whose poses were lost, because the recorder could not keep up.
    pub lost: u64,
    /// Inputs that found no place, neither in the log nor in what can be saved.
    pub lost_inputs: u64,
    /// Ticks of which not even the digest was kept.
    pub lost_digests: u64,
    /// The first tick that can be looked at.
    pub oldest: Tick,
    /// The last tick that can be had.
    pub newest: Tick,
}

/// What the loop could not hand over; counted where it is lost, for a recorder that cannot keep up does not come to tell.
#[derive(Debug, Default)]
struct Losses {
    poses: AtomicU64,
    inputs: AtomicU64,
    digests: AtomicU64,
}

enum Wake {
    Entry(Entry),
    Start { name: Option<String>, answer: oneshot::Sender<Result<PathBuf, RecordError>> },
    Finish { answer: oneshot::Sender<Result<PathBuf, RecordError>> },
    Save { place: Place, answer: oneshot::Sender<Result<PathBuf, RecordError>> },
    WayTo { tick: Tick, answer: oneshot::Sender<Result<Way, RecordError>> },
    Bookmarks { answer: oneshot::Sender<Vec<Bookmark>> },
    Stop,
}

/// Where a log is saved.
enum Place {
    /// In the folder, by this name or by the world's and the tick.
    Named(Option<String>),
    At(PathBuf),
}

/// The handle to the recorder; cheap to clone.
#[derive(Clone)]
pub struct Recorder {
    queue: SyncSender<Wake>,
    status: watch::Receiver<Status>,
    losses: Arc<Losses>,
    past: Arc<Past>,
}

/// Handle of the recorder's thread.
pub struct Recording {
    thread: std::thread::JoinHandle<Result<(), RecordError>>,
    queue: SyncSender<Wake>,
}

/// Starts the recorder of a world before its first step.
///
/// # Errors
/// When the file cannot be begun.
pub fn start(
    world: &World,
    header: Header,
    options: Options,
) -> Result<(Producer, Recorder, Recording), RecordError> {
    let (queue, wakes) = sync_channel(QUEUE);
    let (status, newest) = watch::channel(Status::default());
    let capture = CaptureOptions {
        key_period_secs: options.keeps_past.then_some(thread::KEY_PERIOD_SECS),
        with_frames: !options.sensors.is_empty() || options.stream.is_some(),
        is_lossless: options.waits,
    };
    let (capture, waits, is_wanted) =
        (Capture::new(world, capture), options.waits, Arc::new(AtomicBool::new(false)));
    let (used, spares) = sync_channel(SPARES);
    let returns = thread::Returns { is_wanted: Arc::clone(&is_wanted), used };
    let mut worker = thread::Worker::new(world, header, options, status, returns)?;
    let thread = std::thread::Builder::new()
        .name("recorder".into())
        .spawn(move || worker.run(&wakes))
        .map_err(|error| no_thread("recorder", &error))?;
    let losses = Arc::new(Losses::default());
    let mut producer = Producer::new(capture, (queue.clone(), waits), Arc::clone(&losses), is_wanted, spares);
    producer.begin(world);
    let past = Arc::new(Past::start().map_err(|error| no_thread("past", &error))?);
    Ok((
        producer,
        Recorder { queue: queue.clone(), status: newest, losses, past },
        Recording { thread, queue },
    ))
}

impl Recorder {
    /// File, failure and losses of the recorder.
    pub fn status(&self) -> Status {
        let lost = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let status = self.status.borrow().clone();
        Status {
            lost: lost(&self.losses.poses),
            lost_inputs: status.lost_inputs + lost(&self.losses.inputs),
            lost_digests: lost(&self.losses.digests),
            ..status
        }
    }

    /// Begins a log in the folder, from now on; without a name it gets one by the date. Gives its path.
    ///
    /// # Errors
    /// When there is one already, or the file cannot be begun.
    pub async fn start_file(&self, name: Option<String>) -> Result<PathBuf, RecordError> {
        self.ask(|answer| Wake::Start { name, answer }).await?
    }

    /// Ends the log.
    ///
    /// # Errors
    /// When there is none, or its end cannot be written.
    pub async fn finish_file(&self) -> Result<PathBuf, RecordError> {
        self.ask(|answer| Wake::Finish { answer }).await?
    }

    /// Saves the last seconds as a log of its own.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn save(&self, name: Option<String>) -> Result<PathBuf, RecordError> {
        self.ask(|answer| Wake::Save { place: Place::Named(name), answer }).await?
    }

    /// The world as it was at a tick, to go on from there.
    ///
    /// # Errors
    /// When it is not kept.
    pub async fn world_at(&self, tick: Tick) -> Result<Box<World>, RecordError> {
        self.look(Turn::First, tick, Box::new).await
    }

    /// What was true at a tick.
    ///
    /// # Errors
    /// As of [`Recorder::world_at`].
    pub async fn frame_at(&self, tick: Tick) -> Result<Arc<Frame>, RecordError> {
        self.look(Turn::Last, tick, |world| Arc::new(world.frame())).await
    }

    async fn look<T: Send + 'static>(
        &self,
        turn: Turn,
        tick: Tick,
        of: impl FnOnce(World) -> T + Send + 'static,
    ) -> Result<T, RecordError> {
        let queue = self.queue.clone();
        // The way holds a copy of the world, so it is made when there is the time to go it.
        let looked = self.past.look(turn, move || {
            let (answer, answered) = oneshot::channel();
            queue.try_send(Wake::WayTo { tick, answer }).map_err(|_| RecordError::Busy)?;
            let way = answered.blocking_recv().map_err(|_| RecordError::Busy)??;
            Ok(of(way.resimulate()))
        });
        looked.await.ok_or(RecordError::Busy)?
    }

    /// What happened, oldest first.
    ///
    /// # Errors
    /// When the thread is busy.
    pub async fn bookmarks(&self) -> Result<Vec<Bookmark>, RecordError> {
        self.ask(|answer| Wake::Bookmarks { answer }).await
    }

    async fn ask<T>(&self, wake: impl FnOnce(oneshot::Sender<T>) -> Wake) -> Result<T, RecordError> {
        let (answer, answered) = oneshot::channel();
        match self.queue.try_send(wake(answer)) {
            Ok(()) => answered.await.map_err(|_| RecordError::Busy),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(RecordError::Busy),
        }
    }
}

impl Recording {
    /// Saves what is kept as a log of its own: all inputs since the first step, and the last seconds. The [`Producer`] is dropped before.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_to(&self, path: PathBuf) -> Result<PathBuf, RecordError> {
        let (answer, answered) = oneshot::channel();
        let wake = Wake::Save { place: Place::At(path), answer };
        self.queue.send(wake).map_err(|_| RecordError::Busy)?;
        answered.blocking_recv().map_err(|_| RecordError::Busy)?
    }

    /// Writes what is waiting, closes the log and ends the thread. The [`Producer`] is dropped before: what it still holds comes then.
    ///
    /// # Errors
    /// When the log could not be written to its end.
    pub fn finish(self) -> Result<(), RecordError> {
        // A thread that has gone says below how.
        let _ = self.queue.send(Wake::Stop);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_else(|_| {
            let reason = "the recorder's thread panicked".to_owned();
            Err(RecordError::File { path: "the recording".into(), reason })
        })
    }
}

/// What is said at the gate of a tick that cannot be reached.
pub(crate) fn not_kept(NotKept { tick, oldest, newest }: NotKept) -> RecordError {
    RecordError::NotKept { tick, oldest, newest }
}

fn no_thread(name: &str, error: &std::io::Error) -> RecordError {
    RecordError::File { path: name.into(), reason: error.to_string() }
}

fn file_error(path: &Path, error: impl std::fmt::Display) -> RecordError {
    RecordError::File { path: path.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{Recording, Wake};
    use std::sync::mpsc::sync_channel;

    /// A recorder that is broken has written no log to its end: whoever ends it is told, whether its thread has gone already or goes now.
    #[test]
    fn a_recorder_that_panics_has_failed() {
        let (queue, wakes) = sync_channel::<Wake>(1);
        let thread = std::thread::spawn(move || {
            let _ = wakes.recv();
            panic!("on purpose");
        });
        assert!(Recording { thread, queue }.finish().is_err());

        let (queue, wakes) = sync_channel::<Wake>(1);
        drop(wakes);
        let thread = std::thread::spawn(|| panic!("on purpose"));
        assert!(Recording { thread, queue }.finish().is_err());
    }
}
