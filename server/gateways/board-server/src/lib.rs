//! The message board's service: its commands, each in one file, and the sockets around them. [C1-C7]
//!
//! A [`BoardService`] gives each connection a task of its own. It feeds its [`Session`], whose commands ([`COMMANDS`]) ask and act at the
//! gate, and sends. Nothing is shared between two connections but the gate and the newest Frame's readings as text.
//!
//! # Invariants
//! - What one client does delays no other: a task never waits while it could serve its socket.
//! - A connection's commands take effect in the order in which they came, and a question is answered when all
//!   commands before it are carried out.
//! - However the bytes are cut into pieces, the same commands come out (`tests/split.rs`, and the fuzz target).
//! - All that a connection can make the server keep is bounded by its [`Limits`]; what long replies of all connections take, by the `room`.
//! - When a connection ends, in whatever way, its robots go, and those that it has taken over are given back.
//!
//! # Not here
//! What both ends share, words and messages: `touchline-board`. Who may do what, and when it is carried out: `touchline-gate`.

#![forbid(unsafe_code)]

mod call;
mod commands;
mod connection;
mod door;
mod errors;
mod files;
mod generating;
mod lines;
mod lobby;
mod models;
mod pace;
mod params;
mod readings;
mod room;
mod session;
mod shelf;
mod shown;
mod talk;
pub mod testing;
mod upload;
mod view;

pub use commands::{COMMANDS, Command, description_reply};
pub use door::{Door, Knocks, Lock, Neighbours, Shut};
pub use lines::{Line, LineBuffer};
pub use session::{Incoming, Limits, PushDue, Session, SessionConfig, Ticket};
pub use shelf::{Shelf, Title, TitleKind};

use files::{Files, Folder};
use generating::Generating;
use lobby::Lobby;
use models::Models;
use room::Room;
use shown::Newest;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use touchline_arrivals::Arrivals;
use touchline_gate::{Gate, Pass};
use touchline_sim::{Frame, RobotNumber};
use view::View;

/// How long connections may take to end when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);
/// What is on its way through a connection from within the program.
const INSIDE_BYTES: usize = 16_384;
/// How long to wait when the system has no more sockets to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What the service is told.
#[derive(Clone, Debug, Default)]
pub struct BoardConfig {
    /// The keys by which clients are let in; none is a desk where all are trusted.
    pub lock: Option<Arc<Lock>>,
    /// The robot files that clients may name, and the parts that theirs may include.
    pub robots_dir: Option<PathBuf>,
    /// The folders whose files clients may name where a player plugin opens one, beside that of the robot files.
    pub models: Vec<PathBuf>,
    /// What can be opened in place of what is shown; none if nothing can.
    pub shelf: Option<Arc<dyn Shelf>>,
}

/// The service; clones are handles to the same one.
#[derive(Clone)]
pub struct BoardService(Arc<Board>);

impl BoardService {
    /// A service that nobody is connected to.
    pub fn new(gate: Gate, config: BoardConfig) -> Self {
        let BoardConfig { lock, robots_dir, models, shelf } = config;
        let models = Models::below(models.into_iter().chain(robots_dir.clone()));
        let read = Arc::new(Folder { folder: robots_dir, models, factory: Arc::clone(gate.factory()) });
        Self(Arc::new(Board { shelf, ..Board::new(gate, Files::new(read), lock) }))
    }

    /// Opens a connection from within the program: what is written to the stream is read as from a socket.
    ///
    /// `peer` is what the client is called until it says a name; it has come through another service's door, with this pass, or may be
    /// what it says. `from` is its address.
    /// Whoever holds the other end sees to it that what the client does not read is given up.
    /// While something is `looked` at, questions about a robot (`GET`, `PUSH`, `MOTION`, `HEAR`, `DESCRIBE`) are answered from it.
    pub fn open(
        &self,
        peer: String,
        from: IpAddr,
        pass: Option<Pass>,
        looked: watch::Receiver<Option<Arc<Frame>>>,
    ) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(INSIDE_BYTES);
        let config = self.0.session_config(from);
        let config = match pass {
            Some(pass) => SessionConfig { door: Door::Inside(pass), ..config },
            None => config,
        };
        let board = Arc::clone(&self.0);
        tokio::spawn(async move {
            let (mut reader, mut writer) = tokio::io::split(ours);
            let view = View::of(looked);
            connection::run(board, &mut reader, &mut writer, config, peer, view, None).await;
        });
        theirs
    }

    /// What a key opens, for services beside the board; wrong ones are slowed by their address. Without keys nothing is asked for.
    ///
    /// # Errors
    /// When it opens nothing, or is not looked at.
    pub fn unlock(&self, key: &str, from: IpAddr) -> Result<Option<Pass>, Shut> {
        let Some(lock) = &self.0.lock else { return Ok(None) };
        lock.open(key, from, self.0.gate.now_us()).map(Some)
    }

    /// Whether clients have to show a key.
    pub fn is_locked(&self) -> bool {
        self.0.lock.is_some()
    }

    /// Clients that are connected over the network; studio pages are none.
    pub fn clients(&self) -> usize {
        self.0.connections()
    }

    /// How often a connection had used up its share of the time that readings take, and had to wait.
    pub fn reading_waits(&self) -> u64 {
        self.0.reading_waits()
    }

    /// Clients that are told of the end from now on are told to connect again.
    pub fn restarts(&self) {
        self.0.signals.send_modify(|signal| signal.restarts = true);
    }

    /// Serves until `shutdown` completes; returns when all connections have ended and their robots are gone, which takes
    /// about a second at most.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        serve(&self.0, listener, shutdown).await;
    }
}

