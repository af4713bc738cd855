//! Who watches live and does not keep up: over a real socket, with Frames made by hand. [I3]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_foxglove::{Limits, serve};
use touchline_record::{Header, Stream};

type Watcher = WebSocketStream<TcpStream>;

/// A stream whose robot publishes so much that nobody's buffers hold many of its messages.
struct Loud(Stream);

impl Loud {
    fn new() -> Self {
        Self(Stream::new(Header::new(crate::frames::scenario(), &[], String::new())))
    }

    fn tell(&self, tick: u64) {
        let mut frame = crate::frames::frame(tick);
        let thought = format!("\"{tick} {}\"", "x".repeat(1 << 20));
        frame.robots[0].annotations = Arc::new(BTreeMap::from([("thought".into(), thought)]));
        self.0.tell_frame(tick, frame);
    }
}

async fn service(stream: &Stream, limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, stream.clone(), limits, None, std::future::pending()));
    address
}

async fn connect(address: SocketAddr) -> Result<Watcher, tokio_tungstenite::tungstenite::Error> {
    let mut request = format!("ws://{address}").into_client_request()?;
    request.headers_mut().insert("Sec-WebSocket-Protocol", "foxglove.sdk.v1".parse().unwrap());
    let stream = TcpStream::connect(address).await?;
    Ok(tokio_tungstenite::client_async(request, stream).await?.0)
}

/// Subscribes to the state as 1 and to annotations as 2.
async fn subscribe(watcher: &mut Watcher) {
    let advertised = loop {
        let Message::Text(text) = watcher.next().await.unwrap().unwrap() else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message["op"] == "advertise" {
            break message;
        }
    };
    let id = |topic: &str| {
        let channels = advertised["channels"].as_array().unwrap();
        channels.iter().find(|channel| channel["topic"] == topic).unwrap()["id"].clone()
    };
    let subscriptions = json!([
        { "id": 1, "channelId": id("/touchline/state") },
        { "id": 2, "channelId": id("/touchline/annotations") },
    ]);
    let request = json!({ "op": "subscribe", "subscriptions": subscriptions });
    watcher.send(Message::text(request.to_string())).await.unwrap();
}

/// The tick of a state message.
fn tick(message: &Message) -> Option<u64> {
    let Message::Binary(bytes) = message else { return None };
    (bytes[..5] == [1, 1, 0, 0, 0]).then(|| {
        let state: Value = serde_json::from_slice(&bytes[13..]).unwrap();
        state["tick"].as_u64().unwrap()
    })
}

/// Who stops reading for a while misses what was, is told so, and goes on with what is true now.
#[tokio::test(flavor = "multi_thread")]
async fn the_newest_wins() {
    let loud = Loud::new();
    loud.tell(0);
    let limits = Limits { unread: Duration::from_secs(3600), ..Limits::default() };
    let address = service(&loud.0, limits).await;
    let mut watcher = connect(address).await.unwrap();
    subscribe(&mut watcher).await;
    let mut seen = Vec::new();
    while seen.is_empty() {
        seen.extend(tick(&watcher.next().await.unwrap().unwrap()));
    }
    // The queue has a place for each of 64 of these, and the sockets for a few more.
    (1..=300).for_each(|tick| loud.tell(tick));
    let mut was_told = false;
    while seen.last() != Some(&300) {
        let message = watcher.next().await.unwrap().unwrap();
        seen.extend(tick(&message));
        was_told |= matches!(&message, Message::Text(text) if text.contains("too slow"));
    }
    assert!(was_told && seen.is_sorted() && seen.len() < 250, "{was_told} {seen:?}");
}

/// Who never reads is let go, and his place is free for another.
#[tokio::test(flavor = "multi_thread")]
async fn who_never_reads_is_disconnected() {
    let loud = Loud::new();
    loud.tell(0);
    let limits = Limits { unread: Duration::from_millis(50), connections: 1, ..Limits::default() };
    let address = service(&loud.0, limits).await;
    let mut silent = connect(address).await.unwrap();
    subscribe(&mut silent).await;
    // There is one place: another gets in as soon as the first is out.
    // What he is sent then would have to be read within the same timeout, which a busy machine does not promise.
    let mut ticks = 1..;
    loop {
        loud.tell(ticks.next().unwrap());
        if connect(address).await.is_ok() {
            break;
        }
    }
    drop(silent);
}

/// C9: who connects and says nothing gives way, first come first, to who comes; who watches stays.
#[tokio::test(flavor = "multi_thread")]
async fn who_says_nothing_gives_way() {
    let loud = Loud::new();
    loud.tell(0);
    let limits = Limits { header: Duration::from_secs(3600), connections: 3, ..Limits::default() };
    let address = service(&loud.0, limits).await;
    let mut watcher = connect(address).await.unwrap();
    let mut silent = Vec::new();
    for _ in 0..5 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let second = connect(address).await.unwrap();
    let end = tokio::io::AsyncReadExt::read(&mut silent[0], &mut [0; 1]).await;
    assert!(!matches!(end, Ok(1..)), "nothing is said to it");
    subscribe(&mut watcher).await;
    while tick(&watcher.next().await.unwrap().unwrap()).is_none() {}
    drop((second, silent));
}
