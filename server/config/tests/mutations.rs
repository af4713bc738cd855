//! Whatever stands in a file: no panic, and every problem has a place in a file. [R1, I6]
//!
//! What does the same with arbitrary text is in `fuzzed.rs`.

use crate::support::{Fakes, assert_place};
use std::path::{Path, PathBuf};
use touchline_config::{Disk, Memory, Report, parse_robot, parse_world};

const FAKES: Fakes = Fakes { strict_laser: false };

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(name: &Path, text: &str, report: Result<(), Report>) {
    let Err(report) = report else { return };
    assert!(!report.problems.is_empty());
    for problem in &report.problems {
        if problem.file == name {
            assert_place(problem, text);
        }
        assert!(problem.line >= 1 && problem.column >= 1);
        let _ = problem.to_string();
    }
}

/// Every line from `first` on left out, doubled, cut, emptied of its value, or with one character changed.
fn mutations(text: &str, first: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut texts = Vec::new();
    for (index, line) in lines.iter().enumerate().skip(first) {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let half: String = line.chars().take(line.chars().count() / 2).collect();
        let changed = line.replace(['0', '1', '2'], "x");
        let negative = line.replace("= ", "= -");
        let list = line.split_once("= ").map_or_else(String::new, |(key, value)| format!("{key}= [{value}]"));
        let other =
            [String::new(), format!("{line}\n{line}"), half, changed, negative, list, format!("é{line}")];
        for replacement in other {
            let mut lines = lines.clone();
            lines[index] = &replacement;
            texts.push(lines.join("\n"));
        }
    }
    texts
}

/// A value of each kind becomes a list.
#[test]
fn a_mutation_is_what_it_is_called() {
    for (line, list) in [("x_m = 2.5", "x_m = [2.5]"), ("pose = { x_m = 1.2 }", "pose = [{ x_m = 1.2 }]")] {
        assert!(mutations(line, 0).contains(&list.to_owned()));
        assert!(toml::from_str::<toml::Table>(list).is_ok());
    }
}

#[test]
fn no_mutation_of_a_shipped_file_panics() {
    for path in ["robots/pioneer.toml", "robots/keeper.toml", "robots/parts/kicker.toml"] {
        let path = root().join(path);
        for text in mutations(&std::fs::read_to_string(&path).unwrap(), 0) {
            check(&path, &text, parse_robot(&text, &path, &Disk, &FAKES).map(|_| ()));
        }
    }
    // Of the second world only what follows the fixtures, which are much the same.
    for (path, first) in [("worlds/empty.toml", 0), ("worlds/keeper.toml", 172)] {
        let path = root().join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().skip(first).any(|line| line == "[[ball]]"), "{}", path.display());
        for text in mutations(&text, first) {
            check(&path, &text, parse_world(&text, &path, &Disk, &FAKES).map(|_| ()));
        }
    }
}

/// A file cannot make the loader work without end: parts that name each other, and a flood of mistakes.
#[test]
fn floods_end() {
    let name = Path::new("a.toml");
    let mut files = Memory::default();
    for part in 0..30 {
        let next = part + 1;
        let text = format!("include = [\"{next}.toml\", \"{next}.toml\"]\n");
        files.files.insert(format!("{part}.toml").into(), text);
    }
    let report = parse_robot("include = [\"0.toml\"]", name, &files, &FAKES).unwrap_err();
    assert!(report.problems.iter().any(|problem| problem.what.contains("files are included")));
    let keys: String = (0..3000).map(|key| format!("key{key} = nan\n")).collect();
    assert_eq!(parse_robot(&keys, name, &files, &FAKES).unwrap_err().problems.len(), 6004);
}