async fn serve(board: &Arc<Board>, listener: TcpListener, shutdown: impl Future<Output = ()>) {
    let signals = &board.signals;
    let mut tasks = JoinSet::new();
    let mut happened = board.gate.happened();
    let mut roll = Roll::default();
    roll.has_lost(&board.gate.newest().frame);
    tokio::pin!(shutdown);
    let mut arrivals = Arrivals::new(listener, board.gate.scenario().limits.connections_per_s);
    loop {
        tokio::select! {
            accepted = arrivals.next() => match accepted {
                Ok((stream, peer)) => {
                    admit(board, stream, peer, &mut tasks);
                    // However many wait to be let in, each has its turn among those who are in.
                    connection::let_others_run().await;
                }
                Err(error) => {
                    tracing::warn!(%error, "board: cannot take a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Ok(()) = happened.changed() => {
                if roll.has_lost(&board.gate.newest().frame) {
                    signals.send_modify(|signal| signal.removals += 1);
                }
            }
            Some(ended) = tasks.join_next() => {
                if let Err(error) = ended {
                    tracing::error!(%error, "board: a connection's task failed");
                }
            }
            () = &mut shutdown => break,
        }
    }
    drop(arrivals);
    signals.send_modify(|signal| signal.stopping = true);
    let all = async { while tasks.join_next().await.is_some() {} };
    if tokio::time::timeout(STOP_TIMEOUT, all).await.is_err() {
        tracing::warn!("board: some connections did not end in time");
    }
}

fn admit(board: &Arc<Board>, stream: TcpStream, peer: SocketAddr, tasks: &mut JoinSet<()>) {
    match board.lobby.enter(peer.ip()) {
        Ok(seat) => {
            tasks.spawn(connection::run_socket(Arc::clone(board), stream, peer, seat));
        }
        Err((code, why)) => {
            let mut session = Session::new(board.session_config(peer.ip()));
            session.close(code, &why);
            let _ = stream.try_write(session.output());
        }
    }
}

/// What all connections have to hear of.
#[derive(Clone, Copy, Debug, Default)]
struct Signal {
    /// Number of times that robots were removed.
    removals: u64,
    stopping: bool,
    /// When it stops, it comes back at once.
    restarts: bool,
}

/// State that all connections share.
struct Board {
    gate: Gate,
    files: Files,
    /// The keys by which clients are let in.
    lock: Option<Arc<Lock>>,
    /// What can be opened.
    shelf: Option<Arc<dyn Shelf>>,
    /// The newest Frame with its readings as text.
    newest: Newest,
    /// For long replies that are under way.
    room: Room,
    generating: Arc<Generating>,
    /// How often a connection had used up its share of the time that readings take.
    reading_waits: AtomicU64,
    /// In place of the server's, for tests.
    clock: OnceLock<Box<dyn Fn() -> u64 + Send + Sync>>,
    signals: watch::Sender<Signal>,
    lobby: Arc<Lobby>,
}

impl Board {
    fn new(gate: Gate, files: Files, lock: Option<Arc<Lock>>) -> Self {
        let (newest, signals) = (Newest::default(), watch::Sender::new(Signal::default()));
        let (limits, reading_waits) = (gate.scenario().limits, AtomicU64::new(0));
        let (room, lobby) = (Room::new(limits.replies_integers), Arc::new(Lobby::new(&limits)));
        Self {
            gate,
            files,
            lock,
            shelf: None,
            newest,
            room,
            generating: Generating::watched(),
            reading_waits,
            clock: OnceLock::new(),
            signals,
            lobby,
        }
    }

    fn session_config(&self, peer: IpAddr) -> SessionConfig {
        let door = self.lock.clone().map_or(Door::Open, Door::Keys);
        SessionConfig {
            server_version: env!("CARGO_PKG_VERSION").into(),
            door,
            peer,
            limits: Limits { table: self.gate.scenario().limits, ..Limits::default() },
        }
    }

    /// Time of the server's clock, microseconds.
    fn now_us(&self) -> u64 {
        self.clock.get().map_or_else(|| self.gate.now_us(), |clock| clock())
    }

    fn reading_waits(&self) -> u64 {
        self.reading_waits.load(Ordering::Relaxed)
    }

    fn connections(&self) -> usize {
        self.lobby.taken()
    }
}

/// The robots of the last Frame, to find out that one has gone.
#[derive(Default)]
struct Roll(Vec<RobotNumber>);

impl Roll {
    fn has_lost(&mut self, frame: &touchline_sim::Frame) -> bool {
        let numbers = || frame.robots.iter().map(|robot| robot.identity.number);
        if numbers().eq(self.0.iter().copied()) {
            return false;
        }
        let lost = self.0.iter().any(|&number| frame.robot(number).is_none());
        self.0 = numbers().collect();
        lost
    }
}
