//! The loop as the studio sees it.

use crate::runtime::{self, Runtime};
use crate::studio::{Control, Source, Speed, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use touchline_sim::{Action, Frame, Scenario};

/// Gives the studio what it needs of the running simulation.
pub struct StudioSource {
    runtime: Runtime,
    client: u64,
    sequence: AtomicU64,
}

impl StudioSource {
    /// The studio is one client of the loop.
    pub fn new(runtime: Runtime) -> Self {
        Self { client: runtime.new_client(), runtime, sequence: AtomicU64::new(0) }
    }
}

impl Source for StudioSource {
    fn frame(&self) -> Arc<Frame> {
        Arc::clone(&self.runtime.newest().frame)
    }

    fn scenario(&self) -> Arc<Scenario> {
        Arc::clone(self.runtime.scenario())
    }

    fn status(&self) -> Status {
        let status = self.runtime.newest().status;
        Status {
            paused: status.paused,
            speed: match status.speed {
                runtime::Speed::Factor(factor) => Speed::Factor(factor),
                runtime::Speed::Max => Speed::Max,
                runtime::Speed::Lockstep => Speed::Lockstep,
            },
            real_time_factor: status.real_time_factor,
            late_ms: status.late_ms,
        }
    }

    fn control(&self, control: Control) -> Result<(), String> {
        let control = match control {
            Control::Pause => runtime::Control::Pause,
            Control::Resume => runtime::Control::Resume,
            Control::Step(steps) => runtime::Control::Step(steps),
            Control::Speed(Speed::Factor(factor)) => runtime::Control::Speed(runtime::Speed::Factor(factor)),
            Control::Speed(Speed::Max) => runtime::Control::Speed(runtime::Speed::Max),
            Control::Speed(Speed::Lockstep) => runtime::Control::Speed(runtime::Speed::Lockstep),
            Control::Reset => {
                let sequence = self.sequence.fetch_add(1, Ordering::Relaxed);
                let queued = self.runtime.command(self.client, sequence, Action::Reset);
                return queued.map(drop).map_err(|error| error.to_string());
            }
        };
        // The page sees in the next status that it was done.
        self.runtime.control(control).map(drop).map_err(|error| error.to_string())
    }
}
