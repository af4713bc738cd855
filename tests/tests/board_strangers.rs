//! Those at the message board who send nonsense, vanish, or never read: nobody else is harmed. [C1, C2, I3]

use crate::board::server;
use crate::client::Client;
use std::io::Write;
use std::net::Shutdown;

/// Bad lines are answered, and harm nobody else.
#[test]
fn foreign_bytes_are_answered_and_harm_nobody() {
    let server = server("max");
    let mut watcher = Client::connect(&server);
    watcher.ok("ROBOT witness file=pioneer");

    let mut client = Client::connect(&server);
    client.ok("STATUS");
    client.send(vec![b'x'; 100_000]);
    assert!(client.answer().head.starts_with("ERR board/line-too-long limit=4096 "), "before its end");
    client.send("\nSTATUS\n");
    assert!(client.answer().head.starts_with("OK STATUS "));
    client.send(b"GET \xff\xfe\x00\x01\nSTATUS\n");
    assert!(client.answer().head.starts_with("ERR board/not-text "));
    assert!(client.answer().head.starts_with("OK STATUS "));
    for half in ["STA", "TUS", "\r", "\n"] {
        client.send(half);
    }
    assert!(client.answer().head.starts_with("OK STATUS "));
    // Out of order: the end of an upload that never began, a drive before there is a robot.
    for line in [".", "model = \"x\"", "GET me *", "PUSH me off", "OFFSET", "OK STATUS"] {
        assert!(client.ask(line).head.starts_with("ERR board/"), "{line}");
    }
    client.send("GET witn");
    client.stream.shutdown(Shutdown::Write).expect("half closed");
    assert!(client.message().is_none(), "a half-sent line is nothing");

    let mut flood = Client::connect(&server);
    let mut errors = 0;
    flood.send("nonsense\n".repeat(200));
    loop {
        let message = flood.message().expect("a reason before the end");
        if message.head.starts_with("CLOSE board/too-many-errors ") {
            break;
        }
        errors += 1;
    }
    assert_eq!(errors, 100);
    assert!(flood.message().is_none(), "the end");
    watcher.ok("GET me *");
}

/// A fixed stream of numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// 10,000 random byte strings, some of them made of the protocol's own words: all are read and answered, and the server lives.
#[test]
fn random_bytes_harm_nobody() {
    const WORDS: [&str; 16] = [
        "GET ",
        "ROBOT ",
        "lines=3 ",
        "me ",
        "\n",
        "*",
        "#1 ",
        "PUSH ",
        "1e9 ",
        "\"",
        "HELLO 1 x ",
        "file=pioneer ",
        "=",
        "SYNC ",
        "\\",
        "STEP ",
    ];
    let server = server("max");
    let mut watcher = Client::connect(&server);
    watcher.ok("ROBOT witness file=pioneer");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut string = || {
        let length = random.next() % 60;
        let mut bytes = Vec::new();
        for _ in 0..length {
            match random.next() % 4 {
                0 => bytes.extend_from_slice(WORDS[(random.next() % 16) as usize].as_bytes()),
                1 => bytes.push(b'\n'),
                _ => bytes.push(random.next() as u8),
            }
        }
        bytes
    };
    let strings: Vec<Vec<u8>> = (0..10_000).map(|_| string()).collect();
    let line_count =
        |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();

    let (mut asked, mut answered) = (0, 0);
    let mut rest = strings.as_slice();
    while !rest.is_empty() {
        // After a hundred bad lines the server would listen no more.
        let mut lines = 0;
        let fitting = rest.iter().take_while(|string| {
            lines += line_count(string);
            lines < 90
        });
        let (now, later) = rest.split_at(fitting.count());
        rest = later;
        let sent = now.concat();
        // The dot at the end is one too, unless it ends a robot file.
        asked += line_count(&sent) + 1;
        let mut client = Client::connect(&server);
        // Whose first line is none is sent away.
        client.ok("SYNC 1");
        client.send(&sent);
        // What is half sent is ended, be it a line or a robot file; what is answered last tells that all was read.
        client.send("\n\n\n\n.\n#last SYNC 7\n");
        loop {
            let line = client.line().expect("an answer, not the end");
            if line.starts_with("#last ") {
                assert!(line.starts_with("#last OK SYNC t0=7 "), "{line}");
                break;
            }
            answered += usize::from(["OK ", "ERR ", "#"].iter().any(|start| line.starts_with(start)));
        }
    }
    // Some lines belong to a robot file, and some are blank.
    assert!(answered <= asked && answered > asked * 9 / 10, "{answered} answers to {asked} lines");
    assert!(answered > 50_000, "{answered} answers");
    let before = watcher.ok("STATUS").number("step");
    while watcher.ok("STATUS").number("step") <= before {}
    let robots = watcher.robots();
    assert!(robots.iter().any(|robot| robot.contains(" witness ")), "{robots:?}");
}

/// C2: whoever vanishes, politely or not, takes his robots with him.
#[test]
fn the_robots_of_a_vanished_client_go() {
    let server = server("lockstep");
    let mut watcher = Client::connect(&server);
    let mut polite = Client::connect(&server);
    polite.ok("ROBOT polite file=pioneer");
    polite.ok("ROBOT second file=scout");
    let mut rude = Client::connect(&server);
    rude.ok("ROBOT rude file=pioneer");
    let mut hasty = Client::connect(&server);
    assert_eq!(watcher.robots().len(), 3);

    drop(polite);
    watcher.wait_for_event("robot-removed", "name=polite");
    watcher.wait_for_event("robot-removed", "name=second");

    // Unread answers make the system reset the connection.
    rude.send("HELP\nHELP\n");
    let mut byte = [0];
    rude.stream.peek(&mut byte).expect("the answer is there");
    drop(rude);
    watcher.wait_for_event("robot-removed", "name=rude");

    // Gone before the robot was there.
    hasty.send("ROBOT hasty file=pioneer\n");
    drop(hasty);
    watcher.wait_for_event("robot-added", "name=hasty");
    watcher.wait_for_event("robot-removed", "name=hasty");
    assert!(watcher.robots().is_empty());
}

/// I3: a client that never reads is cut off and its robot goes; meanwhile the world and all others go on.
#[test]
fn a_client_that_never_reads_is_cut_off_alone() {
    let server = server("1");
    let mut watcher = Client::connect(&server);
    watcher.ok("ROBOT witness file=pioneer");
    let mut mute = Client::connect(&server);
    mute.ok("ROBOT mute file=pioneer");
    mute.ok("PUSH me 5 *");
    let flood = std::thread::spawn(move || {
        let gets = "GET me *\n".repeat(1000);
        while mute.stream.write_all(gets.as_bytes()).is_ok() {}
    });
    let (mut since, mut gone, mut steps) = (0, false, std::collections::BTreeSet::new());
    while !gone {
        steps.insert(watcher.ok("GET me *").number("step"));
        let events = watcher.ok(&format!("EVENTS since={since}"));
        since = events.number("next");
        gone =
            events.lines.iter().any(|line| line.contains(" robot-removed ") && line.ends_with("name=mute"));
    }
    assert!(steps.len() > 10, "the other was served all the time: {}", steps.len());
    flood.join().expect("its connection was closed");
    assert!(watcher.robots().iter().any(|robot| robot.contains(" witness ")));
}
