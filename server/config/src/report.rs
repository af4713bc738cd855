//! What is wrong with a file: where, what was got, what is allowed, what to do.
//!
//! A [`Report`] holds every [`Problem`] of a file and of the files that it names, in the order of the text.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as the user would name it.
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

/// User text on a terminal: control characters are shown, not obeyed.
fn shown(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped = c.is_control();
            escaped.then(|| c.escape_default()).into_iter().flatten().chain((!escaped).then_some(c))
        })
        .collect()
}

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
            if let [first, .., last] = again.as_slice() {
                writeln!(f, "  again    {} times more, in lines {first} to {last}", again.len())?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Report {}

/// The same mistake so often in one file is told once.
const MANY: usize = 4;

/// The problems that are told, and the lines of those that say the same elsewhere in the file.
fn folded(problems: &[Problem]) -> Vec<(&Problem, Vec<u32>)> {
    let same = |a: &Problem, b: &Problem| {
        (&a.file, &a.what, &a.got, &a.allowed, &a.hint, a.code)
            == (&b.file, &b.what, &b.got, &b.allowed, &b.hint, b.code)
    };
    let mut told: Vec<(&Problem, Vec<u32>)> = Vec::new();
    for problem in problems {
        let copies = problems.iter().filter(|other| same(problem, other)).count();
        match told.iter_mut().find(|(first, _)| copies >= MANY && same(first, problem)) {
            Some((_, again)) => again.push(problem.line),
            None => told.push((problem, Vec::new())),
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: u32, what: &str) -> Problem {
        let nothing = || None;
        Problem {
            file: "world.toml".into(),
            line,
            column: 1,
            what: what.into(),
            got: nothing(),
            allowed: nothing(),
            tried: Vec::new(),
            hint: nothing(),
            code: "plugin/not-found",
        }
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
