//! What is wrong with a log: where, what was got, what is allowed, what to try.

use std::fmt::{self, Display, Formatter};

/// A log cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct LogError(#[from] pub Box<LogProblem>);

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LogProblem {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1; `None` if it is the whole file.
    pub line: Option<u64>,
    /// What is wrong: one clause, lower case, no full stop.
    pub what: String,
    /// Value in the log.
    pub got: String,
    /// Values that are allowed.
    pub allowed: String,
    /// Suggestion for the user.
    pub hint: String,
    /// A stable name of this kind of problem, see docs/errors.md.
    pub code: &'static str,
}

impl LogError {
    pub(crate) fn new(code: &'static str, file: &str, line: Option<u64>, what: impl Into<String>) -> Self {
        Self(Box::new(LogProblem {
            file: file.into(),
            line,
            what: what.into(),
            got: String::new(),
            allowed: String::new(),
            hint: String::new(),
            code,
        }))
    }

    pub(crate) fn got(mut self, got: impl Into<String>) -> Self {
        self.0.got = got.into();
        self
    }

    pub(crate) fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.0.allowed = allowed.into();
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = hint.into();
        self
    }
}

impl Display for LogProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        writeln!(f, " {}", self.what)?;
        for (label, text) in [("got", &self.got), ("allowed", &self.allowed), ("hint", &self.hint)] {
            if !text.is_empty() {
                // What stands in the file is shown, not obeyed by the terminal.
                let shown: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
                writeln!(f, "  {label:<8} {shown}")?;
            }
        }
        write!(f, "  code     {}   -> docs/errors.md", self.code)
    }
}
