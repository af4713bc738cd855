//! `GET /metrics` of the built server: the text that Prometheus reads.

use crate::client::Client;
use crate::program::Server;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

/// What a server answers to a request for its metrics, as head and body.
fn get(server: &Server, host: &str) -> (String, String) {
    let mut stream = TcpStream::connect(server.studio().expect("a studio")).expect("a connection");
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

/// All values by name and labels, of a text that keeps the rules of the format.
pub fn metrics(server: &Server) -> BTreeMap<String, f64> {
    let (head, body) = get(server, "localhost");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.to_lowercase().contains("content-type: text/plain; version=0.0.4"), "{head}");
    parse(&body)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Reads the text line by line; every family has its head once, before its values, and no value comes twice.
fn parse(text: &str) -> BTreeMap<String, f64> {
    assert!(text.ends_with('\n'), "the last line ends too");
    let mut values = BTreeMap::new();
    let mut helped = String::new();
    let mut family = (String::new(), String::new());
    let mut seen: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, words) = help.split_once(' ').expect("a name and its help");
            assert!(is_name(name) && !words.is_empty(), "{line}");
            helped = name.to_owned();
            continue;
        }
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a name and its type");
            assert_eq!(name, helped, "the help stands before");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert!(!seen.iter().any(|other| other == name), "twice: {line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            seen.push(name.to_owned());
            family = (name.to_owned(), kind.to_owned());
            continue;
        }
        let (key, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no value: {line}"));
        let (name, labels) = key.split_once('{').unwrap_or((key, "}"));
        let belongs = match family.1.as_str() {
            "histogram" => {
                ["_bucket", "_sum", "_count"].iter().any(|end| name == format!("{}{end}", family.0))
            }
            _ => name == family.0,
        };
        assert!(is_name(name) && belongs, "{line} in {family:?}");
        let labels = labels.strip_suffix('}').unwrap_or_else(|| panic!("{line}"));
        for label in labels.split(',').filter(|label| !label.is_empty()) {
            let (name, value) = label.split_once('=').unwrap_or_else(|| panic!("{line}"));
            let inside = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            assert!(is_name(name) && inside.is_some_and(|inside| !inside.contains('"')), "{line}");
        }
        let value: f64 = value.parse().unwrap_or_else(|_| panic!("no number: {line}"));
        assert!(value.is_finite() && value >= 0.0, "{line}");
        assert!(values.insert(key.to_owned(), value).is_none(), "twice: {line}");
    }
    values
}

/// Numbers move when the world steps, when clients come and go, and when a recording begins.
#[test]
fn numbers_follow_the_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let recordings = folder.path().display().to_string();
    let server = Server::start("worlds/f2000.toml", &["--speed", "lockstep", "--recordings", &recordings]);
    let before = metrics(&server);
    assert_eq!((before["touchline_steps_total"], before["touchline_robots"]), (0.0, 8.0));
    assert_eq!((before["touchline_board_clients"], before["touchline_recording"]), (0.0, 0.0));

    let mut desk = Client::operator(&server);
    desk.ok("STEP 5000");
    desk.ok("RECORD start match");
    let after = metrics(&server);
    assert_eq!(after["touchline_steps_total"], 5000.0);
    assert_eq!(after["touchline_step_seconds_count"], 5000.0);
    assert_eq!(after["touchline_step_seconds_bucket{le=\"+Inf\"}"], 5000.0);
    assert!(after["touchline_step_seconds_sum"] > 0.0);
    assert!(after["touchline_frames_published_total"] > before["touchline_frames_published_total"]);
    assert_eq!((after["touchline_board_clients"], after["touchline_recording"]), (1.0, 1.0));
    assert_eq!((after["touchline_requests_waiting"], after["touchline_requests_refused_total"]), (0.0, 0.0));
    assert_eq!(after["touchline_timed_steps_total"], 0.0, "lockstep has no real time to be late for");

    // Each count of a histogram has all below it.
    let mut bounds: Vec<(f64, f64)> = Vec::new();
    for (key, &count) in &after {
        let bound = key.strip_prefix("touchline_step_seconds_bucket{le=\"");
        if let Some(bound) = bound.and_then(|bound| bound.strip_suffix("\"}")) {
            bounds.push((bound.replace('+', "").parse().expect("a bound"), count));
        }
    }
    bounds.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    assert!(bounds.len() > 5 && bounds.is_sorted_by(|a, b| a.1 <= b.1), "{bounds:?}");

    // Each step calls the motion model of each robot; some calls are timed.
    let motion = |name: &str| -> f64 {
        let of_motion = format!("{name}{{kind=\"motion\"");
        after.iter().filter(|(key, _)| key.starts_with(&of_motion)).map(|(_, value)| value).sum()
    };
    let calls = motion("touchline_plugin_calls_total");
    assert!((20_000.0..80_000.0).contains(&calls), "about 8 × 5000, estimated: {after:?}");
    assert!(motion("touchline_plugin_seconds_total") > 0.0);
}

/// A page counts as long as it is there.
#[test]
fn pages_are_counted() {
    let server = Server::start("worlds/empty.toml", &[]);
    let pages = || metrics(&server)["touchline_studio_pages"];
    assert_eq!(pages(), 0.0);
    let mut page = TcpStream::connect(server.studio().expect("a studio")).expect("a connection");
    write!(
        page,
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    .expect("sent");
    // Its first message is begun only by a session that counts.
    let mut heard = Vec::new();
    while !heard.windows(7).any(|part| part == b"\"hello\"") {
        let mut some = [0; 256];
        let len = page.read(&mut some).expect("a message");
        assert!(len > 0, "closed: {}", String::from_utf8_lossy(&heard));
        heard.extend_from_slice(&some[..len]);
    }
    assert_eq!(pages(), 1.0);
    drop(page);
    while pages() > 0.0 {}
}

/// Somebody else's page cannot read it under another name, and no other method does anything.
#[test]
fn the_name_is_checked() {
    let server = Server::start("worlds/empty.toml", &[]);
    let (head, body) = get(&server, "evil.example");
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    assert!(!body.contains("touchline_"), "{body}");
}
