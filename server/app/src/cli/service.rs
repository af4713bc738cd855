//! What `serve` and `replay` share: the addresses, the services on them, and their end.

use super::addresses::{self, bind};
use super::output::note;
use super::priority::Keeper;
use super::serve_options::ServiceOptions;
use super::watch::{self, Watch};
use super::{Failure, data, keys, soccer, text, watchdog};
use serde_json::json;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch as watch_channel};
use touchline_board_server::{BoardConfig, BoardService, Shut};
use touchline_foxglove as foxglove;
use touchline_gate::{Gate, LoopStatus, Pass, Priority, Reach, Verb};
use touchline_host::{Host, hang_up_is_ignored};
use touchline_record::Stream;
use touchline_runtime::world_loop::Running;
use touchline_sim::Scenario;
use touchline_soccer::service::Ports;
use touchline_studio::{Lines, Looked, Served};

/// What still runs when all services have ended has so long.
pub const LONGEST_END: Duration = Duration::from_secs(1);

/// What is served beside board and studio, and what ends it.
pub struct Beside {
    /// The files that the world was made of, if it starts anew when they change.
    pub watch: Option<Watch>,
    /// A recording's channels, for `--foxglove`.
    pub stream: Option<Stream>,
    /// The ports of the Soccer Server's clients.
    pub soccer: Option<soccer::Plan>,
    /// What a client has opened in place of the world, if it can.
    pub opened: Option<watch_channel::Receiver<Option<PathBuf>>>,
}

/// The world is to start anew, or another one in its place.
pub struct Restart {
    /// The files that have changed.
    pub changed: Vec<PathBuf>,
    /// What comes in its place.
    pub opened: Option<PathBuf>,
    /// Where the board listened.
    pub board: SocketAddr,
    /// Where the studio was, unless it was off.
    pub studio: Option<SocketAddr>,
    /// Where the recording's channels were.
    pub foxglove: Option<SocketAddr>,
    /// How the loop did.
    pub status: LoopStatus,
}

/// Addresses that are listened on.
pub struct Listeners {
    board: TcpListener,
    studio: Option<TcpListener>,
    foxglove: Option<TcpListener>,
    soccer: Option<(Ports, touchline_soccer::service::Options)>,
}

/// The board as the studio's pages reach it.
struct Pages(BoardService);

impl Lines for Pages {
    fn open(&self, peer: String, from: IpAddr, pass: Option<Pass>, looked: Looked) -> DuplexStream {
        self.0.open(peer, from, pass, looked)
    }

    fn is_locked(&self) -> bool {
        self.0.is_locked()
    }

    fn unlock(&self, key: &str, from: IpAddr) -> Result<Pass, String> {
        match self.0.unlock(key, from) {
            Ok(Some(pass)) => Ok(pass),
            Ok(None) => Err("there are no keys".into()),
            Err(Shut::Wrong) => Err("this key opens nothing here".into()),
            Err(Shut::Wait { secs }) => {
                Err(format!("too many wrong keys came from your address; try again in {secs} s"))
            }
        }
    }

    fn clients(&self) -> usize {
        self.0.clients()
    }

    fn reading_waits(&self) -> u64 {
        self.0.reading_waits()
    }
}

impl ServiceOptions {
    fn addresses(&self) -> Vec<(&str, &str)> {
        let studio = (self.studio != "off").then_some((self.studio.as_str(), "--studio"));
        let foxglove = self.foxglove.as_deref().map(|address| (address, "--foxglove"));
        [Some((self.board.as_str(), "--board")), studio, foxglove].into_iter().flatten().collect()
    }
}

