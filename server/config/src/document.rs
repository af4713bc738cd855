//! A TOML file as a JSON value in which every key and value knows its place in the text.
//!
//! The file is parsed with recovery, parts that it includes are merged into it, and the result is one
//! [`Document`]: a JSON value, and a map from JSON pointers to places. All later checks name what they complain
//! about by its pointer, and [`Document::report`] turns that into file, line and column.
//!
//! # Invariants
//! - Every place lies within its file (`tests/mutations.rs`).
//! - Numbers are finite: others are reported, and stand as 0 in a value that nobody reads.

mod brackets;
mod include;
mod parse;
mod syntax;

use crate::report::Problem;
use crate::source::{FileSource, SourceFile};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// A document takes at most this many files: parts that include parts could name each other without end.
const MAX_FILES: usize = 64;

/// Position of a value in the files, as byte ranges.
#[derive(Clone, Debug)]
struct Place {
    file: usize,
    /// The key, if the value has one of its own.
    key: Option<Range<usize>>,
    value: Range<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    place: Place,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Scalar(Value),
    List(Vec<Node>),
    Table(Table),
    /// Something that has no place in a configuration, and was reported.
    Refused,
}

type Table = BTreeMap<String, Node>;

/// Whether a problem is with a key itself or with what it is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Key,
    Value,
}

/// A file with its parts, and what has been found wrong with it so far.
#[derive(Debug, Default)]
pub(crate) struct Document {
    files: Vec<SourceFile>,
    /// Where each line of each file begins.
    line_starts: Vec<Vec<usize>>,
    /// Contents of the file and its parts, merged.
    pub value: Value,
    places: BTreeMap<String, Place>,
    /// What is wrong so far.
    pub problems: Vec<Problem>,
    /// Pointers of values that cannot be used.
    bad: BTreeSet<String>,
    /// Whether a file is not TOML: then only that is told, for the rest may follow from what could not be read.
    has_syntax_errors: bool,
    /// Where problems go that are not told.
    untold: Vec<Problem>,
}

impl Document {
    /// Parses a file, and the parts that it includes.
    pub(crate) fn parse(file: SourceFile, source: &dyn FileSource) -> Self {
        let mut document = Self::default();
        let mut open = Vec::new();
        let root = document.parse_file(file, source, &mut open);
        document.value = document.index(&root, String::new());
        document
    }

