//! Recordings on slow and on full disks, by the built server: they harm nobody, and say what they lack. [mechanism 7, I3]
#![cfg(target_os = "linux")]
use crate::client::Client;
use crate::program::{Outcome, Server, command, outcome, root, run, touchline};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const WORLD: &str = "worlds/f2000.toml";

fn log(arguments: &[&str]) -> Outcome {
    run([&["log"], arguments].concat())
}

fn in_folder(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// One value of `/metrics`.
fn metric(server: &Server, name: &str) -> u64 {
    let mut stream = TcpStream::connect(server.studio().unwrap()).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let mut values = answer.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    values.next().unwrap_or_else(|| panic!("{name} in {answer}")).parse().unwrap()
}

/// The library that makes a disk slow, compiled.
fn slow_disk(folder: &TempDir) -> PathBuf {
    let library = folder.path().join("libslow.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-O1", "-shared", "-fPIC", "-o"]).arg(&library);
    compiler.arg(root().join("tests/tests/full/disks/slow.c"));
    let compiled = outcome(&mut compiler);
    assert_eq!(compiled.code, Some(0), "{compiled:?}");
    library
}

/// I3: a disk that takes nothing holds up no step. What finds no place is counted, and the log says from where to where;
/// inputs and digests are kept, so every step is verified all the same, across the gap to the same state; `STATUS` counts.
#[test]
fn a_slow_disk_holds_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let (file, hold) = (in_folder(folder.path(), "slow.mcap"), folder.path().join("hold"));
    let mut serve = command(["serve", WORLD]);
    serve.env("LD_PRELOAD", slow_disk(&folder)).env("SLOW_DISK", folder.path());
    let server = Server::launch(serve, &["--speed", "lockstep", "--record", &file]);
    let lost = || metric(&server, "touchline_recorder_lost_ticks_total");
    let mut desk = Client::operator(&server);
    desk.ok("STEP 200");
    assert_eq!(lost(), 0);

    std::fs::write(&hold, "").unwrap();
    while !folder.path().join("waits").exists() {
        desk.ok("STEP 10");
    }
    let (length, begun) = (std::fs::metadata(&file).unwrap().len(), desk.ok("STATUS").number("step"));
    desk.ok("STEP 6000");
    desk.ok("BALL 0 0.5 0.5 1 0");
    desk.ok("STEP 2000");
    assert_eq!(desk.ok("STATUS").number("step"), begun + 8000);
    assert_eq!(metric(&server, "touchline_steps_total"), begun + 8000);
    assert_eq!(std::fs::metadata(&file).unwrap().len(), length, "the disk took nothing meanwhile");
    let lost_so_far = lost();
    assert!((8000 - 4096..=8000).contains(&lost_so_far), "{lost_so_far}");

    std::fs::remove_file(&hold).unwrap();
    let mut before = u64::MAX;
    while lost() != before {
        before = lost();
        desk.ok("STEP 10");
    }
    desk.ok("STEP 300");
    let total = lost();
    assert_eq!(desk.ok("TIMELINE kind=none").number("lost"), total);
    let status = desk.ok("STATUS");
    assert_eq!(status.number("lost_poses"), total);
    assert!(!status.head.contains("lost_digests=") && !status.head.contains("lost_inputs="), "{status:?}");
    let hash = desk.ok("STATUS").field("state_hash").to_owned();
    let ended = server.end_by("TERM");
    assert_eq!(ended.code, Some(0), "{ended:?}");

    let info = log(&["info", &file, "--json"]).json();
    let gaps = info["gaps"].as_array().unwrap();
    let spans = gaps.iter().map(|gap| gap["to"].as_u64().unwrap() - gap["from"].as_u64().unwrap());
    // A gap may begin with something else that was lost.
    let (count, span) = (gaps.len() as u64, spans.sum::<u64>());
    assert!(count > 0 && (total..=total + count).contains(&span), "{gaps:?}, {total} lost");
    assert!(gaps.iter().all(|gap| gap["inputs_lost"] == false), "{gaps:?}");
    let text = log(&["info", &file]).stdout;
    let (from, last) = (&gaps[0]["from"], gaps[0]["to"].as_u64().unwrap() - 1);
    let named = format!("gap       steps {from} to {last}: poses were lost");
    assert!(text.contains(&named) || text.contains(&format!("gap       step {from}: ")), "{text}");

    let verified = log(&["verify", &file, "--json"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let verified = verified.json();
    assert_eq!(verified["not_compared"], 0, "issue 15, 4: what was thinned is verified by its digests");
    assert_eq!((&verified["same"], &verified["state_hash"]), (&true.into(), &hash.into()));
    let table = log(&["csv", &file]);
    assert!(table.stderr.contains("poses were lost"), "a table says what it lacks: {}", table.stderr);
}

/// Steps until the recorder, which reads its queue every few milliseconds, has met the end of the disk; gives its reason.
fn fill(desk: &mut Client) -> String {
    loop {
        desk.ok("STEP 1000");
        let status = desk.ok("STATUS");
        if status.head.contains("recording_failure=") {
            return status.head;
        }
    }
}

/// No file may be above this size: to the process that is a full disk. A recording that was begun by name ends with its
/// reason in status and log, the world goes on, and the next one may begin.
#[test]
fn a_recording_that_was_begun_by_name_ends_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = Command::new("sh");
    serve.args(["-c", "trap '' XFSZ; ulimit -f 800; exec \"$0\" serve \"$@\""]).arg(touchline());
    serve.arg(WORLD).current_dir(root());
    let recordings = folder.path().display().to_string();
    let server = Server::launch(serve, &["--speed", "lockstep", "--recordings", &recordings]);
    let mut desk = Client::operator(&server);
    desk.ok("RECORD start full");
    assert_eq!(metric(&server, "touchline_recording"), 1);
    let status = fill(&mut desk);
    assert!(status.contains("full.mcap") && status.contains("File too large"), "{status}");
    assert_eq!(metric(&server, "touchline_recording"), 0);
    assert!(desk.fails("RECORD stop").contains("record/not-recording"));

    let before = desk.ok("STATUS").number("step");
    desk.ok("STEP 100");
    assert_eq!(desk.ok("STATUS").number("step"), before + 100);
    desk.ok("SEEK 50");
    desk.ok("RECORD start next");
    assert!(!desk.ok("STATUS").head.contains("recording_failure="));
    desk.ok("STEP 100");
    let ended = server.end_by("TERM");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let said = ended.stderr.lines().filter(|line| line.contains("the recording ends here"));
    assert_eq!(said.clone().count(), 1, "{ended:?}");
    assert!(said.clone().all(|line| line.contains("full.mcap") && line.contains("can be read")), "{ended:?}");

    for (name, whole, code) in [("full.mcap", false, 1), ("next.mcap", true, 0)] {
        let file = in_folder(folder.path(), name);
        assert_eq!(log(&["info", &file, "--json"]).json()["whole"], whole);
        let verified = log(&["verify", &file]);
        assert_eq!(verified.code, Some(code), "{name}: {verified:?}");
    }
}

