//! What holds of the release build alone: the stage `release` of `cargo verify`. The tests drive it from outside, so that no library is
//! built once more with the features that tests ask for.

use crate::build::{Profile, program};
use crate::program::{outcome, root};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const WORLD: &str = "worlds/f2000.toml";
/// A whole match: two halves of ten minutes at a hundred steps a second.
const STEPS: &str = "120000";

/// Plays the match to its end, and gives its hash.
fn hash(program: &Path, seed: &str, more: &[&str]) -> String {
    let mut run = Command::new(program);
    run.current_dir(root()).args(["run", WORLD, "--seed", seed, "--json", "--steps", STEPS]).args(more);
    let outcome = outcome(&mut run);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let summary = outcome.json();
    assert_eq!(summary["faults"], serde_json::json!([]), "a plugin failed, so this is not the match");
    summary["state_hash"].as_str().expect("a hash").to_owned()
}

/// W3, W7, I2: in two processes, recorded and run again, with and without the optimiser; and another seed is another match.
#[test]
fn a_whole_match_is_one_hash() {
    let release = program(Profile::Release);
    let straight = hash(release, "1", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("match.mcap").display().to_string();
    assert_eq!(hash(release, "1", &["--record", &log]), straight);
    let verified = outcome(Command::new(release).args(["log", "verify", &log]).current_dir(root()));
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert_eq!(hash(program(Profile::Debug), "1", &[]), straight);
    assert_ne!(hash(release, "2", &[]), straight);
}

/// The packages that a build names, and what it has compiled: the names of all targets that were not there already.
fn compiled_by(arguments: &[&str]) -> Vec<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(arguments).args(["--locked", "--message-format=json-render-diagnostics"]);
    let output = outcome(cargo.current_dir(root()));
    assert_eq!(output.code, Some(0), "cargo {arguments:?}: {}", output.stderr);
    let messages = output.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("a message"));
    let made = messages.filter(|it| it["reason"] == "compiler-artifact" && it["fresh"] == false);
    made.map(|message| message["target"]["name"].as_str().expect("a name").to_owned()).collect()
}

/// After `cargo build --release --workspace`, no other build that the documentation names compiles a library again.
#[test]
fn one_build_serves_all() {
    compiled_by(&["build", "--release", "--workspace"]);
    let plugins = std::fs::read_dir(root().join("plugins")).expect("plugins").flatten();
    let plugins = plugins.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name());
    let plugins: Vec<String> =
        plugins.map(|name| format!("touchline-{}", name.to_str().expect("a name in UTF-8"))).collect();
    let build = ["build", "--release"];
    let with_plugins = |package: &'static str| {
        let packages = plugins.iter().map(String::as_str).chain([package]);
        build.into_iter().chain(packages.flat_map(|name| ["--package", name])).collect::<Vec<_>>()
    };
    let builds = [
        // `cargo play`; the Python package with its plugins, and its extension alone, as maturin asks for it.
        with_plugins("touchline"),
        with_plugins("touchline-python"),
        [&build[..], &["--package", "touchline-python", "--lib"]].concat(),
        // The C client, as CMake asks for it; one plugin, as its author does.
        [&build[..], &["--package", "touchline-client-c", "--lib"]].concat(),
        [&build[..], &["--package", "touchline-sensor-laser"]].concat(),
    ];
    for arguments in builds {
        assert_eq!(compiled_by(&arguments), [""; 0], "cargo {arguments:?}");
    }
    // An example is a program of its own.
    let example =
        compiled_by(&[&build[..], &["--package", "touchline-client", "--example", "chase_ball"]].concat());
    assert!(example.iter().all(|name| name == "chase_ball"), "{example:?}");
}
