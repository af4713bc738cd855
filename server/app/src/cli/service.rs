//! What `serve` and `replay` share: the addresses, the services on them, and their end.

use super::addresses::{self, bind};
use super::options::ServiceOptions;
use super::priority::Keeper;
use super::{Failure, keys, watchdog};
use serde_json::json;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio::sync::watch;
use touchline_board_server::{BoardConfig, BoardService, Shut};
use touchline_foxglove as foxglove;
use touchline_gate::{Gate, Pass, Priority, Reach, Verb};
use touchline_host::{Host, hang_up_is_ignored};
use touchline_record::Stream;
use touchline_runtime::world_loop::Running;
use touchline_sim::Scenario;
use touchline_studio::{Lines, Looked, Served};

/// What still runs when all services have ended has so long.
pub const LONGEST_END: Duration = Duration::from_secs(1);

/// Addresses that are listened on.
pub struct Listeners {
    board: TcpListener,
    studio: Option<TcpListener>,
    foxglove: Option<TcpListener>,
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

/// Serves until SIGINT or SIGTERM, or until the loop ends by itself.
///
/// Keys and addresses first: a taken port is said before `start` lets anything move. `introduce` gives lines for people.
pub fn serve(
    options: &ServiceOptions,
    scenario: &Scenario,
    board: BoardConfig,
    host: Arc<Host>,
    stream: Option<Stream>,
    start: impl FnOnce() -> Result<(Gate, Running), Failure>,
    introduce: impl FnOnce(&Gate) -> Vec<String>,
) -> Result<(), Failure> {
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
        let listeners = Listeners { board, studio, foxglove };
        let stop = stop_signal()?;
        let (gate, running) = start()?;
        let priority = Keeper::new(options.priority, gate.clone());
        watchdog::watch(gate.clone(), priority)?;
        announce(options, &introduce(&gate), gate.priority().unwrap_or_default(), &listeners)?;
        let served = serve_until(stop, gate, listeners, config, host, stream).await;
        tokio::task::spawn_blocking(move || running.stop()).await.map_err(std::io::Error::from)?;
        served
    });
    // Nor does such a plugin keep the program.
    tokio.shutdown_timeout(LONGEST_END);
    served
}

/// Serves until the signal comes, then lets both services finish.
async fn serve_until(
    stop: impl Future<Output = ()>,
    gate: Gate,
    Listeners { board, studio, foxglove }: Listeners,
    config: BoardConfig,
    host: Arc<Host>,
    stream: Option<Stream>,
) -> Result<(), Failure> {
    let (stopping, stopped) = watch::channel(false);
    let wait = |mut stopped: watch::Receiver<bool>| async move {
        // An error is the sender's end, which is a stop as well.
        let _ = stopped.wait_for(|&stop| stop).await;
    };
    let watched = gate.clone();
    let told = (!gate.is_replay()).then(|| {
        let gate = gate.clone();
        tokio::spawn(async move { gate.tell_faults().await })
    });
    let service = BoardService::new(gate.clone(), config);
    let unlock = service.is_locked().then(|| {
        let pages = Pages(service.clone());
        Arc::new(move |key: &str, from| match pages.unlock(key, from)?.reach(Verb::Sense) {
            Reach::All => Ok(()),
            Reach::Own | Reach::Nothing => Err("this key does not see all".into()),
        }) as foxglove::Unlock
    });
    let board = tokio::spawn(service.clone().serve(board, wait(stopped.clone())));
    let studio = studio.map(|listener| {
        let source = Arc::new(Served::new(gate, Pages(service), host));
        tokio::spawn(touchline_studio::serve(listener, source, wait(stopped.clone())))
    });
    let foxglove = foxglove.zip(stream).map(|(listener, stream)| {
        tokio::spawn(foxglove::serve(listener, stream, foxglove::Limits::default(), unlock, wait(stopped)))
    });
    // A loop that ends by itself is a bug; better no server than one that stands for ever.
    let loop_ended = tokio::select! {
        () = stop => false,
        () = watched.ended() => true,
    };
    let _ = stopping.send(true);
    if let Some(told) = told {
        told.abort();
    }
    for service in [Some(board), studio, foxglove].into_iter().flatten() {
        if let Err(error) = service.await {
            tracing::error!(%error, "a service ended badly");
        }
    }
    if loop_ended {
        return Err(Failure::Resource("the simulation ended by itself; its last message says why".into()));
    }
    Ok(())
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
    let mut out = std::io::stdout().lock();
    if options.ready_json {
        let mut ready = json!({ "event": "ready", "board": board.to_string(), "studio": studio, "priority": priority.to_string() });
        if options.keys.is_some() {
            ready["keys"] = true.into();
        }
        if let Some(url) = foxglove {
            ready["foxglove"] = url.into();
        }
        writeln!(out, "{ready}")?;
    } else {
        introduction.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "board    {board}   try: touchline connect {board}, then HELP")?;
        match &studio {
            Some(url) => writeln!(out, "studio   {url}")?,
            None => writeln!(out, "studio   off")?,
        }
        if let Some(url) = foxglove {
            writeln!(out, "foxglove {url}   in Foxglove or Lichtblick: a connection \"Foxglove WebSocket\"")?;
        }
        if let Some(file) = &options.keys {
            writeln!(out, "keys     {}   HELLO 1 NAME key=KEY", file.display())?;
        }
        if priority != Priority::Normal {
            writeln!(out, "priority {priority}")?;
        }
        writeln!(out, "Ctrl-C stops.")?;
    }
    Ok(out.flush()?)
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}
