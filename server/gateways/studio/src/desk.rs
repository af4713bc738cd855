//! The page of challenges: a desk at which an operator starts what is played, and sees what comes of it. (CH8)
//!
//! There is no world behind it. The page asks for the desk's state, and sends orders; what these are is the [`Desk`]'s word, and of no concern here.
//!
//! # Invariants
//! - Who sits at this machine alone is answered, called by its own address, by no proxy; an order of a page of another site is refused.
//! - Programs that are played sit at this machine too: without a key nothing is told but the page's own files, and nothing is done.
//! - Who does not send what it has announced keeps nobody out: it has so long, and gives way to who comes.
//! - Orders are carried out one after the other, as they come: what one finds is what the one before has left.

use crate::entrance::bearer;
use crate::http::{
    FULL, called_by_our_address, came_by_a_proxy, file_of, made_by_our_page, with_our_headers,
};
use crate::places::{Place, Places};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use touchline_arrivals::Arrivals;
use touchline_gate::Keys;

/// A request's head must be complete after this time.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);
/// And then its body after this one.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest order, bytes.
const MAX_ORDER_BYTES: usize = 2 << 20;
/// Connections at a time. Who comes then takes the place of the one that has waited for nothing for the longest time; where all wait for answers, it is closed at once.
const CONNECTIONS: usize = 64;
/// Connections a second that are let in on average; more wait.
const CONNECTIONS_PER_S: u32 = 500;

/// Where paths begin that need a key.
const LOCKED: &str = "/challenges/";
/// To who shows none, or another one.
const NO_KEY: (StatusCode, &str) = (
    StatusCode::FORBIDDEN,
    "this key opens nothing here, or none was shown: open the address that the program has printed (Authorization: Bearer <key>)\n",
);

/// What the page shows and orders.
pub trait Desk: Send + Sync + 'static {
    /// The state as JSON, with its number; none if it still is the one of the number `known`. Does not block.
    fn state(&self, known: u64) -> Option<String>;
    /// Carries out an order, JSON, and answers it, JSON. May block; the next one waits.
    ///
    /// # Errors
    /// Why not, in words.
    fn order(&self, order: &str) -> Result<String, String>;
    /// Shows what is asked for, JSON, on a page of its own, and answers where, JSON. Changes nothing here, and may block; orders do not wait for it.
    ///
    /// # Errors
    /// Why not, in words.
    fn show(&self, what: &str) -> Result<String, String>;
}

/// Serves the page until `shutdown` completes; any of the keys opens all of it.
pub async fn serve_desk(
    listener: TcpListener,
    desk: Arc<dyn Desk>,
    keys: Keys,
    shutdown: impl Future<Output = ()>,
) {
    let places = Places::new(CONNECTIONS);
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let mut arrivals = Arrivals::new(listener, CONNECTIONS_PER_S);
    let served = Served { desk, keys: Arc::new(keys), orders: Arc::default() };
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = arrivals.next() => match accepted {
                Ok((stream, peer)) => {
                    let (Some(place), Ok(local)) = (places.enter(), stream.local_addr()) else { continue };
                    let ends = Ends { peer, local, place: Arc::new(place) };
                    connections.spawn(connection(stream, ends, served.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "desk: cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    connections.shutdown().await;
}

/// What every connection is given.
#[derive(Clone)]
struct Served {
    desk: Arc<dyn Desk>,
    keys: Arc<Keys>,
    /// Held by the order that is carried out. Who waits for it gets it in the order of coming.
    orders: Arc<Mutex<()>>,
}

/// Both ends of a connection.
#[derive(Clone)]
struct Ends {
    peer: SocketAddr,
    local: SocketAddr,
    /// Held as long as the connection is open.
    place: Arc<Place>,
}

async fn connection(stream: tokio::net::TcpStream, ends: Ends, served: Served) {
    let place = Arc::clone(&ends.place);
    let router = Router::new()
        .route("/challenges/state", get(state))
        .route("/challenges/order", post(order))
        .route("/challenges/show", post(show))
        .fallback(get(page))
        .layer(middleware::from_fn_with_state(served.clone(), guard))
        .layer(Extension(ends))
        .with_state(served);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::select! {
        served = served => if let Err(error) = served {
            tracing::debug!(%error, "desk: connection ended");
        },
        () = place.gives_way() => tracing::debug!("desk: a connection gave way"),
    }
}

async fn guard(
    State(Served { keys, .. }): State<Served>,
    Extension(ends): Extension<Ends>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let is_ours = ends.peer.ip().to_canonical().is_loopback()
        && called_by_our_address(headers, ends.local.ip().to_canonical())
        && !came_by_a_proxy(headers)
        && made_by_our_page(headers);
    if !is_ours {
        let refusal = (StatusCode::FORBIDDEN, "this desk is for who sits at this machine\n");
        return with_our_headers(refusal.into_response());
    }
    let opens = || bearer(headers).is_some_and(|key| keys.find(key).is_some());
    if request.uri().path().starts_with(LOCKED) && !opens() {
        return with_our_headers(NO_KEY.into_response());
    }
    let request = match whole(request).await {
        Ok(request) => request,
        Err(refusal) => return with_our_headers(refusal.into_response()),
    };
    if !ends.place.asks() {
        return with_our_headers(FULL.into_response());
    }
    let response = next.run(request).await;
    ends.place.rests();
    with_our_headers(response)
}

/// With its body, of which all has come. Until then it asks for nothing that keeps it a place.
async fn whole(request: Request) -> Result<Request, (StatusCode, &'static str)> {
    let (head, body) = request.into_parts();
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_ORDER_BYTES)).await {
        Ok(Ok(body)) => Ok(Request::from_parts(head, Body::from(body))),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "an order is not so long\n")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the order has not come\n")),
    }
}

async fn state(State(Served { desk, .. }): State<Served>, uri: Uri) -> Response {
    let known = uri.query().and_then(|query| query.strip_prefix("known=")?.parse().ok()).unwrap_or(0);
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match desk.state(known) {
        Some(state) => (headers, state).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

async fn order(
    State(Served { desk, orders, .. }): State<Served>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    match json_of(&headers, body) {
        Ok(text) => {
            let turn = orders.lock_owned().await;
            // Its turn ends with the order, and not with who waits for the answer: a page may go away before.
            let order = move || {
                let _turn = turn;
                desk.order(&text)
            };
            answered(order).await
        }
        Err(refusal) => refusal,
    }
}

async fn show(State(Served { desk, .. }): State<Served>, headers: HeaderMap, body: Bytes) -> Response {
    match json_of(&headers, body) {
        Ok(text) => answered(move || desk.show(&text)).await,
        Err(refusal) => refusal,
    }
}

/// The text of a body that says to be JSON: a form of another page cannot say so, and asks first.
#[allow(clippy::result_large_err, reason = "it is the answer")]
fn json_of(headers: &HeaderMap, body: Bytes) -> Result<String, Response> {
    let is_json =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == b"application/json");
    String::from_utf8(body.into())
        .ok()
        .filter(|_| is_json)
        .ok_or_else(|| (StatusCode::UNSUPPORTED_MEDIA_TYPE, "an order is application/json\n").into_response())
}

async fn answered(work: impl FnOnce() -> Result<String, String> + Send + 'static) -> Response {
    let answered = tokio::task::spawn_blocking(work).await;
    match answered.unwrap_or_else(|_| Err("the order has failed".into())) {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/json")], answer).into_response(),
        Err(why) => (StatusCode::UNPROCESSABLE_ENTITY, why).into_response(),
    }
}

async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    file_of(if path.is_empty() { "challenges.html" } else { path }, &headers)
}
