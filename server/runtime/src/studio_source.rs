//! The loop and the board as the studio sees them.

use crate::board::BoardService;
use crate::metrics::{Metrics, RecorderMetrics};
use crate::world_loop::Runtime;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::DuplexStream;
use touchline_host::Host;
use touchline_record::Difference;
use touchline_sim::{Frame, Scenario};
use touchline_studio::{Departure, Looked, Looking, Recording, Source, Status};

/// Gives the studio what it needs of the running simulation.
pub struct StudioSource {
    runtime: Runtime,
    board: BoardService,
    host: Arc<Host>,
    pages: AtomicU64,
}

impl StudioSource {
    /// Each page becomes a client of the board.
    pub fn new(runtime: Runtime, board: BoardService, host: Arc<Host>) -> Self {
        Self { runtime, board, host, pages: AtomicU64::new(0) }
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
        let (oldest, newest) = self.runtime.moments();
        let recorder = self.runtime.recorder();
        Status {
            paused: status.paused,
            speed: status.speed,
            real_time_factor: status.real_time_factor,
            late_ms: status.late_ms,
            moment: status.moment,
            oldest,
            newest: newest.max(status.moment),
            replay: self.runtime.is_replay(),
            departs: self.runtime.departure().map(|Difference { moment, step }| Departure { moment, step }),
            recording: recorder.is_ok_and(|recorder| recorder.status().file.is_some()),
            // A server has no learner: its referee counts, and the page shows the game.
            episode: None,
        }
    }

    fn recording(&self) -> Recording {
        let Ok(recorder) = self.runtime.recorder() else { return Recording::default() };
        let status = recorder.status();
        // Where the file is need not be known to who looks on.
        let name =
            |path: &std::path::PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        Recording { file: status.file.as_ref().and_then(name), failure: status.failure }
    }

    fn metrics(&self, pages: usize) -> Option<String> {
        let newest = self.runtime.newest();
        let recorder = self.runtime.recorder().ok().map(|recorder| {
            let status = recorder.status();
            RecorderMetrics { is_recording: status.file.is_some(), lost_moments: status.lost }
        });
        let metrics = Metrics {
            status: newest.status,
            robots: newest.frame.robots.len(),
            board_clients: self.board.clients(),
            waiting: self.runtime.waiting(),
            refused: self.runtime.refused(),
            recorder,
            plugins: self.host.plugin_times(),
        };
        Some(metrics.text(pages))
    }

    fn look(&self, moment: u64) -> Looking {
        let runtime = self.runtime.clone();
        Box::pin(async move { runtime.frame_at(moment).await.map_err(|error| error.to_string()) })
    }

    fn board(&self, is_local: bool, looked: Looked) -> Option<DuplexStream> {
        let page = self.pages.fetch_add(1, Ordering::Relaxed);
        Some(self.board.open(format!("studio-{page}"), is_local, looked))
    }
}