/// Serves until SIGINT or SIGTERM, until the world is to start anew, or until the loop ends by itself.
///
/// Keys and addresses first: a taken port is said before `start` lets anything move. `introduce` gives lines for people.
pub fn serve(
    options: &ServiceOptions,
    scenario: &Scenario,
    board: BoardConfig,
    host: Arc<Host>,
    beside: Beside,
    start: impl FnOnce() -> Result<(Gate, Running), Failure>,
    introduce: impl FnOnce(&Gate) -> Vec<String>,
) -> Result<Option<Restart>, Failure> {
    let lock = options.keys.as_deref().map(|file| keys::lock(file, scenario)).transpose()?;
    let config = BoardConfig { lock, ..board };
    // A plugin that does not return a reading keeps one.
    let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        // Sockets are looked at after so many tasks: some that ask for much take a millisecond each, and nobody else shall wait for 61 of them.
        .event_interval(5)
        .enable_all()
        .build()?;
    let served = tokio.block_on(async {
        for (address, option) in options.addresses() {
            addresses::check(address, option, config.lock.is_some()).await?;
        }
        let board = bind(&options.board, "--board").await?;
        let studio = match options.studio.as_str() {
            "off" => None,
            address => Some(bind(address, "--studio").await?),
        };
        let foxglove = match &options.foxglove {
            Some(address) => Some(bind(address, "--foxglove").await?),
            None => None,
        };
        let soccer = match beside.soccer {
            Some(mut plan) => Some((plan.open().await?, plan.options)),
            None => None,
        };
        let listeners = Listeners { board, studio, foxglove, soccer };
        let stop = stop_signal()?;
        let (gate, running) = start()?;
        let priority = Keeper::new(options.priority, gate.clone());
        watchdog::watch(gate.clone(), priority)?;
        announce(options, &introduce(&gate), gate.priority().unwrap_or_default(), &listeners)?;
        let end = end_or_change(stop, beside.watch, beside.opened);
        let served = serve_until(end, gate, listeners, config, host, beside.stream).await;
        tokio::task::spawn_blocking(move || running.stop()).await.map_err(std::io::Error::from)?;
        served
    });
    // Nor does such a plugin keep the program.
    tokio.shutdown_timeout(LONGEST_END);
    served
}

/// Why a world makes room for the next one.
enum Change {
    /// These files are others now.
    Files(Vec<PathBuf>),
    /// This was opened in its place.
    Opened(PathBuf),
}

