//! The examples of docs/protocol.md, typed to the built server: the text is true of it, not only of a stand-in.
//!
//! What is compared is whether a command is carried out, and the code if it is not; the numbers are another world's.

use std::path::Path;
use touchline_tests::client::Client;
use touchline_tests::program::{Server, root};

/// The fenced blocks marked `session`, each with its line number.
fn examples() -> Vec<(usize, String)> {
    let document = std::fs::read_to_string(root().join("docs/protocol.md")).expect("the document");
    let mut examples = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in document.lines().enumerate() {
        match (&mut open, line) {
            (None, "```session") => open = Some((number + 1, String::new())),
            (Some(_), "```") => examples.extend(open.take()),
            (Some((_, text)), line) => *text += &format!("{line}\n"),
            _ => {}
        }
    }
    examples
}

/// The world that the document speaks of: a match in which blue-1, a robot with a player of its own, is number 1.
fn world(folder: &Path) -> std::path::PathBuf {
    let empty = std::fs::read_to_string(root().join("worlds/empty.toml")).expect("a world");
    let pioneer = root().join("robots/pioneer.toml");
    let pioneer = toml::Value::String(pioneer.display().to_string());
    let robot = |name: &str, y_m: f64| {
        format!(
            "\n[[robot]]\nname = \"{name}\"\nteam = \"blue\"\nfile = {pioneer}\npose = {{ x_m = -1.0, y_m = {y_m}, theta_rad = 0.0 }}\n\
             player = {{ plugin = \"striker\", rate_hz = 30, params = {{}} }}\n"
        )
    };
    let referee = "\n[referee]\nplugin = \"f2000\"\n\
                   params = { field_length_m = 5.0, field_width_m = 3.5, half_time_secs = 600.0, halves = 2 }\n";
    // The server offers the robot files of `../robots`, seen from the world's folder.
    for name in ["robots", "worlds"] {
        std::fs::create_dir(folder.join(name)).expect("a folder");
    }
    copy_files(&root().join("robots"), &folder.join("robots"));
    let file = folder.join("worlds/match.toml");
    std::fs::write(&file, format!("{empty}{}{}{referee}", robot("blue-0", 1.2), robot("blue-1", 0.5)))
        .expect("a world");
    file
}

fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let copy = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            std::fs::create_dir(&copy).expect("a folder");
            copy_files(&entry, &copy);
        } else {
            std::fs::copy(&entry, &copy).expect("a copy");
        }
    }
}

/// `OK GET`, `ERR board/role`: what an answer says, without its numbers.
fn gist(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    match words.next()? {
        first @ ("OK" | "ERR") => Some(format!("{first} {}", words.next()?)),
        _ => None,
    }
}

/// C1-C7
#[test]
fn every_example_of_the_protocol_document_works_on_the_built_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = world(folder.path());
    let examples = examples();
    assert!(examples.len() >= 10, "{} examples", examples.len());
    let mut asked = 0;
    for (start, text) in examples {
        // Another machine is not to be had here: server/board plays these against the session itself.
        if text.starts_with("= remote") {
            continue;
        }
        let server = Server::start(&world, &["--studio", "off"]);
        let mut client = Client::connect(&server);
        for (number, line) in text.lines().enumerate() {
            if let Some(said) = line.strip_prefix("> ") {
                client.send(format!("{said}\n"));
            } else if let Some(expected) = line.strip_prefix("< ").and_then(gist) {
                let answer = client.answer();
                assert_eq!(
                    gist(&answer.head).as_ref(),
                    Some(&expected),
                    "docs/protocol.md:{}: {line}\n  got: {answer:?}",
                    start + number + 1
                );
                asked += 1;
            }
        }
    }
    assert!(asked >= 40, "{asked} answers");
}
