//! The desk of challenges is its operator's alone: an entrant's script, which runs on the same machine, neither orders there nor sees what it plays. (CH8)

#![cfg(target_os = "linux")]

use crate::patient::patient_challenge;
use crate::program::command;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// Asks the desk for the live page, orders that all ends, and writes down what it was answered, and all words that it finds: its own, those of the
/// programs that have started it, and the files beside it.
const SPY: &str = r#"#!/usr/bin/env python3
import glob, http.client, json, os, sys

def post(path, body):
    desk = http.client.HTTPConnection("DESK")
    desk.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    return desk.getresponse().status

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""

words, process = [], os.getpid()
while process > 1:
    words += [read(f"/proc/{process}/{what}") for what in ("cmdline", "environ")]
    status = read(f"/proc/{process}/status").split("PPid:")
    process = int(status[1].split()[0]) if len(status) > 1 else 0
words += [read(file) for file in glob.glob("**", recursive=True) if os.path.isfile(file)]
codes = [
    post("/challenges/show", {"show": "live"}),
    post("/challenges/order", {"order": "stop-server"}),
    post("/challenges/order", {"order": "test", "threads": 1}),
]
with open("seen", "w") as file:
    json.dump({"codes": codes, "words": words}, file)
sys.exit(3)
"#;

/// Nothing takes this long unless it is broken.
const BROKEN_AFTER: Duration = Duration::from_secs(300);

/// A running `touchline challenge serve`.
struct Desk {
    child: Child,
    host: String,
    key: String,
}

impl Desk {
    /// With one challenge, in a folder of its own.
    fn start(folder: &Path) -> Self {
        patient_challenge(folder, "kick-small-size");
        let recordings = folder.join("recordings");
        let [folder, recordings] = [folder, &recordings].map(|path| path.to_str().unwrap());
        let words = ["challenge", "serve", "--studio", "127.0.0.1:0", "--ready-json"];
        let mut command =
            command([&words[..], &["--challenges", folder, "--recordings", recordings]].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        let (host, key) = host_and_key(&ready["studio"]);
        Self { child, host, key }
    }

    /// Status and body of the answer.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let (host, length) = (&self.host, body.len());
        let mut stream = TcpStream::connect(host).unwrap();
        let head = format!(
            "{method} /challenges/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
        );
        write!(stream, "{head}{headers}\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn with_key(&self, method: &str, path: &str, body: &Value) -> Value {
        let headers = format!("Authorization: Bearer {}\r\n", self.key);
        let (code, answer) = self.ask(method, path, &headers, &body.to_string());
        assert_eq!(code, 200, "{path} {body}: {answer}");
        serde_json::from_str(&answer).unwrap()
    }

    fn order(&self, order: Value) {
        self.with_key("POST", "order", &order);
    }

    /// Where something is shown, and its key.
    fn show(&self, what: Value) -> (String, String) {
        host_and_key(&self.with_key("POST", "show", &what)["url"])
    }

    /// Tries the first attempt of each team; the state afterwards.
    fn test(&self) -> Value {
        self.order(json!({ "order": "test", "threads": 1 }));
        let since = Instant::now();
        loop {
            let state = self.with_key("GET", "state", &Value::Null);
            if state["phase"] == "idle" {
                return state;
            }
            assert!(since.elapsed() < BROKEN_AFTER, "{state}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn end(mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn host_and_key(url: &Value) -> (String, String) {
    let url = url.as_str().unwrap().strip_prefix("http://").unwrap();
    let (host, key) = url.split_once("/#key=").unwrap();
    (host.to_owned(), key.to_owned())
}

type Page = WebSocket<TcpStream>;

fn page(host: &str) -> Page {
    let stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(BROKEN_AFTER)).unwrap();
    tungstenite::client(format!("ws://{host}/ws"), stream).unwrap().0
}

/// What the page is told next.
fn told(page: &mut Page) -> Value {
    loop {
        if let Message::Text(text) = page.read().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

fn say(page: &mut Page, message: Value) {
    page.send(Message::text(message.to_string())).unwrap();
}

/// Who has no key, or another page's, is told nothing of what is shown there; who has the key is let in, and is this.
fn opens_to_its_key_alone(host: &str, key: &str, others: &str, role: &str) {
    let mut stranger = page(host);
    assert_eq!(told(&mut stranger), json!({ "type": "key", "reason": null }));
    say(&mut stranger, json!({ "key": others }));
    let refused = told(&mut stranger);
    assert_eq!(refused["type"], "key");
    assert!(refused["reason"].as_str().unwrap().contains("opens nothing"), "{refused}");
    let mut pushy = page(host);
    told(&mut pushy);
    say(&mut pushy, json!({ "ack": 1 }));
    assert_eq!(told(&mut pushy)["type"], "error");
    let mut owner = page(host);
    told(&mut owner);
    say(&mut owner, json!({ "key": key }));
    let hello = told(&mut owner);
    assert_eq!((&hello["type"], &hello["role"]), (&json!("hello"), &json!(role)), "{hello}");
}

/// A script that is played reaches the desk, and is neither shown anything nor obeyed; nor does it find the key. Who has the key is, and what is shown
/// opens to a key of its own.
#[test]
fn a_script_neither_orders_nor_sees_what_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::start(folder.path());
    for headers in ["", "Authorization: Bearer a-key-that-opens-nothing-at-all\r\n"] {
        for (method, path, body) in [
            ("GET", "state", String::new()),
            ("POST", "show", json!({ "show": "live" }).to_string()),
            ("POST", "order", json!({ "order": "stop-server" }).to_string()),
        ] {
            let (code, answer) = desk.ask(method, path, headers, &body);
            assert!(code == 403 && answer.contains("key"), "{path}: {code} {answer}");
        }
    }

    let spy = folder.path().join("team/spy");
    fs::create_dir(spy.parent().unwrap()).unwrap();
    fs::write(&spy, SPY.replace("DESK", &desk.host)).unwrap();
    fs::set_permissions(&spy, fs::Permissions::from_mode(0o755)).unwrap();
    desk.order(json!({ "order": "open-script", "path": spy }));
    let state = desk.test();
    assert_eq!(state["tried"]["team"]["result"]["outcome"], "failed", "{state}");
    let seen: Value = serde_json::from_slice(&fs::read(spy.with_file_name("seen")).unwrap()).unwrap();
    assert_eq!(seen["codes"], json!([403, 403, 403]), "{seen}");
    let words = seen["words"].as_array().unwrap();
    let has = |word: &str| words.iter().any(|text| text.as_str().unwrap().contains(word));
    assert!(has("TOUCHLINE_ROBOT") && has("--ready-json") && has("HTTPConnection"), "it looks");
    assert!(desk.key.len() >= 26 && !has(&desk.key), "the key can be found");

    let (host, key) = desk.show(json!({ "show": "live" }));
    assert_ne!(key, desk.key);
    opens_to_its_key_alone(&host, &key, &desk.key, "monitor");
    desk.order(json!({ "order": "open-references" }));
    desk.test();
    let (host, key) = desk.show(json!({ "show": "replay", "team": "good", "run": 0, "attempt": 0 }));
    opens_to_its_key_alone(&host, &key, &desk.key, "operator");
    desk.end();
}
