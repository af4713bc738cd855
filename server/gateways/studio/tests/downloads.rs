//! Recordings by their names, over HTTP.

use crate::page::{patient, raw, studio_with};
use std::net::SocketAddr;

async fn ask(address: SocketAddr, path: &str, header: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n");
    raw(address, &request).await
}

/// A recording is for who may make some, and no other file can be had by its name.
#[tokio::test]
async fn recordings_are_downloaded_by_operators() {
    let file = include_str!("../page/main.js");
    let desk = studio_with(patient(), false).await;
    let answer = ask(desk.address, "/recordings/match.mcap", "").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with(file), "{} bytes", answer.len());
    for path in ["/recordings/other.mcap", "/recordings/..%2FCargo.toml", "/recordings/%2Fetc%2Fpasswd"] {
        assert!(ask(desk.address, path, "").await.starts_with("HTTP/1.1 404"), "{path}");
    }
    let locked = studio_with(patient(), true).await;
    for header in ["", "Authorization: Bearer nonsense\r\n", "Authorization: Bearer monitor\r\n"] {
        let answer = ask(locked.address, "/recordings/match.mcap", header).await;
        assert!(answer.starts_with("HTTP/1.1 403") && !answer.contains("import"), "{header}");
    }
    let answer = ask(locked.address, "/recordings/match.mcap", "Authorization: Bearer operator\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with(file));
}
