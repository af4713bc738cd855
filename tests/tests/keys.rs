//! Keys on the built server: an attacker who has one key, or none, or another world's.

#![cfg(unix)]

use crate::client::Client;
use crate::program::{Server, root, run};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A keys file, and the keys of it.
struct Ring {
    folder: TempDir,
}

impl Ring {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// With what stands at its top.
    fn beginning(text: &str) -> Self {
        let ring = Self::new();
        fs::write(ring.file(), text).unwrap();
        fs::set_permissions(ring.file(), fs::Permissions::from_mode(0o600)).unwrap();
        ring
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("keys.toml")
    }

    /// What `touchline key` prints.
    fn key(&self, name: &str, options: &[&str]) -> String {
        let file = self.file();
        let outcome = run([&["key", text(&file), name], options].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.stdout.trim().to_owned()
    }

    fn serve(&self, world: &str, options: &[&str]) -> Server {
        let file = self.file();
        Server::start(root().join(world), &[&["--keys", text(&file)], options].concat())
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn with_key(server: &Server, name: &str, key: &str) -> Client {
    let mut client = Client::connect(server);
    client.ok(&format!("HELLO 1 {name} key={key}"));
    client
}

/// One team's key opens nothing of the other's, and nothing of the rules; what it does of its own is done.
#[test]
fn a_team_cannot_touch_the_other() {
    let ring = Ring::beginning("team_robots = [\"pioneer\"]\n");
    let blue = ring.key("blue", &["--role", "team", "--team", "blue", "--max-robots", "5"]);
    let yellow = ring.key("yellow", &["--role", "team", "--team", "yellow"]);
    let operator = ring.key("desk", &["--role", "operator"]);
    let server = ring.serve("worlds/f2000.toml", &["--studio", "off"]);
    let mut yellow = with_key(&server, "y", &yellow);
    let mut blue = with_key(&server, "b", &blue);
    assert_eq!(server.ready["keys"], true);
    // yellow-1 is number 4 of the world file.
    for robot in ["yellow-1", "4"] {
        for line in [
            "GET R *",
            "PUSH R 20 *",
            "HEAR R",
            "DESCRIBE R",
            "SAY R free",
            "ANNOTATE R k 1",
            "TAKE R",
            "TWIST R 1 0 0",
        ] {
            blue.refused(&line.replace(" R", &format!(" {robot}")), "board/not-yours");
        }
        for line in
            ["MOTION R", "PLACE R 0 0 0", "EXCHANGE R plugin=striker", "STOP R", "START R plugin=striker"]
        {
            blue.refused(&line.replace(" R", &format!(" {robot}")), "board/role");
        }
    }
    for line in [
        "WORLD",
        "EVENTS",
        "TIMELINE",
        "BALL 0 0 0",
        "SETSCORE blue 9",
        "REFEREE STOP",
        "PAUSE",
        "STEP",
        "RESET",
        "SEEK 0",
        "SPEED max",
        "RECORD start",
    ] {
        blue.refused(line, "board/role");
    }
    for line in [
        "ROBOT yellow-9 file=pioneer",
        "ROBOT blue-9 team=yellow file=pioneer",
        "ROBOT desk file=pioneer",
        // Where yellow-1 stands: it would be told who is there.
        "ROBOT blue-9 file=pioneer x=4.5 y=0",
    ] {
        blue.refused(line, "board/not-yours");
    }
    blue.refused("HELLO 1 desk role=operator", "board/role");
    // Its own: four robots are there, and a fifth may be made.
    blue.ok("TAKE blue-2");
    blue.ok("TWIST blue-2 0.1 0 0");
    blue.ok("SAY blue-2 here I am");
    blue.ok("GET blue-1 *");
    blue.ok("ROBOT blue-9 file=pioneer");
    blue.refused("ROBOT blue-10 file=pioneer", "board/too-many-robots");
    // One with the eyes of its own choice may not come along, neither sent nor of the server's files.
    blue.refused("ROBOT blue-11 file=pioneer-perfect", "board/not-yours");
    let pioneer = fs::read_to_string(root().join("robots/pioneer.toml")).unwrap();
    let sent = blue.upload("ROBOT blue-11", &pioneer);
    assert!(sent.head.starts_with("ERR board/not-yours "), "{sent:?}");
    let list = yellow.robots();
    assert!(list.iter().any(|line| line.contains(" blue-9 ") && line.contains("client=blue/b")), "{list:?}");
    let mut desk = with_key(&server, "desk", &operator);
    desk.ok("WORLD");
    desk.ok("PAUSE");
}

/// Neither no key, nor a wrong one, nor another world's, nor a flood of them comes in; who is in stays in.
#[test]
fn who_has_no_key_learns_nothing() {
    let (ring, other) = (Ring::new(), Ring::new());
    let key = ring.key("watcher", &["--role", "monitor"]);
    let others = other.key("watcher", &["--role", "operator"]);
    let server = ring.serve("worlds/f2000.toml", &[]);
    let mut inside = with_key(&server, "w", &key);
    let mut outside = Client::connect(&server);
    for line in ["STATUS", "LIST", "WORLD", "GET 0 *", "ROBOT a file=pioneer", "PAUSE"] {
        outside.refused(line, "board/key-needed");
    }
    outside.refused("HELLO 1 w role=operator", "board/key-needed");
    for wrong in [others.as_str(), "a", &key[..31]] {
        outside.refused(&format!("HELLO 1 w key={wrong}"), "board/key");
    }
    assert!(outside.message().is_none(), "after three wrong keys it ends");
    let (mut wrong, mut slowed) = (0, 0);
    for _ in 0..40 {
        let mut flood = Client::connect(&server);
        match flood.ask("HELLO 1 w key=not-the-key-but-of-its-length-xx").head {
            head if head.starts_with("ERR board/key ") => wrong += 1,
            head if head.starts_with("ERR board/too-many-tries wait_s=") => {
                slowed += 1;
                assert!(flood.message().is_none());
            }
            head => panic!("{head}"),
        }
    }
    assert!(wrong + slowed == 40 && slowed > 0, "{wrong} were looked at, {slowed} were not");
    inside.ok("WORLD");
    inside.refused("PAUSE", "board/role");
    // The same address has tried too much: nothing is measured for it, page or not.
    let studio = server.studio().unwrap();
    for header in ["", "Authorization: Bearer nonsense\r\n"] {
        let mut stream = TcpStream::connect(studio).unwrap();
        let request = format!("GET /metrics HTTP/1.1\r\nHost: {studio}\r\nConnection: close\r\n{header}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
        assert!(!answer.contains("touchline_steps"), "{answer}");
    }
}

/// All who come by a reverse proxy have this machine's own address: where there are no keys nobody is let in so, and told why.
#[test]
fn a_proxy_needs_keys() {
    let ring = Ring::new();
    let key = ring.key("watcher", &["--role", "monitor"]);
    let foxglove = ["--foxglove", "127.0.0.1:0"];
    let open = Server::start(root().join("worlds/empty.toml"), &foxglove);
    let locked = ring.serve("worlds/empty.toml", &foxglove);
    let status = |address: &str, path: &str, header: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{header}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let by_proxy = "X-Forwarded-For: 192.0.2.7\r\n";
    let page = open.studio().unwrap();
    for path in ["/", "/metrics"] {
        assert!(status(page, path, "").starts_with("HTTP/1.1 200"), "{path}");
        for header in [by_proxy, "Forwarded: for=192.0.2.7\r\n", "Via: 1.1 proxy\r\n"] {
            let refused = status(page, path, header);
            assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("--keys"), "{path}: {refused}");
        }
    }
    let tool = |server: &Server| server.ready["foxglove"].as_str().unwrap()[5..].to_owned();
    assert!(status(&tool(&open), "/", by_proxy).starts_with("HTTP/1.1 403"));
    let page = locked.studio().unwrap();
    assert!(status(page, "/", by_proxy).starts_with("HTTP/1.1 200"));
    let bearer = format!("{by_proxy}Authorization: Bearer {key}\r\n");
    assert!(status(page, "/metrics", &bearer).starts_with("HTTP/1.1 200"));
}

/// An address that others reach is refused without keys, before anything listens; a keys file that others may read is refused.
#[test]
fn others_are_not_let_in_by_mistake() {
    for option in ["--board", "--studio", "--foxglove"] {
        let outcome = run(["serve", "worlds/empty.toml", option, "0.0.0.0:0"]);
        assert_eq!(outcome.code, Some(4), "{outcome:?}");
        assert!(
            outcome.stderr.starts_with(&format!("{option} 0.0.0.0:0: other machines reach this")),
            "{outcome:?}"
        );
        assert!(outcome.stderr.contains("touchline key") && outcome.stdout.is_empty(), "{outcome:?}");
    }
    let ring = Ring::new();
    ring.key("one", &["--role", "monitor"]);
    let file = ring.file();
    let served = ["serve", "worlds/empty.toml", "--keys", text(&file)];
    let both = run([&served[..], &["--open"]].concat());
    assert_eq!(both.code, Some(2), "{both:?}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let readable = run(served);
    assert_eq!(readable.code, Some(4), "{readable:?}");
    assert!(readable.stderr.contains("mode 644") && readable.stderr.contains("chmod 600"), "{readable:?}");
    // A team that this world does not have.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    ring.key("red", &["--role", "team", "--team", "red"]);
    let unknown = run(["serve", "worlds/f2000.toml", "--keys", text(&file)]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    assert!(
        unknown.stderr.contains("the world has no team \"red\"") && unknown.stderr.contains("blue, yellow")
    );
}

/// Foxglove shows all, so it takes the key of one who sees all, in its address.
#[test]
fn foxglove_needs_a_key() {
    let ring = Ring::new();
    let (monitor, hall) = (ring.key("m", &["--role", "monitor"]), ring.key("h", &["--role", "spectator"]));
    let server = ring.serve("worlds/empty.toml", &["--studio", "off", "--foxglove", "127.0.0.1:0"]);
    let address = server.ready["foxglove"].as_str().unwrap().strip_prefix("ws://").unwrap();
    let status = |query: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "GET /{query} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        String::from_utf8(head.to_vec()).unwrap()
    };
    for query in ["", "?key=", "?key=nonsense", &format!("?key={hall}")] {
        assert_eq!(status(query), "HTTP/1.1 401", "{query}");
    }
    assert_eq!(status(&format!("?key={monitor}")), "HTTP/1.1 101");
}

/// The Soccer Server's protocol knows no keys: its ports are not opened past them unintended, and then its monitors watch.
#[test]
fn soccer_ports_stand_outside_of_the_keys_only_if_that_is_asked_for() {
    let ring = Ring::new();
    ring.key("desk", &["--role", "operator"]);
    let file = ring.file();
    let world = root().join("worlds/soccer.toml");
    let refused =
        run(["serve", text(&world), "--keys", text(&file), "--soccer=127.0.0.1:0", "--studio", "off"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.stderr.contains("--soccer-without-keys"), "{refused:?}");
    let words = ["serve", text(&world), "--keys", text(&file), "--soccer=0.0.0.0:0", "--soccer-without-keys"];
    let refused = run([&words[..], &["--studio", "off"]].concat());
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(refused.stderr.contains("protocol knows no keys"), "{refused:?}");
    assert!(!refused.stderr.contains("there are no keys"), "{refused:?}");
    for (options, answer) in [
        (&["--soccer-without-keys"][..], "(error not_allowed)"),
        (&["--soccer-without-keys", "--soccer-monitors", "command"], "(error illegal_command_form)"),
    ] {
        let server = ring
            .serve("worlds/soccer.toml", &[&["--soccer=127.0.0.1:0", "--studio", "off"], options].concat());
        let port = server.ready["soccer"][0].as_str().unwrap().to_owned();
        let monitor = UdpSocket::bind("127.0.0.1:0").unwrap();
        monitor.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        monitor.send_to(b"(dispinit version 5)\0", &port).unwrap();
        let mut buffer = [0; 9000];
        let (_, own) = monitor.recv_from(&mut buffer).unwrap();
        monitor.send_to(b"(dispcard 1 1 green)\0", own).unwrap();
        let told = loop {
            let length = monitor.recv(&mut buffer).unwrap();
            let told = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if told.contains("(error") {
                break told;
            }
        };
        assert!(told.contains(answer), "{told}");
    }
}
