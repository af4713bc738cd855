//! What Foxglove and Lichtblick are told live: their protocol, against the built server. [mechanism 7, I3]

use crate::client::Client;
use crate::program::{Server, root, run};
use mcap::MessageStream;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header;
use tokio_tungstenite::tungstenite::{self, Error, Message, WebSocket};

const WORLD: &str = "worlds/f2000.toml";
const LISTEN: [&str; 2] = ["--foxglove", "127.0.0.1:0"];
const STEP_NS: u64 = 10_000_000;

fn address(server: &Server) -> &str {
    let url = server.ready["foxglove"].as_str().expect("the ready line says where");
    url.strip_prefix("ws://").expect("a WebSocket")
}

/// A handshake with more head lines.
fn handshake(server: &Server, lines: &[(&str, &str)]) -> Result<(WebSocket<TcpStream>, String), Error> {
    let mut request = format!("ws://{}/", address(server)).into_client_request()?;
    for (name, value) in lines {
        let name = header::HeaderName::from_bytes(name.as_bytes()).expect("a name");
        request.headers_mut().insert(name, value.parse().expect("a value"));
    }
    let stream = TcpStream::connect(address(server))?;
    match tungstenite::client(request, stream) {
        Ok((socket, response)) => {
            let chosen = response.headers().get(header::SEC_WEBSOCKET_PROTOCOL);
            Ok((socket, chosen.map_or("", |chosen| chosen.to_str().unwrap_or("?")).to_owned()))
        }
        Err(tungstenite::HandshakeError::Failure(error)) => Err(error),
        Err(tungstenite::HandshakeError::Interrupted(_)) => panic!("the socket waits"),
    }
}

const NEW: (&str, &str) = ("Sec-WebSocket-Protocol", "foxglove.sdk.v1");

/// Messages of each topic: stamps and bytes.
type Topics = BTreeMap<String, Vec<(u64, Vec<u8>)>>;

/// A tool that is connected.
struct Watcher {
    socket: WebSocket<TcpStream>,
    info: Value,
    channels: BTreeMap<String, Value>,
    /// The topics of its subscriptions.
    topics: BTreeMap<u32, String>,
    seen: Topics,
    times: Vec<u64>,
    complaints: Vec<Value>,
}

impl Watcher {
    fn connect(server: &Server) -> Self {
        let (socket, chosen) = handshake(server, &[NEW]).expect("a connection");
        assert_eq!(chosen, NEW.1);
        let mut watcher = Self {
            socket,
            info: Value::Null,
            channels: BTreeMap::new(),
            topics: BTreeMap::new(),
            seen: BTreeMap::new(),
            times: Vec::new(),
            complaints: Vec::new(),
        };
        // The recorder's thread may have told nothing yet: then the sensors come a little later.
        while !watcher.channels.keys().any(|topic| topic.starts_with("/sensors/")) {
            watcher.read();
        }
        watcher
    }

    fn send(&mut self, message: impl Into<Message>) {
        self.socket.send(message.into()).expect("the server reads");
    }

    fn subscribe<'a>(&mut self, topics: impl IntoIterator<Item = &'a str>) {
        let mut subscriptions = Vec::new();
        for topic in topics {
            let id = 100 + self.topics.len() as u32;
            subscriptions.push(json!({ "id": id, "channelId": self.channels[topic]["id"] }));
            self.topics.insert(id, topic.to_owned());
        }
        self.send(json!({ "op": "subscribe", "subscriptions": subscriptions }).to_string());
    }

    fn read(&mut self) {
        match self.socket.read().expect("the connection is open") {
            Message::Text(text) => {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                match message["op"].as_str() {
                    Some("serverInfo") => self.info = message,
                    Some("advertise") => {
                        for channel in message["channels"].as_array().expect("channels") {
                            let topic = channel["topic"].as_str().expect("a topic").to_owned();
                            assert!(
                                self.channels.insert(topic, channel.clone()).is_none(),
                                "twice: {channel}"
                            );
                        }
                    }
                    Some("status") => self.complaints.push(message),
                    _ => panic!("{message}"),
                }
            }
            Message::Binary(bytes) if bytes[0] == 1 => {
                let id = u32::from_le_bytes(bytes[1..5].try_into().expect("four"));
                let stamp = u64::from_le_bytes(bytes[5..13].try_into().expect("eight"));
                let topic = self.topics.get(&id).expect("nothing comes that was not asked for");
                self.seen.entry(topic.clone()).or_default().push((stamp, bytes[13..].to_vec()));
            }
            Message::Binary(bytes) if bytes[0] == 2 => {
                self.times.push(u64::from_le_bytes(bytes[1..].try_into().expect("eight")));
            }
            message => panic!("{message:?}"),
        }
    }

    /// Reads until the world's state of this tick is there.
    fn read_to(&mut self, tick: u64) {
        let is_there = |seen: &Topics| {
            let states = seen.get("/touchline/state");
            states.and_then(|states| states.last()).is_some_and(|(stamp, _)| *stamp == tick * STEP_NS)
        };
        while !is_there(&self.seen) {
            self.read();
        }
    }

    fn complaint(&mut self) -> Value {
        while self.complaints.is_empty() {
            self.read();
        }
        self.complaints.remove(0)
    }
}