/// A small disk in memory, while it lives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where such a thing may not be made.
    fn mount(folder: &Path) -> Option<Self> {
        let place = folder.join("disk");
        std::fs::create_dir(&place).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=400k", "tmpfs"]).arg(&place);
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        is_mounted.then_some(Self(place))
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// The same on a disk that is really full: what cannot be saved is refused and leaves nothing behind, and goes well again
/// when there is room.
#[test]
fn a_full_disk_is_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path()) else {
        eprintln!("skipped: a_full_disk_is_left_as_it_was: no disk can be mounted here");
        return;
    };
    let recordings = disk.0.display().to_string();
    let server = Server::start(WORLD, &["--speed", "lockstep", "--recordings", &recordings]);
    let mut desk = Client::operator(&server);
    desk.ok("RECORD start full");
    let status = fill(&mut desk);
    assert!(status.contains("No space left"), "{status}");
    for request in ["RECORD save more", "RECORD start more"] {
        let refused = desk.fails(request);
        assert!(refused.contains("No space left"), "{refused}");
        assert_eq!(disk.names(), ["full.mcap"]);
    }
    desk.ok("STEP 100");

    let kept = in_folder(folder.path(), "kept.mcap");
    std::fs::copy(disk.0.join("full.mcap"), &kept).unwrap();
    std::fs::remove_file(disk.0.join("full.mcap")).unwrap();
    desk.ok("RECORD save more");
    let hash = desk.ok("STATUS").field("state_hash").to_owned();
    let verified = log(&["verify", &kept]);
    assert_eq!(verified.code, Some(1), "it was cut off: {verified:?}");
    assert!(verified.stdout.contains("are the same, bit by bit"), "{verified:?}");
    let verified = log(&["verify", &in_folder(&disk.0, "more.mcap"), "--json"]).json();
    assert_eq!((&verified["same"], &verified["state_hash"]), (&true.into(), &hash.into()));
    drop(server);
}
