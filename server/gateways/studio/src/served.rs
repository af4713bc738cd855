//! A world behind the gate, as the studio shows it.

use crate::metrics::{Metrics, RecorderMetrics};
use crate::{Divergence, Looked, Looking, Recording, Source, Status};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::DuplexStream;
use touchline_gate::{Gate, Pass};
use touchline_host::Host;
use touchline_sim::{Frame, Scenario};

/// The message board, of which each page is a client: pages still command by its lines, and not by typed requests.
pub trait Lines: Send + Sync + 'static {
    /// Opens a connection, as [`Source::board`]; `peer` is what the client is called until it says a name.
    fn open(&self, peer: String, from: IpAddr, pass: Option<Pass>, looked: Looked) -> DuplexStream;
    /// As [`Source::is_locked`].
    fn is_locked(&self) -> bool;
    /// As [`Source::unlock`].
    ///
    /// # Errors
    /// Why it opens nothing.
    fn unlock(&self, key: &str, from: IpAddr) -> Result<Pass, String>;
    /// Clients that are connected over the network.
    fn clients(&self) -> usize;
    /// How often a client had to wait because its readings took too long.
    fn reading_waits(&self) -> u64;
}

/// Shows the world behind a gate, and takes commands for it.
pub struct Served<L> {
    gate: Gate,
    board: L,
    host: Arc<Host>,
    pages: AtomicU64,
}

impl<L: Lines> Served<L> {
    /// Each page becomes a client of the board.
    pub fn new(gate: Gate, board: L, host: Arc<Host>) -> Self {
        Self { gate, board, host, pages: AtomicU64::new(0) }
    }
}

impl<L: Lines> Source for Served<L> {
    fn frame(&self) -> Arc<Frame> {
        Arc::clone(&self.gate.newest().frame)
    }

    fn scenario(&self) -> Arc<Scenario> {
        Arc::clone(self.gate.scenario())
    }

    fn status(&self) -> Status {
        let (status, _) = self.gate.status();
        let (oldest, newest) = self.gate.ticks();
        Status {
            paused: status.paused,
            speed: status.speed,
            real_time_factor: status.real_time_factor,
            late_ms: status.late_ms,
            tick: status.tick,
            oldest,
            newest: newest.max(status.tick),
            replay: self.gate.is_replay(),
            departs: self.gate.divergence().map(|at| Divergence { tick: at.tick, step: at.step }),
            recording: self.gate.recording().is_some_and(|recording| recording.file.is_some()),
            // A server has no learner: its referee counts, and the page shows the game.
            episode: None,
        }
    }

    fn recording(&self) -> Recording {
        let status = self.gate.recording().unwrap_or_default();
        // Where the file is need not be known to who looks on.
        let name =
            |path: &std::path::PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        Recording { file: status.file.as_ref().and_then(name), failure: status.failure }
    }

    fn recorded(&self, name: &str) -> Option<PathBuf> {
        self.gate.recorded(name)
    }

    fn stall(&self) -> Option<Arc<str>> {
        self.gate.stall()
    }

    fn metrics(&self, pages: usize) -> Option<String> {
        let newest = self.gate.newest();
        let recorder = self.gate.recording().map(|status| RecorderMetrics {
            is_recording: status.file.is_some(),
            has_failed: status.failure.is_some(),
            lost_ticks: status.lost,
            lost_inputs: status.lost_inputs,
            lost_digests: status.lost_digests,
        });
        let (status, stall) = self.gate.status();
        let metrics = Metrics {
            status,
            is_stalled: stall.is_some(),
            priority: self.gate.priority().unwrap_or_default(),
            robots: newest.frame.robots.len(),
            board_clients: self.board.clients(),
            reading_waits: self.board.reading_waits(),
            waiting: self.gate.waiting(),
            refused: self.gate.refused(),
            recorder,
            plugins: self.host.plugin_times(),
        };
        Some(metrics.text(pages))
    }

    fn look(&self, tick: u64) -> Looking {
        let looking = self.gate.frame_at(tick);
        Box::pin(async move { looking.await.map_err(|error| error.to_string()) })
    }

    fn board(&self, pass: Option<Pass>, from: IpAddr, looked: Looked) -> Option<DuplexStream> {
        let page = self.pages.fetch_add(1, Ordering::Relaxed);
        Some(self.board.open(format!("studio-{page}"), from, pass, looked))
    }

    fn is_locked(&self) -> bool {
        self.board.is_locked()
    }

    fn unlock(&self, key: &str, from: IpAddr) -> Result<Pass, String> {
        self.board.unlock(key, from)
    }
}