    /// Writes down the place of every value, and gives the tree as JSON.
    fn index(&mut self, node: &Node, pointer: String) -> Value {
        let value = match &node.content {
            Content::Scalar(value) => value.clone(),
            Content::Refused => {
                self.bad.insert(pointer.clone());
                Value::from(0)
            }
            Content::List(items) => Value::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.index(item, format!("{pointer}/{index}")))
                    .collect(),
            ),
            Content::Table(entries) => {
                let mut map = Map::new();
                for (key, entry) in entries {
                    let value = self.index(entry, child(&pointer, key));
                    map.insert(key.clone(), value);
                }
                Value::Object(map)
            }
        };
        self.places.insert(pointer, node.place.clone());
        value
    }

    /// Takes a key out, so that the rest of its table can still be checked.
    pub(crate) fn remove(&mut self, pointer: &str) {
        let (parent, key) = split(pointer);
        if let Some(Value::Object(map)) = self.value.pointer_mut(parent) {
            map.remove(&unescape(key));
        }
    }

    /// Something in the value at the pointer is wrong, and was said elsewhere.
    pub(crate) fn spoil(&mut self, pointer: &str) {
        self.bad.insert(pointer.to_owned());
    }

    /// What is wrong at the pointer does not keep the rest from being checked.
    pub(crate) fn forgive(&mut self, pointer: &str) {
        self.bad.remove(pointer);
    }

    /// Reads a value as a type; `None` if there is none, or something in it is known to be wrong.
    pub(crate) fn read<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        if self.is_bad(pointer) {
            return None;
        }
        T::deserialize(self.value.pointer(pointer)?).ok()
    }

    /// The whole as a type, if nothing is wrong with it.
    pub(crate) fn finish<T: DeserializeOwned>(&mut self) -> Option<T> {
        if !self.problems.is_empty() {
            return None;
        }
        match T::deserialize(&self.value) {
            Ok(file) => Some(file),
            Err(error) => {
                // The schema accepts all that the type does not refuse, but for what nobody has thought of.
                self.report("", At::Value, "config/bad-value", error.to_string());
                None
            }
        }
    }

    /// Reports items of a list that have the same name as one before them.
    pub(crate) fn check_unique(&mut self, list: &str, key: &str) {
        let mut first: BTreeMap<String, String> = BTreeMap::new();
        for item in self.items(list) {
            let pointer = format!("{item}/{key}");
            let Some(name) = self.read::<String>(&pointer) else { continue };
            if let Some(before) = first.get(&name) {
                let place = self.places.get(before).cloned();
                let line = place.map(|place| self.line_column(place.file, place.value.start).0);
                let what = "there is another one of this name";
                let problem = self.report(&pointer, At::Value, "config/duplicate-name", what);
                problem.allowed = Some("each name once".into());
                problem.hint = line.map(|line| format!("the first one is in line {line}"));
                continue;
            }
            first.insert(name, pointer);
        }
    }

    /// The pointers of a list's items.
    pub(crate) fn items(&self, pointer: &str) -> Vec<String> {
        let count = self.value.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
        (0..count).map(|index| format!("{pointer}/{index}")).collect()
    }

    /// Whether the value at the pointer, or something in it, is known to be wrong.
    pub(crate) fn is_bad(&self, pointer: &str) -> bool {
        let below = format!("{pointer}/");
        self.bad.contains(pointer)
            || self.bad.range(below.clone()..).next().is_some_and(|bad| bad.starts_with(&below))
    }

    /// Adds a problem with what is at a pointer; `what` says it after the name of the thing that it belongs to.
    pub(crate) fn report(
        &mut self,
        pointer: &str,
        at: At,
        code: &'static str,
        what: impl Into<String>,
    ) -> &mut Problem {
        self.bad.insert(pointer.to_owned());
        let mut nearest = pointer;
        while !self.places.contains_key(nearest) && !nearest.is_empty() {
            nearest = split(nearest).0;
        }
        let place = self.places.get(nearest).cloned().unwrap_or(Place { file: 0, key: None, value: 0..0 });
        let context = self.context(pointer);
        let kind = what.into();
        let what = if context.is_empty() { kind.clone() } else { format!("{context}: {kind}") };
        // Of a table with a header only the header could be shown.
        let is_inline = self.slice(place.file, place.value.clone()).starts_with('{');
        let is_value = is_inline || self.value.pointer(nearest).is_some_and(|value| !value.is_object());
        let got = is_value.then(|| self.as_written(&place)).flatten();
        let problem = Problem { kind, got, ..self.problem(&place, at, code, what) };
        if self.has_syntax_errors {
            self.untold.clear();
            self.untold.push(problem);
            return &mut self.untold[0];
        }
        self.add(problem)
    }

    /// The list items that a pointer goes through, such as `manipulator "kicker", state "kick"`.
    fn context(&self, pointer: &str) -> String {
        let mut names = Vec::new();
        let mut path = String::new();
        let mut list = String::new();
        for segment in pointer.split('/').skip(1) {
            // A table may have a number as a key.
            let is_list = self.value.pointer(&path).is_some_and(Value::is_array);
            path = format!("{path}/{segment}");
            let is_item = is_list && segment.parse::<usize>().is_ok();
            if let (true, Some(item @ Value::Object(_))) = (is_item, self.value.pointer(&path)) {
                let name = ["id", "name"].iter().find_map(|key| item.get(key)?.as_str());
                let index = segment.parse::<usize>().unwrap_or(0) + 1;
                names.push(
                    name.map_or_else(|| format!("{list} {index}"), |name| format!("{list} \"{name}\"")),
                );
            }
            list = segment.to_owned();
        }
        names.join(", ")
    }

    fn push(&mut self, place: &Place, at: At, code: &'static str, what: String) -> &mut Problem {
        let problem = self.problem(place, at, code, what);
        self.add(problem)
    }

    fn add(&mut self, problem: Problem) -> &mut Problem {
        let index = self.problems.len();
        self.problems.push(problem);
        &mut self.problems[index]
    }

    fn problem(&self, place: &Place, at: At, code: &'static str, what: String) -> Problem {
        let start = match (at, &place.key) {
            (At::Key, Some(key)) => key.start,
            _ => place.value.start,
        };
        let (line, column) = self.line_column(place.file, start);
        let got = self.as_written(place);
        let file = self.files.get(place.file).map(|file| file.path.clone()).unwrap_or_default();
        Problem { got, ..Problem::new(file, line, column, what, code) }
    }

    /// A value as the user wrote it, with its key, on one line.
    fn as_written(&self, place: &Place) -> Option<String> {
        let value = one_line(self.slice(place.file, place.value.clone()));
        let key = place.key.clone().map(|key| self.slice(place.file, key)).unwrap_or_default();
        match (key.is_empty(), value.is_empty() || value.starts_with('[') && value.ends_with(key)) {
            (_, true) => None,
            (true, false) => Some(value),
            (false, false) => Some(format!("{key} = {value}")),
        }
    }

    fn slice(&self, file: usize, range: Range<usize>) -> &str {
        self.files.get(file).and_then(|file| file.text.get(range)).unwrap_or_default()
    }

    /// The line in which a byte is, without its end: found without a look at those before it, for a file may be wrong in each of its lines.
    fn line_of(&self, file: usize, byte: usize) -> &str {
        let (line, _) = self.line_column(file, byte);
        let starts = self.line_starts.get(file).map_or(&[0][..], Vec::as_slice);
        let start = starts[line as usize - 1];
        let rest = self.files.get(file).and_then(|file| file.text.get(start..)).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default()
    }

    /// The line that a byte is in; what it costs does not depend on how long the line is.
    fn line(&self, file: usize, byte: usize) -> u32 {
        let starts = self.line_starts.get(file).map_or(&[0][..], Vec::as_slice);
        u32::try_from(starts.partition_point(|start| *start <= byte).max(1)).unwrap_or(u32::MAX)
    }

    /// Line and column of a byte, both from 1; what stands after the last line is said to be at its end.
    fn line_column(&self, file: usize, byte: usize) -> (u32, u32) {
        let text = self.files.get(file).map_or("", |file| file.text.as_str());
        let starts = self.line_starts.get(file).map_or(&[0][..], Vec::as_slice);
        let mut end = byte.min(text.strip_suffix('\n').unwrap_or(text).len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let line = starts.partition_point(|start| *start <= end).max(1);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (count(line), count(text[starts[line - 1]..end].chars().count() + 1))
    }

    /// Whether a file that includes this one can set keys in the table at the pointer: it can, but for entries of lists that are not at the
    /// root, or have no name.
    pub(crate) fn can_be_completed(&self, pointer: &str) -> bool {
        let mut path = String::new();
        for segment in pointer.split('/').skip(1) {
            let is_list = self.value.pointer(&path).is_some_and(Value::is_array);
            path = format!("{path}/{segment}");
            let item = self.value.pointer(&path).filter(|_| is_list);
            let is_of_root = path.matches('/').count() == 2;
            let is_named = |item: &Value| ["id", "name"].iter().any(|key| item[*key].is_string());
            if item.is_some_and(|item| !(is_of_root && is_named(item))) {
                return false;
            }
        }
        true
    }

    /// The name of the file itself.
    pub(crate) fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |file| &file.path)
    }

    /// The file in which the value at the pointer stands.
    pub(crate) fn path_of(&self, pointer: &str) -> &Path {
        let place = self.places.get(pointer);
        place.and_then(|place| self.files.get(place.file)).map_or(self.path(), |file| &file.path)
    }
}

/// The pointer of a key in the table at `pointer`.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A pointer's parent, and its last segment.
pub(crate) fn split(pointer: &str) -> (&str, &str) {
    pointer.rsplit_once('/').unwrap_or(("", pointer))
}

pub(crate) fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// At most 60 characters of a text, on one line.
fn one_line(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(60) {
        words.truncate(end);
        words.push('…');
    }
    words
}

pub(crate) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}
