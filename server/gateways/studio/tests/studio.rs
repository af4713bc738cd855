//! The studio service over a real socket, with Frames made by hand.

use crate::frames::{after, frame};
use crate::page::*;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use touchline_sim::{Event, EventKind, Frame};
use touchline_studio::{Limits, Recording, Source};

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

/// A page forgets what a robot publishes when it goes; so it is told again if the robot is there again, however soon, such as after a quick look
/// at a tick before it came.
#[tokio::test]
async fn a_robot_that_comes_back_has_what_it_publishes() {
    let studio = studio(patient()).await;
    let thoughts = Arc::new([("ball".to_owned(), "1".to_owned())].into());
    let with_robot = |step| {
        let mut frame = frame(step);
        frame.robots[0].annotations = Arc::clone(&thoughts);
        frame
    };
    studio.fake.publish(&with_robot(500));
    let mut page = page(&studio).await;
    next_json(&mut page, "annotations").await;
    let mut without = frame(501);
    without.robots.clear();
    without.objects.truncate(2);
    studio.fake.publish(&without);
    assert_eq!(next_json(&mut page, "objects").await["gone"], json!([4]));
    // What the referee publishes comes after what robots do.
    let again =
        Frame { annotations: Arc::new([("zone".to_owned(), "2".to_owned())].into()), ..with_robot(502) };
    studio.fake.publish(&again);
    assert_eq!(next_json(&mut page, "objects").await["put"][0]["id"], 4);
    assert_eq!(next_json(&mut page, "annotations").await["values"], json!({ "ball": 1 }));
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
    assert!(game.get("rewards").is_none(), "nobody was paid yet");

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
    // An event for programs is shown to nobody.
    let kind = EventKind::Game { kind: "data-said-at".into(), team: None, text: "10 51".into() };
    let said = Event { number: 3, step: 2, kind };
    next.events = [goal, contact, said].into_iter().map(Arc::new).collect();
    next.robots[0].reward = 1.5;
    studio.fake.publish(&next);
    let objects = next_json(&mut page, "objects").await;
    assert_eq!(objects["put"].as_array().unwrap().len(), 1, "the ball did not change");
    assert!((objects["put"][0]["shapes"][1]["half"][0].as_f64().unwrap() - 0.2).abs() < 1e-6);
    let game = next_json(&mut page, "game").await;
    assert_eq!((&game["score"], &game["rewards"]), (&json!([3, 1]), &json!({ "4": 1.5 })));
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
        Event { number: 4, step: 3, kind: EventKind::RobotRemoved { number: 4, name: "yellow-1".into() } };
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

#[tokio::test]
async fn more_connections_than_allowed_are_closed() {
    let studio = studio(Limits { connections: 1, ..patient() }).await;
    let mut first = page(&studio).await;
    next_json(&mut first, "hello").await;
    assert_eq!(get(studio.address, "/", "localhost").await, "");
}

/// C9: connections that ask for nothing, or for nothing more, lock nobody out, and take no place from a page.
#[tokio::test]
async fn who_asks_for_nothing_gives_way() {
    let studio = studio(Limits { connections: 4, ..patient() }).await;
    let mut looker = page(&studio).await;
    next_json(&mut looker, "hello").await;
    let mut idle = Vec::new();
    for asks in [false, true, false, true, false] {
        let mut stream = TcpStream::connect(studio.address).await.unwrap();
        if asks {
            stream.write_all(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
            stream.read_exact(&mut [0; 12]).await.unwrap();
        }
        idle.push(stream);
    }
    assert!(get(studio.address, "/", "localhost").await.starts_with("HTTP/1.1 200"));
    for stream in &mut idle[..3] {
        stream.read_to_end(&mut Vec::new()).await.unwrap();
    }
    studio.fake.publish(&frame(7));
    while step_of(&next_frame(&mut looker).await.expect("the page stays")) != 7 {}
    // Pages give way to nobody.
    let more = [page(&studio).await, page(&studio).await, page(&studio).await];
    assert_eq!(get(studio.address, "/", "localhost").await, "");
    drop(more);
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
