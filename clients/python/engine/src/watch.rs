//! A batch that somebody watches: the studio's page shows its first environment, step by step and in real time.
//!
//! The world is stepped as ever, a whole decision at once; what became of each step is put by, and shown afterwards when its
//! time has come. So watching has no part in what is computed.

use crate::engine::to_python;
use parking_lot::Mutex;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use touchline_batch::{Batch, BatchError};
use touchline_sim::Frame;
use touchline_studio::Watched;

/// The environment that is shown.
const SHOWN: usize = 0;

/// The page of a batch.
pub(crate) struct Watch {
    page: Watched,
    /// What became of each step of this decision.
    steps: Arc<Mutex<Vec<Frame>>>,
    /// The Frame and the episode that were shown last.
    revision: u64,
    episode: u64,
    step: Duration,
    decision: Duration,
}

impl Watch {
    /// Serves the page on this port of this machine alone; 0 is a free one.
    pub fn open(batch: &mut Batch, port: u16) -> PyResult<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            PyOSError::new_err(format!(
                "port {port} of 127.0.0.1 cannot be had for the studio: {error}; 0 is a free one"
            ))
        })?;
        let (episode, _) = batch.episode(SHOWN).map_err(to_python)?;
        let decision = Duration::from_nanos(batch.layout().decision_ns);
        let world = batch.world(SHOWN).map_err(to_python)?;
        let (scenario, frame) = (world.scenario().clone(), world.frame());
        let (step, revision) = (Duration::from_secs_f64(scenario.dt_secs), frame.revision);
        let page = Watched::open(listener, scenario, frame, episode)
            .map_err(|error| PyOSError::new_err(format!("the studio cannot be opened: {error}")))?;
        let steps = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&steps);
        let watcher = move |world: &touchline_sim::World| {
            told.lock().push(world.frame());
        };
        batch.watch(SHOWN, Some(Box::new(watcher))).map_err(to_python)?;
        Ok(Self { page, steps, revision, episode, step, decision })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.page.address())
    }

    /// Shows what has become of the environment since the last time, each step when it is due; then whatever else was done to it.
    pub fn show(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        let steps = std::mem::take(&mut *self.steps.lock());
        for frame in steps {
            self.revision = frame.revision;
            self.page.show(frame, self.episode, self.step);
        }
        (self.episode, _) = batch.episode(SHOWN)?;
        let frame = batch.world(SHOWN)?.frame();
        if frame.revision != self.revision {
            // Another episode, or a state that was come back to: as long as a decision takes, the end of the last one stays to be seen.
            self.revision = frame.revision;
            self.page.show(frame, self.episode, self.decision);
        }
        Ok(())
    }
}
