//! The service: sessions on UDP sockets, at the gate like everybody.

mod logs;
mod orders;
mod sockets;
mod world;

pub use logs::{LogFileError, LogPlace, Logs};
pub use sockets::Ports;
pub use world::{NotSoccer, params_of};

use crate::PlayMode;
use crate::sessions::{Began, Config, Out, Sessions, TICK_MS};
use crate::statistics::Statistics;
use orders::{Answered, Desk};
use sockets::{Came, Sockets};
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use touchline_gate::{Client, Control, EachStep, Gate, Pass, Role, Speed};
use touchline_sim::scenario::RobotSpec;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::pitch::landmarks;
use touchline_soccer_law::player_type::{player_types, types_seed};

/// Who is asked to think has so long in the real server.
pub const PATIENCE: Duration = Duration::from_millis(1250);
/// While others are awaited or think, players hear something so often; in the real server nobody is silent for longer.
const AWAKE: Duration = PATIENCE;
/// While clients come, a synchronous game takes so long for a cycle.
const COMING: Duration = Duration::from_millis(50);

/// What is chosen of a service.
#[derive(Debug)]
pub struct Options {
    /// What a player's robot is made of.
    pub robot: Arc<RobotSpec>,
    /// Whether monitors may command as the human referee.
    pub monitors_command: bool,
    /// At most so many monitors.
    pub monitors: usize,
    /// In synchronous mode no step is made before so many players have come.
    pub players_awaited: usize,
    /// Who is asked to think has so long; then the game goes on without it.
    pub patience: Duration,
    /// Where the game's logs are written.
    pub logs: Option<Logs>,
    /// Told how the game stands, whenever teams or players come, and at its end.
    pub progress: Option<watch::Sender<Ended>>,
}

/// Why the league's clients cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The world is none of this league's.
    #[error(transparent)]
    NotSoccer(#[from] NotSoccer),
    /// The sockets fail.
    #[error("the Soccer Server's ports: {0}")]
    Sockets(#[from] io::Error),
}

/// How a service ended.
#[derive(Debug)]
pub struct Served {
    /// How the game went.
    pub game: Ended,
    /// Whether its logs were kept, which they are if it has begun.
    pub has_logs: bool,
    /// The logs that are not whole.
    pub failed_logs: Vec<LogFileError>,
}

/// How a game went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ended {
    /// The teams' names; empty where nobody came.
    pub teams: [String; 2],
    /// Goals.
    pub scores: [u32; 2],
    /// Penalties that went in, if there was a shoot-out.
    pub penalties: Option<[u32; 2]>,
    /// Cycle of the game's clock.
    pub cycle: u32,
    /// Mode of play.
    pub mode: String,
    /// Players that are connected.
    pub players: usize,
    /// Synchronous cycles in which a client was not done in time.
    pub missed_cycles: u32,
    /// Hash of the world's state in the step that ended the game, or now: when clients leave after it is chance.
    pub state_hash: u64,
    /// Possession, passes, shots.
    pub statistics: Statistics,
}

/// Serves until `shutdown` completes, the world ends, or a game that ends its server (`auto_mode`) is over.
///
/// # Errors
/// When the world is none of this league's, or the sockets fail.
pub async fn serve(
    ports: Ports,
    gate: Gate,
    options: Options,
    shutdown: impl Future<Output = ()>,
) -> Result<Served, ServiceError> {
    let has_team_ports = ports.are_of_teams();
    let (sockets, came) = Sockets::new(ports).await?;
    let mut service = Service::new(gate, options, sockets, has_team_ports)?;
    service.run(came, shutdown).await;
    Ok(service.end().await)
}

/// As [`serve`], on a thread of its own: sessions and sockets hand each other one datagram after the other, which costs a switch each where several
/// threads may take them.
///
/// # Errors
/// When there is no thread to be had; then those of [`serve`].
pub fn spawn(
    ports: Ports,
    gate: Gate,
    options: Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<impl Future<Output = Result<Served, ServiceError>>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (answer, answered) = oneshot::channel();
    std::thread::Builder::new().name("soccer".into()).spawn(move || {
        // Whoever started it may have gone.
        let _ = answer.send(runtime.block_on(serve(ports, gate, options, shutdown)));
    })?;
    Ok(
        async move { answered.await.unwrap_or_else(|_| Err(io::Error::other("their thread has ended").into())) },
    )
}

