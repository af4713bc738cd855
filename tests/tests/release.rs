//! What holds of the release build alone: the stage `release` of `cargo verify`. The tests drive it from outside, so that no library is
//! built once more with the features that tests ask for.

use crate::build::{Profile, compiled_by, program};
use crate::program::{outcome, root};
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

/// After `cargo build --release --workspace`, no other build that the documentation names compiles a library again.
#[test]
fn one_build_serves_all() {
    let compiled_by = |arguments: &[&str]| compiled_by(Profile::Release, arguments);
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
