//! One HTTP connection: the page's files, and the door to the WebSocket.
//!
//! `axum::serve` has no time limit for a request's head, so hyper's own builder is used.

use crate::entrance::check_bearer;
use crate::{Context, Peer, download, session};
use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Request, State, WebSocketUpgrade};
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use hyper::body::Body as _;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rust_embed::RustEmbed;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::net::TcpStream;
use touchline_gate::Verb;

/// The page. A debug build reads the files from the source folder, so that a reload shows a change.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// A page loads nothing from elsewhere, runs no script but its own files, and is shown in no frame.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; object-src 'none'";

/// The name of Prometheus' text format.
const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The longest head of a request, bytes: browsers may send cookies that others on this machine have set.
const MAX_HEAD_BYTES: usize = 65_536;

/// The longest message that a page may send, bytes.
const MAX_MESSAGE_BYTES: usize = 4096;

pub(crate) async fn connection(stream: TcpStream, peer: Peer, context: Context) {
    let _ = stream.set_nodelay(true);
    let (timeout, place) = (context.limits.header, Arc::clone(&peer.place));
    let router = Router::new()
        .route("/ws", any(websocket))
        .route("/metrics", get(metrics))
        .route("/recordings/{name}", get(download::recording))
        .fallback(get(file))
        .layer(middleware::from_fn_with_state(context.clone(), guard))
        .layer(Extension(peer))
        .with_state(context);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeout)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    tokio::select! {
        served = served => if let Err(error) = served {
            tracing::debug!(%error, "studio: connection ended");
        },
        () = place.gives_way() => tracing::debug!("studio: a connection gave way"),
    }
}

/// Answers only those who called this server by its address, so that no name that somebody else points here
/// (DNS rebinding) makes a foreign page ours.
async fn guard(
    State(context): State<Context>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if !peer.place.asks() {
        return with_our_headers(FULL.into_response());
    }
    let refusal = if !called_by_our_address(request.headers(), peer.local) {
        Some("this server answers to localhost and to its own IP address only\n")
    } else if !context.source.is_locked() && came_by_a_proxy(request.headers()) {
        Some(NO_PROXY)
    } else {
        None
    };
    let response = match refusal {
        Some(refusal) => (StatusCode::FORBIDDEN, refusal).into_response(),
        None => next.run(request).await,
    };
    // Not a page, which sees to that itself, nor a download, which goes on.
    if response.status() != StatusCode::SWITCHING_PROTOCOLS && response.body().size_hint().exact().is_some() {
        peer.place.rests();
    }
    with_our_headers(response)
}

/// To who has asked when its place was just given away.
pub(crate) const FULL: (StatusCode, &str) =
    (StatusCode::SERVICE_UNAVAILABLE, "the server is full, and this connection had asked for nothing\n");

/// With what a browser is told of every answer.
pub(crate) fn with_our_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether the request names this server by its address: the one that it came in on, or one of this machine alone.
pub fn called_by_our_address(headers: &HeaderMap, local: IpAddr) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let Some(authority) = host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()) else {
        return false;
    };
    let name = authority.host();
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address
            .parse::<IpAddr>()
            .is_ok_and(|ip| ip.to_canonical().is_loopback() || ip.to_canonical() == local)
}

/// What is answered to a request that came by a proxy where there are no keys: by its address all the world would sit at this machine.
pub const NO_PROXY: &str =
    "this request came by a proxy, and the server has no keys to tell who sent it: start it with --keys\n";

/// Headers by which proxies say for whom they pass a request on, beside all whose names begin with `x-forwarded`.
const OF_PROXIES: [&str; 19] = [
    "ali-cdn-real-ip",
    "cdn-loop",
    "cf-connecting-ip",
    "cf-connecting-ipv6",
    "cf-ray",
    "client-ip",
    "fastly-client-ip",
    "fly-client-ip",
    "forwarded",
    "forwarded-for",
    "true-client-ip",
    "via",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-envoy-external-address",
    "x-original-forwarded-for",
    "x-original-host",
    "x-proxyuser-ip",
    "x-real-ip",
];