/// What a recording has, and what each channel is: encoding, schema's name, schema.
fn recorded(file: &Path) -> (Topics, BTreeMap<String, (String, String, String)>) {
    let bytes = std::fs::read(file).expect("the recording");
    let (mut topics, mut channels) = (Topics::new(), BTreeMap::new());
    for message in MessageStream::new(&bytes).expect("a recording") {
        let message = message.expect("a message");
        let channel = &message.channel;
        if let Some(schema) = &channel.schema {
            let text = String::from_utf8_lossy(&schema.data).into_owned();
            channels
                .insert(channel.topic.clone(), (channel.message_encoding.clone(), schema.name.clone(), text));
        }
        topics.entry(channel.topic.clone()).or_default().push((message.log_time, message.data.to_vec()));
    }
    (topics, channels)
}

/// Whoever watches from the beginning is told byte for byte what is recorded, by channels that are described in the same way.
#[test]
fn what_is_watched_is_what_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.mcap");
    let record = ["--record", file.to_str().expect("text"), "--record-sensors", "blue-2/*,guest/*"];
    let others = ["--studio", "off", "--speed", "lockstep", "--seed", "3"];
    let server = Server::start(WORLD, &[&LISTEN[..], &record, &others].concat());
    let mut watcher = Watcher::connect(&server);
    assert!(watcher.info["name"].as_str().expect("a name").starts_with("touchline "), "{}", watcher.info);
    assert_eq!(watcher.info["capabilities"], json!(["time"]));
    assert!(watcher.info["sessionId"].is_string());
    assert!(!watcher.channels.contains_key("/touchline/poses"), "no tool could read it");
    let topics: Vec<String> = watcher.channels.keys().cloned().collect();
    assert!(topics.iter().filter(|topic| topic.starts_with("/sensors/")).count() > 10, "{topics:?}");
    watcher.subscribe(topics.iter().map(String::as_str));
    watcher.read_to(0);

    let mut desk = Client::operator(&server);
    desk.ok("STEP 100");
    watcher.read_to(100);
    let mut guest = Client::connect(&server);
    let pioneer = std::fs::read_to_string(root().join("robots/pioneer.toml")).expect("a robot file");
    guest.ok("HELLO 1 guest");
    assert!(guest.upload("ROBOT guest", &pioneer).head.starts_with("OK ROBOT"));
    for line in ["TWIST me 0.4 0 0.5", "SAY me here", "ANNOTATE me aim [1,2]"] {
        guest.ok(line);
    }
    desk.ok("STEP 100");
    watcher.read_to(200);
    // The new robot has sensors of its own: they can be watched from here on.
    let own: Vec<String> =
        watcher.channels.keys().filter(|topic| topic.contains("/guest/")).cloned().collect();
    assert!(!own.is_empty(), "{:?}", watcher.channels.keys());
    watcher.subscribe(own.iter().map(String::as_str));
    desk.ok("RESET");
    desk.ok("STEP 100");
    watcher.read_to(300);
    desk.ok("SEEK 250");
    for tick in [400, 500, 510] {
        desk.ok(&format!("STEP {}", if tick == 510 { 10 } else { 100 }));
        watcher.read_to(tick);
    }
    assert_eq!(watcher.complaints, Vec::<Value>::new());
    assert!(
        watcher.times.is_sorted() && watcher.times.last() == Some(&(510 * STEP_NS)),
        "{:?}",
        watcher.times
    );
    assert_eq!(server.end_by("TERM").code, Some(0));

    let (mut recorded, described) = recorded(&file);
    for (topic, (encoding, name, schema)) in &described {
        let channel = &watcher.channels[topic];
        assert_eq!(
            (&channel["encoding"], &channel["schemaName"]),
            (&json!(encoding), &json!(name)),
            "{topic}"
        );
        assert_eq!((&channel["schema"], &channel["schemaEncoding"]), (&json!(schema), &json!("jsonschema")));
    }
    recorded.remove("/touchline/poses");
    let compared: BTreeSet<&str> = recorded.keys().map(String::as_str).collect();
    for topic in [
        "/tf",
        "/scene",
        "/events",
        "/touchline/state",
        "/touchline/inputs",
        "/touchline/radio",
        "/touchline/annotations",
        "/sensors/blue-2/odometry/odometry",
    ] {
        assert!(compared.contains(topic), "{topic} is not recorded: {compared:?}");
    }
    for (topic, messages) in &recorded {
        let seen = watcher.seen.get(topic).map_or(&[][..], Vec::as_slice);
        // What comes with the last state the watcher has not read; of the guest's sensors he has missed the first readings: those
        // before his subscription was read, which nobody tells him of. There may be two of one tick, of which he missed one.
        let from = match seen.first() {
            Some((first, _)) if topic.contains("/guest/") => *first + 1,
            _ => 0,
        };
        assert!(from <= 300 * STEP_NS, "{topic}");
        let until = |messages: &[(u64, Vec<u8>)]| -> Vec<(u64, String)> {
            let inside = messages.iter().filter(|(stamp, _)| (from..=500 * STEP_NS).contains(stamp));
            inside.map(|(stamp, bytes)| (*stamp, String::from_utf8_lossy(bytes).into_owned())).collect()
        };
        assert_eq!(until(seen), until(messages), "{topic}");
    }
    let stamps = |topic: &str| watcher.seen[topic].iter().map(|(stamp, _)| *stamp);
    assert!(stamps("/tf").is_sorted() && stamps("/tf").count() > 50);
}

