//! Pages that read slowly, or not at all: they lose frames, and nobody waits for them. [I3]

use crate::frames::{after, frame};
use crate::page::*;
use crate::studio_fake::flood_line;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use touchline_sim::Frame;
use touchline_studio::{Limits, Source};

/// I3
#[tokio::test]
async fn a_page_that_does_not_read_loses_frames_and_then_the_connection() {
    let studio = studio(Limits { unread_frames: 3, unread: Duration::from_millis(200), ..patient() }).await;
    let mut page = page(&studio).await;
    let mut shown = 0;
    while next_frame(&mut page).await.is_some() {
        shown += 1;
        studio.fake.publish(&after(&studio.fake.frame()));
    }
    assert_eq!(shown, 3);
}

/// I3: over a slow link the board's lines do not stand before the frames: no more of them are on their way than is allowed, and
/// they go on when the page has answered for them.
#[tokio::test]
async fn the_boards_lines_leave_room_for_frames() {
    let limits = Limits { unread_bytes: 10_000, ..patient() };
    let studio = studio(limits).await;
    // By hand: a client library would answer each ping at once.
    let mut stream = asking_for_frames(&studio).await;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let masked =
        |opcode: u8, body: &[u8]| [&[0x80 | opcode, 0x80 | body.len() as u8, 0, 0, 0, 0], body].concat();
    stream.write_all(&masked(1, b"FLOOD")).await.unwrap();
    let (mut lines, mut ping) = (0, Vec::new());
    for step in 2..6 {
        let before = lines;
        let mut is_published = false;
        loop {
            let (opcode, body) = next_ws_frame(&mut stream).await;
            match opcode {
                1 if body.starts_with(br#"{"type":"line","text":"flood"#) => {
                    let line: Value = serde_json::from_slice(&body).unwrap();
                    assert_eq!(
                        format!("{}\n", line["text"].as_str().unwrap()),
                        flood_line(lines),
                        "in order"
                    );
                    lines += 1;
                }
                2 if step_of(&body) == step => break,
                9 => ping = body,
                _ => {}
            }
            // Most of what is allowed has come: a frame comes all the same, and soon.
            if !is_published && (lines - before) * flood_line(0).len() as u64 > 7_000 {
                is_published = true;
                studio.fake.publish(&Frame { step, revision: step, ..frame(1) });
            }
        }
        let bytes = (lines - before) * flood_line(0).len() as u64;
        assert!(bytes < 11_000, "{bytes} bytes came without an answer");
        stream.write_all(&masked(10, &ping)).await.unwrap();
    }
}

/// The next frame of a WebSocket: its opcode and what is in it.
async fn next_ws_frame(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let opcode = stream.read_u8().await.unwrap() & 0x0f;
    let len = match stream.read_u8().await.unwrap() {
        126 => u64::from(stream.read_u16().await.unwrap()),
        127 => stream.read_u64().await.unwrap(),
        len => u64::from(len),
    };
    let mut body = vec![0; len as usize];
    stream.read_exact(&mut body).await.unwrap();
    (opcode, body)
}

/// I3
#[tokio::test]
async fn a_slow_page_goes_on_with_the_newest_frame() {
    let studio = studio(Limits { unread_frames: 1, ..patient() }).await;
    let mut page = page(&studio).await;
    assert_eq!(step_of(&next_frame(&mut page).await.unwrap()), 1);
    for _ in 0..50 {
        studio.fake.publish(&after(&studio.fake.frame()));
    }
    send(&mut page, json!({"ack": 1})).await;
    assert_eq!(step_of(&next_frame(&mut page).await.unwrap()), 51);
}
