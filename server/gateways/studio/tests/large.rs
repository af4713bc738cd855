//! What is too large is refused as soon as it is known to be, and not when it has come. (C1)

use crate::page::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// No more of a head is kept than a head may have.
#[tokio::test]
async fn a_head_that_does_not_end_is_refused() {
    let studio = studio(patient()).await;
    let mut stream = TcpStream::connect(studio.address).await.unwrap();
    let line = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: ", studio.address);
    // As much as may be kept and no more: of what nobody reads the system would tell in place of the answer.
    let head = line.clone() + &"x".repeat(65_536 - line.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

/// A message's length stands before it.
#[tokio::test]
async fn a_message_that_is_too_long_is_not_waited_for() {
    let studio = studio(patient()).await;
    let mut stream = asking_for_frames(&studio).await;
    // A text of 8 MB, of which nothing comes.
    let length = (8_u64 << 20).to_be_bytes();
    stream.write_all(&[&[0x81, 0x80 | 127][..], &length, &[0; 4]].concat()).await.unwrap();
    let mut told = Vec::new();
    let _ = stream.read_to_end(&mut told).await;
    assert!(told.starts_with(b"HTTP/1.1 101 "), "{}", told.escape_ascii());
}