/// Whether a proxy says that it passes the request on for somebody else. One that says nothing is not known from who sits at this machine.
pub fn came_by_a_proxy(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with("x-forwarded") || OF_PROXIES.contains(&name.as_str()))
}

/// Whether the request was made by our own page, or by no page at all.
pub(crate) fn made_by_our_page(headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    if origins.next().is_some() {
        return false;
    }
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    let origin = origin.as_bytes();
    origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://")) == host
}

async fn websocket(
    State(context): State<Context>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !made_by_our_page(&headers) {
        return (StatusCode::FORBIDDEN, "this page belongs to another site\n").into_response();
    }
    upgrade
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(move |socket| session::run(socket, peer, context))
}

/// What is measured of the server, for Prometheus.
async fn metrics(
    State(context): State<Context>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    if let Err(why) = check_bearer(&*context.source, &headers, &peer, Verb::Sense) {
        let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, challenge, format!("{why}\n")).into_response();
    }
    let pages = context.pages.load(Ordering::Relaxed);
    let Some(text) = context.source.metrics(pages) else {
        return (StatusCode::NOT_FOUND, "nothing is measured here\n").into_response();
    };
    ([(header::CONTENT_TYPE, METRICS_TYPE), (header::CACHE_CONTROL, "no-store")], text).into_response()
}

async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    file_of(if path.is_empty() { "index.html" } else { path }, &headers)
}

/// A file of the page, or that the browser has it already.
pub(crate) fn file_of(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Page::get(path) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let hash: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let (status, body) = match known {
        true => (StatusCode::NOT_MODIFIED, Body::empty()),
        false => (StatusCode::OK, Body::from(file.data.into_owned())),
    };
    let caching = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
    (status, caching, [(header::CONTENT_TYPE, file.metadata.mimetype())], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_our_own_address_is_answered() {
        let local: IpAddr = [192, 168, 1, 5].into();
        for (host, answered) in [
            ("localhost:7051", true),
            ("127.0.0.1:7051", true),
            ("[::1]:7051", true),
            ("192.168.1.5:7051", true),
            ("192.168.1.5", true),
            ("192.168.1.6:7051", false),
            ("evil.example:7051", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            assert_eq!(called_by_our_address(&headers(&[(header::HOST, host)]), local), answered, "{host}");
        }
        assert!(!called_by_our_address(&HeaderMap::new(), local));
    }

    #[test]
    fn proxies_are_known_by_what_they_add() {
        let by = |name| {
            came_by_a_proxy(&headers(&[(header::HOST, "localhost"), (HeaderName::from_static(name), "1")]))
        };
        for name in OF_PROXIES {
            assert!(by(name), "{name}");
        }
        for name in
            ["x-forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"]
        {
            assert!(by(name), "{name}");
        }
        assert!(!by("accept") && !by("upgrade") && !by("origin"));
    }

    #[test]
    fn only_our_own_page_may_connect() {
        let host = (header::HOST, "127.0.0.1:7051");
        for (origin, may) in [
            ("http://127.0.0.1:7051", true),
            ("http://127.0.0.1:7052", false),
            ("http://evil.example", false),
            ("null", false),
            ("127.0.0.1:7051", false),
        ] {
            let headers = headers(&[host.clone(), (header::ORIGIN, origin)]);
            assert_eq!(made_by_our_page(&headers), may, "{origin}");
        }
        let both = [("origin", "http://127.0.0.1:7051"), ("origin", "http://evil.example")];
        let mut two = headers(std::slice::from_ref(&host));
        for (name, value) in both {
            two.append(name, HeaderValue::from_static(value));
        }
        assert!(!made_by_our_page(&two), "one of two origins is ours");
        assert!(made_by_our_page(&headers(&[host])));
    }
}
