//! The one loop: a thread that owns the World, steps it in time, and publishes what is true.
//!
//! [`start`] begins it, and gives the [`Gate`] by which all others reach it: requests go in through one bounded queue, what is
//! published comes out through a watch in which the newest wins. The loop waits for its next step and for its queue, and for nobody
//! else. There are three kinds of world: [`Live`], a recording ([`Replay`]) and what is measured ([`Evaluation`]). Each has one file with
//! its two halves: the [`Stage`] that the loop moves, and the [`Mode`] that answers at the gate what may be done with it.
//!
//! # Invariants
//! - I3: a reader cannot slow a step: it takes the newest Frame, or misses one.
//! - Everything that can wake the loop is a [`touchline_gate::Wake`].
//! - After a suspend or an overload it goes on from now; it does not make up for what it missed.
//!
//! # Not here
//! When a step is due: `pace.rs`; which steps are shown: `shows.rs`. Neither knows a clock. Who may ask for what: `server/gate`.

mod evaluation;
mod live;
mod pace;
mod replay;
mod shows;
mod stage;
mod thread;

pub use evaluation::{Evaluation, EvaluationEvent, Plan};
pub use live::Live;
pub use replay::Replay;

use crate::recorder::Recorder;
use stage::Stage;
use std::sync::Arc;
use touchline_gate::{Gate, Mode, Speed, Stopper};
use touchline_record::Stream;
use touchline_sim::{PluginFactory, Scenario};

/// Handle of the simulation loop's thread.
pub struct Running {
    thread: std::thread::JoinHandle<()>,
    stopper: Stopper,
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
) -> std::io::Result<(Gate, Running)> {
    let scenario = Arc::new(live.world().scenario().clone());
    start_stage(Box::new(live), scenario, Arc::new(live::Kept(recorder)), factory, speed, 1)
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
) -> std::io::Result<(Gate, Running)> {
    let scenario = Arc::new(replay.scenario().clone());
    let stage = Box::new(replay::Playing::new(Arc::clone(&replay), stream));
    start_stage(stage, scenario, Arc::new(replay::Over::new(replay)?), factory, speed, 1)
}

/// Starts the loop of episodes that programs outside play, in lockstep; they `may_read_truth`, or the sensors of their robots alone.
/// The gate is that of the first participant.
///
/// # Errors
/// When the system has no thread to give.
pub fn start_evaluation(
    evaluation: Evaluation,
    factory: Arc<dyn PluginFactory>,
    may_read_truth: bool,
) -> std::io::Result<(Gate, Running)> {
    let scenario = Arc::new(evaluation.world().scenario().clone());
    let participants = evaluation.participants().to_vec();
    let count = participants.len();
    let mode = Arc::new(evaluation::Measured { participants, may_read_truth });
    start_stage(Box::new(evaluation), scenario, mode, factory, Speed::Lockstep, count)
}

fn start_stage(
    stage: Box<dyn Stage>,
    scenario: Arc<Scenario>,
    mode: Arc<dyn Mode>,
    factory: Arc<dyn PluginFactory>,
    speed: Speed,
    participants: usize,
) -> std::io::Result<(Gate, Running)> {
    let (gate, end, stopper) =
        touchline_gate::open(stage.frame(), speed, scenario, factory, mode, participants);
    let thread = std::thread::Builder::new().name("world".into()).spawn(move || {
        #[cfg(target_os = "linux")]
        end.set_thread(rustix::thread::gettid().as_raw_nonzero().get());
        thread::Loop::new(stage, speed, end).run();
    })?;
    Ok((gate, Running { thread, stopper }))
}

impl Running {
    /// Ends the loop and waits for its thread.
    pub fn stop(self) {
        if self.stopper.stop() && self.thread.join().is_err() {
            tracing::error!("the simulation's thread panicked");
        }
    }
}
