//! The files of the repository, read once from the working folder.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Folders that are made by tools, as in `.gitignore`.
const MADE: [&str; 10] = [
    ".git",
    "target",
    "artifacts",
    "corpus",
    "node_modules",
    "__pycache__",
    ".venv",
    ".mypy_cache",
    "shipped",
    ".pytest_cache",
];

/// Root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate lies in the repository")
}

/// A text file of the repository.
pub struct Text {
    /// Relative to the top, with `/` between the parts.
    pub path: String,
    /// Contents of the file.
    pub text: String,
}

impl Text {
    /// Whether it ends in one of these.
    pub fn is(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
    }

    /// Whether it lies in this folder.
    pub fn within(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Its lines with numbers, without what follows `//`.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let code = |line| str::split(line, "//").next().unwrap_or_default();
        self.text.lines().enumerate().map(move |(index, line)| (index + 1, code(line)))
    }
}

/// All text files, sorted by path.
pub fn texts() -> &'static [Text] {
    static TEXTS: LazyLock<Vec<Text>> = LazyLock::new(|| {
        let mut paths = Vec::new();
        walk(root(), &mut paths);
        paths.sort();
        let texts = paths.into_iter().filter_map(|path| {
            let relative = path.strip_prefix(root()).ok()?.to_str()?.replace('\\', "/");
            Some(Text { path: relative, text: std::fs::read_to_string(&path).ok()? })
        });
        texts.collect()
    });
    &TEXTS
}

/// One text file, or a panic that names it.
#[track_caller]
pub fn text(path: &str) -> &'static str {
    let found = texts().iter().find(|file| file.path == path);
    &found.unwrap_or_else(|| panic!("{path} is not there")).text
}

/// Names in a folder, sorted.
pub fn names(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = entries.map(|entry| entry.expect("a readable folder").file_name().into_string());
    let mut names: Vec<String> = names.map(|name| name.expect("a name in UTF-8")).collect();
    names.sort();
    names
}

/// Whether `line` holds `word`, and not as a part of a longer word.
pub fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        !line[..start].ends_with(part_of_word) && !line[start + word.len()..].starts_with(part_of_word)
    })
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.map(|entry| entry.expect("a readable folder")) {
        let path = entry.path();
        if !path.is_dir() {
            paths.push(path);
        } else if !MADE.iter().any(|made| entry.file_name() == *made) {
            walk(&path, paths);
        }
    }
}