/// Who comes late is shown the whole scene; a seek back goes back in time, to what was recorded of it.
#[test]
fn a_recording_is_watched_and_wound_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.mcap");
    let path = file.to_str().expect("text");
    let played = run(["run", WORLD, "--for", "20", "--seed", "2", "--record", path]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let (recorded, _) = recorded(&file);
    let server = Server::replay(path, &[&LISTEN[..], &["--studio", "off", "--speed", "0.001"]].concat());
    let mut desk = Client::operator(&server);
    desk.ok("PAUSE");
    desk.ok("SEEK 1480");
    // Ticks at which a run has a state: each fortieth.
    let mut watcher = Watcher::connect(&server);
    watcher.subscribe(["/tf", "/scene", "/touchline/state", "/events", "/sensors/blue-2/odometry/odometry"]);
    watcher.read_to(1480);
    for tick in [280, 1200, 0] {
        desk.ok(&format!("SEEK {tick}"));
        watcher.read_to(tick);
    }
    assert_eq!(watcher.times, [1480, 280, 1200, 0].map(|tick| tick * STEP_NS));
    let scene: Value = serde_json::from_slice(&watcher.seen["/scene"][0].1).expect("JSON");
    assert!(scene["entities"].as_array().expect("a list").len() > 8, "{scene}");
    let states = &watcher.seen["/touchline/state"];
    assert_eq!(states.len(), 4);
    for topic in ["/touchline/state", "/tf"] {
        for shown in &watcher.seen[topic] {
            assert!(recorded[topic].contains(shown), "{topic} {}", String::from_utf8_lossy(&shown.1));
        }
    }
    // Played on, time goes on.
    desk.ok("STEP 100");
    watcher.read_to(100);
    assert_eq!(watcher.times.len(), 14, "{:?}", watcher.times);
}

