//! Damaged recordings, and those that were made for harm, with the built program. [mechanism 7]

use crate::client::Client;
use crate::program::{Outcome, Server, outcome, root, run, touchline};
use std::path::Path;
use std::process::Command;

const WORLD: &str = "worlds/f2000.toml";
const STATE: &str = "/touchline/state";
/// The record that a chunk is.
const CHUNK: u8 = 6;

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn log(arguments: &[&str]) -> Outcome {
    run([&["log"], arguments].concat())
}

/// Three seconds of a match; a chunk ends with each, and where the recorder, who goes by the clock, ends others.
fn recorded(file: &str) -> Vec<u8> {
    let server =
        Server::start(WORLD, &["--studio", "off", "--speed", "lockstep", "--record", file, "--record-sync"]);
    let mut desk = Client::operator(&server);
    for second in 1..=3 {
        desk.ok("STEP 100");
        desk.ok(&format!("BALL 0 0.{second} 0 0 0"));
        // What was recorded comes into the file a little later.
        while log(&["info", file, "--json"]).json()["ticks"].as_u64().unwrap() < 100 * second {}
    }
    let ended = server.end_by("TERM");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    std::fs::read(file).unwrap()
}

/// Where each record of a file begins, and its kind.
fn records(bytes: &[u8]) -> Vec<(usize, u8)> {
    let (mut at, mut found) = (8, Vec::new());
    while let Some(head) = bytes.get(at..at + 9) {
        found.push((at, head[0]));
        at += 9 + u64::from_le_bytes(head[1..].try_into().unwrap()) as usize;
    }
    found
}

/// The last chunk that is over before the last tick, spoilt by one bit: it is behind the first second.
fn spoilt(bytes: &[u8]) -> Vec<u8> {
    let chunks = records(bytes).into_iter().filter(|&(_, kind)| kind == CHUNK);
    // A chunk begins with the times of its first and its last message.
    let chunks: Vec<(usize, u64)> =
        chunks.map(|(at, _)| (at, u64::from_le_bytes(bytes[at + 17..at + 25].try_into().unwrap()))).collect();
    let last = chunks.iter().map(|&(_, end)| end).max();
    let (at, _) = chunks.iter().rfind(|&&(_, end)| Some(end) < last).expect("a chunk of each second");
    let mut bytes = bytes.to_vec();
    // In the checksum: what a bit in the packed data does depends on where it is.
    bytes[at + 33] ^= 0x10;
    bytes
}

/// One bit is wrong, and every command says so and where, and makes nothing of it; what is whole on both sides of it
/// can be recovered, and what is missing is said.
#[test]
fn a_spoilt_bit_fails_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, file, out) =
        (path(&folder, "whole.mcap"), path(&folder, "spoilt.mcap"), path(&folder, "out.mcap"));
    std::fs::write(&file, spoilt(&recorded(&whole))).unwrap();
    let commands: [&[&str]; 8] = [
        &["log", "info", &file],
        &["log", "verify", &file],
        &["log", "csv", &file],
        &["log", "csv", &file, "--topic", STATE],
        &["log", "compare", &file, &whole, "--topic", STATE],
        &["log", "compare", &whole, &file, "--topic", STATE],
        &["log", "cut", &file, "--from", "0", "--to", "1", "--out", &out],
        &["replay", &file],
    ];
    for command in commands {
        let refused = run(command);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{command:?}: {refused:?}");
        let says = |word: &str| refused.stderr.contains(word);
        assert!(says("damaged at byte") && says("checksum") && says("log recover"), "{refused:?}");
        assert!(!Path::new(&out).exists(), "{command:?}");
    }
    let recovered = log(&["recover", &file, "--out", &out]);
    assert_eq!(recovered.code, Some(0), "{recovered:?}");
    let says = |word: &str| recovered.stdout.contains(word);
    assert!(
        says("left out  byte") && says("gap       step") && says("messages of /touchline/poses"),
        "{recovered:?}"
    );
    let [before, after] = [&whole, &out].map(|file| log(&["info", file, "--json"]).json());
    assert_eq!(
        (&after["whole"], &after["ticks"]),
        (&true.into(), &before["ticks"]),
        "what is behind is kept"
    );
    assert_eq!(after["gaps"].as_array().unwrap().len(), 1, "{after}");
    let verified = log(&["verify", &out, "--json"]);
    assert_eq!(verified.code, Some(1), "not all of it can be compared: {verified:?}");
    // Where the spoilt chunk begins is the recorder's affair: all before it is compared.
    let lost_from = after["gaps"][0]["from"].as_u64().unwrap();
    assert!(
        lost_from > 1 && verified.json()["compared"].as_u64().unwrap() >= lost_from,
        "{lost_from}: {verified:?}"
    );
}

