//! `touchline serve`: a world in real time, with message board and studio.

use super::options::ServeOptions;
use super::{Failure, shipped};
use crate::board::{BoardConfig, BoardService};
use crate::runtime::{self, Runtime};
use crate::studio;
use crate::studio_source::StudioSource;
use serde_json::json;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use touchline_host::{AttemptResult, Host};
use touchline_sim::{PluginFactory, Scenario};

pub fn serve(options: &ServeOptions, plugins: &[PathBuf]) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins);
    warn_of_refused(&host);
    let world = shipped::load_world(&options.world, options.seed, &host)?;
    let config = BoardConfig {
        operator_token: options.operator_token.as_deref().map(read_token).transpose()?,
        robots_dir: options.robots.clone().or_else(|| robots_beside(&options.world)),
    };
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    tokio.block_on(async {
        // Addresses first: a taken port is said before anything moves.
        let board = bind(&options.board, "--board").await?;
        let studio = match options.studio.as_str() {
            "off" => None,
            address => Some(bind(address, "--studio").await?),
        };
        let stop = stop_signal()?;
        let (runtime, running) = runtime::start(world, Arc::clone(&host) as _, options.speed)?;
        announce(options, &runtime, &host, &board, studio.as_ref())?;
        let served = serve_until(stop, runtime, board, studio, config).await;
        tokio::task::spawn_blocking(move || running.stop()).await.map_err(std::io::Error::from)?;
        served
    })
}

/// Serves until the signal comes, then lets both services finish.
async fn serve_until(
    stop: impl Future<Output = ()>,
    runtime: Runtime,
    board: TcpListener,
    studio: Option<TcpListener>,
    config: BoardConfig,
) -> Result<(), Failure> {
    let (stopping, stopped) = watch::channel(false);
    let wait = |mut stopped: watch::Receiver<bool>| async move {
        // An error is the sender's end, which is a stop as well.
        let _ = stopped.wait_for(|&stop| stop).await;
    };
    let watched = runtime.clone();
    let service = BoardService::new(runtime.clone(), config);
    let board = tokio::spawn(service.clone().serve(board, wait(stopped.clone())));
    let studio = studio.map(|listener| {
        tokio::spawn(studio::serve(listener, Arc::new(StudioSource::new(runtime, service)), wait(stopped)))
    });
    // A loop that ends by itself is a bug; better no server than one that stands for ever.
    let loop_ended = tokio::select! {
        () = stop => false,
        () = watched.ended() => true,
    };
    let _ = stopping.send(true);
    for service in [Some(board), studio].into_iter().flatten() {
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
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

async fn bind(address: &str, option: &str) -> Result<TcpListener, Failure> {
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

/// `robots` beside the folder in which the world file is.
fn robots_beside(world: &Path) -> Option<PathBuf> {
    let folder = std::fs::canonicalize(world).ok()?;
    Some(folder.parent()?.parent()?.join("robots")).filter(|robots| robots.is_dir())
}

fn warn_of_refused(host: &Host) {
    for attempt in host.attempts() {
        if let AttemptResult::Refused(_) = attempt.result {
            tracing::warn!("plugin refused: {attempt}");
        }
    }
}

fn announce(
    options: &ServeOptions,
    runtime: &Runtime,
    host: &Host,
    board: &TcpListener,
    studio: Option<&TcpListener>,
) -> Result<(), Failure> {
    let board = board.local_addr()?;
    let studio = studio.map(TcpListener::local_addr).transpose()?.map(url);
    let mut out = std::io::stdout().lock();
    if options.ready_json {
        writeln!(out, "{}", json!({ "event": "ready", "board": board.to_string(), "studio": studio }))?;
    } else {
        let scenario = runtime.scenario();
        writeln!(out, "world    {} ({})", scenario.name, options.world.display())?;
        writeln!(out, "robots   {}", robots_line(scenario))?;
        writeln!(out, "plugins  {}", plugins_line(host))?;
        writeln!(out, "board    {board}   try: nc {} {}, then HELP", board.ip(), board.port())?;
        match &studio {
            Some(url) => writeln!(out, "studio   {url}")?,
            None => writeln!(out, "studio   off")?,
        }
        writeln!(out, "Ctrl-C stops.")?;
    }
    Ok(out.flush()?)
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}

fn robots_line(scenario: &Scenario) -> String {
    if scenario.robots.is_empty() {
        return "none yet".into();
    }
    let robot = |robot: &touchline_sim::scenario::RobotPlacement| {
        let player = robot.player.as_ref().map(|player| format!(", {}", player.choice.plugin));
        format!("{} ({}{})", robot.name, robot.spec.model, player.unwrap_or_default())
    };
    scenario.robots.iter().map(robot).collect::<Vec<_>>().join("\n         ")
}

fn plugins_line(host: &Host) -> String {
    let plugins = host.descriptions();
    plugins.iter().map(|plugin| format!("{}-{}", plugin.kind, plugin.name)).collect::<Vec<_>>().join(" ")
}
