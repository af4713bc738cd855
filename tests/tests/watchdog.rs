//! Plugins that do not return, or end the program: who looks is told which, and what was recorded stays. [P1]

use crate::client::{Client, number};
use crate::metrics::metrics;
use crate::program::{Outcome, Server, outcome, run, touchline};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tokio_tungstenite::tungstenite;

/// A world in real time with one robot that misbehaves after two seconds. What a world that hangs has gathered for the recorder, up to 50 steps, is lost.
fn world(folder: &TempDir, how: &str) -> PathBuf {
    let until = folder.path().join("until").display().to_string();
    let robot = format!(
        "model = \"bad\"\nmass_kg = 5.0\n\
         motion = {{ plugin = \"misbehave\", params = {{ how = \"{how}\", after_steps = 200, until = {until:?} }} }}\n\
         body = [{{ shape = \"circle\", radius_m = 0.2 }}]\n"
    );
    let world = folder.path().join("w.toml");
    std::fs::write(folder.path().join("bad.toml"), robot).unwrap();
    std::fs::write(&world, "name = \"w\"\n[[robot]]\nname = \"rosie\"\nfile = \"bad.toml\"\n").unwrap();
    world
}

/// The watchdog's word for the plugin, as soon as `STATUS` has it.
fn stall(client: &mut Client) -> (String, f64) {
    loop {
        let status = client.ok("STATUS");
        if status.head.contains(" stalled=") {
            let factor = number(&status.head, "real_time_factor");
            return (status.head, factor);
        }
    }
}

fn is_whole_recording(file: &Path) {
    let info = run(["log", "info", &file.to_string_lossy(), "--json"]).json();
    assert_eq!(info["whole"], true, "{info}");
    assert!(info["ticks"].as_u64().is_some_and(|ticks| ticks >= 40), "{info}");
}

/// A plugin that does not return is named with its robot and its step, time stands, and one signal ends the program as a failure, with
/// the recording whole.
#[cfg(unix)]
#[test]
fn a_plugin_that_does_not_return_is_named_and_does_not_keep_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.mcap");
    let server = Server::start(world(&folder, "hang"), &["--record", &file.to_string_lossy()]);
    let (stall, factor) = stall(&mut Client::connect(&server));
    for word in ["misbehave", "rosie", "step 201"] {
        assert!(stall.contains(word), "{stall}");
    }
    assert_eq!(factor, 0.0);
    let Outcome { code, stderr, .. } = server.end_by("TERM");
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stderr.contains("the world stands still: motion plugin \"misbehave\" of rosie"), "{stderr}");
    is_whole_recording(&file);
}

/// Who does not wait for the watchdog, and signals again, ends the program; the recording is whole all the same.
#[cfg(unix)]
#[test]
fn a_second_signal_ends_the_program_with_its_recording() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.mcap");
    let server = Server::start(world(&folder, "hang"), &["--record", &file.to_string_lossy()]);
    let mut client = Client::connect(&server);
    // The step that does not return has begun, or is about to.
    while client.ok("STATUS").number("step") < 200 {}
    let first = Command::new("kill").args(["-s", "TERM", &server.id().to_string()]).status().unwrap();
    assert!(first.success());
    // It has taken it when it sends its clients away.
    while client.message().is_some() {}
    let Outcome { code, stderr, .. } = server.end_by("TERM");
    // On a machine that is busy the watchdog may come first.
    match code {
        Some(130) => assert!(stderr.contains("ended by a second signal: the program is ended"), "{stderr}"),
        Some(5) => assert!(stderr.contains("has not returned for"), "{stderr}"),
        code => panic!("{code:?}: {stderr}"),
    }
    is_whole_recording(&file);
}

/// The next thing that a page is told of what keeps the world: a reason, or that it is over.
fn told_to_page(page: &mut tungstenite::WebSocket<TcpStream>) -> serde_json::Value {
    loop {
        let tungstenite::Message::Text(text) = page.read().unwrap() else { continue };
        let message: serde_json::Value = serde_json::from_str(&text).unwrap();
        if message["type"] == "stall" {
            return message["reason"].clone();
        }
    }
}

/// What takes long and ends is told while it lasts, to clients, pages and measurements, and no longer.
#[test]
fn a_plugin_that_returns_late_is_forgiven() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(world(&folder, "dawdle"), &[]);
    let mut client = Client::connect(&server);
    let (told, _) = stall(&mut client);
    assert!(told.contains("misbehave"), "{told}");
    let measured = metrics(&server);
    assert_eq!((measured["touchline_stalled"], measured["touchline_real_time_factor_ratio"]), (1.0, 0.0));
    let address = server.studio().unwrap();
    let stream = TcpStream::connect(address).unwrap();
    let (mut page, _) = tungstenite::client(format!("ws://{address}/ws"), stream).unwrap();
    let reason = told_to_page(&mut page);
    let reason = reason.as_str().unwrap();
    assert!(["misbehave", "rosie", "step 201"].iter().all(|word| reason.contains(word)), "{reason}");
    std::fs::write(folder.path().join("until"), "").unwrap();
    while !told_to_page(&mut page).is_null() {}
    while client.ok("STATUS").head.contains(" stalled=") {}
    assert_eq!(metrics(&server)["touchline_stalled"], 0.0);
    assert!(client.ok("STATUS").number("step") > 200);
}

/// A plugin that ends the program, in whatever way it can be caught, is named last, and no end of it looks like success.
#[cfg(unix)]
#[test]
fn a_plugin_that_ends_the_program_is_named() {
    for (how, says) in [("abort", "SIGABRT"), ("overflow", "crashed the program"), ("exit", "by exit()")] {
        let folder = tempfile::tempdir().unwrap();
        let world = world(&folder, how);
        // Without a core file, which would stay in the tree.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -c 0; exec \"$0\" \"$@\""]).arg(touchline()).arg("run").arg(&world);
        let outcome = outcome(command.args(["--for", "3"]));
        assert_ne!(outcome.code, Some(0), "{how}: {outcome:?}");
        let said = "motion plugin \"misbehave\" of rosie";
        assert!(outcome.stderr.contains(said) && outcome.stderr.contains(says), "{how}: {outcome:?}");
    }
}

/// A sensor that does not return a reading keeps those who read it, on more connections than the server has threads for them;
/// others are answered, and the program ends as it should.
#[cfg(unix)]
#[test]
fn a_sensor_that_does_not_return_keeps_only_who_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(&folder, "not");
    let robot = folder.path().join("bad.toml");
    let mut text = std::fs::read_to_string(&robot).unwrap();
    text.push_str(
        "[[sensor]]\nid = \"eye\"\nmodel = \"x\"\nplugin = \"misbehave\"\nparams = { how = \"hang\" }\n",
    );
    std::fs::write(&robot, text).unwrap();
    let server = Server::start(world, &["--studio", "off"]);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut readers: Vec<Client> = (0..threads + 6).map(|_| Client::connect(&server)).collect();
    for reader in &mut readers {
        reader.ok("LIST");
        reader.send("GET rosie eye\n");
    }
    let mut other = Client::connect(&server);
    for _ in 0..20 {
        other.ok("STATUS");
    }
    assert!(other.ok("DESCRIBE rosie").lines.iter().any(|line| line.starts_with("SENSOR eye ")));
    let Outcome { code, stderr, .. } = server.end_by("TERM");
    assert_eq!(code, Some(0), "{stderr}");
}
