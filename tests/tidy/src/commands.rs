//! The commands for tests that documents give do run tests: a name that has changed would run none, and be green.

use crate::all_is_well;
use crate::arrows::metadata;
use crate::tree::{Text, root, texts};
use std::collections::BTreeSet;

/// What a `cargo test` command chooses.
#[derive(Debug, PartialEq)]
struct Command<'a> {
    /// None: all.
    packages: Vec<&'a str>,
    /// Tests within crates (`Some(true)`), or beside them (`Some(false)`).
    is_within: Option<bool>,
    filters: Vec<&'a str>,
}

/// Every word by which a document's `cargo test` chooses tests is in the name of one.
#[test]
fn commands_of_documents_run_tests() {
    let tests: Vec<Test> = texts().iter().filter(|file| file.is(&["rs"])).flat_map(tests_of).collect();
    assert!(tests.len() > 1000, "{}", tests.len());
    let mut problems = Vec::new();
    let mut words = 0;
    for file in texts().iter().filter(|file| file.is(&["md"])) {
        for (index, line) in file.text.lines().enumerate() {
            for command in commands(line) {
                words += command.filters.len();
                let chosen: Vec<&Test> = tests.iter().filter(|test| command.covers(test)).collect();
                let idle = command
                    .filters
                    .iter()
                    .filter(|word| !chosen.iter().any(|test| test.name.contains(**word)));
                problems.extend(
                    idle.map(|word| {
                        format!("{}:{}: no test's name has `{word}` in it", file.path, index + 1)
                    }),
                );
            }
        }
    }
    assert!(words > 20, "{words}");
    all_is_well("a command runs no test", &problems);
}

/// The commands in a line: a command ends with its code, its cell, or where a remark begins.
fn commands(line: &str) -> Vec<Command<'_>> {
    let ends = ["`", " #", "  ", " |", ";"];
    let texts = line.split("cargo test ").skip(1);
    texts
        .map(|rest| ends.iter().filter_map(|end| rest.find(end)).min().map_or(rest, |end| &rest[..end]))
        .map(command)
        .collect()
}

fn command(text: &str) -> Command<'_> {
    let mut command = Command { packages: Vec::new(), is_within: None, filters: Vec::new() };
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-p" | "--package" => command.packages.extend(words.next()),
            "--test" => command.is_within = words.next().map(|_| false),
            "--lib" => command.is_within = Some(true),
            word if word.starts_with('-') => {}
            // What stands for a name is none.
            word if word.chars().all(|c| c.is_ascii_alphanumeric() || "_:".contains(c)) => {
                command.filters.push(word);
            }
            _ => {}
        }
    }
    command
}

impl Command<'_> {
    fn covers(&self, test: &Test) -> bool {
        (self.packages.is_empty() || self.packages.contains(&test.package))
            && self.is_within.is_none_or(|within| within == test.is_within)
    }
}

/// A test of ours.
struct Test {
    package: &'static str,
    is_within: bool,
    /// With the modules of the file's path: `record::a_test`. Modules within a file are left out: what documents name has none.
    name: String,
}

/// The tests of a source file.
fn tests_of(file: &Text) -> Vec<Test> {
    let Some((package, inside)) = package_of(file) else { return Vec::new() };
    let Some((top, modules)) = inside.split_once('/') else { return Vec::new() };
    let modules = modules.strip_suffix(".rs").unwrap_or(modules).split('/');
    let modules: Vec<&str> = modules.filter(|part| !["main", "lib", "mod"].contains(part)).collect();
    let named = names_of_tests(&file.text).into_iter().map(|name| Test {
        package,
        is_within: top == "src",
        name: modules.iter().copied().chain([name]).collect::<Vec<_>>().join("::"),
    });
    named.collect()
}

/// The package in whose folder a file lies, and the file's path in there.
fn package_of(file: &Text) -> Option<(&'static str, &str)> {
    let packages = metadata().packages.iter().filter_map(|package| {
        let folder = package.manifest_path.parent()?.strip_prefix(root()).ok()?;
        Some((package.name.as_str(), file.path.strip_prefix(folder.as_str())?.strip_prefix('/')?))
    });
    // Packages may lie within others.
    packages.min_by_key(|(_, inside)| inside.len())
}

fn names_of_tests(text: &str) -> BTreeSet<&str> {
    let marks = ["#[test]", "#[tokio::test]", "#[tokio::test("];
    let behind = marks.iter().flat_map(|mark| text.split(mark).skip(1));
    behind.filter_map(|rest| rest.split_once("fn ")?.1.split(['(', '<']).next()).collect()
}

/// The rules of this file, on examples.
#[test]
fn the_readers_of_commands_read() {
    let line =
        "| 8 | `KILLS=2 cargo test -p a -p b --test suite c::d -- e:: --nocapture`; `cargo test --lib <f>` |";
    let first = Command { packages: vec!["a", "b"], is_within: Some(false), filters: vec!["c::d", "e::"] };
    let second = Command { packages: vec![], is_within: Some(true), filters: vec![] };
    assert_eq!(commands(line), [first, second]);
    assert_eq!(commands("cargo test -- x::   all of it")[0].filters, ["x::"]);
    let text = "#[test]\nfn a() {}\nfn b() {}\n    #[tokio::test]\n    #[ignore]\n    async fn c() {}\n";
    assert_eq!(names_of_tests(text), ["a", "c"].into());
}
