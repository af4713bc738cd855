//! Plugins that do not return, or end the program: who looks is told which, and what was recorded stays. [P1]

use crate::client::{Client, number};
use crate::program::{Outcome, Server, outcome, run, touchline};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A world in real time with one robot that misbehaves after half a second.
fn world(folder: &TempDir, how: &str) -> PathBuf {
    let until = folder.path().join("until").display().to_string();
    let robot = format!(
        "model = \"bad\"\nmass_kg = 5.0\n\
         motion = {{ plugin = \"misbehave\", params = {{ how = \"{how}\", after_steps = 50, until = {until:?} }} }}\n\
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
    for word in ["misbehave", "rosie", "step 51"] {
        assert!(stall.contains(word), "{stall}");
    }
    assert_eq!(factor, 0.0);
    let Outcome { code, stderr, .. } = server.end_by("TERM");
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stderr.contains("the world stands still: motion plugin \"misbehave\" of rosie"), "{stderr}");
    is_whole_recording(&file);
}

/// What takes long and ends is told while it lasts, and no longer.
#[test]
fn a_plugin_that_returns_late_is_forgiven() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(world(&folder, "dawdle"), &[]);
    let mut client = Client::connect(&server);
    let (told, _) = stall(&mut client);
    assert!(told.contains("misbehave"), "{told}");
    std::fs::write(folder.path().join("until"), "").unwrap();
    while client.ok("STATUS").head.contains(" stalled=") {}
    assert!(client.ok("STATUS").number("step") > 50);
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
        let outcome = outcome(command.args(["--for", "2"]));
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