struct Service {
    gate: Gate,
    options: Options,
    sockets: Sockets,
    sessions: Sessions,
    /// Commands the referee, and orders steps.
    keeper: Client,
    desk: Desk,
    has_answered: mpsc::Receiver<Answered>,
    /// When it was opened.
    opened: Instant,
    step: u64,
    revision: u64,
    next_event: u64,
    next_message: u64,
    /// When who is asked to think has had its time.
    patience: Option<Instant>,
    /// When players hear that others are awaited.
    awake_at: Option<Instant>,
    /// When an ordered step is made.
    step_at: Option<Instant>,
    is_over: bool,
    /// Hash of the world's state when the game's time was over.
    final_hash: Option<u64>,
}

impl Service {
    fn new(gate: Gate, options: Options, sockets: Sockets, has_team_ports: bool) -> Result<Self, NotSoccer> {
        let scenario = gate.scenario();
        let mut params = params_of(scenario)?;
        let seed = types_seed(&params.player, 0);
        let types = player_types(&params.server, &params.player, seed as u64);
        // Clients are told the seed, as by the real server.
        params.player.random_seed = seed;
        let config = Config {
            types,
            landmarks: landmarks(params.server.goal_width),
            params,
            seed: scenario.seed,
            monitors_command: options.monitors_command,
            monitors: options.monitors,
            players_awaited: options.players_awaited,
            has_team_ports,
            is_logged: options.logs.is_some(),
            began: Began::at(
                SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64
            ),
        };
        let keeper = gate.client(Pass::at_desk(Role::Operator), "soccer");
        let newest = gate.newest();
        let mut sessions = Sessions::new(config);
        sessions.refresh(world::state(&newest.frame));
        let (answers, has_answered) = mpsc::channel(64);
        Ok(Self {
            keeper,
            desk: Desk::new(answers),
            has_answered,
            opened: Instant::now(),
            step: newest.frame.step,
            revision: newest.frame.revision,
            next_event: newest.frame.next_event,
            next_message: newest.frame.next_message,
            patience: None,
            awake_at: None,
            step_at: None,
            is_over: false,
            final_hash: None,
            gate,
            options,
            sockets,
            sessions,
        })
    }

    async fn run(&mut self, mut came: mpsc::Receiver<Came>, shutdown: impl Future<Output = ()>) {
        let mut shutdown = std::pin::pin!(shutdown);
        let mut frames: EachStep = self.gate.each_step();
        let tick = Duration::from_millis(TICK_MS as u64);
        let mut ticks = interval_at(Instant::now() + tick, tick);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let is_synchronous = self.sessions.is_synchronous();
        if is_synchronous {
            // Steps are ordered from now on.
            self.control(Control::Speed(Speed::Lockstep));
            self.sessions.start();
        }
        loop {
            self.carry_out().await;
            if self.is_over {
                return;
            }
            let (patience, awake_at) = (self.patience, self.awake_at);
            let step_at = self.step_at;
            tokio::select! {
                biased;
                () = &mut shutdown => return,
                Some(answered) = self.has_answered.recv() => self.answered(answered),
                is_there = frames.next() => {
                    if !is_there {
                        return;
                    }
                    self.look();
                    ticks.reset();
                }
                // What time has come for goes before what comes: a flood holds up nobody.
                () = until(step_at) => self.order_step(),
                () = until(patience) => {
                    // Anew for the next cycle.
                    (self.patience, self.awake_at) = (None, None);
                    self.sessions.miss();
                }
                _ = ticks.tick(), if !is_synchronous => self.sessions.tick(),
                () = until(awake_at) => {
                    self.awake_at = None;
                    self.sessions.keep_awake();
                }
                Some(came) = came.recv() => self.take_in(came),
            }
        }
    }

