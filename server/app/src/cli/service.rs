//! What `serve` and `replay` share: the addresses, the services on them, and their end.

use super::options::ServiceOptions;
use super::{Failure, watchdog};
use serde_json::json;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio::sync::watch;
use touchline_board_server::{BoardConfig, BoardService};
use touchline_foxglove as foxglove;
use touchline_gate::Gate;
use touchline_host::Host;
use touchline_record::Stream;
use touchline_runtime::world_loop::Running;
use touchline_studio::{Lines, Looked, Served};

/// Addresses that are listened on.
pub struct Listeners {
    board: TcpListener,
    studio: Option<TcpListener>,
    foxglove: Option<TcpListener>,
}

/// The board as the studio's pages reach it.
struct Pages(BoardService);

impl Lines for Pages {
    fn open(&self, peer: String, is_local: bool, looked: Looked) -> DuplexStream {
        self.0.open(peer, is_local, looked)
    }

    fn clients(&self) -> usize {
        self.0.clients()
    }
}

/// Serves until SIGINT or SIGTERM, or until the loop ends by itself.
///
/// Addresses first: a taken port is said before `start` lets anything move. `introduce` gives lines for people.
pub fn serve(
    options: &ServiceOptions,
    robots_dir: Option<PathBuf>,
    host: Arc<Host>,
    stream: Option<Stream>,
    start: impl FnOnce() -> Result<(Gate, Running), Failure>,
    introduce: impl FnOnce(&Gate) -> Vec<String>,
) -> Result<(), Failure> {
    let operator_token = options.operator_token.as_deref().map(read_token).transpose()?;
    let config = BoardConfig { operator_token, robots_dir };
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    tokio.block_on(async {
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
        watchdog::watch(gate.clone())?;
        announce(options, &introduce(&gate), &listeners)?;
        let served = serve_until(stop, gate, listeners, config, host, stream).await;
        tokio::task::spawn_blocking(move || running.stop()).await.map_err(std::io::Error::from)?;
        served
    })
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
    let board = tokio::spawn(service.clone().serve(board, wait(stopped.clone())));
    let studio = studio.map(|listener| {
        let source = Arc::new(Served::new(gate, Pages(service), host));
        tokio::spawn(touchline_studio::serve(listener, source, wait(stopped.clone())))
    });
    let foxglove = foxglove.zip(stream).map(|(listener, stream)| {
        tokio::spawn(foxglove::serve(listener, stream, foxglove::Limits::default(), wait(stopped)))
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

/// Completes at SIGINT or SIGTERM.
pub fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    // Both from now on: a signal that comes right after the ready line is a stop already.
    #[cfg(unix)]
    let (mut interrupt, mut terminate) = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

pub async fn bind(address: &str, option: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "another program listens there, perhaps another touchline; stop it, or take port 0 for a free one"
            }
            std::io::ErrorKind::PermissionDenied => "ports below 1024 need privileges; take another",
            _ => "an address is HOST:PORT, such as 127.0.0.1:7050",
        };
        Failure::Resource(format!("{option} {address}: {error}\n  hint     {hint}"))
    })
}

fn read_token(path: &Path) -> Result<String, Failure> {
    let wrong = |reason: String| Failure::Resource(format!("--operator-token {}: {reason}", path.display()));
    let token = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    match token.trim() {
        "" => Err(wrong("the file is empty".into())),
        token => Ok(token.to_owned()),
    }
}

fn announce(options: &ServiceOptions, introduction: &[String], listeners: &Listeners) -> Result<(), Failure> {
    let board = listeners.board.local_addr()?;
    let studio = listeners.studio.as_ref().map(TcpListener::local_addr).transpose()?.map(url);
    let foxglove = listeners.foxglove.as_ref().map(TcpListener::local_addr).transpose()?;
    let foxglove = foxglove.map(|address| format!("ws://{address}"));
    let mut out = std::io::stdout().lock();
    if options.ready_json {
        let mut ready = json!({ "event": "ready", "board": board.to_string(), "studio": studio });
        if let Some(url) = foxglove {
            ready["foxglove"] = url.into();
        }
        writeln!(out, "{ready}")?;
    } else {
        introduction.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "board    {board}   try: nc {} {}, then HELP", board.ip(), board.port())?;
        match &studio {
            Some(url) => writeln!(out, "studio   {url}")?,
            None => writeln!(out, "studio   off")?,
        }
        if let Some(url) = foxglove {
            writeln!(out, "foxglove {url}   in Foxglove or Lichtblick: a connection \"Foxglove WebSocket\"")?;
        }
        writeln!(out, "Ctrl-C stops.")?;
    }
    Ok(out.flush()?)
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}
