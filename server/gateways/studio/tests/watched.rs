//! A world that somebody steps and others watch, over real sockets.

use crate::frames::{after, frame, scenario};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_gate::{Keys, Pass, Role, digest};
use touchline_studio::Watched;

fn watched() -> Watched {
    Watched::open(TcpListener::bind("127.0.0.1:0").unwrap(), scenario(), frame(1), 0).unwrap()
}

fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

type Page = WebSocketStream<tokio::net::TcpStream>;

async fn page(address: SocketAddr) -> Page {
    let request = format!("ws://{address}/ws").into_client_request().unwrap();
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    tokio_tungstenite::client_async(request, stream).await.unwrap().0
}

/// The next JSON message of this type for which that holds; all others are passed over.
async fn next_json(page: &mut Page, kind: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
    loop {
        let Message::Text(text) = page.next().await.expect("the connection is open").unwrap() else {
            continue;
        };
        let value: Value = serde_json::from_str(&text).unwrap();
        if value["type"] == kind && is_meant(&value) {
            return value;
        }
    }
}

/// The step of the next Frame, which is acknowledged.
async fn next_step(page: &mut Page) -> u64 {
    loop {
        if let Message::Binary(bytes) = page.next().await.expect("the connection is open").unwrap() {
            let sequence = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
            page.send(Message::text(format!("{{\"ack\":{sequence}}}"))).await.unwrap();
            return u64::from_le_bytes(bytes[8..16].try_into().unwrap());
        }
    }
}

/// Who opens the page sees the world that somebody steps, and that there is nothing to command.
#[tokio::test]
async fn a_page_is_shown_what_somebody_steps() {
    let mut world = watched();
    let address = world.address();
    assert!(address.ip().is_loopback());
    let html = tokio::task::spawn_blocking(move || get(address, "/")).await.unwrap();
    assert!(html.starts_with("HTTP/1.1 200") && html.contains("<canvas"), "{html}");
    let metrics = tokio::task::spawn_blocking(move || get(address, "/metrics")).await.unwrap();
    assert!(metrics.starts_with("HTTP/1.1 404"), "{metrics}");

    assert!(!world.is_seen());
    let mut page = page(address).await;
    let hello = next_json(&mut page, "hello", |_| true).await;
    assert_eq!((&hello["board"], &hello["role"]), (&false.into(), &"monitor".into()), "{hello}");
    assert_eq!(next_step(&mut page).await, 1);
    let second = after(&frame(1));
    world.show(second.clone(), 3, Duration::ZERO);
    assert_eq!(next_step(&mut page).await, 2);
    assert!(world.is_seen());
    world.call_it("magma, run 2");
    let caption = next_json(&mut page, "caption", |_| true).await;
    assert_eq!(caption["text"], "magma, run 2");
    let status = next_json(&mut page, "status", |status| status["episode"] == 3).await;
    assert_eq!((&status["tick"], &status["oldest"], &status["newest"]), (&1.into(), &1.into(), &1.into()));
    // The first step of another episode.
    world.show(touchline_sim::Frame { revision: 9, ..frame(0) }, 4, Duration::ZERO);
    assert_eq!(next_step(&mut page).await, 0);
    drop(page);
    while world.is_seen() {
        tokio::task::yield_now().await;
    }
}

