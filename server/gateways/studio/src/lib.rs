//! The studio service: the web page, and one WebSocket that shows it the running simulation.
//!
//! [`serve`] answers on a bound listener until it is told to stop. What it shows and what it may ask for comes
//! from a [`Source`]: the program's loop is one, which takes commands too; [`Watched`] is another, for a world that somebody else
//! steps and that is only shown. The protocol is written down in `docs/studio.md`.
//!
//! # Invariants
//! - A page never slows the simulation or another page: it is sent the newest Frame, and none while
//!   [`Limits::unread_frames`] are unread, and no lines of the board while [`Limits::unread_bytes`] are; who reads nothing for [`Limits::unread`] is disconnected.
//! - A page of another site gets nothing: Host and Origin are checked before anything is answered.
//! - Where there are keys, nothing of the world is sent to who has shown none.
//! - A page has no commands of its own: what it asks for goes to the message board as lines, under the board's roles. Where there
//!   is no board, nobody can change anything.
//!
//! # Not here
//! The message board and the past of a world: whoever implements [`Source`] has them, or has not. The page: `page/`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod desk;
mod download;
mod entrance;
mod http;
mod message;
mod metrics;
mod places;
mod scene;
mod served;
mod session;
mod shadows;
mod watched;

pub use desk::{Desk, serve_desk};
pub use http::{NO_PROXY, called_by_our_address, came_by_a_proxy};
pub use places::{Place, Places};
pub use served::{Lines, Served};
use touchline_arrivals::Arrivals;
pub use touchline_gate::Speed;
pub use watched::Watched;

use serde::Serialize;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use touchline_gate::Pass;
use touchline_sim::{Frame, Scenario};

/// What the studio needs of the running simulation. No call may block.
pub trait Source: Send + Sync + 'static {
    /// State of the world after the newest step.
    fn frame(&self) -> Arc<Frame>;
    /// The world before its first step.
    fn scenario(&self) -> Arc<Scenario>;
    /// How the loop is doing.
    fn status(&self) -> Status;
    /// The recording that is being written.
    fn recording(&self) -> Recording;
    /// The file of a recording that was made here and is complete, by the name that pages are told; none if there is no such one.
    fn recorded(&self, _name: &str) -> Option<PathBuf> {
        None
    }
    /// What keeps the world from going on, in words; none if nothing does.
    fn stall(&self) -> Option<Arc<str>> {
        None
    }
    /// What is being played, in words, where there is no game to name; none if nothing is to be said.
    fn caption(&self) -> Option<Arc<str>> {
        None
    }
    /// What is measured of the server, in Prometheus' text format, when `pages` are connected; none if nothing is.
    fn metrics(&self, pages: usize) -> Option<String>;
    /// What was true at a tick of the past.
    ///
    /// # Errors
    /// Why it cannot be had, in words.
    fn look(&self, tick: u64) -> Looking;
    /// A connection to the message board, by which the page commands and asks, under its pass; without one it is what it says. What it
    /// asks about a robot is answered from what it looks at. None where there is no board: all look on.
    fn board(&self, pass: Option<Pass>, from: IpAddr, looked: Looked) -> Option<DuplexStream>;
    /// Whether pages have to show a key.
    fn is_locked(&self) -> bool {
        false
    }
    /// What a key opens that comes from this address.
    ///
    /// # Errors
    /// Why it opens nothing, in words.
    fn unlock(&self, _key: &str, _from: IpAddr) -> Result<Pass, String> {
        Err("there are no keys".into())
    }
}

/// How the loop is doing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Whether it stands still until resumed.
    pub paused: bool,
    /// The speed that was asked for.
    #[serde(serialize_with = "message::speed")]
    pub speed: Speed,
    /// Simulated seconds for each second of late.
    pub real_time_factor: f64,
    /// How late the last step began, milliseconds.
    pub late_ms: f64,
    /// Where on the timeline the world is, in steps.
    pub tick: u64,
    /// The first tick that can be looked at.
    pub oldest: u64,
    /// The last tick that can be had.
    pub newest: u64,
    /// Whether this is a recording.
    pub replay: bool,
    /// From where on it shows what was recorded, because running it again comes to something else.
    pub departs: Option<Divergence>,
    /// Whether a recording is being written.
    pub recording: bool,
    /// The number of the episode, where a world is an environment of somebody who learns.
    pub episode: Option<u64>,
}

