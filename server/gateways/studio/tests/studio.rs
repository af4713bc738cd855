//! The studio service over a real socket, with Frames made by hand.

use crate::frames::{after, frame, scenario};
use crate::studio_fake::{Fake, flood_line};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_sim::{Event, EventKind, Frame};
use touchline_studio::{Limits, Recording, Source, Speed, Status, serve_with};

/// Time limits that a slow machine does not reach while it works.
pub fn patient() -> Limits {
    Limits { header: Duration::from_secs(60), unread: Duration::from_secs(60), ..Limits::default() }
}

pub struct Studio {
    pub address: SocketAddr,
    fake: Arc<Fake>,
    stop: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<()>,
}

async fn studio(limits: Limits) -> Studio {
    studio_with(limits, false).await
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

async fn get(address: SocketAddr, path: &str, host: &str) -> String {
    raw(address, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).await
}

type Page = WebSocketStream<TcpStream>;

async fn page(studio: &Studio) -> Page {
    let request = format!("ws://{}/ws", studio.address).into_client_request().unwrap();
    let stream = TcpStream::connect(studio.address).await.unwrap();
    tokio_tungstenite::client_async(request, stream).await.unwrap().0
}

async fn send(page: &mut Page, request: Value) {
    page.send(Message::text(request.to_string())).await.unwrap();
}

/// The next JSON message of this type; others are passed over.
async fn next_json(page: &mut Page, kind: &str) -> Value {
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
async fn next_frame_or_close(page: &mut Page) -> bool {
    while next_frame(page).await.is_some() {}
    true
}

/// The next binary message, or `None` if the server closes.
async fn next_frame(page: &mut Page) -> Option<Vec<u8>> {
    loop {
        match page.next().await {
            Some(Ok(Message::Binary(bytes))) => return Some(bytes.to_vec()),
            Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return None,
            Some(Ok(_)) => {}
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn step_of(bytes: &[u8]) -> u64 {
    u64_at(bytes, 8)
}

#[tokio::test]
async fn the_page_is_served_and_may_load_nothing_from_elsewhere() {
    let studio = studio(patient()).await;
    let answer = get(studio.address, "/", "localhost").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("content-type: text/html"), "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'self';"), "{answer}");
    assert!(!answer.contains("http://") && !answer.contains("https://"), "no other host is named");
    assert!(get(studio.address, "/main.js", "localhost").await.contains("content-type: text/javascript"));
    assert!(get(studio.address, "/nothing", "localhost").await.starts_with("HTTP/1.1 404"));
    let post = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    assert!(raw(studio.address, post).await.starts_with("HTTP/1.1 405"));
}

/// A page looks at the past by itself: it is shown that tick until it wants what is true now again.
#[tokio::test]
async fn a_page_looks_at_a_tick_of_the_past() {
    let studio = studio(patient()).await;
    studio.fake.publish(&frame(500));
    let (mut looker, mut other) = (page(&studio).await, page(&studio).await);
    send(&mut looker, json!({ "look": 120 })).await;
    assert_eq!(next_json(&mut looker, "looking").await["tick"], 120);
    assert_eq!(step_of(&next_frame(&mut looker).await.unwrap()), 120);
    studio.fake.publish(&frame(501));
    let mut steps = Vec::new();
    while !steps.contains(&501) {
        steps.push(step_of(&next_frame(&mut other).await.unwrap()));
    }
    assert!(steps.iter().all(|&step| step >= 500), "the other page is not concerned: {steps:?}");
    send(&mut looker, json!({ "look": 9000 })).await;
    let refused = next_json(&mut looker, "looking").await;
    assert_eq!(refused["tick"], 120, "it is still shown what it was shown");
    assert!(refused["reason"].as_str().unwrap().contains("9000 is not kept"), "{refused}");
    send(&mut looker, json!({ "look": null })).await;
    assert_eq!(next_json(&mut looker, "looking").await["tick"], Value::Null);
    assert_eq!(step_of(&next_frame(&mut looker).await.unwrap()), 501);
    send(&mut looker, json!({ "gaze": 3 })).await;
    assert!(next_frame_or_close(&mut looker).await, "rubbish ends the connection");
}

/// What robots published at that tick is shown with it, however shortly after the last it is looked at, and though no
/// further frame comes.
#[tokio::test]
async fn a_look_at_the_past_shows_what_robots_published_then() {
    let studio = studio(patient()).await;
    let publishing = |step, value: &str| {
        let mut frame = frame(step);
        frame.robots[0].annotations = Arc::new([("ball".to_owned(), value.to_owned())].into());
        frame
    };
    studio.fake.publish(&publishing(500, "1"));
    let mut page = page(&studio).await;
    assert_eq!(next_json(&mut page, "annotations").await["values"], json!({ "ball": 1 }));
    for (tick, value) in [(120, "2"), (119, "3")] {
        studio.fake.publish(&publishing(500, value));
        send(&mut page, json!({ "look": tick })).await;
        let told = next_json(&mut page, "annotations").await;
        assert_eq!(told["values"]["ball"].to_string(), value);
    }
}

/// A page learns the name of the file that is recorded into, and why a recording ended.
#[tokio::test]
async fn a_page_is_told_what_is_recorded() {
    let studio = studio(patient()).await;
    let mut page = page(&studio).await;
    next_json(&mut page, "status").await;
    let changes = [(Some("match.mcap"), None), (None, Some("no space left on device")), (None, None)];
    for (file, failure) in changes {
        let recording = Recording { file: file.map(Into::into), failure: failure.map(Into::into) };
        *studio.fake.recording.lock().unwrap() = recording;
        let told = next_json(&mut page, "recording").await;
        assert_eq!((&told["file"], &told["failure"]), (&json!(file), &json!(failure)));
    }
}

#[tokio::test]
async fn a_file_that_is_known_is_not_sent_again() {
    let studio = studio(patient()).await;
    let answer = get(studio.address, "/main.js", "localhost").await;
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = format!(
        "GET /main.js HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n"
    );
    assert!(raw(studio.address, &again).await.starts_with("HTTP/1.1 304"));
}

#[tokio::test]
async fn another_name_for_this_server_is_refused() {
    let studio = studio(patient()).await;
    for path in ["/", "/main.js", "/metrics", "/recordings/match.mcap", "/ws"] {
        let answer = get(studio.address, path, "evil.example").await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_is_refused() {
    let studio = studio(patient()).await;
    let host = studio.address.to_string();
    for (origin, status) in
        [("http://evil.example", "403"), ("null", "403"), (&format!("http://{host}"), "101")]
    {
        let mut stream = TcpStream::connect(studio.address).await.unwrap();
        let request = format!(
            "GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.unwrap();
        assert_eq!(std::str::from_utf8(&head).unwrap(), format!("HTTP/1.1 {status}"), "{origin}");
    }
}

#[tokio::test]
async fn a_half_sent_request_is_closed() {
    let studio = studio(Limits { header: Duration::from_millis(50), ..patient() }).await;
    // Returns only when the server closes.
    raw(studio.address, "GET / HTTP/1.1\r\nHos").await;
    raw(studio.address, "").await;
}

#[tokio::test]
async fn a_page_learns_the_world_and_then_its_frames() {
    let studio = studio(patient()).await;
    let mut page = page(&studio).await;

    let hello = next_json(&mut page, "hello").await;
    assert_eq!(hello["version"], 3);
    assert_eq!(hello["world"], "test-field");
    assert_eq!(hello["role"], "operator");
    assert_eq!(hello["teams"][1], json!({"name": "yellow", "colour": "#ffff00"}));
    let wall = &hello["fixtures"][0];
    assert_eq!(
        (&wall["kind"], &wall["role"], &wall["y"]),
        (&json!("rectangle"), &json!("wall"), &json!(3.0))
    );

    let objects = next_json(&mut page, "objects").await;
    let [ball, robot] = objects["put"].as_array().unwrap().as_slice() else { panic!("{objects}") };
    assert_eq!((&ball["kind"], &ball["id"]), (&json!("ball"), &json!(0x8000_0000u32)));
    assert_eq!((&robot["name"], &robot["id"], &robot["team"]), (&json!("yellow-1"), &json!(4), &json!(1)));
    assert_eq!((&robot["model"], &robot["player"]), (&json!("pioneer"), &json!("striker")));
    // In its own frame the robot's second shape is half a metre ahead.
    let ahead = &robot["shapes"][1];
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-6;
    assert!(near(&ahead["x"], 0.5) && near(&ahead["y"], 0.0) && near(&ahead["angle"], 0.0), "{ahead}");

    let game = next_json(&mut page, "game").await;
    assert_eq!((&game["score"], &game["phase"]), (&json!([2, 1]), &json!("play")));

    let bytes = next_frame(&mut page).await.unwrap();
    assert_eq!(bytes.len(), 40 + 2 * 20);
    assert_eq!(bytes[..4], [3, 0, 0, 0]);
    assert_eq!((u32_at(&bytes, 4), u64_at(&bytes, 8)), (1, 1));
    assert_eq!(f64::from_bits(u64_at(&bytes, 16)), 0.01);
    assert_eq!(f64::from_bits(u64_at(&bytes, 24)), 61.5);
    assert_eq!((u32_at(&bytes, 32), u32_at(&bytes, 36)), (0, 2));
    let robot = &bytes[60..80];
    assert_eq!(u32_at(robot, 0), 4);
    let pose = [4, 8, 12, 16].map(|at| f32::from_bits(u32_at(robot, at)));
    assert_eq!(pose, [1.0, 2.0, std::f32::consts::FRAC_PI_2, 0.0]);
}

#[tokio::test]
async fn what_changes_is_told_and_what_does_not_is_not() {
    let studio = studio(patient()).await;
    let mut page = page(&studio).await;
    next_json(&mut page, "objects").await;
    next_json(&mut page, "game").await;

    // The kicker moves, a goal is scored.
    let mut next = after(&studio.fake.frame());
    next.robots[0].manipulators[0].state = 1;
    next.shapes[3].half_x_m = 0.2;
    next.game = crate::frames::game([3, 1]);
    let goal = Event {
        number: 1,
        step: 2,
        kind: EventKind::Game { kind: "goal".into(), team: Some(0), text: String::new() },
    };
    let contact = Event { number: 2, step: 2, kind: EventKind::Contact { a: "a".into(), b: "b".into() } };
    next.events = [goal, contact].into_iter().map(Arc::new).collect();
    studio.fake.publish(&next);
    let objects = next_json(&mut page, "objects").await;
    assert_eq!(objects["put"].as_array().unwrap().len(), 1, "the ball did not change");
    assert!((objects["put"][0]["shapes"][1]["half"][0].as_f64().unwrap() - 0.2).abs() < 1e-6);
    assert_eq!(next_json(&mut page, "game").await["score"], json!([3, 1]));
    let events = next_json(&mut page, "events").await;
    assert_eq!(events["events"], json!([{"number": 1, "step": 2, "kind": "goal", "text": "Goal for blue"}]));

    // Somebody takes the robot over.
    let mut taken = after(&next);
    taken.robots[0].taken_by = Some(7);
    studio.fake.publish(&taken);
    let objects = next_json(&mut page, "objects").await;
    assert_eq!((&objects["put"][0]["name"], &objects["put"][0]["taken"]), (&json!("yellow-1"), &json!(true)));

    // The robot goes; the goal is not told twice.
    let mut last = after(&taken);
    last.objects.pop();
    last.shapes.truncate(2);
    last.robots.clear();
    let left =
        Event { number: 3, step: 3, kind: EventKind::RobotRemoved { number: 4, name: "yellow-1".into() } };
    last.events = last.events.iter().cloned().chain([Arc::new(left)]).collect();
    studio.fake.publish(&last);
    let objects = next_json(&mut page, "objects").await;
    assert_eq!((&objects["put"], &objects["gone"]), (&json!([]), &json!([4])));
    let events = next_json(&mut page, "events").await;
    assert_eq!(events["events"].as_array().unwrap().len(), 1);
    assert_eq!(events["events"][0]["text"], "yellow-1 left");
}

/// C6, mechanism 2: what a page wants is said to the board, and the board's answers come to the page.
#[tokio::test]
async fn lines_reach_the_board_and_its_answers_the_page() {
    let studio = studio(patient()).await;
    let mut page = page(&studio).await;
    assert_eq!(next_json(&mut page, "line").await["text"], "trusted");
    for line in ["HELLO 1 page role=operator", "PAUSE", "nonsense", "SAY me \u{fc}"] {
        page.send(Message::text(line)).await.unwrap();
        assert_eq!(next_json(&mut page, "line").await["text"], format!("OK {line}"));
    }
    assert_eq!(studio.fake.said.lock().unwrap().len(), 4);
    studio.fake.status.lock().unwrap().paused = true;
    while next_json(&mut page, "status").await["paused"] != true {}
    page.send(Message::text("BYE")).await.unwrap();
    assert!(next_frame_or_close(&mut page).await, "the board ended it");
}

#[tokio::test]
async fn rubbish_is_answered_and_ends_the_connection() {
    let studio = studio(patient()).await;
    for rubbish in [
        Message::text("{}"),
        Message::text(r#"{"cmd":"explode"}"#),
        Message::text(r#"{"ack":4000000000}"#),
        Message::text(r#"{"ack":-1}"#),
        Message::binary(vec![0xff; 64]),
    ] {
        let mut page = page(&studio).await;
        page.send(rubbish.clone()).await.unwrap();
        let error = next_json(&mut page, "error").await;
        assert!(!error["message"].as_str().unwrap().is_empty());
        assert!(next_frame(&mut page).await.is_none(), "{rubbish:?} ends the connection");
    }
    let mut page = page(&studio).await;
    page.send(Message::text("x".repeat(100_000))).await.unwrap();
    while next_frame(&mut page).await.is_some() {}
}

/// Whatever bytes come instead of WebSocket frames, the connection ends and the service goes on.
#[tokio::test]
async fn bytes_that_are_no_websocket_frames_end_the_connection() {
    let studio = studio(patient()).await;
    for seed in 0..32u8 {
        let (mut stream, _) = {
            let request = format!("ws://{}/ws", studio.address).into_client_request().unwrap();
            let stream = TcpStream::connect(studio.address).await.unwrap();
            let (page, answer) = tokio_tungstenite::client_async(request, stream).await.unwrap();
            (page.into_inner(), answer)
        };
        let bytes: Vec<u8> =
            (0..997u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 11) as u8 ^ seed).collect();
        let _ = stream.write_all(&bytes).await;
        let _ = stream.shutdown().await;
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
    }
    assert!(get(studio.address, "/", "localhost").await.starts_with("HTTP/1.1 200"));
}

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
    let mut stream = TcpStream::connect(studio.address).await.unwrap();
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        studio.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
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

#[tokio::test]
async fn more_connections_than_allowed_are_closed() {
    let studio = studio(Limits { connections: 1, ..patient() }).await;
    let mut first = page(&studio).await;
    next_json(&mut first, "hello").await;
    assert_eq!(get(studio.address, "/", "localhost").await, "");
}

#[tokio::test]
async fn a_stop_is_told_to_all_pages() {
    let studio = studio(patient()).await;
    let mut page = page(&studio).await;
    next_json(&mut page, "hello").await;
    studio.stop.send(()).unwrap();
    let code = loop {
        if let Message::Close(Some(close)) = page.next().await.unwrap().unwrap() {
            break u16::from(close.code);
        }
    };
    assert_eq!(code, 1001);
    studio.served.await.unwrap();
    assert!(is_refused(TcpStream::connect(studio.address)).await);
}

async fn is_refused(connect: impl Future<Output = std::io::Result<TcpStream>>) -> bool {
    connect.await.is_err()
}

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