/// What the page would tell the message board is told to nobody.
#[tokio::test]
async fn there_is_nobody_to_command() {
    let world = watched();
    let mut page = page(world.address()).await;
    page.send(Message::text(r#"{"look":0}"#)).await.unwrap();
    let refused = next_json(&mut page, "looking", |_| true).await;
    assert!(refused["reason"].as_str().unwrap().contains("keeps nothing of its past"), "{refused}");
    page.send(Message::text("PAUSE")).await.unwrap();
    let error = next_json(&mut page, "error", |_| true).await;
    assert!(error["message"].as_str().unwrap().contains("no message board"), "{error}");
}

/// A world that is shown to who has a key: others are told nothing of it, and do not count as lookers.
#[tokio::test]
async fn a_locked_world_is_shown_to_who_has_its_key() {
    let key = "the-key-of-the-world-that-is-shown";
    let keys = Keys::new([(digest(key), Pass::at_desk(Role::Monitor))]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let world = Watched::open_to(keys, listener, scenario(), frame(1), 0).unwrap();
    let mut stranger = page(world.address()).await;
    let mut wrong = page(world.address()).await;
    for page in [&mut stranger, &mut wrong] {
        let first = page.next().await.unwrap().unwrap().into_text().unwrap();
        assert_eq!(first.as_str(), r#"{"type":"key","reason":null}"#);
    }
    wrong.send(Message::text(r#"{"key":"another-key-of-thirty-two-letters"}"#)).await.unwrap();
    let refused = wrong.next().await.unwrap().unwrap().into_text().unwrap();
    assert_eq!(refused.as_str(), r#"{"type":"key","reason":"this key opens nothing here"}"#);
    assert!(!world.is_seen(), "nobody was let in");
    let mut owner = page(world.address()).await;
    owner.send(Message::text(format!("{{\"key\":\"{key}\"}}"))).await.unwrap();
    let hello = next_json(&mut owner, "hello", |_| true).await;
    assert_eq!((&hello["board"], &hello["role"]), (&false.into(), &"monitor".into()), "{hello}");
    assert_eq!(next_step(&mut owner).await, 1);
    assert!(world.is_seen());
    drop(owner);
    while world.is_seen() {
        tokio::task::yield_now().await;
    }
}

/// I3: a page that reads nothing holds nobody up: not who steps, not another page, not the end.
#[tokio::test]
async fn a_stalled_page_holds_nobody_up() {
    let mut world = watched();
    let address = world.address();
    let stalled = page(address).await;
    let mut other = page(address).await;
    assert_eq!(next_step(&mut other).await, 1);
    let mut now = frame(1);
    // Eight megabytes, which no buffer of a connection takes: were anybody to wait for it, this would not end.
    let thought = format!("\"{}\"", "x".repeat(8 << 20));
    for number in 0..20 {
        now = after(&now);
        let thoughts = [("thought".to_owned(), format!("[{number},{thought}]"))];
        now.robots[0].annotations = std::sync::Arc::new(thoughts.into_iter().collect());
        world.show(now.clone(), 0, Duration::ZERO);
    }
    while next_step(&mut other).await < now.step {}
    tokio::task::spawn_blocking(move || drop(world)).await.unwrap();
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
    drop(stalled);
}

/// What the referee publishes of the world is shown by a number that no object has, and so is that it is gone.
#[tokio::test]
async fn a_page_is_told_what_is_published_of_the_world() {
    let mut world = watched();
    let mut page = page(world.address()).await;
    let mut now = after(&frame(1));
    let zone = ("zone".to_owned(), "{\"circle\": [0, 0], \"radius_m\": 2}".to_owned());
    now.annotations = std::sync::Arc::new([zone].into());
    world.show(now.clone(), 0, Duration::ZERO);
    let told = next_json(&mut page, "annotations", |_| true).await;
    assert_eq!((&told["id"], &told["values"]["zone"]["radius_m"]), (&u32::MAX.into(), &2.into()));
    now = after(&now);
    now.annotations = Default::default();
    world.show(now, 0, Duration::ZERO);
    let told = next_json(&mut page, "annotations", |_| true).await;
    assert_eq!(told, serde_json::json!({ "type": "annotations", "id": u32::MAX, "values": {} }));
}

/// The port is free again, also while pages were connected.
#[tokio::test]
async fn the_end_frees_the_port() {
    let world = watched();
    let address = world.address();
    let mut page = page(address).await;
    assert_eq!(next_step(&mut page).await, 1);
    tokio::task::spawn_blocking(move || drop(world)).await.unwrap();
    while let Some(Ok(message)) = page.next().await {
        if let Message::Close(Some(close)) = message {
            assert_eq!(close.reason, "the server stops");
        }
    }
    drop(page);
    let again = TcpListener::bind(address).unwrap();
    drop(Watched::open(again, scenario(), frame(1), 0).unwrap());
}

/// Steps take the time that they would take in the world, and no more frames than are due are shown.
#[test]
fn showing_waits_for_real_time() {
    let mut world = watched();
    let began = std::time::Instant::now();
    let mut now = frame(1);
    for _ in 0..=10 {
        now = after(&now);
        world.show(now.clone(), 0, Duration::from_millis(10));
    }
    assert!(began.elapsed() >= Duration::from_millis(100), "{:?}", began.elapsed());
}
