//! The examples of docs/protocol.md, typed to the built server: the text is true of it, not only of a stand-in.
//!
//! What is compared is all but the numbers and names, which are another world's: of an `OK` and the lines of its block their words
//! and the keys of their fields, an `ERR` and what else is a sentence as it stands.

use crate::client::Client;
use crate::program::{Server, root};
use std::path::Path;

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
    // The kick-off is that of a team without robots: it is not over before it is asked for.
    let referee = "\n[referee]\nplugin = \"f2000\"\n\
                   params = { field_length_m = 5.0, field_width_m = 3.5, half_time_secs = 600.0, halves = 2, kick_off_secs = 60.0, first_kick_off = \"yellow\" }\n";
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

/// The keys of which the document speaks.
fn keys(folder: &Path) -> std::path::PathBuf {
    let file = folder.join("keys.toml");
    let text = "[[key]]\nname = \"operator\"\nrole = \"operator\"\n\
                sha256 = \"6bb87d326a4d86a52046d781009558af1bfdeafe938278dfd0b17dd326ffa4b1\"\n\
                [[key]]\nname = \"blue\"\nrole = \"team\"\nteam = \"blue\"\n\
                sha256 = \"3b7d0b4e5d10f9f8c0666361ba9849cbff0641ae593705b2cf7177aad83becff\"\n";
    std::fs::write(&file, text).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    }
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

/// What has not happened in this world, or stands on it: that there are such lines cannot be seen here.
const MAY_LACK: [&str; 3] = ["EVENT", "MESSAGE", "BOOKMARK"];

/// A line without what is another world's: digits are `0`; of lines that are made of fields only the keys are left.
fn gist(line: &str) -> String {
    let mut words = line.split(' ');
    let word = words.next().unwrap_or_default();
    let is_sentence = ["ERR", "PROBLEM", "GONE", "CLOSE"].contains(&word);
    if is_sentence || !word.bytes().all(|byte| byte.is_ascii_uppercase()) || word.len() < 2 {
        return without_numbers(line);
    }
    let mut gist = word.to_owned();
    // An answer's command; what a robot has.
    if ["OK", "DIM", "DATUM", "SENSOR", "FEATURE", "FIELD", "MANIPULATOR", "DATA"].contains(&word) {
        gist += &format!(" {}", words.next().unwrap_or_default());
    }
    for word in words {
        // A quoted text is the last of a line.
        if word.starts_with('"') {
            return gist + " \"\"";
        }
        if let Some((key, _)) = word.split_once('=') {
            gist += &format!(" {key}=");
        }
    }
    gist
}

fn without_numbers(line: &str) -> String {
    let mut short = String::new();
    for letter in line.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }) {
        if !(letter == '0' && short.ends_with('0')) {
            short.push(letter);
        }
    }
    short
}

/// `…` stands for anything, once in a line.
fn fits(expected: &str, got: &str) -> bool {
    let (expected, got) = (gist(expected), gist(got));
    match expected.split_once('…') {
        Some((start, end)) => got.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => expected == got,
    }
}

/// C1-C7
#[test]
fn every_example_of_the_protocol_document_works_on_the_built_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = world(folder.path());
    let examples = examples();
    assert!(examples.len() >= 10, "{} examples", examples.len());
    let (mut heads, mut lines) = (0, 0);
    let mut wrong = String::new();
    for (start, text) in examples {
        // Slowly: time goes on, as pushes need, and the kick-off of 60 s lasts for twenty minutes however busy the machine is.
        let (keys, mut options) = (keys(folder.path()), vec!["--studio", "off", "--speed", "0.05"]);
        let has_keys = text.starts_with("= keys");
        if has_keys {
            options.extend(["--keys", keys.to_str().expect("a path in UTF-8")]);
        }
        let server = Server::start(&world, &options);
        // The referee has its first word after the first step.
        let mut watcher = Client::connect(&server);
        if has_keys {
            watcher.ok("HELLO 1 watcher key=the-operator-key-of-these-pages-1");
        }
        while watcher.ok("STATUS").number("step") == 0 {}
        drop(watcher);
        let mut client = Client::connect(&server);
        let mut block = Vec::new();
        // The greeting is read by then.
        for (number, line) in text.lines().enumerate().skip(1 + usize::from(has_keys)) {
            if let Some(said) = line.strip_prefix("> ") {
                client.send(format!("{said}\n"));
                continue;
            }
            let Some(expected) = line.strip_prefix("< ") else { continue };
            let word = expected.split(' ').next().expect("a word");
            let does_fit = if ["OK", "ERR"].contains(&word) {
                let answer = client.answer();
                block = answer.lines;
                heads += 1;
                fits(expected, &answer.head).then_some(()).ok_or(answer.head)
            } else if ["STATE", "GONE"].contains(&word) {
                let notice = client.notice();
                block = notice.lines;
                heads += 1;
                fits(expected, &notice.head).then_some(()).ok_or(notice.head)
            } else {
                lines += 1;
                let is_there = block.iter().any(|line| fits(expected, line)) || MAY_LACK.contains(&word);
                is_there.then_some(()).ok_or_else(|| block.join("\n       "))
            };
            if let Err(got) = does_fit {
                wrong += &format!("docs/protocol.md:{}: {line}\n  got: {got}\n", start + number + 1);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(heads >= 60 && lines >= 40, "{heads} answers, {lines} lines of blocks");
}