/// A recording that was cut off can be looked at, and is nowhere taken for a whole one.
#[test]
fn a_recording_that_was_cut_off_is_nowhere_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, file, out) =
        (path(&folder, "whole.mcap"), path(&folder, "cut.mcap"), path(&folder, "out.mcap"));
    let bytes = recorded(&whole);
    let end = records(&bytes).into_iter().rfind(|&(_, kind)| kind == CHUNK).unwrap().0;
    std::fs::write(&file, &bytes[..end + 20]).unwrap();
    let verified = log(&["verify", &file]);
    assert_eq!(verified.code, Some(1), "{verified:?}");
    assert!(
        verified.stdout.contains("are the same") && verified.stdout.contains("cut off after"),
        "{verified:?}"
    );
    for command in [
        &["csv", &file][..],
        &["csv", &file, "--topic", STATE],
        &["compare", &file, &whole, "--topic", STATE],
        &["cut", &file, "--to", "1", "--out", &out],
    ] {
        let refused = log(command);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{command:?}: {refused:?}");
        assert!(
            refused.stderr.contains("cut off after") && refused.stderr.contains("log recover"),
            "{refused:?}"
        );
    }
    let replay = Server::replay(&file, &["--studio", "off", "--speed", "0.001"]);
    let status = Client::operator(&replay).ok("STATUS");
    assert!(status.head.contains("recording_failure=\"the recording was cut off after"), "{status:?}");
    assert_eq!(log(&["recover", &file, "--out", &out]).code, Some(0));
    assert_eq!(log(&["verify", &out]).code, Some(0));
    assert_eq!(log(&["csv", &out]).code, Some(0));
}

/// 300 kB that unpack to 8 GB are refused by every command, in little memory.
#[test]
#[cfg(target_os = "linux")]
fn a_small_file_does_not_take_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, file, out) =
        (path(&folder, "whole.mcap"), path(&folder, "bomb.mcap"), path(&folder, "out.mcap"));
    let bytes = recorded(&whole);
    let first_chunk = records(&bytes).into_iter().find(|&(_, kind)| kind == CHUNK).unwrap().0;
    // One message of 8 MB of spaces and a null on the channel of states, as a file of its own packs it; a thousand times.
    let mut packed = mcap::WriteOptions::new()
        .compression(Some(mcap::Compression::Zstd))
        .chunk_size(None)
        .create(std::io::Cursor::new(Vec::new()))
        .unwrap();
    let mut message = vec![b' '; 8 << 20];
    message.extend(b"null");
    let channels =
        ["/a", "/b", STATE].map(|topic| packed.add_channel(0, topic, "json", &Default::default()).unwrap());
    let header =
        mcap::records::MessageHeader { channel_id: channels[2], sequence: 0, log_time: 0, publish_time: 0 };
    packed.write_to_known_channel(&header, &message).unwrap();
    packed.finish().unwrap();
    let packed = packed.into_inner().into_inner();
    let places = records(&packed);
    let place = places.iter().position(|&(_, kind)| kind == CHUNK).unwrap();
    let chunk = &packed[places[place].0..places[place + 1].0];
    std::fs::write(&file, [&bytes[..first_chunk], &chunk.repeat(1000)].concat()).unwrap();
    assert!(std::fs::metadata(&file).unwrap().len() < 2 << 20);
    for arguments in [
        &["log", "info", &file][..],
        &["log", "verify", &file],
        &["log", "csv", &file],
        &["log", "csv", &file, "--topic", STATE],
        &["log", "compare", &file, &whole, "--topic", STATE],
        &["log", "cut", &file, "--to", "1", "--out", &out],
        &["log", "recover", &file, "--out", &out],
        &["replay", &file],
    ] {
        // A gigabyte of addresses, of which the program itself takes a part.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 1500000; exec \"$0\" \"$@\""]).arg(touchline()).args(arguments);
        let refused = outcome(command.current_dir(root()));
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{arguments:?}: {refused:?}");
        assert!(
            refused.stderr.contains("unpack to") || refused.stderr.contains("makes no sense"),
            "{refused:?}"
        );
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
}