/// Either name of the protocol is spoken, pages of other sites may watch; who calls this server by a foreign name may not.
#[test]
fn a_handshake_is_checked() {
    let server = Server::start(
        "worlds/empty.toml",
        &[&LISTEN[..], &["--studio", "off", "--speed", "lockstep"]].concat(),
    );
    let chosen = |lines: &[(&str, &str)]| match handshake(&server, lines) {
        Ok((_, chosen)) => Ok(chosen),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    };
    let protocol = |names| [("Sec-WebSocket-Protocol", names)];
    assert_eq!(chosen(&protocol("foxglove.websocket.v1")), Ok("foxglove.websocket.v1".into()));
    assert_eq!(chosen(&protocol("foxglove.websocket.v1, foxglove.sdk.v1")), Ok("foxglove.sdk.v1".into()));
    assert_eq!(chosen(&[NEW, ("Origin", "https://app.foxglove.dev")]), Ok(NEW.1.into()));
    assert_eq!(chosen(&protocol("chat")), Err(400));
    assert_eq!(chosen(&[]), Err(400));
    assert_eq!(chosen(&[NEW, ("Host", "evil.example:8765")]), Err(403));
    let mut stream = TcpStream::connect(address(&server)).expect("a connection");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 426") && answer.contains("Lichtblick"), "{answer}");
    // Without the option there is no such address.
    let without = Server::start("worlds/empty.toml", &["--studio", "off", "--speed", "lockstep"]);
    assert_eq!(without.ready.get("foxglove"), None);
}

/// Rubbish is answered, or ends its own connection; who never reads disturbs nobody; nothing can be changed.
#[test]
fn bad_clients_disturb_nobody() {
    let server = Server::start(
        WORLD,
        &[&LISTEN[..], &["--studio", "off", "--speed", "lockstep", "--seed", "3"]].concat(),
    );
    let mut silent = Watcher::connect(&server);
    let all: Vec<String> = silent.channels.keys().cloned().collect();
    silent.subscribe(all.iter().map(String::as_str));

    let mut rude = Watcher::connect(&server);
    for text in [
        "rubbish",
        "{}",
        "[1]",
        r#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":99999}]}"#,
        r#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":0}]}"#,
        r#"{"op":"subscribe","subscriptions":"all"}"#,
        r#"{"op":"advertise","channels":[{"id":1,"topic":"/tf","encoding":"json","schemaName":"x"}]}"#,
        r#"{"op":"setParameters","parameters":[{"name":"seed","value":1}]}"#,
    ] {
        rude.send(text);
        assert_eq!(rude.complaint()["level"], 2, "{text}");
    }
    rude.send(Message::binary(vec![1, 0, 0, 0, 0, 7]));
    assert_eq!(rude.complaint()["level"], 2);
    // The same channel twice, and the same number twice.
    rude.subscribe(["/touchline/state"]);
    rude.subscribe(["/touchline/state"]);
    rude.complaint();
    let id = &rude.channels["/tf"]["id"];
    let again = json!({ "op": "subscribe", "subscriptions": [{ "id": 100, "channelId": id }] });
    rude.send(again.to_string());
    rude.complaint();
    // It is still served.
    let mut desk = Client::operator(&server);
    desk.ok("STEP 10");
    rude.read_to(10);
    // Too much at once ends the connection, and no other.
    rude.send("x".repeat(300_000));
    while rude.socket.read().is_ok() {}

    let mut calm = Watcher::connect(&server);
    calm.subscribe(["/touchline/state", "/tf"]);
    for tick in [110, 210, 310] {
        desk.ok("STEP 100");
        calm.read_to(tick);
    }
    calm.send(json!({ "op": "unsubscribe", "subscriptionIds": [101] }).to_string());
    desk.ok("STEP 10");
    calm.read_to(320);
    let hash = desk.ok("STATUS").field("state_hash").to_owned();
    drop(silent);
    assert_eq!(server.end_by("TERM").code, Some(0));
    let alone = run(["run", WORLD, "--steps", "320", "--seed", "3", "--json"]);
    assert_eq!(alone.json()["state_hash"], hash.as_str(), "who watches changes nothing");
}