/// Completes at the signal, with the files that have changed, as soon as the world would start with them, or with what was opened.
async fn end_or_change(
    stop: impl Future<Output = ()>,
    watch: Option<Watch>,
    opened: Option<watch_channel::Receiver<Option<PathBuf>>>,
) -> Option<Change> {
    let changed = async {
        let Some(mut watch) = watch else { return std::future::pending().await };
        loop {
            let changed = watch.changed().await;
            let names = watch::names(&changed);
            // The world goes on meanwhile.
            match tokio::task::spawn_blocking(watch::rehearse).await {
                Ok(Ok(())) => return changed,
                Ok(Err(failure)) => {
                    tracing::warn!(
                        "{names}: changed, but the world cannot start with it; the old one goes on"
                    );
                    note(&failure.to_string());
                }
                Err(error) => tracing::error!(%error, "{names}: changed; nothing was tried"),
            }
        }
    };
    let opened = async {
        let Some(mut opened) = opened else { return std::future::pending().await };
        let file = opened.wait_for(Option::is_some).await.ok().and_then(|file| file.clone());
        match file {
            Some(file) => file,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = stop => None,
        changed = changed => Some(Change::Files(changed)),
        opened = opened => Some(Change::Opened(opened)),
    }
}

/// Serves until the end comes, then lets both services finish.
async fn serve_until(
    end: impl Future<Output = Option<Change>>,
    gate: Gate,
    Listeners { board, studio, foxglove, soccer }: Listeners,
    config: BoardConfig,
    host: Arc<Host>,
    stream: Option<Stream>,
) -> Result<Option<Restart>, Failure> {
    let mut restart = Restart {
        changed: Vec::new(),
        opened: None,
        board: board.local_addr()?,
        studio: studio.as_ref().map(TcpListener::local_addr).transpose()?,
        foxglove: foxglove.as_ref().map(TcpListener::local_addr).transpose()?,
        status: gate.newest().status,
    };
    let (stopping, stopped) = tokio::sync::watch::channel(false);
    let wait = |mut stopped: tokio::sync::watch::Receiver<bool>| async move {
        // An error is the sender's end, which is a stop as well.
        let _ = stopped.wait_for(|&stop| stop).await;
    };
    let watched = gate.clone();
    let told = (!gate.is_replay()).then(|| {
        let gate = gate.clone();
        tokio::spawn(async move { gate.tell_faults().await })
    });
    let service = BoardService::new(gate.clone(), config);
    let (over, is_over) = oneshot::channel();
    let soccer = soccer.map(|(ports, options)| {
        let stopped = wait(stopped.clone());
        let served = touchline_soccer::service::spawn(ports, gate.clone(), options, stopped)?;
        Ok::<_, Failure>(tokio::spawn(async move {
            let ended = served.await.map_err(Failure::from).and_then(|served| soccer::all_written(&served));
            let _ = over.send(());
            ended
        }))
    });
    let soccer = soccer.transpose()?;
    let has_soccer = soccer.is_some();
    let unlock = service.is_locked().then(|| {
        let pages = Pages(service.clone());
        Arc::new(move |key: &str, from| match pages.unlock(key, from)?.reach(Verb::Sense) {
            Reach::All => Ok(()),
            Reach::Own | Reach::Nothing => Err("this key does not see all".into()),
        }) as foxglove::Unlock
    });
    let board = tokio::spawn(service.clone().serve(board, wait(stopped.clone())));
    let studio = studio.map(|listener| {
        let source = Arc::new(Served::new(gate, Pages(service.clone()), host));
        tokio::spawn(touchline_studio::serve(listener, source, wait(stopped.clone())))
    });
    let foxglove = foxglove.zip(stream).map(|(listener, stream)| {
        tokio::spawn(foxglove::serve(listener, stream, foxglove::Limits::default(), unlock, wait(stopped)))
    });
    // A loop that ends by itself is a bug; better no server than one that stands for ever.
    let (loop_ended, changed) = tokio::select! {
        changed = end => (false, changed),
        () = watched.ended() => (true, None),
        // A game that ends its server is over.
        _ = is_over, if has_soccer => (false, None),
    };
    let restarts = changed.is_some();
    if let Some(changed) = changed {
        match changed {
            Change::Files(changed) => {
                tracing::info!("{}: changed; the world starts anew", watch::names(&changed));
                restart.changed = changed;
            }
            Change::Opened(file) => {
                tracing::info!("{}: opened", file.display());
                restart.opened = Some(file);
            }
        }
        restart.status = watched.newest().status;
        service.restarts();
    }
    let _ = stopping.send(true);
    if let Some(told) = told {
        told.abort();
    }
    for service in [Some(board), studio, foxglove].into_iter().flatten() {
        if let Err(error) = service.await {
            tracing::error!(%error, "a service ended badly");
        }
    }
    let game = match soccer {
        Some(game) => game.await.map_err(std::io::Error::from)?,
        None => Ok(()),
    };
    if loop_ended {
        return Err(Failure::Resource("the simulation ended by itself; its last message says why".into()));
    }
    game?;
    Ok(restarts.then_some(restart))
}

/// Completes at SIGINT or SIGTERM, and when the terminal is closed (SIGHUP), unless the program was started to outlive that.
pub fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    // All from now on: a signal that comes right after the ready line is a stop already.
    #[cfg(unix)]
    let (mut interrupt, mut terminate, mut hang_up) = {
        use tokio::signal::unix::{SignalKind, signal};
        let hang_up = (!hang_up_is_ignored()).then(|| signal(SignalKind::hangup())).transpose()?;
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, hang_up)
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            () = async {
                match &mut hang_up {
                    Some(signal) => drop(signal.recv().await),
                    None => std::future::pending().await,
                }
            } => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

fn announce(
    options: &ServiceOptions,
    introduction: &[String],
    priority: Priority,
    listeners: &Listeners,
) -> Result<(), Failure> {
    let board = listeners.board.local_addr()?;
    let studio = listeners.studio.as_ref().map(TcpListener::local_addr).transpose()?.map(url);
    let foxglove = listeners.foxglove.as_ref().map(TcpListener::local_addr).transpose()?;
    let foxglove = foxglove.map(|address| format!("ws://{address}"));
    let soccer = listeners.soccer.as_ref().map(|(ports, _)| ports.addresses()).transpose()?;
    if options.ready_json {
        let mut out = data();
        let mut ready = json!({ "event": "ready", "board": board.to_string(), "studio": studio, "priority": priority.to_string() });
        if options.keys.is_some() {
            ready["keys"] = true.into();
        }
        if let Some(url) = foxglove {
            ready["foxglove"] = url.into();
        }
        if let Some(ports) = soccer {
            ready["soccer"] = json!(ports.map(|address| address.to_string()));
        }
        writeln!(out, "{ready}")?;
        Ok(out.flush()?)
    } else {
        let mut out = text();
        introduction.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "board    {board}   try: touchline connect {board}, then HELP")?;
        match &studio {
            Some(url) => writeln!(out, "studio   {url}")?,
            None => writeln!(out, "studio   off")?,
        }
        if let Some(url) = foxglove {
            writeln!(out, "foxglove {url}   in Foxglove or Lichtblick: a connection \"Foxglove WebSocket\"")?;
        }
        if let Some([players, trainer, coaches]) = soccer {
            let (trainer, coaches) = (trainer.port(), coaches.port());
            writeln!(
                out,
                "soccer   {players}   players and monitors; trainer {trainer}, online coaches {coaches}"
            )?;
        }
        if let Some(file) = &options.keys {
            writeln!(out, "keys     {}   HELLO 1 NAME key=KEY", file.display())?;
        }
        if priority != Priority::Normal {
            writeln!(out, "priority {priority}")?;
        }
        writeln!(out, "Ctrl-C stops.")?;
        Ok(out.flush()?)
    }
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}
