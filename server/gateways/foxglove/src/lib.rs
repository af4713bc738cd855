//! The recording's channels, live, for Foxglove and Lichtblick: their open WebSocket protocol, reading only.
//!
//! [`serve`] answers on a bound listener until it is told to stop. What it shows comes from a [`Stream`]. How it is used and
//! what it sends is written down in `docs/log.md`; why it is no library in `docs/adr/0011-foxglove-protocol.md`.
//!
//! # Invariants
//! - The messages are those of a recording, made by the same encoder: a tool that opens the one can watch the other.
//! - Whoever watches slows neither a step nor the recorder nor another: he is told from a queue in which the newest wins. Who
//!   reads nothing for [`Limits::unread`] is disconnected.
//! - Nothing that a client says changes anything but what he is sent.
//! - Pages of any origin may watch, for the tools are pages of other sites. The Host is checked, as the studio's, and a key where there
//!   are keys.

#![forbid(unsafe_code)]

mod message;
mod session;

use axum::Router;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use touchline_arrivals::Arrivals;
use touchline_record::Stream;
use touchline_studio::{NO_PROXY, Place, Places, called_by_our_address, came_by_a_proxy};

/// The names of the protocol; what is said in them is the same. Lichtblick knew only the second for long.
const PROTOCOLS: [&str; 2] = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
/// The longest head of a request, bytes.
const MAX_HEAD_BYTES: usize = 65_536;
/// The longest message that a client may send, bytes: a subscription of some thousand channels.
const MAX_MESSAGE_BYTES: usize = 262_144;

/// What the service allows its clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A request's head must be complete after this time.
    pub header: Duration,
    /// Who reads nothing for this time is disconnected.
    pub unread: Duration,
    /// Open connections; more are closed at once.
    pub connections: usize,
    /// Connections a second that are let in on average, twice as many at once after a pause; more wait.
    pub connections_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header: Duration::from_secs(5),
            unread: Duration::from_secs(10),
            connections: 64,
            connections_per_s: 100,
        }
    }
}

/// Whether the key that comes from an address opens this, or why not, in words.
pub type Unlock = Arc<dyn Fn(&str, IpAddr) -> Result<(), String> + Send + Sync>;

/// What every connection is given.
#[derive(Clone)]
struct Context {
    stream: Stream,
    /// None where there are no keys.
    unlock: Option<Unlock>,
    limits: Limits,
    stop: watch::Receiver<()>,
    _session: mpsc::Sender<()>,
}

/// Held as long as the connection is open, with the address by which the peer reached us.
#[derive(Clone)]
struct Peer {
    address: IpAddr,
    local: IpAddr,
    place: Arc<Place>,
}

/// Serves until `shutdown` completes; then tells all clients and returns within a second.
pub async fn serve(
    listener: TcpListener,
    stream: Stream,
    limits: Limits,
    unlock: Option<Unlock>,
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
                Ok((tcp, address)) => {
                    let (Some(place), Ok(local)) = (places.enter(), tcp.local_addr()) else { continue };
                    let (address, local) = (address.ip().to_canonical(), local.ip().to_canonical());
                    let peer = Peer { address, local, place: Arc::new(place) };
                    let (stream, unlock, stop) = (stream.clone(), unlock.clone(), stop.clone());
                    let context = Context { stream, unlock, limits, stop, _session: session.clone() };
                    connections.spawn(connection(tcp, peer, context));
                }
                Err(error) => {
                    tracing::warn!(%error, "foxglove: cannot accept a connection");
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

async fn connection(tcp: TcpStream, peer: Peer, context: Context) {
    let _ = tcp.set_nodelay(true);
    let (timeout, place) = (context.limits.header, Arc::clone(&peer.place));
    let router = Router::new().fallback(any(answer)).layer(Extension(peer)).with_state(context);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeout)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(tcp), TowerToHyperService::new(router))
        .with_upgrades();
    tokio::select! {
        served = served => if let Err(error) = served {
            tracing::debug!(%error, "foxglove: connection ended");
        },
        () = place.gives_way() => tracing::debug!("foxglove: a connection gave way"),
    }
}

async fn answer(
    State(context): State<Context>,
    Extension(peer): Extension<Peer>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    if !called_by_our_address(&headers, peer.local) {
        let refusal = "this server answers to localhost and to its own IP address only\n";
        return (StatusCode::FORBIDDEN, refusal).into_response();
    }
    if context.unlock.is_none() && came_by_a_proxy(&headers) {
        return (StatusCode::FORBIDDEN, NO_PROXY).into_response();
    }
    let Ok(upgrade) = upgrade else {
        let hint = "This is for Foxglove and Lichtblick: open a connection \"Foxglove WebSocket\" to this address.\n";
        return (StatusCode::UPGRADE_REQUIRED, hint).into_response();
    };
    if let Some(unlock) = &context.unlock {
        // The tools can send no header of their own, but any address.
        let pairs = uri.query().unwrap_or_default().split('&');
        let key = pairs.filter_map(|pair| pair.strip_prefix("key=")).next();
        let opened = key.ok_or_else(|| "the address needs a key: ws://HOST:PORT/?key=KEY".to_owned());
        if let Err(why) = opened.and_then(|key| unlock(key, peer.address)) {
            return (StatusCode::UNAUTHORIZED, format!("{why}\n")).into_response();
        }
    }
    let upgrade = upgrade.protocols(PROTOCOLS);
    if upgrade.selected_protocol().is_none() {
        let refusal = format!("the subprotocol is {} or {}\n", PROTOCOLS[0], PROTOCOLS[1]);
        return (StatusCode::BAD_REQUEST, refusal).into_response();
    }
    if !peer.place.asks() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is full\n").into_response();
    }
    upgrade.max_message_size(MAX_MESSAGE_BYTES).max_frame_size(MAX_MESSAGE_BYTES).on_upgrade(
        move |socket| async move {
            // Its place is free again when it ends.
            let _peer = peer;
            session::run(socket, context).await;
        },
    )
}