/// Where a recording and what comes out when it is run again part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Divergence {
    /// The first tick that differs.
    pub tick: u64,
    /// The world's own count of steps at it.
    pub step: u64,
}

/// The recording that is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Recording {
    /// The file's name; none if nothing is written.
    pub file: Option<String>,
    /// Why the last one ended before its time.
    pub failure: Option<String>,
}

/// A look at the past that is on its way.
pub type Looking = Pin<Box<dyn Future<Output = Result<Arc<Frame>, String>> + Send>>;

/// The tick of the past that a page looks at; none if it is shown what is true now.
pub type Looked = watch::Receiver<Option<Arc<Frame>>>;

/// What the service allows itself and its clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A request's head must be complete after this time.
    pub header: Duration,
    /// Frames that may be on their way to a page.
    pub unread_frames: u32,
    /// Bytes of the board's lines that may be on their way to a page, but for the last line.
    pub unread_bytes: u64,
    /// A page that reads nothing for this time is disconnected.
    pub unread: Duration,
    /// Open connections. Who comes then takes the place of the one that has asked for nothing for the longest time; where all ask, or are
    /// pages, it is closed at once.
    pub connections: usize,
    /// Connections a second that are let in on average, twice as many at once after a pause; more wait.
    pub connections_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A browser on a busy machine connects, and asks a minute later; it does not try again, and the page stays dead or without its colours.
            header: Duration::from_secs(120),
            unread_frames: 8,
            // A quarter of a second at 1 Mbit/s.
            unread_bytes: 32_768,
            unread: Duration::from_secs(10),
            connections: 256,
            connections_per_s: 500,
        }
    }
}

/// Serves the page until `shutdown` completes; then tells all pages and returns within a second.
pub async fn serve(listener: TcpListener, source: Arc<dyn Source>, shutdown: impl Future<Output = ()>) {
    serve_with(listener, source, Limits::default(), shutdown).await;
}

/// As [`serve`], with other limits.
pub async fn serve_with(
    listener: TcpListener,
    source: Arc<dyn Source>,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) {
    serve_counted(listener, source, limits, Arc::default(), shutdown).await;
}

/// As [`serve_with`]; `pages` is how many are connected.
async fn serve_counted(
    listener: TcpListener,
    source: Arc<dyn Source>,
    limits: Limits,
    pages: Arc<AtomicUsize>,
    shutdown: impl Future<Output = ()>,
) {
    let places = Places::new(limits.connections);
    // Dropping `running` tells all sessions to end; `ended` is closed when the last one has.
    let (running, stop) = watch::channel(());
    let (session, mut ended) = mpsc::channel(1);
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let mut arrivals = Arrivals::new(listener, limits.connections_per_s);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = arrivals.next() => match accepted {
                Ok((stream, address)) => {
                    let (Some(place), Ok(local)) = (places.enter(), stream.local_addr()) else { continue };
                    let peer = Peer { address, local: local.ip().to_canonical(), place: Arc::new(place) };
                    let context = Context {
                        source: source.clone(),
                        limits,
                        stop: stop.clone(),
                        pages: pages.clone(),
                        _session: session.clone(),
                    };
                    connections.spawn(http::connection(stream, peer, context));
                }
                Err(error) => {
                    tracing::warn!(%error, "studio: cannot accept a connection");
                    // Such as no file descriptors left: give others the time to close some.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop((arrivals, running, session));
    connections.shutdown().await;
    let _ = tokio::time::timeout(Duration::from_secs(1), ended.recv()).await;
}

/// Who is at the other end of a connection.
#[derive(Clone)]
struct Peer {
    address: SocketAddr,
    /// The address by which it reached us.
    local: IpAddr,
    /// Held as long as the connection is open.
    place: Arc<Place>,
}

impl Peer {
    fn ip(&self) -> IpAddr {
        self.address.ip().to_canonical()
    }
}

/// What every connection is given.
#[derive(Clone)]
struct Context {
    source: Arc<dyn Source>,
    limits: Limits,
    stop: watch::Receiver<()>,
    /// Number of connected pages.
    pages: Arc<AtomicUsize>,
    _session: mpsc::Sender<()>,
}
