//! A page, as the tests play it: a socket, what it sends, what it is told.

use crate::frames::{frame, scenario};
use crate::studio_fake::Fake;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_studio::{Limits, Speed, Status, serve_with};

/// Time limits that a slow machine does not reach while it works.
pub fn patient() -> Limits {
    Limits { header: Duration::from_secs(60), unread: Duration::from_secs(60), ..Limits::default() }
}

pub struct Studio {
    pub address: SocketAddr,
    pub fake: Arc<Fake>,
    pub stop: oneshot::Sender<()>,
    pub served: tokio::task::JoinHandle<()>,
}

pub async fn studio(limits: Limits) -> Studio {
    studio_with(limits, false).await
}

/// A connection that has asked for a WebSocket by hand, for what a client library would not do.
pub async fn asking_for_frames(studio: &Studio) -> TcpStream {
    let mut stream = TcpStream::connect(studio.address).await.unwrap();
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        studio.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

pub async fn studio_with(limits: Limits, is_locked: bool) -> Studio {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let status = Status {
        paused: false,
        speed: Speed::Factor(1.0),
        real_time_factor: 1.0,
        late_ms: 0.0,
        tick: 1,
        oldest: 0,
        newest: 1,
        replay: false,
        recording: false,
        departs: None,
        episode: None,
    };
    let fake = Arc::new(Fake {
        scenario: Arc::new(scenario()),
        frame: Mutex::new(Arc::new(frame(1))),
        status: Mutex::new(status),
        recording: Mutex::default(),
        said: Arc::default(),
        is_locked,
    });
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async move {
        let _ = stopped.await;
    };
    let served = tokio::spawn(serve_with(listener, fake.clone(), limits, shutdown));
    Studio { address, fake, stop, served }
}

/// Sends a request as it is, and returns all that comes until the server closes.
pub async fn raw(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    answer
}

pub async fn get(address: SocketAddr, path: &str, host: &str) -> String {
    raw(address, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).await
}

pub type Page = WebSocketStream<TcpStream>;

pub async fn page(studio: &Studio) -> Page {
    let request = format!("ws://{}/ws", studio.address).into_client_request().unwrap();
    let stream = TcpStream::connect(studio.address).await.unwrap();
    tokio_tungstenite::client_async(request, stream).await.unwrap().0
}

pub async fn send(page: &mut Page, request: Value) {
    page.send(Message::text(request.to_string())).await.unwrap();
}

/// The next JSON message of this type; others are passed over.
pub async fn next_json(page: &mut Page, kind: &str) -> Value {
    loop {
        match page.next().await.expect("the connection is open").unwrap() {
            Message::Text(text) => {
                let value: Value = serde_json::from_str(&text).unwrap();
                if value["type"] == kind {
                    return value;
                }
            }
            Message::Close(close) => panic!("closed while waiting for {kind}: {close:?}"),
            _ => {}
        }
    }
}

/// Whether the server closes, whatever comes before.
pub async fn next_frame_or_close(page: &mut Page) -> bool {
    while next_frame(page).await.is_some() {}
    true
}

/// The next binary message, or `None` if the server closes.
pub async fn next_frame(page: &mut Page) -> Option<Vec<u8>> {
    loop {
        match page.next().await {
            Some(Ok(Message::Binary(bytes))) => return Some(bytes.to_vec()),
            Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return None,
            Some(Ok(_)) => {}
        }
    }
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

pub fn step_of(bytes: &[u8]) -> u64 {
    u64_at(bytes, 8)
}