    fn take_in(&mut self, came: Came) {
        match came {
            Came::Datagram(source, datagram) => {
                self.sessions.at(self.opened.elapsed().as_millis() as u64);
                self.sessions.datagram(source, &datagram);
            }
            Came::Lost(client) => self.sessions.lost(client),
        }
    }

    /// Tells the sessions what is new in the newest Frame.
    fn look(&mut self) {
        let newest = self.gate.newest();
        let frame = &newest.frame;
        if frame.revision == self.revision {
            return;
        }
        self.revision = frame.revision;
        if frame.step == self.step {
            return self.sessions.refresh(world::state(frame));
        }
        let longest = self.sessions.longest_saying();
        let happened = world::happened(frame, self.next_event, self.next_message, longest);
        (self.step, self.next_event, self.next_message) = (frame.step, frame.next_event, frame.next_message);
        let state = world::state(frame);
        if state.mode == PlayMode::TIME_OVER {
            self.final_hash.get_or_insert(newest.status.state_hash);
        }
        self.sessions.stepped(state, happened);
    }

    async fn carry_out(&mut self) {
        for out in self.sessions.take() {
            match out {
                Out::Refuse(port, to, bytes) => self.sockets.refuse(port, to, &bytes),
                Out::Open(client, address) => self.sockets.open(client, address).await,
                Out::Send { client, bytes } => self.sockets.send(client, &bytes),
                Out::Close(client) => self.sockets.close(client),
                Out::Order(order) => self.order(order),
                Out::Log(piece) => {
                    if let Some(logs) = &mut self.options.logs {
                        if self.sessions.has_log() {
                            logs.keep();
                        }
                        logs.write(&piece);
                    }
                }
            }
        }
        self.tell_progress();
        let is_waiting = self.sessions.is_waiting();
        let is_quiet = is_waiting || self.sessions.is_gathering();
        self.awake_at = is_quiet.then(|| self.awake_at.unwrap_or_else(|| Instant::now() + AWAKE));
        match (is_waiting, self.patience) {
            (true, None) => self.patience = Some(Instant::now() + self.options.patience),
            (false, Some(_)) => self.patience = None,
            _ => {}
        }
    }

    fn standing(&self) -> Ended {
        let state = self.sessions.state();
        Ended {
            teams: Side::BOTH.map(|side| self.sessions.team_name(side).to_owned()),
            scores: state.scores,
            penalties: state.shoot_out().map(|counts| counts.map(|[scored, _]| scored)),
            cycle: state.time,
            mode: state.mode.word().to_owned(),
            players: self.sessions.players(),
            missed_cycles: self.sessions.missed(),
            statistics: self.sessions.statistics(),
            state_hash: self.final_hash.unwrap_or_else(|| self.gate.newest().status.state_hash),
        }
    }

    fn tell_progress(&self) {
        if let Some(progress) = &self.options.progress {
            let players = self.sessions.players();
            let is_new = progress.borrow().players != players;
            if is_new {
                progress.send_replace(self.standing());
            }
        }
    }

    /// Says how it went, ends the logs, and takes all robots out of the world.
    async fn end(mut self) -> Served {
        let game = self.standing();
        let has_logs = self.sessions.has_log();
        self.sessions.finish();
        let rest = self.sessions.take();
        let failed_logs = self.options.logs.take().map_or_else(Vec::new, |mut logs| {
            let pieces =
                rest.iter().filter_map(|out| if let Out::Log(piece) = out { Some(piece) } else { None });
            pieces.for_each(|piece| logs.write(piece));
            logs.finish()
        });
        drop(self.sockets);
        let gone = async {
            for player in self.desk.players() {
                player.leave().await;
            }
        };
        // Where time stands for good nobody leaves.
        let _ = tokio::time::timeout(Duration::from_secs(1), gone).await;
        Served { game, has_logs, failed_logs }
    }
}

/// Completes at an instant; never, if there is none.
async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
