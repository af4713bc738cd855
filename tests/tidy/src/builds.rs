//! One build serves all: each selection of packages asks for the same features, and each crate has one program of tests.

use crate::all_is_well;
use crate::arrows::metadata;
use crate::tree::root;
use std::collections::BTreeSet;
use std::process::Command;

/// Crates that nobody builds alone for a user: their libraries may differ.
const ALONE: [&str; 11] = [
    "touchline-features",
    "touchline-plugin-api",
    "touchline-kit",
    "touchline-skills",
    "touchline-episode",
    "touchline-soccer-law",
    "touchline-soccer-team",
    "touchline-plugin-testing",
    "touchline-tests",
    "touchline-tidy",
    "xtask",
];

/// Rows such as `memchr v2.8.3 [alloc,std]`: each library with the features that a selection of packages gives it. Without libraries for
/// tests, as `cargo build` builds.
fn libraries(selection: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p} [{f}]"]);
    let output = cargo.args(selection).current_dir(root()).output().expect("cargo tree");
    assert!(output.status.success(), "cargo tree {selection:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("names in UTF-8");
    let rows = text.lines().map(|row| row.replace(" (*)", "").replace(" (proc-macro)", ""));
    // Our own crates have their folder behind the name.
    rows.filter(|row| !row.contains(" (")).collect()
}

/// What `cargo build --release --workspace` has built serves `cargo play`, the Python package, the C client, and every crate alone.
#[test]
fn every_selection_has_the_same_features() {
    let all = libraries(&["--workspace"]);
    assert!(all.len() > 200, "cargo tree names {} libraries only", all.len());
    let mut missing = BTreeSet::new();
    for package in &metadata().packages {
        let name = package.name.as_str();
        if !ALONE.contains(&name) {
            missing.extend(libraries(&["--package", name]).difference(&all).map(|row| {
                let (library, features) = row.split_once(" v").unwrap_or((row, ""));
                let wanted: Vec<&str> = all
                    .iter()
                    .filter(|row| row.split(' ').next() == Some(library))
                    .map(String::as_str)
                    .collect();
                format!("{library}: {name} alone asks for v{features}, all together for {wanted:?}")
            }));
        }
    }
    all_is_well(
        "one library would be built twice; give it a row in plugin-api/features/Cargo.toml with the features of all together",
        &missing.into_iter().collect::<Vec<_>>(),
    );
}

/// A program of tests is linked, so each crate has one, and its files are modules of it.
#[test]
fn every_crate_has_one_program_of_integration_tests() {
    let mut problems = Vec::new();
    for package in &metadata().packages {
        let tests: Vec<&str> = package
            .targets
            .iter()
            .filter(|target| target.is_test())
            .map(|target| target.name.as_str())
            .collect();
        if !tests.is_empty() && tests != ["suite"] {
            problems.push(format!(
                "{}: {tests:?}; set autotests = false, and one [[test]] with name = \"suite\", path = \"tests/main.rs\"",
                package.name
            ));
        }
    }
    all_is_well("a crate has several programs of tests", &problems);
}
