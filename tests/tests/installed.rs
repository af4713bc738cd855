//! The program without paths: worlds, robots and plugins that it finds, the client by hand, and what a run is expected to come to. [P1, W1, C1]

use crate::program::{Outcome, Server, command, outcome, run, touchline};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Copies a folder of the repository, or of the build.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let there = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &there);
        } else {
            fs::copy(&entry, &there).unwrap();
        }
    }
}

/// The program as it is installed below a prefix, called from a folder where nothing of us is.
fn installed(prefix: &Path, arguments: &[&str]) -> Outcome {
    let mut program = Command::new(prefix.join("bin/touchline"));
    program.args(arguments).current_dir(prefix.join("elsewhere")).stdin(Stdio::null());
    outcome(&mut program)
}

/// An installation finds its own plugins, robots and worlds, wherever it is moved, and files of the user's name them without a path.
#[test]
fn an_installation_needs_no_path() {
    let prefix = tempfile::tempdir().unwrap();
    let prefix = prefix.path();
    let root = crate::program::root();
    copy(touchline().parent().unwrap(), &prefix.join("lib/touchline"));
    fs::create_dir_all(prefix.join("bin")).unwrap();
    fs::create_dir_all(prefix.join("elsewhere")).unwrap();
    fs::rename(prefix.join("lib/touchline/touchline"), prefix.join("bin/touchline")).unwrap();
    let without = installed(prefix, &["run", "empty", "--steps", "1"]);
    assert_eq!(without.code, Some(4), "{without:?}");
    assert!(without.stderr.contains("cargo xtask install --prefix DIR"), "{without:?}");
    for folder in ["robots", "worlds"] {
        copy(&root.join(folder), &prefix.join("share/touchline").join(folder));
    }
    let played = installed(prefix, &["run", "f2000", "--steps", "10", "--expect", "faults == 0"]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let own = "name = \"own\"\n[[robot]]\nname = \"rosie\"\nfile = \"pioneer\"\n";
    fs::write(prefix.join("elsewhere/f2000"), own).unwrap();
    let checked = installed(prefix, &["check", "pioneer", "keeper", "f2000"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    // A file that is there wins over a name.
    assert!(
        checked.stdout.contains("world \"own\"") && checked.stdout.contains("robot \"pioneer"),
        "{checked:?}"
    );
    let listed = installed(prefix, &["plugins"]);
    assert!(listed.stdout.contains("striker") && !listed.stdout.contains("misbehave"), "{listed:?}");
    assert!(installed(prefix, &["plugins", "--all"]).stdout.contains("misbehave"));
}

/// What the environment names is searched, and a folder that is not there is named with its variable.
#[test]
fn the_environment_names_folders() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), "name = \"mine\"\n").unwrap();
    let run_mine =
        |variable: &str, value: &Path| outcome(command(["run", "mine", "--steps", "1"]).env(variable, value));
    assert_eq!(run_mine("TOUCHLINE_WORLDS", folder.path()).code, Some(0));
    for variable in ["TOUCHLINE_WORLDS", "TOUCHLINE_PLUGINS", "TOUCHLINE_ROBOTS"] {
        let refused = run_mine(variable, &folder.path().join("nowhere"));
        assert_eq!(refused.code, Some(4), "{refused:?}");
        assert!(refused.stderr.contains(variable), "{refused:?}");
    }
}

/// The client by hand in a pipe: what is sent, and every answer in its order.
#[test]
fn a_client_in_a_pipe() {
    let server = Server::start("worlds/empty.toml", &["--speed", "lockstep"]);
    let mut client = command(["connect", &server.board.to_string(), "--role", "operator"]);
    let mut client = client.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = "robot rosie file=pioneer\n\nSTEP 2\nGET rosie odometry\nNONSENSE\n";
    client.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = client.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let heads: Vec<&str> = said.lines().filter(|line| !line.starts_with("DATA ")).collect();
    let begin = ["TOUCHLINE 1", "OK HELLO", "OK ROBOT", "OK STEP", "OK GET", "ERR board/", "OK BYE"];
    assert_eq!(heads.len(), begin.len(), "{said}");
    assert!(heads.iter().zip(begin).all(|(line, begin)| line.starts_with(begin)), "{said}");
    assert!(output.status.success());
    let nobody = run(["connect", "127.0.0.1:1"]);
    assert_eq!(nobody.code, Some(4), "{nobody:?}");
    assert!(nobody.stderr.contains("touchline demo"), "{nobody:?}");
}

/// What is expected and does not come is exit code 1; it is written down for programs.
#[test]
fn a_run_is_held_against_what_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.xml");
    let expect = |expectation: &str| {
        let junit = file.to_str().unwrap();
        run([
            "run",
            "worlds/f2000.toml",
            "--steps",
            "10",
            "--json",
            "--junit",
            junit,
            "--expect",
            expectation,
        ])
    };
    let met = expect("steps == 10");
    assert_eq!((met.code, &met.json()["expectations"][0]["met"]), (Some(0), &true.into()), "{met:?}");
    let missed = expect("score.blue > score.yellow");
    assert_eq!(
        (missed.code, &missed.json()["expectations"][0]["met"]),
        (Some(1), &false.into()),
        "{missed:?}"
    );
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("failures=\"1\"") && written.contains("score.blue &gt; score.yellow"),
        "{written}"
    );
    assert_eq!(expect("score.green > 0").code, Some(3));
    assert_eq!(expect("score.blue").code, Some(2));
}

/// Robots, worlds, parts of them and empty files are told apart.
#[test]
fn check_tells_files_apart() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.toml");
    fs::write(&empty, "# nothing\n").unwrap();
    let check = |file: &str| run(["check", "--json", file]).json()["files"][0].clone();
    for (file, sound, says) in [
        ("robots/pioneer.toml", true, "robot \"pioneer"),
        ("worlds/empty.toml", true, "world \"empty"),
        ("robots/parts/lms200.toml", true, "part of a robot"),
        ("worlds/parts/f2000-markings.toml", true, "part of a world"),
        (empty.to_str().unwrap(), false, "the file is empty"),
    ] {
        let checked = check(file);
        assert_eq!(checked["sound"], sound, "{checked}");
        assert!(checked["said"].as_str().unwrap().contains(says), "{checked}");
    }
}
