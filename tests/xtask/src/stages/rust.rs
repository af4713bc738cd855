//! Stages that cargo runs: format, lints, builds, tests in Rust.

use crate::report::Report;
use crate::shop::Shop;
use crate::tally;
use crate::tools::{self, CC, CMAKE, CXX, FFMPEG, PYTHON};
use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

/// Crates without sockets, files or threads, and the parsers: whoever changes one knows within a minute.
const PURE: [&str; 8] = [
    "touchline-plugin-api",
    "touchline-sim",
    "touchline-gate",
    "touchline-board",
    "touchline-board-server",
    "touchline-config",
    "touchline-record",
    "touchline-batch",
];

/// Tests whose names begin so belong to other stages: to `release` and to `full-length`.
const ELSEWHERE: [&str; 4] = ["--skip", "release::", "--skip", "full::"];

pub fn rustfmt(shop: &Shop, log: &str) -> Report {
    match tools::ensure_component(shop, log, "fmt", "rustfmt") {
        Ok(()) => {
            Report::check(shop.run(log, shop.cargo(&["fmt", "--all", "--check", "--", "--color", "never"])))
        }
        Err(reason) => Report::failed(reason),
    }
}

/// By clippy alone, without a build: in a tree that was looked at before cargo looks only at what has changed, and at what depends on it.
pub fn clippy(shop: &Shop, log: &str) -> Report {
    match tools::ensure_component(shop, log, "clippy", "clippy") {
        Ok(()) => {
            let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
            Report::check(shop.run(log, shop.cargo(&arguments)))
        }
        Err(reason) => Report::failed(reason),
    }
}

/// For who works: `unit` has these tests among all others.
pub fn tidy(shop: &Shop, log: &str) -> Report {
    rust_tests(shop, log, &["--package", "touchline-tidy", "--lib"], &[])
}

pub fn pure(shop: &Shop, log: &str) -> Report {
    let mut chosen = vec!["--lib", "--test", "suite"];
    chosen.extend(PURE.iter().flat_map(|package| ["--package", package]));
    rust_tests(shop, log, &chosen, &[])
}

/// Everything that `build` compiles. The stages that test have parts of it, which are not built again (`selections_share_their_libraries`).
const ALL: [&str; 3] = ["build", "--workspace", "--all-targets"];

/// Clippy's compiler builds and lints in one pass: one of clippy's own would go through all libraries once more, for a third of the time.
pub fn build(shop: &Shop, log: &str) -> Report {
    match tools::ensure_component(shop, log, "clippy", "clippy") {
        Ok(()) if !shop.linter.is_file() => {
            Report::failed(format!("clippy's compiler is not at {}", shop.linter.display()))
        }
        Ok(()) => Report::check(shop.run(log, shop.debug_cargo(&ALL))),
        Err(reason) => Report::failed(reason),
    }
}

/// What the lints said in `build`: cargo says it again. A stage of its own, so that a lint does not keep the tests from running.
pub fn lints(shop: &Shop, log: &str) -> Report {
    let mut said = shop.run(log, shop.debug_cargo(&ALL));
    said.success &= !said.output.lines().any(|line| line.starts_with("warning"));
    Report::check(said)
}

pub fn unit(shop: &Shop, log: &str) -> Report {
    rust_tests(shop, log, &["--workspace", "--lib", "--bins"], &[])
}

/// Every crate has one program of integration tests, `suite`; that of `touchline-tests` asks the built server, the one that users have.
pub fn system(shop: &Shop, log: &str) -> Report {
    suites(shop, log, &["--workspace"], "release")
}

/// The built server once more, as it was built with assertions and checks of overflow, and without the optimiser.
pub fn system_debug(shop: &Shop, log: &str) -> Report {
    suites(shop, log, &["--package", "touchline-tests"], "debug")
}

