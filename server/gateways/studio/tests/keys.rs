//! Where there are keys, a page and a reader of the metrics show one first.

use crate::frames::frame;
use crate::page::*;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use touchline_studio::{Limits, Recording};

/// The connection ends, and nothing of the world comes before.
async fn only_ends(page: &mut Page) {
    while let Some(Ok(message)) = page.next().await {
        let text = message.into_text().unwrap_or_default();
        assert!(!text.contains("hello") && !text.contains("objects") && !text.contains("line"), "{text}");
    }
}

/// Where there are keys a page is told nothing before it has shown one, and then what its role may see.
#[tokio::test]
async fn a_page_is_let_in_by_its_key() {
    let studio = studio_with(patient(), true).await;
    let mut stranger = page(&studio).await;
    let first = stranger.next().await.unwrap().unwrap().into_text().unwrap();
    assert_eq!(first.as_str(), r#"{"type":"key","reason":null}"#);
    for (wrong, why) in [("sesame", "opens nothing"), ("team", "closed to it")] {
        send(&mut stranger, json!({ "key": wrong })).await;
        let again = next_json(&mut stranger, "key").await;
        assert!(again["reason"].as_str().unwrap().contains(why), "{again}");
    }
    send(&mut stranger, json!({ "key": "third" })).await;
    let end = next_json(&mut stranger, "error").await;
    assert!(end["message"].as_str().unwrap().contains("opens nothing"), "{end}");
    only_ends(&mut stranger).await;
    // A line of the board is no key.
    let mut pushy = page(&studio).await;
    pushy.send(Message::Text("WORLD".into())).await.unwrap();
    only_ends(&mut pushy).await;
    assert!(studio.fake.said.lock().unwrap().is_empty(), "nothing has reached the board");
    for (key, sees_past) in [("spectator", false), ("monitor", true), ("referee", true)] {
        let mut page = page(&studio).await;
        send(&mut page, json!({ "key": key })).await;
        assert_eq!(next_json(&mut page, "hello").await["role"], key);
        assert_eq!(next_json(&mut page, "line").await["text"], key);
        assert!(next_frame(&mut page).await.is_some());
        send(&mut page, json!({ "look": 0 })).await;
        assert_eq!(next_json(&mut page, "looking").await["tick"].is_u64(), sees_past, "{key}");
    }
}

/// C9: as many pages without a key as there are places keep nobody out who has one; who is in stays, and who waits for its key is let in.
#[tokio::test]
async fn pages_without_a_key_give_way() {
    let studio = studio_with(Limits { connections: 3, ..patient() }, true).await;
    let mut operator = page(&studio).await;
    send(&mut operator, json!({ "key": "operator" })).await;
    next_json(&mut operator, "hello").await;
    let mut silent = Vec::new();
    for _ in 0..4 {
        let mut page = page(&studio).await;
        next_json(&mut page, "key").await;
        silent.push(page);
    }
    for gone in &mut silent[..2] {
        let end = loop {
            if let Message::Close(end) = gone.next().await.unwrap().unwrap() {
                break end.unwrap();
            }
        };
        assert_eq!(u16::from(end.code), 1001);
        assert!(end.reason.contains("full"), "{end:?}");
    }
    let mut late = silent.pop().unwrap();
    send(&mut late, json!({ "key": "monitor" })).await;
    next_json(&mut late, "hello").await;
    // Both who are in keep their places, whoever comes.
    for _ in 0..3 {
        assert!(get(studio.address, "/", "localhost").await.starts_with("HTTP/1.1 200"));
    }
    studio.fake.publish(&frame(7));
    for page in [&mut operator, &mut late] {
        while step_of(&next_frame(page).await.expect("who is in stays")) != 7 {}
    }
}

/// C9: an audience, or one of it with many pages, shuts out nobody who commands.
#[tokio::test]
async fn who_only_looks_on_leaves_places_for_those_who_command() {
    let studio = studio_with(Limits { connections: 4, ..patient() }, true).await;
    let let_in = async |key: &str| {
        let mut page = page(&studio).await;
        send(&mut page, json!({ "key": key })).await;
        next_json(&mut page, "hello").await;
        page
    };
    let mut audience = Vec::new();
    for key in ["spectator", "monitor", "spectator"] {
        audience.push(let_in(key).await);
    }
    let mut fourth = page(&studio).await;
    send(&mut fourth, json!({ "key": "spectator" })).await;
    let end = loop {
        if let Message::Close(end) = fourth.next().await.unwrap().unwrap() {
            break end.unwrap();
        }
    };
    assert!(end.reason.contains("kept for those who command"), "{end:?}");
    let referee = let_in("referee").await;
    drop((referee, audience.pop()));
    // Whoever goes leaves his place.
    let_in("spectator").await;
}

/// I6: where on the server's machine a recording is, its failure says too.
#[tokio::test]
async fn who_only_looks_on_is_told_no_path() {
    let studio = studio_with(patient(), true).await;
    let failure = Some("/srv/match.mcap: no space left on device".into());
    *studio.fake.recording.lock().unwrap() = Recording { file: None, failure };
    for (key, wanted) in [("spectator", "it failed"), ("monitor", "it failed"), ("operator", "/srv/match")] {
        let mut page = page(&studio).await;
        send(&mut page, json!({ "key": key })).await;
        let told = next_json(&mut page, "recording").await;
        assert!(told["failure"].as_str().unwrap().starts_with(wanted), "{key}: {told}");
    }
}

/// What is measured is for those who see all.
#[tokio::test]
async fn metrics_need_a_key_where_there_are_keys() {
    let studio = studio_with(patient(), true).await;
    let ask = async |header: &str| {
        let request =
            format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n");
        raw(studio.address, &request).await
    };
    assert!(ask("").await.starts_with("HTTP/1.1 401"));
    assert!(ask("Authorization: Bearer nonsense\r\n").await.starts_with("HTTP/1.1 401"));
    assert!(ask("Authorization: Bearer spectator\r\n").await.starts_with("HTTP/1.1 401"));
    assert!(ask("Authorization: Bearer monitor\r\n").await.contains("touchline_studio_pages"));
}
