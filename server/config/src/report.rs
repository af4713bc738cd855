//! What is wrong with a file: where, what was got, what is allowed, what to do.
//!
//! A [`Report`] holds every [`Problem`] of a file and of the files that it names, in the order of the text.

use crate::shown::shown;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, as the user would name it.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    /// The line, from 1; a file that cannot be read has its problem at 1:1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong: one clause, lower case, no full stop.
    pub what: String,
    /// What stands there, as written.
    pub got: Option<String>,
    /// The rule, with its unit.
    pub allowed: Option<String>,
    /// Where a plugin was looked for, and why it was not taken; a line each.
    pub tried: Vec<String>,
    /// What was most likely meant.
    pub hint: Option<String>,
    /// A stable name of this kind of problem, see [`CODES`].
    pub code: &'static str,
    /// What is wrong, without the names of the things that it concerns: problems of one kind are told once.
    #[serde(skip)]
    pub(crate) kind: String,
}

impl Problem {
    /// Nothing more than what is wrong, and where.
    pub(crate) fn new(file: PathBuf, line: u32, column: u32, what: String, code: &'static str) -> Self {
        let (got, allowed, tried, hint) = Default::default();
        Self { file, line, column, kind: what.clone(), what, got, allowed, tried, hint, code }
    }
}

/// A path that is no Unicode has a JSON text all the same.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// Every code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("config/syntax", "the file is not TOML"),
    ("config/duplicate-key", "a key is set twice"),
    ("config/unknown-key", "there is no such key"),
    ("config/missing-key", "a key that is needed is not there"),
    ("config/wrong-type", "a value is of another type than its key takes"),
    ("config/not-finite", "a number is nan, inf or too large"),
    ("config/out-of-range", "a number, a text or a list is outside what is allowed"),
    ("config/unknown-value", "a word is none of those that the key takes"),
    ("config/bad-value", "a value breaks a rule that depends on other values"),
    ("config/duplicate-name", "two things of a kind have the same name"),
    ("config/unknown-datum", "a sensor follows what the robot's motion model does not publish"),
    ("config/unknown-team", "a team is named that the world does not have"),
    ("config/overlap", "two solid bodies overlap at the start"),
    ("config/no-place", "a robot without a pose, or the start of an episode, finds no free place"),
    ("config/refused", "the simulation refuses a robot or the referee"),
    ("config/no-disc", "a robot's body is no disc, in a world of discs"),
    ("config/mount-outside", "a sensor is mounted outside of its robot's own shapes"),
    ("config/file-not-read", "a file cannot be read, or may not be named here"),
    ("config/include-cycle", "a file includes itself"),
    ("config/include-conflict", "two included parts set the same key"),
    ("plugin/not-found", "there is no plugin of this name and kind"),
    ("plugin/bad-parameter", "the plugin does not accept its parameters"),
    ("plugin/bad-schema", "the plugin describes its parameters by something that is no JSON Schema"),
    ("plugin/failed", "the plugin failed while an instance was made"),
];

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}:{}: {}", self.file.display(), self.line, self.column, shown(&self.what))?;
        if let Some(got) = &self.got {
            writeln!(f, "  got      {}", shown(got))?;
        }
        if let Some(allowed) = &self.allowed {
            writeln!(f, "  allowed  {}", shown(allowed))?;
        }
        for (index, tried) in self.tried.iter().enumerate() {
            writeln!(f, "  {:<8} {}", if index == 0 { "tried" } else { "" }, shown(tried))?;
        }
        if let Some(hint) = &self.hint {
            writeln!(f, "  hint     {}", shown(hint))?;
        }
        write!(f, "  code     {}   -> docs/errors.md", self.code)
    }
}

/// Everything that is wrong with a file and with the files that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// At least one, by file, line and column.
    pub problems: Vec<Problem>,
}

impl Report {
    pub(crate) fn new(mut problems: Vec<Problem>) -> Self {
        problems.sort_by(|a, b| {
            (&a.file, a.line, a.column, a.code, &a.what).cmp(&(&b.file, b.line, b.column, b.code, &b.what))
        });
        problems.dedup();
        // Every missing plugin was looked for in the same places: they are told once.
        let mut told: Vec<Vec<String>> = Vec::new();
        for problem in problems.iter_mut().filter(|problem| problem.tried.len() > 1) {
            if told.contains(&problem.tried) {
                problem.tried = vec!["the same files as above".into()];
            } else {
                told.push(problem.tried.clone());
            }
        }
        Self { problems }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, (problem, again)) in folded(&self.problems).into_iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{problem}")?;
            if !again.is_empty() {
                writeln!(f, "  again    {} times more, in {}", again.len(), in_lines(&again))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Report {}

/// Mistakes in the same words that are so many in one file are told once.
const MANY: usize = 4;

/// So many are of one kind that differ in the names of what they concern: what is wrong with a few is worth its names.
const MANY_OF_KIND: usize = 7;

/// So many lines are named each.
const FEW_LINES: usize = 6;

/// The problems that are told, and the lines of those of the same kind elsewhere in the file.
fn folded<'a>(problems: &'a [Problem]) -> Vec<(&'a Problem, Vec<u32>)> {
    let mut of_kind: BTreeMap<_, Vec<&Problem>> = BTreeMap::new();
    let kind = |problem: &'a Problem| (&problem.file, problem.code, &problem.kind, &problem.allowed);
    for problem in problems {
        of_kind.entry(kind(problem)).or_default().push(problem);
    }
    let is_many = |alike: &[&Problem]| {
        let is_same = alike.iter().all(|one| one.what == alike[0].what);
        alike.len() >= if is_same { MANY } else { MANY_OF_KIND }
    };
    of_kind.retain(|_, alike| is_many(alike));
    let mut told = Vec::new();
    for problem in problems {
        match of_kind.get(&kind(problem)).map(Vec::as_slice) {
            Some([first, again @ ..]) => {
                if std::ptr::eq(*first, problem) {
                    told.push((problem, again.iter().map(|again| again.line).collect()));
                }
            }
            _ => told.push((problem, Vec::new())),
        }
    }
    told
}

/// Lines in words; `lines` is in their order.
fn in_lines(lines: &[u32]) -> String {
    let mut each = lines.to_vec();
    each.dedup();
    match each.as_slice() {
        [one] => format!("line {one}"),
        few if few.len() <= FEW_LINES => {
            format!("lines {}", few.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
        }
        [first, .., last] => format!("lines {first} to {last}"),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: u32, what: &str) -> Problem {
        Problem::new("world.toml".into(), line, 1, what.into(), "plugin/not-found")
    }

    /// The same of 22 robots is told once, with how often; what is wrong once is told beside it.
    #[test]
    fn copies_are_folded() {
        let mut problems: Vec<Problem> = (1..=22).map(|line| problem(line * 10, "no such plugin")).collect();
        problems.push(problem(300, "something else"));
        let text = Report::new(problems).to_string();
        assert_eq!(text.matches("no such plugin").count(), 1, "{text}");
        assert!(
            text.contains("21 times more, in lines 20 to 220") && text.contains("something else"),
            "{text}"
        );
        let few = Report::new((1..=3).map(|line| problem(line, "no such plugin")).collect()).to_string();
        assert_eq!(few.matches("no such plugin").count(), 3, "{few}");
    }
}
