//! The worked examples of docs/contributing.md fit this tree: one new file each, and at most two lines elsewhere. Whether the tree compiles
//! with them is asked by the long runs (`full`).

use crate::program::root;
use std::fs;
use std::path::{Path, PathBuf};

/// What one example does to one file.
pub struct Change {
    /// From the tree's root.
    pub path: PathBuf,
    /// Whether the file is new.
    pub is_new: bool,
    /// Lines that the example adds.
    pub added: usize,
    /// The file's text with them.
    pub text: String,
}

/// The examples that the document shows as diffs, each as the changes of its files.
///
/// # Panics
/// If one does not fit the tree.
pub fn examples() -> Vec<Vec<Change>> {
    let document = fs::read_to_string(root().join("docs/contributing.md")).unwrap();
    let blocks = document.split("```diff\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    blocks.map(|block| block.split("+++ ").skip(1).map(change).collect()).collect()
}

fn change(part: &str) -> Change {
    let (path, lines) = part.split_once('\n').unwrap();
    let file = root().join(path);
    let is_new = !file.exists();
    let mut text: Vec<String> = match is_new {
        true => Vec::new(),
        false => fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect(),
    };
    let (mut at, mut added) = (0, 0);
    for line in lines.lines().filter(|&line| line != " ...") {
        if let Some(new) = line.strip_prefix('+') {
            text.insert(at, new.to_owned());
            (at, added) = (at + 1, added + 1);
        } else {
            let old = line.strip_prefix(' ').unwrap_or_else(|| panic!("{path}: neither + nor space: {line}"));
            let found = text.iter().skip(at).position(|known| known == old);
            at += found.unwrap_or_else(|| panic!("{path} has no line \"{old}\" after line {at}")) + 1;
        }
    }
    Change { path: Path::new(path).into(), is_new, added, text: text.join("\n") + "\n" }
}

/// A new command, a new sensor, a new order: one new file and at most two lines elsewhere.
#[test]
fn each_example_is_one_file_and_at_most_two_lines() {
    let examples = examples();
    assert_eq!(examples.len(), 3, "a board command, a sensor, an order of referees");
    for example in &examples {
        let names: Vec<_> = example.iter().map(|change| change.path.display()).collect();
        let elsewhere = example.iter().filter(|change| !change.is_new);
        assert_eq!(example.iter().filter(|change| change.is_new).count(), 1, "{names:?}");
        assert!((1..=2).contains(&elsewhere.map(|change| change.added).sum::<usize>()), "{names:?}");
    }
}