fn suites(shop: &Shop, log: &str, packages: &[&str], tested: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&CC, &CXX, &CMAKE, &FFMPEG, &PYTHON]) {
        return Report::failed(reason);
    }
    // Half of these tests wait for programs that they have started.
    let threads = 2 * std::thread::available_parallelism().map_or(2, usize::from);
    let threads = format!("--test-threads={threads}");
    let chosen = [packages, &["--test", "suite"]].concat();
    let mut command = tests(shop, &chosen, &[&ELSEWHERE[..], &[&threads]].concat());
    // Captures are not shipped: a test that asks for them and is not ignored fails here too, where they may lie beside.
    command.env("TOUCHLINE_TESTED", tested).env(CAPTURES, "");
    Report::tests(shop.run(log, command), tally::cargo_test)
        .note_skipped("tests marked #[ignore], each with its reason in the source")
}

/// Where what the real Soccer Server has sent lies, if anywhere.
const CAPTURES: &str = "TOUCHLINE_SOCCER_SAMPLES";

/// The gateway of the Soccer Server against what the real one has sent and written, which is not ours to ship.
pub fn captures(shop: &Shop, log: &str) -> Report {
    let folder = std::env::var_os(CAPTURES).map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| shop.root.join("../shared/data/rcss_samples"));
    if !folder.is_dir() {
        return Report::skipped(&format!(
            "no traffic of the real Soccer Server is here; {CAPTURES} names its folder"
        ));
    }
    // No others are ignored; one package alone would be another selection of features, and built once more.
    let mut command = tests(shop, &["--workspace", "--test", "suite"], &["--ignored"]);
    command.env(CAPTURES, folder);
    Report::tests(shop.run(log, command), tally::cargo_test)
}

pub fn doc_tests(shop: &Shop, log: &str) -> Report {
    rust_tests(shop, log, &["--workspace", "--doc"], &[])
}

/// The whole workspace in release mode, as the documentation says it, and what holds of that build alone.
pub fn release(shop: &Shop, log: &str) -> Report {
    let built = shop.run(log, shop.cargo(&["build", "--release", "--workspace"]));
    if !built.success {
        return Report::check(built);
    }
    rust_tests(shop, log, &["--workspace", "--test", "suite"], &["release::"])
}

/// Builds what `cargo play` starts, for stages that ask the program; gives its path.
///
/// Not the whole workspace: maturin sets variables of its own when it builds the Python extension, so each would build that anew after
/// the other.
pub fn program(shop: &Shop, log: &str) -> Result<String, Report> {
    let build = shop.release_build();
    let build: Vec<&str> = build.iter().map(String::as_str).collect();
    let built = shop.run(log, shop.cargo(&build));
    if !built.success {
        return Err(Report::check(built));
    }
    Ok(shop.target.join("release").join(format!("touchline{EXE_SUFFIX}")).display().to_string())
}

/// The tests with the optimiser, determinism at full length, the published results, disks.
pub fn full_length(shop: &Shop, log: &str) -> Report {
    if let Err(reason) = tools::ensure(shop, log, &[&CC, &CXX, &CMAKE, &FFMPEG, &PYTHON]) {
        return Report::failed(reason);
    }
    let built = shop.run(log, shop.cargo(&["build", "--workspace", "--lib", "--bins", "--examples"]));
    if !built.success {
        return Report::check(built);
    }
    // What holds of the users' build holds of no other, and `release` has looked at it.
    let arguments = [
        "test",
        "--no-fail-fast",
        "--release",
        "--workspace",
        "--test",
        "suite",
        "--",
        "--skip",
        "release::",
    ];
    let mut command = shop.cargo(&arguments);
    // What a crowd of clients may not change is looked at in thousands of stories.
    command.env("TOUCHLINE_CROWD", "3000");
    Report::tests(shop.run(log, command), tally::cargo_test)
        .note_skipped("tests marked #[ignore], each with its reason in the source")
}

/// Cargo's own test runner: a program for each crate, in which all tests share what was built and loaded once.
fn rust_tests(shop: &Shop, log: &str, chosen: &[&str], filter: &[&str]) -> Report {
    Report::tests(shop.run(log, tests(shop, chosen, filter)), tally::cargo_test)
        .note_skipped("tests marked #[ignore], each with its reason in the source")
}

fn tests(shop: &Shop, chosen: &[&str], filter: &[&str]) -> Command {
    shop.debug_cargo(&[&["test", "--no-fail-fast"], chosen, &["--"], filter].concat())
}

pub fn rustdoc(shop: &Shop, log: &str) -> Report {
    let mut command = shop.cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    Report::check(shop.run(log, command))
}
